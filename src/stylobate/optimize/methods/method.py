"""What a method is, and the rate theory promises of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.objective import Objective
from stylobate.optimize.problem import Problem
from stylobate.optimize.state import State
from stylobate.optimize.stopping import Stopping


@dataclass(frozen=True, slots=True)
class Rate:
    r"""What theory says of :math:`f(x_t) - f^*`: at most C·factorᵗ, or C/tᵖᵒʷᵉʳ.

    Parameters
    ----------
    factor : float in [0, 1], default=1.0
        Of a linear rate; 0 for methods that are faster than any.
    power : float, default=0.0
        Of a sublinear rate.
    words : str

    Examples
    --------
    >>> Rate(factor=0.5).bound(np.array([0, 1, 2]), 8.0)
    array([8., 4., 2.])
    """

    factor: float = 1.0
    power: float = 0.0
    words: str = ""

    def bound(self, t: Any, first: float) -> Array:
        """The bound after t iterations, of a distance that was `first` at the start."""
        count = np.asarray(t, dtype=np.float64)
        if self.power > 0.0:
            return np.asarray(first / np.maximum(count, 1.0) ** self.power)
        return np.asarray(first * self.factor**count)


class Method(ABC):
    """A way to minimise: yields where it stands, first at the start, then after each iteration."""

    name: ClassVar[str] = ""
    takes_simple: ClassVar[bool] = False  # penalties and sets
    needs_sum: ClassVar[bool] = False  # a mean of terms

    @abstractmethod
    def states(self, objective: Objective, start: Array, stop: Stopping) -> Iterator[State]:
        """The iterates."""

    def rate(self, problem: Problem) -> Rate | None:
        """What theory promises for this problem; None where it promises nothing."""
        return None

    def check(self, problem: Problem) -> None:
        """Refuse a problem this method is not for."""
        if problem.simple is not None and not self.takes_simple:
            raise InvalidParameterError(
                f"{self._title}: the problem has a simple part ({problem.simple!r}), which this "
                "method cannot take; use ProximalGradient, FISTA, CoordinateDescent or ADMM."
            )
        if self.needs_sum and not hasattr(problem.smooth, "term_gradient"):
            raise InvalidParameterError(
                f"{self._title}: the smooth part must be a mean of terms (it needs n_terms and "
                "term_gradient, as EmpiricalRisk has); use GradientDescent for a single function."
            )

    @property
    def _title(self) -> str:
        return type(self).__name__


def linear_rate(problem: Problem, *, accelerated: bool = False) -> Rate | None:
    """Of gradient steps of length 1/L on a convex problem."""
    L, mu = problem.lipschitz, problem.strong_convexity
    if not problem.convex:
        return None
    if L is None or mu <= 0.0:
        return Rate(power=2.0, words="1/t²") if accelerated else Rate(power=1.0, words="1/t")
    inverse = mu / L
    if accelerated:
        return Rate(factor=1.0 - inverse**0.5, words=f"(1 − 1/√κ)ᵗ, κ = {1 / inverse:.3g}")
    return Rate(factor=1.0 - inverse, words=f"(1 − 1/κ)ᵗ, κ = {1 / inverse:.3g}")
