"""A penalty with a factor for each column: some columns cost more, some nothing, some all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices
from stylobate.exceptions import InvalidParameterError
from stylobate.penalties.convex import L1, L2, ElasticNet
from stylobate.penalties.penalty import Penalty

Mask: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Weighted:
    r""":math:`\sum_j g_{f_j}(w_j)`: a penalty whose strengths have a factor per column.

    A factor of 0 leaves a coefficient free, one of infinity leaves it out. Of `MCP` and `SCAD` the
    strength is multiplied, not the concavity.

    Parameters
    ----------
    penalty : Penalty
        g.
    factors : array of shape (p,), in [0, inf]
        f.

    Examples
    --------
    >>> Weighted(L1(1.0), np.array([0.0, 1.0, 2.0, np.inf])).prox(np.full(4, 3.0))
    array([3., 2., 1., 0.])
    """

    penalty: Penalty
    factors: Array

    @property
    def convex(self) -> bool:
        """Whether the penalty is."""
        return bool(self.penalty.convex)

    @property
    def kink(self) -> Array:
        """The slope just above zero, of each column."""
        slope = self.penalty.kink
        out = np.array(self.factors, dtype=np.float64)
        finite = np.isfinite(out)
        out[finite] *= slope
        return out

    @property
    def free(self) -> Mask:
        """Which columns are not penalised."""
        own = self.penalty
        if not any(getattr(own, name) for name in own.strengths):  # of strength 0
            return ~self.excluded
        return np.asarray(self.factors == 0.0)

    @property
    def excluded(self) -> Mask:
        """Which columns are left out."""
        return np.isinf(self.factors)

    def __str__(self) -> str:
        return f"{self.penalty} × factors"

    def scaled(self, factor: float) -> Self:
        """The penalty with its strengths multiplied."""
        return replace(self, penalty=self.penalty.scaled(factor))

    def of(self, columns: Any) -> Self:
        """Of some of the columns."""
        return replace(self, factors=self.factors[columns])

    def largest(self, gradient: Array, positive: bool = False) -> float:
        """The least factor of the strengths at which 0 is stationary, where the loss has a slope.

        It is infinite for a penalty without a kink.
        """
        pull = np.maximum(-gradient, 0.0) if positive else np.abs(gradient)
        usual = ~(self.free | self.excluded)
        if self.penalty.kink == 0.0:
            return np.inf if usual.any() else 0.0
        return float((pull[usual] / self.kink[usual]).max(initial=0.0))

    def _at(self) -> tuple[Mask, Array]:
        # f²·g(w/f) has strength f·λ for ℓ1, MCP and SCAD; ℓ2 parts are told apart
        usual = ~(self.free | self.excluded)
        f = np.where(usual, self.factors, 1.0)
        return usual, f

    def value(self, w: Any) -> Array:
        """Of each coefficient."""
        points = np.asarray(w, dtype=np.float64)
        usual, f = self._at()
        if self._linear:
            out = f * self.penalty.value(points)
        else:
            out = f**2 * self.penalty.value(points / f)
        return np.where(usual, out, np.where(self.excluded & (points != 0.0), np.inf, 0.0))

    def gradient(self, w: Any) -> Array:
        """The derivative of each; the smallest subgradient at a kink."""
        points = np.asarray(w, dtype=np.float64)
        usual, f = self._at()
        slope = self.penalty.gradient(points if self._linear else points / f)
        return np.where(usual, f * slope, 0.0)

    def prox(self, v: Any, step: float = 1.0) -> Array:
        """The w that minimises step·penalty(w) + ½‖w − v‖²."""
        points = np.asarray(v, dtype=np.float64)
        out = np.where(self.excluded, 0.0, points)
        for j in np.flatnonzero(~(self.free | self.excluded)):
            out[j] = self.penalty.scaled(float(self.factors[j])).prox(points[j], step)
        return out

    @property
    def _linear(self) -> bool:
        """Whether the penalty is its strengths times something."""
        return isinstance(self.penalty, L1 | ElasticNet)

    def strengths(self) -> tuple[Array, Array] | None:
        """The factors of |wⱼ| and ½wⱼ², of each column; None where it is something else."""
        penalty = self.penalty
        if isinstance(penalty, ElasticNet):
            l1, l2 = penalty.l1, penalty.l2
        elif isinstance(penalty, L2):  # which is an L1, too
            l1, l2 = 0.0, penalty.strength
        elif isinstance(penalty, L1):
            l1, l2 = penalty.strength, 0.0
        else:
            return None
        return _times(self.factors, l1), _times(self.factors, l2)

    def violation(self, w: Array, gradient: Array, positive: bool = False) -> Array:
        """How far 0 is from each partial subdifferential, where the loss has this gradient."""
        pull = -gradient if positive else np.abs(gradient)
        at_zero = np.maximum(pull - self.kink, 0.0)
        return np.where(w != 0.0, np.abs(gradient + self.gradient(w)), at_zero)

    def conjugate(self, u: Array) -> float:
        """Sup over w of uᵀw − penalty(w), of a convex one."""
        both = self.strengths()
        assert both is not None
        l1, l2 = both
        excess = np.maximum(np.abs(u) - l1, 0.0)
        excess[self.excluded] = 0.0
        if (excess[l2 == 0.0] > 0.0).any():
            return np.inf
        bent = (l2 > 0.0) & ~self.excluded
        return float(np.sum(excess[bent] ** 2 / (2.0 * l2[bent])))

    def feasible_share(self, u: Array) -> float:
        """The largest s in [0, 1] at which the conjugate of s·u is finite."""
        both = self.strengths()
        assert both is not None
        l1, l2 = both
        hard = (l2 == 0.0) & ~self.excluded & (np.abs(u) > l1)
        return float((l1[hard] / np.abs(u[hard])).min(initial=1.0))

    @property
    def n_blocks(self) -> int:
        """Every column is one."""
        return len(self.factors)

    def block_of(self) -> Indices:
        """Which block a column belongs to."""
        return np.arange(len(self.factors))


def _times(factors: Array, strength: float) -> Array:
    if strength == 0.0:
        return np.where(np.isinf(factors), np.inf, 0.0)
    return np.asarray(factors * strength)


def read_factors(factors: Any, n_features: int, owner: str) -> Array | None:
    """Penalty factors as an array; None where there are none.

    Examples
    --------
    >>> read_factors([0, 1, float("inf")], 3, "Lasso")
    array([ 0.,  1., inf])
    """
    if factors is None:
        return None
    try:
        given = np.array(factors, dtype=np.float64)
    except (TypeError, ValueError):
        given = np.array(np.nan)
    if given.shape != (n_features,):
        raise InvalidParameterError(
            f"{owner}: penalty_factor must hold one number for each of the {n_features} columns, "
            f"got {'an array of shape ' + str(given.shape) if given.ndim else repr(factors)}."
        )
    wrong = np.flatnonzero(np.isnan(given) | (given < 0.0))
    if len(wrong):
        raise InvalidParameterError(
            f"{owner}: penalty_factor must not be negative or NaN, got {given[wrong[0]]:g} for "
            f"column {wrong[0]}; 0 leaves a column unpenalised, inf leaves it out."
        )
    return given
