"""Quadratic discriminant analysis: fit, and labels of the same rows."""

from __future__ import annotations

from functools import partial

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._generative import Labels, fitted_labels, make_gaussians, mistakes

SOLVERS = ("svd", "eigen")


def ours(data: Data) -> Labels:
    from stylobate.discriminant_analysis import QuadraticDiscriminantAnalysis

    return fitted_labels(QuadraticDiscriminantAnalysis(), data)


def sklearn(data: Data, solver: str) -> Labels:
    from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis

    return fitted_labels(QuadraticDiscriminantAnalysis(solver=solver), data)


def work(size: Size) -> tuple[float, float]:
    """Half a Gram of the rows, and half a square product with each class's factor."""
    numbers = size["rows"] * size["columns"]
    return float(numbers * size["columns"] * (1 + size["classes"])), 2 * 8.0 * numbers


WORKLOAD = Workload(
    name="qda",
    title="quadratic discriminant analysis, fit and predict",
    sizes={
        "small": {"rows": 1_000, "columns": 10, "classes": 4},
        "standard": {"rows": 200_000, "columns": 50, "classes": 10},
        "large": {"rows": 1_000_000, "columns": 50, "classes": 10},
    },
    make=make_gaussians,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        *(Contender(f"sklearn {s}", "sklearn", partial(sklearn, solver=s)) for s in SOLVERS),
    ),
    quality=mistakes,
    tolerance=1e-5,
    floor=work,
    goals=(Faster("peers", 8.0),),
)
