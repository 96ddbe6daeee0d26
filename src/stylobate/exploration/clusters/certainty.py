"""How sure it is that a row belongs to its cluster."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array

PROBABILITY = "the probability of its cluster"
MEMBERSHIP = "how dense its surroundings are within its cluster"
BETWEEN_CENTRES = "1 − (distance to its own centre) / (distance to the next)"


def certainty_of(model: Any, x: Array) -> tuple[Array, str]:
    r"""For each row a number between 0 (on a border) and 1, and what it is.

    Of a mixture the largest probability; of HDBSCAN the strength of membership; of clusters with
    centres :math:`1 - a / b`, with a and b the distances to the nearest and the second centre: the
    silhouette with centres in place of rows.

    Parameters
    ----------
    model : fitted clusterer
    x : array of shape (n, p)
        Encoded rows.

    References
    ----------
    Hruschka, de Castro & Campello (2004), Evolutionary algorithms for clustering gene-expression
    data (the simplified silhouette).
    """
    if hasattr(model, "approximate_predict"):
        return np.asarray(model.approximate_predict(x)[1], dtype=np.float64), MEMBERSHIP
    if hasattr(model, "means_") and hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(x).max(axis=1)), PROBABILITY
    distances = _distances(model, x)
    if distances.shape[1] == 1:
        return np.ones(len(x)), BETWEEN_CENTRES
    nearest, second = np.partition(distances, 1, axis=1)[:, :2].T
    ratio = np.divide(nearest, second, out=np.ones(len(x)), where=second > 0.0)
    return 1.0 - ratio, BETWEEN_CENTRES


def _distances(model: Any, x: Array) -> Array:
    """Of rows to centres."""
    if hasattr(model, "centroids_"):
        from stylobate.metrics.pairwise import pairwise_distances

        return np.asarray(pairwise_distances(x, model.centroids_), dtype=np.float64)
    return np.asarray(model.transform(x), dtype=np.float64)
