"""Leave-one-out errors of ridge by the generic call."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Workload
from race.workloads._linear import Vector, make_regression, moments_work

ALPHA = 1.0


def generic(data: Data, package: str, ridge: str) -> Vector:
    """Cross-validation of a Ridge with as many splits as rows."""
    from importlib import import_module

    selection = import_module(f"{package}.model_selection")
    model = import_module(f"{ridge}.linear_model").Ridge(alpha=ALPHA)
    scores: Vector = selection.cross_val_score(
        model,
        data["X"],
        data["y"],
        cv=selection.LeaveOneOut(),
        scoring="neg_mean_squared_error",
    )
    return scores


def closed_form(data: Data) -> Vector:
    """scikit-learn's own way without refits, which its generic call does not take."""
    from sklearn.linear_model import RidgeCV

    model = RidgeCV(alphas=[ALPHA], store_cv_results=True).fit(data["X"], data["y"])
    return np.asarray(-model.cv_results_[:, 0])


def by_hand(data: Data) -> Vector:
    """−(r/(1 − h))² from a factorisation of the centred Gram."""
    x, y = data["X"], data["y"]
    centred = x - x.mean(axis=0)
    gram = centred.T @ centred + ALPHA * np.eye(x.shape[1])
    solved = np.linalg.solve(gram, centred.T)
    leverage = np.einsum("ij,ji->i", centred, solved) + 1.0 / len(x)
    residual = y - y.mean() - centred @ (solved @ (y - y.mean()))
    return np.asarray(-((residual / (1.0 - leverage)) ** 2))


def quality(scores: Vector, data: Data) -> float:
    """Mean squared error; inf if that of any row is not the right one."""
    right = by_hand(data)
    same = scores.shape == right.shape and np.allclose(
        scores, right, rtol=1e-7, atol=1e-9 * float(np.abs(right).mean())
    )
    return float(-scores.mean()) if same else float("inf")


def notes(scores: Vector, data: Data) -> str:
    return f"mean squared error {-scores.mean():.6f}"


def _generic(name: str, package: str, ridge: str, kind: Any = "peer") -> Contender:
    return Contender(name, ridge, partial(generic, package=package, ridge=ridge), kind)


WORKLOAD = Workload(
    name="loocv",
    title="leave-one-out errors of ridge, generic call",
    sizes={
        "small": {"rows": 500, "columns": 20},
        "standard": {"rows": 5_000, "columns": 50},
        "large": {"rows": 100_000, "columns": 100},
    },
    make=make_regression,
    contenders=(
        _generic("ours", "stylobate", "stylobate", "ours"),
        _generic("sklearn", "sklearn", "sklearn"),
        _generic("sklearnex", "sklearn", "sklearnex"),
        Contender("sklearn RidgeCV", "sklearn", closed_form, "reference"),
        Contender("numpy by hand", "numpy", by_hand, "reference"),
    ),
    quality=quality,
    floor=moments_work,
    notes=notes,
    goals=(Faster("peers", 5000), Faster("sklearn", 5000)),
)
