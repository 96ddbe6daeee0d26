"""A map of rows by their neighbours."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload

GROUPS = 20
NEIGHBOURS = 15
LOOKED_FROM = 1_000  # rows of the quality's sample


def make(size: Size, seed: int) -> Data:
    """Curved sheets about twenty centres, with noise."""
    rng = np.random.default_rng(seed)
    n, p = size["rows"], size["columns"]
    group = rng.integers(0, GROUPS, n)
    centres = 6.0 * rng.standard_normal((GROUPS, p))
    axes = 2.0 * rng.standard_normal((GROUPS, 4, p))
    u = rng.uniform(-1.0, 1.0, (n, 2))
    sheet = np.column_stack([u, np.sin(3.0 * u[:, 0]), u[:, 0] * u[:, 1]])
    rows = centres[group] + np.einsum("nk,nkp->np", sheet, axes[group])
    return {"X": rows + 0.3 * rng.standard_normal((n, p))}


def ours(data: Data) -> Any:
    from stylobate.manifold import UMAP

    return UMAP(random_state=0).fit_transform(data["X"])


def peer(data: Data) -> Any:
    """As users call it: with a seed it would use one thread. The warm-up compiles it."""
    from umap import UMAP

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return UMAP().fit_transform(data["X"])


def quality(places: Any, data: Data) -> float:
    """2 minus trustworthiness on a sample of the rows, each against all."""
    x, y = data["X"], np.asarray(places, dtype=np.float64)
    n, k = len(x), NEIGHBOURS
    sample = np.random.default_rng(0).choice(n, min(n, LOOKED_FROM), replace=False)
    beyond = 0.0
    for i in sample:
        near = np.argsort(((y - y[i]) ** 2).sum(axis=1), kind="stable")
        near = near[near != i][:k]
        squares = ((x - x[i]) ** 2).sum(axis=1)
        squares[i] = -1.0
        ranks = (squares[:, None] < squares[near]).sum(axis=0)
        beyond += np.maximum(ranks - k, 0).sum()
    trust = 1.0 - 2.0 * beyond / (len(sample) * k * (2.0 * n - 3.0 * k - 1.0))
    return float(2.0 - trust)


def floor(size: Size) -> tuple[float, float]:
    """Products of all pairs of rows; then 200 epochs of some 40 pairs for each row."""
    n, p = float(size["rows"]), float(size["columns"])
    return n * n * p + 200.0 * 40.0 * 30.0 * n, 200.0 * 40.0 * 8.0 * n


WORKLOAD = Workload(
    name="umap_like",
    title="a map by neighbours (UMAP), two dimensions",
    sizes={
        "small": {"rows": 2_000, "columns": 20},
        "standard": {"rows": 50_000, "columns": 50},
        "large": {"rows": 200_000, "columns": 50},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("umap-learn", "umap", peer),
    ),
    quality=quality,
    tolerance=0.005,  # of the trustworthiness
    floor=floor,
    goals=(Faster("peers", 2.0),),
)
