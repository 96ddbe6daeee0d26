"""Gaussian mixtures with full covariances, from one start and for a fixed number of iterations."""

from __future__ import annotations

import warnings
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload

COMPONENTS, ITERATIONS = 10, 10


def make(size: Size, seed: int) -> Data:
    """Rows of Gaussians that overlap, and a start near their means."""
    rng = np.random.default_rng(seed)
    p = size["columns"]
    means = rng.normal(size=(COMPONENTS, p)) * 1.5
    labels = rng.integers(0, COMPONENTS, size["rows"])
    turns = np.eye(p) + 0.3 * rng.normal(size=(COMPONENTS, p, p)) / np.sqrt(p)
    rows = rng.normal(size=(size["rows"], p))
    for c in range(COMPONENTS):
        rows[labels == c] = rows[labels == c] @ turns[c] + means[c]
    return {"rows": rows, "means": means + 0.3 * rng.normal(size=means.shape)}


def fitted(data: Data, package: str) -> Any:
    """The same start and number of iterations for all."""
    k, p = data["means"].shape
    model = import_module(f"{package}.mixture").GaussianMixture(
        k,
        weights_init=np.full(k, 1.0 / k),
        means_init=data["means"],
        precisions_init=np.repeat(np.eye(p)[None], k, axis=0),
        max_iter=ITERATIONS,
        tol=0.0,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it has not converged
        model.fit(data["rows"])
    return model.weights_, model.means_, model.covariances_


def daal(data: Data) -> Any:
    """The same in oneDAL, which scikit-learn's extension does not wrap."""
    import daal4py

    k, p = data["means"].shape
    algorithm = daal4py.em_gmm(nComponents=k, maxIterations=ITERATIONS, accuracyThreshold=0.0)
    start = np.full((1, k), 1.0 / k), data["means"], [np.eye(p) for _ in range(k)]
    found = algorithm.compute(data["rows"], *start)
    return found.weights.ravel(), found.means, np.array(list(found.covariances))


def negative_log_likelihood(solution: Any, data: Data) -> float:
    """Of the first rows, by SciPy, from the parameters alone."""
    from scipy.special import logsumexp
    from scipy.stats import multivariate_normal

    rows = data["rows"][:20_000]
    scores = [
        np.log(weight) + multivariate_normal(mean, covariance).logpdf(rows)
        for weight, mean, covariance in zip(*solution, strict=True)
    ]
    return float(-logsumexp(scores, axis=0).mean())


def work(size: Size) -> tuple[float, float]:
    """A triangular product and a Gram of every row and component; the rows are read each time."""
    n, p = size["rows"], size["columns"]
    return ITERATIONS * COMPONENTS * 2.0 * n * p * (p + 1), 8.0 * ITERATIONS * n * p


WORKLOAD = Workload(
    name="gmm",
    title=f"Gaussian mixture, {COMPONENTS} full components, {ITERATIONS} iterations",
    sizes={
        "small": {"rows": 5_000, "columns": 20},
        "standard": {"rows": 1_000_000, "columns": 20},
        "large": {"rows": 2_000_000, "columns": 30},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", partial(fitted, package="stylobate"), "ours"),
        Contender("sklearn", "sklearn", partial(fitted, package="sklearn")),
        Contender("daal4py", "daal4py", daal),
    ),
    quality=negative_log_likelihood,
    floor=work,
    goals=(Faster("sklearn", 10.0), Faster("peers", 2.0)),
)
