"""Pegasos: stochastic subgradient descent on a linear support vector machine."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.optimize.sgd import SgdOptions, SgdProblem, SgdState, descend
from stylobate.svm.linear.problem import MarginAnswer, MarginRows
from stylobate.svm.linear.sparse import with_column

_FEWEST_EPOCHS = 8  # before the first look; from then on they are doubled


def solve_pegasos(rows: MarginRows, *, tol: float, max_iter: int, seed: int) -> MarginAnswer:
    """Steps of length 1/(λt) along the subgradient of one row's loss; their later half averaged.

    The mean of all steps errs by log T/T, that of the later half by 1/T. An answer for study: a few
    digits after many passes. The certificate says how many.

    Parameters
    ----------
    rows : MarginRows
    tol : float
        Ends once twice as many epochs lower the objective by no more than this share of it.
    max_iter : int
        Epochs at most.
    seed : int
        Of the orders of the rows.

    References
    ----------
    Shalev-Shwartz, Singer, Srebro & Cotter (2011), Pegasos: primal estimated sub-gradient solver
    for SVM, Math. Programming 127; Rakhlin, Shamir & Sridharan (2012), Making gradient descent
    optimal for strongly convex stochastic optimization, ICML.
    """
    scaling, x, n = rows.objective.scaling, rows.rows.table.x, len(rows.y)
    if scaling:
        x = with_column(x, scaling)
    strength = 1.0 / (rows.objective.C * n)
    weights = None if (rows.rows.weights == 1.0).all() else rows.rows.weights
    problem = SgdProblem(x, rows.y, weights, None, np.arange(n))
    state = SgdState.at(np.zeros((1, x.shape[1])), np.zeros(1))
    epochs, best = 0, None
    how = _steps(rows, strength)
    while epochs < max_iter:
        now = min(max(_FEWEST_EPOCHS, epochs), max_iter - epochs)
        options = SgdOptions(
            rows.objective.loss.core, **how, intercept=False, max_epochs=now, stops=False,
            seed=seed, first_epoch=epochs,
            average_from=float(state.t),
        )  # fmt: skip
        descend(problem, options, state)
        epochs += now
        coef = state.mean_coef[0].copy()
        theta = coef if scaling else np.append(coef, 0.0)
        bounds = rows.bounds(theta)
        settled = best is not None and bounds.primal >= (1.0 - tol) * best.bounds.primal
        if best is None or bounds.primal < best.bounds.primal:
            best = MarginAnswer(theta, bounds, epochs, False)
        if settled:
            return MarginAnswer(best.theta, best.bounds, epochs, True)
    if best is None:
        theta = np.zeros(rows.rows.n_features + 1)
        return MarginAnswer(theta, rows.bounds(theta), 0, False)
    return best


def _steps(rows: MarginRows, strength: float) -> dict[str, Any]:
    """1/(λt) for losses with kinks; squared ones would overshoot and begin at their curvature."""
    known: dict[str, Any] = {"alpha": strength, "l2": strength}
    if not rows.objective.loss.smooth:
        return known | {"schedule": "optimal"}
    table = rows.rows.table
    squares = table.x.multiply(table.x) if table.is_sparse else np.square(table.x, dtype=float)
    longest = float(squares.sum(axis=1).max()) + rows.objective.scaling**2
    first = 0.5 / max(longest * float(rows.rows.weights.max()), 1e-300)
    return known | {"schedule": "invscaling", "eta0": first, "power_t": 0.25}
