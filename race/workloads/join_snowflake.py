"""Ridge regression over a snowflake of four tables, 23 columns in all."""

from __future__ import annotations

from race.workloads._joins import SNOWFLAKE, ridge_workload

WORKLOAD = ridge_workload("snowflake", SNOWFLAKE)
