"""Objective: a problem as methods see it, counted and watched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import ObjectiveError
from stylobate.optimize.problem import Problem


class PointOf:
    """A point of an objective, where each derivative is computed once it is asked for.

    Parameters
    ----------
    objective : Objective
    theta : array (n,)
    whole : bool, default=False
        Whether to compute value, gradient and Hessian together, where the smooth part knows how to
        get them by one pass over its rows.
    """

    __slots__ = ("_gradient", "_hessian", "_objective", "_value", "theta")

    def __init__(self, objective: Objective, theta: Array, *, whole: bool = False) -> None:
        self._objective, self.theta = objective, theta
        self._value: float | None = None
        self._gradient: Array | None = None
        self._hessian: Array | None = None
        if whole:
            self._value, self._gradient, self._hessian = objective.derivatives(theta)

    @property
    def value(self) -> float:
        """f(θ)."""
        if self._value is None:
            self._value = self._objective.smooth_value(self.theta)
        return self._value

    @property
    def gradient(self) -> Array:
        """∇f(θ)."""
        if self._gradient is None:
            self._gradient = self._objective.gradient(self.theta)
        return self._gradient

    @property
    def hessian(self) -> Array:
        """∇²f(θ)."""
        if self._hessian is None:
            self._hessian = self._objective.hessian(self.theta)
        return self._hessian


class Objective:
    """Values, gradients and Hessians of a problem's parts, counted, with their shapes checked.

    Parameters
    ----------
    problem : Problem
    n : int
        Number of variables.

    Attributes
    ----------
    evaluations : dict of str to int
        Calls so far, by what was asked for. A gradient of k of n rows counts as k/n gradients.
    """

    def __init__(self, problem: Problem, n: int) -> None:
        self.problem = problem
        self.n = n
        self.evaluations: dict[str, float] = {"value": 0, "gradient": 0, "hessian": 0}

    def smooth_value(self, x: Array) -> float:
        """f(x); NaN counts as infinite, so that a line search steps back from it."""
        self.evaluations["value"] += 1
        raw = self._call("objective", self.problem.smooth.value, x)
        array = np.asarray(raw, dtype=np.float64)
        if array.size != 1:
            raise ObjectiveError(
                f"The objective returned an array of shape {array.shape}; it must return a number."
            )
        value = float(array.reshape(()))
        return np.inf if np.isnan(value) else value

    def value(self, x: Array) -> float:
        """F(x) = f(x) + g(x)."""
        return self.smooth_value(x) + self.problem.simple_value(x)

    def gradient(self, x: Array) -> Array:
        """∇f(x)."""
        self.evaluations["gradient"] += 1
        return self._vector("gradient", self._call("gradient", self.problem.smooth.gradient, x))

    def at(self, x: Array) -> PointOf:
        """The oracle of descents: a point with its derivatives, each when asked for."""
        return PointOf(self, x)

    def at_once(self, x: Array) -> PointOf:
        """The same, by one pass where the smooth part can (`EmpiricalRisk` of compiled losses)."""
        return PointOf(self, x, whole=getattr(self.problem.smooth, "one_pass", False))

    def derivatives(self, x: Array) -> tuple[float, Array, Array]:
        """Value, gradient and Hessian together; the value infinite where one is not finite."""
        for name in self.evaluations:
            self.evaluations[name] += 1
        value, gradient, hessian = self._call("objective", self.problem.smooth.derivatives, x)
        finite = np.isfinite(value) and np.isfinite(gradient).all() and np.isfinite(hessian).all()
        return float(value) if finite else np.inf, gradient, hessian

    def batch_gradient(self, x: Array, rows: Any) -> Array:
        """The gradient of the mean of some terms."""
        smooth = self.problem.smooth
        self.evaluations["gradient"] += len(rows) / smooth.n_terms
        return self._vector("term_gradient", smooth.term_gradient(x, rows))

    def hessian(self, x: Array) -> Array:
        """∇²f(x); by differences of gradients where the problem has none."""
        self.evaluations["hessian"] += 1
        known = getattr(self.problem.smooth, "hessian", None)
        if known is None:
            from stylobate.optimize.functions.differentiation import differences_of_gradient

            return differences_of_gradient(self.gradient, x)
        matrix = np.asarray(self._call("hessian", known, x), dtype=np.float64)
        if matrix.shape != (self.n, self.n):
            raise ObjectiveError(
                f"The hessian has shape {matrix.shape}; of {self.n} variables it must be "
                f"({self.n}, {self.n})."
            )
        if not np.isfinite(matrix).all():
            at = np.array2string(x, precision=6, threshold=8)
            raise ObjectiveError(f"The hessian holds NaN or infinity at x = {at}.")
        return matrix

    def simple_value(self, x: Array) -> float:
        """g(x)."""
        return self.problem.simple_value(x)

    def prox(self, v: Array, step: float) -> Array:
        """The proximal point of the simple part."""
        return self.problem.prox(v, step)

    def _vector(self, name: str, raw: Any) -> Array:
        vector = np.asarray(raw, dtype=np.float64)
        if vector.shape != (self.n,):
            raise ObjectiveError(
                f"The {name} has shape {vector.shape}; of {self.n} variables it must be "
                f"({self.n},)."
            )
        return vector

    def _call(self, name: str, function: Callable[[Array], Any], x: Array) -> Any:
        try:
            with np.errstate(all="ignore"):  # what is not finite is dealt with here
                return function(x)
        except (KeyboardInterrupt, ObjectiveError):
            raise
        except Exception as error:
            at = np.array2string(x, precision=6, threshold=8)
            hint = ""
            if isinstance(error, TypeError) and "positional argument" in str(error):
                hint = " (It is called with one array that holds all variables.)"
            raise ObjectiveError(
                f"The {name} raised {type(error).__name__} at x = {at}: {error}{hint}"
            ) from error
