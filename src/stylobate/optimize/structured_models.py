"""Quadratic models with a structured penalty, by covariances alone: ½vᵀSv − cᵀv + pen(v)."""

from __future__ import annotations

from math import inf

import numpy as np

from stylobate import _core
from stylobate.arrays import Array
from stylobate.penalties import Penalty
from stylobate.penalties.sparse_group import SparseGroup
from stylobate.penalties.weighted import Weighted

_TINY = float(np.finfo(np.float64).tiny)
_EPOCHS = 2000
_STEPS = 40  # proximal gradient steps between two attempts of Newton's
_ROUNDS = 60
_POWERS, _MARGIN = 15, 1.1
_HALVINGS = 30


def model_minimum(
    s: Array,
    c: Array,
    start: Array,
    penalty: Weighted | SparseGroup,
    *,
    positive: bool,
    tol: float,
) -> Array:
    """Where the model is least, or for concave penalties stationary; all columns are penalised.

    Parameters
    ----------
    s : array (k, k), positive semidefinite
    c : array (k,)
    start : array (k,)
    penalty : Weighted or SparseGroup
        Of these k columns.
    positive : bool
        Whether v ≥ 0.
    tol : float
        Violation of the conditions to be left.
    """
    if isinstance(penalty, SparseGroup):
        return _grouped(s, c, start, penalty, tol)
    if penalty.convex:
        return _separable(s, c, start, penalty, positive=positive, tol=tol)
    return _by_coordinates(s, c, start, penalty, positive=positive, tol=tol)


# --- one coefficient at a time --------------------------------------------------------------------


def _separable(
    s: Array, c: Array, start: Array, penalty: Weighted, *, positive: bool, tol: float
) -> Array:
    """The core's coordinate descent, after columns are divided by their factors."""
    both = penalty.strengths()
    assert both is not None
    l1, l2 = both
    if not l1.any() and not positive:
        return _solved(s + np.diag(l2), c)
    if not l1.all():
        return _by_coordinates(s, c, start, penalty, positive=positive, tol=tol)
    bent = s + np.diag(l2)
    gram = bent / np.outer(l1, l1)
    rules = _core.DescentRules()
    rules.positive, rules.tol, rules.max_iter, rules.polish = positive, 1e-14, 1000, True
    ones, none = np.ones((1, 1)), np.zeros((1, 1))
    target = c / l1
    squares = max(float(c @ _solved(bent, c)), _TINY)
    found = _core.elastic_net_gram(
        np.ascontiguousarray(gram[None]), np.zeros(1, dtype=np.int64),
        np.ascontiguousarray(target[None]), np.array([squares]), ones, none,
        np.ascontiguousarray((start * l1)[None]), rules,
    )  # fmt: skip
    v: Array = np.asarray(found[0])[0, 0] / l1
    worst = penalty.violation(v, s @ v - c, positive).max(initial=0.0)
    if worst <= max(tol, 1e-12 * float(np.abs(c).max(initial=0.0))):
        return v
    return _by_coordinates(s, c, v, penalty, positive=positive, tol=tol)


def _solved(s: Array, c: Array) -> Array:
    """S⁻¹c, or nearly so where S is singular."""
    from scipy.linalg import cho_factor, cho_solve

    size = max(float(np.diag(s).max(initial=0.0)), _TINY)
    for ridge in (0.0, 1e-14, 1e-12, 1e-9, 1e-6):
        try:
            held = cho_factor(s + ridge * size * np.eye(len(s)), check_finite=False)
        except np.linalg.LinAlgError:
            continue
        return np.asarray(cho_solve(held, c, check_finite=False))
    return np.zeros_like(c)


def _by_coordinates(
    s: Array, c: Array, start: Array, penalty: Weighted, *, positive: bool, tol: float
) -> Array:
    """Cyclic descent with the penalty's own proximal point."""
    v, bends = start.copy(), np.maximum(np.diag(s), _TINY)
    each: list[Penalty] = [penalty.penalty.scaled(float(f)) for f in penalty.factors]
    slope = s @ v - c
    for _ in range(_EPOCHS):
        for j, own in enumerate(each):
            step = 1.0 / bends[j]
            moved = float(own.prox(v[j] - step * slope[j], step))
            moved = max(moved, 0.0) if positive else moved
            if moved != v[j]:
                slope = slope + (moved - v[j]) * s[j]
                v[j] = moved
        if penalty.violation(v, slope, positive).max(initial=0.0) <= tol:
            break
    return v


# --- groups ---------------------------------------------------------------------------------------


def _grouped(s: Array, c: Array, start: Array, penalty: SparseGroup, tol: float) -> Array:
    """Accelerated proximal steps find who is alive, Newton's steps finish among the living."""
    size = _largest_root(s)
    v = _newton(s, c, start, penalty, tol) if start.any() else start
    for _ in range(_ROUNDS):
        if penalty.violation(v, s @ v - c).max(initial=0.0) <= tol:
            break
        v = _newton(s, c, _accelerated(s, c, v, penalty, 1.0 / size), penalty, tol)
    return v


def _largest_root(s: Array) -> float:
    """A little more than the largest eigenvalue; Newton's steps forgive too little."""
    bound = float(np.abs(s).sum(axis=0).max(initial=_TINY))
    v = np.cos(np.arange(len(s), dtype=np.float64))  # far from any eigenvector
    length = 0.0
    for _ in range(_POWERS):
        size = float(np.linalg.norm(v))
        if size == 0.0:
            return bound
        v = s @ (v / size)
        length = float(np.linalg.norm(v))
    return max(min(_MARGIN * length, bound), _TINY)


def _accelerated(s: Array, c: Array, v: Array, penalty: SparseGroup, step: float) -> Array:
    """A few steps of FISTA, which starts anew where its momentum points uphill."""
    ahead, momentum = v, 1.0
    for _ in range(_STEPS):
        moved = penalty.prox(ahead - step * (s @ ahead - c), step)
        if float((ahead - moved) @ (moved - v)) > 0.0:
            momentum = 1.0
        grown = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * momentum**2))
        ahead = moved + (momentum - 1.0) / grown * (moved - v)
        v, momentum = moved, grown
    return v


def _newton(s: Array, c: Array, start: Array, penalty: SparseGroup, tol: float) -> Array:
    """Newton's steps among the coefficients that are not zero, as long as they go down."""
    alive = np.flatnonzero(start)
    if not len(alive):
        return start
    part = penalty.of(alive)
    inner, target, v = s[np.ix_(alive, alive)], c[alive], start[alive]
    here = _value(inner, target, v, part)
    for _ in range(_HALVINGS):
        slope = inner @ v - target + part.gradient(v)
        if float(np.abs(slope).max()) <= 0.1 * tol:
            break
        bend = inner + part.curvature(v)
        try:
            step = -np.linalg.solve(bend, slope)
        except np.linalg.LinAlgError:
            break
        share, there = 1.0, inf
        while share > 1e-3:
            moved = v + share * step
            crossed = part.own.any() and bool(((moved * v < 0.0) & (part.own > 0.0)).any())
            there = inf if crossed else _value(inner, target, moved, part)
            if there < here:
                break
            share *= 0.5
        if not there < here:
            break
        v, here = moved, there
    out = np.zeros_like(start)
    out[alive] = v
    return out


def _value(s: Array, c: Array, v: Array, penalty: SparseGroup) -> float:
    return float(0.5 * v @ (s @ v) - c @ v + penalty.value(v).sum())
