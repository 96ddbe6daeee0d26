"""Gaussian naive Bayes: fit, and labels of the same rows."""

from __future__ import annotations

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._generative import Labels, fitted_labels, make_gaussians, mistakes


def ours(data: Data) -> Labels:
    from stylobate.naive_bayes import GaussianNB

    return fitted_labels(GaussianNB(), data)


def sklearn(data: Data) -> Labels:
    from sklearn.naive_bayes import GaussianNB

    return fitted_labels(GaussianNB(), data)


def work(size: Size) -> tuple[float, float]:
    """Rows are read twice; every number meets its class once, and each class once more."""
    numbers = size["rows"] * size["columns"]
    return float(numbers * (4 + 4 * size["classes"])), 2 * 8.0 * numbers


WORKLOAD = Workload(
    name="gaussian_nb",
    title="Gaussian naive Bayes, fit and predict",
    sizes={
        "small": {"rows": 1_000, "columns": 20, "classes": 4},
        "standard": {"rows": 1_000_000, "columns": 50, "classes": 10},
        "large": {"rows": 4_000_000, "columns": 50, "classes": 10},
    },
    make=make_gaussians,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("sklearn", "sklearn", sklearn),
    ),
    quality=mistakes,
    tolerance=1e-5,
    floor=work,
    goals=(Faster("peers", 25.0),),
)
