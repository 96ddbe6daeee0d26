"""Spectral clustering of a graph of nearest neighbours."""

from __future__ import annotations

import warnings
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload

CLUSTERS = 8
NEIGHBOURS = 10


def make(size: Size, seed: int) -> Data:
    generator = np.random.default_rng(seed)
    centres = 4.0 * generator.standard_normal((CLUSTERS, size["columns"]))
    rows = centres[generator.integers(0, CLUSTERS, size["rows"])]
    return {"X": rows + 1.5 * generator.standard_normal(rows.shape)}


def fitted(data: Data, package: str, **options: Any) -> Any:
    """Labels, and the graph they divide."""
    estimator = import_module(f"{package}.cluster").SpectralClustering
    model = estimator(
        CLUSTERS, affinity="nearest_neighbors", n_neighbors=NEIGHBOURS, random_state=0, **options
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # components of the graph
        return model.fit(data["X"]).labels_


def quality(labels: Any, data: Data) -> float:
    """1 plus the normalised cut of the same graph."""
    from sklearn.neighbors import kneighbors_graph

    graph = kneighbors_graph(data["X"], NEIGHBOURS, include_self=True)
    weights = 0.5 * (graph + graph.T)
    weights.setdiag(0.0)
    member = np.equal.outer(np.asarray(labels), np.unique(labels)).astype(float)
    volumes = weights.sum(axis=1).A1 @ member
    inside = (member * (weights @ member)).sum(axis=0)
    return 1.0 + float(((volumes - inside) / volumes).sum())


def floor(size: Size) -> tuple[float, float]:
    """The nearest rows, and some hundred products of the graph with a vector."""
    edges = 2.0 * NEIGHBOURS * size["rows"]
    return 2.0 * size["rows"] ** 2 * size["columns"] + 200.0 * edges, 1200.0 * edges


WORKLOAD = Workload(
    name="spectral",
    title="spectral clustering of a graph of nearest neighbours",
    sizes={
        "small": {"rows": 500, "columns": 10},
        "standard": {"rows": 5_000, "columns": 10},
        "large": {"rows": 20_000, "columns": 10},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", partial(fitted, package="stylobate"), "ours"),
        Contender(
            "ours cluster_qr",
            "stylobate",
            partial(fitted, package="stylobate", assign_labels="cluster_qr"),
            "reference",
        ),
        *(
            Contender(
                f"sklearn {solver}{' cluster_qr' if labels == 'cluster_qr' else ''}",
                "sklearn",
                partial(fitted, package="sklearn", eigen_solver=solver, assign_labels=labels),
            )
            for solver in ("arpack", "lobpcg")
            for labels in ("kmeans", "cluster_qr")
        ),
    ),
    quality=quality,
    tolerance=0.01,  # starts of k-means end in cuts a little different
    floor=floor,
    goals=(Faster("peers", 2.0),),
)
