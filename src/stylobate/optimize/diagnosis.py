"""What the eigenvalues of the Hessian say: minimum, maximum, saddle or flat; convex or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError
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
    smooth, point = _smooth(function), np.atleast_1d(np.asarray(x, dtype=np.float64))
    slope = norm(np.asarray(smooth.gradient(point), dtype=np.float64))
    values, vectors = np.linalg.eigh(np.asarray(_hessian(smooth, point)))
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


@dataclass(frozen=True, slots=True, eq=False)
class ConvexityReport:
    """What a search for a counterexample found.

    Parameters
    ----------
    convex : bool
        False if a point with negative curvature was found; True only says that none was.
    lowest, highest : float
        The range of the Hessian's eigenvalues over the points looked at: guesses of μ and L.
    witness : array (n,) or None
        The point of the most negative curvature.
    points : int
        How many were looked at.
    """

    convex: bool
    lowest: float
    highest: float
    witness: Array | None
    points: int

    def __str__(self) -> str:
        if not self.convex:
            at = np.array2string(np.asarray(self.witness), precision=4, threshold=8)
            return f"Not convex: at x = {at} the Hessian has the eigenvalue {self.lowest:.3g}."
        strongly = "strongly convex" if self.lowest > 1e-8 * abs(self.highest) else "convex"
        return (
            f"Nothing speaks against {strongly} at {self.points} points (no proof): curvature from "
            f"{self.lowest:.3g} to {self.highest:.3g}."
        )


def convexity(
    function: Any, low: Any, high: Any, *, points: int = 200, random_state: int = 0
) -> ConvexityReport:
    """Look for negative curvature in a box.

    Parameters
    ----------
    function : callable, or anything with value and gradient
    low, high : array (n,)
        Corners of the box.
    points : int in [1, inf), default=200
        Random points at which the Hessian's eigenvalues are computed.
    random_state : int, default=0

    Returns
    -------
    ConvexityReport

    Examples
    --------
    >>> convexity(lambda x: x[0] ** 2 + x[1] ** 4, [-1, -1], [1, 1]).convex
    True
    >>> convexity(lambda x: np.sin(x[0]), [0.0], [3.0]).convex
    False
    """
    a, b = (np.atleast_1d(np.asarray(end, dtype=np.float64)) for end in (low, high))
    if a.shape != b.shape or not (np.isfinite(a).all() and np.isfinite(b).all() and (a <= b).all()):
        raise InvalidDataError(
            "convexity: low and high must be finite vectors of one length, low not above high."
        )
    smooth, random = _smooth(function), np.random.default_rng(random_state)
    lowest, highest, witness = np.inf, -np.inf, None
    for _ in range(points):
        x = random.uniform(a, b)
        values = np.linalg.eigvalsh(np.asarray(_hessian(smooth, x)))
        if values[0] < lowest:
            lowest, witness = float(values[0]), x
        highest = max(highest, float(values[-1]))
    convex = lowest >= -1e-5 * max(abs(highest), abs(lowest))  # differences leave five digits
    return ConvexityReport(convex, lowest, highest, None if convex else witness, points)


def _smooth(function: Any) -> Any:
    return Problem(function).smooth


def _hessian(smooth: Any, x: Array) -> Array:
    from stylobate.optimize.functions.differentiation import differences_of_gradient

    known = getattr(smooth, "hessian", None)
    return np.asarray(differences_of_gradient(smooth.gradient, x) if known is None else known(x))
