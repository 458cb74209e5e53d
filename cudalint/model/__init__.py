"""What a launch does on a machine: pure functions of the figures of `cudalint.hw`."""

from cudalint.model.occupancy_calculator import Options, occupancy, occupancy_range, sweep
from cudalint.model.occupancy_cliffs import Cliff, cliffs
from cudalint.model.occupancy_result import Occupancy
from cudalint.model.register_cap import register_cap

__all__ = ["Cliff", "Occupancy", "Options", "cliffs", "occupancy", "occupancy_range", "register_cap", "sweep"]
