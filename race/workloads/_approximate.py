"""Data and contenders of the workload about approximate neighbours."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from race.workload import Data, Size
from race.workloads._neighbours import NEIGHBOURS

CHECKED = 1000  # queries whose neighbours are found exactly, too
WANTED = 0.99


class Found(NamedTuple):
    """Rows an index names, and the seconds it took to build and to ask."""

    rows: NDArray[np.int64]
    build: float
    query: float


def make_table(size: Size, seed: int) -> Data:
    """Clusters near a plane of 16 dimensions, in single precision: as embeddings are."""
    generator = np.random.default_rng(seed)
    plane = generator.standard_normal((16, size["columns"]))
    centres = 1.5 * generator.standard_normal((100, 16))

    def draw(n: int) -> NDArray[np.float32]:
        inner = centres[generator.integers(100, size=n)] + generator.standard_normal((n, 16))
        noise = 0.3 * generator.standard_normal((n, size["columns"]))
        return (inner @ plane + noise).astype(np.float32)

    return {name: draw(size[name]) for name in ("rows", "queries")}  # type: ignore[misc]


def make_noise(size: Size, seed: int) -> Data:
    """Independent normal columns, in single precision: nothing an index could hold on to."""
    generator = np.random.default_rng(seed)
    return {
        name: generator.standard_normal((size[name], size["columns"])).astype(np.float32)
        for name in ("rows", "queries")
    }


def recall(found: Found, data: Data) -> float:
    """The share of the true neighbours among those named, over the first queries."""
    queries, rows = data["queries"][:CHECKED], data["rows"].astype(np.float64)
    norms = (rows**2).sum(axis=1)
    hits = 0
    for start in range(0, len(queries), 100):
        part = queries[start : start + 100].astype(np.float64)
        away = norms - 2.0 * part @ rows.T
        true = np.argpartition(away, NEIGHBOURS, axis=1)[:, :NEIGHBOURS]
        for named, near in zip(found.rows[start : start + 100], true, strict=True):
            hits += len(np.intersect1d(named, near))
    return hits / (NEIGHBOURS * len(queries))


def quality(found: Found, data: Data) -> float:
    """1 where enough neighbours are found, else inf."""
    if found.rows.shape != (len(data["queries"]), NEIGHBOURS):
        return float("inf")
    return 1.0 if recall(found, data) >= WANTED else float("inf")


def notes(found: Found, data: Data) -> str:
    return f"build {found.build:.2f} s, query {found.query:.2f} s, recall {recall(found, data):.4f}"


def ours(data: Data) -> Found:
    """The index at its default, its own measurement of recall included."""
    from stylobate.neighbors import HNSWIndex

    start = time.perf_counter()
    index = HNSWIndex(data["rows"])
    built = time.perf_counter()
    rows = index.query(data["queries"], k=NEIGHBOURS, return_distance=False)
    return Found(rows, built - start, time.perf_counter() - built)


def hnswlib(data: Data, degree: int, effort: int, search: int) -> Found:
    import hnswlib as library

    start = time.perf_counter()
    rows = data["rows"]
    index = library.Index("l2", rows.shape[1])
    index.init_index(len(rows), M=degree, ef_construction=effort, random_seed=1)
    index.add_items(rows, num_threads=2)
    built = time.perf_counter()
    index.set_ef(search)
    found = index.knn_query(data["queries"], k=NEIGHBOURS, num_threads=2)[0]
    return Found(found.astype(np.int64), built - start, time.perf_counter() - built)


def faiss(data: Data, degree: int, effort: int, search: int) -> Found:
    import faiss as library

    start = time.perf_counter()
    index = library.IndexHNSWFlat(data["rows"].shape[1], degree)
    index.hnsw.efConstruction = effort
    index.add(data["rows"])
    built = time.perf_counter()
    index.hnsw.efSearch = search
    found = index.search(data["queries"], NEIGHBOURS)[1]
    return Found(found, built - start, time.perf_counter() - built)


def exact(data: Data) -> Found:
    """Our tiles, which look at every row."""
    from stylobate.distances import measured

    start = time.perf_counter()
    rows = measured(data["queries"], data["rows"]).nearest(NEIGHBOURS)[1]
    return Found(rows, 0.0, time.perf_counter() - start)


def entered(package: str, fit: Any, settings: tuple[tuple[int, int, int], ...]) -> list[Any]:
    """A contender for each setting (links, effort of building, effort of asking)."""
    from functools import partial

    from race.workload import Contender

    return [
        Contender(
            f"{package} {degree}/{effort}/{search}",
            package,
            partial(fit, degree=degree, effort=effort, search=search),
        )
        for degree, effort, search in settings
    ]
