"""Expressions mean what they say, however they are spelled."""

import pytest

from cudalint.ir import (
    Binary,
    Call,
    Cast,
    Construct,
    Float,
    Int,
    Lambda,
    Member,
    Name,
    Opaque,
    SizeOf,
    Text,
    Type,
    Unary,
)
from tests.frontends.lowered import body_of, launches_of, value_of, variable_of


@pytest.mark.parametrize(
    ("text", "value", "suffix"),
    [
        ("0", 0, ""),
        ("255", 255, ""),
        ("0xFF", 255, ""),
        ("0b101", 5, ""),
        ("017", 15, ""),
        ("1'000'000", 1_000_000, ""),
        ("0x1'0000u", 65536, "u"),
        ("16ULL", 16, "ull"),
        ("'a'", 97, ""),
        (r"'\n'", 10, ""),
        (r"'\x41'", 65, ""),
        ("L'b'", 98, ""),
        ("true", 1, ""),
        ("false", 0, ""),
    ],
)
def test_integer_literal(text: str, value: int, suffix: str) -> None:
    assert value_of(text) == Int(0, value, suffix)


@pytest.mark.parametrize(("text", "value"), [("1.5f", 1.5), ("1e3", 1000.0), (".5", 0.5), ("0x1p3", 8.0)])
def test_floating_literal(text: str, value: float) -> None:
    assert value_of(text) == Float(0, value)


@pytest.mark.parametrize(
    ("text", "value"),
    [('"abc"', "abc"), (r'"a\tb"', "a\tb"), ('"a" "b"', "ab"), ('u8"a"', "a"), ('R"x(a\\n)x"', "a\\n")],
)
def test_string_literal(text: str, value: str) -> None:
    assert value_of(f"f({text})").arguments == (Text(0, value),)


@pytest.mark.parametrize(
    "text",
    [
        "(unsigned)x",
        "unsigned(x)",
        "static_cast<unsigned>(x)",
        "reinterpret_cast<unsigned>(x)",
        "unsigned{x}",
        "(unsigned){x}",
    ],
)
def test_every_spelling_of_a_conversion_is_a_cast(text: str) -> None:
    assert value_of(f"y = {text}").value == Cast(0, Type("unsigned"), Name(0, "x"))


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("(const float*)p", Type("float", pointer=1, const=True)),
        ("(unsigned long long)p", Type("unsigned long long")),
        ("static_cast<std::vector<int>&>(p)", Type("std::vector", (Type("int"),), reference=True)),
    ],
)
def test_type_of_a_cast(text: str, type_: Type) -> None:
    assert value_of(text).type == type_


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("a + b * c", "(a + (b * c))"),
        ("(a + b) * c", "((a + b) * c)"),
        ("a - b - c", "((a - b) - c)"),
        ("a /* why */ + b", "(a + b)"),
        ("a = b = c", "a = b = c"),
        ("a <<= 2", "a <<= 2"),
        ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
        ("-~!x", "-~!x"),
        ("*p++", "*p++"),
        ("--i", "--i"),
        ("a[i][j + 1]", "a[i][(j + 1)]"),
        ("p->q.r", "p->q.r"),
        ("o.template f<int>(x)", "o.f<int>(x)"),
        ("cfg::kBlock", "cfg::kBlock"),
        ("ns::k<T, 4>(x)", "ns::k<T, 4>(x)"),
        ("f<(a > 3)>(x)", "f<(a > 3)>(x)"),
        ("(f)(x)", "f(x)"),
        ("float4{1, 2}", "float4{1, 2}"),
        ("new int[n]", "new[]<int>(n)"),
        ("delete p", "delete(p)"),
        ("nullptr", "nullptr"),
    ],
)
def test_structure(text: str, printed: str) -> None:
    assert str(value_of(text)) == printed


def test_template_argument_is_a_type_where_the_syntax_says_so_and_a_name_where_it_may_be_either() -> None:
    callee = value_of("f<int*, T, 4, std::pair<int, 2>>()").callee
    assert callee.arguments == (
        Type("int", pointer=1),
        Name(0, "T"),
        Int(0, 4),
        Type("std::pair", (Type("int"), Int(0, 2))),
    )


