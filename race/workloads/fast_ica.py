"""Independent components of mixed heavy-tailed signals."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload


def make(size: Size, seed: int) -> Data:
    """Laplace sources, as many as columns, mixed at random."""
    rng = np.random.default_rng(seed)
    p = size["columns"]
    sources = rng.laplace(size=(size["rows"], p))
    return {"X": sources @ rng.normal(size=(p, p)), "sources": sources}


def ours(data: Data) -> Any:
    from stylobate.decomposition import FastICA

    return FastICA(random_state=0).fit(data["X"]).components_


def sklearn(data: Data, solver: str) -> Any:
    from sklearn.decomposition import FastICA

    return FastICA(random_state=0, whiten_solver=solver).fit(data["X"]).components_


def quality(components: Any, data: Data) -> float:
    """How far the sources are from those that were mixed: 1 less the mean best correlation."""
    found = (data["X"] - data["X"].mean(axis=0)) @ np.asarray(components).T
    k = found.shape[1]
    likeness = np.abs(np.corrcoef(found.T, data["sources"].T)[:k, k:])
    return float(1.0 - likeness.max(axis=1).mean())


def floor(size: Size) -> tuple[float, float]:
    """Six steps of two products; the white rows read once each."""
    n, p = float(size["rows"]), float(size["columns"])
    return 6.0 * 4.0 * n * p * p, 6.0 * 8.0 * n * p


WORKLOAD = Workload(
    name="fast_ica",
    title="independent components of mixed signals",
    sizes={
        "small": {"rows": 1000, "columns": 5},
        "standard": {"rows": 50_000, "columns": 20},
        "large": {"rows": 500_000, "columns": 40},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("sklearn svd", "sklearn", partial(sklearn, solver="svd")),
        Contender("sklearn eigh", "sklearn", partial(sklearn, solver="eigh")),
    ),
    quality=quality,
    tolerance=1e-3,
    floor=floor,
    goals=(Faster("peers", 3.0),),
)
