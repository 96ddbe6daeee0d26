"""Reading two tables whose rows are compared with each other."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from stylobate.config import get_config
from stylobate.data import read_table
from stylobate.data.finite import refuse_nonfinite
from stylobate.data.sparse import is_sparse
from stylobate.data.words import Input
from stylobate.exceptions import InvalidDataError

Finite = bool | Literal["allow-nan"]


def read_pair(
    X: Any, Y: Any, owner: str, *, sparse: bool = True, finite: Finite = True
) -> tuple[Any, Any]:
    """Both tables as arrays of one precision with as many columns; Y is X where only X is given.

    Parameters
    ----------
    X, Y : table-like
        Whatever the library takes; Y may be None.
    owner : str
        Who asks, named in refusals.
    sparse : bool, default=True
        Whether sparse tables are taken.
    finite : bool or "allow-nan", default=True
        Refuse NaN and infinities, let NaN pass, or look at nothing.

    Returns
    -------
    x, y : ndarray or csr_array
        float32 if both were, else float64.

    Examples
    --------
    >>> x, y = read_pair([[1, 2]], None, "euclidean_distances")
    >>> x is y, x.dtype
    (True, dtype('float64'))
    """
    x = _read(X, owner, "X", sparse, finite)
    if Y is None or Y is X:
        return x, x
    y = _read(Y, owner, "Y", sparse, finite)
    if x.shape[1] != y.shape[1]:
        raise InvalidDataError(
            f"{owner}: Incompatible dimension for X and Y matrices: X.shape[1] == {x.shape[1]} "
            f"while Y.shape[1] == {y.shape[1]}. Give both the same columns."
        )
    if x.dtype != y.dtype:
        x, y = x.astype(np.float64), y.astype(np.float64)
    return x, y


def _read(X: Any, owner: str, label: str, sparse: bool, finite: Finite) -> Any:
    table = read_table(X, owner=owner, accept_sparse=sparse, check_finite="deferred")
    x = table.x
    if finite is not False and not table.finite and not get_config()["assume_finite"]:
        only: Literal["any", "infinite"] = "infinite" if finite == "allow-nan" else "any"
        refuse_nonfinite(x, Input(owner, label), names=table.names, only=only)
    if table.is_sparse:
        return x.tocsr() if x.format != "csr" else x
    return x if x.strides[1] == x.itemsize else np.ascontiguousarray(x)


def check_pairwise_arrays(
    X: Any,
    Y: Any,
    *,
    precomputed: bool = False,
    dtype: Any = "infer_float",
    accept_sparse: Any = "csr",
    ensure_all_finite: Finite = True,
    ensure_2d: bool = True,
    copy: bool = False,
) -> tuple[Any, Any]:
    """Both tables checked for a pairwise computation.

    Parameters
    ----------
    X : table-like of shape (n, p)
        Queries.
    Y : table-like of shape (m, p) or None
        Rows; None means X.
    precomputed : bool, default=False
        X holds distances to the rows of Y: as many columns as Y has rows.
    dtype : dtype, "infer_float" or None, default="infer_float"
        float32 if both are, else float64; a type to convert to; None leaves them.
    accept_sparse : str, bool or list, default="csr"
        False refuses sparse tables; anything else gives CSR.
    ensure_all_finite : bool or "allow-nan", default=True
        Refuse NaN and infinities; let NaN pass; look at nothing.
    ensure_2d : bool, default=True
        False takes rows of any kind, for functions of the caller's own.
    copy : bool, default=False
        Never share memory with the caller.

    Returns
    -------
    X, Y : arrays
        The same object twice where Y is None or X.

    Examples
    --------
    >>> a, b = check_pairwise_arrays([[1, 2]], [[3, 4], [5, 6]])
    >>> a.shape, b.shape
    ((1, 2), (2, 2))
    """
    owner = "check_pairwise_arrays"
    if not ensure_2d and dtype is None and not is_sparse(X):
        x = np.array(X) if copy else np.asarray(X)
        return x, (x if Y is None or Y is X else np.array(Y) if copy else np.asarray(Y))
    if precomputed:
        x = _read(X, owner, "X", bool(accept_sparse), ensure_all_finite)
        y = x if Y is None or Y is X else _read(Y, owner, "Y", True, ensure_all_finite)
        if x.shape[1] != y.shape[0]:
            raise InvalidDataError(
                "Precomputed metric requires shape (n_queries, n_indexed). Got "
                f"({x.shape[0]}, {x.shape[1]}) for {y.shape[0]} indexed."
            )
    else:
        x, y = read_pair(X, Y, owner, sparse=bool(accept_sparse), finite=ensure_all_finite)
    same = y is x
    if dtype not in (None, "infer_float"):
        x = x.astype(dtype, copy=False)
        y = x if same else y.astype(dtype, copy=False)
    if copy:
        x = x.copy()
        y = x if same else y.copy()
    return x, y


def check_paired_arrays(X: Any, Y: Any) -> tuple[Any, Any]:
    """Both tables checked for a row-by-row computation: they must have one shape.

    Parameters
    ----------
    X, Y : table-like of shape (n, p)
        Rows to be compared one by one.

    Returns
    -------
    X, Y : arrays

    Examples
    --------
    >>> a, b = check_paired_arrays([[1, 2]], [[3, 4]])
    >>> b - a
    array([[2., 2.]])
    """
    x, y = read_pair(X, Y, "check_paired_arrays")
    if x.shape != y.shape:
        raise InvalidDataError(
            "X and Y should be of same shape. They were respectively "
            f"{x.shape!r} and {y.shape!r} long."
        )
    return x, y
