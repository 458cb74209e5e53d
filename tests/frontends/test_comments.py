import pytest

from cudalint.frontends.cuda_syntax.comments import read_comments
from cudalint.frontends.cuda_syntax.parse import parse
from cudalint.frontends.cuda_syntax.text import Text
from cudalint.source import Span


def lines_covered(source: str) -> list[tuple[str, tuple[int, int] | None]]:
    text = Text(source.encode())
    found = []
    for comment in read_comments(parse(text.data).root_node, text):
        covers = None if comment.covers is None else Span.unpack("", comment.covers)
        found.append((comment.text, covers and (covers.line, covers.end_line)))
    return found


@pytest.mark.parametrize(
    ("source", "covers"),
    [
        pytest.param("void f() {\n  k<<<1, 1>>>();  // cudalint: x\n}\n", (2, 2), id="end of the line"),
        pytest.param("void f() {\n  k<<<1,\n    1>>>(  // cudalint: x\n    p);\n}\n", (2, 4), id="inside a statement"),
        pytest.param("void f() {\n  if (a) k<<<1, 1>>>();  // cudalint: x\n}\n", (2, 2), id="a whole line"),
        pytest.param(
            "void f() {\n  // cudalint: x\n  k<<<1,\n    1>>>();\n}\n", (3, 4), id="alone: the next statement"
        ),
        pytest.param("void f() {\n  // cudalint: x\n  // why\n\n  g();\n}\n", (5, 5), id="past other comments"),
        pytest.param(
            "void f() {\n  // cudalint: x\n#pragma unroll\n  for (;;) {\n  }\n}\n", (4, 5), id="past a pragma"
        ),
        pytest.param("void f() {\n  // cudalint: x\n#ifdef A\n  g();\n#endif\n}\n", (4, 4), id="past an #if"),
        pytest.param("// cudalint: x\ntemplate <int N>\n__global__ void k() {\n}\n", (2, 4), id="a template"),
        pytest.param("void f() {\n  g();\n  // cudalint: x\n}\n", None, id="nothing follows in the block"),
        pytest.param("int a;\n// cudalint: x\n", None, id="nothing follows in the file"),
        pytest.param("void f() {\n  /* cudalint: x */ g();\n}\n", (2, 2), id="before code on its line"),
        pytest.param("void f() {\n  g(); /* why */  // cudalint: x\n}\n", (2, 2), id="after another comment"),
        pytest.param("#define L() \\\n  k<<<1, 1>>>() /* cudalint: x */\nint a;\n", (1, 3), id="in a macro"),
    ],
)
def test_a_comment_belongs_to_a_statement(source: str, covers: tuple[int, int] | None) -> None:
    assert lines_covered(source) == [("cudalint: x", covers)]


def test_strings_and_other_comments_are_none() -> None:
    assert lines_covered('const char *a = "// cudalint: x";\n// mycudalint: x\n// see cudalint\n') == []


def test_the_text_runs_to_the_end_of_the_comment() -> None:
    assert lines_covered("/* note. cudalint: ignore[a] -- why not */\n") == [("cudalint: ignore[a] -- why not", None)]
