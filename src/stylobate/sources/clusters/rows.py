"""`ClusterRows`: the stream of a cluster's rows, of which this machine sees the first one alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from itertools import accumulate
from typing import Any, NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray

from stylobate.config import get_config
from stylobate.data.streams import Batch, Stream
from stylobate.data.streams.progress import Pass, watch
from stylobate.exceptions import InvalidParameterError, UnsupportedDataError
from stylobate.sources.clusters.answers import Answer
from stylobate.sources.clusters.messages import decode
from stylobate.sources.clusters.partitions import Partitions
from stylobate.sources.clusters.work import (
    BatchSummary,
    Partial,
    RowCounts,
    SharedOut,
    Step,
    Summary,
    Work,
    work_in_bytes,
)

T = TypeVar("T")
U = TypeVar("U")


class ClusterRows(Stream):
    """Rows in the partitions of a cluster.

    They are never passed through this machine: what is to be known of them is computed where they
    are (`reduced`, or statistics by `ClusterSource`) and merged along a tree.

    Parameters
    ----------
    partitions : Partitions
    """

    here = False

    def __init__(self, partitions: Partitions) -> None:
        super().__init__(self._refuse_rows, partitions.name, reports=False)
        self._held = [partitions]  # shared with what is derived, so that all of it is kept
        self._steps: tuple[Callable[[], Step], ...] = ()
        self._changes: tuple[Callable[[Batch, int], Batch], ...] = ()  # those that the head takes
        self._counted: Callable[[], tuple[int, ...]] = self._pass_of_counts
        self._counts: tuple[int, ...] | None = None
        self._seen: list[Batch | None] = []

    def _refuse_rows(self) -> NoReturn:
        raise UnsupportedDataError(
            f"{self.name} stays on its cluster, and this way of fitting needs its rows in memory, "
            "one after the other. Choose an estimator that learns in passes (see the page on "
            "clusters), or bring a sample of the rows into memory and fit to that."
        )

    def __reduce__(self) -> Any:
        return _Elsewhere, (self.name, self.passes)  # a function may know where its rows are from

    def __copy__(self) -> ClusterRows:
        made = object.__new__(type(self))
        vars(made).update(vars(self))
        return made

    @property
    def partitions(self) -> Partitions:
        return self._held[0]

    # --- passes -----------------------------------------------------------------------------------

    def summarised(self, summary: Summary, *, numbered: bool, shares: int = 0) -> Partial:
        """A pass: the summary of all partitions, merged in their order, or of so many shares."""
        starts = self.starts() if numbered else None
        steps = tuple(step() for step in self._steps)
        self.passes += not isinstance(summary, RowCounts)
        work = Work(
            self.partitions.opened,
            steps,
            summary,
            starts,
            get_config(),
        )
        task = work_in_bytes(work, self.partitions.pickler)
        report = Pass(self.name, self.passes, self.length, None)
        report.partitions = self.partitions.count()
        with watch(report) as progress:
            told = progress.add_partitions
            found: Partial = decode(
                self.partitions.shared(task, shares, told)
                if shares
                else self.partitions.reduced(task, told)
            )
            progress.rows = found.rows
        if found.refusal is not None:
            found.refusal.raise_it(self.name)
        self.rows_read += found.rows
        if self.origin is not self:  # whose rows all of them are
            self.origin.passes += not isinstance(summary, RowCounts)
            self.origin.rows_read += self.origin.length or found.rows
        return found

    def reduced(
        self, of: Callable[[Batch, int], T], merge: Callable[[T, T], T], *, numbered: bool = False
    ) -> T | None:
        """As of every stream, where the rows are."""
        found: T | None = self.summarised(BatchSummary(of, merge), numbered=numbered).value
        return found

    def shared_out(
        self,
        kept: Callable[[Batch, int], T],
        made: Callable[[int, list[T]], U],
        merge: Callable[[U, U], U],
        shares: int,
    ) -> U | None:
        """As of every stream: what is kept goes from worker to worker, not through here."""
        summary = SharedOut(kept, made, merge)
        found: U | None = self.summarised(summary, numbered=False, shares=shares).value
        return found

    @property
    def slots(self) -> int:
        """How many tasks the cluster runs at a time."""
        return max(self.partitions.slots(), 1)

    def _pass_of_counts(self) -> tuple[int, ...]:
        return tuple(self.summarised(RowCounts(), numbered=False).value)

    def counts(self) -> tuple[int, ...]:
        """How many rows each partition has: one pass, then known."""
        if self._counts is None:
            self._counts = self._counted()
            self.length = sum(self._counts)
        return self._counts

    def starts(self) -> tuple[int, ...]:
        """The number of each partition's first row."""
        return (0, *accumulate(self.counts()))[:-1]

    def count(self) -> int:
        """How many rows there are."""
        return sum(self.counts())

    def keep(self) -> None:
        """Have the workers hold the rows for more passes."""
        self._held[0] = self.partitions.kept()

    def beside(self, y: Any, weights: Any) -> ClusterRows:
        """The rows together with a target and weights that are collections of their own."""
        if y is None and weights is None:
            return self
        join = getattr(self.partitions, "beside", None)
        if join is None:
            raise InvalidParameterError(
                f"{self.name} brings target and weights along: name their columns by target= and "
                "weight=."
            )
        return ClusterRows(join(y, weights))

    def answered(self, model: Any, method: str, options: dict[str, Any]) -> Any:
        """What a fitted model answers, lazily, as the engine's own type."""
        refuse = getattr(model, "_refuse_to_travel", None)
        if refuse is not None:
            refuse()
        names = getattr(model, "feature_names_in_", None)
        features = None if names is None or self.partitions.columns is None else tuple(names)
        return self.partitions.answered(Answer(model, method, options, features))

    # --- as of every stream -----------------------------------------------------------------------

    def head(self) -> Batch | None:
        """The first row, changed as all rows are; which rows are chosen makes no difference."""
        if not self._seen:
            piece = self.partitions.head()
            batch = None if piece is None else self.partitions.opened(piece)
            for change in self._changes if batch is not None and batch.n_rows else ():
                batch = change(batch, 0)  # type: ignore[arg-type]  # there is one
            self._seen.append(batch if batch is not None and batch.n_rows else None)
        return self._seen[0]

    def without_features(self) -> Stream:
        """Itself: columns that are not asked for stay where they are anyway."""
        return self

    @property
    def can_tell(self) -> bool:
        return False

    def refuse_changed(self) -> None:
        """Whether a cluster's rows have changed cannot be told."""

    def map(self, function: Callable[[Any], Any]) -> Stream:
        """The rows whose features are a function of these."""
        return self._derived(_OfFeatures(function), numbered=False, keeps_rows=True)

    def map_batches(self, function: Callable[[Batch, int], Batch]) -> Stream:
        """The rows that a function makes of each batch."""
        return self._derived(function, numbered=True, keeps_rows=True)

    def where(self, chosen: Callable[[int, int], NDArray[np.bool_]]) -> Stream:
        """Some of the rows, by their numbers."""
        return self._derived(_Where(chosen), numbered=True, keeps_rows=False)

    def chosen(self, mask: Callable[[Batch], NDArray[np.bool_]]) -> Stream:
        """Some of the rows, by what they hold."""
        return self._derived(_Chosen(mask), numbered=False, keeps_rows=False)

    def _derived(
        self, change: Callable[[Batch, int], Batch], *, numbered: bool, keeps_rows: bool
    ) -> ClusterRows:
        made = copy(self)
        made.passes = made.rows_read = 0
        made._seen = []
        made._origin = self.origin

        def step() -> Step:
            return Step(change, self.starts() if numbered else None)

        made._steps = (*self._steps, step)
        if keeps_rows:
            made._changes = (*self._changes, change)
            made._counted = self.counts
        else:
            made._counts, made.length = None, None
            made._counted = made._pass_of_counts
        return made

    def __iter__(self) -> Iterator[Batch]:
        self._refuse_rows()


class _OfFeatures:
    """A change of the features alone."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function

    def __call__(self, batch: Batch, first: int) -> Batch:
        return batch._replace(x=self.function(batch.x))


class _Where:
    """Some rows of a batch."""

    def __init__(self, chosen: Callable[[int, int], NDArray[np.bool_]]) -> None:
        self.chosen = chosen

    def __call__(self, batch: Batch, first: int) -> Batch:
        kept = self.chosen(first, batch.n_rows)
        return batch if kept.all() else batch.take(kept)


class _Chosen:
    """Some rows of a batch, by what they hold."""

    def __init__(self, mask: Callable[[Batch], NDArray[np.bool_]]) -> None:
        self.mask = mask

    def __call__(self, batch: Batch, first: int) -> Batch:
        kept = self.mask(batch)
        return batch if kept.all() else batch.take(kept)


class _Elsewhere:
    """What a worker knows of the rows as a whole: their name, and which pass this is."""

    repeatable = True

    def __init__(self, name: str, passes: int) -> None:
        self.name, self.passes = name, passes
