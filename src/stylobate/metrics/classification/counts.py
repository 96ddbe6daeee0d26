"""How often each class was taken for each: a statistic that merges, and all that follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError
from stylobate.metrics.classification.label_codes import code, countable
from stylobate.metrics.classification.margins import Margins, places_among, tally

_MOST_WIDTH = 1024  # of a range of whole numbers that is counted in a table


@dataclass(frozen=True, slots=True, eq=False)
class ClassCounts:
    """Rows for each pair (true class, predicted class) that occurs.

    A statistic: counts of batches merge to those of all rows, and subtract. Everything that
    counts right and wrong labels follows from it; see `score`.

    Attributes
    ----------
    classes : array of shape (k,)
        The labels that occur, sorted.
    true, predicted : int arrays of shape (m,)
        The pairs that occur, as numbers of `classes`, in order.
    rows : int array of shape (m,)
        The rows of each pair.
    weights : array of shape (m,) or None
        Their weight, if rows have weights.

    Examples
    --------
    >>> monday = ClassCounts.of(["cat", "dog"], ["cat", "cat"])
    >>> both = monday.merge(ClassCounts.of(["dog", "eel"], ["dog", "eel"]))
    >>> both.matrix()
    array([[1, 0, 0],
           [1, 1, 0],
           [0, 0, 1]])
    >>> both.score("accuracy"), round(both.score("f1_macro"), 6)
    (0.75, 0.777778)
    """

    classes: NDArray[Any]
    true: NDArray[np.intp]
    predicted: NDArray[np.intp]
    rows: NDArray[np.int64]
    weights: Array | None = None

    subtractable: ClassVar[bool] = True

    @classmethod
    def of(cls, y_true: Any, y_pred: Any, sample_weight: Any = None) -> ClassCounts:
        """The counts of some rows; no rows are fine.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n,)
            The labels and what was predicted.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights of the rows.
        """
        from stylobate.metrics.classification.labels import read_label_pairs

        if len(y_true) == 0 and len(y_pred) == 0:
            none = np.zeros(0, dtype=np.intp)
            return cls(np.asarray(y_true).reshape(-1), none, none, none.astype(np.int64))
        read = read_label_pairs(y_true, y_pred, sample_weight, cls.__name__)
        if not isinstance(read, ClassCounts):
            raise InvalidDataError(
                f"{cls.__name__}: multilabel-indicator is not supported; count each column."
            )
        return read

    @property
    def kind(self) -> str:
        """The kind of target: "binary" or "multiclass"."""
        return "binary" if len(self.classes) <= 2 else "multiclass"

    @property
    def n_rows(self) -> int:
        """How many rows were counted."""
        return int(self.rows.sum())

    @property
    def amount(self) -> NDArray[Any]:
        """What each pair counts: its weight, or its rows."""
        return self.rows if self.weights is None else self.weights

    def margins(self, labels: Any = None) -> Margins:
        """For each class (or those wanted) its right, predicted and true rows."""
        k = len(self.classes) + 1  # a label that does not occur counts nothing: the last place
        amount = self.amount.astype(np.float64)
        hit = self.true == self.predicted
        right = tally(self.true[hit], amount[hit], k)
        predicted = tally(self.predicted, amount, k)
        true = tally(self.true, amount, k)
        chosen = np.arange(k - 1) if labels is None else places_among(self.classes, labels)
        total = np.full(len(chosen), amount.sum())
        return Margins(right[chosen], predicted[chosen], true[chosen], total)

    def matrix(self, labels: Any = None) -> NDArray[Any]:
        """The confusion matrix: true classes down, predicted across; whole unless weighted."""
        k = len(self.classes)
        chosen = np.arange(k) if labels is None else places_among(self.classes, labels)
        where = np.full(k + 1, -1, dtype=np.intp)
        where[chosen] = np.arange(len(chosen))
        where[k] = -1
        true, predicted = where[self.true], where[self.predicted]
        kept = (true >= 0) & (predicted >= 0)
        matrix = np.zeros((len(chosen), len(chosen)), dtype=self.amount.dtype)
        matrix[true[kept], predicted[kept]] = self.amount[kept]
        return matrix

    def score(self, name: str, **options: Any) -> Any:
        """A metric of the counts.

        Parameters
        ----------
        name : str
            A metric of labels ("f1_score") or the name of its scorer ("f1_macro", "accuracy" …).
        **options : object
            More arguments of the metric.
        """
        from stylobate.metrics.scoring.names import metric_of_labels

        function, known = metric_of_labels(name)
        return function(self, None, **(known | options))

    def merge(self, other: ClassCounts) -> ClassCounts:
        """The counts of both parts' rows together."""
        return self._joined(other, 1)

    def subtract(self, other: ClassCounts) -> ClassCounts:
        """The counts without those of a part; classes that only it has are gone."""
        left = self._joined(other, -1)
        if (left.rows < 0).any():
            raise InvalidDataError(
                "ClassCounts.subtract: there are fewer rows of some pair of classes than in the "
                "part that is to be taken away; subtract only what was merged."
            )
        kept = left.rows > 0
        present = np.zeros(len(left.classes), dtype=bool)
        present[left.true[kept]] = present[left.predicted[kept]] = True
        number = np.cumsum(present) - 1
        return ClassCounts(
            left.classes[present],
            number[left.true[kept]],
            number[left.predicted[kept]],
            left.rows[kept],
            None if left.weights is None else left.weights[kept],
        )

    def _joined(self, other: ClassCounts, sign: int) -> ClassCounts:
        if len(self.classes) == 0 or len(other.classes) == 0:
            if len(other.classes) == 0:
                return self
            if sign > 0:
                return other
        classes = np.unique(np.concatenate([self.classes, other.classes]))
        k = len(classes)
        keys, amounts = [], []
        for part in (self, other):
            place = np.searchsorted(classes, part.classes)
            keys.append(place[part.true] * k + place[part.predicted])
            amounts.append(part.rows if part.weights is None else part.weights)
        pairs, where = np.unique(np.concatenate(keys), return_inverse=True)
        rows = np.zeros(len(pairs), dtype=np.int64)
        np.add.at(rows, where, np.concatenate([self.rows, sign * other.rows]))
        weights = None
        if self.weights is not None or other.weights is not None:
            signed = np.concatenate([amounts[0], sign * amounts[1]]).astype(np.float64)
            weights = tally(where, signed, len(pairs))
        return ClassCounts(classes, pairs // k, pairs % k, rows, weights)

    def is_finite(self) -> bool:
        """Counts always are."""
        return True

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Plain arrays from which `from_arrays` rebuilds the counts."""
        weights = self.amount.astype(np.float64) if self.weights is not None else np.zeros(0)
        return {
            "classes": self.classes,
            "true": self.true,
            "predicted": self.predicted,
            "rows": self.rows,
            "weights": weights,
        }

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> ClassCounts:
        """The counts that gave these arrays."""
        weights = arrays["weights"] if len(arrays["weights"]) else None
        return cls(arrays["classes"], arrays["true"], arrays["predicted"], arrays["rows"], weights)


def count_classes(a: NDArray[Any], b: NDArray[Any], weights: Array | None) -> ClassCounts | None:
    """The counts of two columns of labels; None if they are numbers that are not whole."""
    x, y = countable(a), countable(b)
    if x is not None and y is not None:
        if x.dtype != y.dtype:
            common = np.promote_types(x.dtype, y.dtype)
            x, y = x.astype(common), y.astype(common)
        # a table that is larger than the rows are many costs more than it saves
        width = min(_MOST_WIDTH, max(16, int(2.0 * len(a) ** 0.5)))
        whole, low, rows, sums = _core.count_pairs(x, y, weights, width)
        if not whole and not (_whole_numbers(x) and _whole_numbers(y)):
            return None
        if rows is not None:
            kept = np.promote_types(a.dtype, b.dtype) if a.dtype != b.dtype else a.dtype
            return _from_table(low, rows, sums, kept)
        a, b = x, y
    return _from_codes(*code(a), *code(b), weights)


def _whole_numbers(labels: NDArray[Any]) -> bool:
    """Whether all are whole, be they larger than any integer."""
    return bool(np.isfinite(labels).all() and (labels == np.floor(labels)).all())


def _from_table(low: int, rows: NDArray[np.int64], sums: Any, dtype: Any) -> ClassCounts:
    true, predicted = np.nonzero(rows)
    present = np.zeros(len(rows), dtype=bool)
    present[true] = present[predicted] = True
    number = np.cumsum(present) - 1
    classes = (np.flatnonzero(present) + low).astype(dtype)
    return ClassCounts(
        classes,
        number[true],
        number[predicted],
        rows[true, predicted].astype(np.int64),
        None if sums is None else sums[true, predicted],
    )


def _from_codes(
    true_classes: NDArray[Any],
    true: NDArray[np.int64],
    other_classes: NDArray[Any],
    other: NDArray[np.int64],
    weights: Array | None,
) -> ClassCounts:
    if np.array_equal(true_classes, other_classes):
        classes = true_classes
    else:
        classes = np.unique(np.concatenate([true_classes, other_classes]))
        true = np.searchsorted(classes, true_classes)[true]
        other = np.searchsorted(classes, other_classes)[other]
    k = len(classes)
    if k <= _MOST_WIDTH and k * k <= 8 * len(true) + 256:
        _, low, rows, sums = _core.count_pairs(true, other, weights, max(k, 1))
        table = _from_table(low, rows, sums, np.int64)
        return ClassCounts(classes, table.true, table.predicted, table.rows, table.weights)
    pairs, where, rows = np.unique(true * k + other, return_inverse=True, return_counts=True)
    sums = None if weights is None else tally(where, weights, len(pairs))
    return ClassCounts(classes, pairs // k, pairs % k, rows.astype(np.int64), sums)
