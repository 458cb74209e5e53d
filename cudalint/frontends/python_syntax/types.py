"""Types of Python code in the words of the representation."""

from cudalint.ir.expr import Type

AUTO = Type("auto")
INT = Type("long long")
REAL = Type("double")

_NUMBERS = {
    "bool": "bool", "bool_": "bool", "boolean": "bool", "b1": "bool",
    "int8": "int8_t", "i1": "int8_t", "uint8": "uint8_t", "u1": "uint8_t", "byte": "uint8_t",
    "int16": "int16_t", "i2": "int16_t", "uint16": "uint16_t", "u2": "uint16_t",
    "int32": "int", "i4": "int", "intc": "int", "int_": "long long", "uint32": "unsigned int", "u4": "unsigned int",
    "int64": "long long", "i8": "long long", "intp": "long long", "uint64": "unsigned long long",
    "u8": "unsigned long long", "uintp": "unsigned long long", "int": "long long", "uint": "unsigned long long",
    "float16": "half", "f2": "half", "float32": "float", "f4": "float", "float64": "double", "f8": "double",
    "float": "double", "float_": "double", "double": "double", "half": "half", "single": "float",
    "complex64": "cuFloatComplex", "c8": "cuFloatComplex", "complex128": "cuDoubleComplex", "c16": "cuDoubleComplex",
}  # fmt: skip


def number_type(name: str) -> Type | None:
    """The scalar type that NumPy and Numba call so, None for any other name."""
    found = _NUMBERS.get(name.rpartition(".")[2])
    return None if found is None else Type(found)
