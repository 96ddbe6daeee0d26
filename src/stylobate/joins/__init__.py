"""Several tables in, one model out, nothing joined."""

from stylobate.joins.join import Join, join
from stylobate.joins.plan import JoinPlan
from stylobate.joins.source import JoinSource
from stylobate.joins.stored import StoredJoin

__all__ = ["Join", "JoinPlan", "JoinSource", "StoredJoin", "join"]
