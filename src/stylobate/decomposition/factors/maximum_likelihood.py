"""The likelihood of factors, maximised from the covariance of the columns alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, log, pi
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.interrupts import interruptible
from stylobate.parallel import blas_for

SMALLEST_NOISE = 1e-12
_WIDE = 200  # fewer columns: all eigenvalues cost no more than some
_OVERSAMPLES = 10


@dataclass(frozen=True, slots=True, eq=False)
class FactorSolution:
    """Loadings (k × p), noise (p), the log-likelihood after each step, and whether they ended."""

    loadings: Array
    noise: Array
    loglike: list[float]
    converged: bool


# (largest eigenvalues, their vectors as rows, sum of the other eigenvalues) of a scaled covariance
LeadingPairs = Callable[[Array], tuple[Array, Array, float]]


def maximum_likelihood(
    covariance: Array,
    weight: float,
    k: int,
    noise: Array,
    leading: LeadingPairs,
    *,
    tol: float,
    max_iter: int,
) -> FactorSolution:
    r"""Loadings that are best for the noise, noise that is best for the loadings, by turns.

    Given Ψ, the best loadings follow from the eigenpairs of
    :math:`Ψ^{-1/2} S Ψ^{-1/2} = VΛV^\top`: :math:`W = (Λ_k - I)_+^{1/2} V_k^\top Ψ^{1/2}`; then
    :math:`Ψ = \operatorname{diag}(S - W^\top W)`.

    References
    ----------
    Barber (2012), Bayesian Reasoning and Machine Learning, algorithm 21.1; Rubin & Thayer (1982),
    EM algorithms for ML factor analysis, Psychometrika 47.
    """
    p = len(covariance)
    variances = np.diag(covariance)
    constant = p * log(2.0 * pi) + k
    loglike: list[float] = []
    last = -inf
    loadings = np.zeros((k, p))
    for _ in range(max_iter):
        scale = np.sqrt(noise) + SMALLEST_NOISE
        values, vectors, rest = leading(covariance / np.outer(scale, scale))
        loadings = np.sqrt(np.maximum(values - 1.0, 0.0))[:, np.newaxis] * vectors * scale
        # directions that vary less than the noise have no loadings: their variance is left over
        above = np.maximum(values, 1.0)
        rest += float((np.minimum(values, 1.0) - 1.0).sum())
        logs = float(np.log(above).sum()) + float(np.log(noise).sum())
        now = -0.5 * weight * (constant + logs + rest)
        loglike.append(now)
        if now - last < tol:
            return FactorSolution(loadings, noise, loglike, True)
        last = now
        noise = np.maximum(variances - (loadings**2).sum(axis=0), SMALLEST_NOISE)
    return FactorSolution(loadings, noise, loglike, False)


def exact_pairs(k: int) -> LeadingPairs:
    """By the eigenvalues of the whole matrix."""

    def leading(matrix: Array) -> tuple[Array, Array, float]:
        with blas_for(len(matrix)):
            values, vectors = interruptible(np.linalg.eigh, matrix)
        values = np.maximum(values[::-1], 0.0)
        return values[:k], vectors[:, ::-1][:, :k].T, float(values[k:].sum())

    return leading


def subspace_pairs(p: int, k: int, power: int, draws: Any) -> LeadingPairs:
    """By a few steps of subspace iteration, which go on where those of the step before ended."""
    if p <= _WIDE or k + _OVERSAMPLES >= p // 2:
        return exact_pairs(k)
    block = draws.normal(size=(p, k + _OVERSAMPLES))

    def leading(matrix: Array) -> tuple[Array, Array, float]:
        nonlocal block
        for _ in range(power + 1):
            block = interruptible(np.linalg.qr, matrix @ block)[0]
        values, turn = interruptible(np.linalg.eigh, block.T @ matrix @ block)
        values, block = np.maximum(values[::-1], 0.0), block @ turn[:, ::-1]
        rest = max(float(np.trace(matrix)) - float(values[:k].sum()), 0.0)
        return values[:k], block[:, :k].T.copy(), rest

    return leading
