"""Certificates of quantile fits: a feasible dual point and what it proves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.robust.rows import Rows

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
    total = float(rows.weights.sum())
    penalty, about = alpha * total, np.zeros(rows.n_features) if center is None else center
    pulls = _pulls(rows, answers, crossings, about)
    factor = 1.0
    if penalty > 0:
        largest = max(float(np.abs(pull).max(initial=0.0)) for pull, _ in pulls)
        factor = min(1.0, penalty / largest) if largest > 0 else 1.0
    primal = gap = at_zero = kkt = noise = 0.0
    for answer, (pull, bias) in zip(answers, pulls, strict=True):
        low, high = (answer.tau - 1.0) * rows.weights, answer.tau * rows.weights
        fit = rows.values(answer.coef, answer.intercept)
        residual = rows.y - fit
        loss = np.maximum(low * residual, high * residual)
        size = float(np.abs(answer.coef).sum())
        primal += float(loss.sum()) + penalty * size
        gap += float((loss - factor * answer.dual * residual).sum())
        rest = factor * float(pull @ answer.coef)
        if penalty > 0:
            gap += penalty * size - rest
            rest = 0.0
        shift = 0.0 if center is None else answer.intercept + float(about @ answer.coef)
        gap += abs(rest) + abs(factor * bias * shift)
        at_zero += float(np.maximum(low * rows.y, high * rows.y).sum())
        noise += 8 * _EPS * float(((np.abs(rows.y) + np.abs(fit)) * rows.weights).sum())
        kkt = max(kkt, abs(bias) / total if center is not None else 0.0)
    for crossing in crossings:
        x = rows.dense(crossing.rows)
        below, above = answers[crossing.lower], answers[crossing.lower + 1]
        room = x @ (above.coef - below.coef) + (above.intercept - below.intercept)
        gap += factor * float((crossing.multipliers * np.abs(room)).sum())
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


def _pulls(
    rows: Rows, answers: list[Answer], crossings: list[Crossing], about: Array
) -> list[tuple[Array, float]]:
    """Σ d(x − center) and Σ d of every quantile, the crossing rows' multipliers included."""
    biases = [float(answer.dual.sum()) for answer in answers]
    pulls = [rows.sums(a.dual) - b * about for a, b in zip(answers, biases, strict=True)]
    for crossing in crossings:
        total = float(crossing.multipliers.sum())
        pull = crossing.multipliers @ (rows.dense(crossing.rows) - about)
        for k, sign in ((crossing.lower, -1.0), (crossing.lower + 1, 1.0)):
            pulls[k] = pulls[k] + sign * pull
            biases[k] += sign * total
    return list(zip(pulls, biases, strict=True))
