"""DBSCAN of many rows in three columns."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads import _clusters as clusters

EPS, MIN_SAMPLES = 0.15, 10


def fitted(data: Data, package: str, algorithm: str = "auto") -> Any:
    """The estimator of a package, on two threads."""
    estimator = import_module(f"{package}.cluster").DBSCAN
    model = estimator(eps=EPS, min_samples=MIN_SAMPLES, algorithm=algorithm, n_jobs=2)
    return model.fit(data["rows"]).labels_


def ours(data: Data) -> Any:
    """Boxes of a kd-tree, neighbours never stored."""
    from stylobate.cluster import DBSCAN

    return DBSCAN(eps=EPS, min_samples=MIN_SAMPLES).fit(data["rows"]).labels_


def wrong_rows(labels: Any, data: Data) -> float:
    """How many rows differ from the definition, looked at for some of them.

    Of sampled rows all neighbours are measured: core rows and their core neighbours must share a
    cluster, others must have the cluster of a core neighbour, or none where there is none.
    """
    from scipy.spatial import cKDTree

    rows, found = data["rows"], np.asarray(labels)
    tree = cKDTree(rows)
    some = np.random.default_rng(1).choice(len(rows), min(len(rows), 2000), replace=False)
    wrong = 0
    lists: Any = tree.query_ball_point(rows[some], EPS)
    for i, near in zip(some, lists, strict=True):
        counts = tree.query_ball_point(rows[near], EPS, return_length=True)
        core = np.asarray(near)[counts >= MIN_SAMPLES]
        if len(near) >= MIN_SAMPLES:
            wrong += int((found[core] != found[i]).any() or found[i] < 0)
        else:
            wrong += int(found[i] not in found[core] if len(core) else found[i] != -1)
    return 1.0 + wrong


def work(size: Size) -> tuple[float, float]:
    """The rows are read, sorted into leaves and labelled."""
    n, columns = float(size["rows"]), float(size["columns"])
    return 3.0 * columns * n * MIN_SAMPLES, 8.0 * n * (columns + 1.0)


WORKLOAD = Workload(
    name="dbscan",
    title="DBSCAN in few columns",
    sizes={
        "small": {"rows": 5_000, "columns": 3, "clusters": 10},
        "standard": {"rows": 1_000_000, "columns": 3, "clusters": 100},
        "large": {"rows": 4_000_000, "columns": 3, "clusters": 200},
    },
    make=clusters.make_blobs,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("sklearn", "sklearn", partial(fitted, package="sklearn")),
        Contender(
            "sklearn ball_tree",
            "sklearn",
            partial(fitted, package="sklearn", algorithm="ball_tree"),
        ),
        Contender("sklearnex", "sklearnex", partial(fitted, package="sklearnex")),
    ),
    quality=wrong_rows,
    floor=work,
    goals=(Faster("peers", 2.0),),
)
