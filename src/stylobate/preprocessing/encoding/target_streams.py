"""Means of the target by category from streams: whole, and cross-fitted by hashed row numbers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices
from stylobate.data import read_labels
from stylobate.data.coding import Coded
from stylobate.exceptions import InvalidDataError, UnsupportedDataError
from stylobate.splits import type_of_target
from stylobate.statistics.columns.value_counts import ValueCounts
from stylobate.statistics.groups.group_moments import GroupMoments

if TYPE_CHECKING:
    from stylobate.base.composition.stream_fits import TrainingOutput
    from stylobate.data.streams import Batch, Stream

_KINDS = ("binary", "continuous", "multiclass")


class EncodesTargetStreams:
    """How `TargetEncoder` learns from streams: categories by one pass, means by another."""

    if TYPE_CHECKING:
        cv: Any
        smooth: Any
        random_state: Any
        target_type: str
        target_type_: str
        target_mean_: Any
        classes_: NDArray[Any] | None
        categories_: list[NDArray[Any]]
        encodings_: list[Array]
        n_features_in_: int
        _check_parameters: Any
        _infrequent: list[NDArray[np.intp] | None]
        _look_up: Any
        _read_columns: Any
        _read_numbers: Any
        _settle_categories: Any
        _tallied: Any
        _wrap: Any

    def _fit_stream(self, stream: Stream) -> Self:
        self._learn_folds(stream, 1)
        return self

    def _train_on_stream(self, stream: Stream) -> TrainingOutput:
        """Fit; each row of the stream is encoded by the means of the other folds."""
        n_folds = 5 if self.cv is None else self.cv
        if not isinstance(n_folds, int | np.integer):
            raise UnsupportedDataError(
                f"TargetEncoder: cv={self.cv!r} names rows, and those of a stream are dealt to "
                "folds by number; give cv as a number of folds."
            )
        parts = self._learn_folds(stream, int(n_folds))
        means = [self._means(_merged(parts[:k] + parts[k + 1 :])) for k in range(int(n_folds))]

        def output(x: Any, first: int) -> Any:
            columns = self._read_columns(x, reset=False)
            fold = self._fold(first, columns.n_rows, int(n_folds))
            out = np.empty((columns.n_rows, sum(each.shape[1] for each in means[0])))
            start = 0
            for j, (place, codes) in enumerate(self._look_up(columns, refuse=False)):
                table = np.stack([each[j] for each in means])
                out[:, start : start + table.shape[2]] = table[fold, place[codes]]
                start += table.shape[2]
            return self._wrap(out, columns)

        return output

    def _fold(self, first: int, count: int, n_folds: int) -> Indices:
        """The folds of rows by their numbers, mixed by the last steps of splitmix64."""
        seed = self.random_state if isinstance(self.random_state, int | np.integer) else 0
        mixed = np.arange(first, first + count, dtype=np.uint64) + np.uint64(1 + int(seed) % 2**32)
        mixed *= np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return ((mixed ^ (mixed >> np.uint64(31))) % np.uint64(n_folds)).astype(np.intp)

    def _learn_folds(self, stream: Stream, n_folds: int) -> list[list[GroupMoments]]:
        """Learn from all rows; the moments of each fold, by column and of all rows at the end."""
        self._check_parameters()
        labels = _TargetLabels(type(self).__name__, self.target_type)
        tally, _ = self._tallied(stream)
        labels = stream.reduced(labels.looked, _TargetLabels.merge) or labels
        coded = [Coded(each.values, np.arange(len(each.values))) for each in tally]
        self._settle_categories(coded, unknown_allowed=True)
        self._infrequent = [None] * len(coded)
        self.target_type_, self.classes_ = labels.settled()
        folds = stream.reduced(
            partial(self._fold_moments, n_folds=n_folds),
            lambda known, new: [_pairwise(*both) for both in zip(known, new, strict=True)],
            numbered=True,
        )
        assert folds is not None  # there are rows: the categories are theirs
        whole = _merged(folds)
        self.target_mean_ = whole[-1].mean[0]
        if self.target_type_ != "multiclass":
            self.target_mean_ = float(self.target_mean_[0])
        self.encodings_ = [column.copy() for each in self._means(whole) for column in each[:-1].T]
        return folds

    def _fold_moments(self, batch: Batch, first: int, n_folds: int) -> list[list[GroupMoments]]:
        columns = self._read_columns(batch.x, reset=False)
        targets = self._numbers_of(batch.y, columns.n_rows)
        fold = self._fold(first, columns.n_rows, n_folds)
        found: list[list[GroupMoments]] = [[] for _ in range(n_folds)]
        coded = [(place[codes], len(known)) for (place, codes), known in self._codes(columns)]
        for codes, size in [*coded, (np.zeros(columns.n_rows, dtype=np.intp), 1)]:
            cell = np.where(codes < 0, -1, codes + fold * size)
            moments = GroupMoments.of(cell, n_folds * size, targets)
            for k, own in enumerate(found):
                own.append(moments.at(slice(k * size, (k + 1) * size)))
        return found

    def _codes(self, columns: Any) -> Any:
        return zip(self._look_up(columns, refuse=False), self.categories_, strict=True)

    def _numbers_of(self, y: Any, n_rows: int) -> Array:
        """The target of a batch as numbers, in terms of the classes of all batches."""
        if self.classes_ is None:
            return np.asarray(self._read_numbers(y, n_rows))
        labels, codes = read_labels(y, owner=type(self).__name__, n_rows=n_rows)
        place = np.searchsorted(self.classes_, labels)[codes]
        if self.target_type_ == "binary":
            return place[:, None].astype(np.float64)
        return np.asarray(place[:, None] == np.arange(len(self.classes_)), dtype=np.float64)

    def _means(self, parts: list[GroupMoments]) -> list[Array]:
        """Shrunk means of each column's categories, and the overall mean below them."""
        overall = parts[-1]
        mean = overall.mean[0]
        variance = overall.squares[0] / max(float(overall.count[0]), 1.0)
        return [np.vstack([shrunk(each, mean, variance, self.smooth), mean]) for each in parts[:-1]]


