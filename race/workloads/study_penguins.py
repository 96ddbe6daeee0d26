"""A whole study of the data set penguins against a scikit-learn script."""

from __future__ import annotations

from race.workloads._study import study_workload
from race.workloads._study_tables import shipped

WORKLOAD = study_workload("study_penguins", "species", shipped("penguins"), small=150, standard=344)
