"""A whole study of the data set diabetes against a scikit-learn script."""

from __future__ import annotations

from race.workloads._study import study_workload
from race.workloads._study_tables import shipped

WORKLOAD = study_workload(
    "study_diabetes", "target", shipped("diabetes"), small=150, standard=442, regression=True
)
