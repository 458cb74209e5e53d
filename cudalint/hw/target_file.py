"""From the TOML of an architecture to its dataclass; the keys are described in hw_profiles/README.md."""

from collections.abc import Callable
from pathlib import Path

from cudalint.hw.table import Table, read
from cudalint.hw.target import AmdArchitecture, Architecture, FunctionalBlock, Latency, NvidiaArchitecture, VectorFile

_KIB = 1024


def load_architecture(path: Path) -> Architecture:
    """Reads one file. Raises ProfileError naming the file and the key that is wrong."""
    table = read(path)
    identity = table.text("id")
    if identity != path.stem:
        raise table.fault("id", f"{identity!r} is not the file's name")
    loaders: dict[str, Callable[[Table, str, str], Architecture]] = {"nvidia": _nvidia, "amd": _amd}
    vendor = table.choice("vendor", tuple(loaders))
    family = table.text("family") if table.has("family") else ""
    if table.has("products"):
        table.text("products")
    architecture = loaders[vendor](table, identity, family)
    table.finish()
    return architecture


def _sources(table: Table, *groups: str) -> None:
    """Every group of figures that is there names where they come from, and nothing else does."""
    source = table.table("source")
    for group in groups:
        if table.has(group) and not source.texts(group):
            raise source.fault(group, "names no source")
    source.finish()


def _triple(table: Table, key: str) -> tuple[int, int, int]:
    x, y, z = table.integers(key, length=3)
    return x, y, z


def _nvidia(table: Table, identity: str, family: str) -> NvidiaArchitecture:
    limits, registers, shared = table.table("limits"), table.table("registers"), table.table("shared_memory")
    warp, warps = limits.integer("warp_size"), limits.integer("max_warps_per_sm")
    threads = limits.integer("max_threads_per_sm")
    if threads != warps * warp:
        raise limits.fault("max_threads_per_sm", f"{threads} is not {warps} warps of {warp} threads")
    sub_partitions = registers.integer("sub_partitions")
    register_unit = registers.integer("allocation_unit_per_warp")
    shared_unit = shared.integer("allocation_unit_bytes")
    portable, largest = _clusters(table)
    architecture = NvidiaArchitecture(
        id=identity,
        vendor="nvidia",
        family=family,
        warp_size=warp,
        max_threads_per_block=limits.integer("max_threads_per_block", unit=warp),
        max_block_dim=_triple(limits, "max_block_dim"),
        max_grid_dim=_triple(limits, "max_grid_dim"),
        max_grid_threads=None,
        max_threads_per_sm=threads,
        max_warps_per_sm=warps,
        max_blocks_per_sm=limits.integer("max_blocks_per_sm"),
        max_registers_per_thread=registers.integer("addressable_per_thread"),
        default_shared_per_block=shared.integer("default_per_block_bytes", unit=_KIB),
        max_shared_per_block=shared.integer("max_per_block_bytes", unit=_KIB),
        shared_per_sm=shared.integer("per_sm_bytes", unit=_KIB),
        latency=_latency(table),
        registers_per_sm=registers.integer("per_sm", unit=sub_partitions * register_unit),
        registers_per_block=registers.integer("per_block", unit=register_unit),
        launchable_registers_per_thread=registers.integer("launchable_per_thread"),
        register_unit=register_unit,
        sub_partitions=sub_partitions,
        fitting_sub_partitions=registers.integer("block_must_also_fit_sub_partitions", unit=sub_partitions)
        if registers.has("block_must_also_fit_sub_partitions")
        else sub_partitions,
        shared_reserved_per_block=shared.integer("reserved_per_block_bytes", low=0, unit=shared_unit),
        shared_unit=shared_unit,
        shared_carveouts=_carveouts(shared),
        barriers_per_sm=_barriers(table),
        max_portable_cluster=portable,
        max_cluster=largest,
    )
    _check_nvidia(architecture, limits, registers, shared)
    _sources(table, "limits", "registers", "shared_memory", "barriers", "clusters", "latency")
    return architecture


def _latency(table: Table) -> Latency | None:
    if not table.has("latency"):
        return None
    cycles = table.table("latency")
    latency = Latency(
        arithmetic=cycles.number("arithmetic_cycles", 1, 64),
        shared_load=cycles.number("shared_load_cycles", 4, 512),
        exchange=cycles.number("exchange_cycles", 4, 512),
        cached_load=cycles.number("cached_load_cycles", 8, 1024),
        global_load=cycles.number("global_load_cycles", 64, 8192),
        issue=cycles.number("issue_cycles", 0.25, 16),
    )
    cycles.finish()
    return latency


def _carveouts(shared: Table) -> tuple[int, ...]:
    if not shared.has("carveouts_kib"):
        return ()
    carveouts = shared.integers("carveouts_kib", low=0)
    if list(carveouts) != sorted(set(carveouts)):
        raise shared.fault("carveouts_kib", "must be ascending")
    return tuple(carveout * _KIB for carveout in carveouts)


def _barriers(table: Table) -> int | None:
    if not table.has("barriers"):
        return None
    barriers = table.table("barriers")
    count = barriers.integer("per_sm")
    barriers.finish()
    return count


def _clusters(table: Table) -> tuple[int | None, int | None]:
    if not table.has("clusters"):
        return None, None
    clusters = table.table("clusters")
    portable = clusters.integer("max_portable_blocks")
    largest = clusters.integer("max_blocks", low=portable) if clusters.has("max_blocks") else None
    clusters.finish()
    return portable, largest


