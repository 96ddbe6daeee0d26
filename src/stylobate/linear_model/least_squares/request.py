"""What the parameters of a linear regressor ask of the solvers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.optimize.least_squares.rank import FADING_CUTOFF

SOLVERS = (
    "auto", "cholesky", "qr", "svd", "lsqr", "sparse_cg", "gradient_descent", "active_set", "lbfgs",
)  # fmt: skip
RIDGE_SOLVERS = (*SOLVERS, "sag", "saga")
ROW_SOLVERS = ("lsqr", "sparse_cg", "sag", "saga")  # that go over the rows again and again
AUTO_TOLERANCE = 1e-8  # of iterative solvers nobody asked for: small enough for a certificate
CONSTRAINED = ("active_set", "lbfgs")


@dataclass(frozen=True, slots=True)
class LinearRequest:
    """Least squares or ridge, how it is to be solved, and whose request it is."""

    owner: str
    alpha: float | NDArray[np.float64] = 0.0
    intercept: bool = True
    solver: str = "auto"
    positive: bool = False
    tol: float = 1e-6
    max_iter: int | None = None
    random_state: Any = None
    cutoff: float = FADING_CUTOFF  # of singular values, where the columns have no numerical rank

    def chosen(self, solver: str) -> LinearRequest:
        """The request once "auto" has become a solver, whose answer should then be certifiable."""
        tol = min(self.tol, AUTO_TOLERANCE) if self.solver == "auto" else self.tol
        return replace(self, solver=solver, tol=tol)
