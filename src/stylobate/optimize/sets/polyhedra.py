"""Sets cut out by linear equations and inequalities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.optimize.sets.convex_set import ConvexSet


@dataclass(frozen=True)
class Simplex(ConvexSet):
    r""":math:`x \ge 0, \sum x = s`: probabilities for s = 1.

    Parameters
    ----------
    total : float in (0, inf), default=1.0
        s.

    Examples
    --------
    >>> Simplex().project([0.5, 1.5, -3.0])
    array([0., 1., 0.])

    References
    ----------
    Held, Wolfe & Crowder (1974), Validation of subgradient optimization, Math. Programming 6.
    """

    total: float = 1.0
    bounded: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 0.0 < self.total < np.inf:
            raise InvalidParameterError(
                f"Simplex: total must be a number in (0, inf), got {self.total!r}."
            )

    def project(self, v: Any) -> Array:
        point = np.asarray(v, dtype=np.float64)
        point = point - point.max()  # a total that is lost in the rounding of v counts all the same
        ordered = np.sort(point)[::-1]
        excess = (np.cumsum(ordered) - self.total) / np.arange(1, len(point) + 1)
        x = np.maximum(point - excess[np.flatnonzero(ordered > excess)[-1]], 0.0)
        return np.asarray(x * (self.total / x.sum()))

    def excess(self, x: Any) -> float:
        point = np.asarray(x, dtype=np.float64)
        return max(float(-point.min(initial=0.0)), abs(float(point.sum()) - self.total))

    def support(self, g: Any) -> float:
        return self.total * float(np.max(g))


@dataclass(frozen=True, eq=False)
class BoxSet(ConvexSet):
    r""":math:`a \le x \le b`, entry by entry.

    Parameters
    ----------
    low, high : float or array, low <= high
        May be infinite.

    Examples
    --------
    >>> BoxSet(0.0, [1.0, 2.0]).project([3.0, -1.0])
    array([1., 0.])
    """

    low: Any = -1.0
    high: Any = 1.0

    def __post_init__(self) -> None:
        if not np.all(np.asarray(self.low) <= np.asarray(self.high)):
            raise InvalidParameterError(
                f"BoxSet: low must not exceed high, got low={self.low!r} and high={self.high!r}."
            )

    def project(self, v: Any) -> Array:
        return np.clip(np.asarray(v, dtype=np.float64), self.low, self.high)

    def excess(self, x: Any) -> float:
        point = np.asarray(x, dtype=np.float64)
        return float(np.maximum(self.low - point, point - self.high).max(initial=-np.inf))

    def support(self, g: Any) -> float:
        slope = np.asarray(g, dtype=np.float64)
        ends = np.where(slope > 0.0, self.high, self.low)
        products = np.multiply(slope, ends, out=np.zeros_like(slope), where=slope != 0.0)
        return float(products.sum())


@dataclass(frozen=True, eq=False)
class HalfSpace(ConvexSet):
    r""":math:`a^\top x \le b`.

    Parameters
    ----------
    a : array (n,), not 0
    b : float

    Examples
    --------
    >>> HalfSpace([1.0, 1.0], 1.0).project([1.0, 1.0])
    array([0.5, 0.5])
    """

    a: Any
    b: float = 0.0

    def __post_init__(self) -> None:
        normal = np.asarray(self.a, dtype=np.float64)
        if normal.ndim != 1 or not np.isfinite(normal).all() or not normal.any():
            raise InvalidDataError("HalfSpace: a must be a vector of finite numbers, not all 0.")
        object.__setattr__(self, "a", normal)

    def project(self, v: Any) -> Array:
        point = np.asarray(v, dtype=np.float64)
        over = max(float(self.a @ point) - self.b, 0.0)
        return np.asarray(point - over / float(self.a @ self.a) * self.a)

    def excess(self, x: Any) -> float:
        return (float(self.a @ np.asarray(x)) - self.b) / float(np.linalg.norm(self.a))

    def support(self, g: Any) -> float:
        slope = np.asarray(g, dtype=np.float64)
        times = float(slope @ self.a) / float(self.a @ self.a)
        parallel = float(np.abs(slope - times * self.a).max()) <= 1e-12 * float(np.abs(slope).max())
        return times * self.b if parallel and times >= 0.0 else np.inf


@dataclass(frozen=True, eq=False)
class AffineSet(ConvexSet):
    r""":math:`Ax = b`.

    Parameters
    ----------
    A : array (m, n)
    b : array (m,)

    Examples
    --------
    >>> AffineSet([[1.0, 1.0]], [1.0]).project([0.0, 0.0])
    array([0.5, 0.5])
    """

    A: Any
    b: Any

    def __post_init__(self) -> None:
        matrix = np.atleast_2d(np.asarray(self.A, dtype=np.float64))
        right = np.atleast_1d(np.asarray(self.b, dtype=np.float64))
        if right.shape != matrix.shape[:1]:
            raise InvalidDataError(
                f"AffineSet: A has {matrix.shape[0]} rows and b {right.size} entries."
            )
        inverse = np.linalg.pinv(matrix)
        scale = max(1.0, float(np.abs(right).max(initial=0.0)))
        if float(np.abs(matrix @ (inverse @ right) - right).max(initial=0.0)) > 1e-8 * scale:
            raise InvalidDataError("AffineSet: no x meets Ax = b; the set is empty.")
        object.__setattr__(self, "A", matrix)
        object.__setattr__(self, "b", right)
        object.__setattr__(self, "_inverse", inverse)

    def project(self, v: Any) -> Array:
        point = np.asarray(v, dtype=np.float64)
        inverse: Array = self._inverse  # type: ignore[attr-defined]
        return np.asarray(point - inverse @ (self.A @ point - self.b))

    def excess(self, x: Any) -> float:
        return float(np.abs(self.A @ np.asarray(x) - self.b).max(initial=0.0))

    def support(self, g: Any) -> float:
        slope = np.asarray(g, dtype=np.float64)
        inverse: Array = self._inverse  # type: ignore[attr-defined]
        left = slope - self.A.T @ (inverse.T @ slope)
        inside = float(np.abs(left).max()) <= 1e-12 * max(float(np.abs(slope).max()), 1e-300)
        return float(slope @ (inverse @ self.b)) if inside else np.inf
