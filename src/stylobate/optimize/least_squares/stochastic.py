"""Ridge by SAG and SAGA: a row at a time, with the last gradient of every row remembered."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.losses import HalfSquared
from stylobate.optimize.least_squares.iterative import CentredRows, certified_by_gradient
from stylobate.optimize.least_squares.solution import LeastSquaresSolution
from stylobate.optimize.stochastic import saga
from stylobate.optimize.trace import Trace

_EPOCHS = 1000  # at most, unless the caller says otherwise


def solve_stochastic(
    table: Table,
    rows: CentredRows,
    y: Array,
    alpha: Array,
    *,
    intercept: bool,
    tol: float,
    max_iter: int | None,
    random_state: Any,
    averaged_gradient_only: bool,
) -> LeastSquaresSolution:
    """SAGA, or SAG, for each target; `rows` and `y` are the table's, centred and weighted."""
    assert table.y is not None
    coef = np.zeros((table.n_features, y.shape[1]))
    iterations, converged, trace = 0, True, Trace()
    for t in range(y.shape[1]):
        found = saga(
            table.x,
            table.y[:, t].copy(),
            table.weights,
            loss=HalfSquared(),
            l2=float(alpha[t]),
            fit_intercept=intercept,
            tol=tol,
            max_iter=max_iter or _EPOCHS,
            random_state=random_state,
            averaged_gradient_only=averaged_gradient_only,
        )
        coef[:, t], trace = found.coef[0], found.trace
        iterations, converged = max(iterations, found.iterations), converged and found.converged
    answer = certified_by_gradient(
        rows, y, alpha, coef, _condition_bound(rows, alpha), converged, iterations
    )
    return replace(answer, trace=trace)


def _condition_bound(rows: CentredRows, alpha: Array) -> float:
    """√((‖X‖² + α)/α) ≥ the condition number of the penalised rows; inf without a penalty."""
    least = float(alpha.min(initial=np.inf))
    return float(np.sqrt((rows.lengths @ rows.lengths + least) / least)) if least > 0 else np.inf
