"""Ridge regression: 30 penalties by 5-fold cross-validation, then the final fit."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._linear import Line, Vector, line_of, make_regression, moments_work, objective

FOLDS = 5


class Choice(NamedTuple):
    """The chosen penalty, the model at it, and its cross-validated R²."""

    alpha: float
    line: Line
    score: float


def make(size: Size, seed: int) -> Data:
    """Signal-to-noise such that the best penalty, noise²/scale² = 100, is inside the grid."""
    data = make_regression(size, seed, scale=0.3, noise=3.0)
    return {**data, "alphas": np.logspace(-1, 5, 30)}


def ridge_cv(data: Data, package: str) -> Choice:
    """Run the RidgeCV of ours or of scikit-learn; the two have one interface."""
    from importlib import import_module

    model = import_module(f"{package}.linear_model").RidgeCV(alphas=data["alphas"], cv=FOLDS)
    model.fit(data["X"], data["y"])
    return Choice(float(model.alpha_), line_of(model), float(model.best_score_))


def grid_search(data: Data, package: str) -> Choice:
    """Generic search over a Ridge."""
    from importlib import import_module

    from sklearn.model_selection import GridSearchCV

    ridge = import_module(f"{package}.linear_model").Ridge()
    search = GridSearchCV(ridge, {"alpha": data["alphas"]}, cv=FOLDS)
    search.fit(data["X"], data["y"])
    return Choice(
        float(search.best_params_["alpha"]),
        line_of(search.best_estimator_),
        float(search.best_score_),
    )


def by_hand(data: Data) -> Choice:
    """Fold Grams: subtract a fold's from the whole, one eigendecomposition per fold."""
    x, y, alphas = data["X"], data["y"], data["alphas"]
    z = np.column_stack([x, y])
    shift = z.mean(axis=0)
    z -= shift  # centring once by the overall mean keeps the sums of squares small
    folds = np.array_split(z, FOLDS)
    sums = np.array([f.sum(axis=0) for f in folds])
    grams = np.array([f.T @ f for f in folds])
    scores = np.zeros((FOLDS, len(alphas)))
    for k, fold in enumerate(folds):
        lines = _ridge_path(
            grams.sum(axis=0) - grams[k], sums.sum(axis=0) - sums[k], len(z) - len(fold), alphas
        )
        scores[k] = _r2(grams[k], sums[k], len(fold), lines)
    means = scores.mean(axis=0)
    best = int(np.argmax(means))
    w = _ridge_path(grams.sum(axis=0), sums.sum(axis=0), len(z), alphas[best : best + 1])[:, 0]
    intercept = float(w[-1] + shift[-1] - shift[:-1] @ w[:-1])
    return Choice(float(alphas[best]), Line(w[:-1], intercept), float(means[best]))


def _ridge_path(gram: Vector, total: Vector, rows: int, alphas: Vector) -> Vector:
    """Coefficients (last row: intercept) for every alpha, from raw second moments of [X, y]."""
    mean = total / rows
    scatter = gram - rows * np.outer(mean, mean)
    values, vectors = np.linalg.eigh(scatter[:-1, :-1])
    projected = vectors.T @ scatter[:-1, -1]
    w = vectors @ (projected[:, None] / (values[:, None] + alphas))
    return np.vstack([w, mean[-1] - mean[:-1] @ w])


def _r2(gram: Vector, total: Vector, rows: int, lines: Vector) -> Vector:
    """R² of every line on a fold: its squared error is a quadratic form of the fold's moments."""
    v = np.vstack([-lines[:-1], np.ones(lines.shape[1])])
    error = np.einsum("ij,ij->j", v, gram @ v) - 2 * lines[-1] * (total @ v) + rows * lines[-1] ** 2
    r2: Vector = 1.0 - error / (gram[-1, -1] - total[-1] ** 2 / rows)
    return r2


def quality(choice: Choice, data: Data) -> float:
    """Objective of the final fit; inf if the penalty or its score is not the right one.

    The right one is computed here from the fold Grams, so nobody's mistake becomes the measure.
    """
    right = by_hand(data)
    same = np.isclose(choice.alpha, right.alpha, rtol=1e-9, atol=0.0)
    if not same or not np.isclose(choice.score, right.score, rtol=1e-6, atol=1e-9):
        return float("inf")
    return objective(choice.line, data, choice.alpha)


def notes(choice: Choice, data: Data) -> str:
    return f"alpha {choice.alpha:.4g}, R² {choice.score:.6f}"


def _contender(name: str, package: str, call: Any, kind: Any = "peer") -> Contender:
    return Contender(name, package, partial(call, package=package), kind)


WORKLOAD = Workload(
    name="ridge_cv_grid",
    title=f"30 ridge penalties, {FOLDS} folds, and the final fit",
    sizes={
        "small": {"rows": 1_000, "columns": 20},
        "standard": {"rows": 100_000, "columns": 100},
        "large": {"rows": 500_000, "columns": 100},
    },
    make=make,
    contenders=(
        _contender("ours", "stylobate", ridge_cv, "ours"),
        _contender("sklearn RidgeCV", "sklearn", ridge_cv),
        _contender("sklearn GridSearchCV", "sklearn", grid_search),
        _contender("sklearnex GridSearchCV", "sklearnex", grid_search),
        Contender("numpy by hand", "numpy", by_hand, "reference"),
    ),
    quality=quality,
    floor=moments_work,
    notes=notes,
    goals=(Faster("peers", 200), Faster("sklearn", 800)),
)
