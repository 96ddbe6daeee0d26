"""Forward selection of 20 of 60 features for least squares, by 5-fold cross-validated R²."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._linear import Vector, make_regression, moments_work

FOLDS = 5


def make(size: Size, seed: int) -> Data:
    """Coefficients of falling size, so that every step has a best candidate."""
    data = make_regression(size, seed, scale=0.3, noise=3.0)
    rng = np.random.default_rng(seed + 1)
    p = data["X"].shape[1]
    y = data["X"] @ (rng.permutation(0.9 ** np.arange(p)) * rng.choice([-1, 1], p))
    return {
        "X": data["X"],
        "y": y + 2.0 * rng.standard_normal(len(y)),
        "choose": np.array([float(size["choose"])]),
    }


def select(data: Data, package: str, estimator: str | None = None) -> Vector:
    """The SequentialFeatureSelector of ours or of scikit-learn; the two have one interface."""
    from importlib import import_module

    selection = import_module(f"{package}.feature_selection")
    model = import_module(f"{estimator or package}.linear_model").LinearRegression()
    selector = selection.SequentialFeatureSelector(
        model, n_features_to_select=int(data["choose"][0]), cv=FOLDS
    )
    support: Vector = selector.fit(data["X"], data["y"]).get_support()
    return support


def by_hand(data: Data) -> Vector:
    """Fold Grams, and one small system per candidate and fold."""
    z = np.column_stack([data["X"], data["y"]])
    z = z - z.mean(axis=0)
    p = z.shape[1] - 1
    folds = np.array_split(z, FOLDS)
    sums = np.array([f.sum(axis=0) for f in folds])
    grams = np.array([f.T @ f for f in folds])
    sizes = np.array([len(f) for f in folds])
    parts = []
    for k in range(FOLDS):
        n = len(z) - sizes[k]
        mean = (sums.sum(axis=0) - sums[k]) / n
        train = grams.sum(axis=0) - grams[k] - n * np.outer(mean, mean)
        about = grams[k] - np.outer(sums[k], mean) - np.outer(mean, sums[k])
        about += sizes[k] * np.outer(mean, mean)
        total = grams[k][p, p] - sums[k][p] ** 2 / sizes[k]
        parts.append((train, about, total))
    chosen: list[int] = []
    for _ in range(int(data["choose"][0])):
        rest = [j for j in range(p) if j not in chosen]
        scores = [np.mean([_r2(part, [*chosen, j]) for part in parts]) for j in rest]
        chosen.append(rest[int(np.argmax(scores))])
    return np.isin(np.arange(p), chosen)


def _r2(part: tuple[Vector, Vector, float], columns: list[int]) -> float:
    train, about, total = part
    w = np.linalg.solve(train[np.ix_(columns, columns)], train[columns, -1])
    v = np.append(-w, 1.0)
    rows = [*columns, -1]
    return float(1.0 - v @ about[np.ix_(rows, rows)] @ v / total)


def quality(support: Vector, data: Data) -> float:
    """1 − cross-validated R² of the chosen columns, from the rows; inf if not as many as asked."""
    if int(np.sum(support)) != int(data["choose"][0]):
        return float("inf")
    x, y = data["X"][:, np.flatnonzero(support)], data["y"]
    losses = []
    for test in np.array_split(np.arange(len(y)), FOLDS):
        train = np.ones(len(y), dtype=bool)
        train[test] = False
        design = np.column_stack([x, np.ones(len(y))])
        w = np.linalg.lstsq(design[train], y[train], rcond=None)[0]
        residual = y[test] - design[test] @ w
        losses.append(np.sum(residual**2) / np.sum((y[test] - y[test].mean()) ** 2))
    return float(np.mean(losses))


def notes(support: Vector, data: Data) -> str:
    return f"R² {1.0 - quality(support, data):.6f}"


def _contender(name: str, package: str, kind: Any = "peer", **options: str) -> Contender:
    return Contender(name, package, partial(select, package=package, **options), kind)


WORKLOAD = Workload(
    name="forward_select",
    title=f"forward selection for least squares, {FOLDS} folds",
    sizes={
        "small": {"rows": 300, "columns": 12, "choose": 4},
        "standard": {"rows": 10_000, "columns": 60, "choose": 20},
        "large": {"rows": 200_000, "columns": 150, "choose": 50},
    },
    make=make,
    contenders=(
        _contender("ours", "stylobate", "ours"),
        _contender("sklearn", "sklearn"),
        Contender(
            "sklearnex in sklearn",
            "sklearnex",
            partial(select, package="sklearn", estimator="sklearnex"),
        ),
        Contender("numpy by hand", "numpy", by_hand, "reference"),
    ),
    quality=quality,
    floor=moments_work,
    notes=notes,
    goals=(Faster("sklearn", 2000), Faster("numpy", 10)),
)