def _check_nvidia(it: NvidiaArchitecture, limits: Table, registers: Table, shared: Table) -> None:
    if it.max_threads_per_block > it.max_threads_per_sm:
        raise limits.fault("max_threads_per_block", f"{it.max_threads_per_block} do not fit an SM")
    if it.registers_per_block > it.registers_per_sm:
        raise registers.fault("per_block", f"{it.registers_per_block} are more than an SM has")
    if it.launchable_registers_per_thread < it.max_registers_per_thread:
        raise registers.fault("launchable_per_thread", f"less than {it.max_registers_per_thread} addressable")
    if not it.default_shared_per_block <= it.max_shared_per_block:
        raise shared.fault("max_per_block_bytes", "is below the default")
    if it.max_shared_per_block + it.shared_reserved_per_block > it.shared_per_sm:
        raise shared.fault("max_per_block_bytes", "does not fit an SM together with the reserved bytes")
    if it.shared_carveouts and it.shared_carveouts[-1] != it.shared_per_sm:
        raise shared.fault("carveouts_kib", f"the largest is not all {it.shared_per_sm // _KIB} KiB of an SM")
    for table in (limits, registers, shared):
        table.finish()


def _functional_block(table: Table, key: str, mode: str) -> FunctionalBlock:
    group = table.table(key)
    block = FunctionalBlock(
        mode=mode,
        compute_units=group.integer("compute_units") if mode == "wgp" else 1,
        simds=group.integer("simds"),
        lds=group.integer("lds_bytes", unit=_KIB),
        max_multiwave_blocks=group.integer("max_multiwave_blocks"),
    )
    group.finish()
    return block


def _functional_blocks(table: Table) -> tuple[FunctionalBlock, ...]:
    """The default comes first: the WGP where there is one."""
    unit = _functional_block(table, "compute_unit", "cu")
    if not table.has("workgroup_processor"):
        return (unit,)
    pair = _functional_block(table, "workgroup_processor", "wgp")
    for figure in ("simds", "lds", "max_multiwave_blocks"):
        if getattr(pair, figure) != pair.compute_units * getattr(unit, figure):
            raise table.fault("workgroup_processor", f"{figure} contradicts {pair.compute_units} compute units")
    return pair, unit


def _amd(table: Table, identity: str, family: str) -> AmdArchitecture:
    limits, vector = table.table("limits"), table.table("vector_registers")
    sizes, default_size = limits.integers("wave_sizes"), limits.integer("default_wave_size")
    if default_size not in sizes:
        raise limits.fault("default_wave_size", f"{default_size} is not among wave_sizes")
    blocks = _functional_blocks(table)
    scalar, (lds_limit, lds_unit) = table.table("scalar_registers"), _local_share(table, blocks)
    waves = limits.integer("max_waves_per_simd")
    accumulation, accumulation_registers, alignment = _accumulation(vector)
    scalar_waves, scalar_waves_beyond = _scalar_waves(scalar)
    architecture = AmdArchitecture(
        id=identity,
        vendor="amd",
        family=family,
        warp_size=default_size,
        max_threads_per_block=limits.integer("max_threads_per_block", unit=max(sizes)),
        max_block_dim=_triple(limits, "max_block_dim"),
        max_grid_dim=_triple(limits, "max_grid_dim"),
        max_grid_threads=limits.integer("max_grid_threads_per_dimension"),
        max_threads_per_sm=waves * blocks[0].simds * default_size,
        max_warps_per_sm=waves * blocks[0].simds,
        max_blocks_per_sm=waves * blocks[0].simds,
        max_registers_per_thread=vector.integer("addressable"),
        default_shared_per_block=lds_limit,
        max_shared_per_block=lds_limit,
        shared_per_sm=blocks[0].lds,
        latency=_latency(table),
        default_mode=blocks[0].mode,
        blocks=blocks,
        vector_files=tuple(_vector_file(vector, size) for size in sizes),
        max_waves_per_simd=waves,
        max_accumulation_registers=accumulation_registers,
        accumulation=accumulation,
        accumulation_alignment=alignment,
        max_scalar_registers=scalar.integer("addressable"),
        scalar_waves=scalar_waves,
        scalar_waves_beyond=scalar_waves_beyond,
        lds_unit=lds_unit,
    )
    for group in (limits, vector, scalar):
        group.finish()
    _sources(
        table,
        "limits",
        "compute_unit",
        "workgroup_processor",
        "vector_registers",
        "scalar_registers",
        "local_data_share",
        "latency",
    )
    return architecture


def _accumulation(vector: Table) -> tuple[str, int, int]:
    """How AGPRs count, how many there are, and what VGPRs are rounded up to before they are added."""
    if not vector.has("accumulation"):
        return "none", 0, 1
    kind = vector.choice("accumulation", ("separate", "unified"))
    alignment = vector.integer("accumulation_alignment") if kind == "unified" else 1
    return kind, vector.integer("addressable_accumulation"), alignment


def _scalar_waves(scalar: Table) -> tuple[tuple[tuple[int, int], ...], int]:
    if not scalar.has("waves_per_simd_up_to"):
        return (), 0
    return scalar.pairs("waves_per_simd_up_to"), scalar.integer("waves_per_simd_beyond")


def _local_share(table: Table, blocks: tuple[FunctionalBlock, ...]) -> tuple[int, int]:
    """Bytes of LDS a workgroup gets at most, and bytes its share is rounded up to."""
    lds = table.table("local_data_share")
    unit = lds.integer("allocation_unit_bytes")
    limit = lds.integer("max_per_block_bytes", unit=unit)
    if limit > min(block.lds for block in blocks):
        raise lds.fault("max_per_block_bytes", "is more than a compute unit has")
    lds.finish()
    return limit, unit


def _vector_file(vector: Table, size: int) -> VectorFile:
    unit = vector.integer(f"allocation_unit_wave{size}")
    return VectorFile(wave_size=size, registers=vector.integer(f"per_simd_wave{size}", unit=unit), unit=unit)
