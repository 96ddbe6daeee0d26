"""Newton's method on step statistics: one pass over the rows per iteration, wherever they are."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from stylobate.optimize.least_squares.quadratic import EPS, CholeskyFactor, pseudo_inverse
from stylobate.optimize.trace import Trace
from stylobate.parallel import one_blas_thread

Array = NDArray[np.float64]

FEW_COLUMNS = 256  # a factorisation of these takes one thread's milliseconds
SUFFICIENT = 1e-4  # share of the promised decrease that a step must keep (Armijo)
BACKTRACKS = 60
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
    """Coefficients with intercept, and the penalised objective with its k free derivatives."""

    theta: Array
    step: Derivatives
    objective: float
    gradient: Array
    hessian: Array

    @classmethod
    def at(cls, step_at: StepAt, theta: Array, l2: float, k: int) -> NewtonPoint:
        step = step_at(theta[:-1], float(theta[-1]))
        assert step.hessian is not None
        p = len(theta) - 1
        gradient, hessian = step.gradient[:k].copy(), step.hessian[:k, :k].copy()
        gradient[:p] += l2 * theta[:p]
        hessian[np.arange(p), np.arange(p)] += l2
        objective = step.value + 0.5 * l2 * float(theta[:p] @ theta[:p])
        return cls(theta, step, objective, gradient, hessian)

    @property
    def is_finite(self) -> bool:
        return bool(
            np.isfinite(self.objective)
            and np.isfinite(self.gradient).all()
            and np.isfinite(self.hessian).all()
        )


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
    taken, so that dependent columns share their weight. The step length starts at 1 and is cut
    back until the objective falls enough. Iteration ends when ½ gᵀH⁻¹g, the decrease still to be
    had, is at most `tol` times the objective.

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
    Boyd & Vandenberghe (2004), Convex Optimization, section 9.5; Hager & Zhang (2005), SIAM J.
    Optimization 16, for judging a step whose decrease is lost in rounding.
    """
    k = len(start[0]) + fit_intercept
    point = NewtonPoint.at(step_at, np.append(start[0], start[1]), l2, k)
    first, trace, length, iterations, converged = point.objective, Trace(), 0.0, 0, False
    while True:
        solved, condition, rank = solve_hessian(point.hessian, point.gradient, point.step.n_rows)
        direction = -solved
        decrement = max(-0.5 * float(point.gradient @ direction), 0.0)
        size = float(np.abs(point.gradient).max(initial=0.0))
        trace.record(objective=point.objective, gradient_norm=size, step=length)
        if judge is not None:
            converged = judge(Iterate(point, direction, decrement, condition))
        else:
            above = point.objective - saturated
            scale = max(above, EPS * (first - saturated), ROUNDING * abs(first))
            enough = max(min(tol * scale, largest_gain), ROUNDING * abs(point.objective))
            converged = decrement <= enough
        if converged or iterations >= max_iter:
            break
        moved = _search(step_at, point, direction, l2)
        if moved is None:  # no step lowers the objective beyond rounding
            break
        point, length = moved
        iterations += 1
    theta, full = point.theta, np.zeros(len(point.theta))
    full[:k] = direction
    return NewtonSolution(
        theta[:-1], float(theta[-1]), point.step, full, decrement, condition, rank,
        point.objective, iterations, converged, trace,
    )  # fmt: skip


def solve_hessian(hessian: Array, gradient: Array, n_rows: int) -> tuple[Array, float, int]:
    """H⁻¹g (of least norm if H is singular), the condition and the rank of H.

    The condition is that of H with unit diagonal; `n_rows` are those H is a sum over.
    """
    k = len(gradient)
    with one_blas_thread() if k <= FEW_COLUMNS else nullcontext():
        factor = CholeskyFactor.of(hessian)
        if factor is not None:
            return factor.solve(gradient[:, None])[:, 0], factor.condition, k
        inverse, rank, condition = pseudo_inverse(hessian, n_rows)
    return inverse @ gradient, condition, rank


def _search(
    step_at: StepAt, point: NewtonPoint, direction: Array, l2: float
) -> tuple[NewtonPoint, float] | None:
    """The first of the lengths 1, then shorter ones, that lowers the objective enough."""
    slope, k = float(point.gradient @ direction), len(direction)
    length = 1.0
    for _ in range(BACKTRACKS):
        theta = point.theta.copy()
        theta[:k] += length * direction
        if (theta == point.theta).all():
            return None
        with np.errstate(over="ignore", invalid="ignore"):
            trial = NewtonPoint.at(step_at, theta, l2, k)
        if not trial.is_finite:
            length *= 0.25
            continue
        gain = trial.objective - point.objective
        if gain <= SUFFICIENT * length * slope:
            return trial, length
        slope_there = float(trial.gradient @ direction)
        lost = abs(gain) <= ROUNDING * max(abs(point.objective), abs(trial.objective))
        if lost and abs(slope_there) <= 0.9 * abs(slope):
            return trial, length  # flatter, as far as rounding lets us see
        if lost and length < 1.0:
            return None
        # the parabola through value and slope here and the value there
        curved = 2.0 * (gain - length * slope)
        best = -slope * length * length / curved if curved > 0 else 0.5 * length
        length = float(np.clip(best, 0.1 * length, 0.5 * length))
    return None


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
