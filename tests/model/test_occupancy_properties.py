"""What holds for every launch on every target."""

from hypothesis import given, settings
from hypothesis import strategies as st

from cudalint import hw
from cudalint.model import Cliff, Occupancy, cliffs, occupancy, occupancy_range

targets = st.sampled_from(hw.architectures())
blocks = st.integers(1, 1024)
registers = st.integers(1, 255)
shared = st.integers(0, 240_000)
optins = st.booleans()
carveouts = st.none() | st.integers(0, 100)


@given(targets, blocks, registers, registers, shared)
def test_more_registers_never_fit_more_blocks(
    target: hw.Architecture, block: int, one: int, other: int, size: int
) -> None:
    few = occupancy(target, block=block, registers=min(one, other), dynamic_shared=size)
    many = occupancy(target, block=block, registers=max(one, other), dynamic_shared=size)
    assert many.blocks_per_sm <= few.blocks_per_sm


@given(target=targets, block=blocks, count=registers, one=shared, other=shared, carveout=carveouts, optin=optins)
def test_more_shared_memory_never_fits_more_blocks(
    *, target: hw.Architecture, block: int, count: int, one: int, other: int, carveout: int | None, optin: bool
) -> None:
    little, much = (
        occupancy(target, block=block, registers=count, dynamic_shared=size, carveout=carveout, shared_optin=optin)
        for size in sorted((one, other))
    )
    assert much.blocks_per_sm <= little.blocks_per_sm


@given(targets, blocks, registers, shared, carveouts)
def test_residents_stay_within_the_limits(
    target: hw.Architecture, block: int, count: int, size: int, carveout: int | None
) -> None:
    found = occupancy(target, block=block, registers=count, static_shared=size, carveout=carveout)
    assert 0 <= found.threads_per_sm <= target.max_threads_per_sm
    assert 0 <= found.warps_per_sm <= target.max_warps_per_sm
    assert 0 <= found.blocks_per_sm <= target.max_blocks_per_sm
    assert found.blocks_per_sm * found.allocated_shared <= target.shared_per_sm
    assert found.fraction == found.warps_per_sm / target.max_warps_per_sm
    assert found.limiters
    assert (found.reason is None) == (found.blocks_per_sm > 0)


@given(targets, blocks, registers, shared)
def test_unknown_registers_are_the_upper_bound(target: hw.Architecture, block: int, count: int, size: int) -> None:
    known = occupancy(target, block=block, registers=count, dynamic_shared=size)
    assert known.blocks_per_sm <= occupancy(target, block=block, registers=0, dynamic_shared=size).blocks_per_sm


@given(targets, blocks, st.tuples(registers, registers, registers), st.tuples(shared, shared, shared), optins)
def test_a_range_contains_every_member(
    target: hw.Architecture, block: int, counts: tuple[int, int, int], sizes: tuple[int, int, int], optin: bool
) -> None:
    least, count, most = sorted(counts)
    small, size, large = sorted(sizes)
    lowest, highest = occupancy_range(
        target, block=block, registers=(least, most), dynamic_shared=(small, large), shared_optin=optin
    )
    member = occupancy(target, block=block, registers=count, dynamic_shared=size, shared_optin=optin)
    assert lowest.blocks_per_sm <= member.blocks_per_sm <= highest.blocks_per_sm


@settings(max_examples=60)
@given(
    target=targets,
    block=blocks,
    count=registers,
    static=st.integers(0, 50_000),
    dynamic=st.integers(0, 50_000),
    scalars=st.integers(0, 102),
    optin=optins,
)
def test_cliffs_are_real(
    *, target: hw.Architecture, block: int, count: int, static: int, dynamic: int, scalars: int, optin: bool
) -> None:
    """One step before a cliff the answer is still the launch's; at the cliff it is another."""

    def at(resource: str, value: int) -> Occupancy:
        kept = min(static, value) if resource == "shared_memory" else static
        return occupancy(
            target,
            block=value if resource == "block" else block,
            registers=value if resource == "registers" else count,
            static_shared=kept,
            dynamic_shared=value - kept if resource == "shared_memory" else dynamic,
            scalar_registers=value if resource == "scalar_registers" else scalars,
            shared_optin=optin,
        )

    here = at("block", block)
    found = cliffs(
        target,
        block=block,
        registers=count,
        static_shared=static,
        dynamic_shared=dynamic,
        scalar_registers=scalars,
        shared_optin=optin,
    )
    for cliff in found:
        assert at(cliff.resource, cliff.value) == cliff.occupancy
        assert cliff.occupancy.warps_per_sm != here.warps_per_sm
        assert cliff.blocks_gained == cliff.occupancy.blocks_per_sm - here.blocks_per_sm
        step = target.warp_size if cliff.resource == "block" else 1
        before = at(cliff.resource, cliff.value - step if cliff.change > 0 else cliff.value + step)
        assert before.warps_per_sm == here.warps_per_sm
    assert len({_key(cliff) for cliff in found}) == len(found)


def _key(cliff: Cliff) -> tuple[str, bool]:
    return cliff.resource, cliff.change > 0
