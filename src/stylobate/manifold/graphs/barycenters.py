"""Rows as weighted means of their neighbours."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from stylobate.arrays import Array, Integers
from stylobate.exceptions import NumericalError

_BLOCK_NUMBERS = 1 << 20  # of differences held at a time


def row_blocks(n: int, numbers: int) -> Iterator[slice]:
    """Slices of n rows that take so many numbers each."""
    step = max(1, _BLOCK_NUMBERS // max(1, numbers))
    for first in range(0, n, step):
        yield slice(first, min(first + step, n))


def barycenter_weights(x: Array, y: Array, near: Integers, reg: float) -> Array:
    r"""Weights that sum to 1 and bring the mean of a row's neighbours nearest to it.

    With differences :math:`c_j = y_j - x` and their products :math:`G_{jk} = c_j \cdot c_k`, w is
    the solution of :math:`(G + r\,\mathrm{tr}(G)\,I)\, w = 1`, divided by its sum.

    Parameters
    ----------
    x : ndarray of shape (m, p)
        Rows.
    y : ndarray of shape (n, p)
        Where neighbours are.
    near : ndarray of shape (m, k)
        The neighbours of each row of x, as rows of y.
    reg : float in [0, inf)
        r.

    Examples
    --------
    >>> line = np.array([[0.0], [1.0], [3.0]])
    >>> barycenter_weights(line[1:2], line, np.array([[0, 2]]), 0.0 + 1e-9).round(3)
    array([[0.667, 0.333]])
    """
    k = near.shape[1]
    weights = np.empty(near.shape)
    for part in row_blocks(len(near), k * (k + x.shape[1])):
        apart = y[near[part]] - x[part, np.newaxis, :]
        grams = apart @ apart.transpose(0, 2, 1)
        traces = np.trace(grams, axis1=1, axis2=2)
        grams[:, np.arange(k), np.arange(k)] += reg * np.where(traces > 0.0, traces, 1.0)[:, None]
        try:
            found = np.linalg.solve(grams, np.ones((len(grams), k, 1)))[:, :, 0]
        except np.linalg.LinAlgError:
            raise NumericalError(
                f"LocallyLinearEmbedding: with reg={reg} the weights of some rows are not "
                "determined (more neighbours than columns, or equal rows); set reg above 0."
            ) from None
        weights[part] = found / found.sum(axis=1, keepdims=True)
    return weights
