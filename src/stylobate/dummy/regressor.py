"""A number for all rows alike."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, Interval, Numbers, Options, RegressorMixin, Tags
from stylobate.base.batches import first_batch, refuse_weighted
from stylobate.base.study_role import StudyRole
from stylobate.data import Table, read_weights
from stylobate.data.containers import unpack
from stylobate.data.finite import refuse_nonfinite
from stylobate.data.streams import Batch, Stream
from stylobate.data.target import refuse_huge_target
from stylobate.data.words import Input
from stylobate.dummy.rows import check_lengths, remember_shape, rows_of
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.statistics import ColumnMoments
from stylobate.statistics.columns.order_statistics import linear_places, quantiles_of

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer, Expression

_RANKED = ("median", "quantile")


class DummyRegressor(RegressorMixin, BaseEstimator):
    r"""The mean of the target for every row, or another number that ignores the features.

    .. math:: a(x) = \frac{\sum_i \omega_i y_i}{\sum_i \omega_i}

    What a regression must beat: its R² is 0 on the rows it was fitted to.

    Parameters
    ----------
    strategy : {"mean", "median", "quantile", "constant"}, default="mean"
        Which number.
    constant : float or array-like of shape (n_outputs,), default=None
        For ``strategy="constant"``.
    quantile : float in [0, 1] or None, default=None
        For ``strategy="quantile"``.

    Attributes
    ----------
    constant_ : array of shape (1, n_outputs)
        What is predicted.
    n_outputs_ : int
        Columns of y.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> DummyRegressor().fit([[0], [0], [0]], [1.0, 2.0, 6.0]).predict([[7]])
    array([3.])
    """

    _study_role = StudyRole("baseline", "Baseline: the mean", 0, encoding="table")

    def __init__(
        self,
        *,
        strategy: Annotated[str, Options("mean", "median", "quantile", "constant")] = "mean",
        constant: Annotated[float, Interval(-inf, inf, "neither")]
        | Annotated[Any, Numbers(-inf, inf)]
        | None = None,
        quantile: Annotated[float, Interval(0, 1)] | None = None,
    ) -> None:
        self.strategy = strategy
        self.constant = constant
        self.quantile = quantile

    def _tags(self) -> Tags:
        return (
            super()
            ._tags()
            .but(
                sparse=True,
                poor_score=True,
                no_validation=True,
                multi_output=True,
                tier="several passes" if self.strategy in _RANKED else "one pass",
            )
        )

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the number.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Rows; only counted.
        y : array-like of shape (n,) or (n, n_outputs)
            Targets.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights.

        Returns
        -------
        self
        """
        self._check_parameters()
        remember_shape(self, X)
        columns, weights = self._targets(X, y, sample_weight)
        self.n_outputs_ = columns.shape[1]
        self.constant_ = self._chosen(columns, weights).reshape(1, -1)
        return self

    def _targets(self, X: Any, y: Any, sample_weight: Any) -> tuple[Array, Array | None]:
        """The targets as columns of finite numbers, and the weights."""
        owner = type(self).__name__
        source = Input(owner, "y")
        values = np.asarray(unpack(y, source).values, dtype=np.float64)
        if not values.size:
            raise InvalidDataError(f"{owner}: y must not be empty.")
        columns = values.reshape(len(values), -1)
        n_rows = check_lengths(X, columns)
        if not np.isfinite(columns).all():
            refuse_nonfinite(columns, source)
        refuse_huge_target(columns, source)
        return columns, read_weights(sample_weight, n_rows, owner=owner)

    def _fit_stream(self, stream: Stream) -> Self:
        """The mean by one pass; quantiles by passes that count, exactly."""
        self._check_parameters()
        owner = type(self).__name__
        head = first_batch(stream, owner)
        if head.y is None:
            raise InvalidDataError(f"{owner}: name the target= to learn from.")
        if self.strategy in _RANKED and head.weights is not None:
            refuse_weighted(owner, stream, "quantiles of weighted rows")
        remember_shape(self, head.x)

        def read(batch: Batch) -> Table:
            columns, weights = self._targets(*batch)
            return Table(columns, weights=weights, owner=owner)

        source = self._source(stream, read)
        self.n_outputs_ = source.n_features
        if self.strategy == "mean":
            found = source.compute(ColumnMoments).mean
        elif self.strategy == "constant":
            found = self._given()
        else:
            found = quantiles_of(source, linear_places(np.array([self._share()])))[0]
        self.constant_ = found.reshape(1, -1)
        return self

    def _share(self) -> float:
        """The quantile asked for."""
        share = 0.5 if self.strategy == "median" else self.quantile
        if share is None:
            raise InvalidParameterError(
                "DummyRegressor: strategy='quantile' needs to know which; give quantile in [0, 1]."
            )
        return float(share)

    def _chosen(self, y: Array, weights: Array | None) -> Array:
        if self.strategy == "mean":
            return np.asarray(np.average(y, axis=0, weights=weights))
        if self.strategy == "constant":
            return self._given()
        share = self._share()
        if weights is None:
            return np.asarray(np.quantile(y, share, axis=0))
        return np.array([_weighted_quantile(column, weights, share) for column in y.T])

    def _given(self) -> Array:
        if self.constant is None:
            raise InvalidParameterError(
                "DummyRegressor: strategy='constant' needs to know the number; give constant."
            )
        given = np.atleast_1d(np.asarray(self.constant, dtype=np.float64)).ravel()
        if len(given) != self.n_outputs_:
            raise InvalidParameterError(
                f"DummyRegressor: constant holds {len(given)} number(s) for {self.n_outputs_} "
                "output(s) of y; give one for each."
            )
        return given

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """The number, as often as there are rows.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Rows; only counted.
        return_std : bool, default=False
            Whether to return standard deviations as well, which are 0.

        Returns
        -------
        array of shape (n,) or (n, n_outputs), or a pair of them
        """
        self._check_fitted()
        n = rows_of(X)
        one = self.n_outputs_ == 1
        out = np.full(n, self.constant_.flat[0]) if one else np.tile(self.constant_, (n, 1))
        return (out, np.zeros_like(out)) if return_std else out

    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.formula.expressions import Answer, Constant

        return Answer(tuple(Constant(float(each)) for each in self.constant_.ravel()))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R² of the predictions.

        Parameters
        ----------
        X : array-like of shape (n, n_features) or None
            Rows; None stands for as many as y has.
        y : array-like of shape (n,) or (n, n_outputs)
            Targets.
        sample_weight : array-like of shape (n,), optional
            Weights.

        Returns
        -------
        float
        """
        rows = np.zeros((len(y), 1)) if X is None else X
        return super().score(rows, y, sample_weight)


def _weighted_quantile(values: Array, weights: Array, share: float) -> float:
    """The smallest value at which the weight up to it reaches the share of all weight."""
    kept = weights > 0
    order = np.argsort(values[kept], kind="stable")
    reached = np.cumsum(weights[kept][order])
    # below any weight for a share of 0, and never past the last by rounding
    wanted = min(share * reached[-1], reached[-1])
    at = int(np.searchsorted(reached, wanted * (1 - 1e-15)))
    return float(values[kept][order][min(at, len(order) - 1)])
