"""The variances that components of unrelated columns would have."""

from __future__ import annotations

import numpy as np

from stylobate.arrays import Array
from stylobate.interrupts import interruptible


def unrelated_variances(
    variances: Array, n_rows: int, count: int, n_simulations: int, seed: int
) -> Array:
    r"""Simulated eigenvalues of the covariance of independent normal columns.

    The scatter of n such rows is Wishart's; Bartlett's triangular factor draws it directly, so the
    cost does not depend on the number of rows.

    Parameters
    ----------
    variances : array of shape (p,)
        Of the columns.
    n_rows : int in [2, inf)
        Rows.
    count : int
        Eigenvalues kept.
    n_simulations : int
        Draws.
    seed : int
        Of the draws.

    Returns
    -------
    array of shape (n_simulations, count)
        The largest first.

    References
    ----------
    Horn (1965), A rationale and test for the number of factors in factor analysis, Psychometrika
    30. Bartlett (1933), On the theory of statistical regression, Proc. R. Soc. Edinburgh 53.
    """
    draws = np.random.RandomState(seed)
    scale = np.sqrt(variances)[:, np.newaxis]
    found = [_one(draws, scale, n_rows - 1)[:count] for _ in range(n_simulations)]
    return np.array(found).reshape(n_simulations, count)


def _one(draws: np.random.RandomState, scale: Array, freedom: int) -> Array:
    p = len(scale)
    if freedom < p:  # fewer rows than columns: the rows themselves are the smaller
        sizes = _singular_values(draws.normal(size=(freedom, p)) * scale.T)
        return np.concatenate([sizes**2 / freedom, np.zeros(p - freedom)])
    lower = np.tril(draws.normal(size=(p, p)), -1)
    np.fill_diagonal(lower, np.sqrt(draws.chisquare(freedom - np.arange(p))))
    return _singular_values(scale * lower) ** 2 / freedom


def _singular_values(matrix: Array) -> Array:
    return np.asarray(interruptible(np.linalg.svd, matrix, compute_uv=False))
