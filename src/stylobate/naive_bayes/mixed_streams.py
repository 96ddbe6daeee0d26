"""`NaiveBayes` on streams: kinds and classes from one pass, what occurs in each from another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Mask
from stylobate.base import BaseEstimator
from stylobate.base.batches import first_batch, refuse_read_once
from stylobate.base.stream_labels import LabelCounts
from stylobate.base.validation import compare_features, remember_features
from stylobate.data import read_weights
from stylobate.data.kinds import Schema
from stylobate.data.streams import Batch, Stream
from stylobate.exceptions import InvalidDataError
from stylobate.naive_bayes.reading import chosen_models, learnt, seen_in
from stylobate.statistics.columns.column_values import (
    ColumnValues,
    merged_values,
    schema_of_found,
    values_of_columns,
)


class LearnsMixedStreams(BaseEstimator):
    """How `NaiveBayes` learns from streams."""

    if TYPE_CHECKING:
        models: Any
        schema_: Schema
        models_: dict[str, str]
        features_: list[Any]
        classes_: NDArray[Any]
        class_count_: Array
        class_prior_: Array
        _prior: Any
        _columns: Any

    def _fit_stream(self, stream: Stream) -> Self:
        """Two passes: what the columns and the classes are; what occurs in each class."""
        if self._needs_rows:
            return super()._fit_stream(stream)
        self._check_parameters()
        refuse_read_once(stream.repeatable, type(self).__name__)
        labels = self._settle(stream)
        owner, k = type(self).__name__, len(labels.classes)

        def occurrences(batch: Batch, first: int) -> tuple[Array, dict[int, Any]]:
            batch = _counted(batch, owner)
            columns = self._columns(batch.x)
            codes = labels.codes(batch.y, columns.n_rows, owner)
            count = np.bincount(codes, weights=batch.weights, minlength=k).astype(np.float64)
            return count, seen_in(self, columns, codes, batch.weights, k)

        found = stream.chosen(_weighs).reduced(occurrences, _both)
        assert found is not None  # the pass before found rows
        count, seen = found
        prior = self._prior(count)
        self.features_ = learnt(self, seen)
        self.classes_, self.class_count_, self.class_prior_ = labels.classes, count, prior
        return self

    def _settle(self, stream: Stream) -> LabelCounts:
        """Kinds and models of the columns, and the labels: one pass."""
        owner = type(self).__name__
        head = self._columns(first_batch(stream, owner).x)
        remember_features(self, head)  # knows names

        def looked(batch: Batch, first: int) -> tuple[LabelCounts, list[ColumnValues]]:
            batch = _counted(batch, owner)
            columns = self._columns(batch.x)
            compare_features(self, columns)  # knows names
            labels = LabelCounts.of_batch(batch.y, batch.weights, owner)
            return labels, values_of_columns(columns)

        found = stream.chosen(_weighs).reduced(
            looked, lambda one, other: (one[0].merge(other[0]), merged_values(one[1], other[1]))
        )
        if found is None:
            raise InvalidDataError(f"{owner}: {stream.name} has no rows to learn from.")
        labels: LabelCounts
        labels, values = found
        self.schema_, _ = schema_of_found(values, head)
        self.models_ = chosen_models(self.schema_, self.models, owner)
        return labels


def _both(one: tuple[Array, dict[int, Any]], other: tuple[Array, dict[int, Any]]) -> Any:
    """What occurs in both parts' rows."""
    seen = dict(one[1])
    for j, part in other[1].items():
        seen[j] = seen[j].merge(part) if j in seen else part
    return one[0] + other[0], seen


def _weighs(batch: Batch) -> Mask:
    """The rows that count; weights that are none are refused where they are read."""
    weights = None if batch.weights is None else np.asarray(batch.weights)
    if weights is None or weights.dtype.kind not in "biuf" or weights.shape != (batch.n_rows,):
        return np.ones(batch.n_rows, dtype=np.bool_)
    return np.asarray(weights != 0)


def _counted(batch: Batch, owner: str) -> Batch:
    """A batch with its weights checked."""
    if batch.weights is None:
        return batch
    return batch._replace(weights=read_weights(batch.weights, batch.n_rows, owner=owner))
