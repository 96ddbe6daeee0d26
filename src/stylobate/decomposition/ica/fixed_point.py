"""FastICA's fixed point on white rows: all directions at once, or one after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate import _core
from stylobate.arrays import Array

_LANES = 8  # rows are padded to whole vectors of the core


@dataclass(frozen=True, slots=True, eq=False)
class WhiteRows:
    """White rows, component by component, padded with zeros to whole vectors.

    Parameters
    ----------
    values : array of shape (components, padded rows)
    n_rows : int
        Rows that count.
    """

    values: Array
    n_rows: int

    @classmethod
    def of(cls, components: Array) -> WhiteRows:
        """From an array of components × rows."""
        k, n = components.shape
        values = np.zeros((k, -(-n // _LANES) * _LANES))
        values[:, :n] = components
        return cls(values, n)


# (g(WZ)Zᵀ/n, the means of g′) of some directions W
Step = Callable[[Array], tuple[Array, Array]]


def contrast_step(rows: WhiteRows, contrast: Any, arguments: dict[str, Any]) -> Step:
    """The step of a named contrast, fused in the core, or of a callable."""
    if callable(contrast):
        return _callable_step(rows, contrast, arguments)
    alpha = float(arguments.get("alpha", 1.0))

    def step(w: Array) -> tuple[Array, Array]:
        packed = np.ascontiguousarray(w, dtype=np.float64)
        products, slopes = _core.contrast_sums(rows.values, rows.n_rows, packed, contrast, alpha)
        return products / rows.n_rows, slopes / rows.n_rows

    return step


def _callable_step(rows: WhiteRows, contrast: Any, arguments: dict[str, Any]) -> Step:
    z = rows.values[:, : rows.n_rows]

    def step(w: Array) -> tuple[Array, Array]:
        values = w @ z
        single = len(w) == 1  # functions of one direction are called with a vector
        g, slopes = contrast(values[0] if single else values, **arguments)
        means = np.atleast_1d(np.asarray(slopes, dtype=np.float64))
        if single and means.shape != (1,):
            means = means.mean(keepdims=True)
        return np.atleast_2d(g) @ z.T / rows.n_rows, means

    return step


def orthonormal(w: Array) -> Array:
    """(WWᵀ)^−½ W: the nearest orthogonal matrix."""
    values, vectors = np.linalg.eigh(w @ w.T)
    values = np.maximum(values, np.finfo(np.float64).tiny)
    return np.asarray((vectors / np.sqrt(values)) @ vectors.T @ w)


@dataclass(frozen=True, slots=True, eq=False)
class FixedPoint:
    """Directions found, how many steps it took, and the change of the last one."""

    directions: Array
    n_iter: int
    change: float
    converged: bool


def parallel(step: Step, start: Array, tol: float, max_iter: int) -> FixedPoint:
    """All directions at once, made orthogonal after each step."""
    w = orthonormal(start)
    change, count = np.inf, 0
    for count in range(1, max_iter + 1):
        products, slopes = step(w)
        following = orthonormal(products - slopes[:, np.newaxis] * w)
        change = float(np.abs(np.abs(np.einsum("ij,ij->i", following, w)) - 1.0).max())
        w = following
        if change < tol:
            return FixedPoint(w, count, change, True)
    return FixedPoint(w, count, change, False)


def deflation(step: Step, start: Array, tol: float, max_iter: int) -> FixedPoint:
    """One direction after the other, each orthogonal to those before."""
    found = np.zeros_like(start)
    most, worst, converged = 0, 0.0, True
    for j, first in enumerate(start):
        w, change, count = first / np.linalg.norm(first), np.inf, 0
        while count < max_iter and not change < tol:
            count += 1
            products, slopes = step(w[np.newaxis])
            following = products[0] - slopes[0] * w
            following -= found[:j].T @ (found[:j] @ following)
            following /= np.linalg.norm(following)
            change = abs(abs(float(following @ w)) - 1.0)
            w = following
        found[j] = w
        most, worst = max(most, count), max(worst, change)
        converged = converged and change < tol
    return FixedPoint(found, most, worst, converged)
