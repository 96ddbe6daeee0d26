"""`Stream`: batches of rows, one in memory at a time, passed over as often as their origin allows.

A stream is what estimators get of files, databases and Arrow readers. It knows nothing of models:
an estimator's own door turns each batch into a checked `Table`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from stylobate.data.streams.progress import Pass, watch
from stylobate.data.streams.unchanged import PassFacts, Unchanged
from stylobate.exceptions import InvalidDataError, UnsupportedDataError

T = TypeVar("T")
U = TypeVar("U")


class Batch(NamedTuple):
    """Some rows: features, and where there are any, targets and weights.

    >>> Batch([[1.0], [2.0]], [0, 1]).weights is None
    True
    """

    x: Any
    y: Any = None
    weights: Any = None

    @property
    def n_rows(self) -> int:
        return n_rows_of(self.x)

    def take(self, rows: NDArray[Any]) -> Batch:
        """Some of the rows (numbers or a mask)."""
        from stylobate.data.indexing import take_rows

        numbers = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
        return Batch(*(None if part is None else take_rows(part, numbers) for part in self))


def n_rows_of(x: Any) -> int:
    """How many rows a container has."""
    shape = getattr(x, "shape", None)
    return int(shape[0]) if shape else len(x)


@contextmanager
def batch_from(first: int, name: str) -> Iterator[None]:
    """Say in refusals of a batch with which row of the stream it begins.

    Examples
    --------
    >>> with batch_from(2000, "rides.csv"):
    ...     raise InvalidDataError("X holds the text 'abc' at row 3.")
    Traceback (most recent call last):
        ...
    stylobate.exceptions.InvalidDataError: X holds the text 'abc' at row 3. The batch begins with \
