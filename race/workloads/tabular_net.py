"""A network for the Adult table, against boosting and other networks: log-loss, and time."""

from __future__ import annotations

from race.workloads._tables import ADULT, make_adult
from race.workloads._tabular_nets import workload

WORKLOAD = workload(
    "tabular_net",
    "Adult, a network with its defaults; the log-loss of held-out rows",
    make_adult,
    ADULT,
    {"small": {"rows": 4_000}, "standard": {"rows": 48_842}},
)
