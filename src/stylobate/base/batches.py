"""Batches of a stream on their way into an estimator: the first one, and the door for all."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self

from stylobate.base.estimator import BaseEstimator
from stylobate.base.tags import Tags
from stylobate.exceptions import InvalidDataError, UnsupportedDataError

if TYPE_CHECKING:
    from stylobate.data import Table
    from stylobate.data.streams import Batch, Stream


class FitsFirstBatch(BaseEstimator):
    """For estimators whose `fit` needs the columns and not the rows.

    Of a stream they look at the first batch, which costs no pass: the pass of whoever comes next
    begins with it. Later batches are held against its columns as they are transformed.
    """

    _first_batch_is_enough: ClassVar[bool] = True

    def _tags(self) -> Tags:
        return super()._tags().but(tier="one pass")

    def _fit_stream(self, stream: Stream) -> Self:
        fit: Any = self.fit  # type: ignore[attr-defined]
        return fit(first_batch(stream, type(self).__name__).x)  # type: ignore[no-any-return]


def first_batch(stream: Stream, owner: str) -> Batch:
    """The first batch that has rows; refuses a stream without any."""
    batch = stream.head()
    if batch is None:
        raise InvalidDataError(f"{owner}: {stream.name} has no rows to learn from.")
    return batch


def batch_door(read: Callable[[Batch, bool], Table]) -> Callable[[Batch], Table]:
    """A door for the batches of a stream, of whose columns the first one's are remembered.

    Parameters
    ----------
    read : callable
        Takes a batch and whether to remember its columns (or to compare them); returns a table.
    """
    first = True

    def door(batch: Batch) -> Table:
        nonlocal first
        table = read(batch, first)
        first = False
        return table

    return door


def refuse_read_once(repeatable: bool, owner: str) -> None:
    """Refuse rows that cannot be passed over again, for models that need a pass per iteration."""
    if not repeatable:
        raise InvalidDataError(
            f"{owner}: the batches can be read only once, and every iteration needs a pass. Pass a "
            "list, or a function that returns a new iterator each time."
        )


def refuse_weighted(owner: str, stream: Stream, what: str) -> NoReturn:
    """Weights of rows that would have to be known all at once."""
    raise UnsupportedDataError(
        f"{owner}: {what} needs all rows in memory, and {stream.name} is read in batches; leave "
        "the weights out, or fit to rows in memory."
    )
