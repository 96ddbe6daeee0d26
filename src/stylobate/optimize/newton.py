"""Newton's method on step statistics: one pass over the rows per iteration, wherever they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from stylobate.arrays import Array
from stylobate.optimize.damped import Damped
from stylobate.optimize.descent import descend
from stylobate.optimize.least_squares.quadratic import EPS
from stylobate.optimize.newton_direction import NewtonDirection, solve_hessian
from stylobate.optimize.state import norm
from stylobate.optimize.trace import Trace

ROUNDING = 16 * EPS  # differences of objectives below this share of them say nothing


class Derivatives(Protocol):
    """What a step statistic says of the loss: sums over the rows, the intercept's entries last."""

    @property
    def n_rows(self) -> int: ...

    @property
    def value(self) -> float: ...

    @property
    def gradient(self) -> Array: ...

    @property
    def hessian(self) -> Array | None: ...


StepAt = Callable[[Array, float], Derivatives]


@dataclass(frozen=True, slots=True, eq=False)
class NewtonSolution:
    """Where Newton's method stopped, and what it knows there.

    Parameters
    ----------
    coef : array (p,)
    intercept : float
        In the coordinates of the statistic: of centred columns if its derivatives are about them.
    step : Derivatives
        The statistic at the answer, without the penalty.
    direction : array (p + 1,)
        The next step, not taken; 0 for an intercept that is not fitted.
    decrement : float
        ½ gᵀH⁻¹g: how much lower the quadratic model says the objective can get.
    condition : float
        Of the penalised Hessian with unit diagonal.
    rank : int
        Of that Hessian, of the p columns and the intercept if it is fitted.
    objective : float
        Loss and penalty at the answer.
    iterations : int
    converged : bool
    trace : Trace
    """

    coef: Array
    intercept: float
    step: Derivatives
    direction: Array
    decrement: float
    condition: float
    rank: int
    objective: float
    iterations: int
    converged: bool
    trace: Trace


@dataclass(frozen=True, slots=True)
class NewtonPoint:
    """The free parameters (an intercept last), and the penalised objective's derivatives there.

    The value is infinite where it or a derivative is not finite: a step too far.
    """

    theta: Array
    step: Derivatives
    value: float
    gradient: Array
    hessian: Array


@dataclass(frozen=True, slots=True)
class StatisticOracle:
    """Step statistics as an oracle of a descent: value, gradient and Hessian by one pass.

    Parameters
    ----------
    step_at : callable
        (coef, intercept) → statistic.
    l2 : float >= 0
        Strength of the penalty.
    n_columns : int
    intercept : float or None
        Where it stays; None where it is fitted.
    """

    step_at: StepAt
    l2: float
    n_columns: int
    intercept: float | None

    def line(self, theta: Array) -> tuple[Array, float]:
        """Coefficients and intercept."""
        p = self.n_columns
        return theta[:p], float(theta[p]) if self.intercept is None else self.intercept

    def __call__(self, theta: Array) -> NewtonPoint:
        k, p = len(theta), self.n_columns
        step = self.step_at(*self.line(theta))
        assert step.hessian is not None
        gradient, hessian = step.gradient[:k].copy(), step.hessian[:k, :k].copy()
        gradient[:p] += self.l2 * theta[:p]
        hessian[np.arange(p), np.arange(p)] += self.l2
        value = step.value + 0.5 * self.l2 * float(theta[:p] @ theta[:p])
        finite = np.isfinite(value) and np.isfinite(gradient).all() and np.isfinite(hessian).all()
        return NewtonPoint(theta, step, value if finite else np.inf, gradient, hessian)


@dataclass(frozen=True, slots=True)
class Iterate:
    """A point, Newton's direction −H⁻¹g there, what it promises (½gᵀH⁻¹g) and H's condition."""

    point: NewtonPoint
    direction: Array
    decrement: float
    condition: float


