"""Rows about overlapping centres, and k-means of them from one start for everybody."""

from __future__ import annotations

from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload

ITERATIONS = 20


def make(size: Size, seed: int, dtype: Any = np.float64) -> Data:
    """Normal rows about as many normal centres as there are clusters, and rows to start from."""
    generator = np.random.default_rng(seed)
    centres = generator.standard_normal((size["clusters"], size["columns"]))
    X = centres[generator.integers(0, size["clusters"], size["rows"])]
    X += generator.standard_normal(X.shape)
    X = X.astype(dtype)
    start = X[generator.choice(size["rows"], size["clusters"], replace=False)]
    return {"X": X, "start": start}


def ours(data: Data) -> Any:
    from stylobate.cluster import KMeans

    model = KMeans(len(data["start"]), init=data["start"], max_iter=ITERATIONS, tol=0.0)
    return model.fit(data["X"]).cluster_centers_


def sklearn(data: Data) -> Any:
    from sklearn.cluster import KMeans

    given = {"init": data["start"], "n_init": 1, "max_iter": ITERATIONS, "tol": 0.0}
    return KMeans(len(data["start"]), **given).fit(data["X"]).cluster_centers_


def sklearn_elkan(data: Data) -> Any:
    from sklearn.cluster import KMeans

    given = {"init": data["start"], "n_init": 1, "max_iter": ITERATIONS, "tol": 0.0}
    model = KMeans(len(data["start"]), algorithm="elkan", **given)
    return model.fit(data["X"]).cluster_centers_


def sklearnex(data: Data) -> Any:
    from sklearnex.cluster import KMeans

    given = {"init": data["start"], "n_init": 1, "max_iter": ITERATIONS, "tol": 0.0}
    return KMeans(len(data["start"]), **given).fit(data["X"]).cluster_centers_


def faiss(data: Data) -> Any:
    """faiss' k-means on all rows, in the single precision it has."""
    import faiss as library

    rows = np.ascontiguousarray(data["X"], dtype=np.float32)
    k, most = len(data["start"]), len(rows)
    model = library.Kmeans(rows.shape[1], k, niter=ITERATIONS, max_points_per_centroid=most)
    model.train(rows, init_centroids=np.ascontiguousarray(data["start"], dtype=np.float32))
    return model.centroids


def quality(centers: Any, data: Data) -> float:
    """The inertia, computed in double precision."""
    found = np.asarray(centers, dtype=np.float64)
    if found.shape != data["start"].shape or not np.isfinite(found).all():
        return float("inf")
    total, norms = 0.0, (found**2).sum(axis=1)
    for first in range(0, len(data["X"]), 20_000):
        part = data["X"][first : first + 20_000].astype(np.float64)
        near = (norms - 2.0 * (part @ found.T)).min(axis=1)
        total += float(near.sum() + (part**2).sum())
    return total


def floor(size: Size) -> tuple[float, float]:
    """One reading of the rows, and every distance of one iteration."""
    pairs = float(size["rows"]) * size["clusters"] * size["columns"]
    return 2.0 * pairs, 8.0 * size["rows"] * size["columns"]


def workload(
    name: str, title: str, sizes: Any, times: float, *, single: bool = False, elkan: bool = True
) -> Workload:
    """A row of the race; faiss counts as a peer in its own precision."""
    dtype = np.float32 if single else np.float64
    peers = [Contender("sklearn", "sklearn", sklearn)]
    if elkan:
        peers.append(Contender("sklearn elkan", "sklearn", sklearn_elkan))
    faiss_kind: Any = "peer" if single else "reference"
    return Workload(
        name=name,
        title=f"{title}, {ITERATIONS} iterations, {'single' if single else 'double'} precision",
        sizes=sizes,
        make=lambda size, seed: make(size, seed, dtype),
        contenders=(
            Contender("ours", "stylobate", ours, "ours"),
            *peers,
            Contender("sklearnex", "sklearnex", sklearnex),
            Contender("faiss", "faiss", faiss, faiss_kind),
        ),
        quality=quality,
        tolerance=1e-4,  # of a run of fixed length: single-precision products lead elsewhere
        floor=floor,
        goals=(Faster("peers", times),),
    )


SIZES_10 = {
    "small": {"rows": 2_000, "columns": 10, "clusters": 10},
    "standard": {"rows": 1_000_000, "columns": 20, "clusters": 10},
    "large": {"rows": 4_000_000, "columns": 20, "clusters": 10},
}
SIZES_100 = {
    "small": {"rows": 2_000, "columns": 10, "clusters": 20},
    "standard": {"rows": 200_000, "columns": 50, "clusters": 100},
    "large": {"rows": 1_000_000, "columns": 50, "clusters": 100},
}
SIZES_1000 = {
    "small": {"rows": 5_000, "columns": 16, "clusters": 100},
    "standard": {"rows": 1_000_000, "columns": 64, "clusters": 1000},
}
