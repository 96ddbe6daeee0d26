"""Multinomial logistic regression with an ℓ2 penalty."""

from __future__ import annotations

from functools import partial

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads import _classes
from race.workloads._classes import Margins

SOLVERS = tuple(s for s in _classes.SOLVERS if s != "liblinear")  # two classes only


def sklearn(data: Data, solver: str) -> Margins:
    return _classes.sklearn(data["X"], data["y"], solver)


def quality(answer: Margins, data: Data) -> float:
    return _classes.objective(data["X"], data["y"], answer)


def work(size: Size) -> tuple[float, float]:
    """A dozen gradients: a product with the coefficients, and one with the residuals, each."""
    rows, width, classes = size["rows"], size["columns"] + 1, size["classes"]
    return float(12 * 4 * rows * width * classes), 8.0 * 12 * rows * width


WORKLOAD = Workload(
    name="multinomial",
    title="multinomial logistic regression, C = 1",
    sizes={
        "small": {"rows": 1_000, "columns": 20, "classes": 4},
        "standard": {"rows": 50_000, "columns": 100, "classes": 10},
        "large": {"rows": 500_000, "columns": 100, "classes": 10},
    },
    make=_classes.make_classes,
    contenders=(
        Contender("ours", "stylobate", lambda data: _classes.ours(data["X"], data["y"]), "ours"),
        *(Contender(f"sklearn {s}", "sklearn", partial(sklearn, solver=s)) for s in SOLVERS),
        Contender("sklearnex", "sklearnex", lambda data: _classes.sklearnex(data["X"], data["y"])),
    ),
    quality=quality,
    tolerance=1e-5,  # most peers' default answers are no better
    floor=work,
    goals=(Faster("peers", 1.8),),
)
