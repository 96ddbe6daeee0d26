"""Covariance matrices of rows, plain and shrunk."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base.constraints import Interval
from stylobate.data import Table, read_table
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.sources import MemorySource
from stylobate.statistics import Moments
from stylobate.statistics.moments.shrinkage import fourth_moment, ledoit_wolf_of, oas_of, shrunk


def empirical_covariance(X: Any, *, assume_centered: bool = False) -> Array:
    """The maximum likelihood covariance matrix: Σ(xᵢ − m)(xᵢ − m)ᵀ / n.

    Parameters
    ----------
    X : array-like or data frame of shape (n, p)
        Rows.
    assume_centered : bool, default=False
        Whether the columns' means are known to be 0.

    Returns
    -------
    array of shape (p, p)

    Examples
    --------
    >>> empirical_covariance([[0.0, 0.0], [2.0, 4.0]])
    array([[1., 2.],
           [2., 4.]])
    """
    return _covariance(_read(X, "empirical_covariance"), assume_centered)[0]


def shrunk_covariance(emp_cov: Any, shrinkage: float = 0.1) -> Array:
    """A covariance matrix mixed with its mean variance: (1 − δ)S + δ (tr S / p) I.

    Parameters
    ----------
    emp_cov : array-like of shape (..., p, p)
        Covariance matrices.
    shrinkage : float in [0, 1], default=0.1
        The share δ of the mean variance.

    Returns
    -------
    array of shape (..., p, p)

    Examples
    --------
    >>> shrunk_covariance([[3.0, 1.0], [1.0, 1.0]], 0.5)
    array([[2.5, 0.5],
           [0.5, 1.5]])
    """
    allowed = Interval(0, 1, "both")
    if not allowed.accepts(shrinkage):
        raise InvalidParameterError(
            f"shrunk_covariance: shrinkage must be {allowed.words}, got {shrinkage!r}."
        )
    matrix = np.asarray(emp_cov, dtype=np.float64)
    if matrix.ndim < 2 or matrix.shape[-1] != matrix.shape[-2]:
        raise InvalidDataError(
            f"shrunk_covariance: emp_cov must be square, got shape {matrix.shape}."
        )
    return shrunk(matrix, shrinkage)


def ledoit_wolf(
    X: Any, *, assume_centered: bool = False, block_size: int = 1000
) -> tuple[Array, float]:
    """The covariance matrix shrunk by Ledoit and Wolf's estimate of the best amount.

    Parameters
    ----------
    X : array-like or data frame of shape (n, p)
        Rows.
    assume_centered : bool, default=False
        Whether the columns' means are known to be 0.
    block_size : int, default=1000
        For compatibility; nothing p × p beside the answer is formed.

    Returns
    -------
    covariance : array of shape (p, p)
    shrinkage : float in [0, 1]

    Examples
    --------
    >>> rows = np.random.default_rng(0).normal(size=(20, 3)) * [1.0, 2.0, 3.0]
    >>> covariance, shrinkage = ledoit_wolf(rows)
    >>> round(shrinkage, 6)
    0.826418

    References
    ----------
    Ledoit & Wolf (2004), A well-conditioned estimator for large-dimensional covariance matrices,
    Journal of Multivariate Analysis 88.
    """
    table = _read(X, "ledoit_wolf")
    covariance, mean = _covariance(table, assume_centered)
    shrinkage = ledoit_wolf_of(covariance, fourth_moment(table, mean), table.n_rows)
    return shrunk(covariance, shrinkage), shrinkage


def ledoit_wolf_shrinkage(X: Any, assume_centered: bool = False, block_size: int = 1000) -> float:
    """The amount of shrinkage of `ledoit_wolf` alone.

    Parameters
    ----------
    X : array-like or data frame of shape (n, p)
        Rows.
    assume_centered : bool, default=False
        Whether the columns' means are known to be 0.
    block_size : int, default=1000
        For compatibility.

    Returns
    -------
    float in [0, 1]

    Examples
    --------
    >>> ledoit_wolf_shrinkage([[1.0], [2.0]])
    0.0
    """
    return ledoit_wolf(X, assume_centered=assume_centered)[1]


def oas(X: Any, *, assume_centered: bool = False) -> tuple[Array, float]:
    """The covariance matrix shrunk by the oracle approximating amount.

    Parameters
    ----------
    X : array-like or data frame of shape (n, p)
        Rows.
    assume_centered : bool, default=False
        Whether the columns' means are known to be 0.

    Returns
    -------
    covariance : array of shape (p, p)
    shrinkage : float in [0, 1]

    Examples
    --------
    >>> rows = np.random.default_rng(0).normal(size=(20, 3)) * [1.0, 2.0, 3.0]
    >>> round(oas(rows)[1], 6)
    0.637117

    References
    ----------
    Chen, Wiesel, Eldar & Hero (2010), Shrinkage algorithms for MMSE covariance estimation, IEEE
    Transactions on Signal Processing 58.
    """
    table = _read(X, "oas")
    covariance, _ = _covariance(table, assume_centered)
    shrinkage = oas_of(covariance, table.n_rows)
    return shrunk(covariance, shrinkage), shrinkage


def _read(X: Any, owner: str) -> Table:
    return read_table(X, owner=owner, accept_sparse=False, check_finite="deferred")


def _covariance(table: Table, centered: bool) -> tuple[Array, Array]:
    moments = MemorySource(table).compute(Moments)
    if centered:
        moments = moments.about_zero()
    return moments.scatter / table.n_rows, moments.mean
