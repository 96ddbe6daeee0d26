"""Whether the arrays inside a SciPy sparse matrix fit together.

SciPy trusts them when it takes rows, converts formats or makes a matrix dense: indices outside the
shape then make it read and write foreign memory.
"""

from __future__ import annotations

from typing import Any


def damage_of(matrix: Any) -> str | None:
    """What is wrong with a sparse matrix, or None; the cost is one look at its indices.

    Parameters
    ----------
    matrix : sparse matrix or array
        Of any format; those that SciPy builds entry by entry cannot be damaged this way.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> rows = csr_array([[0.0, 2.0], [1.0, 0.0]])
    >>> damage_of(rows)
    >>> rows.indices[0] = 7
    >>> damage_of(rows)
    'indices must be < 2'
    """
    if matrix.format in ("csr", "csc"):
        return _of_compressed(same_arrays(matrix))
    if matrix.format == "bsr":
        return _of_compressed(matrix)
    if matrix.format == "coo":
        return _of_coordinates(matrix)
    if matrix.format == "dia" and len(matrix.offsets) != len(matrix.data):
        return f"{len(matrix.data)} diagonals but {len(matrix.offsets)} offsets"
    return None


def same_arrays(matrix: Any) -> Any:
    """A fresh CSR or CSC array over the same three arrays.

    Cached claims of the caller's object (sorted? canonical?) are not trusted, and nothing done to
    the new one can change it.
    """
    from scipy.sparse import csc_array, csr_array

    kind = csr_array if matrix.format == "csr" else csc_array
    same: Any = kind(matrix.shape, dtype=float)
    same.indptr, same.indices, same.data = matrix.indptr, matrix.indices, matrix.data
    return same


def _of_compressed(matrix: Any) -> str | None:
    if len(matrix.data) != len(matrix.indices):
        return f"{len(matrix.data)} values but {len(matrix.indices)} indices"
    try:
        matrix.check_format(full_check=True)
    except (ValueError, IndexError) as error:
        return str(error)
    return None


def _of_coordinates(matrix: Any) -> str | None:
    for size, places in zip(matrix.shape, matrix.coords, strict=True):
        if len(places) != len(matrix.data):
            return f"{len(matrix.data)} values but {len(places)} indices"
        if len(places) and (places.min() < 0 or places.max() >= size):
            return f"indices must lie in [0, {size})"
    return None
