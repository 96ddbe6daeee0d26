"""Locally linear embedding of a Swiss roll: weights of neighbours, smallest eigenvectors."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._surfaces import left_unexplained, swiss_roll

NEIGHBOURS = 12


def fitted(data: Data, package: str) -> Any:
    """The two coordinates."""
    estimator = import_module(f"{package}.manifold").LocallyLinearEmbedding
    model = estimator(n_neighbors=NEIGHBOURS, n_components=2, random_state=0)
    return model.fit_transform(data["X"])


def floor(size: Size) -> tuple[float, float]:
    """A small system for each row; the sparse matrix is read some hundred times."""
    n, k = float(size["rows"]), float(NEIGHBOURS)
    return n * k**3 / 3.0 + 200.0 * n * k * k, 12.0 * 100.0 * n * k


WORKLOAD = Workload(
    name="lle",
    title="locally linear embedding of a Swiss roll, twelve neighbours",
    sizes={
        "small": {"rows": 500},
        "standard": {"rows": 5_000},
        "large": {"rows": 20_000},
    },
    make=swiss_roll,
    contenders=(
        Contender("ours", "stylobate", partial(fitted, package="stylobate"), "ours"),
        Contender("sklearn", "sklearn", partial(fitted, package="sklearn")),
    ),
    quality=left_unexplained,
    tolerance=1e-3,  # eigenvalues lie close together, and the peer stops at 1e-6
    floor=floor,
    goals=(Faster("peers", 3.0),),
)
