"""The adaptive lasso: columns that look strong at first are penalised less."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, HasMethods, Interval, Options, Tags, clone
from stylobate.exceptions import InvalidParameterError
from stylobate.linear_model.glm.penalized import PenalizedRegression
from stylobate.linear_model.glm.penalized_cv import Alphas, ChosenByFolds, Folds
from stylobate.linear_model.shared.selection_rule import SelectionRule
from stylobate.penalties import L1
from stylobate.penalties.weighted import Weighted

if TYPE_CHECKING:
    from stylobate.data import Table
    from stylobate.data.streams import Stream
    from stylobate.optimize.penalized import PenalizedProblem

Initial = Annotated[str, Options("ridge", "least_squares")] | Annotated[Any, HasMethods("fit")]
_RIDGE = tuple(float(10.0**k) for k in range(-4, 7))


class WeightedByFirstEstimate(PenalizedRegression):
    """What the adaptive lasso and its cross-validated form share: the weights."""

    loss = "squared_error"
    penalty = "l1"
    positive = False
    warm_start = False
    penalty_factor = None
    initial: Any
    power: float

    def _tags(self) -> Tags:
        return super()._tags().but(tier="all rows")

    def _fit_stream(self, stream: Stream) -> Self:
        return BaseEstimator._fit_stream(self, stream)

    def _problem(self, table: Table) -> PenalizedProblem:
        """With the weights of a first estimate from these rows."""
        self._factors_now = self._weights(table)
        try:
            return super()._problem(table)
        finally:
            del self._factors_now

    def _penalty_of(self, n_features: int) -> Weighted:
        del n_features
        return Weighted(L1(1.0), self._factors_now)

    def _weights(self, table: Table) -> Array:
        """1 / |w|^ν of the first estimate; infinite where it is 0."""
        from stylobate.linear_model.least_squares.linear_regression import LinearRegression
        from stylobate.linear_model.ridge.ridge_cv import RidgeCV

        assert table.y is not None
        named: dict[str, Any] = {
            "ridge": RidgeCV(_RIDGE, fit_intercept=self.fit_intercept),
            "least_squares": LinearRegression(fit_intercept=self.fit_intercept),
        }
        model = named[self.initial] if isinstance(self.initial, str) else clone(self.initial)
        weights = {} if table.weights is None else {"sample_weight": table.weights}
        first = np.ravel(model.fit(table.x, table.y[:, 0], **weights).coef_)
        if first.shape != (table.n_features,):
            raise InvalidParameterError(
                f"{type(self).__name__}: the initial estimator has {len(first)} coefficients for "
                f"{table.n_features} columns; give a linear regression of one target."
            )
        self.initial_coef_: NDArray[np.float64] = np.asarray(first, dtype=np.float64)
        with np.errstate(divide="ignore", over="ignore"):
            return np.asarray(np.abs(self.initial_coef_) ** -float(self.power))


class AdaptiveLasso(WeightedByFirstEstimate):
    r"""The lasso with a penalty that is light on columns that look strong at first.

    .. math:: \min_{w, b} \; \frac{1}{2 \sum_i \omega_i} \sum_i \omega_i\,(y_i - x_i^\top w - b)^2
              + \alpha \sum_j \frac{|w_j|}{|\hat w_j|^\nu},

    :math:`\hat w` a first estimate from the same rows. Strong columns are shrunk little, weak ones
    set to zero; unlike the lasso's, the choice of columns is consistent.

    Parameters
    ----------
    alpha : float in [0, inf), default=1.0
        α.
    initial : {"ridge", "least_squares"} or estimator, default="ridge"
        The first estimate; ridge chooses its penalty by leave-one-out errors. An estimator needs
        `fit` and `coef_`.
    power : float in (0, inf), default=1.0
        ν.
    fit_intercept : bool, default=True
        Whether to fit b, which is not penalised.
    max_iter : int in [1, inf), default=100
        Newton steps at most.
    tol : float in [0, inf), default=1e-9
        Violation of the optimality conditions to be left, as a share of the steepest slope.

    Attributes
    ----------
    coef_ : array of shape (n_features,)
        w.
    intercept_ : float
        b.
    initial_coef_ : array of shape (n_features,)
        The first estimate.
    n_iter_, certificate_, trace_
        As of `PenalizedRegression`, given the weights.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 8))
    >>> y = 3.0 * X[:, 0] - 2.0 * X[:, 1] + rng.normal(size=100)
    >>> np.flatnonzero(AdaptiveLasso(alpha=0.1).fit(X, y).coef_)
    array([0, 1])

    References
    ----------
    Zou (2006), The adaptive lasso and its oracle properties, JASA 101.
    """

    def __init__(
        self,
        alpha: Annotated[float, Interval(0, inf)] = 1.0,
        *,
        initial: Initial = "ridge",
        power: Annotated[float, Interval(0, inf, closed="neither")] = 1.0,
        fit_intercept: bool = True,
        max_iter: Annotated[int, Interval(1, inf)] = 100,
        tol: Annotated[float, Interval(0, inf)] = 1e-9,
    ) -> None:
        self.alpha = alpha
        self.initial = initial
        self.power = power
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol


class AdaptiveLassoCV(WeightedByFirstEstimate, ChosenByFolds):
    """`AdaptiveLasso` that chooses its strength by cross-validation.

    The first estimate is made anew from the training rows of every fold: weights that had seen the
    rows left out would flatter the errors.

    Parameters
    ----------
    eps : float in (0, inf), default=1e-2
        The smallest strength of the grid as a share of the largest.
    alphas : int in [1, inf) or array-like of numbers in [0, inf), default=50
        How many strengths, or which ones.
    cv : int in [2, inf), splitter, iterable of (train, test) or None, default=None
        Folds; None means 5.
    selection_rule : {"min", "1se"}, default="min"
        "min" takes the smallest mean squared error; "1se" the strongest penalty within one standard
        error of it.
    initial : {"ridge", "least_squares"} or estimator, default="ridge"
        The first estimate; ridge chooses its penalty by leave-one-out errors. An estimator needs
        `fit` and `coef_`.
    power : float in (0, inf), default=1.0
        ν.
    fit_intercept : bool, default=True
        Whether to fit b, which is not penalised.
    max_iter : int in [1, inf), default=100
        Newton steps at most.
    tol : float in [0, inf), default=1e-10
        Violation of the optimality conditions to be left, as a share of the steepest slope.

    Attributes
    ----------
    alpha_, alpha_min_, alpha_1se_, alphas_, deviance_path_
        As of `PenalizedRegressionCV`.
    coef_, intercept_, initial_coef_, n_iter_, certificate_, trace_
        As of `AdaptiveLasso` at the chosen strength, on all rows.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 8))
    >>> y = 3.0 * X[:, 0] - 2.0 * X[:, 1] + rng.normal(size=100)
    >>> np.flatnonzero(AdaptiveLassoCV(selection_rule="1se").fit(X, y).coef_)
    array([0, 1])
    """

    def __init__(
        self,
        *,
        eps: Annotated[float, Interval(0, inf, closed="neither")] = 1e-2,
        alphas: Alphas = 50,
        cv: Folds = None,
        selection_rule: SelectionRule = "min",
        initial: Initial = "ridge",
        power: Annotated[float, Interval(0, inf, closed="neither")] = 1.0,
        fit_intercept: bool = True,
        max_iter: Annotated[int, Interval(1, inf)] = 100,
        tol: Annotated[float, Interval(0, inf)] = 1e-10,
    ) -> None:
        self.eps = eps
        self.alphas = alphas
        self.cv = cv
        self.selection_rule = selection_rule
        self.initial = initial
        self.power = power
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol

    def _deviances(self, table: Table, splits: Any) -> Array:
        first = self.initial_coef_
        found = super()._deviances(table, splits)
        self.initial_coef_ = first  # of all rows, not of the last fold
        return found
