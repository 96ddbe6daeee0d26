"""Functions of the caller's own as metrics and kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.sparse import is_sparse
from stylobate.exceptions import InvalidDataError
from stylobate.metrics.pairwise.arrays import Finite, read_pair


def pairwise_callable(
    X: Any,
    Y: Any,
    function: Callable[..., float],
    owner: str,
    finite: Finite = True,
    **params: Any,
) -> NDArray[np.float64]:
    """``function(row of X, row of Y)`` for every pair; symmetric if only X is given.

    Parameters
    ----------
    X, Y : table-like, or arrays of any objects
        Y may be None.
    function : callable
        Gets two rows and ``params``, returns a number.
    owner : str
        Named in refusals.
    finite : bool or "allow-nan", default=True
        What numbers may be.

    Examples
    --------
    >>> pairwise_callable([[0, 1], [2, 3]], None, lambda a, b: abs(a - b).max(), "example")
    array([[0., 2.],
           [2., 0.]])
    """
    x, y = _rows(X, Y, owner, finite)
    n, m = x.shape[0], y.shape[0]
    out = np.zeros((n, m))
    if y is not x:
        for i in range(n):
            for j in range(m):
                out[i, j] = _number(function(_row(x, i), _row(y, j), **params), owner)
        return out
    for i in range(n):
        out[i, i] = _number(function(_row(x, i), _row(x, i), **params), owner)
        for j in range(i + 1, n):
            out[i, j] = out[j, i] = _number(function(_row(x, i), _row(x, j), **params), owner)
    return out


def _number(value: Any, owner: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InvalidDataError(
            f"{owner}: the function of two rows must return one number, got {value!r}."
        ) from None


def _rows(X: Any, Y: Any, owner: str, finite: Finite) -> tuple[Any, Any]:
    if not is_sparse(X) and not hasattr(X, "columns"):
        x = np.asarray(X)
        if x.dtype.kind not in "fiub" or x.ndim != 2:  # texts, sets …: the function knows them
            y = x if Y is None or Y is X else np.asarray(Y)
            if x.ndim == 0 or y.ndim == 0:
                raise InvalidDataError(f"{owner}: X and Y must be lists of rows.")
            return x, y
    return read_pair(X, Y, owner, finite=finite)


def _row(x: Any, i: int) -> Any:
    return x[i] if isinstance(x, np.ndarray) else x[[i]]
