"""A network for house values in California, against boosting and other networks."""

from __future__ import annotations

from race.workloads._california import make_california
from race.workloads._tables import Task
from race.workloads._tabular_nets import workload

WORKLOAD = workload(
    "tabular_net_california",
    "California housing, a network with its defaults; the error of held-out rows",
    make_california,
    Task("median_house_value", regression=True),
    {"small": {"rows": 2_000}, "standard": {"rows": 20_640}},
)
