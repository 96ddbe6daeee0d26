"""Huber's regression."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import Interval, Tags
from stylobate.base.batches import refuse_read_once
from stylobate.base.study_role import StudyRole
from stylobate.data.streams import Stream
from stylobate.exceptions import InvalidParameterError, joined
from stylobate.linear_model.robust.regressor import RobustRegressor
from stylobate.statistics import Source

if TYPE_CHECKING:
    from stylobate.inference.huber import HuberCovariance, HuberSummary
    from stylobate.optimize.robust.huber import HuberSolution
    from stylobate.optimize.robust.huber_loss import HuberLoss


class HuberRegressor(RobustRegressor):
    r"""Linear regression by Huber's loss: squares near the line, absolute values far from it.

    .. math:: \min_{w, b, \sigma} \; \sum_i \omega_i \Big(\sigma + H_\epsilon\Big(\frac{y_i -
              x_i^\top w - b}{\sigma}\Big) \sigma \Big) + \alpha \|w\|^2, \qquad
              H_\epsilon(z) = \begin{cases} z^2 & |z| < \epsilon \\ 2 \epsilon |z| - \epsilon^2 &
              \text{otherwise} \end{cases}

    The scale σ is fitted along, so that ε needs no change when y is rescaled. With `scale` given it
    is fixed, and the loss is

    .. math:: h_{\lambda,\mu}(r) = \begin{cases} \lambda\,(|r| - \lambda / 4\mu) & |r| \ge
              \lambda / 2\mu \\ \mu r^2 & \text{otherwise} \end{cases} \qquad \lambda = 2\epsilon,
              \; \mu = 1 / \sigma

    (see `from_loss`). Either way the problem is convex. While no row changes from one side of the
    threshold to the other it is solved from moments; a few passes over the rows reach the exact
    minimum.

    Parameters
    ----------
    epsilon : float in (0, inf), default=1.35
        The threshold in units of σ; at least 1 unless `scale` is given. 1.35 loses 5% to least
        squares on normal errors; smaller is more robust.
    max_iter : int in [0, inf), default=100
        Limit of the iterations, each one pass over the rows.
    alpha : float in [0, inf), default=0.0001
        Strength of the ℓ2 penalty.
    warm_start : bool, default=False
        Whether to start from the answer of the `fit` before.
    fit_intercept : bool, default=True
        Whether to fit b.
    tol : float in [0, inf), default=1e-5
        Relative duality gap asked for.
    scale : float in (0, inf) or None, default=None
        σ, if it is known; None fits it.

    Attributes
    ----------
    coef_ : array of shape (n_features,)
        Coefficients.
    intercept_ : float
        0.0 without intercept.
    scale_ : float
        σ.
    outliers_ : array of shape (n,) of bool
        Rows whose absolute residual is above ε·σ.
    n_iter_ : int
        Iterations.
    solver_, solver_reason_ : str
        The method used, and why.
    certificate_ : Certificate
        The objective and its lower bound from a feasible point of the dual.
    trace_ : Trace
        The objective by iteration.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(10.0).reshape(-1, 1)
    >>> y = 2.0 * X[:, 0] + 1.0 + 0.1 * np.resize([1.0, -1.0], 10)
    >>> y[-1] = 99.0
    >>> model = HuberRegressor(epsilon=2.0).fit(X, y)
    >>> model.coef_.round(1), np.flatnonzero(model.outliers_)
    (array([2.]), array([9]))

    References
    ----------
    Huber & Ronchetti (2009), Robust Statistics, Wiley, section 7. Owen (2007), A robust hybrid of
    lasso and ridge regression.
    """

    _study_role = StudyRole(
        "huber",
        "Huber regression",
        14,
        space={"epsilon": (1.35, 2.0), "alpha": (0.0001, 1.0)},
        fixed={"max_iter": 1000},
        max_rows=200_000,
    )

    scale_: float

    def __init__(
        self,
        *,
        epsilon: Annotated[float, Interval(0, inf, closed="neither")] = 1.35,
        max_iter: Annotated[int, Interval(0, inf)] = 100,
        alpha: Annotated[float, Interval(0, inf)] = 0.0001,
        warm_start: bool = False,
        fit_intercept: bool = True,
        tol: Annotated[float, Interval(0, inf)] = 1e-5,
        scale: Annotated[float, Interval(0, inf, closed="neither")] | None = None,
    ) -> None:
        self.epsilon = epsilon
        self.max_iter = max_iter
        self.alpha = alpha
        self.warm_start = warm_start
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.scale = scale

    @classmethod
    def from_loss(cls, lambda_: float, mu: float, **parameters: Any) -> Self:
        """The regressor that minimises Σ h_{λ,μ}(rᵢ) + α‖w‖².

        Parameters
        ----------
        lambda_, mu : float in (0, inf)
            λ, the slope far away, and μ, the factor of the square; the threshold is λ/2μ.
        **parameters
            The others, of the constructor.

        Returns
        -------
        HuberRegressor

        Examples
        --------
        >>> HuberRegressor.from_loss(2.0, 0.5)
        HuberRegressor(epsilon=1.0, scale=2.0)
        """
        return cls(epsilon=lambda_ / 2.0, scale=1.0 / mu, **parameters)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.scale is None and self.epsilon < 1.0:
            raise joined(InvalidParameterError)(
                f"{type(self).__name__}: epsilon must be a number in [1.0, inf) where the scale is "
                f"fitted along, got {self.epsilon!r}; give a scale, or raise it."
            )

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit to rows in memory.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows of numbers.
        y : array-like of shape (n,)
            Target.
        sample_weight : array-like of shape (n,) or float, optional
            Non-negative weights; a row of weight 0 is no row.

        Returns
        -------
        self
        """
        self._start = self._last_answer()
        try:
            return super().fit(X, y, sample_weight)
        finally:
            del self._start

    def summary(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        covariance: HuberCovariance = "H1",
        level: float = 0.95,
    ) -> HuberSummary:
        """Standard errors, z and p values and intervals, by large-sample theory; print it.

        Parameters
        ----------
        X, y, sample_weight
            The data of `fit`.
        covariance : {"H1", "H2", "H3", "robust"}, default="H1"
            Huber's three, which statsmodels has (and R's `rlm` the first, with n − 1 for n in one
            place), for errors of equal variance; or the sandwich, in which variances may differ
            from row to row.
        level : float in (0, 1), default=0.95
            Of the confidence intervals.

        Returns
        -------
        HuberSummary
        """
        from stylobate.base.validation import input_names
        from stylobate.inference.huber import summarize_huber
        from stylobate.optimize.robust.rows import Rows

        self._check_fitted()
        table = Rows.of(self._read(X, y, sample_weight, reset=False, y_required=True)).table
        return summarize_huber(
            table, self.coef_, float(self.intercept_), float(self.scale_),
            epsilon=float(self.epsilon), names=tuple(map(str, input_names(self))),
            has_intercept=bool(self.fit_intercept), penalised=self.alpha > 0,
            covariance=covariance, level=level,
        )  # fmt: skip

    def _fit_stream(self, stream: Stream) -> Self:
        """By passes over a stream, one for every step, and a few for the certificate."""
        self._start = self._last_answer()
        try:
            return super()._fit_stream(stream)
        finally:
            del self._start

    def _tags(self) -> Tags:
        return super()._tags().but(tier="one pass per iteration")

    @property
    def _needs_rows(self) -> bool:
        return False

    def _last_answer(self) -> tuple[Array, float, float] | None:
        if not (self.warm_start and self.__sklearn_is_fitted__()):
            return None
        return self.coef_, float(self.intercept_), float(self.scale_)

    def _learn(self, source: Source) -> None:
        from stylobate.optimize.robust.huber_loss import HuberLoss

        loss = HuberLoss(
            float(self.epsilon), float(self.alpha), bool(self.fit_intercept), self.scale
        )
        start = self._start
        if start is not None and len(start[0]) != source.n_features:
            start = None
        if source.capabilities.rows_in_memory:
            self._learn_from_rows(source, loss, start)
        else:
            self._learn_by_passes(source, loss, start)

    def _learn_by_passes(self, source: Source, loss: HuberLoss, start: Any) -> None:
        from stylobate.optimize.robust.far_rows import FarFromLine
        from stylobate.optimize.robust.huber_passes import solve_huber_passes

        refuse_read_once(source.capabilities.repeatable, type(self).__name__)
        reason = "rows in batches: exact steps from the moments of those near the line, a pass each"
        self._keep(
            solve_huber_passes(loss, source, tol=self.tol, max_iter=self.max_iter, start=start),
            reason,
        )
        reach = self.epsilon * self.scale_
        self.outliers_ = source.compute(FarFromLine(self.coef_, self.intercept_, reach)).far

    def _learn_from_rows(self, source: Source, loss: HuberLoss, start: Any) -> None:
        from stylobate.optimize.robust.huber import solve_huber

        rows, moments = self._rows(source)
        solution = solve_huber(
            loss, rows, moments, tol=self.tol, max_iter=self.max_iter, start=start
        )
        self._keep(solution, "exact steps from the moments of the rows near the line")
        table = source.rows()
        assert table.y is not None
        every = len(rows) == table.n_rows  # else rows of weight zero are judged as well
        fit = rows.values(self.coef_, self.intercept_) if every else self._line(table.x)
        self.outliers_ = np.abs(table.y[:, 0] - fit) > self.epsilon * self.scale_

    def _keep(self, solution: HuberSolution, reason: str) -> None:
        self.coef_, self.intercept_ = solution.coef, solution.intercept
        self.scale_ = solution.scale
        self.n_iter_ = max(solution.iterations, 1)
        self.solver_, self.solver_reason_ = "zones", reason
        self.certificate_, self.trace_ = solution.certificate, solution.trace
        advice = "Raise max_iter, or scale the columns to one size."
        self._warn_unless(solution.converged, self.tol, advice)

    def _line(self, x: Any) -> Any:
        return x @ self.coef_ + self.intercept_
