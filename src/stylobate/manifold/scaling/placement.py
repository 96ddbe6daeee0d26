"""New points among fixed ones: each where its own stress is least."""

from __future__ import annotations

import numpy as np

from stylobate import _core
from stylobate.arrays import Array

_NEAREST = 5  # fixed points a start lies between
_STEPS = 200
_SMALL = 1e-9  # of the largest dissimilarity: a step that ends the search


def placed(delta: Array, fixed: Array) -> Array:
    r"""Positions z of new points that minimise :math:`\sum_j (\|z - y_j\| - δ_j)^2`, one by one.

    A point with the dissimilarity 0 to a fixed one is put upon it. Others start between the nearest
    fixed points and take steps of majorization, which never raise the stress; the minimum found is
    a local one.

    Parameters
    ----------
    delta : array of shape (m, n)
        Dissimilarities of the new points to the fixed ones; NaN where unknown.
    fixed : array of shape (n, k)

    Returns
    -------
    array of shape (m, k)

    Examples
    --------
    >>> fixed = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]])
    >>> placed(np.array([[5.0, 3.0, 4.0]]), fixed).round(4)
    array([[4., 3.]])
    """
    known = ~np.isnan(delta)
    counts = np.maximum(known.sum(axis=1), 1)[:, None]
    far = np.where(known, delta, np.inf)
    nearest = np.argmin(far, axis=1)
    upon = far[np.arange(len(far)), nearest] == 0.0
    positions = _starts(far, fixed)
    positions[upon] = fixed[nearest[upon]]
    moving = np.flatnonzero(~upon)
    small = _SMALL * max(float(np.nanmax(delta, initial=0.0)), np.finfo(float).tiny)
    for _ in range(_STEPS):
        if len(moving) == 0:
            break
        half, _ = _core.stress_gradient(
            np.ascontiguousarray(positions[moving]), fixed, np.ascontiguousarray(delta[moving])
        )
        step = np.asarray(half) / counts[moving]
        positions[moving] -= step
        moving = moving[np.abs(step).max(axis=1) > small]
    return positions


def _starts(far: Array, fixed: Array) -> Array:
    """The mean of the nearest fixed points, the nearer ones weighing more."""
    k = min(_NEAREST, far.shape[1])
    near = np.argpartition(far, k - 1, axis=1)[:, :k]
    apart = np.take_along_axis(far, near, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        weights = 1.0 / apart
    weights = np.where(np.isfinite(weights), weights, 0.0)
    total = weights.sum(axis=1, keepdims=True)
    weights = np.where(total > 0, weights / np.where(total > 0, total, 1.0), 1.0 / k)
    return np.asarray(np.einsum("ij,ijk->ik", weights, fixed[near]))
