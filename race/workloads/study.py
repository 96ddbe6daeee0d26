"""From a table to a chosen model: the same families, folds and grids as a scikit-learn script.

The table is Adult if ``STYLOBATE_RACE_ADULT`` names its CSV file (or ``STYLOBATE_RACE_DATA`` a
folder with it), else one made up in its likeness. A run of both sides takes minutes:
``python -m race study --sizes standard --repeats 1 --limit 1500``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from race.workload import Data
from race.workloads._study import study_workload
from race.workloads._study_tables import found_or

TARGET = "income"
_WORDS = {
    "workclass": 8, "education": 16, "marital_status": 7, "occupation": 14, "relationship": 6,
    "race": 5, "sex": 2, "native_country": 41,
}  # fmt: skip


def alike(rows: int, rng: np.random.Generator) -> Data:
    """Six numbers and eight texts with gaps, and a target that depends on some of them."""
    found: dict[str, Any] = {
        "age": rng.integers(17, 90, rows).astype(float),
        "fnlwgt": rng.lognormal(12, 0.5, rows).round(),
        "education_num": rng.integers(1, 17, rows).astype(float),
        "capital_gain": np.where(rng.random(rows) < 0.08, rng.lognormal(8, 1, rows), 0).round(),
        "capital_loss": np.where(rng.random(rows) < 0.05, rng.lognormal(7, 0.3, rows), 0).round(),
        "hours_per_week": np.clip(rng.normal(40, 12, rows), 1, 99).round(),
    }
    score = 0.04 * (found["age"] - 40) + 0.3 * (found["education_num"] - 10)
    score += 0.03 * (found["hours_per_week"] - 40) + 2.0 * (found["capital_gain"] > 5000)
    for name, count in _WORDS.items():
        codes = rng.integers(0, count, rows)
        score += rng.normal(0, 0.6, count)[codes]
        words = np.array([f"{name} {k}" for k in range(count)])[codes]
        words[rng.random(rows) < 0.03] = ""
        found[name] = words
    noise = rng.logistic(size=rows)
    found[TARGET] = np.where(score + noise > np.quantile(score + noise, 0.76), ">50K", "<=50K")
    return found


WORKLOAD = study_workload(
    "study",
    TARGET,
    found_or("adult", "STYLOBATE_RACE_ADULT", alike, drop=("split",)),
    small=2_000,
    standard=48_842,
    times=5.0,
)
