"""The formats for people: golden output, and snippets of awkward sources."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from cudalint.report import Report
from cudalint.reporters.concise import concise
from cudalint.reporters.full import full, suppressed
from cudalint.reporters.paint import Paint
from cudalint.reporters.snippet import printable, read_lines, snippet, width
from cudalint.reporters.wording import statistics
from cudalint.source import Span
from tests.reporters.reports import CLEAN, PARTIAL, REPORT, lines

Golden = Callable[[str, str], None]
PLAIN = Paint()


def underlined(line: str, column: int, end_column: int) -> tuple[str, str]:
    """The shown line and its marks, both without the gutter."""
    _, text, marks = snippet(Span("a.cu", 1, column, 1, end_column), [line], 1, PLAIN)
    return text.removeprefix("1 | "), marks.removeprefix("  | ")


def marked_part(line: str, column: int, end_column: int) -> str:
    """The characters above the marks, for sources of narrow characters."""
    text, marks = underlined(line, column, end_column)
    start = len(marks) - len(marks.lstrip())
    return text[start : len(marks)]


def test_full(golden: Golden) -> None:
    golden("full.txt", full(REPORT, lines=lines))


def test_full_in_colour(golden: Golden) -> None:
    golden("full_colour.txt", full(REPORT, colour=True, lines=lines))


def test_concise(golden: Golden) -> None:
    golden("concise.txt", concise(REPORT))


def test_colour_only_adds_escapes() -> None:
    coloured = full(REPORT, colour=True, lines=lines)
    for code in ("0", "1", "2", "1;31", "1;33", "1;34", "1;36"):
        coloured = coloured.replace(f"\x1b[{code}m", "")
    assert coloured == full(REPORT, lines=lines)


def test_nothing_found_still_says_what_was_checked() -> None:
    expected = "Found 0 (0 errors, 0 warnings, 0 notes), 0 suppressed\nChecked 1 file with 0 launches for h200\n"
    assert full(CLEAN) == concise(CLEAN) == expected


def test_findings_only() -> None:
    assert concise(REPORT, totals=False).count("\n") == 3
    assert full(CLEAN, totals=False) == ""


def test_suppressed_are_listed_apart() -> None:
    assert suppressed(REPORT).startswith("suppressed src/saxpy.cu:10:10: grid-truncates-work: ")


def test_statistics_start_with_the_most_frequent() -> None:
    assert statistics([*REPORT.findings, PARTIAL]).splitlines()[0].split() == [
        "2",
        "warning",
        "block-not-warp-multiple",
    ]


def test_vanished_file_keeps_its_place() -> None:
    text = full(REPORT, lines=lambda _: ())
    assert "--> src/saxpy.cu:10:23" in text
    assert "^" not in text


def test_line_past_the_end_of_a_file_that_shrank() -> None:
    assert snippet(Span("a.cu", 5, 1, 5, 2), ["one"], 1, PLAIN) == []


def test_tabs_are_expanded_under_the_marks() -> None:
    text, marks = underlined("\tk<<<\t1, 2>>>();", 2, 6)
    assert text == "    k<<<    1, 2>>>();"
    assert marks == "    ^^^^"


def test_wide_and_zero_width_characters() -> None:
    text, marks = underlined("/* 核 e\u0301 */ k<<<1>>>();", 12, 20)
    assert width(text.partition("k")[0]) == len(marks) - len(marks.lstrip())
    assert marks.strip() == "^" * 8


def test_long_line_is_cut_around_the_mark() -> None:
    line = "x" * 5_000 + "k<<<1, 2>>>()" + "y" * 5_000
    text, marks = underlined(line, 5_001, 5_014)
    assert width(text) < 130
    assert text.startswith("…")
    assert text.endswith("…")
    assert marked_part(line, 5_001, 5_014) == "k<<<1, 2>>>()"
    assert marks.strip() == "^" * 13


@pytest.mark.parametrize(("column", "end"), [(4095, 4095), (1, 1), (9, 3), (40, 50)])
def test_at_least_one_mark_for_any_columns(column: int, end: int) -> None:
    assert underlined("k<<<1, 2>>>()", column, end)[1].strip() == "^"


def test_several_lines_are_marked_and_cut_off() -> None:
    shown = snippet(Span("a.cu", 1, 3, 5, 4), ["k<<<g,", "    b>>>(", "  x,", "  y,", ");"], 1, PLAIN)
    assert shown == ["  |", "1 | k<<<g,", "  |   ^^^^", "2 |     b>>>(", "  |     ^^^^^", "3 |   x,", "  |   ^^", "..."]


def test_carriage_returns_do_not_show(tmp_path: Path) -> None:
    file = tmp_path / "dos.cu"
    file.write_bytes(b"first\r\nk<<<1, 2>>>();\r\n")
    assert list(read_lines(str(file))) == ["first", "k<<<1, 2>>>();", ""]


@pytest.mark.parametrize(
    ("raw", "first"),
    [
        (b"// caf\xe9\n", "// caf\xe9"),
        ("// café\n".encode("utf-8-sig"), "// café"),
        ("// café\n".encode("utf-16"), "// café"),
        (b"// old\rk();\r", "// old"),
    ],
)
def test_encodings_and_line_ends(tmp_path: Path, raw: bytes, first: str) -> None:
    file = tmp_path / "a.cu"
    file.write_bytes(raw)
    assert read_lines(str(file))[0] == first


def test_missing_files_and_folders_have_no_lines(tmp_path: Path) -> None:
    assert not read_lines(str(tmp_path / "gone.cu"))
    assert not read_lines(str(tmp_path))


def test_escape_sequences_in_sources_and_messages_are_disarmed() -> None:
    finding = replace(PARTIAL, message="a \x1b[2J b\n::error::c")
    report = Report("1", ("h200",), (finding,), (), REPORT.summary)
    text = full(report, lines=lambda _: ["\x1b[31mred"] * 20)
    assert "\x1b" not in text
    assert "\n::error::" not in text


def test_printable_keeps_one_line() -> None:
    assert printable("a\tb\r\nc\x00 × 核") == "a b  c\N{REPLACEMENT CHARACTER} × 核"
