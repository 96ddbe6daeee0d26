"""What the lasso workloads share: data, objectives, and checks made by hand."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from race.workload import Data, Size
from race.workloads._linear import Line, Vector

FOLDS = 5


class Choice(NamedTuple):
    """The chosen penalty, the model at it, and the mean error along the path."""

    alpha: float
    line: Line
    errors: Vector


def make_sparse(size: Size, seed: int, *, share: float) -> Data:
    """A few columns matter; noise as strong as `share` of the signal; columns off zero."""
    generator = np.random.default_rng(seed)
    rows, columns = size["rows"], size["columns"]
    x = generator.standard_normal((rows, columns))
    x += generator.uniform(-1.0, 1.0, columns)
    w = np.zeros(columns)
    matter = generator.choice(columns, min(50, columns // 4), replace=False)
    w[matter] = generator.standard_normal(len(matter))
    signal = x @ w
    noise = share * signal.std() * generator.standard_normal(rows)
    return {"X": x, "y": signal + 3.0 + noise}


def largest_alpha(data: Data) -> float:
    """The smallest penalty with all coefficients zero."""
    x, y = data["X"], data["y"]
    centred = y - y.mean()
    return float(np.abs(x.T @ centred - x.mean(axis=0) * centred.sum()).max() / len(y))


def lasso_objective(line: Line, data: Data, alpha: float) -> float:
    """‖y - Xw - b‖²/(2n) + alpha ‖w‖₁."""
    residual = data["y"] - data["X"] @ line.coef - line.intercept
    return float(residual @ residual / (2 * len(residual)) + alpha * np.abs(line.coef).sum())


def cross_validate(data: Data, model: Any) -> Choice:
    """Fit a LassoCV and read off what it chose."""
    model.fit(data["X"], data["y"])
    line = Line(np.ravel(model.coef_), float(np.ravel(model.intercept_)[0]))
    return Choice(float(model.alpha_), line, np.asarray(model.mse_path_).mean(axis=-1))


def cross_validate_celer(data: Data) -> Choice:
    """Celer's path in every fold, by hand: its LassoCV does not run with today's scikit-learn."""
    from celer import Lasso, celer_path
    from sklearn.model_selection import KFold

    x, y = data["X"], data["y"]
    alphas = np.geomspace(1.0, 1e-3, 100) * largest_alpha(data)
    errors = np.zeros(len(alphas))
    for train, test in KFold(FOLDS).split(x):
        x_mean, y_mean = x[train].mean(axis=0), y[train].mean()
        centred = np.asfortranarray(x[train] - x_mean)
        _, coefs, *_ = celer_path(centred, y[train] - y_mean, pb="lasso", alphas=alphas, tol=1e-4)
        residual = (y[test] - y_mean)[:, None] - (x[test] - x_mean) @ coefs
        errors += np.mean(residual**2, axis=0) / FOLDS
    best = int(np.argmin(errors))
    model = Lasso(alpha=float(alphas[best]), tol=1e-6).fit(np.asfortranarray(x), y)
    line = Line(np.ravel(model.coef_), float(model.intercept_))
    return Choice(float(alphas[best]), line, errors)


def fold_error(data: Data, alphas: Vector, near: int) -> float:
    """The mean error over the folds at one penalty of the grid, by a tight solver of a peer."""
    from sklearn.linear_model import Lasso
    from sklearn.model_selection import KFold

    x, y = np.asfortranarray(data["X"]), data["y"]
    model = Lasso(alpha=float(alphas[near]), tol=1e-7, max_iter=10_000)
    errors = []
    for train, test in KFold(FOLDS).split(x):
        model.fit(x[train], y[train])
        errors.append(float(np.mean((y[test] - model.predict(x[test])) ** 2)))
    return float(np.mean(errors))


def choice_quality(choice: Choice, data: Data) -> float:
    """Objective of the final fit at the chosen penalty, as a share of the optimum there.

    Infinite where the penalty is not one of the grid, is not where the contender's own errors are
    smallest, or where its error there differs by more than 1e-3 from that of an independent tight
    fit, or where that fit errs less by more than 1e-3 at a neighbour on the grid.
    """
    alphas = np.geomspace(1.0, 1e-3, len(choice.errors)) * largest_alpha(data)
    near = int(np.argmin(np.abs(np.log(alphas / choice.alpha))))
    if not np.isclose(alphas[near], choice.alpha, rtol=1e-6):
        return float("inf")
    if choice.errors[near] > choice.errors.min() * (1.0 + 1e-9):
        return float("inf")
    error = fold_error(data, alphas, near)
    if not np.isclose(choice.errors[near], error, rtol=1e-3):
        return float("inf")
    neighbours = [k for k in (near - 1, near + 1) if 0 <= k < len(alphas)]
    if any(fold_error(data, alphas, k) < error * (1.0 - 1e-3) for k in neighbours):
        return float("inf")
    from sklearn.linear_model import Lasso

    best = Lasso(alpha=choice.alpha, tol=1e-9, max_iter=10_000).fit(data["X"], data["y"])
    line = Line(np.ravel(best.coef_), float(best.intercept_))
    return lasso_objective(choice.line, data, choice.alpha) / lasso_objective(
        line, data, choice.alpha
    )


def choice_notes(choice: Choice, data: Data) -> str:
    """The chosen penalty and how many columns it keeps."""
    return f"alpha {choice.alpha:.4g}, {np.count_nonzero(choice.line.coef)} columns"
