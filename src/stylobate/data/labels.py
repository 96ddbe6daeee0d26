"""Class labels of any kind → sorted classes and integer codes."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from stylobate.data.coding import number_whole
from stylobate.data.sparse import is_sparse, refuse_sparse
from stylobate.data.target import refuse_missing_target, warn_column_vector
from stylobate.data.words import Input, kind_of, refuse_complex, refuse_length, short
from stylobate.exceptions import InvalidDataError, UnsupportedDataError
from stylobate.splits.value_numbers import numpy_of


def read_labels(
    y: Any, *, owner: str, n_rows: int | None = None
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The classes in sorted order and, for every row, the number of its class.

    Parameters
    ----------
    y : array-like of shape (n,) or (n, 1)
        Text, booleans, integers, floats with whole values, or objects of one such kind.
    owner : str
        Who is asking.
    n_rows : int, default=None
        The rows of X, if the length is to be checked.

    Returns
    -------
    classes : ndarray of shape (k,)
        In the caller's own dtype; ``classes[codes]`` gives the labels back.
    codes : ndarray of shape (n,), int64
        Numbers 0 to k - 1.

    Examples
    --------
    >>> classes, codes = read_labels(["no", "yes", "no"], owner="LogisticRegression")
    >>> classes.tolist(), codes.tolist()
    (['no', 'yes'], [0, 1, 0])
    """
    if y is None:
        refuse_missing_target(owner)
    source = Input(owner, "y")
    if is_sparse(y):
        refuse_sparse(source)
    labels = label_vector(y, source)
    if n_rows is not None and len(labels) != n_rows:
        refuse_length(source, n_rows, len(labels))
    if len(labels) == 0:
        raise InvalidDataError(
            f"{source} has 0 sample(s) while a minimum of 1 is required by {owner}."
        )
    kind = labels.dtype.kind
    if kind == "O":
        return _from_objects(labels, source)
    if kind == "c":
        refuse_complex(source, labels.dtype)
    if kind == "f":
        _check_whole(labels, source)
    elif kind not in "iubU":
        _refuse_kind(source, f"dtype {labels.dtype}")
    counted = number_whole(labels) if kind in "iubf" else None
    if counted is not None:
        return counted
    classes, codes = np.unique(labels, return_inverse=True)
    return classes, codes.reshape(-1).astype(np.int64, copy=False)


def label_vector(y: Any, source: Input) -> NDArray[Any]:
    """Labels of any kind as a 1-D array, looked at no further.

    >>> label_vector(["b", 1], Input("LabelEncoder", "y"))
    array(['b', 1], dtype=object)
    """
    return _as_vector(_as_array(y, source), source)


def _as_array(y: Any, source: Input) -> NDArray[Any]:
    """Labels as an array; series of every library through their own conversion."""
    if isinstance(y, np.ndarray):
        return np.asarray(y)
    if isinstance(y, list | tuple):
        try:
            array = np.asarray(y)
        except ValueError:
            _refuse_kind(source, "a list of sequences of different lengths")
        if array.dtype.kind == "U" and array.ndim == 1 and set(map(type, y)) - {str, np.str_}:
            return np.array(y, dtype=object)  # NumPy wrote the numbers of a mixed list as text
        return array
    if hasattr(y, "to_numpy") and not kind_of(y).startswith("pyarrow"):
        return numpy_of(y)  # pandas, polars and their like
    array = np.asarray(y)
    if array.ndim == 0 and array.dtype.kind == "O":
        raise UnsupportedDataError(
            f"{source} is {short(y)} ({kind_of(y)}), which is not a sequence of labels. Pass an "
            f"array, a series or a list with one label per row."
        )
    return array


def _as_vector(labels: NDArray[Any], source: Input) -> NDArray[Any]:
    if labels.ndim == 2 and labels.shape[1] == 1:
        warn_column_vector()
        return labels[:, 0]
    if labels.ndim != 1:
        raise InvalidDataError(
            f"y should be a 1d array, got an array of shape {labels.shape} instead, as labels of "
            f"{source.owner}."
        )
    return labels


def _check_whole(labels: NDArray[Any], source: Input) -> None:
    """Floats are labels only if they are whole numbers."""
    wrong = ~np.isfinite(labels)
    if wrong.any():
        row = int(np.argmax(wrong))
        what = "NaN" if np.isnan(labels[row]) else "infinity"
        raise InvalidDataError(
            f"{source} contains {what} at row {row} ({int(wrong.sum())} of {len(labels)} labels "
            f"are missing or infinite). Drop those rows first."
        )
    wrong = labels != np.floor(labels)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InvalidDataError(
            f"Unknown label type: continuous. {source} holds {short(float(labels[row]))} at row "
            f"{row}; classes must be discrete: text, integers or booleans. Use a regressor for "
            f"continuous targets."
        )


def _from_objects(labels: NDArray[Any], source: Input) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Objects of one kind: all text, or all numbers and booleans."""
    listed = labels.tolist()
    kinds = set(map(type, listed))
    if all(issubclass(kind, str) for kind in kinds):
        ordered = sorted(set(listed))
        number = {label: code for code, label in enumerate(ordered)}
        codes = np.fromiter(map(number.__getitem__, listed), dtype=np.int64, count=len(listed))
        return np.array(ordered, dtype=object), codes
    if all(issubclass(kind, bool | int | float | np.number | np.bool_) for kind in kinds):
        plain = np.array(listed)
        if plain.dtype.kind in "iubf":
            return read_labels(plain, owner=source.owner)
    missing = next((i for i, label in enumerate(listed) if _is_missing(label)), None)
    if missing is not None:
        raise InvalidDataError(
            f"{source} contains NaN or another missing value ({short(listed[missing])}) at row "
            f"{missing}. Drop rows without a label first."
        )
    words = ", ".join(sorted(kind.__name__ for kind in kinds))
    _refuse_kind(source, f"objects of kind {words} (first {short(listed[0])})")


def _is_missing(label: Any) -> bool:
    is_nan = isinstance(label, float) and label != label
    return label is None or is_nan or type(label).__name__ in ("NAType", "NaTType")


def _refuse_kind(source: Input, what: str) -> NoReturn:
    raise UnsupportedDataError(
        f"Unknown label type: unknown. {source} holds {what}; classes must be text, integers or "
        f"booleans, all of one kind."
    )
