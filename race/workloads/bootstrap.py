"""A thousand pairs bootstraps of least squares."""

from __future__ import annotations

from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._linear import make_regression, with_constant

SAMPLES = 1000


def ours(data: Data) -> Any:
    from stylobate.inference.bootstrap import bootstrap_least_squares

    x = with_constant(data["X"])
    names = tuple(map(str, range(x.shape[1])))
    found = bootstrap_least_squares(x, data["y"], names, n_samples=SAMPLES, random_state=0)
    return found.std_error


def _refits(data: Data, solve: Any) -> Any:
    rng = np.random.default_rng(0)
    x, y = with_constant(data["X"]), data["y"]
    found = []
    for _ in range(SAMPLES):
        rows = rng.integers(0, len(y), len(y))
        found.append(solve(x[rows], y[rows]))
    return np.std(found, axis=0, ddof=1)


def numpy_lstsq(data: Data) -> Any:
    return _refits(data, lambda x, y: np.linalg.lstsq(x, y)[0])


def statsmodels(data: Data) -> Any:
    from statsmodels.api import OLS

    return _refits(data, lambda x, y: OLS(y, x).fit().params)


def normal_equations(data: Data) -> Any:
    """By hand: a Gram for each sample, from weights of the rows."""
    rng = np.random.default_rng(0)
    x, y = with_constant(data["X"]), data["y"]
    found = []
    for _ in range(SAMPLES):
        w = np.bincount(rng.integers(0, len(y), len(y)), minlength=len(y)).astype(float)
        weighted = x.T * w
        found.append(np.linalg.solve(weighted @ x, weighted @ y))
    return np.std(found, axis=0, ddof=1)


def quality(errors: Any, data: Data) -> float:
    """How far from the sandwich's errors, of which the bootstrap's are draws (never below 1)."""
    x, y = with_constant(data["X"]), data["y"]
    bread = np.linalg.inv(x.T @ x)
    scores = x * (y - x @ (bread @ (x.T @ y)))[:, None]
    expected = np.sqrt(np.diag(bread @ (scores.T @ scores) @ bread))
    return 1.0 + float(np.abs(np.asarray(errors) / expected - 1.0).max())


def work(size: Size) -> tuple[float, float]:
    """Products of columns times counts; one read of the rows."""
    columns = size["columns"] + 1
    products = columns * (columns + 1) / 2 + columns
    return 2.0 * SAMPLES * size["rows"] * products, 8.0 * size["rows"] * (columns + 1)


WORKLOAD = Workload(
    name="bootstrap",
    title="1,000 pairs bootstraps of least squares",
    sizes={
        "small": {"rows": 1_000, "columns": 3},
        "standard": {"rows": 100_000, "columns": 20},
        "large": {"rows": 500_000, "columns": 20},
    },
    make=make_regression,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("numpy lstsq", "numpy", numpy_lstsq),
        Contender("statsmodels", "statsmodels", statsmodels),
        Contender("by hand", "numpy", normal_equations, "reference"),
    ),
    quality=quality,
    tolerance=0.2,  # of a thousand draws
    floor=work,
    goals=(Faster("peers", 2.0),),
)
