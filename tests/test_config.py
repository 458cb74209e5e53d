"""Where settings come from and what is refused."""

from pathlib import Path

import pytest

from cudalint.config import NEVER, Config, integer, load_config
from cudalint.errors import ConfigError
from cudalint.rule import Severity


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def loaded(project: Path, text: str, name: str = "cudalint.toml") -> Config:
    (project / name).write_text(text)
    return load_config(["."])


@pytest.mark.parametrize(
    ("text", "value"),
    [("1 << 20", 1 << 20), ("0x100", 256), ("1e6", 1_000_000), ("2**20", 1 << 20), ("1'000u", 1000), ("010", 8),
     ("256ull", 256), ("(3 + 5) * 2", 16), ("-7", -7), ("1_000", 1000), ("0", 0), ("0xffu", 255), ("7 / 2", 3)],
)  # fmt: skip
def test_whole_numbers_in_their_usual_spellings(text: str, value: int) -> None:
    assert integer(text) == value


@pytest.mark.parametrize(
    "text", ["", "n", "1.5", "1 << 1000", "9**9**9", "f(1)", "1 / 0", "True", "'a'", "1e400", "((1"]
)
def test_anything_else_is_no_whole_number(text: str) -> None:
    with pytest.raises(ConfigError, match="whole number"):
        integer(text)


def test_without_a_file_the_defaults_hold(project: Path) -> None:
    config = load_config(["."])
    assert (config.file, config.root, config.min_severity, config.fail_on) == (
        None,
        project,
        Severity.WARNING,
        "warning",
    )


def test_the_nearest_file_above_the_first_path_is_read(project: Path) -> None:
    (project / "a/src").mkdir(parents=True)
    (project / "cudalint.toml").write_text('gpu = "a100"\n')
    (project / "a/pyproject.toml").write_text('[tool.cudalint]\ngpu = ["h200", "mi300x"]\n')
    (project / "a/src/pyproject.toml").write_text('[project]\nname = "other"\n')
    config = load_config(["a/src", "."])
    assert config.gpu == ("h200", "mi300x")
    assert config.root == project / "a"


def test_a_file_of_its_own_wins_over_pyproject(project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.cudalint]\ngpu = "a100"\n')
    (project / ".cudalint.toml").write_text('gpu = "h100"\n')
    assert load_config(["."]).gpu == ("h100",)
    (project / "cudalint.toml").write_text('gpu = "h200"\n')
    assert load_config(["."]).gpu == ("h200",)
    assert load_config(["."], isolated=True).gpu == ()


def test_every_key_is_read(project: Path) -> None:
    config = loaded(
        project,
        """
gpu-files = ["lab.toml"]
assume = { n = 1048576, m = "1 << 10" }
select = ["wave", "grid-may-be-zero"]
extend-select = ["block"]
extend-ignore = ["tail-wave"]
per-file-ignores = { "tests/*" = ["wave"] }
exclude = ["third_party"]
extend-exclude = ["gen"]
min-severity = "note"
fail-on = "never"
required-version = ">=0.1, <99"
cache-dir = ".cache"
[severity]
tail-wave = "error"
too-few-waves = "off"
[[ignore]]
kernel = "vendor_*"
rules = ["tail-wave"]
reason = "not ours"
""",
    )
    assert config.gpu_files == (str(project / "lab.toml"),)
    assert config.assume == {"n": 1 << 20, "m": 1 << 10}
    assert config.select == ("wave", "grid-may-be-zero")
    assert config.ignored_in("tests/deep/a.cu") == {"wave"}
    assert config.ignored_in("src/a.cu") == set()
    assert config.severity == {"tail-wave": Severity.ERROR, "too-few-waves": None}
    assert config.fail_on == NEVER
    (entry,) = config.ignore_entries
    assert (entry.kernel, entry.rules, entry.reason, entry.path) == ("vendor_*", ("tail-wave",), "not ours", "*")
    assert (entry.span.file, entry.span.line) == ("cudalint.toml", 17)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("gpus = []", "gpus: unknown key; did you mean 'gpu'"),
        ("gpu = 3", "gpu: must be a list of strings"),
        ("assume = { n = 1.5 }", r"assume\.n: must be a whole number"),
        ('assume = { n = "many" }', "'many' is not a whole number"),
        ('min-severity = "bad"', "min-severity: must be one of note, warning, error"),
        ('[severity]\ntail-wave = "warn"', r"severity\.tail-wave: must be one of"),
        ("[[ignore]]\nrules = ['x']", "needs a kernel or a path"),
        ("[[ignore]]\nkernel = 'x'", r"ignore\.rules: missing"),
        ("[[ignore]]\nkernels = 'x'\nrules = ['y']", r"ignore\.kernels: unknown key; did you mean 'kernel'"),
        ('required-version = ">=99"', "the project asks for >=99"),
        ('required-version = "new"', "is not a version"),
        ("gpu = [", "not TOML"),
    ],
)
def test_a_mistake_names_the_file_and_the_key(project: Path, text: str, complaint: str) -> None:
    with pytest.raises(ConfigError, match=complaint) as caught:
        loaded(project, text)
    assert str(caught.value).startswith("cudalint.toml: ")


def test_a_file_asked_for_must_exist(project: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.toml"):
        load_config(["."], file=Path("none.toml"))


def test_the_command_line_wins_over_the_file(project: Path) -> None:
    config = loaded(project, 'gpu = "a100"\nassume = { n = 1, m = 2 }\nignore = ["wave"]\nmin-severity = "error"\n')
    merged = config.merged(gpu=("h200",), assume={"n": 3}, ignore=("block",), min_severity=None)
    assert merged.gpu == ("h200",)
    assert merged.assume == {"n": 3, "m": 2}
    assert merged.ignore == ("wave", "block")
    assert merged.min_severity is Severity.ERROR


def test_selecting_on_the_command_line_forgets_the_selection_of_the_file(project: Path) -> None:
    merged = loaded(project, 'ignore = ["wave"]\n').merged(select=("tail-wave",))
    assert (merged.select, merged.ignore) == (("tail-wave",), ())


def test_names_that_are_no_rule_are_refused_with_the_nearest(project: Path) -> None:
    config = loaded(project, '[severity]\ntail-waves = "off"\n')
    with pytest.raises(ConfigError, match=r"cudalint\.toml: severity: .*'tail-waves'; did you mean 'tail-wave'"):
        config.check_names({"tail-wave", "wave"})
    with pytest.raises(ConfigError, match=r"--select: .*'blok'; did you mean 'block'"):
        Config(root=project).merged(select=("blok",)).check_names({"block"})


@pytest.mark.parametrize(
    ("fail_on", "failing"), [("error", {"error"}), ("warning", {"error", "warning"}), (NEVER, set())]
)
def test_what_makes_a_run_fail(project: Path, fail_on: str, failing: set[str]) -> None:
    config = Config(root=project, fail_on=fail_on)
    assert {severity.value for severity in Severity if config.fails(severity)} == failing
