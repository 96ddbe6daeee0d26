"""Targets as splitters see them: what kind they are, and the class of each row."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.sparse_structure import damage_of
from stylobate.splits.value_numbers import at_most_two, numbered, numpy_of


def type_of_target(y: Any) -> str:
    """The kind of a target, in scikit-learn's words.

    Parameters
    ----------
    y : array-like of shape (n,) or (n, t)
        Labels or numbers.

    Returns
    -------
    str
        "binary" (at most two values), "multiclass", "continuous" (some number is not whole),
        "multilabel-indicator" (columns of 0 and 1), "multiclass-multioutput",
        "continuous-multioutput" or "unknown".

    Examples
    --------
    >>> type_of_target(["a", "b", "a"]), type_of_target([1, 2, 3]), type_of_target([0.5, 1.0])
    ('binary', 'multiclass', 'continuous')
    """
    values = as_array(y)
    if values.ndim not in (1, 2) or values.dtype.kind not in "biufUSO":
        return "unknown"
    if values.ndim == 2 and values.shape[1] == 0:
        return "unknown"
    if values.dtype.kind == "O" and values.size and not isinstance(values.flat[0], str):
        values = _of_one_kind(values)
        if values.dtype.kind == "O":
            return "unknown"
    several = values.ndim == 2 and values.shape[1] > 1
    if several and _is_indicator(values):
        return "multilabel-indicator"
    suffix = "-multioutput" if several else ""
    if values.dtype.kind == "f" and bool((values != np.floor(values)).any()):  # NaN counts as such
        return "continuous" + suffix
    if several or not at_most_two(values):
        return "multiclass" + suffix
    return "binary"


def as_array(y: Any) -> NDArray[Any]:
    """Labels or numbers as an array; series through their own conversion."""
    if isinstance(y, np.ndarray):
        return y
    if hasattr(y, "toarray"):
        _refuse_damaged(y)
        return np.asarray(y.toarray())
    try:
        return numpy_of(y)
    except ValueError:
        raise InvalidDataError(
            "y holds sequences of different lengths; pass one label or number per row."
        ) from None


def _refuse_damaged(y: Any) -> None:
    damage = damage_of(y) if hasattr(y, "format") else None
    if damage is not None:
        raise InvalidDataError(
            f"y is a damaged {y.format} array of shape {y.shape}: {damage}. Build it again from "
            "its entries."
        )


def class_numbers(y: Any, n: int, owner: str) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Sorted classes and each row's number among them; rows of several columns are one class."""
    if y is None:
        raise InvalidDataError(f"{owner}: y is needed, as the parts go by its classes.")
    values = as_array(y)
    if len(values) != n:
        raise InvalidDataError(
            f"{owner}: Found input variables with inconsistent numbers of samples: {n} rows in X, "
            f"{len(values)} in y."
        )
    if values.ndim == 2:
        joined = [" ".join(row.astype(str)) for row in values] if values.shape[1] > 1 else None
        values = values[:, 0] if joined is None else np.array(joined)
    if values.dtype.kind == "O":
        values = _of_one_kind(values)
    return numbered(values)


def require_discrete(y: Any, owner: str) -> None:
    kind = type_of_target(y)
    if kind not in ("binary", "multiclass"):
        raise InvalidDataError(
            f"{owner}: Supported target types are: ('binary', 'multiclass'). Got {kind!r} instead; "
            "use KFold for targets that are not classes."
        )


def check_class_sizes(counts: NDArray[Any], n_splits: int, owner: str) -> None:
    """Refuse folds of which no class can have a row in each; tell of a class that cannot."""
    least, most = int(counts.min()), int(counts.max())
    if most < n_splits:
        raise InvalidParameterError(
            f"{owner}: n_splits={n_splits} cannot be greater than the number of members in each "
            f"class; the largest of the {len(counts)} classes has {most}, the smallest {least}. "
            + (f"n_splits may be at most {most}." if most > 1 else "Use KFold instead.")
        )
    if least < n_splits:
        _warn_small_class(least, n_splits)


def _warn_small_class(least: int, n_splits: int) -> None:
    remedy = (
        f"n_splits of at most {least} would put it in every part"
        if least > 1
        else ("one member cannot be both trained on and tested")
    )
    warnings.warn(
        f"The least populated class in y has only {least} members, which is less than "
        f"n_splits={n_splits}; {remedy}.",
        StylobateWarning,
        stacklevel=3,
    )


def _of_one_kind(values: NDArray[Any]) -> NDArray[Any]:
    """Objects that are all text or all numbers, as an array of that kind."""
    plain = np.array(values.tolist())
    mixed = plain.dtype.kind == "U" and not all(isinstance(v, str) for v in values.flat)
    return values if mixed else plain


def _is_indicator(values: NDArray[Any]) -> bool:
    if values.dtype.kind not in "biuf":
        return False
    present = np.unique(values)
    whole = values.dtype.kind != "f" or bool((present == np.floor(present)).all())
    return len(present) <= 2 and whole and bool(np.isin(present, (-1, 0, 1)).all())