def test_designated_members_are_named() -> None:
    assert value_of("f(S{.x = 1, .y = 2})").arguments[0] == Construct(0, Type("S"), (Int(0, 1), Int(0, 2)), ("x", "y"))


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("sizeof(float)", Type("float")),
        ("sizeof(T*)", Type("T", pointer=1)),
        ("sizeof(x)", Name(0, "x")),
        ("sizeof x", Name(0, "x")),
    ],
)
def test_sizeof(text: str, of: Type | Name) -> None:
    assert value_of(text) == SizeOf(0, of)


def test_size_of_an_array_type_is_a_product() -> None:
    assert value_of("sizeof(float[8])") == Binary(0, "*", SizeOf(0, Type("float")), Int(0, 8))


@pytest.mark.parametrize("text", ["42_km", "(... + args)", "co_await x"])
def test_what_nothing_understands_is_opaque(text: str) -> None:
    assert isinstance(value_of(text), Opaque)


def test_lambda() -> None:
    assert value_of("f([&](int i, float x) { return i; })").arguments[0].parameters == ("i", "x")


@pytest.mark.parametrize(
    ("heading", "device"),
    [
        ("[=] __device__ (int i)", True),
        ("[=] __host__ __device__ (int i)", True),
        ("[=](int i)", False),
        ("[=] HD (int i)", True),
    ],
)
def test_lambda_marked_for_the_device(heading: str, device: bool) -> None:
    code = f"#define HD __host__ __device__\nvoid host() {{ each({heading} {{ return i; }}); k<<<1, 2>>>(); }}"
    from tests.frontends.lowered import function_of

    statement, _ = function_of(code, "host").body
    (function,) = statement.value.arguments
    assert isinstance(function, Lambda)
    assert function.device is device


def test_operands_of_a_comma_statement_are_statements() -> None:
    assert [str(statement.value) for statement in body_of("a = 1, b = 2, c();")] == ["a = 1", "b = 2", "c()"]


def test_inline_assembly_is_a_call() -> None:
    value = value_of('asm volatile("mov.u32 %0, %%laneid;" : "=r"(x) : "l"(p))')
    assert value == Call(0, Name(0, "asm"), (Text(0, "mov.u32 %0, %%laneid;"), Name(0, "x"), Name(0, "p")))


@pytest.mark.parametrize("operator", ["+", "&&", "|", ","])
def test_ten_thousand_terms(operator: str) -> None:
    value = value_of(f"y = ({operator.join(['x'] * 10_000)})").value
    names = [node for node in value.walk() if isinstance(node, Name)]
    assert len(names) == 10_000


def test_ten_thousand_terms_that_cannot_be_regrouped_are_opaque() -> None:
    assert isinstance(value_of("y = " + " - ".join(["x"] * 10_000)).value, Opaque)


def test_a_long_table_is_not_taken_apart() -> None:
    table = variable_of(f"int t[] = {{{','.join(['7'] * 5000)}}};").init
    assert table == Construct(0, None, (Opaque(0, "5000 values"),))


def test_extent_of_a_node_is_where_it_stands() -> None:
    value = value_of("aa + bb")
    assert isinstance(value, Binary)
    from cudalint.source import Span

    assert Span.unpack("", value.right.extent) == Span("", 2, 6, 2, 8)


def test_columns_count_characters() -> None:
    from cudalint.source import Span

    value = value_of('f("äö", x)')
    assert Span.unpack("", value.arguments[1].extent) == Span("", 2, 9, 2, 10)


def test_unary_and_member_of_configuration() -> None:
    assert value_of("&config->grid") == Unary(0, "&", Member(0, Name(0, "config"), "grid", arrow=True))


def test_macro_with_a_launch_as_argument_stays_a_call() -> None:
    code = "#define CHECK(x) x\nvoid host() { CHECK((k<<<1, 2>>>(p))); }"
    assert [str(launch) for launch in launches_of(code)] == ["k<<<1, 2>>>(p)"]


@pytest.mark.parametrize(
    ("text", "sign", "literal"),
    [
        ("-1", "-", Int(0, 1)),
        ("- 1", "-", Int(0, 1)),
        ("-1u", "-", Int(0, 1, "u")),
        ("+3", "+", Int(0, 3)),
        ("-0.5f", "-", Float(0, 0.5)),
    ],
)
def test_a_sign_is_no_part_of_a_literal(text: str, sign: str, literal: Int | Float) -> None:
    value = value_of(text)
    assert value == Unary(0, sign, literal)
