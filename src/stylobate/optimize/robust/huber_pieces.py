"""Huber's objective between changes of zone, and along a line."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stylobate.optimize.robust.huber_loss import HuberLoss, Point, scaled, solve_scaled
from stylobate.optimize.robust.zones import Zones

Array = NDArray[np.float64]

_EPS = float(np.finfo(np.float64).eps)
_HALVINGS = 40
_SCALE_STEPS = 12


class Pieces:
    """The objective as it would be if no row changed zone: quadratic in (w, b) for every σ.

    With `damping` a small multiple of the same rows' squared distance from the present fit is
    added, for zones that do not hold the step by themselves.
    """

    def __init__(
        self,
        loss: HuberLoss,
        zones: Zones,
        base: Point,
        point: Point,
        damping: float,
        total: float,
        floor: float,
        project: Array | None,
    ) -> None:
        self.loss, self.zones, self.base, self.point = loss, zones, base, point
        self.total, self.floor = total, floor
        m = zones.moments if loss.intercept else zones.moments.about_zero()
        self.m, self.center, self.inside = m, m.x_mean, float(m.weight)
        self.rounding = total * (floor / 2.0) ** 2  # squares that may be nothing but rounding
        self.pull = zones.pull - zones.bias * self.center if loss.intercept else zones.pull
        self.project = project
        self.damp = damping * self.total * zones.spread
        self.level = damping * self.total
        values = np.linalg.eigvalsh(scaled(m.xx, zones.spread * max(self.inside, _EPS)))
        self.singular = bool(len(values) and values[0] <= 1e-9) or not self.inside > 0.0

    def minimum(self) -> Point:
        """The best point; one with a larger scale where there is none."""
        sigma = self.point.sigma
        if self.loss.scale is not None:
            return self.at(sigma)[0]
        free = self.total - self.loss.epsilon**2 * self.zones.outside

        def excess(square: float) -> float:
            squares = self.at(float(np.sqrt(square)))[1]
            return free * square - (squares if squares > self.rounding else 0.0)

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

    def at(self, sigma: float) -> tuple[Point, float]:
        """Best coefficients for a scale, and the squares Σ ω r² inside."""
        loss, m, base = self.loss, self.m, self.base
        here = self.point.coef - base.coef
        ridge = sigma * loss.alpha
        xy = m.xy[:, 0]
        right = xy + sigma * loss.epsilon * self.pull - ridge * base.coef + self.damp * here
        step = solve_scaled(m.xx + np.diag(self.damp), right, ridge, regular=not self.singular)
        if self.project is not None:
            step = self.project @ (base.coef + step) - base.coef
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
