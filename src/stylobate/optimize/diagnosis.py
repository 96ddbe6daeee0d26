"""What the eigenvalues of the Hessian say of a point: minimum, maximum, saddle or flat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from stylobate.arrays import Array
from stylobate.optimize.problem import Problem
from stylobate.optimize.state import norm

Kind = Literal["minimum", "maximum", "saddle", "flat", "not stationary"]


@dataclass(frozen=True, slots=True, eq=False)
class StationaryPoint:
    """What kind of point it is.

    Parameters
    ----------
    kind : {"minimum", "maximum", "saddle", "flat", "not stationary"}
        "flat" where an eigenvalue is 0 within what rounding lets us tell, and none says saddle.
    x : array (n,)
    gradient_norm : float
    eigenvalues : array (n,)
        Of the Hessian, ascending.
    directions : array (n, n)
        Its eigenvectors, as columns.
    """

    kind: Kind
    x: Array
    gradient_norm: float
    eigenvalues: Array
    directions: Array

    def __str__(self) -> str:
        low, high = float(self.eigenvalues[0]), float(self.eigenvalues[-1])
        said = {
            "minimum": "A local minimum: the function curves upwards in every direction",
            "maximum": "A local maximum: the function curves downwards in every direction",
            "saddle": "A saddle point: up in some directions, down in others",
            "flat": "Flat in some direction: the second derivatives do not tell what it is",
            "not stationary": f"Not a stationary point: the gradient's norm is "
            f"{self.gradient_norm:.3g}",
        }[self.kind]
        return f"{said}; the Hessian's eigenvalues go from {low:.3g} to {high:.3g}."


def stationary_point(function: Any, x: Any, *, tolerance: float = 1e-5) -> StationaryPoint:
    """Judge a point by gradient and Hessian.

    Parameters
    ----------
    function : callable, or anything with value and gradient
    x : array (n,)
    tolerance : float in (0, inf), default=1e-5
        The gradient counts as 0 up to this, relative to the curvature and the size of x;
        eigenvalues up to this share of the largest.

    Returns
    -------
    StationaryPoint

    Examples
    --------
    >>> print(stationary_point(lambda x: x[0] ** 2 - x[1] ** 2, [0.0, 0.0]))
    A saddle point: up in some directions, down in others; the Hessian's eigenvalues go from -2 to
    2.
    """
    smooth, point = smooth_part(function), np.atleast_1d(np.asarray(x, dtype=np.float64))
    slope = norm(np.asarray(smooth.gradient(point), dtype=np.float64))
    values, vectors = np.linalg.eigh(np.asarray(hessian_at(smooth, point)))
    size = float(np.abs(values).max(initial=0.0))
    edge = tolerance * size
    kind: Kind
    if slope > tolerance * max(size, 1.0) * max(1.0, norm(point)):
        kind = "not stationary"
    elif values[0] < -edge and values[-1] > edge:
        kind = "saddle"
    elif (np.abs(values) <= edge).any():
        kind = "flat"
    else:
        kind = "minimum" if values[0] > 0.0 else "maximum"
    return StationaryPoint(kind, point, slope, values, vectors)


def smooth_part(function: Any) -> Any:
    """The function with value and gradient; differences where no gradient is known."""
    return Problem(function).smooth


def hessian_at(smooth: Any, x: Array) -> Array:
    """Second derivatives, by differences of gradients where none are known."""
    from stylobate.optimize.functions.differentiation import differences_of_gradient

    known = getattr(smooth, "hessian", None)
    return np.asarray(differences_of_gradient(smooth.gradient, x) if known is None else known(x))
