"""Data, contenders and measures shared by the workloads about hierarchies."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload

SIZES = {
    "small": {"rows": 1_000, "columns": 10},
    "standard": {"rows": 20_000, "columns": 10},
    "large": {"rows": 40_000, "columns": 10},
}


def make_rows(size: Size, seed: int) -> Data:
    """Normal points: no clusters to make it easy, no ties."""
    rows = np.random.default_rng(seed).standard_normal((size["rows"], size["columns"]))
    return {"rows": rows}


def ours(data: Data, method: str) -> Any:
    """Heights of our linkage."""
    from stylobate.cluster import linkage

    return linkage(data["rows"], method)[:, 2]


def fastcluster(data: Data, method: str, memory_saving: bool) -> Any:
    """Of all pairs, or of vectors where the method has that."""
    import fastcluster as peer

    linkage = peer.linkage_vector if memory_saving else peer.linkage
    return linkage(data["rows"], method)[:, 2]


def scipy(data: Data, method: Any) -> Any:
    """SciPy's, which holds all pairs."""
    from scipy.cluster.hierarchy import linkage

    return linkage(data["rows"], method)[:, 2]


def sklearn(data: Data, method: str) -> Any:
    """scikit-learn's estimator."""
    from sklearn.cluster import AgglomerativeClustering

    model = AgglomerativeClustering(linkage=method, compute_distances=True)
    return model.fit(data["rows"]).distances_


def total_height(heights: Any, data: Data) -> float:
    """Sum of the heights, with all merges there and in order; NaN is wrong."""
    found = np.asarray(heights, dtype=np.float64)
    if found.shape != (len(data["rows"]) - 1,) or np.any(np.diff(found) < -1e-9):
        return float("inf")
    return float(found.sum())


def pairs(size: Size) -> tuple[float, float]:
    """A difference and a fused step for each column of each pair; the rows read once."""
    rows, columns = float(size["rows"]), size["columns"]
    return 1.5 * rows * rows * columns, 8.0 * rows * columns


def workload(method: str, title: str, more: tuple[Contender, ...], times: float) -> Workload:
    """The race of one method."""
    return Workload(
        name=f"linkage_{method}",
        title=title,
        sizes=SIZES,
        make=make_rows,
        contenders=(
            Contender("ours", "stylobate", partial(ours, method=method), "ours"),
            *more,
            Contender("scipy", "scipy", partial(scipy, method=method)),
            Contender("sklearn", "sklearn", partial(sklearn, method=method)),
        ),
        quality=total_height,
        floor=pairs,
        goals=(Faster("peers", times),),
    )


def all_pairs(method: str) -> Contender:
    """fastcluster with the matrix of distances."""
    return Contender(
        "fastcluster", "fastcluster", partial(fastcluster, method=method, memory_saving=False)
    )


def of_vectors(method: str) -> Contender:
    """fastcluster without it."""
    return Contender(
        "fastcluster vector",
        "fastcluster",
        partial(fastcluster, method=method, memory_saving=True),
    )