class _TargetLabels:
    """What kind of target the batches hold, and which labels, as far as they are labels."""

    def __init__(self, owner: str, kind: str) -> None:
        self.owner, self.kind = owner, kind
        self.continuous = kind == "continuous"
        self.labels: ValueCounts | None = None

    def looked(self, batch: Batch, first: int) -> _TargetLabels:
        """What a batch's target says."""
        made = _TargetLabels(self.owner, self.kind)
        made._look(batch)
        return made

    def merge(self, other: _TargetLabels) -> _TargetLabels:
        """Of both parts' rows."""
        made = _TargetLabels(self.owner, self.kind)
        made.continuous = self.continuous or other.continuous
        known = [each.labels for each in (self, other) if each.labels is not None]
        if not made.continuous and known:
            made.labels = known[0].merge(known[1]) if len(known) > 1 else known[0]
        return made

    def _look(self, batch: Batch) -> None:
        from stylobate.data.target import refuse_missing_target

        if batch.y is None:
            refuse_missing_target(self.owner)
        if self.kind == "auto":
            found = type_of_target(batch.y)
            refuse_target_type(found)
            self.continuous = found == "continuous"
        if self.continuous:
            return
        own = ValueCounts.of(read_labels(batch.y, owner=self.owner, n_rows=batch.n_rows)[0])
        self.labels = own

    def settled(self) -> tuple[str, NDArray[Any] | None]:
        """The kind, and the classes in order."""
        if self.continuous or self.labels is None:
            return "continuous", None
        classes = np.unique(self.labels.values)
        kind = self.kind
        if kind == "auto":
            kind = "multiclass" if len(classes) > 2 else "binary"
        if kind == "binary":
            refuse_third_class(classes, self.owner)
        return kind, classes


def refuse_target_type(kind: str) -> None:
    """Refuse targets that have no mean."""
    if kind not in _KINDS:
        raise InvalidDataError(
            f"Unknown label type: Target type was inferred to be {kind!r}. Only "
            "('binary', 'continuous', 'multiclass') are supported."
        )


def refuse_third_class(classes: NDArray[Any], owner: str) -> None:
    """Refuse more classes than the caller said there are."""
    if len(classes) > 2:
        raise InvalidDataError(
            f"{owner}: target_type='binary', but y holds {len(classes)} classes; choose "
            "'multiclass'."
        )


def shrunk(groups: GroupMoments, overall: Array, variance: Array | None, smooth: Any) -> Array:
    """Means of groups, drawn towards the overall mean; it is the mean of groups without rows."""
    counts, n_values = groups.count, len(groups.count)
    out = np.empty_like(groups.mean)
    for k, means in enumerate(groups.mean.T):
        if variance is not None and isinstance(smooth, str):
            between = variance[k] * counts
            noise = groups.squares[:, k] / np.maximum(counts, 1.0)
        else:
            between, noise = counts, np.full(n_values, float(smooth))
        total = between + noise
        share = np.divide(between, total, out=np.zeros(n_values), where=total > 0)
        out[:, k] = share * means + (1.0 - share) * overall[k]
    return out


def _pairwise(left: list[GroupMoments], right: list[GroupMoments]) -> list[GroupMoments]:
    return [a.merge(b) for a, b in zip(left, right, strict=True)]


def _merged(parts: list[list[GroupMoments]]) -> list[GroupMoments]:
    whole = parts[0]
    for part in parts[1:]:
        whole = _pairwise(whole, part)
    return whole
