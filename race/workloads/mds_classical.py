"""Classical scaling of a matrix of distances."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload

K = 2


def make(size: Size, seed: int) -> Data:
    from scipy.spatial.distance import cdist

    generator = np.random.default_rng(seed)
    rows = generator.standard_normal((size["rows"], 20)) * 0.8 ** np.arange(20)
    return {"D": cdist(rows, rows, "cityblock")}


def placed(data: Data, package: str) -> Any:
    """Positions by a package's class."""
    model = import_module(f"{package}.manifold").ClassicalMDS
    return model(K, metric="precomputed").fit(data["D"]).embedding_


def by_hand(data: Data) -> Any:
    """Centre the squares, then SciPy's Lanczos iteration."""
    from scipy.sparse.linalg import eigsh

    squares = data["D"] ** 2
    squares -= squares.mean(axis=0)
    squares -= squares.mean(axis=1, keepdims=True)
    squares *= -0.5
    values, vectors = eigsh(squares, K, which="LA")
    return vectors * np.sqrt(values)


def quality(found: Any, data: Data) -> float:
    """The part of the centred squares that the positions leave, relative."""
    squares = data["D"] ** 2
    z = np.asarray(found) - np.asarray(found).mean(axis=0)
    sizes = (z**2).sum(axis=0)
    kept = -0.5 * np.einsum("ij,ij->j", z, squares @ z) / sizes
    return 2.0 - float(kept.sum() / (0.5 * squares.mean() * len(squares)))


def floor(size: Size) -> tuple[float, float]:
    """The squares once, and ten products with a block of eight columns."""
    pairs = float(size["rows"]) ** 2
    return 170.0 * pairs, 96.0 * pairs


WORKLOAD = Workload(
    name="mds_classical",
    title="classical scaling of a matrix of distances, two dimensions",
    sizes={"small": {"rows": 400}, "standard": {"rows": 3_000}, "large": {"rows": 8_000}},
    make=make,
    contenders=(
        Contender("ours", "stylobate", partial(placed, package="stylobate"), "ours"),
        Contender("scipy eigsh", "scipy", by_hand),
        Contender("sklearn", "sklearn", partial(placed, package="sklearn")),
    ),
    quality=quality,
    tolerance=1e-6,
    floor=floor,
    goals=(Faster("scipy", 2.0), Faster("sklearn", 100.0)),
)
