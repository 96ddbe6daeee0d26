"""Single linkage: the shortest spanning tree of points."""

from __future__ import annotations

from typing import Any

import numpy as np

from race.workload import Contender, Data
from race.workloads import _hierarchies as hierarchies


def quitefastmst(data: Data) -> Any:
    """A kd-tree's spanning tree on two threads; its edges come sorted."""
    import quitefastmst as peer

    peer.omp_set_num_threads(2)
    return np.sort(peer.mst_euclid(data["rows"], 1)[0])


def genieclust(data: Data) -> Any:
    """genieclust with a threshold of 1, which is single linkage."""
    import genieclust as peer

    model = peer.Genie(n_clusters=1, gini_threshold=1.0, coarser=True)
    return np.sort(model.fit(data["rows"]).distances_)


def fast_hdbscan(data: Data) -> Any:
    """The spanning tree of fast_hdbscan, with cores of one row."""
    from fast_hdbscan.hdbscan import compute_minimum_spanning_tree

    edges, *_ = compute_minimum_spanning_tree(data["rows"], min_samples=1)
    return np.sort(np.asarray(edges)[:, 2])


WORKLOAD = hierarchies.workload(
    "single",
    "single linkage of points",
    (
        Contender("quitefastmst", "quitefastmst", quitefastmst),
        Contender("genieclust", "genieclust", genieclust),
        Contender("fast_hdbscan", "fast_hdbscan", fast_hdbscan),
        hierarchies.of_vectors("single"),
    ),
    6.0,
)
