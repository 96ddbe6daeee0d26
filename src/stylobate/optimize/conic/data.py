"""The numbers of a program, checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data.sparse import check_sparse
from stylobate.data.words import Input
from stylobate.exceptions import InvalidDataError
from stylobate.parallel import one_blas_thread


def vector(owner: str, name: str, given: Any, n: int | None = None) -> Array:
    """A finite vector, of n entries if n is given."""
    try:
        v = np.atleast_1d(np.asarray(given, dtype=np.float64))
    except (TypeError, ValueError) as error:
        raise InvalidDataError(f"{owner}: {name} must hold numbers.") from error
    if v.ndim != 1 or (n is not None and len(v) != n):
        wanted = "a vector" if n is None else f"a vector of {n} entries"
        raise InvalidDataError(f"{owner}: {name} has shape {v.shape}; it must be {wanted}.")
    if not np.isfinite(v).all():
        raise InvalidDataError(f"{owner}: {name} must be finite; it holds NaN or infinity.")
    return v


def matrix(owner: str, name: str, given: Any, columns: int) -> Any:
    """A finite sparse matrix (CSC) with so many columns."""
    from scipy import sparse as scipy_sparse

    sparse: Any = scipy_sparse
    check_sparse(given, Input(owner, name))
    if sparse.issparse(given):
        m = sparse.csc_matrix(given, dtype=np.float64)
    else:
        try:
            dense = np.atleast_2d(np.asarray(given, dtype=np.float64))
        except (TypeError, ValueError) as error:
            raise InvalidDataError(f"{owner}: {name} must hold numbers.") from error
        if dense.ndim != 2:
            raise InvalidDataError(f"{owner}: {name} has shape {dense.shape}; it must be a matrix.")
        m = sparse.csc_matrix(dense)
    if m.shape[1] != columns:
        raise InvalidDataError(f"{owner}: {name} has {m.shape[1]} columns for {columns} variables.")
    if not np.isfinite(m.data).all():
        raise InvalidDataError(f"{owner}: {name} must be finite; it holds NaN or infinity.")
    return m


def group(owner: str, names: tuple[str, str], left: Any, right: Any, n: int) -> tuple[Any, Array]:
    """A matrix and its right-hand side; both or neither."""
    from scipy import sparse

    if (left is None) != (right is None):
        missing = names[0] if left is None else names[1]
        raise InvalidDataError(
            f"{owner}: {names[0]} and {names[1]} go together; {missing} is missing."
        )
    if left is None:
        return sparse.csc_matrix((0, n)), np.zeros(0)
    m = matrix(owner, names[0], left, n)
    return m, vector(owner, names[1], right, m.shape[0])


def bounds(owner: str, given: Any, n: int) -> tuple[Array, Array]:
    """Lower and upper bounds of n variables; infinite where there are none."""
    low, high = np.full(n, -np.inf), np.full(n, np.inf)
    if given is None:
        return low, high
    try:
        pairs = list(given.T) if _is_column_pair(given, n) else list(given)
        if _is_column_pair(given, n) or (
            len(pairs) == 2
            and (not hasattr(pairs[0], "__len__") or (n != 2 and len(pairs[0]) == n))
        ):
            ends = pairs
        else:
            ends = [[p[0] for p in pairs], [p[1] for p in pairs]]
        low, high = (
            _bound(end, none, n) for end, none in zip(ends, (-np.inf, np.inf), strict=True)
        )
    except (TypeError, ValueError, IndexError) as error:
        raise InvalidDataError(
            f"{owner}: bounds must be (low, high) for all variables or a pair for each."
        ) from error
    if low.shape != (n,) or high.shape != (n,):
        raise InvalidDataError(f"{owner}: bounds are {len(low)} for {n} variables.")
    if np.isnan(low).any() or np.isnan(high).any():
        raise InvalidDataError(f"{owner}: bounds must not be NaN.")
    return low, high


def _is_column_pair(given: Any, n: int) -> bool:
    return isinstance(given, np.ndarray) and given.shape == (n, 2)


def _bound(end: Any, none: float, n: int) -> Array:
    """One end of all variables' bounds, given for all at once or for each."""
    if isinstance(end, np.ndarray) and end.dtype == np.float64:
        return end
    if not hasattr(end, "__len__"):
        return np.full(n, none if end is None else float(end))
    return np.array([none if e is None else float(e) for e in end])


def symmetric(owner: str, name: str, given: Any, n: int) -> Any:
    """A symmetric positive semidefinite matrix (CSC)."""
    m = matrix(owner, name, given, n)
    if m.shape[0] != n:
        raise InvalidDataError(f"{owner}: {name} has shape {m.shape}; it must be ({n}, {n}).")
    size = float(np.abs(m.data).max(initial=0.0))
    if isinstance(given, np.ndarray):
        lopsided = float(np.abs(given - given.T).max(initial=0.0))
    else:
        lopsided = float(np.abs((m - m.T).data).max(initial=0.0))
    if lopsided > 1e-10 * max(size, 1e-300):
        raise InvalidDataError(f"{owner}: {name} must be symmetric; pass (P + Pᵀ)/2.")
    return m


def require_convex(owner: str, name: str, m: Any, given: Any = None) -> None:
    """Refuse a quadratic with a direction of negative curvature, and name its size.

    `given` may be the same matrix as the caller passed it, to save a conversion.
    """
    n = m.shape[0]
    if not m.nnz or n > 3000:
        return
    from scipy.linalg.lapack import dpotrf

    size = float(np.abs(m.data).max(initial=0.0))
    tolerance = 1e-9 * max(size, 1e-300)
    dense = given if isinstance(given, np.ndarray) else m.toarray()
    shifted = np.array(dense, dtype=np.float64)
    shifted[np.diag_indices(n)] += tolerance
    with one_blas_thread():
        _, broken = dpotrf(shifted, overwrite_a=1)  # an eighth of the price of eigenvalues
        lowest = float(np.linalg.eigvalsh(dense)[0]) if broken else 0.0
    if lowest < -tolerance:
        raise InvalidDataError(
            f"{owner}: {name} has the negative eigenvalue {lowest:.3g}, so the program is not "
            "convex and a minimum found could be a local one; use minimize for such functions."
        )
