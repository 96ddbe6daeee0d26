"""Data and measures shared by the workloads about pairs of rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from race.workload import Data, Size

NEIGHBOURS = 10


def make_points(size: Size, seed: int, dtype: Any = np.float64) -> Data:
    """Normal points and queries."""
    generator = np.random.default_rng(seed)
    return {
        name: generator.standard_normal((size[name], size["columns"])).astype(dtype)
        for name in ("rows", "queries")
    }


def total_distance(rows: Any, data: Data) -> float:
    """Sum of the true distances to the rows an answer names; wrong answers are longer."""
    found = np.asarray(rows)
    if found.shape != (len(data["queries"]), NEIGHBOURS):
        return float("inf")
    ordered = np.sort(found, axis=1)
    if (ordered[:, 1:] == ordered[:, :-1]).any() or ordered.min() < 0:
        return float("inf")
    total = 0.0
    for start in range(0, len(found), 1000):
        part = slice(start, start + 1000)
        near = data["rows"].astype(np.float64)[found[part]]
        total += float(np.linalg.norm(near - data["queries"][part, None, :], axis=2).sum())
    return total


def products(size: Size) -> tuple[float, float]:
    """A multiplication and an addition for each column of each pair; both tables read once."""
    pairs = float(size["rows"]) * size["queries"] * size["columns"]
    return 2.0 * pairs, 8.0 * size["columns"] * (size["rows"] + size["queries"])


def ours(data: Data) -> Any:
    """Exact nearest rows by tiles."""
    from stylobate.distances import measured

    return measured(data["queries"], data["rows"]).nearest(NEIGHBOURS)[1]


def sklearn(data: Data) -> Any:
    """scikit-learn's brute force."""
    from sklearn.neighbors import NearestNeighbors

    model = NearestNeighbors(n_neighbors=NEIGHBOURS, algorithm="brute").fit(data["rows"])
    return model.kneighbors(data["queries"])[1]


def sklearnex(data: Data) -> Any:
    """oneDAL's brute force."""
    from sklearnex.neighbors import NearestNeighbors

    model = NearestNeighbors(n_neighbors=NEIGHBOURS, algorithm="brute").fit(data["rows"])
    return model.kneighbors(data["queries"])[1]


def faiss(data: Data) -> Any:
    """faiss' flat index, in the single precision it has."""
    import faiss as library

    index = library.IndexFlatL2(data["rows"].shape[1])
    index.add(np.ascontiguousarray(data["rows"], dtype=np.float32))
    return index.search(np.ascontiguousarray(data["queries"], dtype=np.float32), NEIGHBOURS)[1]


def torch(data: Data) -> Any:
    """Distances by blocks of queries, and the smallest of each row."""
    import torch as library

    rows, queries = library.from_numpy(data["rows"]), library.from_numpy(data["queries"])
    parts = [
        library.cdist(part, rows).topk(NEIGHBOURS, largest=False).indices
        for part in queries.split(1000)
    ]
    return library.cat(parts).numpy()
