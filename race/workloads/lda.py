"""Linear discriminant analysis: fit."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._classes import Margins, margins_of
from race.workloads._generative import make_gaussians

SOLVERS = ("svd", "lsqr", "eigen")


def ours(data: Data) -> Margins:
    from stylobate.discriminant_analysis import LinearDiscriminantAnalysis

    return margins_of(LinearDiscriminantAnalysis().fit(data["X"], data["y"]))


def sklearn(data: Data, solver: str) -> Margins:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    model: Any = LinearDiscriminantAnalysis(solver=solver)
    return margins_of(model.fit(data["X"], data["y"]))


def quality(answer: Margins, data: Data) -> float:
    """Share of wrong labels; margins may differ by what all classes share."""
    margins = data["X"] @ answer.coef.T + answer.intercept
    return float(np.mean(margins.argmax(axis=1) != data["y"]))


def work(size: Size) -> tuple[float, float]:
    """Half a Gram of the rows."""
    numbers = size["rows"] * size["columns"]
    return float(numbers * size["columns"]), 8.0 * numbers


WORKLOAD = Workload(
    name="lda",
    title="linear discriminant analysis, fit",
    sizes={
        "small": {"rows": 1_000, "columns": 20, "classes": 4},
        "standard": {"rows": 200_000, "columns": 100, "classes": 10},
        "large": {"rows": 1_000_000, "columns": 100, "classes": 10},
    },
    make=make_gaussians,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        *(Contender(f"sklearn {s}", "sklearn", partial(sklearn, solver=s)) for s in SOLVERS),
    ),
    quality=quality,
    tolerance=1e-5,
    floor=work,
    goals=(Faster("peers", 8.0),),
)