row 2000 of rides.csv.
    """
    try:
        yield
    except (InvalidDataError, UnsupportedDataError) as error:
        if not first:
            raise
        told = f"{str(error).rstrip()} The batch begins with row {first} of {name}."
        raise type(error)(told) from error


@dataclass(eq=False)
class Stream:
    """Batches of rows in a fixed order.

    Parameters
    ----------
    start : callable without arguments
        Begins a pass: returns an iterator of `Batch`.
    name : str
        Where the rows come from, for messages.
    repeatable : bool
        Whether `start` can be called more than once.
    length : int, optional
        How many rows there are, if that is known without a pass.
    state : callable, optional
        What tells whether the origin was changed, such as a file's size and time; compared at the
        beginning and the end of each pass.
    bytes : int, optional
        What a pass reads, for progress.
    targets : callable, optional
        As `start`, without the features: for origins that can leave columns unread.
    reports : bool, default=True
        Whether passes are told to those who watch; a stream made of another leaves it to that one.

    Attributes
    ----------
    passes : int
        How often the rows were passed over so far.
    rows_read : int
        How many rows all passes gave together.

    Examples
    --------
    >>> rows = [Batch([[1.0], [2.0]], [1.0, 2.0]), Batch([[3.0]], [3.0])]
    >>> stream = Stream(lambda: iter(rows), "two batches")
    >>> sum(batch.n_rows for batch in stream), stream.passes
    (3, 1)
    """

    start: Callable[[], Iterator[Batch]]
    name: str = "the batches"
    repeatable: bool = True
    length: int | None = None
    state: Callable[[], Any] | None = None
    bytes: int | None = None
    targets: Callable[[], Iterator[Batch]] | None = None
    reports: bool = True
    passes: int = field(default=0, init=False)
    rows_read: int = field(default=0, init=False)

    here: ClassVar[bool] = True  # whether batches pass through this machine

    def __post_init__(self) -> None:
        self._unchanged = Unchanged(self.name, self.state)
        self._begun: tuple[list[Batch], Iterator[Batch]] | None = None
        self._first: Callable[[], Batch | None] | None = None
        self._origin: Stream | None = None
        self._head: Batch | None = None

    def __iter__(self) -> Iterator[Batch]:
        """Begin a pass, or go on with the one that `head` has begun."""
        if self._begun is not None:
            (seen, rest), self._begun = self._begun, None
            return chain(seen, rest)
        if self.passes and not self.repeatable:
            raise InvalidDataError(
                f"{self.name} can be read only once, and another pass is needed. Pass a list, a "
                "file, or a function that returns a new iterator each time."
            )
        self.passes += 1
        return self._pass()

    def _pass(self) -> Iterator[Batch]:
        found = self._unchanged.begin()
        report = Pass(self.name, self.passes, self.length, self.bytes, reports=self.reports)
        with watch(report) as progress:
            for batch in self._batches(found):
                count = batch.n_rows
                self.rows_read += count
                found.add(batch, count)
                progress.add(count)
                yield batch
        found.end()

    def _batches(self, found: PassFacts) -> Iterator[Batch]:
        try:
            yield from self.start()
        except Exception:
            found.broken()  # half a file gives errors of many kinds: the cause is told instead
            raise

    @property
    def can_tell(self) -> bool:
        """Whether a change of the rows is seen without reading them: rows then may be kept."""
        return self.origin.state is not None

    def refuse_changed(self) -> None:
        """Refuse an origin that has changed, where it can be told without reading."""
        self.origin._unchanged.compare_state()

    @property
    def origin(self) -> Stream:
        """The stream that this one was made of; itself if it was made of none."""
        return self if self._origin is None else self._origin

    def _made_of(self, origin: Stream) -> Stream:
        self._origin = origin.origin
        return self

    def keep(self) -> None:
        """Have rows that are elsewhere be held there for more passes."""

    def without_features(self) -> Stream:
        """The stream of targets and weights alone where the origin can give them, else itself."""
        if self.targets is None:
            return self
        return Stream(self.targets, self.name, self.repeatable, self.length, self.state)

    def reduced(
        self, of: Callable[[Batch, int], T], merge: Callable[[T, T], T], *, numbered: bool = False
    ) -> T | None:
        """What a function makes of every batch that has rows, merged in their order: one pass.

        Rows of a cluster are reduced where they are, so both functions know the batch alone and
        change nothing around them.

        Parameters
        ----------
        of : callable
            Takes a batch and the number of its first row.
        merge : callable
            Takes what was made of some rows and of those that follow.
        numbered : bool, default=False
            Whether `of` looks at the number, which a cluster has to count rows for.

        Returns
        -------
        object or None
            None where there are no rows.

        Examples
        --------
        >>> stream = Stream(lambda: iter([Batch([[1.0], [2.0]]), Batch([[3.0]])]))
        >>> stream.reduced(lambda batch, first: batch.n_rows, int.__add__)
        3
        """
        total: T | None = None
        first = 0
        for batch in self:
            count = batch.n_rows
            if count:
                with batch_from(first, self.name):
                    part = of(batch, first)
                total = part if total is None else merge(total, part)
            first += count
        return total

    def shared_out(
        self,
        kept: Callable[[Batch, int], T],
        made: Callable[[int, list[T]], U],
        merge: Callable[[U, U], U],
        shares: int,
    ) -> U | None:
        """Work on all rows at once, cut into shares that each see what is kept of all rows.

        Parameters
        ----------
        kept : callable
            Takes a batch and a number that says nothing; returns what the work needs of it.
        made : callable
            Takes the number of a share and what was kept, in the rows' order.
        merge : callable
            Takes what was made by some shares and by those that follow.
        shares : int >= 1
            How many there are.

        Returns
        -------
        object or None
            None where there are no rows.

        Examples
        --------
        >>> stream = Stream(lambda: iter([Batch([[1.0], [2.0]]), Batch([[3.0]])]))
        >>> stream.shared_out(lambda batch, first: batch.n_rows, lambda k, n: [(k, n)],
        ...                   list.__add__, 2)
        [(0, [2, 1]), (1, [2, 1])]
        """
        parts = self.reduced(lambda batch, first: [kept(batch, first)], list.__add__)
        total: U | None = None
        for share in range(shares) if parts else ():
            part = made(share, parts or [])
            total = part if total is None else merge(total, part)
        return total

    @property
    def slots(self) -> int:
        """How many shares of work are done at a time: here one, by all threads."""
        return 1

    def count(self) -> int:
        """How many rows there are: a pass over the targets where nobody has said so."""
        known = self._unchanged.known
        if known is not None:
            return int(known[1])
        if self.length is not None:
            return self.length
        return sum(batch.n_rows for batch in self.without_features())

    def head(self) -> Batch | None:
        """The first batch that has rows; the next pass begins with it, so that no pass is spent.

        >>> stream = Stream(lambda: iter([Batch([[1.0]]), Batch([[2.0]])]), repeatable=False)
        >>> stream.head().x, [batch.x for batch in stream], stream.passes
        ([[1.0]], [[[1.0]], [[2.0]]], 1)
        """
        if self._first is not None:
            return self._first()
        if self._head is not None:
            return self._head
        if self._begun is None:
            rest, seen = iter(self), list[Batch]()
            for batch in rest:
                seen.append(batch)
                if batch.n_rows:
                    break
            self._begun = seen, rest
        seen = self._begun[0]
        self._head = seen[-1] if seen and seen[-1].n_rows else None
        return self._head

    def map(self, function: Callable[[Any], Any]) -> Stream:
        """The stream whose features are a function of these, such as a fitted transformer's."""
        return self.map_batches(lambda batch, first: batch._replace(x=function(batch.x)))

    def map_batches(self, function: Callable[[Batch, int], Batch]) -> Stream:
        """The stream of what a function makes of each batch that has rows.

        Parameters
        ----------
        function : callable
            Takes a batch and the number of its first row; returns a batch of as many rows.
        """

        def start() -> Iterator[Batch]:
            first = 0
            for batch in self:
                count = batch.n_rows
                if count:
                    yield function(batch, first)
                first += count

        def head() -> Batch | None:
            batch = self.head()
            return None if batch is None else function(batch, 0)

        made = Stream(start, self.name, self.repeatable, self.length, reports=False)
        made._first = head
        return made._made_of(self)

    def where(self, chosen: Callable[[int, int], NDArray[np.bool_]]) -> Stream:
        """The stream of some rows.

        Parameters
        ----------
        chosen : callable
            Takes the number of a batch's first row and how many rows it has; returns which of them
            are wanted. Batches of which none is are left out.
        """

        def start() -> Iterator[Batch]:
            first = 0
            for batch in self:
                count = batch.n_rows
                kept = chosen(first, count)
                first += count
                if kept.all():
                    yield batch
                elif kept.any():
                    yield batch.take(kept)

        return Stream(start, self.name, self.repeatable, reports=False)._made_of(self)

    @property
    def remembers_moments(self) -> bool:
        """Whether moments of its rows are kept between fits, as those of a join are."""
        return False

    def by_entity(self, folds: Any) -> Any:
        """Folds by numbers of rows as this stream's rows are to be divided: here as they are.

        Streams whose rows belong together, such as those of a join, give folds that keep them so.
        """
        return folds

    def chosen(self, mask: Callable[[Batch], NDArray[np.bool_]]) -> Stream:
        """The stream of some rows, told by what they hold.

        Parameters
        ----------
        mask : callable
            Takes a batch; returns which of its rows are wanted.
        """

        def start() -> Iterator[Batch]:
            for batch in self:
                kept = mask(batch)
                if kept.all():
                    yield batch
                elif kept.any():
                    yield batch.take(kept)

        return Stream(start, self.name, self.repeatable, reports=False)._made_of(self)

    def __repr__(self) -> str:
        count = "rows" if self.length is None else f"{self.length:,} rows"
        often = "as often as asked" if self.repeatable else "once"
        return f"Stream: {count} of {self.name}, {often}; {self.passes} passes so far"
