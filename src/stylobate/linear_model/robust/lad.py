"""Least absolute deviations."""

from __future__ import annotations

from math import inf, log, nan
from typing import TYPE_CHECKING, Annotated, Any

from stylobate.base import Interval, Options
from stylobate.linear_model.robust.vertex_regressor import ADVICE, SOLVERS, TOL, VertexRegressor
from stylobate.statistics import Source

if TYPE_CHECKING:
    from stylobate.inference.quantile import Bandwidth, QuantileCovariance, QuantileSummary


class LADRegressor(VertexRegressor):
    r"""Least absolute deviations: the line through the conditional median.

    .. math:: \min_{w, b} \; \frac{1}{\sum_i \omega_i} \sum_i \omega_i\, |y_i - x_i^\top w - b| +
              \alpha \|w\|_1

    The maximum likelihood fit when errors follow Laplace's law
    :math:`\exp(-|r| / s) / 2s`, whose scale is then the mean absolute residual. A few wild values
    of y move it little, however wild. Solved exactly, as `QuantileRegressor` at one half.

    Parameters
    ----------
    alpha : float in [0, inf), default=0.0
        Strength of the penalty.
    fit_intercept : bool, default=True
        Whether to fit b.
    solver : {"auto", "vertex", "highs", "highs-ds", "highs-ipm", "interior-point", \
"revised simplex"}, default="auto"
        As of `QuantileRegressor`.
    solver_options : dict or None, default=None
        Options for HiGHS, as of `scipy.optimize.linprog`.

    Attributes
    ----------
    coef_ : array of shape (n_features,)
        Coefficients.
    intercept_ : float
        0.0 without intercept.
    scale_ : float
        Maximum likelihood scale s of Laplace's law: Σ ωᵢ|rᵢ| / n.
    log_likelihood_ : float
        Σ log ωᵢ − n log 2s − n.
    aic_, bic_ : float
        Akaike's and Schwarz's criteria; they count the coefficients (NaN with a penalty).
    n_iter_, rank_, solver_, solver_reason_, certificate_, trace_
        As of `QuantileRegressor`; the certificate is for the objective above.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(6.0).reshape(-1, 1)
    >>> y = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 99.0])  # the last one is a slip of the pen
    >>> model = LADRegressor().fit(X, y)
    >>> model.coef_.round(9), round(model.scale_, 9)
    (array([1.]), 15.666666667)

    References
    ----------
    Bloomfield & Steiger (1983), Least Absolute Deviations, Birkhäuser.
    """

    _facts: tuple[int, float]

    def __init__(
        self,
        *,
        alpha: Annotated[float, Interval(0, inf)] = 0.0,
        fit_intercept: bool = True,
        solver: Annotated[str, Options(*SOLVERS)] = "auto",
        solver_options: dict[str, Any] | None = None,
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.solver = solver
        self.solver_options = solver_options

    def _learn(self, source: Source) -> None:
        from stylobate.optimize.certificate import Certificate

        solution = self._solve(source, [0.5], 0.5 * float(self.alpha))
        self.coef_, self.intercept_ = solution.coef[0], float(solution.intercept[0])
        if not self.fit_intercept:
            self.intercept_ = 0.0
        half = solution.certificate  # of ρ_½ = |r| / 2
        self.certificate_ = Certificate(
            "mean |y − Xw − b|" + (" + α‖w‖₁" if self.alpha else ""),
            2 * half.primal,
            2 * half.dual,
            2 * half.gap,
            half.relative_gap,
            half.kkt,
            half.condition,
            half.digits,
            half.proved,
        )
        if self.trace_ is not None:
            self.trace_.objective = [2 * value for value in self.trace_.objective]
            self.trace_.gradient_norm = [2 * norm for norm in self.trace_.gradient_norm]
        size = float(abs(self.coef_).sum())
        n, total = solution.n_rows, solution.weight
        self.scale_ = max(self.certificate_.primal - self.alpha * size, 0.0) * total / n
        self._facts = (n, solution.log_weights)
        self._warn_unless(self._proved(solution), TOL, ADVICE)

    @property
    def log_likelihood_(self) -> float:
        """Of Laplace's law at its maximum; infinite for a perfect fit."""
        self._check_fitted()
        n, log_weights = self._facts
        return log_weights - n * log(2 * self.scale_) - n if self.scale_ > 0 else inf

    @property
    def aic_(self) -> float:
        """Akaike's criterion, −2 log L + 2·rank."""
        return nan if self.alpha > 0 else -2 * self.log_likelihood_ + 2 * self.rank_

    @property
    def bic_(self) -> float:
        """Schwarz's criterion, −2 log L + rank·log n."""
        return (
            nan if self.alpha > 0 else -2 * self.log_likelihood_ + log(self._facts[0]) * self.rank_
        )

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
        """Standard errors, t and p values and intervals; see `QuantileRegressor.summary`.

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
        return self._summarize(
            X, y, sample_weight, 0.5, covariance, bandwidth, level, n_resamples, random_state
        )
