"""A network for forest cover of seven kinds, against boosting and other networks.

The file is ``covertype.csv.gz`` below the folder ``STYLOBATE_RACE_DATA``, its last column
``Cover_Type``; without it the table is made up in its likeness.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from race.workload import Data
from race.workloads._study_tables import found_or
from race.workloads._tables import Task
from race.workloads._tabular_nets import workload

_BELTS = np.array([2050.0, 2300.0, 2450.0, 2650.0, 2900.0, 3150.0, 3350.0])  # of the seven kinds


def alike(n_rows: int, rng: Any) -> Data:
    """Kinds that follow belts of elevation, soils, the sun and ways to water."""
    elevation = rng.normal(2950.0, 280.0, n_rows)
    aspect, slope = rng.uniform(0.0, 360.0, n_rows), rng.gamma(3.5, 4.0, n_rows)
    water, road = rng.exponential(270.0, n_rows), rng.exponential(2300.0, n_rows)
    noon = 220.0 - slope * np.cos(np.deg2rad(aspect)) + rng.normal(0.0, 5.0, n_rows)
    area = rng.integers(1, 5, n_rows)
    soil = np.clip((elevation - 1900.0) / 45.0 + rng.normal(0.0, 4.0, n_rows), 1, 40).astype(int)
    height = (
        elevation + 0.4 * water - 2.0 * (noon - 220.0) + 60.0 * np.sin(soil) - 40.0 * (area == 4)
    )
    score = -np.abs(height[:, None] - _BELTS) / 60.0 + rng.gumbel(size=(n_rows, len(_BELTS)))
    return {
        "Elevation": elevation, "Aspect": aspect, "Slope": slope, "Hillshade_Noon": noon,
        "Horizontal_Distance_To_Hydrology": water, "Horizontal_Distance_To_Roadways": road,
        "Wilderness_Area": np.array([f"area {k}" for k in area]),
        "Soil_Type": np.array([f"soil {k}" for k in soil]),
        "Cover_Type": np.array([f"kind {k + 1}" for k in score.argmax(axis=1)]),
    }  # fmt: skip


WORKLOAD = workload(
    "tabular_net_covertype",
    "a sample of forest cover, seven classes, a network with its defaults; log-loss",
    found_or("covertype", "STYLOBATE_RACE_COVERTYPE", alike),
    Task("Cover_Type"),
    {"small": {"rows": 4_000}, "standard": {"rows": 50_000}},
)
