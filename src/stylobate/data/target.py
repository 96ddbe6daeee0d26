"""Numeric targets → an (n, t) float64 matrix, and whether the caller passed a vector."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.containers import unpack
from stylobate.data.sparse import is_sparse, refuse_sparse
from stylobate.data.words import Input, refuse_length, user_stacklevel
from stylobate.exceptions import (
    DataConversionWarning,
    InvalidDataError,
    NumericalError,
    joined,
)


def refuse_missing_target(owner: str) -> None:
    """`y` was needed and not given."""
    raise InvalidDataError(
        f"This {owner} estimator requires y to be passed, but the target y is None."
    )


def read_target(
    y: Any, n_rows: int | None, *, owner: str, multi_output: bool = True
) -> tuple[NDArray[np.float64], bool, bool]:
    """The target as a C-contiguous (n, t) float64 array.

    Parameters
    ----------
    y : array-like of shape (n,) or (n, t)
        Numbers in any container.
    n_rows : int or None
        The rows of X, or None if somebody else compares them.
    owner : str
        Who is asking.
    multi_output : bool, default=True
        Whether several columns are allowed. If not, one column is read as a vector, with a
        `DataConversionWarning`.

    Returns
    -------
    y : ndarray of shape (n, t)
    is_vector : bool
        Whether a one-dimensional target was passed.
    finite : bool
        True if the dtype the caller used cannot hold NaN or infinities.

    Examples
    --------
    >>> read_target([1, 2], 2, owner="Ridge")
    (array([[1.],
           [2.]]), True, True)
    """
    source = Input(owner, "y")
    if is_sparse(y):
        refuse_sparse(source)
    unpacked = unpack(y, source)
    values = unpacked.values
    if is_sparse(values):  # a pandas frame of sparse columns
        values = values.toarray()
    if values.ndim == 2 and not multi_output and values.shape[1] == 1:
        warn_column_vector()
        values = values[:, 0]
    if values.ndim not in (1, 2) or (values.ndim == 2 and not multi_output):
        raise InvalidDataError(
            f"y should be a 1d array, got an array of shape {values.shape} instead, as target of "
            f"{owner}."
        )
    is_vector = values.ndim == 1
    if n_rows is not None and len(values) != n_rows:
        refuse_length(source, n_rows, len(values))
    if not is_vector and values.shape[1] == 0:
        raise InvalidDataError(
            f"{source} has no columns (shape={values.shape}); at least one target is required."
        )
    matrix = values.reshape(-1, 1) if is_vector else values
    if not unpacked.finite:
        refuse_huge_target(matrix, source)
    return np.ascontiguousarray(matrix, dtype=np.float64), is_vector, unpacked.finite


def refuse_huge_target(values: NDArray[Any], source: Input) -> None:
    """Means of numbers whose sum overflows are infinite, or NaN."""
    if not values.size or values.dtype.kind != "f":
        return
    largest = max(float(values.max()), -float(values.min()))  # NaN and infinity are others' matter
    if largest < np.inf and largest > np.finfo(np.float64).max / len(values):
        raise NumericalError(
            f"{source} holds values up to {largest:.3g}, too large to be added in double "
            "precision; use another unit."
        )


def warn_column_vector() -> None:
    """Tell that a column was read as a vector, in scikit-learn's words."""
    warnings.warn(
        "A column-vector y was passed when a 1d array was expected. Please change the shape of "
        "y to (n_samples, ), for example using ravel().",
        joined(DataConversionWarning),
        stacklevel=user_stacklevel(),
    )
