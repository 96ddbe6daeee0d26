"""House values in California.

The file is ``california_housing.csv.gz`` below the folder ``STYLOBATE_RACE_DATA``; without it the
table is made up in its likeness.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from race.workload import Data
from race.workloads._study_tables import found_or

_PLACES = ("inland", "near bay", "near ocean", "within an hour")


def alike(rows: int, rng: Any) -> Data:
    """Values that depend on incomes, rooms and where the houses stand."""
    income, age = rng.gamma(4.0, 1.0, rows), rng.integers(1, 53, rows).astype(float)
    longitude, latitude = rng.uniform(-124, -114, rows), rng.uniform(32.5, 42, rows)
    rooms = rng.lognormal(7.6, 0.7, rows).round()
    place = rng.integers(0, len(_PLACES), rows)
    value = 4.5e4 * income + 6e4 * (place > 0) - 2e4 * np.abs(latitude + longitude + 85)
    value += 1e5 + 400 * age + rng.normal(0, 4e4, rows)
    return {
        "longitude": longitude, "latitude": latitude, "housing_median_age": age,
        "total_rooms": rooms, "median_income": income, "ocean_proximity": np.array(_PLACES)[place],
        "median_house_value": np.clip(value, 1.5e4, 5e5),
    }  # fmt: skip


make_california = found_or("california_housing", "STYLOBATE_RACE_CALIFORNIA", alike)
