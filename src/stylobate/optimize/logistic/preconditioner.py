"""Approximate inverses of the Hessian, for conjugate gradients."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from stylobate.optimize.logistic.problem import LogisticProblem, Point

Array = NDArray[np.float64]


class Preconditioner(Protocol):
    """M⁻¹ times a vector, for M near the Hessian at a point."""

    def update(self, point: Point) -> None: ...

    def solve(self, residual: Array) -> Array: ...


class DiagonalPreconditioner:
    """M = diag(Σω(x − c)²) · mean curvature of the output + λ."""

    def __init__(self, problem: LogisticProblem) -> None:
        self._problem = problem
        self._inverse = np.ones(problem.size)

    def update(self, point: Point) -> None:
        problem = self._problem
        by_output = np.diag(problem.output_curvature(point))
        share = by_output / problem.total_weight
        diagonal = np.outer(problem.squares, share).ravel() + problem.l2
        if problem.fit_intercept:
            diagonal = np.concatenate([diagonal, by_output])
        smallest = 1e-12 * diagonal.max(initial=0.0) + 1e-300
        self._inverse = 1.0 / np.maximum(diagonal, smallest)

    def solve(self, residual: Array) -> Array:
        return self._inverse * residual


class KroneckerPreconditioner:
    """M = G ⊗ S + λI: the Gram of the centred columns times the mean curvature of the outputs.

    S = VΛVᵀ, so a solution is one with Λₖ·G + λI for every output k after a rotation by V.
    """

    def __init__(self, problem: LogisticProblem, gram: Array) -> None:
        self._problem, self._gram = problem, gram
        self._vectors = np.eye(problem.n_outputs)
        self._factors: list[Array | None] = []
        self._intercept = np.zeros(problem.n_outputs)

    def update(self, point: Point) -> None:
        from scipy import linalg

        problem = self._problem
        curvature = problem.output_curvature(point)
        values, self._vectors = np.linalg.eigh(curvature)
        smallest = 1e-12 * max(values[-1], 1e-300)
        self._intercept = np.where(values > smallest, 1.0 / np.maximum(values, smallest), 0.0)
        diagonal = np.diag(self._gram)
        self._factors = []
        for value in values:
            if value <= smallest and problem.l2 == 0.0:
                self._factors.append(None)  # a constant added to all outputs changes nothing
                continue
            share = max(value, 0.0) / problem.total_weight
            matrix = share * self._gram
            # a trace more on the diagonal: dependent columns still have a factor
            matrix[np.diag_indices_from(matrix)] += (
                problem.l2 + 1e-10 * share * diagonal + 1e-12 * share * diagonal.mean() + 1e-300
            )
            self._factors.append(linalg.cholesky(matrix, lower=True, check_finite=False))

    def solve(self, residual: Array) -> Array:
        from scipy import linalg

        problem = self._problem
        coef, intercept = problem.split(residual)
        rotated = coef @ self._vectors
        for k, factor in enumerate(self._factors):
            rotated[:, k] = (
                0.0
                if factor is None
                else linalg.cho_solve((factor, True), rotated[:, k], check_finite=False)
            )
        solved = (rotated @ self._vectors.T).ravel()
        if not problem.fit_intercept:
            return solved
        own = self._vectors @ (self._intercept * (self._vectors.T @ intercept))
        return np.concatenate([solved, own])
