"""Statements keep their structure, and nothing between them is lost."""

import pickle

import pytest

from cudalint.ir import (
    Block,
    Break,
    Construct,
    Declare,
    Evaluate,
    If,
    Int,
    Label,
    Loop,
    Name,
    Opaque,
    Switch,
    Type,
    Unreadable,
)
from cudalint.ir.dump import dump
from cudalint.ir.stmt import Goto, Return, Throw, expressions
from tests.frontends.lowered import body_of, function_of, unit_of, variable_of

DIM3 = Type("dim3")


@pytest.mark.parametrize(
    ("code", "values"),
    [
        ("dim3 g(4, 2);", (4, 2)),
        ("dim3 g{4, 2};", (4, 2)),
        ("dim3 g = {4, 2};", (4, 2)),
        ("dim3 g = dim3(4, 2);", (4, 2)),
        ("dim3 g;", ()),
        ("dim3 g = 4;", (4,)),
        ("const dim3 g(4);", (4,)),
    ],
)
def test_every_way_to_write_a_dim3_constructs_one(code: str, values: tuple[int, ...]) -> None:
    assert variable_of(code).init == Construct(0, DIM3, tuple(Int(0, value) for value in values))


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        ("gx, gy", "dim3{gx, gy}"),
        ("a * b, c", "dim3{(a * b), c}"),
        ("f(n), c", "dim3{f(n), c}"),
        ("f(n, b), c", "dim3{f(n, b), c}"),
        ("cfg::kBlock", "dim3{cfg::kBlock}"),
        ("(n + 255) / 256", "dim3{((n + 255) / 256)}"),
        ("a[i], c", "dim3{a[i], c}"),
        ("f(), c", "dim3{f(), c}"),
    ],
)
def test_a_dim3_that_looks_like_a_function(arguments: str, printed: str) -> None:
    assert str(variable_of(f"dim3 g({arguments});").init) == printed


def test_a_function_declared_in_a_function_is_no_variable_with_a_value() -> None:
    assert variable_of("int f(int);").storage == {"extern"}


@pytest.mark.parametrize(
    ("code", "name", "type_", "init"),
    [
        ("int x;", "x", Type("int"), None),
        ("int x(5);", "x", Type("int"), "5"),
        ("int x{};", "x", Type("int"), "0"),
        ("const unsigned int* const* x = p;", "x", Type("unsigned int", pointer=2, const=True), "p"),
        ("auto& x = y;", "x", Type("auto", reference=True), "y"),
        ("std::vector<int> x(10, 1);", "x", Type("std::vector", (Type("int"),)), "std::vector<int>{10, 1}"),
        ("void (*x)(int) = f;", "x", Type("void(int)", pointer=1), "f"),
        ("typename T::type x = 1;", "x", Type("T::type"), "1"),
    ],
)
def test_declaration(code: str, name: str, type_: Type, init: str | None) -> None:
    variable = variable_of(code)
    assert (variable.name, variable.type) == (name, type_)
    assert (variable.init and str(variable.init)) == init


def test_several_declarators() -> None:
    declared = body_of("int a = 1, *b, c[2][3];")
    assert [(d.name, d.type.pointer, len(d.extents)) for d in declared] == [("a", 0, 0), ("b", 1, 0), ("c", 0, 2)]


def test_extents_are_in_order_and_may_be_open() -> None:
    assert variable_of("int x[N][33];").extents == (Name(0, "N"), Int(0, 33))
    assert variable_of("extern __shared__ float x[];").extents == (None,)


@pytest.mark.parametrize(
    ("code", "storage"),
    [
        ("__shared__ float s[4];", {"shared"}),
        ("extern __shared__ float s[];", {"extern", "shared"}),
        ("static const int s = 1;", {"static", "const"}),
        ("constexpr int s = 1;", {"constexpr"}),
        ("volatile int s;", {"volatile"}),
        ("__shared__ volatile int s;", {"shared", "volatile"}),
    ],
)
def test_storage(code: str, storage: set[str]) -> None:
    assert variable_of(code).storage == storage


