"""Certificates of quantile fits: a feasible dual point and what it proves."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from math import isfinite
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.robust.rows import Rows
from stylobate.statistics.rows import log_weight_sum

_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True, eq=False)
class Crossing:
    """Rows at which quantile `lower` must stay below the next one, with their multipliers ≥ 0."""

    lower: int
    rows: NDArray[np.int64]
    multipliers: Array


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """A quantile's fit with its dual point: low ≤ dual ≤ high for every row."""

    tau: float
    coef: Array
    intercept: float
    dual: Array


def certify(
    rows: Rows,
    answers: list[Answer],
    crossings: list[Crossing],
    *,
    alpha: float,
    center: Array | None,
    condition: float,
) -> Certificate:
    r"""What dual points d prove about the fits of one or several quantiles.

    For every d with (τ − 1)ωᵢ ≤ dᵢ ≤ τωᵢ, Σd = 0 (with an intercept) and |Xᵀd|ⱼ ≤ λ (the
    multipliers of the crossing rows added to Xᵀd and Σd), dᵀy is a lower bound of the objective.
    The point is shrunk until it fulfils |Xᵀd| ≤ λ; what rounding leaves of the equations is counted
    into the gap, times the coefficients it multiplies.

    Parameters
    ----------
    rows : Rows
    answers : list of Answer
    crossings : list of Crossing
    alpha : float
        λ / Σω.
    center : array (p,) or None
        A centre of the columns, for digits; None without intercept.
    condition : float
    """
    sums = [DualSums.of(rows, a.tau, a.coef, a.intercept, a.dual) for a in answers]
    room = 0.0
    for crossing in crossings:
        x = rows.dense(crossing.rows)
        below, above = answers[crossing.lower], answers[crossing.lower + 1]
        between = x @ (above.coef - below.coef) + (above.intercept - below.intercept)
        room += float((crossing.multipliers * np.abs(between)).sum())
        total, pull = float(crossing.multipliers.sum()), crossing.multipliers @ x
        for k, sign in ((crossing.lower, -1.0), (crossing.lower + 1, 1.0)):
            each = sums[k]
            sums[k] = replace(each, pull=each.pull + sign * pull, bias=each.bias + sign * total)
    models = [(a.coef, a.intercept) for a in answers]
    return certify_sums(sums, models, alpha=alpha, center=center, condition=condition, room=room)


@dataclass(frozen=True, slots=True, eq=False)
class DualSums:
    """Sums over rows of which a certificate is made, for one quantile; they merge by adding.

    Parameters
    ----------
    n_rows : int
    weight, log_weights : float
        Σ ω and Σ log ω.
    loss, slack, explained : float
        Σ ωρ(r), Σ (ωρ(r) − d r) ≥ 0 and Σ d r.
    pull, bias : array (p,), float
        Σ d x and Σ d.
    at_zero : float
        Σ ωρ(y).
    size : float
        Σ ω(|y| + |ŷ|), of which rounding is a share.
    """

    n_rows: int
    weight: float
    log_weights: float
    loss: float
    slack: float
    explained: float
    pull: Array
    bias: float
    at_zero: float
    size: float
    subtractable: ClassVar[bool] = False

    @classmethod
    def of(cls, rows: Rows, tau: float, coef: Array, intercept: float, dual: Array) -> Self:
        """The sums of some rows, with an entry of the dual point for each."""
        low, high = (tau - 1.0) * rows.weights, tau * rows.weights
        fit = rows.values(coef, intercept)
        residual = rows.y - fit
        loss = np.maximum(low * residual, high * residual)
        return cls(
            n_rows=len(rows),
            weight=float(rows.weights.sum()),
            log_weights=log_weight_sum(rows.weights),
            loss=float(loss.sum()),
            slack=float((loss - dual * residual).sum()),
            explained=float((dual * residual).sum()),
            pull=rows.sums(dual),
            bias=float(dual.sum()),
            at_zero=float(np.maximum(low * rows.y, high * rows.y).sum()),
            size=float(((np.abs(rows.y) + np.abs(fit)) * rows.weights).sum()),
        )

    def merge(self, other: Self) -> Self:
        """Of both parts' rows."""
        pairs = ((getattr(self, each.name), getattr(other, each.name)) for each in fields(self))
        return type(self)(*(mine + its for mine, its in pairs))

    def column_lengths(self) -> Array:
        return np.zeros(0)

    def is_finite(self) -> bool:
        return isfinite(self.loss)


def certify_sums(
    sums: list[DualSums],
    models: list[tuple[Array, float]],
    *,
    alpha: float,
    center: Array | None,
    condition: float,
    room: float = 0.0,
) -> Certificate:
    """The certificate of fits (coef, intercept) from the sums over their rows; see `certify`.

    `room` is what the multipliers of crossing rows leave of the objective.
    """
    total = sums[0].weight
    penalty = alpha * total
    about = np.zeros(len(models[0][0])) if center is None else center
    pulls = [each.pull - each.bias * about for each in sums]
    factor = 1.0
    if penalty > 0:
        largest = max(float(np.abs(pull).max(initial=0.0)) for pull in pulls)
        factor = min(1.0, penalty / largest) if largest > 0 else 1.0
    primal, gap, at_zero, kkt, noise = 0.0, factor * room, 0.0, 0.0, 0.0
    for each, (coef, intercept), pull in zip(sums, models, pulls, strict=True):
        size = float(np.abs(coef).sum())
        primal += each.loss + penalty * size
        gap += each.slack + (1.0 - factor) * each.explained
        rest = factor * float(pull @ coef)
        if penalty > 0:
            gap += penalty * size - rest
            rest = 0.0
        shift = 0.0 if center is None else intercept + float(about @ coef)
        gap += abs(rest) + abs(factor * each.bias * shift)
        at_zero += each.at_zero
        noise += 8 * _EPS * each.size
        kkt = max(kkt, abs(each.bias) / total if center is not None else 0.0)
    if primal <= noise:  # a perfect fit: all that is left is rounding
        gap = 0.0
    name = "mean ρ(y − Xw − b)" + (" + α‖w‖₁" if alpha else "")
    return Certificate.from_gap(
        name,
        primal=primal / total,
        gap=gap / total,
        at_zero=max(at_zero, primal) / total,
        kkt=kkt,
        condition=condition,
    )
