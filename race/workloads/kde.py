"""Kernel densities at many places."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._neighbours import make_points

CHECKED = 200  # queries whose densities are summed by hand


class Densities(NamedTuple):
    """Log densities, and the relative error their maker promises."""

    logs: NDArray[np.float64]
    promised: float


def bandwidth(data: Data) -> float:
    """Scott's rule."""
    n, columns = data["rows"].shape
    return float(n ** (-1.0 / (columns + 4)))


def ours(data: Data, rtol: float) -> Densities:
    from stylobate.neighbors import KernelDensity

    model = KernelDensity(bandwidth=bandwidth(data), rtol=rtol).fit(data["rows"])
    return Densities(model.score_samples(data["queries"]), 1e-6)


def sklearn(data: Data, algorithm: str) -> Densities:
    from sklearn.neighbors import KernelDensity

    model = KernelDensity(bandwidth=bandwidth(data), algorithm=algorithm, rtol=1e-4)
    return Densities(model.fit(data["rows"]).score_samples(data["queries"]), 1e-4)


def kdepy(data: Data, kind: str) -> Densities:
    """The tree leaves out what is far away, so that tails are wrong by more than promised."""
    import KDEpy

    model = getattr(KDEpy, kind)(kernel="gaussian", bw=bandwidth(data)).fit(data["rows"])
    with np.errstate(divide="ignore"):
        return Densities(np.log(model.evaluate(data["queries"])), 1e-4)


def largest_error(densities: Densities, data: Data) -> float:
    """The largest relative error of the first densities, against sums over all points."""
    width, points = bandwidth(data), data["rows"]
    n, columns = points.shape
    norm = n * (2.0 * np.pi) ** (0.5 * columns) * width**columns
    worst = 0.0
    for query, log in zip(data["queries"][:CHECKED], densities.logs[:CHECKED], strict=True):
        exponents = -0.5 * ((points - query) ** 2).sum(axis=1) / width**2
        most = exponents.max()
        expected = most + np.log(np.exp(exponents - most).sum()) - np.log(norm)
        worst = max(worst, abs(float(np.expm1(log - expected))))
    return worst


def quality(densities: Densities, data: Data) -> float:
    """1 where the promise is kept, else inf."""
    return 1.0 if largest_error(densities, data) <= densities.promised else float("inf")


def notes(densities: Densities, data: Data) -> str:
    return f"relative error {largest_error(densities, data):.0e}"


def reading(size: Size) -> tuple[float, float]:
    """Both tables are read once, and each query has one logarithm."""
    numbers = float(size["columns"]) * (size["rows"] + size["queries"])
    return float(size["queries"]), 8.0 * numbers


FITS: tuple[tuple[str, str, Any], ...] = (
    ("sklearn kd_tree, rtol 1e-4", "sklearn", partial(sklearn, algorithm="kd_tree")),
    ("sklearn ball_tree, rtol 1e-4", "sklearn", partial(sklearn, algorithm="ball_tree")),
    ("KDEpy tree", "KDEpy", partial(kdepy, kind="TreeKDE")),
    ("KDEpy naive", "KDEpy", partial(kdepy, kind="NaiveKDE")),
)

WORKLOAD = Workload(
    name="kde",
    title="Gaussian kernel density at many places, Scott's bandwidth",
    sizes={
        "small": {"rows": 2_000, "queries": 500, "columns": 2},
        "standard": {"rows": 100_000, "queries": 10_000, "columns": 2},
        "large": {"rows": 1_000_000, "queries": 100_000, "columns": 2},
    },
    make=make_points,
    contenders=(
        Contender("ours, exact", "stylobate", partial(ours, rtol=0.0), "ours"),
        Contender("ours, rtol 1e-6", "stylobate", partial(ours, rtol=1e-6), "reference"),
        *(Contender(*fit) for fit in FITS),
    ),
    quality=quality,
    floor=reading,
    notes=notes,
    goals=(Faster("peers", 20.0),),
)
