"""Sizes and kinds of types, LP64 as on every platform CUDA and HIP run on but Windows, where only `long` differs."""

from functools import cache

from cudalint.analysis import apis
from cudalint.ir import Quantity, Type

_SCALARS = {
    "bool": 1, "char": 1, "signed char": 1, "unsigned char": 1, "int8_t": 1, "uint8_t": 1, "uchar": 1, "std::byte": 1,
    "short": 2, "unsigned short": 2, "int16_t": 2, "uint16_t": 2, "ushort": 2, "half": 2, "__half": 2, "float16": 2,
    "__nv_bfloat16": 2, "nv_bfloat16": 2, "bfloat16": 2, "hip_bfloat16": 2, "__hip_bfloat16": 2, "_Float16": 2,
    "int": 4, "unsigned": 4, "unsigned int": 4, "uint": 4, "int32_t": 4, "uint32_t": 4, "float": 4, "half2": 4,
    "__half2": 4, "__nv_bfloat162": 4, "wchar_t": 4,
    "long": 8, "unsigned long": 8, "long long": 8, "unsigned long long": 8, "int64_t": 8, "uint64_t": 8, "size_t": 8,
    "ssize_t": 8, "ptrdiff_t": 8, "intptr_t": 8, "uintptr_t": 8, "double": 8, "ulong": 8, "ulonglong": 8,
    "longlong": 8, "float_t": 4, "double_t": 8, "cuFloatComplex": 8, "cuComplex": 8, "cuDoubleComplex": 16,
    "hipFloatComplex": 8, "hipComplex": 8, "hipDoubleComplex": 16, "dim3": 12,
}  # fmt: skip

_VECTOR_ELEMENTS = {
    "char": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "float": 4, "long": 8, "ulong": 8,
    "longlong": 8, "ulonglong": 8, "double": 8,
}  # fmt: skip

_REALS = frozenset(
    {"float", "double", "long double", "half", "__half", "__nv_bfloat16", "float_t", "double_t", "_Float16"}
)
_UNSIGNED = frozenset({
    "unsigned", "uint", "uchar", "ushort", "ulong", "size_t", "std::size_t", "uint8_t", "uint16_t", "uint32_t",
    "uint64_t", "uintptr_t", "bool",
})  # fmt: skip

SHAPES = frozenset({"dim3", "uint3"})


@cache
def plain(name: str) -> str:
    """A type's name without `std::` and without the words that change neither size nor sign."""
    words = [word for word in name.replace("std::", "").split() if word not in ("const", "volatile", "signed")]
    if not words:
        return "int" if name else ""
    if "int" in words and len(words) > 1:
        words.remove("int")
        if words == ["unsigned"]:
            words = ["unsigned", "int"]
    if "long" in words and "unsigned" in words:
        words = ["unsigned", *[word for word in words if word == "long"]]
    if "short" in words and "unsigned" in words:
        words = ["unsigned", "short"]
    return " ".join(words)


@cache
def scalar_size(name: str) -> int | None:
    """Bytes of a built-in scalar or vector type, None for any other."""
    name = plain(name)
    if name in _SCALARS:
        return _SCALARS[name]
    element, count = name[:-1], name[-1:]
    if count in "1234" and element in _VECTOR_ELEMENTS and count:
        return _VECTOR_ELEMENTS[element] * int(count)
    return None


def fields(name: str) -> tuple[str, ...]:
    """The fields, in order, of a vector type or of a structure of the runtime; () for any other type."""
    name = plain(name)
    if name in apis.STRUCTURES:
        return apis.STRUCTURES[name]
    vector = name[-1:] in "234" and name[:-1] in _VECTOR_ELEMENTS and name[-1:] != ""
    return tuple("xyzw"[: int(name[-1])]) if vector else ()


def alignment(name: str) -> int | None:
    """Alignment of a built-in type: a vector of 3 aligns as its element, others as their size up to 16."""
    size = scalar_size(name)
    if size is None:
        return None
    name = plain(name)
    if name[-1:] == "3" and name[:-1] in _VECTOR_ELEMENTS:
        return _VECTOR_ELEMENTS[name[:-1]]
    return 4 if name == "dim3" else min(size, 16)


def is_real(type_: Type | None) -> bool:
    return type_ is not None and not type_.pointer and plain(type_.name) in _REALS


def is_unsigned(type_: Type | None) -> bool:
    if type_ is None or type_.pointer:
        return False
    return type_.name in _UNSIGNED or plain(type_.name).startswith("unsigned") or plain(type_.name) in _UNSIGNED


def is_shape(type_: Type | None) -> bool:
    return type_ is not None and not type_.pointer and type_.name in SHAPES


def is_integer(type_: Type | None) -> bool:
    """Whether a type is a scalar of integers."""
    return (
        type_ is not None
        and not type_.pointer
        and scalar_size(type_.name) is not None
        and not is_real(type_)
        and not fields(type_.name)
        and not is_shape(type_)
    )


def bounds(type_: Type | None) -> Quantity:
    """What the type alone says of a value: that it is not negative, or one byte."""
    if type_ is None or type_.pointer:
        return Quantity()
    if plain(type_.name) == "bool":
        return Quantity(0, 1)
    return Quantity(0) if is_unsigned(type_) else Quantity()
