"""HDBSCAN of many rows in five columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads import _clusters as clusters

SMALLEST, MIN_SAMPLES = 50, 10


def ours(data: Data) -> Any:
    """Borůvka's rounds over lists of neighbours and boxes."""
    from stylobate.cluster import HDBSCAN

    return HDBSCAN(min_cluster_size=SMALLEST, min_samples=MIN_SAMPLES).fit(data["rows"]).labels_


def sklearn(data: Data) -> Any:
    """Prim's algorithm."""
    from sklearn.cluster import HDBSCAN

    model = HDBSCAN(min_cluster_size=SMALLEST, min_samples=MIN_SAMPLES, n_jobs=2, copy=True)
    return model.fit(data["rows"]).labels_


def hdbscan(data: Data) -> Any:
    """Its own Borůvka on a kd-tree; there a row does not count itself."""
    from hdbscan import HDBSCAN

    model = HDBSCAN(
        min_cluster_size=SMALLEST,
        min_samples=MIN_SAMPLES - 1,
        core_dist_n_jobs=2,
        approx_min_span_tree=False,
    )
    return model.fit(data["rows"]).labels_


def fast_hdbscan(data: Data) -> Any:
    """Compiled by numba; there a row does not count itself."""
    from fast_hdbscan import HDBSCAN

    model = HDBSCAN(min_cluster_size=SMALLEST, min_samples=MIN_SAMPLES - 1)
    return model.fit(data["rows"]).labels_


def unlike_truth(labels: Any, data: Data) -> float:
    """2 - the adjusted Rand index with the clusters the rows were drawn from."""
    from sklearn.metrics import adjusted_rand_score

    return 2.0 - float(adjusted_rand_score(data["truth"], np.asarray(labels)))


def work(size: Size) -> tuple[float, float]:
    """The rows are read, and the nearest of each found once."""
    n, columns = float(size["rows"]), float(size["columns"])
    return 3.0 * columns * n * 80.0, 8.0 * n * (columns + MIN_SAMPLES)


WORKLOAD = Workload(
    name="hdbscan",
    title="HDBSCAN in few columns",
    sizes={
        "small": {"rows": 3_000, "columns": 5, "clusters": 10},
        "standard": {"rows": 200_000, "columns": 5, "clusters": 50},
        "large": {"rows": 1_000_000, "columns": 5, "clusters": 100},
    },
    make=clusters.make_blobs,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("sklearn", "sklearn", sklearn),
        Contender("hdbscan", "hdbscan", hdbscan),
        Contender("fast_hdbscan", "fast_hdbscan", fast_hdbscan),
    ),
    quality=unlike_truth,
    tolerance=0.01,
    floor=work,
    goals=(Faster("peers", 2.0),),
)
