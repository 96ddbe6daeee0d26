"""What the workloads on neighbour embeddings share: rows in groups, and the divergence of a map."""

from __future__ import annotations

from typing import Any

import numpy as np

from race.workload import Data, Size

GROUPS, FACTORS, PERPLEXITY = 10, 8, 30.0


def digit_like_rows(size: Size, seed: int) -> Data:
    """Ten groups with factors of their own, as images of digits have after 50 components."""
    rng = np.random.default_rng(seed)
    n, p = size["rows"], size["columns"]
    labels = rng.integers(GROUPS, size=n)
    centres = 2.0 * rng.standard_normal((GROUPS, p))
    factors = 0.7 * rng.standard_normal((GROUPS, FACTORS, p))
    x = centres[labels] + 0.3 * rng.standard_normal((n, p))
    x += np.einsum("nk,nkp->np", rng.standard_normal((n, FACTORS)), factors[labels])
    return {"X": x}


def divergence(embedding: Any, data: Data) -> float:
    """Of a map from Gaussian affinities of 91 neighbours, summed over all pairs of points."""
    from stylobate import _core
    from stylobate.manifold.tsne.affinities import conditional_affinities, joint_affinities
    from stylobate.neighbors import NearestNeighbors

    k = int(3 * PERPLEXITY + 1)
    distances, rows = NearestNeighbors(n_neighbors=k).fit(data["X"]).kneighbors()
    conditional = conditional_affinities(distances, np.array([PERPLEXITY]), "perplexity")
    edges = joint_affinities(rows, conditional)
    points = np.ascontiguousarray(embedding, dtype=np.float32)
    parts = (edges.offsets, edges.columns, edges.values)
    return float(_core.TsneDescent(*parts, points, 1.0, "exact", 0.5).divergence())


def ours(data: Data, iterations: int) -> Any:
    from stylobate.manifold import TSNE

    return TSNE(max_iter=iterations, random_state=0).fit(data["X"]).embedding_


def sklearn(data: Data, iterations: int) -> Any:
    from sklearn.manifold import TSNE

    return TSNE(max_iter=iterations, random_state=0).fit(data["X"]).embedding_


def sklearnex(data: Data, iterations: int) -> Any:
    from sklearnex.manifold import TSNE

    return TSNE(max_iter=iterations, random_state=0).fit(data["X"]).embedding_


def opentsne(data: Data, iterations: int) -> Any:
    from openTSNE import TSNE

    model = TSNE(n_iter=iterations - 250, negative_gradient_method="fft", n_jobs=-1, random_state=0)
    return np.asarray(model.fit(data["X"]))
