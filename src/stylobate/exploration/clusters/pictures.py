"""Rows on a plane, and their silhouettes, for pictures."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.exploration.clusters.report import Picture

_POINTS = 1_500  # rows that are drawn


def picture_of(
    design: Array, x: Array, labels: Indices, metric: tuple[str, dict[str, Any]], seed: int
) -> Picture:
    """Some rows by their first two principal coordinates, with their silhouettes.

    Parameters
    ----------
    design : array of shape (n, q)
        Rows as numbers on one scale, for the plane.
    x : array of shape (n, p)
        Rows as they were clustered, for the silhouettes.
    labels : array of int of shape (n,)
    metric : (str, dict)
        Of the silhouettes.
    seed : int
        Of the draw of rows.
    """
    points, explained = principal_coordinates(design)
    chosen = np.arange(len(x))
    if len(x) > _POINTS:
        chosen = np.sort(np.random.default_rng(seed).permutation(len(x))[:_POINTS])
    silhouettes = _silhouettes(x[chosen], labels[chosen], metric)
    return Picture(points[chosen], labels[chosen], silhouettes, explained)


def principal_coordinates(design: Array) -> tuple[Array, tuple[float, float]]:
    """The first two principal coordinates of rows, and the shares of variance along them.

    >>> points, shares = principal_coordinates(np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]))
    >>> np.abs(points[:, 0]).round(3).tolist(), round(shares[0], 3)
    ([1.414, 0.0, 1.414], 1.0)
    """
    centred = design - design.mean(axis=0)
    values, vectors = np.linalg.eigh(centred.T @ centred)
    values = np.maximum(values[::-1], 0.0)
    axes = vectors[:, ::-1][:, :2]
    axes = axes * np.where(axes[np.abs(axes).argmax(axis=0), range(axes.shape[1])] < 0, -1.0, 1.0)
    points = centred @ axes
    if points.shape[1] < 2:
        points = np.column_stack([points, np.zeros(len(points))])
    shares = np.append(values, 0.0)[:2] / (values.sum() or 1.0)
    return points, (float(shares[0]), float(shares[1]))


def _silhouettes(x: Array, labels: Indices, metric: tuple[str, dict[str, Any]]) -> Array:
    """Of the rows in clusters; NaN for others, and where there are no two clusters."""
    from stylobate.metrics.cluster import silhouette_samples

    found = np.full(len(x), np.nan)
    placed = labels >= 0
    if 2 <= len(np.unique(labels[placed])) < int(placed.sum()):
        name, parameters = metric
        found[placed] = silhouette_samples(x[placed], labels[placed], metric=name, **parameters)
    return found


def mean_of(values: Array) -> float | None:
    """The mean of what is known."""
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else None
