"""The confusion matrix as a value: it prints, merges, normalises, and knows its scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics.classification.confusion import matrix_of
from stylobate.metrics.classification.labels import classes_only, read_label_pairs

_NORMALIZED = ("true", "pred", "all")


class ConfusionMatrix:
    """Rows of class i that were predicted as class j, for all i and j.

    Parameters
    ----------
    counts : array-like of shape (k, k)
        Numbers (or weights) of rows: the true classes down, the predicted ones across.
    labels : sequence of length k, optional
        The classes; 0, 1, … by default.

    Attributes
    ----------
    counts : array of shape (k, k)
    labels : tuple of length k

    Examples
    --------
    >>> matrix = ConfusionMatrix.from_predictions(["cat", "dog", "dog"], ["cat", "cat", "dog"])
    >>> print(matrix)
              predicted
              cat   dog
    true cat    1     0
         dog    1     1
    >>> matrix.recall
    array([1. , 0.5])
    >>> (matrix + matrix)["dog", "cat"]
    2
    """

    __slots__ = ("counts", "labels")

    def __init__(self, counts: Any, labels: Sequence[Any] | None = None) -> None:
        table = np.array(counts)
        if table.ndim != 2 or table.shape[0] != table.shape[1] or table.size == 0:
            raise InvalidDataError(
                f"ConfusionMatrix: counts has shape {table.shape}; expected (k, k), the true "
                "classes down and the predicted ones across."
            )
        if table.dtype.kind not in "iuf" or not np.isfinite(table).all() or (table < 0).any():
            raise InvalidDataError(
                "ConfusionMatrix: counts must be finite numbers of at least 0; got dtype "
                f"{table.dtype}" + (f" with {table.min()!r}." if table.dtype.kind in "if" else ".")
            )
        names = tuple(range(len(table))) if labels is None else tuple(_python(labels))
        if len(names) != len(table) or len(set(names)) < len(names):
            raise InvalidDataError(
                f"ConfusionMatrix: {len(names)} labels ({len(set(names))} of them distinct) for "
                f"{len(table)} classes; give each its own."
            )
        table.flags.writeable = False
        self.counts: NDArray[Any] = table
        self.labels = names

    @classmethod
    def from_predictions(
        cls, y_true: Any, y_pred: Any, *, labels: Any = None, sample_weight: Any = None
    ) -> ConfusionMatrix:
        """Count the rows of each pair of classes.

        Parameters
        ----------
        y_true, y_pred, labels, sample_weight
            As of `confusion_matrix`.

        Returns
        -------
        ConfusionMatrix
        """
        owner = cls.__name__
        counts = classes_only(read_label_pairs(y_true, y_pred, sample_weight, owner), owner)
        matrix = matrix_of(counts, labels, owner)
        return cls(matrix, list(counts.classes) if labels is None else labels)

    @classmethod
    def from_batches(cls, batches: Iterable[Sequence[Any]]) -> ConfusionMatrix:
        """Count batches of ``(y_true, y_pred)`` or ``(y_true, y_pred, sample_weight)``.

        Parameters
        ----------
        batches : iterable of tuples
            Rows in any number of parts; classes may be missing from some of them.

        Returns
        -------
        ConfusionMatrix
        """
        whole: ConfusionMatrix | None = None
        for y_true, y_pred, *rest in batches:
            weights = rest[0] if rest else None
            part = cls.from_predictions(y_true, y_pred, sample_weight=weights)
            whole = part if whole is None else whole.merge(part)
        if whole is None:
            raise InvalidDataError("ConfusionMatrix.from_batches: there is no batch to count.")
        return whole

    def merge(self, other: ConfusionMatrix) -> ConfusionMatrix:
        """The counts of both; classes only one has are kept.

        Parameters
        ----------
        other : ConfusionMatrix
            Of other rows.

        Returns
        -------
        ConfusionMatrix
        """
        labels = _union(self.labels, other.labels)
        return ConfusionMatrix(self._spread(labels) + other._spread(labels), labels)

    def __add__(self, other: ConfusionMatrix) -> ConfusionMatrix:
        return self.merge(other) if isinstance(other, ConfusionMatrix) else NotImplemented

    def _spread(self, labels: tuple[Any, ...]) -> NDArray[Any]:
        """The counts among more classes."""
        places = [labels.index(each) for each in self.labels]
        table = np.zeros((len(labels), len(labels)), dtype=self.counts.dtype)
        table[np.ix_(places, places)] = self.counts
        return table

    def normalized(self, by: str = "true") -> Array:
        """Shares of the true classes ("true"), of the predicted ones ("pred") or of "all" rows.

        Parameters
        ----------
        by : {"true", "pred", "all"}, default="true"
            What sums to one; where there is nothing, shares are 0.

        Returns
        -------
        array of shape (k, k)
        """
        if by not in _NORMALIZED:
            raise InvalidParameterError(
                f"ConfusionMatrix: by must be one of {', '.join(_NORMALIZED)}, got {by!r}."
            )
        total = self.counts.sum(axis={"true": 1, "pred": 0, "all": None}[by], keepdims=True)
        return _share(self.counts, total, 0.0)

    @property
    def accuracy(self) -> float:
        """Share of the rows that are right."""
        return float(_share(self.right.sum(), self.counts.sum(), np.nan))

    @property
    def right(self) -> NDArray[Any]:
        """Rows of each class that are predicted as theirs."""
        return np.asarray(np.diagonal(self.counts))

    @property
    def support(self) -> NDArray[Any]:
        """True rows of each class."""
        return np.asarray(self.counts.sum(axis=1))

    @property
    def precision(self) -> Array:
        """Of the rows predicted as each class, the share that are; NaN where none is."""
        return _share(self.right, self.counts.sum(axis=0), np.nan)

    @property
    def recall(self) -> Array:
        """Of the rows of each class, the share predicted as such; NaN where there are none."""
        return _share(self.right, self.support, np.nan)

    @property
    def f1(self) -> Array:
        """Harmonic mean of precision and recall of each class."""
        return self.fbeta(1.0)

    def fbeta(self, beta: float) -> Array:
        """Precision and recall of each class in one, where recall counts β times as much.

        Parameters
        ----------
        beta : float in [0, inf)
            The weight of recall.

        Returns
        -------
        array of shape (k,)
        """
        if not 0 <= beta < np.inf:
            raise InvalidParameterError(f"fbeta: beta must be in [0, inf), got {beta!r}.")
        below = beta**2 * self.support + self.counts.sum(axis=0)
        return _share((1.0 + beta**2) * self.right, below, np.nan)

    def ravel(self) -> NDArray[Any]:
        """All counts in one row; of two classes these are tn, fp, fn, tp."""
        return self.counts.ravel()

    def report(self) -> str:
        """Precision, recall, F₁ and the number of rows of each class, as a table.

        Returns
        -------
        str
        """
        from stylobate.metrics.classification.confusion_text import report_of

        return report_of(self)

    def table(self, rows: str = "true") -> str:
        """The counts as text, with the true or the predicted classes as rows.

        Parameters
        ----------
        rows : {"true", "pred"}, default="true"
            What goes down.

        Examples
        --------
        >>> print(ConfusionMatrix([[50, 3], [2, 45]], ["no", "yes"]).table(rows="pred"))
                           true
                       no   yes
        predicted no   50     2
                  yes   3    45
        """
        from stylobate.metrics.classification.confusion_text import table_of

        if rows not in ("true", "pred"):
            raise InvalidParameterError(
                f"ConfusionMatrix: rows must be 'true' or 'pred', got {rows!r}."
            )
        return table_of(self, rows)

    def plot(self, ax: Any = None, *, normalize: str | None = None, **options: Any) -> Any:
        """Draw the matrix; see `stylobate.plot.plot_confusion_matrix`.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        normalize : {"true", "pred", "all"} or None, default=None
            Shares instead of counts.
        **options : object
            As of `stylobate.plot.plot_confusion_matrix`.

        Returns
        -------
        matplotlib Axes
        """
        from stylobate.plot import plot_confusion_matrix

        values = self.counts if normalize is None else self.normalized(normalize)
        return plot_confusion_matrix(values, self.labels, ax=ax, **options)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.counts, dtype=dtype)

    def __getitem__(self, pair: tuple[Any, Any]) -> Any:
        """The count of a true and a predicted class, by their labels."""
        try:
            true, predicted = (self.labels.index(each) for each in pair)
        except (TypeError, ValueError):
            raise KeyError(
                f"{pair!r} is no pair (true class, predicted class) of {list(self.labels)}"
            ) from None
        return self.counts[true, predicted].item()

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, ConfusionMatrix)
            and self.labels == other.labels
            and bool((self.counts == other.counts).all())
        )

    def __hash__(self) -> int:
        return hash((self.labels, self.counts.tobytes()))

    def __str__(self) -> str:
        from stylobate.metrics.classification.confusion_text import table_of

        return table_of(self)

    def __repr__(self) -> str:
        return str(self)


def _share(part: Any, whole: Any, otherwise: float) -> Array:
    """A quotient; `otherwise` where there is nothing to divide by."""
    part, whole = np.broadcast_arrays(np.asarray(part, float), np.asarray(whole, float))
    quotient = np.full(part.shape, otherwise)
    np.divide(part, whole, out=quotient, where=whole > 0)
    return quotient


def _python(labels: Any) -> list[Any]:
    """Labels as plain values, so that they print and compare as such."""
    return [label.item() if isinstance(label, np.generic) else label for label in labels]


def _union(one: tuple[Any, ...], other: tuple[Any, ...]) -> tuple[Any, ...]:
    if one == other:
        return one
    extra = tuple(label for label in other if label not in one)
    try:
        return tuple(sorted(one + extra))
    except TypeError:  # labels that do not compare stay in the order they came
        return one + extra
