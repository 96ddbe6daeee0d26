"""Forests that tell classes apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import ClassifierMixin, Tags
from stylobate.base.outputs import read_outputs
from stylobate.base.scoring import accuracy
from stylobate.ensemble.forest_base import ExplainsForest
from stylobate.exceptions import InvalidDataError
from stylobate.tree.reading import with_class_weights

if TYPE_CHECKING:
    from stylobate.data import Table
    from stylobate.ensemble.forest_growth import ForestRows
    from stylobate.formula.expressions import Answer, Expression

_SUBSAMPLE = "balanced_subsample"


class ForestClassifierBase(ClassifierMixin, ExplainsForest):
    """Labels of one or several outputs, and their weights."""

    classes_: Any
    n_classes_: Any
    class_weight: Any

    def _tags(self) -> Tags:
        return super()._tags().but(multi_label=True)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows. NaN is missing; frames may hold text and categories. Sparse rows are never made
            dense; the forest is that of the dense ones (beyond 2^28 cells one as good).
        y : array-like of shape (n,) or (n, n_outputs)
            Labels.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights of the rows: with bootstrap=True how likely each is drawn, else how
            much it counts.

        Returns
        -------
        self
        """
        self._check_parameters()
        table = self._read_rows(X, reset=True)
        self._grow(self._learnt_rows(table, y, sample_weight))
        return self

    def _learnt_rows(self, table: Table, y: Any, sample_weight: Any) -> ForestRows:
        owner = type(self).__name__
        classes, codes, several = read_outputs(y, owner=owner, n_rows=table.n_rows)
        weights = self._row_weights(sample_weight, table.n_rows)
        balanced = self.class_weight == _SUBSAMPLE and self.bootstrap
        if not balanced:
            given = "balanced" if self.class_weight == _SUBSAMPLE else self.class_weight
            weights = with_class_weights(given, classes, codes, weights, owner)
        counts = [len(each) for each in classes]
        if self.monotonic_cst is not None and np.any(self.monotonic_cst) and counts[0] > 2:
            raise InvalidDataError(
                f"{owner}: Monotonicity constraints are not supported with multiclass "
                f"classification; y has {counts[0]} classes."
            )
        self.n_outputs_ = len(classes)
        self.classes_ = classes if several else classes[0]
        self.n_classes_ = counts if several else counts[0]
        return self._rows_to_grow(table, codes, tuple(counts), weights, balanced=balanced)

    def _all_classes(self) -> list[NDArray[Any]]:
        return self.classes_ if self.n_outputs_ > 1 else [self.classes_]

    def _each_output(self, values: Array) -> list[Array]:
        """The class fractions of every output, of shape (n, n_classes)."""
        return [values[:, k, : len(each)] for k, each in enumerate(self._all_classes())]

    def predict_proba(self, X: Any) -> Any:
        """The mean of the trees' fractions of the classes in each row's leaf.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes), or a list of them for several outputs
        """
        shares = self._each_output(self._means(X))
        return shares if self.n_outputs_ > 1 else shares[0]

    def predict_log_proba(self, X: Any) -> Any:
        """Logarithms of `predict_proba`.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes), or a list of them for several outputs
        """
        shares = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return [np.log(each) for each in shares] if self.n_outputs_ > 1 else np.log(shares)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of the highest mean probability for each row.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,) or (n, n_outputs)
        """
        return self._labels(self._means(X))

    def _labels(self, values: Array) -> NDArray[Any]:
        labels = [
            classes[np.argmax(each, axis=1)]
            for classes, each in zip(self._all_classes(), self._each_output(values), strict=True)
        ]
        return np.column_stack(labels) if self.n_outputs_ > 1 else labels[0]

    def _score_left_out(self, x: Any, target: NDArray[Any]) -> None:
        values, _ = self._left_out_means(x)
        several = self.n_outputs_ > 1
        self.oob_decision_function_ = np.moveaxis(values, 1, 2) if several else values[:, 0]
        classes = self._all_classes()
        truth = np.column_stack([each[target[:, k]] for k, each in enumerate(classes)])
        found = self._labels(values)
        truth = truth if several else truth[:, 0]
        score = self.oob_score
        self.oob_score_ = score(truth, found) if callable(score) else _accuracy(truth, found)

    def _losses(self, y: Any, n_rows: int) -> Any:
        known = self._all_classes()
        _, codes, _ = read_outputs(y, owner=f"{type(self).__name__}.importances", n_rows=n_rows)
        shape = self._trees[0].value.shape[1:]

        def losses(values: Array, rows: NDArray[np.intp]) -> Array:
            each = values.reshape(len(rows), *shape)
            wrong = [
                np.argmax(each[:, k, : len(classes)], axis=1) != codes[rows, k]
                for k, classes in enumerate(known)
            ]
            return np.asarray(np.mean(wrong, axis=0, dtype=np.float64))

        return losses

    def _as_member(self, model: Any) -> None:
        numbers = [np.arange(len(each), dtype=np.float64) for each in self._all_classes()]
        counts = [len(each) for each in numbers]
        several = self.n_outputs_ > 1
        model.classes_ = numbers if several else numbers[0]
        model.n_classes_ = np.array(counts) if several else counts[0]

    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.formula.trees import trees_answer

        return trees_answer(self._trees, columns, self.column_categories_.of, self.classes_)


def _accuracy(truth: NDArray[Any], found: NDArray[Any]) -> float:
    """Of one output, or of all of them together (each right one counts)."""
    return accuracy(truth.ravel(), found.ravel())
