"""The leading components behind a Gaussian kernel."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload

K = 10
GAMMA = 0.02


def make(size: Size, seed: int) -> Data:
    generator = np.random.default_rng(seed)
    p = size["columns"]
    rows = generator.standard_normal((size["rows"], p)) @ generator.standard_normal((p, p))
    return {"X": rows * 0.9 ** np.arange(p)}


def scores(data: Data, package: str, **options: Any) -> Any:
    """Scores of the rows."""
    model = import_module(f"{package}.decomposition").KernelPCA
    return model(K, kernel="rbf", gamma=GAMMA, random_state=0, **options).fit_transform(data["X"])


def quality(found: Any, data: Data) -> float:
    """The trace of the centred kernel that the scores leave: smaller is better."""
    return float(len(data["X"]) - (np.asarray(found) ** 2).sum())


def floor(size: Size) -> tuple[float, float]:
    """The kernel once, and ten products with a block of sixteen columns."""
    pairs = float(size["rows"]) ** 2
    return pairs * (2.0 * size["columns"] + 320.0), 80.0 * pairs


WORKLOAD = Workload(
    name="kernel_pca",
    title=f"the {K} leading components behind a Gaussian kernel",
    sizes={
        "small": {"rows": 600, "columns": 10},
        "standard": {"rows": 5_000, "columns": 10},
        "large": {"rows": 12_000, "columns": 10},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", partial(scores, package="stylobate"), "ours"),
        Contender("sklearn auto", "sklearn", partial(scores, package="sklearn")),
        Contender(
            "sklearn arpack", "sklearn", partial(scores, package="sklearn", eigen_solver="arpack")
        ),
        Contender(
            "sklearn randomized",
            "sklearn",
            partial(scores, package="sklearn", eigen_solver="randomized"),
        ),
    ),
    quality=quality,
    tolerance=1e-4,
    floor=floor,
    goals=(Faster("sklearn", 4.0),),
)