@pytest.mark.parametrize(
    "code",
    [
        "__shared__ alignas(16) float s[4];",
        "__shared__ __align__(16) float s[4];",
        "__shared__ float __align__(16) s[4];",
        "__shared__ __attribute__((aligned(16))) float s[4];",
        "extern __shared__ __align__(16) unsigned char s[];",
    ],
)
def test_every_spelling_of_an_alignment(code: str) -> None:
    variable = variable_of(code)
    assert variable.name == "s"
    assert variable.alignment == Int(0, 16)
    assert "shared" in variable.storage


def test_structured_bindings_have_values_nobody_knows() -> None:
    first, second = body_of("auto [a, b] = f(n);")
    assert (first.name, second.name) == ("a", "b")
    assert str(first.init) == "?[a, b]?(f(n))"
    assert isinstance(second.init, Opaque)


def test_if_else_chain() -> None:
    (outer,) = body_of("if (a) x(); else if (b) { y(); } else { z(); }")
    assert isinstance(outer, If)
    (inner,) = outer.other
    assert isinstance(inner, If)
    assert [str(s.value) for s in (*outer.then, *inner.then, *inner.other)] == ["x()", "y()", "z()"]


def test_if_constexpr() -> None:
    (branch,) = body_of("if constexpr (N > 3) x();")
    assert branch.constexpr


@pytest.mark.parametrize("code", ["if (int e = f(); e > 0) x();", "if (int e = f()) x();"])
def test_if_that_declares(code: str) -> None:
    (block,) = body_of(code)
    assert isinstance(block, Block)
    declared, branch = block.body
    assert isinstance(declared, Declare)
    assert isinstance(branch, If)
    assert str(declared.init) == "f()"


def test_for_loop() -> None:
    (loop,) = body_of("for (int i = 0, j = 1; i < n; i++, j--) a[i] += 1;")
    assert isinstance(loop, Loop)
    assert (loop.kind, len(loop.init), str(loop.condition), str(loop.step)) == ("for", 2, "(i < n)", "(i++ , j--)")
    assert len(loop.body) == 1


def test_for_loop_without_parts() -> None:
    (loop,) = body_of("for (;;) break;")
    assert (loop.init, loop.condition, loop.step, loop.body) == ((), None, None, (Break(0),))


def test_for_loop_over_an_assigned_variable() -> None:
    (loop,) = body_of("for (i = 0; i < n; ++i);")
    assert [str(s.value) for s in loop.init] == ["i = 0"]
    assert loop.body == ()


def test_loop_over_a_range() -> None:
    (loop,) = body_of("for (const auto& v : values) f(v);")
    (variable,) = loop.init
    assert (loop.kind, str(loop.condition), variable.name, variable.init) == ("each", "values", "v", None)


def test_while_and_do() -> None:
    first, second = body_of("while (x) f(); do { g(); } while (y > 0);")
    assert (first.kind, str(first.condition), len(first.body)) == ("while", "x", 1)
    assert (second.kind, str(second.condition), len(second.body)) == ("do", "(y > 0)", 1)


def test_while_that_declares_assigns_each_time_round() -> None:
    (loop,) = body_of("while (T* p = next()) f(p);")
    assert [d.name for d in loop.init] == ["p"]
    assert str(loop.condition) == "p = next()"


def test_switch() -> None:
    (switch,) = body_of("switch (n) { case 1: case 2: f(); break; case 3: { g(); break; } default: h(); }")
    assert isinstance(switch, Switch)
    assert [case.values for case in switch.cases] == [(Int(0, 1), Int(0, 2)), (Int(0, 3),), ()]
    assert [len(case.body) for case in switch.cases] == [2, 2, 1]


def test_cases_under_a_condition_of_the_preprocessor() -> None:
    (switch,) = body_of("switch (n) {\ncase 1: f(); break;\n#ifdef A\ncase 2: g(); break;\n#endif\ndefault: h();\n}")
    assert [case.values for case in switch.cases] == [(Int(0, 1),), (Int(0, 2),), ()]


def test_case_inside_another_statement_is_a_label() -> None:
    (switch,) = body_of("switch (n) { case 0: do { f(); case 1: g(); } while (--n); }")
    loop = switch.cases[0].body[0]
    assert isinstance(loop, Loop)
    assert Label(0, "case 1") in loop.body


