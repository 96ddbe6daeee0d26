"""What a worker does with the rows of a partition, and how two workers' answers become one.

All of it is the same for every engine: an engine hands over a partition's rows and carries bytes.
Refusals travel as values, so that no engine wraps them in words of its own.
"""

from __future__ import annotations

import builtins
import pickle
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NoReturn, Protocol

import numpy as np

from stylobate import exceptions
from stylobate.config import config_context
from stylobate.data import Table
from stylobate.data.streams import Batch
from stylobate.engines.core import checked
from stylobate.engines.registry import compute
from stylobate.engines.windows import recut
from stylobate.exceptions import ClusterError
from stylobate.parallel import threads
from stylobate.sources.clusters.messages import (
    decode,
    encode,
    library_version,
    refuse_other_version,
)

Numbered = tuple[int, Batch]  # the number of the first row, and the rows


class Summary(Protocol):
    """What is to be known of rows: of a partition's batches, and of two partitions' answers."""

    def of(self, batches: Iterator[Numbered]) -> Any: ...

    def merge(self, first: Any, second: Any) -> Any: ...


@dataclass(frozen=True, slots=True)
class Refusal:
    """What went wrong with the rows of a partition.

    Parameters
    ----------
    kind : str
        The class of the error.
    text : str
    partition : int
    start : int
        The number of the partition's first row; -1 where rows were not counted.
    rows : int
        How many rows were read before.
    trace : str
        Where, for errors that are not ours.
    """

    kind: str
    text: str
    partition: int
    start: int
    rows: int
    trace: str = ""

    def raise_it(self, name: str) -> NoReturn:
        """Raise the error here, with the partition and its rows."""
        place = f"rows {self.start} on" if self.start >= 0 else f"{self.rows} rows read"
        told = f"{self.text.rstrip()} That was in partition {self.partition} of {name} ({place})."
        if self.partition < 0:  # of all rows together
            told = self.text.rstrip()
        ours = getattr(exceptions, self.kind, None)
        known = ours or getattr(builtins, self.kind, None)
        if isinstance(known, type) and issubclass(known, Exception):
            error = known(told)
        else:
            error = ClusterError(f"{self.kind}: {told}")
        if self.trace:
            error.add_note(f"On the worker:\n{self.trace}")
        raise error


@dataclass(frozen=True, slots=True, eq=False)
class Partial:
    """What is known of the rows of some partitions that follow each other.

    `value` is None where they have no rows: the identity of merging.
    """

    value: Any
    rows: int
    refusal: Refusal | None = None

    def merge(self, other: Partial, summary: Summary) -> Partial:
        """Of both; of two refusals the first partition's."""
        refusal = self.refusal or other.refusal
        rows = self.rows + other.rows
        if refusal is not None or other.value is None:
            return replace(self, rows=rows, refusal=refusal)
        if self.value is None:
            return replace(other, rows=rows)
        return Partial(summary.merge(self.value, other.value), rows)


@dataclass(frozen=True, slots=True)
class Step:
    """A change of every batch on its way: of its columns, or of which rows there are.

    Parameters
    ----------
    change : callable
        Takes a batch and the number of its first row.
    starts : tuple of int, optional
        The number of each partition's first row, if the change looks at it.
    """

    change: Callable[[Batch, int], Batch]
    starts: tuple[int, ...] | None = None

    def applied(self, batches: Iterable[Batch], partition: int) -> Iterator[Batch]:
        first = 0 if self.starts is None else self.starts[partition]
        for batch in batches:
            count = batch.n_rows
            if count:
                yield self.change(batch, first)
            first += count


@dataclass(frozen=True, slots=True)
class Work:
    """Everything a worker has to know.

    Parameters
    ----------
    opened : callable
        From an engine's own piece of a partition to a `Batch`.
    steps : tuple of Step
    summary : Summary
    starts : tuple of int, optional
        The number of each partition's first row after the steps, where rows were counted.
    settings : dict
        Those of the machine that asks.
    """

    opened: Callable[[Any], Batch]
    steps: tuple[Step, ...]
    summary: Summary
    starts: tuple[int, ...] | None
    settings: dict[str, Any]

    def of_partition(self, partition: int, pieces: Iterable[Any]) -> Partial:
        """The summary of a partition; its refusal, where there is one."""
        seen = _Seen(-1 if self.starts is None else self.starts[partition])

        def value() -> Any:
            batches: Any = (self.opened(piece) for piece in pieces)
            for step in self.steps:
                batches = step.applied(batches, partition)
            rows: Any = seen.numbered(batches)
            with closing(rows) as numbered:
                return self.summary.of(numbered)

        return self._tried(value, seen, partition)

    def of_share(self, share: int, parts: list[Partial]) -> Partial:
        """What a share makes of what all partitions said, in their order."""
        refused = next((each for each in parts if each.refusal is not None), None)
        if refused is not None:
            return refused
        seen = _Seen(-1)
        seen.rows = 0 if share else sum(each.rows for each in parts)
        said = [each.value for each in parts if each.value is not None]
        summary: Any = self.summary
        return self._tried(lambda: summary.share(share, said) if said else None, seen, -1)

    def _tried(self, make: Callable[[], Any], seen: _Seen, partition: int) -> Partial:
        """What a function makes on a thread; a refusal as a value."""
        try:
            with threads(1), config_context(**self.settings):
                value = make()
        except (MemoryError, OSError):
            raise  # another worker may have room: the engine tries again
        except Exception as error:
            ours = isinstance(error, exceptions.StylobateError)
            trace = "" if ours else traceback.format_exc()
            kind, text = type(error).__name__, str(error)
            return Partial(
                None, seen.rows, Refusal(kind, text, partition, seen.start, seen.rows, trace)
            )
        return Partial(value, seen.rows)


