"""The dataclasses of the IR: slotted, and frozen for the type checker."""

from dataclasses import dataclass, field
from typing import Any, TypeVar, dataclass_transform

Class = TypeVar("Class", bound=type)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(cls: Class) -> Class:
    """A slotted dataclass that compares and hashes by value, and that no checked code may assign to.

    The IR makes millions of these. Enforcing at run time what the type checker has proven would make each of them
    three times as slow to make (`frozen=True` sets every field through `object.__setattr__`).
    """
    made: Any = dataclass(slots=True, unsafe_hash=True)(cls)
    return made  # type: ignore[no-any-return]
