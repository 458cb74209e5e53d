"""The dataclasses of the IR: slotted, and frozen for the type checker."""

from dataclasses import dataclass, field, fields
from typing import Any, TypeVar, dataclass_transform

Class = TypeVar("Class", bound=type)
_COMPARED: dict[type, tuple[str, ...]] = {}


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(cls: Class) -> Class:
    """A slotted dataclass that compares and hashes by value, and that no checked code may assign to.

    The IR makes millions of these. Enforcing at run time what the type checker has proven would make each of them
    three times as slow to make (`frozen=True` sets every field through `object.__setattr__`). Nodes are compared far
    less often than made, and the program starts faster without methods made for each class.
    """
    made = _documented(dataclass(slots=True, eq=False, repr=False), cls)
    made.__eq__, made.__hash__, made.__repr__ = _equal, _hash, _repr
    return made  # type: ignore[no-any-return]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(cls: Class) -> Class:
    """As `node`, for classes whose instances are compared and hashed all the time."""
    return _documented(dataclass(slots=True, unsafe_hash=True, repr=False), cls)  # type: ignore[no-any-return]


def _documented(make: Any, cls: type) -> Any:
    """The dataclass of `cls`; without a docstring of its own it would be given a signature, which takes long to make."""
    cls.__doc__ = cls.__doc__ or cls.__name__
    return make(cls)


def _compared(cls: type) -> tuple[str, ...]:
    if cls not in _COMPARED:
        _COMPARED[cls] = tuple(item.name for item in fields(cls) if item.compare)
    return _COMPARED[cls]


def _equal(self: Any, other: object) -> bool:
    if self is other:
        return True
    cls = type(self)
    return type(other) is cls and all(getattr(self, name) == getattr(other, name) for name in _compared(cls))


def _hash(self: Any) -> int:
    return hash(tuple(getattr(self, name) for name in _compared(type(self))))


def _repr(self: Any) -> str:
    parts = (f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
    return f"{type(self).__name__}({', '.join(parts)})"
