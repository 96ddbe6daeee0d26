"""Several tables in, one model out, nothing joined."""

from stylobate.joins import class_statistics  # noqa: F401  # enters its engine
from stylobate.joins.foreign_key import ForeignKey
from stylobate.joins.plan import JoinPlan
from stylobate.joins.relational_database import Database, database
from stylobate.joins.source import JoinSource
from stylobate.joins.stored import StoredJoin
from stylobate.joins.table_join import Join, join

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
