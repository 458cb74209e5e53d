"""What a quantity is on one GPU: properties asked for at run time get the numbers that GPU answers."""

from collections.abc import Callable
from dataclasses import replace

from cudalint.analysis.state import Bounds, Ranges, interval, tighter
from cudalint.hw import Device
from cudalint.ir import Origin, Quantity
from cudalint.ir import symbol as sym


def on_device(quantity: Quantity, device: Device, query: Callable[[sym.Residency], Bounds]) -> Quantity:
    """The quantity with what its formula gives on `device`; `query` says what an occupancy query answers there."""
    if quantity.exact is not None or quantity.form is None:
        return quantity
    known: Ranges = {sym.DeviceValue(kind): (n, n) for kind, n in properties(device).items()}
    known |= {atom: query(atom) for atom in quantity.form.all_atoms() if isinstance(atom, sym.Residency)}
    lo, hi = tighter((quantity.lo, quantity.hi), interval(quantity.form, known))
    return replace(quantity, lo=lo, hi=hi, origin=Origin.DEVICE if lo is not None and lo == hi else quantity.origin)


def properties(device: Device) -> dict[str, int]:
    """What the run time answers, by the kind of DeviceValue. It counts WGPs where workgroups are resident on WGPs."""
    target = device.architecture
    return {
        "sm_count": device.multiprocessors,
        "warp_size": target.warp_size,
        "max_threads_per_block": target.max_threads_per_block,
        "max_threads_per_sm": target.max_threads_per_sm,
        "max_blocks_per_sm": target.max_blocks_per_sm,
        "default_shared_per_block": target.default_shared_per_block,
        "max_shared_per_block": target.max_shared_per_block,
        "shared_per_sm": target.shared_per_sm,
    }
