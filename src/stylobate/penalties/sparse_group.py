"""Groups of columns that live or die together, with or without zeros inside."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices

_HALVINGS = 80
_ALMOST = 1e-13  # a share of a bound that rounding may take

Mask: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class SparseGroup:
    r""":math:`\sum_g \lambda_g \|w_g\|_2 + \sum_j \mu_j |w_j|`.

    Parameters
    ----------
    labels : array of int, shape (p,)
        The group of each column: 0 … G − 1.
    groups : array of shape (G,), in [0, inf)
        λ.
    own : array of shape (p,), in [0, inf)
        μ; all zero is the group lasso.

    Examples
    --------
    >>> penalty = SparseGroup(np.array([0, 0, 1, 1]), np.array([1.0, 1.0]), np.zeros(4))
    >>> penalty.prox(np.array([3.0, 4.0, 0.3, 0.4]))
    array([2.4, 3.2, 0. , 0. ])

    References
    ----------
    Yuan & Lin (2006), Model selection and estimation in regression with grouped variables, JRSS B
    68. Simon, Friedman, Hastie & Tibshirani (2013), A sparse-group lasso, Journal of Computational
    and Graphical Statistics 22.
    """

    labels: Indices
    groups: Array
    own: Array

    @property
    def convex(self) -> bool:
        """It is."""
        return True

    @property
    def free(self) -> Mask:
        """Which columns are not penalised."""
        return np.asarray((self.groups[self.labels] == 0.0) & (self.own == 0.0))

    @property
    def excluded(self) -> Mask:
        """No column is left out."""
        return np.zeros(len(self.labels), dtype=bool)

    def __str__(self) -> str:
        inside = " + Σ μ|w|" if self.own.any() else ""
        return f"Σ λ‖w_g‖₂{inside} of {len(self.groups)} groups"

    def scaled(self, factor: float) -> Self:
        """The penalty with its strengths multiplied."""
        return replace(self, groups=factor * self.groups, own=factor * self.own)

    def of(self, columns: Any) -> Self:
        """Of some of the columns, which are whole groups."""
        kept, labels = np.unique(self.labels[columns], return_inverse=True)
        return replace(self, labels=labels, groups=self.groups[kept], own=self.own[columns])

    def lengths(self, v: Array) -> Array:
        """‖v_g‖ of each group."""
        return np.sqrt(np.bincount(self.labels, v * v, minlength=len(self.groups)))

    def value(self, w: Any) -> Array:
        """Of each group, and of each coefficient."""
        points = np.asarray(w, dtype=np.float64)
        return np.concatenate([self.groups * self.lengths(points), self.own * np.abs(points)])

    def gradient(self, w: Any) -> Array:
        """The derivative; the smallest subgradient at a kink."""
        points = np.asarray(w, dtype=np.float64)
        length = self.lengths(points)
        scale = np.divide(self.groups, length, out=np.zeros_like(length), where=length > 0.0)
        return scale[self.labels] * points + self.own * np.sign(points)

    def prox(self, v: Any, step: float = 1.0) -> Array:
        """The w that minimises step·penalty(w) + ½‖w − v‖²."""
        points = np.asarray(v, dtype=np.float64)
        if self.own.any():
            points = _soft(points, step * self.own)
        length = self.lengths(points)
        keep = np.maximum(length - step * self.groups, 0.0)
        share = np.divide(keep, length, out=np.zeros_like(length), where=length > 0.0)
        return np.asarray(share[self.labels] * points)

    def violation(self, w: Array, gradient: Array, positive: bool = False) -> Array:
        """How far 0 is from the subdifferential of each group, where the loss has this gradient."""
        del positive
        length = self.lengths(w)
        alive = length[self.labels] > 0.0
        at_zero = np.maximum(self.lengths(_soft(gradient, self.own)) - self.groups, 0.0)
        pull = gradient + self.gradient(w)
        inside = np.where(w != 0.0, pull, _soft(gradient, self.own))
        return np.where(length > 0.0, self.lengths(np.where(alive, inside, 0.0)), at_zero)

    def conjugate(self, u: Array) -> float:
        """0 where ‖soft(u_g, μ)‖ ≤ λ_g for all groups, infinite elsewhere."""
        bound = self.groups * (1.0 + _ALMOST)
        size = np.bincount(self.labels, u * u, minlength=len(self.groups)) ** 0.5
        inside = self.lengths(_soft(u, self.own)) <= bound + _ALMOST * size
        return 0.0 if bool(inside.all()) else np.inf

    def feasible_share(self, u: Array) -> float:
        """The largest s in [0, 1] at which the conjugate of s·u is finite."""
        if not self.own.any():
            length = self.lengths(u)
            over = length > self.groups
            return float((self.groups[over] / length[over]).min(initial=1.0))
        return self._bisected(u, 1.0)

    def largest(self, gradient: Array, positive: bool = False) -> float:
        """The least factor of the strengths at which 0 is stationary, where the loss slopes."""
        del positive
        usual = ~self.free
        g = np.where(usual, gradient, 0.0)
        if not self.own.any():
            length, at = self.lengths(g), self.groups > 0.0
            return float((length[at] / self.groups[at]).max(initial=0.0))
        top = 1.0
        while self.conjugate(g / top) == np.inf:
            top *= 2.0
        return top / self._bisected(g / top, 2.0**_HALVINGS)

    def _bisected(self, u: Array, high: float) -> float:
        """The largest s ≤ high with s·u inside."""
        if self.conjugate(high * u) == 0.0:
            return high
        low = 0.0
        if high > 1.0:  # the scale is not known: double first
            low, high = 1.0, 2.0
            while self.conjugate(high * u) == 0.0:
                low, high = high, 2.0 * high
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self.conjugate(middle * u) == 0.0 else (low, middle)
        return low

    @property
    def n_blocks(self) -> int:
        """The groups."""
        return len(self.groups)

    def block_of(self) -> Indices:
        """Which group a column belongs to."""
        return self.labels

    def curvature(self, w: Array) -> Array:
        """(p, p): the second derivative where all coefficients of living groups count."""
        length = self.lengths(w)
        scale = np.divide(self.groups, length, out=np.zeros_like(length), where=length > 0.0)
        unit = (
            w * np.divide(1.0, length, out=np.zeros_like(length), where=length > 0.0)[self.labels]
        )
        same = self.labels[:, None] == self.labels[None, :]
        return np.diag(scale[self.labels]) - np.where(
            same, scale[self.labels][:, None] * np.outer(unit, unit), 0.0
        )


def _soft(v: Array, bound: Array) -> Array:
    return np.asarray(np.sign(v) * np.maximum(np.abs(v) - bound, 0.0))
