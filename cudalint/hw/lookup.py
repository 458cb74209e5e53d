"""Finding an architecture or a device by what people call it."""

import importlib
import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from cudalint.errors import ProfileError
from cudalint.hw.product import Device
from cudalint.hw.product_file import load_device
from cudalint.hw.table import nearest
from cudalint.hw.target import Architecture
from cudalint.hw.target_file import load_architecture

_ROOT = Path(importlib.import_module("cudalint.hw_profiles").__path__[0])
_TARGET = re.compile(r"(?:sm|compute)?(\d{2,3})[af]?")
_VENDOR = re.compile(r"^(?:nvidia|amd)(?=.)")


@cache
def architecture(name: str) -> Architecture:
    """The architecture with a name: "sm_90", "9.0", "sm_90a", "compute_90", "gfx942", "gfx942:xnack-".

    Raises ProfileError, with the nearest names, where there is none.
    """
    key = _architecture_key(name)
    if key not in _files("arch"):
        raise ProfileError(f"no architecture called {name!r}{_suggestion(key, _files('arch'))}")
    return _architecture(key)


def device(name: str, extra: Sequence[Device] = ()) -> Device:
    """The device with an id, an alias or a name, compared as `normal` has it; `extra` comes first.

    Raises ProfileError, with the nearest names, where there is none.
    """
    if extra:
        key = normal(name)
        for candidate in extra:
            if key in names(candidate):
                return candidate
    return _built_in(name, tuple(alias for candidate in extra for alias in names(candidate)))


@cache
def architectures() -> tuple[Architecture, ...]:
    """Every built-in architecture, by id."""
    return tuple(_architecture(name) for name in _files("arch"))


@cache
def devices() -> tuple[Device, ...]:
    """Every built-in device, by id."""
    return tuple(_device(name) for name in _files("devices"))


def load_device_file(path: str | Path) -> Device:
    """A device described in a file of the user's own, with the keys of hw_profiles/README.md.

    Raises ProfileError naming the file and the key that is wrong.
    """
    return load_device(Path(path), architecture)


def normal(name: str) -> str:
    """A name as it is compared: without case, spaces, "-", "_" and the vendor in front, as drivers report it."""
    return _VENDOR.sub("", re.sub(r"[\s_-]", "", name).lower())


def names(candidate: Device) -> tuple[str, ...]:
    """Everything a device is called, as it is compared."""
    return tuple(dict.fromkeys(normal(name) for name in (candidate.id, candidate.name, *candidate.aliases)))


@cache
def _files(folder: str) -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in (_ROOT / folder).glob("*.toml")))


@cache
def _architecture(identity: str) -> Architecture:
    return load_architecture(_ROOT / "arch" / f"{identity}.toml")


@cache
def _device(identity: str) -> Device:
    found = load_device(_ROOT / "devices" / f"{identity}.toml", architecture)
    if found.id != identity:
        raise ProfileError(f"{identity}.toml: id: {found.id!r} is not the file's name")
    return found


@cache
def _built_in(name: str, others: tuple[str, ...]) -> Device:
    """A device by any of its names; `others` are further names to suggest."""
    key, by_id = normal(name), _device_ids()
    if key in by_id:
        return _device(by_id[key])
    by_name = _device_names()
    if key in by_name:
        return _device(by_name[key])
    known = dict.fromkeys([*others, *by_id, *by_name])
    raise ProfileError(f"no GPU called {name!r}{_suggestion(key, known)}; 'cudalint gpus' lists them")


@cache
def _device_ids() -> dict[str, str]:
    return {normal(identity): identity for identity in _files("devices")}


@cache
def _device_names() -> dict[str, str]:
    return unique_names(devices())


def unique_names(candidates: Iterable[Device]) -> dict[str, str]:
    """Every name of every device, as it is compared, and the id it stands for. Raises ProfileError for a name of two."""
    owners: dict[str, str] = {}
    for candidate in candidates:
        for name in names(candidate):
            if owners.setdefault(name, candidate.id) != candidate.id:
                raise ProfileError(f"{candidate.id}.toml: aliases: {name!r} is also a name of {owners[name]}")
    return owners


def _architecture_key(name: str) -> str:
    text = normal(name.partition(":")[0]).replace(".", "")
    target = _TARGET.fullmatch(text)
    return f"sm_{target[1]}" if target else text


def _suggestion(key: str, known: Iterable[str]) -> str:
    close = nearest(key, known, 3)
    return f": did you mean {', '.join(close)}?" if close else ""
