"""Matrices with at most one 1 for each row and feature, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidDataError


def sparse_ones(at: NDArray[np.intp], shape: tuple[int, int], dtype: np.dtype[Any]) -> Any:
    """A CSR array with a 1 at each column named in a row of `at` (-1: none).

    >>> sparse_ones(np.array([[0, -1], [1, 2]]), (2, 3), np.dtype(float)).toarray()
    array([[1., 0., 0.],
           [0., 1., 1.]])
    """
    from scipy import sparse

    present = at >= 0
    starts = np.zeros(len(at) + 1, dtype=np.int64)
    np.cumsum(present.sum(axis=1), out=starts[1:])
    indices = (at if present.all() else at[present]).reshape(-1)
    small = max(len(indices), shape[1]) < np.iinfo(np.int32).max
    kind = np.int32 if small else np.int64
    ones = np.ones(len(indices), dtype=dtype)
    return sparse.csr_array((ones, indices.astype(kind), starts.astype(kind)), shape=shape)


def dense_ones(at: NDArray[np.intp], shape: tuple[int, int], dtype: np.dtype[Any]) -> Any:
    """The same as an array."""
    out = np.zeros(shape, dtype=dtype)
    rows = np.arange(len(at))
    for column in at.T:
        present = column >= 0
        out[rows[present], column[present]] = 1
    return out


def invert_block(
    block: NDArray[Any], labels: NDArray[Any], dropped: NDArray[Any], *, tolerant: bool
) -> NDArray[Any]:
    """The category of each row of one feature's columns.

    Parameters
    ----------
    block : array of shape (n, k)
        Its columns.
    labels : array of shape (k,)
        What they stand for.
    dropped : array
        Categories without a column: a row of zeros is the only one.
    tolerant : bool
        Whether rows of zeros may stay unknown (None).
    """
    zeros = ~block.any(axis=1)
    if not labels.size:
        alone = dropped if len(dropped) == 1 else np.array([None], dtype=object)
        out = np.full(len(block), alone[0], dtype=alone.dtype)
    else:
        out = labels[block.argmax(axis=1)]
    if not zeros.any():
        return out
    if len(dropped) == 1:
        if out.dtype != dropped.dtype:
            out = out.astype(dropped.dtype)
        out[zeros] = dropped[0]
    elif tolerant:
        out = out.astype(object)
        out[zeros] = None
    else:
        raise InvalidDataError(
            f"Samples {np.flatnonzero(zeros)} can not be inverted when drop=None and "
            "handle_unknown='error' because they contain all zeros"
        )
    return out


def invert_dependent(block: NDArray[Any], x: Any, sums: Any, labels: NDArray[Any]) -> NDArray[Any]:
    """The category of each row where several have no column but depend on columns there are.

    Parameters
    ----------
    block : array of shape (n, k)
        The feature's columns.
    x : array or sparse array of shape (n, n_columns)
        All columns.
    sums : csc_array of shape (1 + n_columns, d)
        The columns left out, as sums of a constant and of all columns.
    labels : array of shape (k + d,)
        What the columns stand for, those left out last.
    """
    again = x @ sums[1:]
    again = (again.toarray() if hasattr(again, "toarray") else again) + sums[:1].toarray()
    whole = np.column_stack([block, again])
    best = whole.argmax(axis=1)
    whole[np.arange(len(whole)), best] -= 1.0
    sure = np.abs(whole).max(axis=1, initial=0.0) < 1e-6
    out: NDArray[Any] = labels[best]
    if not sure.all():
        out = out.astype(object)
        out[~sure] = None
    return out
