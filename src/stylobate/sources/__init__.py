"""Sources: who computes statistics, from rows in memory, from batches, or from what is known."""

from stylobate.sources.batches import BatchSource
from stylobate.sources.known import KnownStatistic
from stylobate.sources.memory import MemorySource

__all__ = ["BatchSource", "KnownStatistic", "MemorySource"]
