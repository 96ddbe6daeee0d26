"""Functions of the caller's own as metrics and kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.sparse import is_sparse
from stylobate.distances import Function
from stylobate.exceptions import InvalidDataError
from stylobate.metrics.pairwise.arrays import Finite, read_pair


def pairwise_callable(
    X: Any, Y: Any, function: Function, owner: str, finite: Finite = True
) -> NDArray[np.float64]:
    """``function(row of X, row of Y)`` for every pair; symmetric if only X is given.

    Parameters
    ----------
    X, Y : table-like, or arrays of any objects
        Y may be None.
    function : Function
        Gets two rows, returns a number.
    owner : str
        Named in refusals.
    finite : bool or "allow-nan", default=True
        What numbers may be.

    Examples
    --------
    >>> far = Function(lambda a, b: abs(a - b).max())
    >>> pairwise_callable([[0, 1], [2, 3]], None, far, "example")
    array([[0., 2.],
           [2., 0.]])
    """
    return function.matrix(*rows_for_function(X, Y, owner, finite))


def rows_for_function(X: Any, Y: Any, owner: str, finite: Finite = True) -> tuple[Any, Any]:
    """Rows as a function of the caller's own takes them: numbers checked, anything else as it is.

    Examples
    --------
    >>> rows_for_function(["ab", "c"], None, "example")[0]
    array(['ab', 'c'], dtype='<U2')
    """
    if not is_sparse(X) and not hasattr(X, "columns"):
        x = np.asarray(X)
        if x.dtype.kind not in "fiub" or x.ndim != 2:  # texts, sets …: the function knows them
            y = x if Y is None or Y is X else np.asarray(Y)
            if x.ndim == 0 or y.ndim == 0:
                raise InvalidDataError(f"{owner}: X and Y must be lists of rows.")
            return x, y
    return read_pair(X, Y, owner, finite=finite)
