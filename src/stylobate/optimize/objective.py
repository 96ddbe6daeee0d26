"""Objective: a problem as methods see it, counted and watched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import ObjectiveError
from stylobate.optimize.problem import Problem

Array = NDArray[np.float64]


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
        return matrix

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
