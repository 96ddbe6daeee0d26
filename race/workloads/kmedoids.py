"""k-medoids of overlapping clusters by swaps, dissimilarities included."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload

CLUSTERS = 10


def make(size: Size, seed: int) -> Data:
    generator = np.random.default_rng(seed)
    centres = 2.0 * generator.standard_normal((CLUSTERS, size["columns"]))
    noise = generator.standard_normal((size["rows"], size["columns"]))
    return {"X": centres[generator.integers(CLUSTERS, size=size["rows"])] + noise}


def ours(data: Data) -> Any:
    from stylobate.cluster import KMedoids

    return KMedoids(CLUSTERS, random_state=0).fit(data["X"]).medoid_indices_


def kmedoids(data: Data) -> Any:
    """FasterPAM of the package, after scikit-learn's distances."""
    from sklearn.metrics.pairwise import euclidean_distances

    distances = euclidean_distances(data["X"])
    return import_module("kmedoids").fasterpam(distances, CLUSTERS, random_state=0).medoids


def kmedoids_single(data: Data) -> Any:
    """The same in single precision."""
    from sklearn.metrics.pairwise import euclidean_distances

    distances = euclidean_distances(data["X"].astype(np.float32))
    return import_module("kmedoids").fasterpam(distances, CLUSTERS, random_state=0).medoids


def kmedoids_cdist(data: Data) -> Any:
    """The same after SciPy's distances."""
    from scipy.spatial.distance import cdist

    distances = cdist(data["X"], data["X"])
    return import_module("kmedoids").fasterpam(distances, CLUSTERS, random_state=0).medoids


def sklearn_extra(data: Data) -> Any:
    """Swaps after BUILD."""
    estimator = import_module("sklearn_extra.cluster").KMedoids
    model = estimator(CLUSTERS, method="pam", init="build", random_state=0).fit(data["X"])
    return model.medoid_indices_


def quality(medoids: Any, data: Data) -> float:
    """The total of the distances to the nearest medoid."""
    x = data["X"]
    nearest = np.full(len(x), np.inf)
    for m in np.asarray(medoids):
        np.minimum(nearest, np.sqrt(((x - x[m]) ** 2).sum(axis=1)), out=nearest)
    return float(nearest.sum())


def floor(size: Size) -> tuple[float, float]:
    """Two passes over all pairs: one that swaps, and one that finds no swap."""
    return 4.0 * float(size["rows"]) ** 2 * size["columns"], 8.0 * size["rows"] * size["columns"]


WORKLOAD = Workload(
    name="kmedoids",
    title=f"{CLUSTERS} medoids by swaps, Euclidean",
    sizes={
        "small": {"rows": 300, "columns": 10},
        "standard": {"rows": 5_000, "columns": 10},
        "large": {"rows": 20_000, "columns": 10},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("kmedoids", "kmedoids", kmedoids),
        Contender("kmedoids float32", "kmedoids", kmedoids_single),
        Contender("kmedoids cdist", "kmedoids", kmedoids_cdist),
        Contender("sklearn_extra", "sklearn_extra", sklearn_extra),
    ),
    quality=quality,
    tolerance=1e-3,
    floor=floor,
    goals=(Faster("peers", 6.0),),
)
