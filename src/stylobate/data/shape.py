"""Shapes and column names a table must have, with the texts scikit-learn users know."""

from __future__ import annotations

from typing import Any

from stylobate.data.words import Input, kind_of
from stylobate.exceptions import InvalidDataError, UnsupportedDataError

_RESHAPE = (
    "Reshape your data either using array.reshape(-1, 1) if your data has a single feature or "
    "array.reshape(1, -1) if it contains a single sample."
)


def check_shape(
    values: Any, given: object, source: Input, *, min_rows: int, min_features: int
) -> None:
    """Refuse what is not a matrix with enough rows and columns.

    Parameters
    ----------
    values : ndarray or sparse array
        The numbers taken out of `given`.
    given : object
        What the caller passed; a series is named as such.
    source : Input
        Named in refusals.
    min_rows, min_features : int, at least 0
        The smallest shape that is accepted.

    Examples
    --------
    >>> import numpy as np
    >>> check_shape(np.ones((3, 2)), None, Input("Ridge", "X"), min_rows=1, min_features=1)
    """
    if values.ndim != 2:
        _refuse_dimensions(values, given, source)
    n_rows, n_features = values.shape
    if n_rows < min_rows:
        raise InvalidDataError(
            f"Found array with {n_rows} sample(s) (shape={values.shape}) while a minimum of "
            f"{min_rows} is required by {source.owner}."
        )
    if n_features < min_features:
        raise InvalidDataError(
            f"Found array with {n_features} feature(s) (shape={values.shape}) while a minimum of "
            f"{min_features} is required by {source.owner}."
        )


def _refuse_dimensions(values: Any, given: object, source: Input) -> None:
    if values.ndim > 2:
        raise InvalidDataError(
            f"Found array with dim {values.ndim}, while dim <= 2 is required by {source.owner} "
            f"({source.label} has shape {values.shape})."
        )
    if hasattr(given, "to_frame") or kind_of(given).endswith(("Series", "Array")):
        raise InvalidDataError(
            f"Expected a 2-dimensional container but got {kind_of(given)} instead, as "
            f"{source.label} of {source.owner}. Pass a DataFrame containing a single row (i.e. "
            f"single sample) or a single column (i.e. single feature) instead, or: {_RESHAPE}"
        )
    got = "scalar" if values.ndim == 0 else "1D"
    raise InvalidDataError(
        f"Expected 2D array, got {got} array instead, as {source.label} of {source.owner}:\n"
        f"array={values}.\n{_RESHAPE}"
    )


def text_names(names: tuple[Any, ...] | None) -> tuple[str, ...] | None:
    """Column names if all of them are text, None if none is; a mixture is refused.

    Examples
    --------
    >>> text_names(("a", "b"))
    ('a', 'b')
    >>> text_names((0, 1)) is None
    True
    """
    if not names:
        return None
    kinds = sorted({type(name).__qualname__ for name in names})
    if kinds == ["str"]:
        return names
    if "str" in kinds:
        raise UnsupportedDataError(
            "Feature names are only supported if all input features have string names, but your "
            f"input has {kinds} as feature name / column name types. If you want feature names "
            "to be stored and validated, you must convert them all to strings, by using "
            "X.columns = X.columns.astype(str) for example. Otherwise you can remove feature / "
            "column names from your input data, or convert them all to a non-string data type."
        )
    return None
