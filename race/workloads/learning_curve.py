"""Learning curve of ridge regression: 10 sizes of the training part, 5 folds."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._linear import Vector, make_regression, moments_work
from race.workloads._processes import one_thread_each

ALPHA = 1.0
FOLDS = 5
SIZES = np.linspace(0.1, 1.0, 10)


class Curve(NamedTuple):
    """R² of the training and the test parts (sizes × folds)."""

    train: Vector
    test: Vector


def curve(data: Data, package: str, ridge: str, n_jobs: int | None = None) -> Curve:
    """`learning_curve` of one package with the Ridge of another; both have one interface."""
    from importlib import import_module

    model = import_module(f"{ridge}.linear_model").Ridge(alpha=ALPHA)
    function = import_module(f"{package}.model_selection").learning_curve
    with one_thread_each() if n_jobs else nullcontext():
        _, train, test = function(
            model, data["X"], data["y"], train_sizes=SIZES, cv=FOLDS, n_jobs=n_jobs
        )
    return Curve(train, test)


def by_hand(data: Data) -> Curve:
    """Raw second moments of the blocks each size adds, about one common centre."""
    x, y = data["X"], data["y"]
    shift = np.append(x.mean(axis=0), y.mean())
    z = np.column_stack([x, y]) - shift
    folds = np.array_split(np.arange(len(z)), FOLDS)
    train, test = np.empty((2, len(SIZES), FOLDS))
    for k, fold in enumerate(folds):
        others = np.concatenate([f for i, f in enumerate(folds) if i != k])
        counts = (SIZES * (len(z) - len(folds[0]))).astype(int)
        gram, total = np.zeros((z.shape[1], z.shape[1])), np.zeros(z.shape[1])
        held = z[fold]
        held_out = (held.T @ held, held.sum(axis=0), len(held))
        start = 0
        for s, count in enumerate(counts):
            block = z[others[start:count]]
            gram, total, start = gram + block.T @ block, total + block.sum(axis=0), count
            line = _ridge(gram, total, count)
            train[s, k] = _r2(gram, total, count, line)
            test[s, k] = _r2(*held_out, line)
    return Curve(train, test)


def _ridge(gram: Vector, total: Vector, rows: int) -> Vector:
    """Coefficients and, last, the intercept from raw second moments of [X, y]."""
    mean = total / rows
    scatter = gram - rows * np.outer(mean, mean)
    penalised = scatter[:-1, :-1] + ALPHA * np.eye(len(scatter) - 1)
    w = np.linalg.solve(penalised, scatter[:-1, -1])
    return np.append(w, mean[-1] - mean[:-1] @ w)


def _r2(gram: Vector, total: Vector, rows: int, line: Vector) -> float:
    v = np.append(-line[:-1], 1.0)
    error = v @ gram @ v - 2 * line[-1] * (total @ v) + rows * line[-1] ** 2
    return float(1.0 - error / (gram[-1, -1] - total[-1] ** 2 / rows))


def quality(answer: Curve, data: Data) -> float:
    """Mean of 1 − R² on the test parts; inf if any score is not the right one."""
    right = by_hand(data)
    same = all(np.allclose(a, b, rtol=0.0, atol=1e-8) for a, b in zip(answer, right, strict=True))
    return float(1.0 - answer.test.mean()) if same else float("inf")


def notes(answer: Curve, data: Data) -> str:
    first, last = answer.test.mean(axis=1)[[0, -1]]
    return f"R² {first:.5f} … {last:.5f}"


def work(size: Size) -> tuple[float, float]:
    return moments_work(size)


def _contender(
    name: str, package: str, ridge: str, kind: Any = "peer", **options: Any
) -> Contender:
    return Contender(name, ridge, partial(curve, package=package, ridge=ridge, **options), kind)


WORKLOAD = Workload(
    name="learning_curve",
    title=f"learning curve of ridge, {len(SIZES)} sizes, {FOLDS} folds",
    sizes={
        "small": {"rows": 1_000, "columns": 20},
        "standard": {"rows": 100_000, "columns": 50},
        "large": {"rows": 500_000, "columns": 50},
    },
    make=partial(make_regression, noise=5.0),
    contenders=(
        _contender("ours", "stylobate", "stylobate", "ours"),
        _contender("sklearn", "sklearn", "sklearn"),
        _contender("sklearn n_jobs=2", "sklearn", "sklearn", n_jobs=2),
        _contender("sklearnex", "sklearn", "sklearnex"),
        Contender("numpy by hand", "numpy", by_hand, "reference"),
    ),
    quality=quality,
    floor=work,
    notes=notes,
    goals=(Faster("peers", 80), Faster("sklearn", 80)),
)
