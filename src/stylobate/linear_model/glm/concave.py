"""Least squares with a penalty that leaves large coefficients alone."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any

from stylobate.base import HasMethods, Interval
from stylobate.linear_model.glm.penalized import PenalizedRegression
from stylobate.penalties import MCP, SCAD, Penalty


class MCPRegressor(PenalizedRegression):
    r"""Least squares with the minimax concave penalty.

    .. math:: \min_{w, b} \; \frac{1}{2 \sum_i \omega_i} \sum_i \omega_i\,(y_i - x_i^\top w - b)^2
              + \sum_j \int_0^{|w_j|} \Bigl(\alpha - \frac{t}{\gamma}\Bigr)_+ dt

    It selects like the lasso, but coefficients beyond γα are not shrunk. The problem is not convex:
    the fit follows falling strengths, from where all coefficients are zero, to a *stationary
    point*, which need not be the global minimum; `certificate_.kkt` says how stationary it is, and
    `certificate_.proved` is False. Columns should be of one scale. Other losses, and the strength
    by cross-validation: `PenalizedRegression` and `PenalizedRegressionCV` with ``penalty="mcp"``.

    Parameters
    ----------
    alpha : float in [0, inf), default=1.0
        α, the slope at zero.
    gamma : float in (0, inf), default=3.0
        γ; the larger, the closer to the lasso.
    fit_intercept : bool, default=True
        Whether to fit b, which is not penalised.
    penalty_factor : array-like of shape (n_features,) of numbers in [0, inf], optional
        Factors of α, one for each column: 0 leaves a column unpenalised, infinity leaves it out.
    max_iter : int in [1, inf), default=100
        Newton steps at most.
    tol : float in [0, inf), default=1e-9
        Violation of the optimality conditions to be left, as a share of the steepest slope of the
        mean loss at zero coefficients.
    warm_start : bool, default=False
        Whether `fit` starts from the coefficients of the fit before.

    Attributes
    ----------
    coef_, intercept_, n_iter_, certificate_, trace_
        As of `PenalizedRegression`.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(100, 20))
    >>> model = MCPRegressor(alpha=0.2).fit(X, 3.0 * X[:, 0] - 2.0 * X[:, 1])
    >>> np.flatnonzero(model.coef_), model.coef_[:2].round(6), model.certificate_.proved
    (array([0, 1]), array([ 3., -2.]), False)

    References
    ----------
    Zhang (2010), Nearly unbiased variable selection under minimax concave penalty, Annals of
    Statistics 38. Breheny & Huang (2011), Coordinate descent algorithms for nonconvex penalized
    regression, Annals of Applied Statistics 5.
    """

    loss = "squared_error"
    penalty = "mcp"
    positive = False

    def __init__(
        self,
        alpha: Annotated[float, Interval(0, inf)] = 1.0,
        *,
        gamma: Annotated[float, Interval(0, inf, closed="neither")] = 3.0,
        fit_intercept: bool = True,
        penalty_factor: Annotated[Any, HasMethods("__len__")] | None = None,
        max_iter: Annotated[int, Interval(1, inf)] = 100,
        tol: Annotated[float, Interval(0, inf)] = 1e-9,
        warm_start: bool = False,
    ) -> None:
        self.alpha = alpha
        self.gamma = gamma
        self.fit_intercept = fit_intercept
        self.penalty_factor = penalty_factor
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start

    def _own_penalty(self) -> Penalty:
        return MCP(1.0, float(self.gamma))


class SCADRegressor(PenalizedRegression):
    r"""Least squares with the smoothly clipped absolute deviation as penalty.

    .. math:: \min_{w, b} \; \frac{1}{2 \sum_i \omega_i} \sum_i \omega_i\,(y_i - x_i^\top w - b)^2
              + \sum_j \int_0^{|w_j|} \min\Bigl(\alpha, \frac{(\gamma \alpha - t)_+}{\gamma - 1}
              \Bigr) dt

    As `MCPRegressor`, with a penalty that is that of the lasso up to α: a *stationary point* of a
    problem that is not convex, whose `certificate_.kkt` says how stationary it is.

    Parameters
    ----------
    alpha : float in [0, inf), default=1.0
        α, the slope at zero.
    gamma : float in (1, inf), default=3.7
        γ; coefficients beyond γα are not shrunk.
    fit_intercept : bool, default=True
        Whether to fit b, which is not penalised.
    penalty_factor : array-like of shape (n_features,) of numbers in [0, inf], optional
        Factors of α, one for each column: 0 leaves a column unpenalised, infinity leaves it out.
    max_iter : int in [1, inf), default=100
        Newton steps at most.
    tol : float in [0, inf), default=1e-9
        Violation of the optimality conditions to be left, as a share of the steepest slope of the
        mean loss at zero coefficients.
    warm_start : bool, default=False
        Whether `fit` starts from the coefficients of the fit before.

    Attributes
    ----------
    coef_, intercept_, n_iter_, certificate_, trace_
        As of `PenalizedRegression`.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(100, 20))
    >>> model = SCADRegressor(alpha=0.2).fit(X, 3.0 * X[:, 0] - 2.0 * X[:, 1])
    >>> np.flatnonzero(model.coef_), model.coef_[:2].round(6)
    (array([0, 1]), array([ 3., -2.]))

    References
    ----------
    Fan & Li (2001), Variable selection via nonconcave penalized likelihood and its oracle
    properties, JASA 96.
    """

    loss = "squared_error"
    penalty = "scad"
    positive = False

    def __init__(
        self,
        alpha: Annotated[float, Interval(0, inf)] = 1.0,
        *,
        gamma: Annotated[float, Interval(1, inf, closed="neither")] = 3.7,
        fit_intercept: bool = True,
        penalty_factor: Annotated[Any, HasMethods("__len__")] | None = None,
        max_iter: Annotated[int, Interval(1, inf)] = 100,
        tol: Annotated[float, Interval(0, inf)] = 1e-9,
        warm_start: bool = False,
    ) -> None:
        self.alpha = alpha
        self.gamma = gamma
        self.fit_intercept = fit_intercept
        self.penalty_factor = penalty_factor
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start

    def _own_penalty(self) -> Penalty:
        return SCAD(1.0, float(self.gamma))