def test_jumps() -> None:
    assert body_of("goto end; end: return;") == (Goto(0, "end"), Label(0, "end"), Return(0))


def test_exceptions() -> None:
    tried, caught = body_of("try { f(); } catch (const E& e) { g(); throw; }")
    assert isinstance(tried, Block)
    assert isinstance(caught, If)
    assert caught.condition == Opaque(0, "catch (const E& e)")
    assert caught.then[-1] == Throw(0)


def test_preprocessor_branches_are_alternatives() -> None:
    (branch,) = body_of("#if A\nf();\n#elif B\ng();\n#else\nh();\n#endif")
    (inner,) = branch.other
    assert branch.condition == Opaque(0, "#if A")
    assert [str(s.value) for s in (*branch.then, *inner.then, *inner.other)] == ["f()", "g()", "h()"]


@pytest.mark.parametrize(("condition", "kept"), [("#if 0", "g()"), ("#if 1", "f()")])
def test_preprocessor_branch_that_is_known(condition: str, kept: str) -> None:
    (statement,) = body_of(f"{condition}\nf();\n#else\ng();\n#endif")
    assert str(statement.value) == kept


def test_branch_on_a_macro_that_the_file_defines() -> None:
    function = function_of("#define FAST 1\nvoid host() {\n#if FAST\nf();\n#else\ng();\n#endif\n}", "host")
    assert [str(s.value) for s in function.body] == ["f()"]


def test_branch_on_a_macro_that_a_build_can_override() -> None:
    code = "#ifndef FAST\n#define FAST 1\n#endif\nvoid host() {\n#if FAST\nf();\n#else\ng();\n#endif\n}"
    (branch,) = function_of(code, "host").body
    assert isinstance(branch, If)


def test_broken_statement_leaves_its_neighbours() -> None:
    body = body_of("f();\n@ ] @;\ng();")
    assert any(isinstance(statement, Unreadable) for statement in body)
    assert [str(s.value) for s in body if isinstance(s, Evaluate)] == ["f()", "g()"]


def test_loop_by_macro() -> None:
    code = (
        "#define EACH(i, n) for (int i = blockIdx.x; i < (n); i += gridDim.x)\n"
        "__global__ void k(int n) { EACH(j, n) { f(j); } }"
    )
    (loop,) = function_of(code, "k").body
    assert isinstance(loop, Loop)
    assert (str(loop.condition), str(loop.step)) == ("(j < n)", "j += gridDim.x")
    assert [str(s.value) for s in loop.body] == ["f(j)"]


def test_block_after_an_unknown_macro_is_kept() -> None:
    unreadable, block = body_of("foreach(x, list) { f(x); }")
    assert isinstance(unreadable, Unreadable)
    assert [str(s.value) for s in block.body] == ["f(x)"]


def test_enumerators_in_a_function() -> None:
    first, second = body_of("enum { A = 4, B };")
    assert (first.name, str(first.init), second.name, str(second.init)) == ("A", "4", "B", "(A + 1)")


def test_deep_nesting_costs_the_function_not_the_run() -> None:
    unit = unit_of(f"__global__ void deep() {{ {'{' * 3000} f(); {'}' * 3000} }}\n__global__ void flat() {{ g(); }}")
    deep, flat = unit.kernels
    assert [type(statement) for statement in deep.body] == [Unreadable]
    assert [str(statement.value) for statement in flat.body] == ["g()"]
    (problem,) = unit.problems
    assert problem.holds == "kernel"
    assert "lines 1 to 1" in problem.message


def test_deep_expression_costs_the_function_not_the_run() -> None:
    (kernel,) = unit_of(f"__global__ void deep() {{ x = {'f(' * 2000}1{')' * 2000}; }}").kernels
    assert [type(statement) for statement in kernel.body] == [Unreadable]


def test_as_deep_as_is_read_can_be_walked_dumped_and_copied() -> None:
    unit = unit_of(f"__global__ void deep() {{ {'{' * 90} x = {'f(' * 90}1{')' * 90}; {'}' * 90} }}")
    assert not unit.problems
    assert dump(pickle.loads(pickle.dumps(unit))) == dump(unit)
    assert sum(isinstance(node, Int) for node in expressions(unit.kernels[0].body)) == 1
