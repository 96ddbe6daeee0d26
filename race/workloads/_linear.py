"""What the linear workloads share: data and objectives."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from race.workload import Data, Size

Vector = NDArray[np.float64]


class Line(NamedTuple):
    """A fitted linear model: coefficients and intercept."""

    coef: Vector
    intercept: float


def make_regression(size: Size, seed: int, *, scale: float = 1.0, noise: float = 1.0) -> Data:
    """y = Xw + 3 + noise·e with w ~ N(0, scale²) and columns off zero, so that centring matters."""
    generator = np.random.default_rng(seed)
    rows, columns = size["rows"], size["columns"]
    x = generator.standard_normal((rows, columns))
    x += generator.uniform(-2.0, 2.0, columns)
    w = scale * generator.standard_normal(columns)
    y = x @ w + 3.0
    y += noise * generator.standard_normal(rows)
    return {"X": x, "y": y}


def line_of(model: Any) -> Line:
    """Read the solution off anything with scikit-learn's attributes."""
    return Line(np.ravel(model.coef_), float(np.ravel(model.intercept_)[0]))


def split_constant(w: NDArray[Any]) -> Line:
    """Read the solution off coefficients whose last one belongs to a column of ones."""
    w = np.ravel(w)
    return Line(w[:-1], float(w[-1]))


def with_constant(x: Vector) -> Vector:
    """Append a column of ones, as a user of a plain least squares routine has to."""
    return np.column_stack([x, np.ones(len(x))])


def objective(line: Line, data: Data, alpha: float = 0.0) -> float:
    """‖y - Xw - b‖² + alpha ‖w‖²."""
    residual = data["y"] - data["X"] @ line.coef - line.intercept
    return float(residual @ residual + alpha * line.coef @ line.coef)


def normal_equations(data: Data, alpha: float = 0.0) -> Line:
    """(XᶜᵀXᶜ + alpha I) w = Xᶜᵀyᶜ by hand, with centred data."""
    x, y = data["X"], data["y"]
    x_mean, y_mean = x.mean(axis=0), y.mean()
    centred = x - x_mean
    gram = centred.T @ centred
    gram[np.diag_indices_from(gram)] += alpha
    w = np.linalg.solve(gram, centred.T @ (y - y_mean))
    return Line(w, float(y_mean - x_mean @ w))


def moments_work(size: Size) -> tuple[float, float]:
    """Half a symmetric product of [X, y], and one pass over it."""
    rows, width = size["rows"], size["columns"] + 1
    return float(rows * width * width), 8.0 * rows * width
