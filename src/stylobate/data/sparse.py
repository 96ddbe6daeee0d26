"""SciPy sparse matrices and arrays of every format → canonical `csr_array` or `csc_array`."""

from __future__ import annotations

import sys
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from stylobate.data.numbers import as_numbers
from stylobate.data.words import Input, refuse_complex
from stylobate.exceptions import InvalidDataError, UnsupportedDataError
from stylobate.sparse_structure import damage_of, same_arrays


def is_sparse(thing: object) -> bool:
    """Whether `thing` is a SciPy sparse matrix or array, without importing SciPy.

    Examples
    --------
    >>> is_sparse([[1.0, 0.0]])
    False
    """
    scipy_sparse = sys.modules.get("scipy.sparse")  # whoever made one has imported it
    return scipy_sparse is not None and bool(scipy_sparse.issparse(thing))


def is_sparse_array(thing: object) -> bool:
    """Whether `thing` is of SciPy's newer kind, for which ``*`` is the product of elements."""
    scipy_sparse = sys.modules.get("scipy.sparse")
    return scipy_sparse is not None and isinstance(thing, scipy_sparse.sparray)


def as_sparse(thing: Any, source: Input) -> Any:
    """Canonical CSR or CSC array: rows sorted, duplicates summed, indices inside the shape.

    CSR and CSC keep their format and, if already canonical with float values, their memory;
    every other format becomes CSR. Explicit zeros stay. What the caller passed is never changed.

    Parameters
    ----------
    thing : sparse matrix or array
        Two-dimensional, any format and dtype.
    source : Input
        Named in refusals.

    Returns
    -------
    scipy.sparse.csr_array or scipy.sparse.csc_array
        With float32 or float64 values and int32 or int64 indices.

    Examples
    --------
    >>> from scipy.sparse import coo_matrix
    >>> as_sparse(coo_matrix([[0, 2], [1, 0]]), Input("Ridge", "X")).format
    'csr'
    """
    from scipy.sparse import csr_array

    if thing.dtype.kind == "c":
        refuse_complex(source, thing.dtype)
    if thing.ndim != 2:
        _refuse_dimensions(thing, source)
    check_sparse(thing, source)
    compressed = thing.format in ("csr", "csc")
    matrix: Any = same_arrays(thing) if compressed else csr_array(thing.tocsr())
    matrix.data = np.ascontiguousarray(as_numbers(matrix.data, source))
    matrix.indices = np.ascontiguousarray(matrix.indices)
    matrix.indptr = np.ascontiguousarray(matrix.indptr)
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    return matrix


def check_sparse(thing: Any, source: Input) -> None:
    """Refuse a damaged sparse matrix before anyone slices, converts or spreads it out.

    Parameters
    ----------
    thing : object
        What is no sparse matrix passes.
    source : Input
        Named in refusals.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> rows = csr_array([[0.0, 2.0], [1.0, 0.0]])
    >>> rows.indices[0] = 7
    >>> check_sparse(rows, Input("Ridge", "X"))
    Traceback (most recent call last):
    ...
    stylobate.exceptions.InvalidDataError: Ridge: X is a damaged csr array of shape (2, 2): indices must be < 2. Build it again from its entries.
    """  # noqa: E501
    damage = damage_of(thing) if is_sparse(thing) else None
    if damage is not None:
        raise InvalidDataError(
            f"{source} is a damaged {thing.format} array of shape {thing.shape}: {damage}. "
            f"Build it again from its entries."
        )


def dense_array(thing: Any, source: Input) -> NDArray[Any]:
    """A sparse matrix spread out, anything else as NumPy reads it."""
    check_sparse(thing, source)
    return np.asarray(thing.toarray() if is_sparse(thing) else thing)


def _refuse_dimensions(thing: Any, source: Input) -> NoReturn:
    if thing.ndim > 2:
        raise InvalidDataError(
            f"Found array with dim {thing.ndim}, while dim <= 2 is required by {source.owner}."
        )
    raise InvalidDataError(
        f"Expected 2D input, got input with shape {thing.shape} for {source.label} of "
        f"{source.owner}.\nReshape your data either using array.reshape(-1, 1) if your data has "
        f"a single feature or array.reshape(1, -1) if it contains a single sample."
    )


def refuse_sparse(source: Input) -> NoReturn:
    """A sparse input where only dense ones are taken."""
    raise UnsupportedDataError(
        f"Sparse data was passed for {source.label}, but dense data is required by "
        f"{source.owner}. Use '.toarray()' to convert to a dense numpy array."
    )


def position_of_entry(matrix: Any, entry: int) -> tuple[int, int]:
    """Row and column of stored entry number `entry`."""
    major = int(np.searchsorted(matrix.indptr, entry, side="right")) - 1
    minor = int(matrix.indices[entry])
    return (major, minor) if matrix.format == "csr" else (minor, major)
