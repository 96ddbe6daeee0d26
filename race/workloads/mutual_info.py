"""Mutual information of 50 features and a continuous target by nearest neighbours."""

from __future__ import annotations

from functools import partial

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._linear import Vector, make_regression


def make(size: Size, seed: int) -> Data:
    data = make_regression(size, seed, scale=0.3, noise=3.0)
    return {"X": data["X"], "y": data["y"]}


def information(data: Data, package: str) -> Vector:
    """The function of ours or of scikit-learn, with the same noise."""
    from importlib import import_module

    function = import_module(f"{package}.feature_selection").mutual_info_regression
    found: Vector = function(data["X"], data["y"], random_state=0, n_jobs=2)
    return found


def quality(found: Vector, data: Data) -> float:
    """1 + distance from the definition (scikit-learn's k-d trees) for the first column."""
    from sklearn.feature_selection import mutual_info_regression

    x = data["X"]
    # the noise depends on the number of columns: compare where it cannot matter
    expected = mutual_info_regression(x[:, :1], data["y"], random_state=0)
    return 1.0 + max(0.0, float(abs(found[0] - expected[0])) - 1e-4)


def work(size: Size) -> tuple[float, float]:
    """Sorting and a neighbour search of some fifty distances per row and column."""
    cells = size["rows"] * size["columns"]
    return 200.0 * cells, 16.0 * cells


WORKLOAD = Workload(
    name="mutual_info",
    title="mutual information by nearest neighbours, k = 3",
    sizes={
        "small": {"rows": 1_000, "columns": 10},
        "standard": {"rows": 100_000, "columns": 50},
        "large": {"rows": 500_000, "columns": 50},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", partial(information, package="stylobate"), "ours"),
        Contender("sklearn", "sklearn", partial(information, package="sklearn")),
    ),
    quality=quality,
    floor=work,
    goals=(Faster("sklearn", 40),),
)
