"""Principal components one after the other, and the best approximation of a given rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data import read_table
from stylobate.exceptions import InvalidParameterError

_STEPS, _SETTLED = 10_000, 1e-14


@dataclass(frozen=True, slots=True, eq=False)
class Deflation:
    """Components found one by one.

    Parameters
    ----------
    mean : array of shape (p,)
    components : array of shape (k, p)
        Unit directions.
    variances : array of shape (k,)
        Along them, divided by n − 1.
    residuals : array of shape (k + 1, n, p)
        The centred rows, then what is left of them after each component: rows minus their
        projections.
    """

    mean: Array
    components: Array
    variances: Array
    residuals: Array


def pca_by_deflation(X: Any, n_components: int = 2, *, random_state: int = 0) -> Deflation:
    r"""Principal components by repeating two steps: find the best direction, take it away.

    .. math:: v_k = \arg\max_{\|v\| = 1} \|R_k v\|^2, \qquad R_{k+1} = R_k - R_k v_k v_k^\top

    Each direction is found by power iteration. `PCA` finds them together and more precisely; this
    is to see how, with `stylobate.plot.plot_residual_lines`.

    Parameters
    ----------
    X : array-like or data frame of shape (n, p)
        Rows.
    n_components : int in [1, min(n, p)], default=2
        How many.
    random_state : int, default=0
        Of the starts of the iterations.

    Returns
    -------
    Deflation

    Examples
    --------
    >>> found = pca_by_deflation([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [2.0, 2.4]], 2)
    >>> found.components.round(2), found.residuals.shape
    (array([[ 0.7 ,  0.72],
           [ 0.72, -0.7 ]]), (3, 4, 2))
    """
    rows = np.asarray(read_table(X, owner="pca_by_deflation").x, dtype=np.float64)
    if not 1 <= n_components <= min(rows.shape):
        raise InvalidParameterError(
            f"pca_by_deflation: n_components must be from 1 to {min(rows.shape)}, got "
            f"{n_components!r}."
        )
    random = np.random.default_rng(random_state)
    mean = rows.mean(axis=0)
    left = rows - mean
    residuals, components, variances = [left], [], []
    for _ in range(n_components):
        v = _direction(left, random.normal(size=(rows.shape[1],)))
        lengths = left @ v
        left = left - np.outer(lengths, v)
        residuals.append(left)
        components.append(v)
        variances.append(float(lengths @ lengths) / (len(rows) - 1))
    return Deflation(mean, np.array(components), np.array(variances), np.array(residuals))


def _direction(rows: Array, start: Array) -> Array:
    """The direction of the largest spread, its largest entry positive."""
    v = start / np.linalg.norm(start)
    for _ in range(_STEPS):
        w = rows.T @ (rows @ v)
        length = float(np.linalg.norm(w))
        if length == 0.0:
            break
        before, v = v, w / length
        if 1.0 - abs(float(v @ before)) < _SETTLED:
            break
    return np.asarray(v * np.sign(v[np.argmax(np.abs(v))]))


@dataclass(frozen=True, slots=True, eq=False)
class LowRank:
    """The best approximation of a rank.

    Parameters
    ----------
    matrix : array of shape (n, p)
    singular_values : array of shape (min(n, p),)
        All of them.
    rank : int
    """

    matrix: Array
    singular_values: Array
    rank: int

    @property
    def error(self) -> float:
        """The least sum of squared differences of any matrix of this rank: Σ σ² of the rest."""
        return float((self.singular_values[self.rank :] ** 2).sum())

    @property
    def spectral_error(self) -> float:
        """The least largest stretch of a difference: the next singular value."""
        rest = self.singular_values[self.rank :]
        return float(rest[0]) if len(rest) else 0.0


def best_rank_k(X: Any, rank: int) -> LowRank:
    r"""The matrix of rank k nearest to X, in the Frobenius and the spectral norm.

    .. math:: X_k = \sum_{i \le k} \sigma_i u_i v_i^\top, \qquad
              \min_{\mathrm{rank}\,B \le k} \|X - B\|_F^2 = \sum_{i > k} \sigma_i^2

    Of a signal of rank k with noise on it, it is nearer to the signal than X is: most of the noise
    lies in the directions left out.

    Parameters
    ----------
    X : array-like of shape (n, p)
        Not centred.
    rank : int in [0, min(n, p)]
        k.

    Returns
    -------
    LowRank

    Examples
    --------
    >>> best = best_rank_k([[3.0, 0.0], [0.0, 1.0]], 1)
    >>> best.matrix, best.error, best.spectral_error
    (array([[3., 0.],
           [0., 0.]]), 1.0, 1.0)

    References
    ----------
    Eckart & Young (1936), The approximation of one matrix by another of lower rank.
    """
    rows = np.asarray(read_table(X, owner="best_rank_k").x, dtype=np.float64)
    if not 0 <= rank <= min(rows.shape):
        raise InvalidParameterError(
            f"best_rank_k: rank must be from 0 to {min(rows.shape)}, got {rank!r}."
        )
    u, s, vt = np.linalg.svd(rows, full_matrices=False)
    return LowRank((u[:, :rank] * s[:rank]) @ vt[:rank] + 0.0, s, int(rank))
