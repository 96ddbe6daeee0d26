"""Parts of a composition fitted on streams: how many passes they take, and what they hand on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.base.batches import first_batch
from stylobate.base.delegation import tags_of
from stylobate.base.estimator import BaseEstimator
from stylobate.base.tags import Tier
from stylobate.exceptions import InvalidParameterError, UnsupportedDataError

if TYPE_CHECKING:
    from stylobate.data.streams import Batch, Stream

# What a fitted transformer makes of rows of its own fit: of X and the number of its first row.
# Encoders by means of the target give each row the means of other rows there.
TrainingOutput = Callable[[Any, int], Any]


def first_batch_is_enough(part: Any) -> bool:
    """Whether a part is fitted to a stream without a pass over it."""
    return bool(getattr(part, "_first_batch_is_enough", False))


def joint_tier(parts: Iterable[Any]) -> Tier:
    """The tier of parts fitted one after the other, from those that need a pass of their own.

    Examples
    --------
    >>> from stylobate.linear_model import LogisticRegression, Ridge
    >>> from stylobate.preprocessing import Normalizer, StandardScaler
    >>> joint_tier([Normalizer(), Ridge()]), joint_tier([StandardScaler(), Ridge()])
    ('one pass', 'several passes')
    >>> joint_tier([StandardScaler(), LogisticRegression()])
    'one pass per iteration'
    """
    tiers = [_tier(part) for part in parts if not first_batch_is_enough(part)]
    for worst in ("all rows", "one pass per iteration"):
        if worst in tiers:
            return worst
    return "several passes" if len(tiers) > 1 else tiers[0] if tiers else "one pass"


def _tier(part: Any) -> Tier:
    if isinstance(part, BaseEstimator):
        return part._tags().tier
    if not hasattr(part, "partial_fit"):
        return "all rows"
    classifies = tags_of(part).estimator_type == "classifier"
    return "several passes" if classifies else "one pass"


def fit_part(part: Any, stream: Stream) -> Any:
    """A part fitted to a stream: ours by `_fit_stream`, others by `partial_fit` of each batch."""
    if isinstance(part, BaseEstimator):
        return part._fit_stream(stream)
    if not hasattr(part, "partial_fit"):
        raise UnsupportedDataError(
            f"{type(part).__name__} has `fit` alone, which needs all rows in memory, and "
            f"{stream.name} is read in batches; choose an estimator of stylobate, one with "
            "`partial_fit`, or fit to rows in memory, such as read(...).to_frame() gives."
        )
    options: dict[str, Any] = {}
    if tags_of(part).estimator_type == "classifier":
        options["classes"] = _labels(stream)
    for batch in stream:
        if batch.n_rows:
            part.partial_fit(batch.x, batch.y, **options)
            options = {}
    return part


def _labels(stream: Stream) -> Any:
    """All labels, by a pass of their own: a batch need not hold every class."""
    found: Any = None
    for batch in stream:
        if batch.n_rows and batch.y is not None:
            own = np.unique(batch.y)
            found = own if found is None else np.union1d(found, own)
    return found


def train_part(part: Any, stream: Stream) -> TrainingOutput:
    """Fit a transformer to a stream; what it hands on of these rows to whoever is fitted next."""
    if hasattr(part, "_train_on_stream"):
        made: TrainingOutput = part._train_on_stream(stream)
        return made
    fit_part(part, stream)
    return lambda x, first: part.transform(x)


def trained(stream: Stream, output: TrainingOutput) -> Stream:
    """The stream of what a transformer hands on."""

    def change(batch: Batch, first: int) -> Batch:
        return batch._replace(x=output(batch.x, first))

    return stream.map_batches(change)


def refuse_weights(stream: Stream, owner: str) -> None:
    """Compositions do not know whose the weights are, neither in memory nor here."""
    if first_batch(stream, owner).weights is not None:
        raise InvalidParameterError(f"{owner}.fit takes no weights; leave weight out.")
