"""A whole study of house values in California against a scikit-learn script."""

from __future__ import annotations

from race.workloads._california import make_california
from race.workloads._study import study_workload

WORKLOAD = study_workload(
    "study_california",
    "median_house_value",
    make_california,
    small=500,
    standard=20_640,
    regression=True,
)
