"""Rows on a plane so that neighbours stay neighbours."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError

MethodName = Literal["pca", "tsne", "umap"]
METHODS: tuple[MethodName, ...] = ("pca", "tsne", "umap")
TITLES = {"pca": "PCA", "tsne": "t-SNE", "umap": "UMAP"}
MANY_ROWS = 20_000  # beyond which "auto" is UMAP, which takes time in proportion to the rows


def choose_embedding(asked: str, n_rows: int) -> tuple[MethodName, str]:
    """The method asked for, or the one for so many rows, and why.

    >>> choose_embedding("auto", 500)
    ('tsne', 't-SNE for up to 20,000 rows')
    """
    if asked == "auto":
        if n_rows <= MANY_ROWS:
            return "tsne", f"t-SNE for up to {MANY_ROWS:,} rows"
        return "umap", f"UMAP for more than {MANY_ROWS:,} rows"
    for name in METHODS:
        if asked == name:
            return name, "as asked for"
    raise InvalidParameterError(
        f"map_rows: method must be one of auto, {', '.join(METHODS)}, got {asked!r}."
    )


def neighbour_embedding(
    rows: Array, method: MethodName, *, n_neighbors: int, perplexity: float, seed: int
) -> Array:
    """Points on a plane, centred.

    Parameters
    ----------
    rows : array of shape (n, p)
    method : {"tsne", "umap"}
    n_neighbors : int
        Of UMAP; fewer where there are not so many rows.
    perplexity : float
        Of t-SNE; at most a third of the rows.
    seed : int
    """
    n = len(rows)
    model: Any
    if method == "tsne":
        from stylobate.manifold import TSNE

        model = TSNE(2, perplexity=min(perplexity, most_perplexity(n)), random_state=seed)
    else:
        from stylobate.manifold import UMAP

        model = UMAP(n_neighbors=max(min(n_neighbors, n - 1), 2), random_state=seed)
    points = np.asarray(model.fit_transform(rows), dtype=np.float64)
    return np.asarray(points - points.mean(axis=0))


def most_perplexity(n: int) -> float:
    """The largest perplexity that t-SNE of n rows is asked for.

    >>> most_perplexity(61)
    20.0
    """
    return max((n - 1) / 3, 1.0)
