"""Balls of the three usual norms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.sets.convex_set import ConvexSet


@dataclass(frozen=True)
class _Ball(ConvexSet):
    radius: float = 1.0
    bounded: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 0.0 <= self.radius < np.inf:
            raise InvalidParameterError(
                f"{type(self).__name__}: radius must be a number in [0, inf), got {self.radius!r}."
            )


@dataclass(frozen=True)
class L1Ball(_Ball):
    r""":math:`\|x\|_1 \le r`: the constraint of the lasso.

    Parameters
    ----------
    radius : float in [0, inf), default=1.0

    Examples
    --------
    >>> L1Ball(2.0).project([3.0, -1.0])
    array([2., 0.])
    """

    def project(self, v: Any) -> Array:
        return project_l1_ball(np.asarray(v, dtype=np.float64), self.radius)

    def excess(self, x: Any) -> float:
        return float(np.abs(x).sum()) - self.radius

    def support(self, g: Any) -> float:
        return self.radius * float(np.abs(g).max(initial=0.0))


@dataclass(frozen=True)
class L2Ball(_Ball):
    r""":math:`\|x\|_2 \le r`: the constraint of ridge regression.

    Parameters
    ----------
    radius : float in [0, inf), default=1.0

    Examples
    --------
    >>> L2Ball(1.0).project([3.0, 4.0])
    array([0.6, 0.8])
    """

    def project(self, v: Any) -> Array:
        point = np.asarray(v, dtype=np.float64)
        length = float(np.linalg.norm(point))
        return point if length <= self.radius else point * (self.radius / length)

    def excess(self, x: Any) -> float:
        return float(np.linalg.norm(x)) - self.radius

    def support(self, g: Any) -> float:
        return self.radius * float(np.linalg.norm(g))


@dataclass(frozen=True)
class LInfBall(_Ball):
    r""":math:`\|x\|_\infty \le r`: every entry within ±r.

    Parameters
    ----------
    radius : float in [0, inf), default=1.0

    Examples
    --------
    >>> LInfBall(1.0).project([3.0, -0.5])
    array([ 1. , -0.5])
    """

    def project(self, v: Any) -> Array:
        return np.clip(np.asarray(v, dtype=np.float64), -self.radius, self.radius)

    def excess(self, x: Any) -> float:
        return float(np.abs(x).max(initial=0.0)) - self.radius

    def support(self, g: Any) -> float:
        return self.radius * float(np.abs(g).sum())


def project_l1_ball(v: Array, radius: float) -> Array:
    """The point of ‖w‖₁ ≤ radius nearest to v: a soft threshold that just fits.

    Parameters
    ----------
    v : array (p,)
        The point.
    radius : float, >= 0
        Of the ball.

    Examples
    --------
    >>> project_l1_ball(np.array([3.0, -1.0]), 2.0)
    array([2., 0.])

    References
    ----------
    Duchi, Shalev-Shwartz, Singer & Chandra (2008), Efficient projections onto the ℓ1-ball for
    learning in high dimensions, ICML.
    """
    size = np.abs(v)
    if size.sum() <= radius:
        return v
    size -= size.max()  # a radius that is lost in the rounding of v counts all the same
    ordered = np.sort(size)[::-1]
    excess = (np.cumsum(ordered) - radius) / np.arange(1, len(v) + 1)
    threshold = excess[np.flatnonzero(ordered > excess)[-1]] if radius > 0.0 else 0.0
    w = np.maximum(size - threshold, 0.0)
    total = w.sum()
    if total > radius:  # by rounding
        w *= radius / total
    return np.where(w > 0.0, np.sign(v) * w, 0.0)
