"""Ridge regression in its constrained form."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Annotated

import numpy as np

from stylobate.base import Interval
from stylobate.linear_model.least_squares.fold_moments import FoldsFromMoments
from stylobate.linear_model.least_squares.request import LinearRequest
from stylobate.statistics import Moments, Source

if TYPE_CHECKING:
    from stylobate.linear_model.least_squares.answer import Solved


class ConstrainedRidge(FoldsFromMoments):
    r"""Least squares with bounded coefficients: ridge in its constrained form.

    .. math:: \min_{w, b} \; \sum_i \omega_i\,(y_i - x_i^\top w - b)^2
              \quad \text{subject to} \quad w^\top w \le R

    The answer equals ridge regression at the penalty `alpha_`, the multiplier of the constraint; it
    is 0 where the least-squares solution is already inside the ball.

    Parameters
    ----------
    radius : float in (0, inf), default=1.0
        The bound R of wᵀw.
    fit_intercept : bool, default=True
        Whether to fit b, which is not bounded.

    Attributes
    ----------
    alpha_ : float or array of shape (n_targets,)
        Multiplier of the constraint.
    coef_, intercept_, solver_, solver_reason_, certificate_, trace_, n_iter_, statistic_
        As of `LinearRegression`.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.array([[0.0], [1.0], [2.0]]), np.array([0.0, 1.0, 2.0])
    >>> model = ConstrainedRidge(radius=0.25).fit(X, y)
    >>> model.coef_, round(model.alpha_, 9)
    (array([0.5]), 2.0)

    References
    ----------
    Moré & Sorensen (1983), Computing a trust region step, SIAM J. Sci. Stat. Comput. 4.
    """

    def __init__(
        self,
        radius: Annotated[float, Interval(0, inf, closed="neither")] = 1.0,
        *,
        fit_intercept: bool = True,
    ) -> None:
        self.radius = radius
        self.fit_intercept = fit_intercept

    @property
    def _is_smoother(self) -> bool:
        return False  # the multiplier, and with it the shrinkage, depends on y

    def _learn(self, source: Source) -> None:
        from stylobate.linear_model.least_squares.answer import Solved
        from stylobate.linear_model.least_squares.verification import verified
        from stylobate.optimize.least_squares import Quadratic, solve_ball

        moments = source.compute(Moments)
        problem = Quadratic.of(moments, intercept=self.fit_intercept)
        solution = solve_ball(problem, float(self.radius), moments.n_rows)
        alphas = solution.dual_values
        assert alphas is not None
        zero = np.zeros(moments.n_targets)
        b = moments.y_mean - moments.x_mean @ solution.coef if self.fit_intercept else zero
        reason = "the multiplier of wᵀw ≤ R from the eigenvalues of the Gram"
        plain = LinearRequest(type(self).__name__, 0.0, self.fit_intercept)
        solved = Solved(solution, "secular", reason, b, moments)
        solved = self._inside(source, plain, solved) or verified(source, plain, solved)
        self._store(solved, source, replace(plain, alpha=alphas))
        self.alpha_ = float(alphas[0]) if source.y_is_vector else alphas

    def _inside(self, source: Source, request: LinearRequest, solved: Solved) -> Solved | None:
        """Least squares from the rows, where the Gram has lost digits and the ball is not reached.

        None: the answer of the Gram is as good, or the ball is reached.
        """
        from stylobate.linear_model.least_squares.solution import REFINED_CONDITION, solve
        from stylobate.optimize.least_squares.ball import FORMULA

        exact = solved.solution.certificate.condition <= REFINED_CONDITION
        if exact or not source.capabilities.repeatable or np.any(solved.solution.dual_values):
            return None
        free = solve(source, request, solved.moments)
        if ((free.solution.coef**2).sum(axis=0) > self.radius).any():
            return None
        proof = replace(free.solution.certificate, objective=FORMULA)
        return replace(free, solution=replace(free.solution, certificate=proof))
