"""Approximate inverses of the Hessian, for conjugate gradients and L-BFGS."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from stylobate.arrays import Array
from stylobate.optimize.logistic.problem import LogisticProblem, Point
from stylobate.optimize.newton_direction import solve_hessian
from stylobate.optimize.state import dot
from stylobate.parallel import one_blas_thread

TRACE = 1e-10  # of the diagonal, added to it: dependent columns still have a factor


class Preconditioner(Protocol):
    """M⁻¹ times a vector, for M near the Hessian at a point.

    `condition` estimates the condition number of the columns, scaled to one size, from M.
    """

    condition: float

    def update(self, point: Point) -> None: ...

    def solve(self, residual: Array) -> Array: ...


class DiagonalPreconditioner:
    """M = diag(Σω(x − c)²) · mean curvature of the output + λ.

    The intercept of two classes is coupled to the columns by their means under the curvatures:
    sparse columns, which are not centred, and it would creep after each other.
    """

    def __init__(self, problem: LogisticProblem) -> None:
        self._problem = problem
        self._inverse = np.ones(problem.size)
        self._means: Array | None = None
        self.condition = 1.0

    def update(self, point: Point) -> None:
        problem = self._problem
        by_output = np.diag(problem.output_curvature(point))
        diagonal = np.outer(problem.squares, by_output / problem.total_weight).ravel()
        # the eigenvalues of a scaled Gram lie between 0 and the number of columns
        largest = min(problem.n_rows, problem.n_columns) * diagonal.max(initial=0.0)
        self.condition = np.sqrt(1.0 + largest / problem.l2) if problem.l2 > 0.0 else np.inf
        diagonal += problem.l2
        if problem.fit_intercept:
            diagonal = np.concatenate([diagonal, by_output])
        smallest = 1e-12 * diagonal.max(initial=0.0) + 1e-300
        self._inverse = 1.0 / np.maximum(diagonal, smallest)
        self._means = problem.means_at(point)

    def solve(self, residual: Array) -> Array:
        if self._means is None:
            return self._inverse * residual
        p = self._problem.n_columns
        # about their means the columns have nothing to do with the intercept
        centred = residual - residual[p] * np.append(self._means, 0.0)
        solved: Array = self._inverse * centred
        solved[p] -= dot(self._means, solved[:p])
        return solved


class KroneckerPreconditioner:
    """M = G ⊗ S + λI: the Gram of the centred columns times the mean curvature of the outputs.

    S = VΛVᵀ, so a solution is one with Λₖ·G + λI for every output k after a rotation by V.
    """

    def __init__(self, problem: LogisticProblem, gram: Array) -> None:
        self._problem, self._gram = problem, gram
        self._vectors = np.eye(problem.n_outputs)
        self._factors: list[Array | None] = []
        self._intercept = np.zeros(problem.n_outputs)
        self.condition = 1.0

    def update(self, point: Point) -> None:
        problem = self._problem
        values, self._vectors = np.linalg.eigh(problem.output_curvature(point))
        smallest = 1e-12 * max(values[-1], 1e-300)
        self._intercept = np.where(values > smallest, 1.0 / np.maximum(values, smallest), 0.0)
        with one_blas_thread():
            self._factors = [
                # without a penalty, a constant added to all outputs changes nothing
                None if v <= smallest and problem.l2 == 0.0 else self._factor(max(v, 0.0))
                for v in values
            ]

    def _factor(self, value: float) -> Array:
        """Cholesky factor of value·G/Σω + λI."""
        from scipy.linalg import lapack

        matrix = (value / self._problem.total_weight) * self._gram
        diagonal = np.diag(matrix).copy()
        matrix[np.diag_indices_from(matrix)] += self._problem.l2 + TRACE * diagonal
        own = np.diag(matrix)
        matrix[np.diag_indices_from(matrix)] += np.where(own > 0.0, 0.0, 1.0)  # a column of zeros
        scale = 1.0 / np.sqrt(np.diag(matrix))
        factor, _ = lapack.dpotrf(matrix, lower=1)
        scaled, _ = lapack.dpotrf(matrix * np.outer(scale, scale), lower=1)
        share, _ = lapack.dpocon(scaled, np.sqrt(len(scale)), uplo="L")
        self.condition = max(self.condition, float(max(share, 1e-300) ** -0.5))
        return np.asarray(factor)

    def solve(self, residual: Array) -> Array:
        from scipy.linalg import lapack

        problem = self._problem
        coef, intercept = problem.split(residual)
        rotated = np.asfortranarray(coef @ self._vectors)
        for k, factor in enumerate(self._factors):
            if factor is None:
                rotated[:, k] = 0.0
            else:
                rotated[:, k] = lapack.dpotrs(factor, rotated[:, k], lower=1)[0]
        solved = (rotated @ self._vectors.T).ravel()
        if not problem.fit_intercept:
            return solved
        own = self._vectors @ (self._intercept * (self._vectors.T @ intercept))
        return np.concatenate([solved, own])


class HessianPreconditioner:
    """M = the Hessian itself, assembled: conjugate gradients then need one step."""

    def __init__(self, problem: LogisticProblem) -> None:
        self._problem = problem
        self._hessian = np.zeros((0, 0))
        self.condition = 1.0

    def update(self, point: Point) -> None:
        problem = self._problem
        self._hessian = problem.hessian(point)
        m = problem.n_coefficients
        self._hessian[np.diag_indices(m)] += problem.l2
        if problem.n_outputs > 1:
            self._fill_constants()

    def _fill_constants(self) -> None:
        """Give a constant added to all outputs a curvature: no gradient has any.

        The Hessian is then definite, and the same for all other directions.
        """
        problem, k = self._problem, self._problem.n_outputs
        first = problem.n_coefficients if problem.l2 > 0.0 else 0
        for start in range(first, problem.size, k):
            own = slice(start, start + k)
            self._hessian[own, own] += np.trace(self._hessian[own, own]) / k**2

    def solve(self, residual: Array) -> Array:
        solved, condition, rank = solve_hessian(self._hessian, residual, self._problem.n_rows)
        self.condition = condition**0.5 if rank == len(residual) else np.inf
        return solved
