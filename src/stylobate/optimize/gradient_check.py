"""Is this gradient right? And which coordinate is worst?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.exceptions import InvalidDataError
from stylobate.optimize.functions.differentiation import central_differences, complex_step


@dataclass(frozen=True, slots=True)
class GradientCheck:
    """A gradient beside one found from values alone.

    Parameters
    ----------
    error : float
        The largest difference, relative to the larger of 1 and the gradient's largest entry.
    worst : int
        The coordinate it is in.
    given, found : float
        Both gradients there.
    how : str
        "complex step" or "central differences".
    """

    error: float
    worst: int
    given: float
    found: float
    how: str

    @property
    def right(self) -> bool:
        """Whether they agree as well as the way of finding it can tell."""
        return self.error <= (1e-10 if self.how == "complex step" else 1e-6)

    def __str__(self) -> str:
        if self.right:
            return f"The gradient agrees with the {self.how} to {self.error:.1g}."
        return (
            f"The gradient is wrong, worst in coordinate {self.worst}: {self.given:.6g} was given, "
            f"the {self.how} says {self.found:.6g}."
        )


def check_gradient(
    function: Callable[[Any], Any], gradient: Callable[[Any], Any], x: Any
) -> GradientCheck:
    """Compare a gradient with one found from values, at a point.

    Parameters
    ----------
    function, gradient : callable
    x : array (n,)
        A point where the function is smooth; one with no special values finds more mistakes.

    Returns
    -------
    GradientCheck

    Examples
    --------
    >>> def f(x):
    ...     return x[0] ** 2 + x[0] * x[1]
    >>> print(check_gradient(f, lambda x: np.array([2 * x[0] + x[1], x[1]]), [1.0, 2.0]))
    The gradient is wrong, worst in coordinate 1: 2 was given, the complex step says 1.
    """
    point = np.atleast_1d(np.asarray(x, dtype=np.float64))
    given = np.asarray(gradient(point), dtype=np.float64)
    if given.shape != point.shape:
        raise InvalidDataError(
            f"check_gradient: the gradient has shape {given.shape}; of {len(point)} variables it "
            f"must be ({len(point)},)."
        )
    rough = central_differences(function, point)
    exact = complex_step(function, point)
    scale = max(1.0, float(np.abs(rough).max()))
    if exact is not None and float(np.abs(exact - rough).max()) > 1e-4 * scale:
        exact = None  # takes complex numbers, but is not analytic
    found = rough if exact is None else exact
    away = np.abs(given - found)
    away[np.isnan(away)] = np.inf
    worst = int(np.argmax(away))
    how = "central differences" if exact is None else "complex step"
    return GradientCheck(
        float(away[worst]) / scale, worst, float(given[worst]), float(found[worst]), how
    )