class _Seen:
    """Counts the rows of a partition as they go by."""

    def __init__(self, start: int) -> None:
        self.start, self.rows = start, 0

    def numbered(self, batches: Iterable[Batch]) -> Iterator[Numbered]:
        for batch in batches:
            if batch.n_rows:
                yield max(self.start, 0) + self.rows, batch
                self.rows += batch.n_rows


# --- what engines call ----------------------------------------------------------------------------


def work_in_bytes(work: Work, pickler: Any) -> bytes:
    """Work as the workers get it; refuses functions that cannot be sent, in a sentence."""
    try:
        body = pickler.dumps(work)
    except Exception as error:
        raise ClusterError(
            "The fit holds something that cannot be sent to the workers of a cluster "
            f"({type(error).__name__}: {str(error).splitlines()[0]}); pass functions that use no "
            "open files, locks or connections."
        ) from error
    return encode({"version": library_version(), "work": body})


@lru_cache(maxsize=2)
def _work_of(task: bytes) -> Work:
    message = decode(task)
    refuse_other_version(message["version"])
    work: Work = pickle.loads(message["work"])
    return work


def partition_message(task: bytes, partition: int, pieces: Iterable[Any]) -> bytes:
    """The message about one partition."""
    return encode(_work_of(task).of_partition(partition, pieces))


def share_message(task: bytes, share: int, messages: Iterable[bytes]) -> bytes:
    """The message of one of the shares, which are given the messages of all partitions."""
    return encode(_work_of(task).of_share(share, [decode(message) for message in messages]))


def merged_message(task: bytes, messages: Iterable[bytes]) -> bytes:
    """The message about several neighbours."""
    summary = _work_of(task).summary
    found = [decode(message) for message in messages]
    total: Partial = found[0]
    with threads(1):
        for other in found[1:]:
            try:
                total = total.merge(other, summary)
            except exceptions.StylobateError as error:  # parts that do not fit each other
                rows = total.rows + other.rows
                total = Partial(None, rows, Refusal(type(error).__name__, str(error), -1, -1, rows))
    return encode(total)


# --- summaries ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RowCounts:
    """How many rows each partition has: the pass that numbers them."""

    def of(self, batches: Iterator[Numbered]) -> list[int]:
        return [sum(batch.n_rows for _, batch in batches)]

    def merge(self, first: list[int], second: list[int]) -> list[int]:
        return first + second


@dataclass(frozen=True, slots=True)
class BatchSummary:
    """Functions of the batches as they come (`Stream.reduced`)."""

    function: Callable[[Batch, int], Any]
    together: Callable[[Any, Any], Any]

    def of(self, batches: Iterator[Numbered]) -> Any:
        total: Any = None
        for first, batch in batches:
            part = self.function(batch, first)
            total = part if total is None else self.together(total, part)
        return total

    def merge(self, first: Any, second: Any) -> Any:
        return self.together(first, second)


@dataclass(frozen=True, slots=True)
class SharedOut:
    """What is kept of the batches goes to all shares (`Stream.shared_out`)."""

    kept: Callable[[Batch, int], Any]
    made: Callable[[int, list[Any]], Any]
    together: Callable[[Any, Any], Any]

    def of(self, batches: Iterator[Numbered]) -> Any:
        return [self.kept(batch, first) for first, batch in batches] or None

    def share(self, share: int, said: list[Any]) -> Any:
        return self.made(share, [each for parts in said for each in parts])

    def merge(self, first: Any, second: Any) -> Any:
        return self.together(first, second)


@dataclass(frozen=True, slots=True, eq=False)
class Weighed:
    """A statistic, and whether all rows, or some, had weights of zero."""

    statistic: Any
    weighted: bool


@dataclass(frozen=True, slots=True)
class StatisticSummary:
    """The statistic of a recipe: the core's windows of the partition's rows, merged in order.

    Parameters
    ----------
    recipe : Recipe
    read : callable
        An estimator's own door, from batches to tables.
    """

    recipe: Any
    read: Callable[[Batch], Table]

    def of(self, batches: Iterator[Numbered]) -> Weighed | None:
        total: Any = None
        seen = _Weights()
        for window in _windows(batches, self.read, seen):
            part = checked(compute(self.recipe, window), window)
            total = part if total is None else total.merge(part)
        return None if total is None else Weighed(total, seen.any)

    def merge(self, first: Weighed, second: Weighed) -> Weighed:
        return Weighed(first.statistic.merge(second.statistic), first.weighted or second.weighted)


class _Weights:
    """Whether any row weighed something."""

    any = False


def _windows(
    batches: Iterator[Numbered], read: Callable[[Batch], Table], seen: _Weights
) -> Iterator[Table]:
    """Checked windows with the numbers of their rows."""
    start: list[int] = []

    def tables() -> Iterator[Table]:
        for first, batch in batches:
            start.append(first)
            nothing = weighs_nothing(batch)
            seen.any = seen.any or not nothing
            table = read(batch._replace(weights=None) if nothing else batch)
            yield replace(table, weights=np.zeros(table.n_rows)) if nothing else table

    for window in recut(tables()):
        yield replace(window, first_row=window.first_row + start[0])


def weighs_nothing(batch: Batch) -> bool:
    """Whether all rows of a batch have a weight of zero, which some of the batches may."""
    weights = np.asarray(1.0 if batch.weights is None else batch.weights)
    return weights.ndim == 1 and weights.dtype.kind in "biuf" and not weights.any()
