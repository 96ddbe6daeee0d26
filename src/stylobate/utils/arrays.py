"""What estimators of your own check of what they are given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from stylobate.arrays import Array
from stylobate.data.containers import unpack
from stylobate.data.finite import refuse_nonfinite
from stylobate.data.indexing import indexable as rows_of
from stylobate.data.shape import check_shape
from stylobate.data.sparse import check_sparse, is_sparse
from stylobate.data.words import Input, refuse_complex
from stylobate.exceptions import InvalidDataError, UnsupportedDataError

_ANY = "numeric"


def check_array(
    array: Any,
    accept_sparse: bool | str | Sequence[str] = False,
    *,
    dtype: Any = _ANY,
    order: Literal["C", "F"] | None = None,
    copy: bool = False,
    ensure_all_finite: bool | Literal["allow-nan"] = True,
    ensure_non_negative: bool = False,
    ensure_2d: bool = True,
    allow_nd: bool = False,
    ensure_min_samples: int = 1,
    ensure_min_features: int = 1,
    estimator: Any = None,
    input_name: str = "X",
) -> Any:
    """A table of numbers from any container, or a refusal that says what is wrong.

    Parameters
    ----------
    array : array-like, sparse matrix or data frame
        What was given.
    accept_sparse : bool, str or sequence of str, default=False
        Whether sparse matrices pass, or their formats ("csr", "csc", …); another format becomes
        the first of them.
    dtype : "numeric", dtype, sequence of dtypes or None, default="numeric"
        "numeric": numbers as they are, objects and text that are numbers as float64; a sequence:
        kept where it is one of them, else the first; None: as it is.
    order : {"C", "F"} or None, default=None
        Memory layout.
    copy : bool, default=False
        Whether the answer must be memory of its own.
    ensure_all_finite : {True, False, "allow-nan"}, default=True
        Whether NaN and infinity are refused, or infinity alone.
    ensure_non_negative : bool, default=False
        Whether negative numbers are refused.
    ensure_2d, allow_nd : bool, default=True, False
        Whether there must be two dimensions, and whether there may be more.
    ensure_min_samples, ensure_min_features : int in [0, inf), default=1
        The smallest shape.
    estimator : object or str, optional
        Who asks, for messages.
    input_name : str, default="X"
        What is checked, for messages.

    Returns
    -------
    array or sparse matrix

    Examples
    --------
    >>> check_array([[1, 2], [3, 4]])
    array([[1, 2],
           [3, 4]])
    """
    source = Input(_name_of(estimator), input_name)
    if is_sparse(array):
        values = _sparse(array, accept_sparse, dtype, copy, source)
    else:
        values = _dense(array, dtype, order, copy, source)
    wrong = values.ndim > 2 and not allow_nd
    if wrong or (ensure_2d and values.ndim < 2):
        check_shape(values, array, source, min_rows=0, min_features=0)
    if values.ndim == 2:
        least = {"min_rows": ensure_min_samples, "min_features": ensure_min_features}
        check_shape(values, array, source, **least)
    if ensure_min_samples and values.ndim and values.shape[0] < ensure_min_samples:
        raise InvalidDataError(
            f"Found array with {values.shape[0]} sample(s) (shape={values.shape}) while a minimum "
            f"of {ensure_min_samples} is required by {source.owner}."
        )
    if ensure_all_finite is not False:
        _refuse_nonfinite(values, source, nan_passes=ensure_all_finite == "allow-nan")
    if ensure_non_negative:
        check_non_negative(values, source.owner)
    return values


def _name_of(estimator: Any) -> str:
    if estimator is None:
        return "check_array"
    return estimator if isinstance(estimator, str) else type(estimator).__name__


def _dense(array: Any, dtype: Any, order: Any, copy: bool, source: Input) -> Any:
    """Numbers as they are where that is asked for; else what the door makes of the container."""
    values: Any = array
    if not isinstance(array, np.ndarray) or isinstance(array, np.matrix | np.ma.MaskedArray):
        plain = isinstance(array, list | tuple) or np.isscalar(array)
        # the door reads frames and refuses ragged lists; lists of integers stay integers
        unpacked = unpack(array, source).values if not _as_is(dtype) else np.asarray(array)
        values = _integers(array, unpacked) if plain and not _as_is(dtype) else unpacked
    if values.dtype.kind == "c":
        refuse_complex(source, values.dtype)
    if isinstance(dtype, str) and dtype == _ANY:
        if values.dtype.kind not in "iubf":
            values = unpack(values, source).values
    elif isinstance(dtype, list | tuple):
        if values.dtype not in [np.dtype(each) for each in dtype]:
            values = _cast(values, dtype[0], source)
    elif dtype is not None and values.dtype != np.dtype(dtype):
        values = _cast(values, dtype, source)
    owned = np.array(values, order=order or "K", copy=True) if copy else values
    return np.asarray(owned, order=order) if order else owned


def _as_is(dtype: Any) -> bool:
    return dtype is None or dtype is object


def _integers(given: Any, values: Array) -> Array:
    """A list of whole numbers or truths as NumPy reads it."""
    plain = np.asarray(given) if values.size else values
    return plain if plain.dtype.kind in "iub" and plain.shape == values.shape else values


def _cast(values: Any, dtype: Any, source: Input) -> Any:
    wanted = np.dtype(dtype)
    if values.dtype.kind == "O" and wanted.kind in "fiu":
        values = unpack(values, source).values
    if values.dtype.kind == "f" and wanted.kind in "iu" and not np.isfinite(values).all():
        raise InvalidDataError(
            f"{source} contains NaN or infinity, which {wanted} cannot hold; impute or drop them."
        )
    return values.astype(wanted)


def _sparse(array: Any, accept: Any, dtype: Any, copy: bool, source: Input) -> Any:
    if accept is False:
        raise UnsupportedDataError(
            f"{source}: Sparse data was passed, but dense data is required. "
            "Use '.toarray()' to convert to a dense numpy array."
        )
    check_sparse(array, source)
    formats = (accept,) if isinstance(accept, str) else () if accept is True else tuple(accept)
    values = array.asformat(formats[0]) if formats and array.format not in formats else array
    kinds = dtype if isinstance(dtype, list | tuple) else (dtype,)
    wanted = [np.dtype(kind) for kind in kinds if kind is not None and kind != _ANY]
    if wanted and values.dtype not in wanted:
        values = values.astype(wanted[0])
    return values.copy() if copy and values is array else values


def _refuse_nonfinite(values: Any, source: Input, *, nan_passes: bool) -> None:
    if values.dtype.kind == "O":
        missing = [value for value in values.flat if isinstance(value, float) and value != value]
        if missing and not nan_passes:
            raise InvalidDataError(
                f"{source} contains NaN. Impute missing values or drop those rows first."
            )
        return
    if values.dtype.kind != "f":
        return
    table = values if is_sparse(values) or values.ndim == 2 else values.reshape(len(values), -1)
    if values.ndim == 0:
        table = values.reshape(1, 1)
    refuse_nonfinite(table, source, only="infinite" if nan_passes else "any")


def assert_all_finite(
    X: Any, *, allow_nan: bool = False, estimator_name: str | None = None, input_name: str = ""
) -> None:
    """Refuse NaN and infinity.

    Parameters
    ----------
    X : array or sparse matrix
        Numbers.
    allow_nan : bool, default=False
        Whether NaN passes.
    estimator_name, input_name : str
        For messages.

    Examples
    --------
    >>> assert_all_finite(np.ones((2, 2)))
    """
    source = Input(estimator_name or "assert_all_finite", input_name or "Input")
    check_sparse(X, source)
    values = X if is_sparse(X) else np.atleast_1d(np.asarray(X))
    _refuse_nonfinite(values, source, nan_passes=allow_nan)


def check_non_negative(X: Any, whom: str) -> None:
    """Refuse negative numbers.

    Parameters
    ----------
    X : array or sparse matrix
        Numbers.
    whom : str
        Who asks.

    Examples
    --------
    >>> check_non_negative(np.ones((2, 2)), "NMF")
    """
    check_sparse(X, Input(whom, "X"))
    values = X.data if is_sparse(X) else np.asarray(X)
    if values.size and values.min() < 0:
        raise InvalidDataError(
            f"Negative values in data passed to {whom}: the smallest is {values.min():.6g}; shift "
            "or drop them."
        )


def check_X_y(
    X: Any,
    y: Any,
    accept_sparse: bool | str | Sequence[str] = False,
    *,
    multi_output: bool = False,
    y_numeric: bool = False,
    estimator: Any = None,
    **options: Any,
) -> tuple[Any, Any]:
    """X as `check_array` gives it, and a target with one value for each of its rows.

    Parameters
    ----------
    X, y : array-like
        Rows and their target.
    accept_sparse, estimator, options
        As for `check_array`.
    multi_output : bool, default=False
        Whether y may have several columns.
    y_numeric : bool, default=False
        Whether y must be numbers.

    Returns
    -------
    X, y

    Examples
    --------
    >>> check_X_y([[1.0], [2.0]], ["a", "b"])[1]
    array(['a', 'b'], dtype='<U1')
    """
    name = _name_of(estimator) if estimator is not None else "check_X_y"
    if y is None:
        raise InvalidDataError(
            f"{name} requires y to be passed, but the target y is None; give a target."
        )
    rows = check_array(X, accept_sparse, estimator=name, **options)
    if multi_output:
        target = check_array(y, "csr", dtype=None, ensure_2d=False, estimator=name, input_name="y")
    else:
        target = column_or_1d(y, warn=True)
        _refuse_nonfinite(target, Input(name, "y"), nan_passes=False)
    if y_numeric and target.dtype.kind == "O":
        target = unpack(target, Input(name, "y")).values
    check_consistent_length(rows, target)
    return rows, target


def column_or_1d(
    y: Any, *, dtype: Any = None, input_name: str = "y", warn: bool = False, device: Any = None
) -> Any:
    """A vector from one column.

    Parameters
    ----------
    y : array-like of shape (n,) or (n, 1)
        A column.
    dtype : dtype, optional
        Of the answer.
    input_name : str, default="y"
        For messages.
    warn : bool, default=False
        Whether to warn that a table of one column was given.
    device : object, optional
        Accepted for compatibility.

    Returns
    -------
    array of shape (n,)

    Examples
    --------
    >>> column_or_1d([[1], [2]])
    array([1, 2])
    """
    from stylobate.splits.strata import as_array

    values = as_array(y)
    values = values.astype(dtype) if dtype is not None else values
    if values.ndim == 1:
        return values
    if values.ndim == 2 and values.shape[1] == 1:
        if warn:
            _warn_column(input_name)
        return values.ravel()
    raise InvalidDataError(
        f"{input_name} should be a 1d array, got an array of shape {values.shape} instead."
    )


def _warn_column(name: str) -> None:
    import warnings

    from stylobate.data.words import user_stacklevel
    from stylobate.exceptions import DataConversionWarning, joined

    warnings.warn(
        f"A column-vector {name} was passed when a 1d array was expected. Please change the shape "
        f"of {name} to (n_samples,), for example using ravel().",
        joined(DataConversionWarning),
        stacklevel=user_stacklevel(),
    )


def check_consistent_length(*arrays: Any) -> None:
    """Refuse inputs with different numbers of rows; None is passed over.

    Parameters
    ----------
    *arrays : array-like or None
        Inputs.

    Examples
    --------
    >>> check_consistent_length([1, 2], None, np.ones((2, 3)))
    """
    lengths = [_length(each) for each in arrays if each is not None]
    if len(set(lengths)) > 1:
        raise InvalidDataError(
            f"Found input variables with inconsistent numbers of samples: {lengths}"
        )


def _length(thing: Any) -> int:
    shape = getattr(thing, "shape", None)
    if shape is not None and len(shape) == 0:
        raise UnsupportedDataError(f"Input {thing!r} is a single value, not a list of rows.")
    if shape is not None and isinstance(shape[0], int | np.integer):
        return int(shape[0])
    if hasattr(thing, "fit") or not hasattr(thing, "__len__"):
        raise UnsupportedDataError(f"Expected sequence or array-like, got {type(thing)}.")
    return len(thing)


def indexable(*iterables: Any) -> list[Any]:
    """Inputs of one length from which rows can be taken: sparse matrices become CSR.

    Parameters
    ----------
    *iterables : array-like, sparse matrix, data frame or None
        Inputs.

    Returns
    -------
    list

    Examples
    --------
    >>> indexable([1, 2], None)
    [[1, 2], None]
    """
    check_consistent_length(*iterables)
    return [rows_of(each) for each in iterables]


def as_float_array(X: Any, *, copy: bool = True, ensure_all_finite: Any = True) -> Any:
    """Numbers as floats: float32 and float64 stay, other kinds become one of them.

    Parameters
    ----------
    X : array or sparse matrix
        Numbers.
    copy : bool, default=True
        Whether the answer must be memory of its own.
    ensure_all_finite : {True, False, "allow-nan"}, default=True
        As for `check_array`.

    Returns
    -------
    array or sparse matrix

    Examples
    --------
    >>> as_float_array(np.array([1, 2]))
    array([1., 2.])
    """
    found = check_array(
        X, True, dtype=None, ensure_2d=False, allow_nd=True, ensure_all_finite=ensure_all_finite
    )
    if found.dtype in (np.float32, np.float64):
        return (
            found.copy("F" if not is_sparse(found) and found.flags.f_contiguous else "C")
            if (copy and not is_sparse(found))
            else (found.copy() if copy else found)
        )
    small = found.dtype.kind in "uib" and found.dtype.itemsize <= 4
    return found.astype(np.float32 if small else np.float64)


def check_symmetric(
    array: Any, *, tol: float = 1e-10, raise_warning: bool = True, raise_exception: bool = False
) -> Any:
    """A symmetric matrix: the one given, or its mean with its transpose.

    Parameters
    ----------
    array : array or sparse matrix of shape (n, n)
        A matrix.
    tol : float in [0, inf), default=1e-10
        Largest difference from the transpose that is no difference.
    raise_warning, raise_exception : bool, default=True, False
        What happens where it is not symmetric.

    Returns
    -------
    array or sparse matrix of shape (n, n)

    Examples
    --------
    >>> check_symmetric(np.array([[0.0, 1.0], [3.0, 0.0]]), raise_warning=False)
    array([[0., 2.],
           [2., 0.]])
    """
    import warnings

    from stylobate.exceptions import StylobateWarning

    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise InvalidDataError(
            f"array must be 2-dimensional and square. shape = {tuple(array.shape)}"
        )
    off = abs(array - array.T)
    largest = off.max() if off.shape[0] else 0.0
    if largest <= tol:
        return array
    told = f"Array is not symmetric (by {largest:.3g}), and will be converted to symmetric by "
    if raise_exception:
        raise InvalidDataError(f"Array must be symmetric, and differs by {largest:.3g}.")
    if raise_warning:
        warnings.warn(told + "average with its transpose.", StylobateWarning, stacklevel=2)
    mean = 0.5 * (array + array.T)
    return mean.asformat(array.format) if is_sparse(array) else mean
