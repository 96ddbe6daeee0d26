"""Progress of passes over streams: rows, bytes and passes, told to whoever listens."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

Listener = Callable[["Pass"], None]
_INTERVAL = 0.1  # seconds between two reports of a pass
_listener: ContextVar[Listener | None] = ContextVar("stylobate_progress", default=None)


@dataclass(eq=False)
class Pass:
    """One pass over a stream, as far as it has come.

    Attributes
    ----------
    name : str
        Where the rows come from.
    number : int
        The first pass is 1.
    length, bytes : int or None
        Rows and bytes of the whole, where known.
    rows : int
        Given so far.
    seconds : float
        Since the pass began.
    done : bool
        Whether it has ended.
    reports : bool
        Whether listeners are told.
    partitions, partitions_done : int
        Of rows on a cluster: how many there are, where that is known, and how many are done.
    """

    name: str
    number: int
    length: int | None
    bytes: int | None
    rows: int = 0
    done: bool = False
    reports: bool = True
    partitions: int | None = None
    partitions_done: int = 0
    began: float = field(default_factory=time.perf_counter)
    _told: float = 0.0

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.began

    @property
    def share(self) -> float | None:
        """How much of the pass is done, from 0 to 1, if the length is known."""
        if self.partitions and self.partitions_done:
            return min(self.partitions_done / self.partitions, 1.0)
        return min(self.rows / self.length, 1.0) if self.length else None

    @property
    def bytes_read(self) -> int | None:
        """How many bytes that is of the whole, by the share of the rows."""
        return None if self.bytes is None or self.share is None else round(self.bytes * self.share)

    def __str__(self) -> str:
        """How far it has come, in words.

        >>> print(Pass("rides.parquet", 2, 4_000_000, 3_000_000_000, rows=1_000_000))
        pass 2: 1,000,000 of 4,000,000 rows (750.0 MB), 0 s
        """
        if self.partitions_done:
            of = "" if self.partitions is None else f" of {self.partitions:,}"
            done = f"{self.partitions_done:,}{of} partitions"
            return f"pass {self.number}: {done}, {self.seconds:.0f} s"
        whole = "" if self.length is None else f" of {self.length:,}"
        read = self.bytes_read
        size = "" if read is None else f" ({_size(read)})"
        return f"pass {self.number}: {self.rows:,}{whole} rows{size}, {self.seconds:.0f} s"

    def add(self, rows: int) -> None:
        """Count rows, and tell the listener now and then."""
        self.rows += rows
        self._tell()

    def add_partitions(self, count: int) -> None:
        """Count partitions that are done, and tell the listener now and then."""
        self.partitions_done += count
        self._tell()

    def _tell(self, *, always: bool = False) -> None:
        listener = _listener.get()
        if listener is None or not self.reports:
            return
        now = time.perf_counter()
        if always or now - self._told >= _INTERVAL:
            self._told = now
            listener(self)


@contextmanager
def watch(report: Pass) -> Iterator[Pass]:
    """A pass that tells its end, whatever ends it."""
    try:
        yield report
    finally:
        report.done = True
        report._tell(always=True)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Have a function called with every `Pass` over a stream, ten times a second at most.

    Examples
    --------
    >>> from stylobate.data.streams import Batch, Stream
    >>> stream = Stream(lambda: iter([Batch([[1.0], [2.0]])]), "two rows")
    >>> seen = []
    >>> with listening(lambda each: seen.append((each.number, each.rows, each.done))):
    ...     _ = list(stream)
    >>> seen[-1]
    (1, 2, True)
    """
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"


def is_listening() -> bool:
    """Whether anybody asked to be told of passes."""
    return _listener.get() is not None
