"""Three small but real estimators, built on `stylobate.base` only, to test it with."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import (
    BaseEstimator,
    ClassifierMixin,
    Interval,
    Options,
    RegressorMixin,
    Tags,
    TransformerMixin,
)
from stylobate.data import Table, read_labels
from stylobate.exceptions import NumericalError


def dense(table: Table) -> NDArray[np.float64]:
    """The rows as float64, densely."""
    x = table.x.toarray() if table.is_sparse else table.x
    return np.asarray(x, dtype=np.float64)


def row_weights(table: Table) -> NDArray[np.float64]:
    """The weights, ones if there are none."""
    return np.ones(table.n_rows) if table.weights is None else table.weights


class SmallRidge(RegressorMixin, BaseEstimator):
    """Ridge regression by the normal equations of centred data.

    Parameters
    ----------
    alpha : float, default=1.0
        Penalty, in [0, inf).
    fit_intercept : bool, default=True
        Whether to centre.
    solver : {"lstsq", "solve"}, default="lstsq"
        Least squares, which survives singular equations, or elimination, which refuses them.

    Examples
    --------
    >>> SmallRidge(alpha=0.0).fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0]).predict([[3.0]])
    array([7.])
    """

    def __init__(
        self,
        alpha: Annotated[float, Interval(0, inf)] = 1.0,
        fit_intercept: bool = True,
        solver: Annotated[str, Options("lstsq", "solve")] = "lstsq",
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.solver = solver

    def _tags(self) -> Tags:
        return super()._tags().but(sparse=True, multi_output=True, tier="one pass")

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._check_parameters()
        table = self._read(X, y, sample_weight, reset=True)
        x, w = dense(table), row_weights(table)
        share = w / w.sum()
        with np.errstate(over="ignore", invalid="ignore"):
            x_mean = share @ x if self.fit_intercept else np.zeros(table.n_features)
            y_mean = share @ table.y if self.fit_intercept else np.zeros(table.y.shape[1])
            x, y = x - x_mean, table.y - y_mean
            gram = (x.T * w) @ x + self.alpha * np.eye(table.n_features)
            moment = (x.T * w) @ y
        if not (np.isfinite(gram).all() and np.isfinite(moment).all()):
            raise NumericalError("SmallRidge: X is too large to be squared; rescale its columns.")
        coef = self._solve(gram, moment)
        intercept = y_mean - x_mean @ coef
        self.coef_ = coef[:, 0] if table.y_is_vector else coef.T
        self.intercept_ = intercept[0] if table.y_is_vector else intercept
        return self

    def _solve(self, gram: NDArray[np.float64], moment: NDArray[np.float64]) -> Any:
        if self.solver == "lstsq":
            return np.linalg.lstsq(gram, moment, rcond=None)[0]
        try:
            return np.linalg.solve(gram, moment)
        except np.linalg.LinAlgError as error:
            raise NumericalError("SmallRidge: columns are dependent; use lstsq.") from error

    def predict(self, X: Any) -> NDArray[np.float64]:
        self._check_fitted()
        return dense(self._read(X, reset=False)) @ self.coef_.T + self.intercept_


class SmallScaler(TransformerMixin, BaseEstimator):
    """Columns with mean 0 and standard deviation 1.

    Parameters
    ----------
    with_std : bool, default=True
        Whether to divide by the standard deviation.

    Examples
    --------
    >>> SmallScaler().fit_transform([[1.0], [3.0]])
    array([[-1.],
           [ 1.]])
    """

    def __init__(self, with_std: bool = True) -> None:
        self.with_std = with_std

    def _tags(self) -> Tags:
        return super()._tags().but(tier="one pass", preserves_dtype=("float64", "float32"))

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        self._check_parameters()
        table = self._read(X, sample_weight=sample_weight, reset=True)
        x, share = dense(table), row_weights(table) / row_weights(table).sum()
        self.mean_ = share @ x
        largest = np.abs(x - self.mean_).max(axis=0)
        unit = np.where(largest > 0, largest, 1.0)
        spread = unit * np.sqrt(share @ ((x - self.mean_) / unit) ** 2)
        varies = spread > 10 * np.finfo(float).eps * np.abs(self.mean_)
        self.scale_ = np.where(varies, spread, 1.0) if self.with_std else np.ones(x.shape[1])
        return self

    def transform(self, X: Any) -> Any:
        self._check_fitted()
        table = self._read(X, reset=False)
        return self._wrap(((table.x - self.mean_) / self.scale_).astype(table.x.dtype), table)


class SmallCentroids(ClassifierMixin, BaseEstimator):
    """The class whose mean is nearest.

    Parameters
    ----------
    shrink : float, default=0.0
        Share of the way every class mean is pulled to the common mean, in [0, 1).

    Examples
    --------
    >>> SmallCentroids().fit([[0.0], [1.0], [9.0]], ["low", "low", "high"]).predict([[2.0]])
    array(['low'], dtype='<U4')
    """

    def __init__(self, shrink: Annotated[float, Interval(0, 1)] = 0.0) -> None:
        self.shrink = shrink

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._check_parameters()
        classes, codes = read_labels(y, owner="SmallCentroids")
        table = self._read(X, codes, sample_weight, reset=True)
        x, w = dense(table), row_weights(table)
        kept = [k for k in range(len(classes)) if w[codes == k].sum() > 0]
        self.classes_ = classes[kept]
        means = np.array([np.average(x[codes == k], axis=0, weights=w[codes == k]) for k in kept])
        common = np.average(x, axis=0, weights=w)
        self.centroids_ = means + self.shrink * (common - means)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        self._check_fitted()
        x = dense(self._read(X, reset=False))
        scale = max(np.abs(x).max(), np.abs(self.centroids_).max(), 1e-290)
        gaps = (x[:, np.newaxis] - self.centroids_) / scale
        return self.classes_[np.argmin((gaps**2).sum(axis=2), axis=1)]
