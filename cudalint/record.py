"""Classes that only hold values: dataclasses with slots, frozen for the type checker.

There are more than a hundred of them, and a short run makes instances of few. `dataclass` writes and compiles the
methods of each class when it is defined, which takes longer than checking a file does; here that happens when a method
is first called.
"""

from collections.abc import Callable, Iterable
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import cached_property
from typing import Any, TypeVar, cast, dataclass_transform

Class = TypeVar("Class", bound=type)
Method = Callable[..., Any]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: Class) -> Class:
    """A dataclass that compares and hashes by value, and that no checked code may assign to.

    The IR makes millions of these. Enforcing at run time what the type checker has proven would make each of them
    three times as slow to make (`frozen=True` sets every field through `object.__setattr__`).
    """
    made = _slotted(cls)
    _write_when_called(made, "__eq__", _equality)
    _write_when_called(made, "__hash__", _hash)
    return made


@dataclass_transform(field_specifiers=(field,))
def mutable_record(cls: Class) -> Class:
    """A dataclass whose fields may change: it compares by value and cannot be hashed."""
    made = _slotted(cls)
    _write_when_called(made, "__eq__", _equality)
    made.__hash__ = None  # type: ignore[assignment]
    return made


def _slotted(cls: Class) -> Class:
    cls.__doc__ = cls.__doc__ or cls.__name__  # else `dataclass` makes one of the signature, which takes long
    slots = not any(isinstance(part, cached_property) for part in vars(cls).values())  # those keep answers in __dict__
    made: Any = dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
    made.__repr__ = _repr
    _write_when_called(made, "__init__", _initialiser)
    return cast("Class", made)


def _write_when_called(cls: type, name: str, write: Callable[[type], Method]) -> None:
    def first_call(self: object, *arguments: Any, **named: Any) -> Any:
        method = write(cls)
        setattr(cls, name, method)
        return method(self, *arguments, **named)

    setattr(cls, name, first_call)


def _initialiser(cls: type) -> Method:
    known: dict[str, Any] = {"MISSING": MISSING}
    positional = ["self"]
    named: list[str] = []
    body: list[str] = []
    for item in fields(cls):
        (named if item.kw_only else positional).append(_parameter(item, known))
        made = f"{item.name}_default() if {item.name} is MISSING else " if _is_made(item) else ""
        body.append(f"self.{item.name} = {made}{item.name}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = [*positional, *(["*", *named] if named else [])]
    return _compiled(f"__init__({', '.join(parameters)})", body or ["pass"], known)


def _parameter(item: "Field[Any]", known: dict[str, Any]) -> str:
    if _is_made(item):
        known[f"{item.name}_default"] = item.default_factory
        return f"{item.name}=MISSING"
    if item.default is MISSING:
        return item.name
    known[f"{item.name}_default"] = item.default
    return f"{item.name}={item.name}_default"


def _is_made(item: "Field[Any]") -> bool:
    return item.default_factory is not MISSING


def _equality(cls: type) -> Method:
    compared = [item.name for item in fields(cls) if item.compare]
    ours, theirs = _values("self", compared), _values("other", compared)
    return _compiled(
        "__eq__(self, other)",
        [
            "if self is other: return True",
            f"return {ours} == {theirs} if other.__class__ is self.__class__ else NotImplemented",
        ],
        {},
    )


def _hash(cls: type) -> Method:
    hashed = [item.name for item in fields(cls) if (item.compare if item.hash is None else item.hash)]
    return _compiled("__hash__(self)", [f"return hash({_values('self', hashed)})"], {})


def _values(of: str, names: Iterable[str]) -> str:
    return f"({''.join(f'{of}.{name}, ' for name in names)})"


def _compiled(head: str, body: Iterable[str], known: dict[str, Any]) -> Method:
    text = f"def {head}:\n" + "".join(f"    {line}\n" for line in body)
    exec(text, known)  # noqa: S102 - of names in the source of the class
    return cast("Method", known[head.partition("(")[0]])


def _repr(self: Any) -> str:
    parts = (f"{item.name}={getattr(self, item.name)!r}" for item in fields(self) if item.repr)
    return f"{type(self).__qualname__}({', '.join(parts)})"
