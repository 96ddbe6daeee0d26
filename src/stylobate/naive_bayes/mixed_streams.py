"""`NaiveBayes` on streams: kinds and classes from one pass, what occurs in each from another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import BaseEstimator
from stylobate.base.batches import refuse_read_once
from stylobate.base.stream_labels import LabelCounts
from stylobate.base.validation import compare_features, remember_features
from stylobate.data import read_weights
from stylobate.data.kinds import Schema
from stylobate.data.mixed_columns import MixedColumns
from stylobate.data.streams import Batch, Stream, batch_from
from stylobate.exceptions import InvalidDataError
from stylobate.naive_bayes.reading import chosen_models, learnt, seen_in
from stylobate.statistics.column_values import schema_of_batches


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
        seen: dict[int, Any] = {}
        count = np.zeros(len(labels.classes))
        for batch in self._batches(stream):
            columns = self._columns(batch.x)
            codes = labels.codes(batch.y, columns.n_rows, type(self).__name__)
            count += np.bincount(codes, weights=batch.weights, minlength=len(count))
            for j, part in seen_in(self, columns, codes, batch.weights, len(count)).items():
                seen[j] = seen[j].merge(part) if j in seen else part
        prior = self._prior(count)
        self.features_ = learnt(self, seen)
        self.classes_, self.class_count_, self.class_prior_ = labels.classes, count, prior
        return self

    def _settle(self, stream: Stream) -> LabelCounts:
        """Kinds and models of the columns, and the labels: one pass."""
        owner, labels = type(self).__name__, LabelCounts(np.zeros(0), np.zeros(0))

        def columns_of(batch: Batch) -> MixedColumns:
            nonlocal labels
            part = LabelCounts.of_batch(batch.y, batch.weights, owner)
            columns: MixedColumns = self._columns(batch.x)
            if len(labels.classes):
                compare_features(self, columns)  # type: ignore[arg-type]  # knows names
                labels = labels.merge(part)
            else:
                remember_features(self, columns)  # type: ignore[arg-type]  # knows names
                labels = part
            return columns

        self.schema_, _ = schema_of_batches(map(columns_of, self._batches(stream)))
        self.models_ = chosen_models(self.schema_, self.models, owner)
        return labels

    def _batches(self, stream: Stream) -> Iterator[Batch]:
        """Batches of the rows that have a weight."""
        owner, first, some = type(self).__name__, 0, False
        for batch in stream:
            with batch_from(first, stream.name):
                weights = _weights_of(batch, owner)
            first += batch.n_rows
            batch = batch._replace(weights=weights)
            kept = batch if weights is None else batch.take(weights > 0)
            if kept.n_rows:
                some = True
                yield kept
        if not some:
            raise InvalidDataError(f"{owner}: {stream.name} has no rows to learn from.")


def _weights_of(batch: Batch, owner: str) -> Array | None:
    """The weights of a batch; all of them may be zero, as long as others are not."""
    if batch.weights is None or not np.any(batch.weights):
        return None if batch.weights is None else np.zeros(batch.n_rows)
    return read_weights(batch.weights, batch.n_rows, owner=owner)
