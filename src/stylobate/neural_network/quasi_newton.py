"""Training on all rows at once, by L-BFGS."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.neural_network.engine import Perceptron, Targets

RELATIVE_GAIN = 2.2e-9  # below which a step ends the descent


@dataclass(frozen=True, slots=True)
class Point:
    """Parameters, with the penalised mean loss and its gradient."""

    theta: Array
    value: float
    gradient: Array


@dataclass(frozen=True, slots=True)
class Descent:
    """How far L-BFGS came.

    Parameters
    ----------
    point : Point
        Where it ended.
    steps : int
    why : str
        Why it ended too early; empty if it did not.
    """

    point: Point
    steps: int
    why: str


def minimize_loss(
    network: Perceptron,
    x: Any,
    y: Targets,
    alpha: float,
    *,
    max_iter: int,
    max_fun: int,
    tol: float,
) -> Descent:
    """Minimise (Σ ω loss + ½α‖W‖²) / Σ ω in double precision.

    Parameters
    ----------
    network : Perceptron
        Where to start.
    x, y : rows and targets
    alpha : float
    max_iter, max_fun : int
        Most steps, and most looks at the rows.
    tol : float
        The largest entry of the gradient that is good enough.
    """
    from stylobate.optimize.lbfgs import minimize_lbfgs
    from stylobate.optimize.trace import Trace

    total, n_weights, looks = y.total_weight, network.n_weights, 0
    before: list[float] = []
    converged = False

    def at(theta: Array) -> Point:
        nonlocal looks
        looks += 1
        loss, gradient = network.at(theta).gradient(x, y)
        weights = theta[:n_weights]
        gradient[:n_weights] += alpha * weights
        value = loss + 0.5 * alpha * float(weights @ weights)
        return Point(theta, value / total, gradient / total)

    def done(point: Point) -> bool:
        nonlocal converged
        gained = before[-1] - point.value if before else np.inf
        before.append(point.value)
        small = np.abs(point.gradient).max() <= tol
        converged = bool(small or gained <= RELATIVE_GAIN * max(abs(point.value), 1.0))
        return converged or looks >= max_fun

    start = at(network.parameters.astype(np.float64))
    point, steps = minimize_lbfgs(at, start, done, max_iter=max_iter, trace=Trace())
    if looks >= max_fun and not np.abs(point.gradient).max() <= tol:
        return Descent(point, steps, f"max_fun={max_fun} looks at the rows")
    if converged:
        return Descent(point, steps, "")
    found = "no step that lowers the loss was found" if steps < max_iter else "max_iter was reached"
    return Descent(point, steps, f"{steps} steps, where {found}")