def newton(
    step_at: StepAt,
    *,
    start: tuple[Array, float],
    l2: float,
    fit_intercept: bool,
    tol: float,
    max_iter: int,
    saturated: float = 0.0,
    largest_gain: float = float("inf"),
    judge: Callable[[Iterate], bool] | None = None,
) -> NewtonSolution:
    r"""Minimise Σ wᵢℓ(yᵢ, xᵢᵀw + b) + ½ l2 ‖w‖² by damped Newton steps.

    .. math:: d = -H^{-1} g, \quad \theta \leftarrow \theta + t d

    H is equilibrated and factorised by Cholesky; where it is singular the step of least norm is
    taken, so that dependent columns share their weight. Steps are `Damped`. Loop, direction and
    step rule are those of the public `Newton`; here the oracle is a statistic. Iteration ends when
    ½ gᵀH⁻¹g, the decrease still to be had, is at most `tol` times the objective.

    Parameters
    ----------
    step_at : callable
        (coef, intercept) → statistic with value, gradient (p + 1,) and Hessian (p + 1, p + 1) of
        the loss summed over the rows (sources compute it; it may be merged from parts).
    start : (coef, intercept)
        First point; its value must be finite.
    l2 : float >= 0
        Strength of the penalty; the intercept is not penalised.
    fit_intercept : bool
        If False the intercept stays where it starts.
    tol : float >= 0
        Share of the objective that may be left to gain.
    max_iter : int >= 0
        Largest number of steps.
    saturated : float, default=0
        The smallest value the loss could have, were every row fitted perfectly; the objective is
        measured from here.
    largest_gain : float > 0, default=inf
        What may be left to gain at most, whatever share of the objective it is.
    judge : callable, optional
        Asked at every iterate whether to end, instead of `tol`, `saturated` and `largest_gain`.

    Returns
    -------
    NewtonSolution

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> def bowl(coef, intercept):  # ½(w − 3)²
    ...     g, h = np.array([coef[0] - 3.0, 0.0]), np.diag([1.0, 0.0])
    ...     return SimpleNamespace(n_rows=1, value=0.5 * g[0] ** 2, gradient=g, hessian=h)
    >>> newton(bowl, start=(np.zeros(1), 0.0), l2=0.0, fit_intercept=False, tol=1e-9,
    ...        max_iter=5).coef
    array([3.])

    References
    ----------
    Boyd & Vandenberghe (2004), Convex Optimization, section 9.5.
    """
    p = len(start[0])
    at = StatisticOracle(step_at, l2, p, None if fit_intercept else start[1])
    theta = np.append(start[0], start[1]) if fit_intercept else np.array(start[0])
    find = NewtonDirection[NewtonPoint](
        lambda point: solve_hessian(point.hessian, point.gradient, point.step.n_rows)
    )
    trace, converged = Trace(), False
    first: float | None = None
    for iterations, here in enumerate(descend(at, at(theta), find, Damped())):
        point, direction = here.point, here.direction
        decrement = max(-0.5 * float(point.gradient @ direction), 0.0)
        trace.record(objective=point.value, gradient_norm=norm(point.gradient), step=here.length)
        if judge is not None:
            converged = judge(Iterate(point, direction, decrement, find.condition))
        else:
            first = point.value if first is None else first
            above = point.value - saturated
            scale = max(above, EPS * (first - saturated), ROUNDING * abs(first))
            enough = max(min(tol * scale, largest_gain), ROUNDING * abs(point.value))
            converged = decrement <= enough
        if converged or iterations >= max_iter:
            break
    full = np.zeros(p + 1)
    full[: len(direction)] = direction
    coef, intercept = at.line(point.theta)
    return NewtonSolution(
        coef, intercept, point.step, full, decrement, find.condition, find.rank, point.value,
        iterations, converged, trace,
    )  # fmt: skip


def gap_bound(solution: NewtonSolution, l2: float, largest_shift: float) -> float:
    r"""A proved bound of objective − optimum, for logistic and exponential losses.

    Fenchel's dual point :math:`u_i = \ell'_i + \ell''_i t_i`, with :math:`t_i` the change that the
    next Newton step d makes to row i's predictor, meets the linear constraints of the dual exactly.
    It lies in the domain of the conjugates if all :math:`|t_i| \le \tau < 1`, and then

    .. math:: f(\theta) - f^* \le \frac{d^\top H_\ell d}{2 (1 - \tau)} + \frac{l2}{2} \|d_w\|^2,

    since each row's Fenchel–Young gap is a sum of terms :math:`c\,\psi(s)`, with
    :math:`\psi(s) = (1+s)\log(1+s) - s \le s^2 / (2 (1 - |s|))`. For the squared loss
    :math:`\tau = 0` may be used.

    Parameters
    ----------
    solution : NewtonSolution
    l2 : float >= 0
    largest_shift : float >= 0
        τ, the largest |tᵢ| of all rows (for Tweedie's loss of power in [1, 2] as well).

    Returns
    -------
    float
        Infinity if τ ≥ 1.
    """
    if not largest_shift < 1.0:
        return float("inf")
    d, h = solution.direction, solution.step.hessian
    assert h is not None
    loss_part = max(float(d @ h @ d), 0.0) / (2.0 * (1.0 - largest_shift))
    return loss_part + 0.5 * l2 * float(d[:-1] @ d[:-1])
