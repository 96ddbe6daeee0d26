"""Exact nearest neighbours of many queries in three columns, where trees pay."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads import _neighbours as near


def ours(data: Data) -> Any:
    """The automatic choice; growing the tree is part of it."""
    from stylobate.neighbors import NearestNeighbors

    return (
        NearestNeighbors(n_neighbors=near.NEIGHBOURS).fit(data["rows"]).kneighbors(data["queries"])
    )[1]


def fitted(data: Data, package: str, algorithm: str) -> Any:
    """The estimator of scikit-learn or of its extension, on two threads."""
    estimator = import_module(f"{package}.neighbors").NearestNeighbors
    model = estimator(n_neighbors=near.NEIGHBOURS, algorithm=algorithm, n_jobs=2)
    return model.fit(data["rows"]).kneighbors(data["queries"])[1]


def scipy(data: Data, balanced: bool) -> Any:
    """cKDTree on two threads."""
    from scipy.spatial import cKDTree

    tree = cKDTree(data["rows"], balanced_tree=balanced, compact_nodes=balanced)
    return tree.query(data["queries"], k=near.NEIGHBOURS, workers=2)[1]


def work(size: Size) -> tuple[float, float]:
    """Some five leaves of 16 rows for each query; the answers are written."""
    pairs = 80.0 * size["queries"]
    return 3.0 * size["columns"] * pairs, 16.0 * near.NEIGHBOURS * size["queries"]


WORKLOAD = Workload(
    name="knn_low",
    title=f"{near.NEIGHBOURS} nearest neighbours in few columns, exact",
    sizes={
        "small": {"rows": 2_000, "queries": 2_000, "columns": 3},
        "standard": {"rows": 200_000, "queries": 200_000, "columns": 3},
        "large": {"rows": 1_000_000, "queries": 1_000_000, "columns": 3},
    },
    make=near.make_points,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender(
            "sklearn kd_tree", "sklearn", partial(fitted, package="sklearn", algorithm="kd_tree")
        ),
        Contender(
            "sklearn ball_tree",
            "sklearn",
            partial(fitted, package="sklearn", algorithm="ball_tree"),
        ),
        Contender(
            "sklearnex", "sklearnex", partial(fitted, package="sklearnex", algorithm="kd_tree")
        ),
        Contender("scipy cKDTree", "scipy", partial(scipy, balanced=True)),
        Contender("scipy cKDTree unbalanced", "scipy", partial(scipy, balanced=False)),
    ),
    quality=near.total_distance,
    floor=work,
    goals=(Faster("peers", 1.4),),
)
