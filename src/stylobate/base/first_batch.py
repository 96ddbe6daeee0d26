"""Estimators that learn no more of the rows than how many columns there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from stylobate.base.estimator import BaseEstimator
from stylobate.base.tags import Tags
from stylobate.exceptions import InvalidDataError

if TYPE_CHECKING:
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
