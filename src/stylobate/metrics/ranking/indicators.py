"""Rows that have several labels each: columns of 0 and 1, dense or sparse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data.sparse import is_sparse
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics.classification.margins import Margins


@dataclass(frozen=True, slots=True, eq=False)
class IndicatorPairs:
    """True and predicted labels as matrices (n × k) of 0 and 1, and the weights of the rows."""

    truth: Any
    predicted: Any
    weights: Array | None
    owner: str

    kind: ClassVar[str] = "multilabel-indicator"

    @property
    def n_rows(self) -> int:
        return int(self.truth.shape[0])

    @property
    def classes(self) -> NDArray[Any]:
        """The numbers of the columns."""
        return np.arange(self.truth.shape[1])

    def margins(self, labels: Any = None) -> Margins:
        """The counts of each column, or of those wanted."""
        right, predicted, true = (_columns(m, self.weights) for m in self._matrices())
        total = float(self.n_rows) if self.weights is None else float(self.weights.sum())
        chosen = self.classes if labels is None else self._chosen(labels)
        return Margins(right[chosen], predicted[chosen], true[chosen], np.full(len(chosen), total))

    def row_margins(self, labels: Any = None) -> Margins:
        """The counts of each row, which are those of its labels (or of those wanted)."""
        matrices = self._matrices()
        if labels is not None:
            chosen = self._chosen(labels)
            matrices = tuple(m[:, chosen] for m in matrices)
        right, predicted, true = (_rows(m) for m in matrices)
        return Margins(right, predicted, true, np.full(self.n_rows, float(matrices[0].shape[1])))

    def _matrices(self) -> tuple[Any, Any, Any]:
        if is_sparse(self.truth):
            both = self.truth.multiply(self.predicted).tocsr()
        else:
            both = self.truth & self.predicted
        return both, self.predicted, self.truth

    def _chosen(self, labels: Any) -> NDArray[np.intp]:
        wanted = np.asarray(labels).reshape(-1)
        k = self.truth.shape[1]
        if (
            wanted.dtype.kind not in "iub"
            or wanted.min(initial=0) < 0
            or wanted.max(initial=0) >= k
        ):
            raise InvalidParameterError(
                f"{self.owner}: All labels must be in [0, n labels) for multilabel targets: "
                f"got {wanted.tolist()}, and there are {k} columns."
            )
        return wanted.astype(np.intp)


def indicator_pairs(y_true: Any, y_pred: Any, weights: Array | None, owner: str) -> IndicatorPairs:
    """Both sides as matrices of the same kind: sparse if both are."""
    if y_true.shape[1] != y_pred.shape[1]:
        raise InvalidDataError(
            f"{owner}: y_true has {y_true.shape[1]} label columns and y_pred {y_pred.shape[1]}."
        )
    if is_sparse(y_true) and is_sparse(y_pred):
        sides = [_marked(each) for each in (y_true, y_pred)]
    else:
        sides = [np.asarray(_dense(each) != 0) for each in (y_true, y_pred)]
    return IndicatorPairs(sides[0], sides[1], weights, owner)


def is_sparse_indicator(y: Any) -> bool:
    """Whether a sparse matrix holds nothing but 0 and 1 (or -1)."""
    present = np.unique(y.data)
    return bool(np.isin(present, (-1, 0, 1)).all() and len(present[present != 0]) <= 1)


def _dense(values: Any) -> NDArray[Any]:
    return np.asarray(values.toarray() if is_sparse(values) else values)


def _marked(matrix: Any) -> Any:
    """A sparse matrix with ones wherever something is not 0."""
    marked = matrix.tocsr().astype(bool).astype(np.float64)
    marked.sum_duplicates()
    marked.eliminate_zeros()
    marked.data[:] = 1.0
    return marked


def _columns(matrix: Any, weights: Array | None) -> Array:
    if weights is None:
        return np.asarray(matrix.sum(axis=0), dtype=np.float64).reshape(-1)
    return np.asarray(weights @ matrix, dtype=np.float64).reshape(-1)


def _rows(matrix: Any) -> Array:
    return np.asarray(matrix.sum(axis=1), dtype=np.float64).reshape(-1)
