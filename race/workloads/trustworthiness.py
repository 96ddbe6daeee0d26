"""Trustworthiness of a map: the ranks of neighbours, all rows seen from all."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._components import factor_rows

NEIGHBOURS = 5


def make(size: Size, seed: int) -> Data:
    """Rows of some factors, and the plane of their two main directions."""
    x = factor_rows(size, seed)["X"]
    centred = x - x.mean(axis=0)
    directions = np.linalg.svd(centred[:1000], full_matrices=False)[2][:2]
    return {"X": x, "plane": centred @ directions.T}


def score(data: Data, package: str) -> Any:
    """The trustworthiness of the plane."""
    function = import_module(f"{package}.manifold").trustworthiness
    return function(data["X"], data["plane"], n_neighbors=NEIGHBOURS)


def quality(found: Any, data: Data) -> float:
    """1 plus the error, from ranks of all rows seen from some; more than chance counts."""
    from scipy.spatial.distance import cdist

    x, plane, k = data["X"], data["plane"], NEIGHBOURS
    n = len(x)
    some = np.arange(n) if n <= 2000 else np.linspace(0, n - 1, 1000).astype(int)
    before, after = cdist(x[some], x), cdist(plane[some], plane)
    own = np.arange(len(some)), some
    before[own] = after[own] = np.inf
    near = np.argpartition(after, k, axis=1)[:, :k]
    ranks = np.argsort(np.argsort(before, axis=1), axis=1)
    excess = np.maximum(np.take_along_axis(ranks, near, axis=1) + 1 - k, 0).sum(axis=1)
    trust = 1.0 - excess * 2.0 / (k * (2.0 * n - 3.0 * k - 1.0))
    chance = 0.0 if len(some) == n else 5.0 * trust.std() / np.sqrt(len(some))
    return 1.0 + max(abs(float(found) - float(trust.mean())) - chance, 0.0)


def floor(size: Size) -> tuple[float, float]:
    """A product for each pair of rows, and a comparison for each neighbour."""
    pairs = float(size["rows"]) ** 2
    return pairs * (2.0 * size["columns"] + NEIGHBOURS), 8.0 * size["rows"] * size["columns"]


WORKLOAD = Workload(
    name="trustworthiness",
    title="trustworthiness of a plane of rows, five neighbours",
    sizes={
        "small": {"rows": 500, "columns": 30},
        "standard": {"rows": 5_000, "columns": 50},
        "large": {"rows": 20_000, "columns": 50},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", partial(score, package="stylobate"), "ours"),
        Contender("sklearn", "sklearn", partial(score, package="sklearn")),
    ),
    quality=quality,
    floor=floor,
    goals=(Faster("peers", 6.0),),
)
