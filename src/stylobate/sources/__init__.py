"""Sources: where rows are and what can be done with them."""

from stylobate.sources.clusters import ClusterRows, ClusterSource
from stylobate.sources.known import KnownStatistic
from stylobate.sources.memory import MemorySource
from stylobate.sources.registry import register_source, source_of
from stylobate.sources.stream import StreamSource

__all__ = [
    "ClusterRows",
    "ClusterSource",
    "KnownStatistic",
    "MemorySource",
    "StreamSource",
    "register_source",
    "source_of",
]
