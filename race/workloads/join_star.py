"""Ridge regression over a star of four tables, 23 columns in all."""

from __future__ import annotations

from race.workloads._joins import STAR, ridge_workload

WORKLOAD = ridge_workload("star", STAR)
