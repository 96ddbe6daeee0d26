"""Quantile regression."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base import Interval, Numbers, Options
from stylobate.exceptions import InvalidParameterError
from stylobate.linear_model.robust.vertex_regressor import ADVICE, SOLVERS, TOL, VertexRegressor
from stylobate.statistics import Source

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer, Expression
    from stylobate.inference.quantile import Bandwidth, QuantileCovariance, QuantileSummary


class QuantileRegressor(VertexRegressor):
    r"""Linear quantile regression with an ℓ1 penalty, solved exactly.

    .. math:: \min_{w, b} \; \frac{1}{\sum_i \omega_i} \sum_i \omega_i\, \rho_\tau(y_i - x_i^\top w
              - b) + \alpha \|w\|_1, \qquad \rho_\tau(r) = \max(\tau r, (\tau - 1) r)

    A linear program. Here a few Newton steps on a smoothed loss come close; rows whose residuals
    are far from zero then keep their signs and fold into two, and the small rest is solved by
    descent from vertex to vertex (a dual simplex method whose line search passes many rows at
    once). The answer is a vertex with a dual point of the same value: exact, with the rows read a
    few times and nothing n × n. Several quantiles are fitted jointly, so that none crosses another
    on the rows of `fit`. A stream is passed over a few times for each quantile; its rows are
    collected where lines cross.

    Parameters
    ----------
    quantile : float in (0, 1) or array of such, default=0.5
        The quantile τ; several are fitted at once, in any order.
    alpha : float in [0, inf), default=1.0
        Strength of the penalty.
    fit_intercept : bool, default=True
        Whether to fit b.
    solver : {"auto", "vertex", "highs", "highs-ds", "highs-ipm", "interior-point", \
"revised simplex"}, default="auto"
        "vertex" is the method above; those of HiGHS solve the linear program as it stands, for
        comparison. The last two are names of older versions of scikit-learn and mean "auto",
        which is "vertex" up to 1500 columns and "highs" beyond.
    solver_options : dict or None, default=None
        Options for HiGHS, as of `scipy.optimize.linprog`.

    Attributes
    ----------
    coef_ : array of shape (n_features,) or (n_quantiles, n_features)
        Coefficients.
    intercept_ : float or array of shape (n_quantiles,)
        0.0 without intercept.
    n_iter_ : int
        Pivots of the vertex method, or iterations of HiGHS.
    rank_ : int
        Rank of the columns, the intercept counted.
    solver_, solver_reason_ : str
        The method used, and why.
    certificate_ : Certificate
        The objective and its lower bound from a feasible dual point: d with
        (τ − 1)ωᵢ ≤ dᵢ ≤ τωᵢ, Σd = 0 and ``|Xᵀd| ≤ α Σω``.
    trace_ : Trace or None
        The objective over all rows where samples led to, after Newton's steps and at each vertex;
        several quantiles one after the other. None for HiGHS.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([1.0, 2.0, 3.0, 9.0])
    >>> model = QuantileRegressor(alpha=0.0).fit(X, y)
    >>> model.coef_.round(9), round(model.intercept_, 9)
    (array([1.]), 1.0)
    >>> QuantileRegressor(quantile=[0.1, 0.5, 0.9], alpha=0.0).fit(X, y).predict([[3.0]]).round(9)
    array([[4., 4., 9.]])

    References
    ----------
    Koenker & Bassett (1978), Regression quantiles, Econometrica 46. Portnoy & Koenker (1997), The
    Gaussian hare and the Laplacian tortoise, Statistical Science 12. Bondell, Reich & Wang (2010),
    Noncrossing quantile regression curve estimation, Biometrika 97.
    """

    def __init__(
        self,
        *,
        quantile: Annotated[float, Interval(0, 1, closed="neither")]
        | Annotated[Any, Numbers(0, 1, closed="neither")] = 0.5,
        alpha: Annotated[float, Interval(0, inf)] = 1.0,
        fit_intercept: bool = True,
        solver: Annotated[str, Options(*SOLVERS)] = "auto",
        solver_options: dict[str, Any] | None = None,
    ) -> None:
        self.quantile = quantile
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.solver = solver
        self.solver_options = solver_options

    def _learn(self, source: Source) -> None:
        taus = np.atleast_1d(np.asarray(self.quantile, dtype=np.float64))
        order = np.argsort(taus, kind="stable")
        solution = self._solve(source, taus[order].tolist(), float(self.alpha))
        back = np.argsort(order, kind="stable")
        coef, intercept = solution.coef[back], solution.intercept[back]
        several = np.ndim(self.quantile) > 0
        self.coef_ = coef if several else coef[0]
        self.intercept_ = intercept if several else float(intercept[0])
        if not self.fit_intercept:
            self.intercept_ = 0.0
        self._warn_unless(self._proved(solution), TOL, ADVICE)

    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.exceptions import FormulaError

        if np.ndim(self.quantile):
            raise FormulaError(
                "QuantileRegressor: several quantiles are sorted row by row, which "
                "has no formula; fit one at a time."
            )
        return super()._formula(columns)

    def predict(self, X: Any) -> NDArray[Any]:
        """Predicted quantiles, Xw + b.

        Several are put in ascending order row by row: on the rows of `fit` they are so already up
        to rounding; elsewhere this rearrangement never raises the loss (Chernozhukov,
        Fernández-Val & Galichon, 2010).

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,) or (n, n_quantiles)
        """
        values = super().predict(X)
        if values.ndim == 1:
            return values
        order = np.argsort(np.asarray(self.quantile), kind="stable")
        return np.sort(values, axis=1)[:, np.argsort(order, kind="stable")]

    def summary(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        covariance: QuantileCovariance = "robust",
        bandwidth: Bandwidth = "hall-sheather",
        level: float = 0.95,
        n_resamples: int = 200,
        random_state: Any = None,
    ) -> QuantileSummary:
        """Standard errors, t and p values and intervals, by large-sample theory; print it.

        Parameters
        ----------
        X, y, sample_weight
            The data of `fit`.
        covariance : {"robust", "iid", "bootstrap"}, default="robust"
            Hendricks and Koenker's sandwich, in which the density of the errors may differ from row
            to row; errors of one density at every x; or the spread of fits to resampled rows.
        bandwidth : {"hall-sheather", "bofinger", "chamberlain"}, default="hall-sheather"
            Rule for the width over which the density of the residuals is estimated.
        level : float in (0, 1), default=0.95
            Of the confidence intervals.
        n_resamples : int in [2, inf), default=200
            Fits of the bootstrap.
        random_state : int, RandomState or None, default=None
            Seed of its draws.

        Returns
        -------
        QuantileSummary
        """
        if np.ndim(self.quantile) > 0:
            raise InvalidParameterError(
                f"{type(self).__name__}.summary: quantile is an array; fit one quantile at a time "
                "for standard errors."
            )
        return self._summarize(
            X,
            y,
            sample_weight,
            float(self.quantile),
            covariance,
            bandwidth,
            level,
            n_resamples,
            random_state,
        )
