"""Newton's method for a sum of rows' log-likelihoods; where it is not concave, damped."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stylobate.arrays import Array, Mask
from stylobate.interrupts import interruptible
from stylobate.optimize.vector_glm.likelihood import Predictors, RowLikelihood

_EPS = float(np.finfo(np.float64).eps)
_FLAT = 1e-7  # a coordinate this close to orthogonal to the null space is determined
_HALVINGS = 40
_RIDGES = 12


@dataclass(frozen=True, slots=True, eq=False)
class VectorSolution:
    """Where the search ended.

    Parameters
    ----------
    theta : (k,) array
    log_likelihood : float
    observed, expected : (k, k) arrays
        Information; `expected` is the observed one where it has no closed form.
    inverse : (k, k) array
        Of `observed`, or a generalised one.
    determined : (k,) bool array
        False where the rows say nothing.
    rank : int
    decrement : float
        Half of Newton's decrement: how much log-likelihood the quadratic model leaves to gain.
    direction : (k,) array
        The step not taken.
    largest_shift : float
        The most it moves a predictor.
    iterations : int
    converged : bool
    """

    theta: Array
    log_likelihood: float
    observed: Array
    expected: Array
    inverse: Array
    determined: Mask
    rank: int
    decrement: float
    direction: Array
    largest_shift: float
    iterations: int
    converged: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Point:
    value: float
    slope: Array
    observed: Array
    expected: Array


def maximise(
    likelihood: RowLikelihood,
    predictors: Predictors,
    y: Array,
    weights: Array | None,
    start: Array,
    *,
    max_iter: int = 100,
    tol: float = 1e-15,
) -> VectorSolution:
    """The parameters at which the weighted sum of rows' log-likelihoods is largest.

    Parameters
    ----------
    likelihood : RowLikelihood
    predictors : Predictors
    y : (n,) array
    weights : (n,) array or None
    start : (k,) array
        Where the log-likelihood is finite.
    max_iter : int
    tol : float
        Log-likelihood left to gain, as a share of the log-likelihood, at which to stop.
    """
    theta = np.array(start, dtype=np.float64)
    point = _look(likelihood, predictors, y, weights, theta)
    last = False
    for iteration in range(max_iter + 1):
        inverse, determined, rank, definite = invert(point.observed, len(y))
        if not definite:
            usable = point.expected if point.expected is not point.observed else None
            inverse = invert(_damped(point.observed, usable), len(y))[0]
        direction = inverse @ point.slope
        decrement = 0.5 * float(point.slope @ direction)
        if last or iteration == max_iter:
            break
        moved = _climb(likelihood, predictors, y, weights, theta, point, direction)
        last = moved is None or (definite and decrement <= tol * max(abs(point.value), 1.0))
        if moved is not None:
            theta, point = moved
    shift = max(
        float(np.abs(predictors.at(direction, rows) - _offset(predictors, rows)).max(initial=0.0))
        for rows in predictors.chunks()
    )
    enough = max(decrement, 0.0) <= 1e-9 * max(abs(point.value), 1.0)
    return VectorSolution(
        theta, point.value, point.observed, point.expected, inverse, determined, rank,
        decrement, direction, shift, iteration, bool(enough and definite),
    )  # fmt: skip


def _offset(predictors: Predictors, rows: slice) -> Array | float:
    return 0.0 if predictors.offsets is None else predictors.offsets[rows]


def _look(
    likelihood: RowLikelihood, predictors: Predictors, y: Array, weights: Array | None, theta: Array
) -> _Point:
    """Value, gradient and information at a point."""
    k = predictors.n_params
    value, slope = 0.0, np.zeros(k)
    observed, expected, closed = np.zeros((k, k)), np.zeros((k, k)), True
    for rows in predictors.chunks():
        z = predictors.at(theta, rows)
        with np.errstate(all="ignore"):
            found = likelihood.at(y[rows], z)
        w = np.ones(len(z)) if weights is None else weights[rows]
        value += float(w @ np.where(w > 0, found.value, 0.0))
        if not np.isfinite(value):
            return _Point(-np.inf, slope, observed, expected)
        slope += predictors.scores(w[:, None] * found.slope, rows).sum(axis=0)
        observed += predictors.gram(w[:, None, None] * found.curvature, rows)
        if found.expected is not None:
            expected += predictors.gram(w[:, None, None] * found.expected, rows)
        else:
            closed = False
    return _Point(value, slope, observed, expected if closed else observed)


def log_likelihood(
    likelihood: RowLikelihood, predictors: Predictors, y: Array, weights: Array | None, theta: Array
) -> float:
    """The sum alone; minus infinity where it is not finite."""
    total = 0.0
    for rows in predictors.chunks():
        with np.errstate(all="ignore"):
            found = likelihood.at(y[rows], predictors.at(theta, rows)).value
        w = np.ones(len(found)) if weights is None else weights[rows]
        total += float(w @ np.where(w > 0, found, 0.0))
        if not np.isfinite(total):
            return -np.inf
    return total


def _climb(
    likelihood: RowLikelihood,
    predictors: Predictors,
    y: Array,
    weights: Array | None,
    theta: Array,
    point: _Point,
    direction: Array,
) -> tuple[Array, _Point] | None:
    """The first of the steps 1, ½, ¼ … that raises the likelihood, or 1 if rounding hides it."""
    rounding = 64 * _EPS * max(abs(point.value), 1.0)
    for halvings in range(_HALVINGS):
        moved = theta + 0.5**halvings * direction
        if (moved == theta).all():
            return None
        value = log_likelihood(likelihood, predictors, y, weights, moved)
        if value > point.value or (halvings == 0 and value >= point.value - rounding):
            there = _look(likelihood, predictors, y, weights, moved)
            if np.isfinite(there.observed).all():
                return moved, there
    return None


def _damped(observed: Array, expected: Array | None) -> Array:
    """The expected information, or the observed one with as much added as makes it positive."""
    if expected is not None:
        return expected
    diagonal = np.maximum(np.abs(np.diag(observed)), 1e-300)
    scale = 1.0 / np.sqrt(diagonal)
    least = float(np.linalg.eigvalsh(scale[:, None] * observed * scale)[0])
    return observed + np.diag(diagonal) * (max(-least, 0.0) * 1.5 + 1e-3)


def invert(information: Array, n: int) -> tuple[Array, Mask, int, bool]:
    """A generalised inverse, what is determined, the rank, and whether no curvature is negative.

    With unit diagonal, so that units do not matter.
    """
    diagonal = np.abs(np.diag(information))
    scale = 1.0 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    values, vectors = interruptible(np.linalg.eigh, scale[:, None] * information * scale)
    size = float(np.abs(values).sum())
    tolerance = max(n, len(values)) * _EPS * max(size, 1e-300)
    kept = values > tolerance
    root = scale[:, None] * vectors[:, kept] / np.sqrt(values[kept])
    flat = np.abs(vectors[:, ~kept]) > _FLAT
    definite = bool((values >= -1e3 * tolerance).all())
    return root @ root.T, np.asarray(~flat.any(axis=1)), int(kept.sum()), definite
