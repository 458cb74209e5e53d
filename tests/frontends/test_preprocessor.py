import pytest

from cudalint.frontends.cuda_syntax.defines import read_directives
from cudalint.frontends.cuda_syntax.preprocessor import MacroTable, split_arguments

SPREAD = """
#define SPREAD(...) __VA_ARGS__
#define CFG(g, b, m, s) <<<g, b, m, s>>>
#define RUN(kernel, cfg, args) \\
  do {                         \\
    kernel CFG cfg args;       \\
  } while (0)
#define TWICE(x) ((x) * 2)
"""


def table(source: str) -> MacroTable:
    return MacroTable([read_directives(source.encode())])


@pytest.mark.parametrize(
    ("definitions", "use", "meaning"),
    [
        pytest.param("#define CAT(a, b) a##b", "CAT(x, 1)", "x1", id="paste"),
        pytest.param("#define CAT(a, b) a ## b\n#define JOIN(a, b) CAT(a, b)\n#define P(x) q;x", "JOIN(P(1), 2)", "q;12", id="arguments are replaced before they are pasted by an inner macro"),
        pytest.param("#define STR(x) #x", 'STR(a "b")', '"a \\"b\\""', id="quote"),
        pytest.param("#define LOG(f, ...) p(f, ##__VA_ARGS__)", "LOG(1)", "p(1)", id="no variadic argument, no comma"),
        pytest.param("#define LOG(f, ...) p(f, ##__VA_ARGS__)", "LOG(1, 2, 3)", "p(1,2, 3)", id="variadic arguments keep commas"),
        pytest.param("#define E(args...) f(args)", "E(1, 2)", "f(1, 2)", id="named variadic"),
        pytest.param("#define SELF SELF + 1", "SELF", "SELF + 1", id="no recursion"),
        pytest.param("#define A() B()\n#define B() A()", "A()", "A()", id="no mutual recursion"),
        pytest.param("#define NONE", "NONE", "", id="empty"),
        pytest.param("#define F(x) [x]", "F((1, 2))", "[(1, 2)]", id="parentheses protect commas"),
        pytest.param("#define F(x, y) [x|y]", "F(a<1, 2>)", "[a<1|2>]", id="chevrons do not"),
        pytest.param("#define F(x) [x]", 'F("a,)b")', '["a,)b"]', id="literals protect everything"),
    ],
)  # fmt: skip
def test_replaces_as_the_preprocessor_does(definitions: str, use: str, meaning: str) -> None:
    assert table(definitions).replace(use, use.partition("(")[0]) == meaning


def test_a_value_of_several_meanings_stays_a_name() -> None:
    macros = table("#ifdef BIG\n#define B 256\n#else\n#define B 128\n#endif\n#define GO(k) k<<<1, B>>>()")
    assert macros.replace("GO(k)", "GO") == "k<<<1, B>>>()"


def test_splits_arguments_at_top_level_commas() -> None:
    assert split_arguments(" k<1, 2>, (g, b), {x, y}, a[i, j], ','") == [
        "k<1",
        "2>",
        "(g, b)",
        "{x, y}",
        "a[i, j]",
        "','",
    ]


def test_a_launch_through_two_macros_is_found_and_expanded() -> None:
    macros = table(SPREAD)
    assert macros.expands_to_launch("RUN")
    assert macros.expands_to_launch("CFG")
    assert not macros.expands_to_launch("TWICE")
    use = 12345
    expansion = macros.expand("RUN", split_arguments("halve, (grid, block, 0, st), (src, dst)"), use)
    assert expansion is not None
    assert "halve <<<grid, block, 0, st>>> (src, dst);" in expansion.text.slice(expansion.root)
    assert not expansion.root.has_error
    assert expansion.text.extent(expansion.root.children[1]) == use


def test_a_name_that_is_no_macro_has_no_expansion() -> None:
    assert table(SPREAD).expand("halve", ["1"], 0) is None


def test_an_explosion_of_macros_is_refused() -> None:
    bomb = "".join(f"#define a{i} a{i + 1} a{i + 1}\n" for i in range(40)) + "#define a40 k<<<1, 1>>>();\n"
    assert table(bomb).expand("a0", None, 0) is None


@pytest.mark.parametrize(
    ("source", "conditional"),
    [
        pytest.param("#define N 1\n", False, id="plain"),
        pytest.param("#ifndef GUARD_H\n#define GUARD_H\n#define N 1\n#endif\n", False, id="include guard"),
        pytest.param("#ifndef N\n#define N 1\n#endif\n", False, id="default"),
        pytest.param("#if !defined(N)\n#define N 1\n#endif\n", False, id="default, spelled out"),
        pytest.param("#if 1\n#define N 1\n#endif\n", False, id="always"),
        pytest.param("#if 0\n#else\n#define N 1\n#endif\n", False, id="the other branch of never"),
        pytest.param("#ifdef BIG\n#define N 1\n#endif\n", True, id="condition"),
        pytest.param("#ifndef M\n#define M\n#else\n#define N 1\n#endif\n", True, id="other branch"),
    ],
)
def test_says_which_definitions_hold_only_sometimes(source: str, conditional: bool) -> None:
    (found,) = table(source).get("N")
    assert found.conditional is conditional


@pytest.mark.parametrize(
    "source", ["#if 0\n#define N 1\n#endif\n", "/*\n#define N 1\n*/\n", "// #define N 1\n", "x #define N 1\n"]
)
def test_leaves_out_what_is_no_definition(source: str) -> None:
    assert table(source).get("N") == ()


def test_bodies_lose_comments_and_line_ends() -> None:
    (found,) = table('#define F(a) a /* one */ + \\\r\n  "//" // two\n').get("F")
    assert found.body.split() == ["a", "+", '"//"']
    assert found.parameters == ("a",)
