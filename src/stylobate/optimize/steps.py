"""Steps: how far to go along a direction."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from stylobate.exceptions import InvalidParameterError

ROUNDING = 2.0**-46  # of the value: a smaller change is none


@dataclass(frozen=True, slots=True)
class Ray:
    """The objective along a direction, from where a method stands.

    Parameters
    ----------
    value_at : callable
        Step length → F.
    slope_at : callable
        Step length → derivative along the direction.
    value, slope : float
        Both at 0; the slope is negative along a direction of descent.
    """

    value_at: Callable[[float], float]
    slope_at: Callable[[float], float]
    value: float
    slope: float


class StepRule(ABC):
    """A rule for step lengths."""

    @abstractmethod
    def length(self, ray: Ray, t: int, before: float) -> float | None:
        """The step of iteration t = 1, 2, …; None if none lowers the objective enough.

        Parameters
        ----------
        ray : Ray
            The objective along the direction.
        t : int
            The iteration, from 1.
        before : float
            The last step's length; 0 in the first iteration.
        """

    def rate(self, t: int) -> float:
        """The step where no line can be searched (stochastic methods)."""
        raise InvalidParameterError(
            f"{type(self).__name__} searches along a line, which a stochastic method cannot; use "
            "Constant, Decaying, StepDecay, ExponentialDecay or CosineDecay."
        )


def step_rule(owner: str, step: float | StepRule) -> StepRule:
    """A rule as it is, a number as a constant step.

    Examples
    --------
    >>> step_rule("GradientDescent", 0.1)
    Constant(c=0.1)
    """
    if isinstance(step, StepRule):
        return step
    if isinstance(step, bool) or not isinstance(step, int | float | np.number):
        raise InvalidParameterError(
            f"{owner}: step must be a number or a rule such as Constant(0.1) or Backtracking(), "
            f"got {step!r}."
        )
    return Constant(float(step))


def require_positive_steps(owner: str, **values: float) -> None:
    """Refuse lengths outside (0, inf)."""
    for name, value in values.items():
        if not 0.0 < value < np.inf:
            raise InvalidParameterError(
                f"{owner}: {name} must be a number in (0, inf), got {value!r}."
            )


@dataclass(frozen=True, slots=True)
class Constant(StepRule):
    r""":math:`\eta_t = c`.

    Parameters
    ----------
    c : float in (0, inf)

    Examples
    --------
    >>> Constant(0.5).rate(7)
    0.5
    """

    c: float = 0.1

    def __post_init__(self) -> None:
        require_positive_steps("Constant", c=self.c)

    def length(self, ray: Ray, t: int, before: float) -> float:
        return self.c

    def rate(self, t: int) -> float:
        return self.c


@dataclass(frozen=True, slots=True)
class Decaying(StepRule):
    r""":math:`\eta_t = c / t^a`; c/t by default, c/√t with power 0.5.

    Parameters
    ----------
    c : float in (0, inf), default=1.0
    power : float in (0, inf), default=1.0
        a.

    Examples
    --------
    >>> Decaying(1.0).rate(4), Decaying(1.0, 0.5).rate(4)
    (0.25, 0.5)
    """

    c: float = 1.0
    power: float = 1.0

    def __post_init__(self) -> None:
        require_positive_steps("Decaying", c=self.c, power=self.power)

    def length(self, ray: Ray, t: int, before: float) -> float:
        return float(self.c / t**self.power)

    def rate(self, t: int) -> float:
        return float(self.c / t**self.power)


@dataclass(frozen=True, slots=True)
class Backtracking(StepRule):
    r"""Start long; shorten until :math:`f(x + \eta d) \le f(x) + \sigma \eta \nabla f^\top d`.

    Parameters
    ----------
    start : float in (0, inf), default=1.0
        The first step tried in the first iteration; later ones start at `growth` times the last.
    shrink : float in (0, 1), default=0.5
        Factor by which a step that fails is cut.
    sufficient : float in [0, 1), default=1e-4
        σ, Armijo's share of the promised decrease; 0 asks for any decrease, as in a first course.
    growth : float in [1, inf), default=2.0
    decaying : bool, default=False
        Start every search of iteration t at `start`/t instead.

    Examples
    --------
    >>> ray = Ray(lambda t: (2 - 4 * t) ** 2, lambda t: -8 * (2 - 4 * t), 4.0, -16.0)
    >>> Backtracking(sufficient=0.0).length(ray, 1, 0.0)  # x², from 2: η = 1 brings no decrease
    0.5

    References
    ----------
    Armijo (1966), Minimization of functions having Lipschitz continuous first partial derivatives,
    Pacific J. Math. 16.
    """

    start: float = 1.0
    shrink: float = 0.5
    sufficient: float = 1e-4
    growth: float = 2.0
    decaying: bool = False

    def __post_init__(self) -> None:
        require_positive_steps("Backtracking", start=self.start, growth=self.growth)
        if not 0.0 < self.shrink < 1.0 or not 0.0 <= self.sufficient < 1.0 or self.growth < 1.0:
            raise InvalidParameterError(
                f"Backtracking: shrink must be in (0, 1), sufficient in [0, 1) and growth in "
                f"[1, inf), got {self.shrink!r}, {self.sufficient!r} and {self.growth!r}."
            )

    def length(self, ray: Ray, t: int, before: float) -> float | None:
        if self.decaying or before == 0.0:
            length = self.start / t if self.decaying else self.start
        else:
            length = self.growth * before
        slack = ROUNDING * abs(ray.value)
        for _ in range(200):
            value = ray.value_at(length)
            bound = ray.value + self.sufficient * length * ray.slope
            if value < bound or (value <= bound + slack and self.sufficient > 0.0):
                return length
            length *= self.shrink
        return None


@dataclass(frozen=True, slots=True)
class Wolfe(StepRule):
    r"""A sufficient decrease and a flatter slope:
    :math:`|\nabla f(x + \eta d)^\top d| \le c_2 |\nabla f(x)^\top d|`.

    Found by doubling and halving (bisection), which ends wherever such a step exists.

    Parameters
    ----------
    sufficient : float in (0, 0.5], default=1e-4
    curvature : float in (sufficient, 1), default=0.9
        c₂; 0.1 for conjugate gradients.
    strong : bool, default=True
        Whether the slope must also not be steep upwards.

    References
    ----------
    Wolfe (1969), Convergence conditions for ascent methods, SIAM Review 11; Burke, Lewis & Overton
    (2008) for the bisection.

    Examples
    --------
    >>> ray = Ray(lambda t: (2 - 4 * t) ** 2, lambda t: -8 * (2 - 4 * t), 4.0, -16.0)
    >>> Wolfe().length(ray, 1, 0.0)
    0.5
    """

    sufficient: float = 1e-4
    curvature: float = 0.9
    strong: bool = True

    def __post_init__(self) -> None:
        if not 0.0 < self.sufficient < self.curvature < 1.0 or self.sufficient > 0.5:
            raise InvalidParameterError(
                f"Wolfe: 0 < sufficient < curvature < 1 is needed (sufficient at most 0.5), got "
                f"{self.sufficient!r} and {self.curvature!r}."
            )

    def length(self, ray: Ray, t: int, before: float) -> float | None:
        low, high, length = 0.0, np.inf, 1.0
        slack = ROUNDING * abs(ray.value)
        best: float | None = None
        for _ in range(400):  # doubled as often the step is endless, and so is the fall
            value = ray.value_at(length)
            if not value <= ray.value + self.sufficient * length * ray.slope + slack:
                high = length
            else:
                best = length
                slope = ray.slope_at(length)
                if slope < self.curvature * ray.slope:
                    low = length
                elif self.strong and slope > -self.curvature * ray.slope:
                    high = length
                else:
                    return length
            length = 0.5 * (low + high) if np.isfinite(high) else 2.0 * length
            if best is not None and high - low <= 1e-3 * low:
                break
        return best


@dataclass(frozen=True, slots=True)
class Polyak(StepRule):
    r""":math:`\eta_t = (f(x_t) - f^*) / \|g_t\|^2`, for subgradients where f* is known.

    Parameters
    ----------
    optimum : float
        f*.

    References
    ----------
    Polyak (1969), Minimization of unsmooth functionals, USSR Comput. Math. Math. Phys. 9.

    Examples
    --------
    >>> Polyak(0.0).length(Ray(lambda t: 0.0, lambda t: 0.0, 3.0, -4.0), 1, 0.0)
    0.75
    """

    optimum: float = 0.0

    def length(self, ray: Ray, t: int, before: float) -> float:
        return max(ray.value - self.optimum, 0.0) / max(-ray.slope, 1e-300)
