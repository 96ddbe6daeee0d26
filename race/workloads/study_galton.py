"""A whole study of Galton's heights against a scikit-learn script.

The file is ``galton.csv`` below the folder ``STYLOBATE_RACE_DATA``; without it the heights are made
up in its likeness.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from race.workload import Data
from race.workloads._study import study_workload
from race.workloads._study_tables import found_or


def alike(rows: int, rng: Any) -> Data:
    """Children's heights that fall back towards the mean."""
    parent = np.round(rng.normal(68.3, 1.8, rows) * 2) / 2
    child = 24.0 + 0.646 * parent + rng.normal(0.0, 2.24, rows)
    return {"parent": parent, "child": np.round(child, 1)}


WORKLOAD = study_workload(
    "study_galton", "child", found_or("galton", "STYLOBATE_RACE_GALTON", alike), small=150,
    standard=928, regression=True,
)  # fmt: skip
