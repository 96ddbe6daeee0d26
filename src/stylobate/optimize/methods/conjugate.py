"""Nonlinear conjugate gradients."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.functions.quadratic import Quadratic
from stylobate.optimize.methods.line_search import Direction, LineSearchMethod
from stylobate.optimize.methods.method import Rate
from stylobate.optimize.objective import Objective, PointOf
from stylobate.optimize.problem import Problem
from stylobate.optimize.steps import Ray, StepRule, Wolfe

Variant = Literal["polak-ribiere", "fletcher-reeves", "hestenes-stiefel"]


@dataclass(frozen=True)
class ConjugateGradient(LineSearchMethod):
    r""":math:`d_t = -g_t + \beta_t d_{t-1}`; n steps solve a quadratic of n variables.

    Parameters
    ----------
    variant : {"polak-ribiere", "fletcher-reeves", "hestenes-stiefel"}, default="polak-ribiere"
        β; Polak and Ribière's is never negative here, which restarts the method by itself.
    step : StepRule, optional
        By default exact on a `Quadratic`, else `Wolfe(curvature=0.1)`.

    References
    ----------
    Hestenes & Stiefel (1952), Methods of conjugate gradients for solving linear systems; Nocedal &
    Wright (2006), Numerical Optimization, chapter 5.

    Examples
    --------
    >>> from stylobate.optimize import minimize
    >>> found = minimize(Quadratic(np.diag([1.0, 10.0, 100.0])), np.ones(3),
    ...                  method=ConjugateGradient())
    >>> found.iterations
    3
    """

    variant: Variant = "polak-ribiere"
    step: StepRule = None  # type: ignore[assignment]
    name: ClassVar[str] = "conjugate gradients"

    def __post_init__(self) -> None:
        if self.variant not in ("polak-ribiere", "fletcher-reeves", "hestenes-stiefel"):
            raise InvalidParameterError(
                f"ConjugateGradient: variant must be 'polak-ribiere', 'fletcher-reeves' or "
                f"'hestenes-stiefel', got {self.variant!r}."
            )
        if self.step is None:
            object.__setattr__(self, "step", _ExactOrWolfe())
        super().__post_init__()

    def direction(self, objective: Objective) -> Direction:
        last: tuple[Array, Array] | None = None

        def find(at: PointOf) -> Array:
            nonlocal last
            g = at.gradient
            d = -g
            if last is not None:
                d = d + self._beta(g, *last) * last[1]
                if float(d @ g) >= 0.0:  # uphill: start anew
                    d = -g
            last = (g, d)
            return d

        return find

    def _beta(self, g: Array, before: Array, d: Array) -> float:
        change = g - before
        if self.variant == "fletcher-reeves":
            above, below = float(g @ g), float(before @ before)
        elif self.variant == "hestenes-stiefel":
            above, below = float(g @ change), float(d @ change)
        else:
            above, below = max(float(g @ change), 0.0), float(before @ before)
        return above / below if below != 0.0 else 0.0

    def rate(self, problem: Problem) -> Rate | None:
        if not isinstance(problem.smooth, Quadratic) or problem.strong_convexity <= 0.0:
            return None
        root = np.sqrt(problem.smooth.lipschitz / problem.strong_convexity)
        return Rate(factor=((root - 1) / (root + 1)) ** 2, words="4((√κ − 1)/(√κ + 1))²ᵗ")


@dataclass(frozen=True, slots=True)
class _ExactOrWolfe(StepRule):
    """The minimum of the parabola through value and slopes, where it is one; else Wolfe's."""

    def length(self, ray: Ray, t: int, before: float) -> float | None:
        bend = ray.slope_at(1.0) - ray.slope
        exact = -ray.slope / bend if bend > 0.0 else 1.0
        if abs(ray.slope_at(exact)) <= 1e-10 * abs(ray.slope) and ray.value_at(exact) <= ray.value:
            return exact
        scaled = Ray(
            lambda s: ray.value_at(s * exact), lambda s: exact * ray.slope_at(s * exact),
            ray.value, exact * ray.slope,
        )  # fmt: skip
        found = Wolfe(curvature=0.1).length(scaled, t, before)
        return None if found is None else found * exact
