"""Kernels that callers give as functions of two tables."""

from __future__ import annotations

from typing import Any

from stylobate.exceptions import InvalidDataError
from stylobate.kernels.kernel import count_of


def called_on_tables(function: Any, X: Any, Y: Any, owner: str) -> Any:
    """What a caller's kernel gives for two tables; its error with what it has to give.

    Raises
    ------
    InvalidDataError
        If the function fails as one does that was written for two single rows.

    Examples
    --------
    >>> import numpy as np
    >>> called_on_tables(lambda x, y: x @ y.T, np.eye(2), np.ones((1, 2)), "SVC")
    array([[1.],
           [1.]])
    """
    try:
        return function(X, Y)
    except (IndexError, TypeError, ValueError) as error:
        n, m = count_of(X), count_of(Y)
        raise InvalidDataError(
            f"{owner}: the kernel function failed on tables of {n} and {m} rows ({error}). "
            f"{shape_wanted(n, m)}"
        ) from error


def shape_wanted(n: int, m: int) -> str:
    """What a kernel function of two tables must give, as a sentence.

    >>> shape_wanted(3, 2)
    'For tables of shapes (n, p) and (m, p) it must give the (n, m) matrix of all pairs of rows, \
here (3, 2), and no number for two single rows; FunctionKernel(function) takes one of two rows.'
    """
    return (
        "For tables of shapes (n, p) and (m, p) it must give the (n, m) matrix of all pairs of "
        f"rows, here ({n}, {m}), and no number for two single rows; FunctionKernel(function) takes "
        "one of two rows."
    )
