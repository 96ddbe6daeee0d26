"""A Gaussian kernel matrix of one table."""

from __future__ import annotations

from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload

GAMMA = 0.02


def make(size: Size, seed: int) -> Data:
    generator = np.random.default_rng(seed)
    return {"X": generator.standard_normal((size["rows"], size["columns"]))}


def ours(data: Data) -> Any:
    from stylobate.metrics.pairwise import rbf_kernel

    return rbf_kernel(data["X"], gamma=GAMMA)


def sklearn(data: Data) -> Any:
    from sklearn.metrics.pairwise import rbf_kernel

    return rbf_kernel(data["X"], gamma=GAMMA)


def sklearnex(data: Data) -> Any:
    from importlib import import_module

    rbf_kernel = import_module("onedal.primitives").rbf_kernel

    return rbf_kernel(data["X"], gamma=GAMMA)


def torch(data: Data) -> Any:
    import torch as library

    x = library.from_numpy(data["X"])
    return library.cdist(x, x).square_().mul_(-GAMMA).exp_().numpy()


def torch_products(data: Data) -> Any:
    import torch as library

    x = library.from_numpy(data["X"])
    norms = (x * x).sum(dim=1)
    kernel = library.addmm(norms[None, :], x, x.T, alpha=-2.0)
    return kernel.add_(norms[:, None]).clamp_(min=0.0).mul_(-GAMMA).exp_().numpy()


def scipy(data: Data) -> Any:
    from scipy.spatial.distance import cdist

    kernel = cdist(data["X"], data["X"], "sqeuclidean")
    kernel *= -GAMMA
    return np.exp(kernel, out=kernel)


def quality(kernel: Any, data: Data) -> float:
    """1 plus the largest error of some rows, computed from the differences."""
    x = data["X"]
    if kernel.shape != (len(x), len(x)):
        return float("inf")
    error = 0.0
    for i in range(0, len(x), max(1, len(x) // 50)):
        want = np.exp(-GAMMA * ((x - x[i]) ** 2).sum(axis=1))
        error = max(error, float(np.abs(np.asarray(kernel[i]) - want).max()))
    return 1.0 + error


def floor(size: Size) -> tuple[float, float]:
    """Half of the products (the matrix is symmetric); every entry written once."""
    pairs = float(size["rows"]) ** 2
    return pairs * size["columns"], 8.0 * pairs


WORKLOAD = Workload(
    name="kernel_matrix",
    title="Gaussian kernel matrix of one table",
    sizes={
        "small": {"rows": 300, "columns": 20},
        "standard": {"rows": 10_000, "columns": 50},
        "large": {"rows": 12_000, "columns": 500},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("sklearn", "sklearn", sklearn),
        Contender("sklearnex", "sklearnex", sklearnex),
        Contender("torch cdist", "torch", torch),
        Contender("torch products", "torch", torch_products),
        Contender("scipy", "scipy", scipy),
    ),
    quality=quality,
    floor=floor,
    goals=(Faster("peers", 2.2),),
)
