"""Several tables in, one model out, nothing joined."""

from stylobate.joins.database import Database, database
from stylobate.joins.foreign_key import ForeignKey
from stylobate.joins.join import Join, join
from stylobate.joins.plan import JoinPlan
from stylobate.joins.source import JoinSource
from stylobate.joins.stored import StoredJoin

__all__ = [
    "Database",
    "ForeignKey",
    "Join",
    "JoinPlan",
    "JoinSource",
    "StoredJoin",
    "database",
    "join",
]
