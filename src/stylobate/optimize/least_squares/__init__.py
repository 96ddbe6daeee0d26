"""Least squares and ridge: direct, orthogonal, iterative and constrained solvers."""

from stylobate.optimize.least_squares.ball import solve_ball
from stylobate.optimize.least_squares.factored import solve_qr, solve_svd
from stylobate.optimize.least_squares.iterative import (
    CentredRows,
    solve_bounded_lbfgs,
    solve_conjugate_gradients,
    solve_gradient_descent,
    solve_lsqr,
)
from stylobate.optimize.least_squares.nonnegative import solve_active_set
from stylobate.optimize.least_squares.quadratic import (
    CholeskyFactor,
    Quadratic,
    solve_cholesky,
    solve_hessian,
    solve_spectral,
)
from stylobate.optimize.least_squares.rank import FADING_CUTOFF, aliased_columns, rank_tolerance
from stylobate.optimize.least_squares.refinement import refine
from stylobate.optimize.least_squares.rows import (
    centred_copy,
    row_svd,
    solve_dual_cholesky,
    solve_svd_rows,
)
from stylobate.optimize.least_squares.solution import LeastSquaresSolution
from stylobate.optimize.least_squares.stochastic import solve_stochastic

__all__ = [
    "FADING_CUTOFF",
    "CentredRows",
    "CholeskyFactor",
    "LeastSquaresSolution",
    "Quadratic",
    "aliased_columns",
    "centred_copy",
    "rank_tolerance",
    "refine",
    "row_svd",
    "solve_active_set",
    "solve_ball",
    "solve_bounded_lbfgs",
    "solve_cholesky",
    "solve_conjugate_gradients",
    "solve_dual_cholesky",
    "solve_gradient_descent",
    "solve_hessian",
    "solve_lsqr",
    "solve_qr",
    "solve_spectral",
    "solve_stochastic",
    "solve_svd",
    "solve_svd_rows",
]
