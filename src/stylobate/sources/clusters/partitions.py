"""`Partitions`: what an engine of a cluster has to do, and all that it has to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from stylobate.data.streams import Batch

Told = Callable[[int], None]  # called with how many partitions have been done since


class Partitions(ABC):
    """Rows in several places, as an engine holds them.

    Attributes
    ----------
    name : str
        What it is, for messages: "the Dask data frame".
    columns : tuple of str or None
        Names, where there are some.
    opened : callable
        From an engine's own piece of a partition (a frame, an Arrow batch, arrays) to a `Batch`;
        sent to the workers.
    pickler : module
        Whose `dumps` the engine's workers understand.
    """

    name: str
    columns: tuple[str, ...] | None
    opened: Callable[[Any], Batch]
    pickler: Any

    @abstractmethod
    def count(self) -> int | None:
        """How many partitions there are, where that is known without work."""

    @abstractmethod
    def reduced(self, task: bytes, told: Told) -> bytes:
        """`partition_message` of every partition, `merged_message` along the tree; the root."""

    @abstractmethod
    def shared(self, task: bytes, shares: int, told: Told) -> bytes:
        """`partition_message` of every partition; all of them to each `share_message`; the root.

        What the partitions say goes from worker to worker, and the shares are merged along the tree
        in their order.
        """

    @abstractmethod
    def slots(self) -> int:
        """How many tasks run at a time; what is shared out is cut into so many at most."""

    @abstractmethod
    def head(self) -> Any:
        """A piece with the first row, or None: the only row that ever leaves the workers."""

    @abstractmethod
    def kept(self) -> Partitions:
        """The same rows, held by the workers for passes to come."""

    @abstractmethod
    def answered(self, answer: Any) -> Any:
        """What a function makes of every piece, lazily, as the engine's own type."""
