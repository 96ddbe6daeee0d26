"""Cross-validation of an estimator that has to be refitted: what it costs beyond the fits."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._linear import Vector, make_regression

FOLDS = 5
ALPHAS = np.logspace(-2, 3, 20)
OVERHEAD = 0.05


def _model(alpha: float) -> Any:
    """Somebody else's estimator: nothing but its own `fit` and `score` can be used."""
    from sklearn.linear_model import Ridge

    return Ridge(alpha=alpha, solver="cholesky")


def generic(data: Data, package: str) -> Vector:
    """The cross-validated R² at each penalty (penalties × folds)."""
    from importlib import import_module

    score = import_module(f"{package}.model_selection").cross_val_score
    return np.array([score(_model(alpha), data["X"], data["y"], cv=FOLDS) for alpha in ALPHAS])


def bare(data: Data) -> Vector:
    """The fits and scores alone, in a loop."""
    x, y = data["X"], data["y"]
    tests = np.array_split(np.arange(len(y)), FOLDS)
    scores = np.empty((len(ALPHAS), FOLDS))
    for a, alpha in enumerate(ALPHAS):
        for k, test in enumerate(tests):
            train = np.concatenate([t for i, t in enumerate(tests) if i != k])
            model = _model(alpha).fit(x[train], y[train])
            scores[a, k] = model.score(x[test], y[test])
    return scores


def quality(scores: Vector, data: Data) -> float:
    """1 − the best mean R²; inf if any score is not that of the bare fits."""
    same = np.allclose(scores, bare(data), rtol=0.0, atol=1e-9)
    return float(1.0 - scores.mean(axis=1).max()) if same else float("inf")


def notes(scores: Vector, data: Data) -> str:
    return f"{scores.size} fits"


def work(size: Size) -> tuple[float, float]:
    """The Gram of each training part, and one pass over it."""
    rows, width = size["rows"] * (FOLDS - 1) / FOLDS, size["columns"] + 1
    fits = len(ALPHAS) * FOLDS
    return float(fits * rows * width * width), 8.0 * fits * rows * width


WORKLOAD = Workload(
    name="cv_grid",
    title=f"{len(ALPHAS) * FOLDS} fits of somebody else's ridge, cross-validated",
    sizes={
        "small": {"rows": 1_000, "columns": 20},
        "standard": {"rows": 10_000, "columns": 20},
        "large": {"rows": 100_000, "columns": 20},
    },
    make=partial(make_regression, noise=3.0),
    contenders=(
        Contender("ours", "stylobate", partial(generic, package="stylobate"), "ours"),
        Contender("bare fits", "sklearn", bare),
        Contender("sklearn", "sklearn", partial(generic, package="sklearn")),
    ),
    quality=quality,
    floor=work,
    notes=notes,
    goals=(Faster("peers", 1.0 / (1.0 + OVERHEAD)),),
)
