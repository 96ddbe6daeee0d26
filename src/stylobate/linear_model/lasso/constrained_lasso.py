"""The lasso in its constrained form."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Annotated, Any

import numpy as np

from stylobate.base import Interval
from stylobate.linear_model.lasso.sparse_regressor import SparseLinearRegressor, readable
from stylobate.optimize import elastic_net as en
from stylobate.statistics import Moments, Source, rows_at_hand


class ConstrainedLasso(SparseLinearRegressor):
    r"""Least squares with a bounded sum of absolute coefficients.

    .. math:: \min_{w, b} \; \frac{1}{2n} \sum_i \omega_i\,(y_i - x_i^\top w - b)^2
              \quad \text{subject to} \quad \|w\|_1 \le R

    Accelerated gradient steps, each projected onto the ball. The answer equals `Lasso` at the
    penalty `alpha_`, the multiplier of the constraint; it is 0 where least squares is already
    inside the ball.

    Parameters
    ----------
    radius : float in (0, inf), default=1.0
        The bound R of ‖w‖₁.
    fit_intercept : bool, default=True
        Whether to fit b, which is not bounded.
    max_iter : int in [1, inf), default=10000
        Iterations at most.
    tol : float in [0, inf), default=1e-6
        Relative gap asked for, by Frank and Wolfe's bound.

    Attributes
    ----------
    alpha_ : float or array of shape (n_targets,)
        Multiplier of the constraint.
    coef_, sparse_coef_, intercept_, dual_gap_, n_iter_, certificate_, trace_, solver_, \
solver_reason_, statistic_
        As of `Lasso`.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.array([[0.0], [1.0], [2.0]]), np.array([0.0, 1.0, 2.0])
    >>> model = ConstrainedLasso(radius=0.25).fit(X, y)
    >>> model.coef_, round(model.alpha_, 6)
    (array([0.25]), 0.5)

    References
    ----------
    Tibshirani (1996), Regression shrinkage and selection via the lasso, JRSS B 58.
    """

    positive = False
    selection = "cyclic"

    _easier = "smaller radius"

    def __init__(
        self,
        radius: Annotated[float, Interval(0, inf, closed="neither")] = 1.0,
        *,
        fit_intercept: bool = True,
        max_iter: Annotated[int, Interval(1, inf)] = 10000,
        tol: Annotated[float, Interval(0, inf)] = 1e-6,
    ) -> None:
        self.radius = radius
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol

    def _learn(self, source: Source) -> None:
        table = rows_at_hand(source)
        moments = None
        if table is None or table.n_features <= table.n_rows:
            self.statistic_ = moments = source.compute(Moments)
        problem = en.ElasticNetProblem(
            np.ones(1),
            table=None if moments is not None or table is None else readable(table),
            moments=moments,
            intercept=self.fit_intercept,
            tol=self.tol,
            max_iter=self.max_iter,
        )
        solution, alphas = en.solve_l1_ball(problem, float(self.radius))
        self._keep(solution, problem, source.y_is_vector)
        objective = "‖y − Xw − b‖²/(2n) subject to ‖w‖₁ ≤ R"
        self.certificate_ = replace(self.certificate_, objective=objective)
        self.alpha_: Any = float(alphas[0]) if source.y_is_vector else alphas
        self.solver_, self.solver_reason_ = "projected", "gradient steps projected onto ‖w‖₁ ≤ R"
        if not solution.converged(problem):
            self._warn_unfinished()
