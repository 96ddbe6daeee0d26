"""The Karush–Kuhn–Tucker conditions at a point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.optimize.constrained.problem import ConstrainedProblem

_ACTIVE = 1e-6  # of a constraint's own slope: so far inside it still counts as touched


@dataclass(frozen=True, slots=True, eq=False)
class KKTConditions:
    r"""What must hold at a minimum x with multipliers λ and μ, and by how much it does not.

    .. math:: \nabla f + \sum_i \lambda_i \nabla g_i + \sum_j \mu_j \nabla h_j = 0, \quad
              g_i \le 0,\; h_j = 0, \quad \lambda_i \ge 0, \quad \lambda_i g_i = 0

    At a minimum they hold (where the gradients of the constraints that bind are independent, or
    some point is strictly inside); of a convex problem (f and g convex, h affine) a point at which
    they hold is a minimum.

    Parameters
    ----------
    x : array (n,)
    inequality_multipliers, equality_multipliers : arrays
        λ and μ.
    inequality_values, equality_values : arrays
        g(x) and h(x).
    stationarity : float
        The largest entry of the Lagrangian's gradient, in absolute value.
    primal_violation : float
        The largest of g(x), above 0, and |h(x)|.
    dual_violation : float
        The largest of −λ, above 0.
    complementarity : float
        The largest \|λ g\|.
    scale : float
        The largest entry of ∇f(x), at least 1: what stationarity is measured by.
    """

    x: Array
    inequality_multipliers: Array
    equality_multipliers: Array
    inequality_values: Array
    equality_values: Array
    stationarity: float
    primal_violation: float
    dual_violation: float
    complementarity: float
    scale: float

    def hold(self, tol: float = 1e-6) -> bool:
        """Whether all conditions hold up to a tolerance, relative to the slope of f.

        Parameters
        ----------
        tol : float in (0, inf), default=1e-6
        """
        worst = (self.stationarity, self.dual_violation, self.complementarity)
        return max(worst) <= tol * self.scale and self.primal_violation <= tol

    @property
    def active(self) -> NDArray[np.intp]:
        """Numbers of the inequalities that bind: those with a multiplier above 0."""
        return np.flatnonzero(self.inequality_multipliers > _ACTIVE * self.scale)

    @property
    def duality_gap(self) -> float:
        """f(x) − L(x, λ, μ): of a convex problem with a stationary L, how far f is from best."""
        prices = (self.inequality_multipliers, self.equality_multipliers)
        values = (self.inequality_values, self.equality_values)
        return -sum(float(p @ v) for p, v in zip(prices, values, strict=True))

    def __str__(self) -> str:
        """A line for each condition."""
        held = "hold" if self.hold() else "do not hold"
        return "\n".join(
            [
                f"Karush–Kuhn–Tucker conditions {held} at {np.array2string(self.x, precision=6)}",
                f"  stationarity      ‖∇L‖∞ = {self.stationarity:.2g} (‖∇f‖∞ = {self.scale:.2g})",
                f"  feasibility       {self.primal_violation:.2g} outside the constraints",
                f"  multipliers ≥ 0   {self.dual_violation:.2g} below",
                f"  complementarity   |λ g| ≤ {self.complementarity:.2g}",
            ]
        )


def kkt_conditions(
    function: Any,
    x: Any,
    *,
    inequalities: Any = (),
    equalities: Any = (),
    multipliers: Any = None,
) -> KKTConditions:
    r"""Whether a point satisfies the Karush–Kuhn–Tucker conditions of a problem.

    Parameters
    ----------
    function : callable
        f.
    x : array (n,)
        Where.
    inequalities, equalities : functions, default=()
        The g (not positive) and the h (0), as of `ConstrainedProblem`.
    multipliers : pair (λ, μ), optional
        By default those that leave the least of the gradient, with λ ≥ 0 and 0 where g is not
        touched.

    Returns
    -------
    KKTConditions

    Examples
    --------
    Minimise x² + y² where x + y ≥ 1:

    >>> def far_enough(x):
    ...     return 1 - x[0] - x[1]
    >>> found = kkt_conditions(lambda x: x @ x, [0.5, 0.5], inequalities=far_enough)
    >>> found.hold(), found.inequality_multipliers.round(6)
    (True, array([1.]))
    >>> kkt_conditions(lambda x: x @ x, [1.0, 0.0], inequalities=far_enough).hold()
    False
    """
    prices = (None, None) if multipliers is None else tuple(multipliers)
    return ConstrainedProblem(function, inequalities, equalities).conditions(x, *prices)


def conditions_at(
    problem: ConstrainedProblem, x: Array, inequalities: Any, equalities: Any
) -> KKTConditions:
    """The conditions at x, with multipliers given or found."""
    slope = problem.gradient(x)
    g, h = problem.constraint_values(x)
    if inequalities is None and equalities is None:
        lam, mu = _best_multipliers(slope, g, *problem.constraint_gradients(x))
    else:
        lam, mu = problem._multipliers(inequalities, equalities)
    left = problem.lagrangian_gradient(x, lam, mu)
    return KKTConditions(
        x=x,
        inequality_multipliers=lam,
        equality_multipliers=mu,
        inequality_values=g,
        equality_values=h,
        stationarity=float(np.abs(left).max()),
        primal_violation=float(max(g.max(initial=0.0), np.abs(h).max(initial=0.0))),
        dual_violation=float(max((-lam).max(initial=0.0), 0.0)),
        complementarity=float(np.abs(lam * g).max(initial=0.0)),
        scale=max(1.0, float(np.abs(slope).max())),
    )


def _best_multipliers(slope: Array, g: Array, of_g: Array, of_h: Array) -> tuple[Array, Array]:
    """Least squares of ∇f + Σλ∇g + Σμ∇h over λ ≥ 0 of touched constraints and free μ."""
    from scipy.optimize import lsq_linear

    lengths = np.maximum(np.linalg.norm(of_g, axis=1), 1.0)
    touched = np.flatnonzero(g >= -_ACTIVE * lengths)
    lam, mu = np.zeros(len(g)), np.zeros(len(of_h))
    columns = np.vstack([of_g[touched], of_h]).T
    if columns.shape[1]:
        low = np.concatenate([np.zeros(len(touched)), np.full(len(mu), -np.inf)])
        found = lsq_linear(columns, -slope, bounds=(low, np.inf), method="bvls", tol=1e-14).x
        lam[touched], mu = found[: len(touched)], found[len(touched) :]
    return lam, mu
