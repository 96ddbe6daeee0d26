"""Cost and width of a Gaussian machine chosen over a grid of 6 × 6, by five folds."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import NamedTuple

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload

COSTS = np.geomspace(0.01, 1000.0, 6)
WIDTHS = np.geomspace(0.01, 10.0, 6)  # times 1 / number of columns
CLASSES = 10


class Chosen(NamedTuple):
    """The best mean accuracy of the folds, and where it was found."""

    score: float
    cost: float
    width: float


def make(size: Size, seed: int) -> Data:
    """Ten classes like digits after a principal component analysis: columns of falling size."""
    generator = np.random.default_rng(seed)
    n, p = size["rows"], size["columns"]
    spread = 3.0 / np.sqrt(1.0 + np.arange(p))
    styles = generator.standard_normal((CLASSES, 3, p)) * spread
    y = generator.integers(0, CLASSES, n)
    x = styles[y, generator.integers(0, 3, n)] + generator.standard_normal((n, p)) * spread * 1.2
    return {"X": (x - x.mean(axis=0)) / x.std(), "y": y}


def ours(data: Data) -> Chosen:
    from stylobate.svm import SVCCV

    model = SVCCV(COSTS, WIDTHS / data["X"].shape[1]).fit(data["X"], data["y"])
    return Chosen(model.best_score_, model.C_, float(model.gamma_ or 0.0))


def searched(data: Data, package: str) -> Chosen:
    """scikit-learn's grid search over a package's SVC."""
    from sklearn.model_selection import GridSearchCV

    space = {"C": COSTS, "gamma": WIDTHS / data["X"].shape[1]}
    search = GridSearchCV(import_module(f"{package}.svm").SVC(), space).fit(data["X"], data["y"])
    best = search.best_params_
    return Chosen(float(search.best_score_), float(best["C"]), float(best["gamma"]))


def quality(answer: Chosen, data: Data) -> float:
    """The error of the best setting and one: less is better."""
    return 2.0 - answer.score


def notes(answer: Chosen, data: Data) -> str:
    return f"accuracy {answer.score:.4f} at C = {answer.cost:g}, gamma = {answer.width:.3g}"


def floor(size: Size) -> tuple[float, float]:
    """The kernel of all rows once for each width."""
    rows = float(size["rows"])
    return 6.0 * rows * rows * (2.0 * size["columns"] + 16.0), 8.0 * rows * size["columns"]


WORKLOAD = Workload(
    name="svc_grid",
    title="a grid of 6 costs and 6 widths by 5 folds, 10 classes",
    sizes={
        "small": {"rows": 1_000, "columns": 50},
        "standard": {"rows": 10_000, "columns": 50},
        "large": {"rows": 20_000, "columns": 50},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("sklearn", "sklearn", partial(searched, package="sklearn")),
        Contender("sklearnex", "sklearnex", partial(searched, package="sklearnex")),
    ),
    quality=quality,
    tolerance=2e-3,
    floor=floor,
    notes=notes,
    goals=(Faster("peers", 3.0),),
)
