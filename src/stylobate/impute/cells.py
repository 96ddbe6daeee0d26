"""Tables of any cells, numbers or text, with a mask of what is missing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Mask
from stylobate.base.constraints import Constraint
from stylobate.base.validation import compare_features, compare_frame_names, remember_features
from stylobate.data import Origin, Table
from stylobate.data.column_table import ColumnTable
from stylobate.data.shape import check_shape, text_names
from stylobate.data.sparse import is_sparse
from stylobate.data.words import Input
from stylobate.exceptions import FormulaError, InvalidDataError


class MissingMarker(Constraint):
    """What may stand for a missing value: a number, NaN, a string, None or pandas.NA."""

    words = "a number, a string, None, NaN or pandas.NA"

    def accepts(self, value: Any) -> bool:
        known = isinstance(value, int | float | str | np.number) or value is None
        return (known and not isinstance(value, bool)) or is_na(value)


def is_na(value: Any) -> bool:
    """Whether a value is pandas.NA, without importing pandas."""
    return type(value).__name__ == "NAType"


def is_nan(value: Any) -> bool:
    """Whether a value is the number NaN."""
    return isinstance(value, float | np.floating) and bool(np.isnan(value))


def marks_nan(missing_values: Any) -> bool:
    """Whether missing values of numbers arrive as NaN."""
    return missing_values is None or is_nan(missing_values) or is_na(missing_values)


def read_cells(estimator: Any, X: Any, *, reset: bool, text: bool, deferred: bool = False) -> Table:
    """X as a table: of floats, or of objects where it holds text and the caller takes text.

    Parameters
    ----------
    estimator : BaseEstimator
        Remembers or compares the columns.
    X : array-like, sparse or data frame
        Numbers or text.
    reset : bool
        Whether this is `fit`.
    text : bool
        Whether columns of text are taken.
    deferred : bool, default=False
        Whether the caller looks for infinities itself, where NaN is let through.

    Returns
    -------
    Table
        Its `x` has dtype object only if X holds text.
    """
    objects = _objects(X) if text and not is_sparse(X) else None
    if objects is None:
        missing = estimator.missing_values
        allowing = "deferred" if deferred else "allow-nan"
        finite = allowing if marks_nan(missing) else "now"
        table: Table = estimator._read(X, reset=reset, check_finite=finite)
        if not is_sparse(table.x) and isinstance(missing, str):
            raise InvalidDataError(
                f"{type(estimator).__name__}: 'X' and 'missing_values' types are expected to be "
                f"both numerical. Got X.dtype={table.x.dtype} and missing_values={missing!r}."
            )
        return table
    values, names, origin = objects
    owner = type(estimator).__name__
    check_shape(values, X, Input(owner, "X"), min_rows=1, min_features=1)
    table = replace(Table(values), names=text_names(names), origin=origin, owner=owner)
    if reset:
        remember_features(estimator, table)
    else:
        compare_frame_names(estimator, X)
        compare_features(estimator, table)
    return table


def _objects(X: Any) -> tuple[NDArray[np.object_], Any, Origin] | None:
    """The cells of X as objects if some are text; None where X holds numbers only."""
    if isinstance(X, list | tuple):
        array = np.array(X, dtype=object)
        return (array, None, Origin()) if _has_text(array) else None
    if isinstance(X, np.ndarray):
        if X.dtype.kind in "US" or (X.dtype.kind == "O" and _has_text(X)):
            return X.astype(object), None, Origin()
        return None
    if isinstance(X, ColumnTable):
        array = np.asarray(X, dtype=object)
        plain = all(values.dtype.kind in "biuf" for values in X.values())
        return None if plain or not _has_text(array) else (array, X.columns, Origin(X.kind))
    if not hasattr(X, "columns") and not hasattr(X, "column_names"):
        return None
    import narwhals as nw

    if not getattr(getattr(X, "columns", None), "is_unique", True):  # pandas alone allows it
        array = X.to_numpy(dtype=object)
        return (array, tuple(X.columns), Origin("pandas", X.index)) if _has_text(array) else None
    frame: Any = nw.from_native(X, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        return None
    if all(dtype.is_numeric() or dtype == nw.Boolean for dtype in frame.schema.values()):
        return None
    columns = [np.array(column.to_list(), dtype=object) for column in frame.iter_columns()]
    array = np.empty((len(frame), len(columns)), dtype=object)
    for j, column in enumerate(columns):
        if column.ndim != 1:
            raise InvalidDataError(
                f"Column {frame.columns[j]!r} of X holds lists or arrays; imputers take one number "
                "or text per cell."
            )
        array[:, j] = column
    if not _has_text(array):
        return None
    return (
        array,
        tuple(frame.columns),
        Origin(frame.implementation.value, getattr(X, "index", None)),
    )


def _has_text(array: NDArray[Any]) -> bool:
    return any(isinstance(value, str) for value in array.flat)


def missing_mask(x: Any, missing_values: Any) -> Mask:
    """Where x is missing; of a sparse array, which of its entries."""
    values = x.data if is_sparse(x) else x
    if values.dtype.kind != "O":
        if marks_nan(missing_values):
            return np.asarray(np.isnan(values))
        return np.asarray(values == missing_values)
    if marks_nan(missing_values):  # None and NaN alike: frames turn one into the other
        wrong = [each is None or is_na(each) or each != each for each in values.flat]
    else:
        wrong = [
            type(each) is type(missing_values) and each == missing_values for each in values.flat
        ]
    return np.array(wrong, dtype=bool).reshape(values.shape)


def refuse_marker_without_formula(owner: str, missing_values: Any) -> None:
    """Databases know one kind of missing value."""
    if missing_values is not None and not is_nan(missing_values):
        raise FormulaError(
            f"{owner}: missing_values={missing_values!r} has no formula; only values that are "
            "missing to a database as well have one."
        )


def refuse_sparse_zero(owner: str, x: Any, missing_values: Any) -> None:
    """Zeros that are not stored cannot be found."""
    if is_sparse(x) and isinstance(missing_values, int | float) and missing_values == 0:
        raise InvalidDataError(
            f"{owner}: Sparse input with missing_values=0 is not supported. Provide a dense array "
            "instead."
        )
