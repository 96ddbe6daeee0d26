"""Texts compared place by place: tables of words, or strings of one length."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data.coding import code_column, is_nan
from stylobate.data.mixed_columns import read_mixed_columns
from stylobate.data.sparse import is_sparse
from stylobate.exceptions import InvalidDataError


def letters(text: str) -> NDArray[np.uint32]:
    """The letters of a string as numbers."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def texts_of(X: Any, owner: str) -> list[str]:
    """The strings of a list, a series, or a table of one column; one string is a list of it.

    Examples
    --------
    >>> import pandas
    >>> texts_of(pandas.DataFrame({"t": ["banana", "ban"]}), "Spectrum")
    ['banana', 'ban']
    """
    if isinstance(X, str):
        return [X]
    if hasattr(X, "columns") or getattr(X, "ndim", 1) == 2:
        columns = read_mixed_columns(X, owner=owner)
        if columns.n_features != 1:
            raise InvalidDataError(
                f"{owner} takes one string for each point, but the table has {columns.n_features} "
                "columns; choose one with .on([column])."
            )
        X = columns.values[0]
    texts = X.to_list() if hasattr(X, "to_list") else list(X)
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            raise InvalidDataError(
                f"{owner} takes strings, but point {place} is {type(text).__name__}: {text!r}."
            )
    return texts


def holds_text(X: Any) -> bool:
    """Whether a table, or a list of strings, holds any text.

    Examples
    --------
    >>> holds_text([["a", 1]]), holds_text([[0.5, 1]])
    (True, False)
    """
    if is_sparse(X) or (isinstance(X, np.ndarray) and X.dtype.kind not in "UO"):
        return False
    return _are_strings(X) or any(
        isinstance(value, str)
        for column in read_mixed_columns(X, owner="hamming").values
        for value in code_column(column).values.tolist()
    )


def places(X: Any, owner: str) -> list[Any]:
    """One column of values for each place of the rows, or of strings of one length.

    Examples
    --------
    >>> len(places(["GATTACA", "GACTATA"], "hamming"))
    7
    """
    if _are_strings(X):
        lengths = {len(text) for text in X}
        if len(lengths) > 1:
            raise InvalidDataError(
                f"{owner} compares places one by one, but the strings have {min(lengths)} to "
                f"{max(lengths)} letters; the kernels Spectrum and Subsequence take any length."
            )
        return list(np.array([letters(text) for text in X]).T)
    return list(read_mixed_columns(X, owner=owner).values)


def codes_of(X: Any, Y: Any, owner: str) -> tuple[Array, Array]:
    """Both tables as numbers that are equal where their values are; one object for one table.

    Examples
    --------
    >>> codes_of([["a", "b"], ["a", "c"]], None, "hamming")[0]
    array([[0., 0.],
           [0., 1.]])
    """
    left = places(X, owner)
    right = left if Y is None or Y is X else places(Y, owner)
    if len(left) != len(right):
        raise InvalidDataError(
            f"{owner} compares places one by one, but the rows have {len(left)} and {len(right)} "
            "places."
        )
    coded = [_coded(a, b, one=right is left) for a, b in zip(left, right, strict=True)]
    x = np.array([each[0] for each in coded]).T
    return x, x if right is left else np.array([each[1] for each in coded]).T


def _coded(a: Any, b: Any, *, one: bool) -> tuple[Array, Array]:
    number: dict[Any, float] = {}
    made = []
    for column in (a,) if one else (a, b):
        coded = code_column(column)
        values = (None if is_nan(value) else value for value in coded.values.tolist())
        codes = [number.setdefault(value, float(len(number))) for value in values]
        made.append(np.array(codes)[coded.codes])
    return made[0], made[-1]


def _are_strings(X: Any) -> bool:
    flat = isinstance(X, list | tuple) or (isinstance(X, np.ndarray) and X.ndim == 1)
    return flat and len(X) > 0 and all(isinstance(text, str) for text in X)
