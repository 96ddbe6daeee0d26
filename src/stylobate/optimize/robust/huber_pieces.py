"""Huber's objective between changes of zone, and along a line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from stylobate.arrays import Array
from stylobate.interrupts import interruptible
from stylobate.optimize.robust.huber_loss import (
    HuberLoss,
    Point,
    scaled,
    solve_definite,
    solve_scaled,
)
from stylobate.statistics import Moments

_EPS = float(np.finfo(np.float64).eps)
_HALVINGS = 40
_SCALE_STEPS = 12
_ROOT_STEPS = 60


class ZoneFacts(Protocol):
    """What is to be known of rows near the line and of rows far from it; see `Zones`."""

    @property
    def moments(self) -> Moments: ...

    @property
    def pull(self) -> Array: ...

    @property
    def bias(self) -> float: ...

    @property
    def outside(self) -> float: ...

    @property
    def spread(self) -> Array: ...


class Pieces:
    """The objective as it would be if no row changed zone: quadratic in (w, b) for every σ.

    With `damping` a small multiple of the same rows' squared distance from the present fit is
    added, for zones that do not hold the step by themselves.
    """

    def __init__(
        self,
        loss: HuberLoss,
        zones: ZoneFacts,
        base: Point,
        point: Point,
        damping: float,
        total: float,
        floor: float,
    ) -> None:
        self.loss, self.zones, self.base, self.point = loss, zones, base, point
        self.total, self.floor = total, floor
        m = zones.moments if loss.intercept else zones.moments.about_zero()
        self.m, self.center, self.inside = m, m.x_mean, float(m.weight)
        self.rounding = total * (floor / 2.0) ** 2  # squares that may be nothing but rounding
        self.pull = zones.pull - zones.bias * self.center if loss.intercept else zones.pull
        self.damp = damping * self.total * zones.spread
        self.level = damping * self.total
        self.turned = None if loss.turn is None else loss.alpha * (loss.turn.T @ loss.turn)
        self.singular = self._is_singular()

    def _is_singular(self) -> bool:
        if not self.inside > 0.0:
            return True
        if self.turned is not None and self.loss.alpha > 0.0:
            return False  # the penalty holds what the rows do not
        values = interruptible(
            np.linalg.eigvalsh, scaled(self.m.xx, self.zones.spread * self.inside)
        )
        return bool(len(values) and values[0] <= 1e-9)

    def minimum(self) -> Point:
        """The best point; one with a larger scale where there is none."""
        sigma = self.point.sigma
        if self.loss.scale is not None:
            return self.at(sigma)[0]
        free = self.total - self.loss.epsilon**2 * self.zones.outside

        def excess(square: float) -> float:
            squares = self.at(float(np.sqrt(square)))[1]
            return free * square - (squares if squares > self.rounding else 0.0)

        if self.turned is not None:
            return self.at(self._root(excess, sigma))[0]
        left, right = sigma**2, 1.5 * sigma**2
        f, g = excess(left), excess(right)
        if g <= f:
            return self.at(2.0 * sigma)[0]
        for _ in range(_SCALE_STEPS):  # nearly linear in σ²: the secant method ends at once
            slope = (g - f) / (right - left)
            if slope <= 0.0:
                break
            left, f, right = right, g, max(right - g / slope, self.floor**2)
            if abs(right - left) <= 1e-14 * right:
                break
            g = excess(right)
        return self.at(float(np.sqrt(right)))[0]

    def _root(self, excess: Callable[[float], float], sigma: float) -> float:
        """The scale at which the objective's derivative, which grows with it, is zero."""
        lowest, highest = self.floor**2, 4.0 * sigma**2
        right, g = sigma**2, excess(sigma**2)
        left, f = right, g
        while f > 0.0 and left > lowest:
            right, g = left, f
            left = max(left / 16.0, lowest)
            f = excess(left)
        while g < 0.0 and right < highest:  # no further for now: zones will change
            left, f, right = right, g, 4.0 * right
            g = excess(right)
        if f >= 0.0 or g <= 0.0:
            return float(np.sqrt(left if f >= 0.0 else right))
        for _ in range(_ROOT_STEPS):
            middle = (left * g - right * f) / (g - f)
            if not 1.02 * left < middle < right / 1.02:
                middle = np.sqrt(left * right)
            h = excess(middle)
            if h <= 0.0:
                left, f, g = middle, h, 0.5 * g if f < 0.0 else g
            if h >= 0.0:
                right, g = middle, h
            if right - left <= 1e-13 * right or h == 0.0:
                break
        return float(np.sqrt(right))

    def at(self, sigma: float) -> tuple[Point, float]:
        """Best coefficients for a scale, and the squares Σ ω r² inside."""
        loss, m, base = self.loss, self.m, self.base
        here = self.point.coef - base.coef
        ridge = sigma * loss.alpha
        xy = m.xy[:, 0]
        right = xy + sigma * loss.epsilon * self.pull + self.damp * here
        step = self._solve(m.xx + np.diag(self.damp), right, sigma, ridge)
        squares = float(m.yy[0, 0] - 2.0 * step @ xy + step @ m.xx @ step)
        shift = 0.0
        if loss.intercept:
            y_mean = float(m.y_mean[0])
            now = self.point.intercept - base.intercept + float(self.center @ here) - y_mean
            weight = max(self.inside + self.level, _EPS * self.total)
            rise = (sigma * loss.epsilon * self.zones.bias + self.level * now) / weight
            squares += self.inside * rise**2
            shift = y_mean + rise - float(self.center @ step)
        return Point(base.coef + step, base.intercept + shift, sigma), max(squares, 0.0)

    def _solve(self, matrix: Array, right: Array, sigma: float, ridge: float) -> Array:
        """The change of the coefficients from those of the base that meets the equations."""
        if self.turned is None:
            right = right - ridge * self.base.coef
            return solve_scaled(matrix, right, ridge, regular=not self.singular)
        right = right - sigma * (self.turned @ self.base.coef)
        whole = matrix + sigma * self.turned
        found = solve_definite(whole, right)
        return solve_scaled(whole, right, 0.0) if found is None else found


@dataclass(slots=True, eq=False)
class Line:
    """The objective between a point and a target, and a little beyond."""

    loss: HuberLoss
    weights: Array
    residual: Array
    move: Array
    point: Point
    target: Point

    def at(self, share: float) -> Point:
        p, t = self.point, self.target
        return Point(
            p.coef + share * (t.coef - p.coef),
            p.intercept + share * (t.intercept - p.intercept),
            p.sigma + share * (t.sigma - p.sigma),
        )

    def value(self, share: float) -> float:
        there = self.at(share)
        if there.sigma <= 0.0:
            return np.inf
        rest = self.residual - share * self.move
        return self.loss.value(rest, self.weights, there.coef, there.sigma)

    def search(self, value: float) -> tuple[float, float]:
        """A share that lowers the objective, and its value; (0, value) if none does."""
        share, lower = 1.0, self.value(1.0)
        if lower <= value:
            while share < 1e6 and share != 1.0 - share:
                further = self.value(2.0 * share)
                if not further < lower - 1e-3 * (value - lower):
                    return share, lower
                share, lower = 2.0 * share, further
            return share, lower
        for _ in range(_HALVINGS):
            share *= 0.5
            lower = self.value(share)
            if lower <= value:
                shorter = self.value(0.5 * share)
                return (0.5 * share, shorter) if shorter < lower else (share, lower)
        return 0.0, value
