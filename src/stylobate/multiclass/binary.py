"""One problem of two classes: its model, its score, its threshold."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, is_classifier, is_regressor
from stylobate.base.delegation import fitted_clone
from stylobate.base.validation import compare_features, compare_frame_names, remember_features
from stylobate.data.columns import read_columns
from stylobate.data.indexing import indexable
from stylobate.data.sparse import is_sparse
from stylobate.data.table import Table
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import StylobateWarning
from stylobate.splits.splitter import count_rows


class ConstantPredictor(BaseEstimator):
    """What stands for a model where all rows are of one class: the value `y_`, 0 or 1.

    Examples
    --------
    >>> ConstantPredictor().fit([[1.0], [2.0]], [1]).predict_proba([[3.0]])
    array([[0., 1.]])
    """

    y_: NDArray[Any]

    def __init__(self) -> None:
        pass

    def fit(self, X: Any, y: Any) -> Self:
        """Remember the value, and the columns as far as X is a table."""
        self._look_at(X, reset=True)
        self.y_ = np.asarray(y)[:1]
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The value for every row."""
        self._check_fitted()
        return np.repeat(self.y_, self._look_at(X, reset=False))

    def decision_function(self, X: Any) -> NDArray[Any]:
        """The value for every row."""
        return self.predict(X)

    def predict_proba(self, X: Any) -> Array:
        """Certainty for every row."""
        sure = (self.predict(X) > 0).astype(np.float64)
        return np.column_stack([1.0 - sure, sure])

    def _look_at(self, X: Any, *, reset: bool) -> int:
        """The number of rows; columns are remembered or compared, values are not looked at."""
        X = indexable(X)
        if not (is_sparse(X) or len(np.shape(X)) == 2):
            return count_rows(X)  # texts, for a pipeline that begins with them
        if not reset:
            compare_frame_names(self, X)
        columns = read_columns(X, owner=type(self).__name__)
        shape = np.broadcast_to(np.float64(0), (columns.n_rows, columns.n_columns))  # no memory
        table = Table(shape, columns.names, owner=type(self).__name__)
        (remember_features if reset else compare_features)(self, table)
        return columns.n_rows


def fit_binary(
    estimator: Any,
    X: Any,
    y: NDArray[Any],
    fit_params: dict[str, Any],
    classes: Sequence[Any] | None = None,
) -> Any:
    """A clone fitted to 0 and 1 (or −1 and 1); where there is but one of them, a constant.

    `classes` are the names of the two for the warning then.
    """
    if (y != y[0]).any():
        return fitted_clone(estimator, X, y, fit_params)
    if classes is not None:
        warnings.warn(
            f"Label {classes[max(int(y[0]), 0)]} is present in all training examples.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
    return ConstantPredictor().fit(X, y)


def score_of(estimator: Any, X: Any) -> NDArray[Any]:
    """How much each row speaks for the second class: margin, its probability, or a regression."""
    if is_regressor(estimator):
        return np.asarray(estimator.predict(X))
    try:
        return np.ravel(np.asarray(estimator.decision_function(X)))
    except (AttributeError, NotImplementedError):
        return np.asarray(estimator.predict_proba(X))[:, 1]


def threshold_of(estimator: Any) -> float:
    """Above which score the second class is predicted: 0 for margins, else ½."""
    return 0.0 if hasattr(estimator, "decision_function") and is_classifier(estimator) else 0.5


def partial_fit_binary(estimator: Any, X: Any, y: NDArray[Any], params: dict[str, Any]) -> Any:
    """Let a model learn from more rows of the classes 0 and 1."""
    estimator.partial_fit(X, y, classes=np.array([0, 1]), **params)
    return estimator


def models_have(method: str) -> Callable[[Any], bool]:
    """Whether the models (the one to be cloned, before) have a method."""
    return lambda self: hasattr((vars(self).get("estimators_") or [self.estimator])[0], method)
