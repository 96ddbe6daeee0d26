"""Checks for estimators of your own: whether they are fitted, and what they are given."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from stylobate.base.validation import compare_frame_names
from stylobate.data.shape import text_names
from stylobate.exceptions import InvalidDataError, NotFittedError, UnsupportedDataError, joined
from stylobate.utils.arrays import (
    as_float_array,
    assert_all_finite,
    check_array,
    check_consistent_length,
    check_non_negative,
    check_symmetric,
    check_X_y,
    column_or_1d,
    indexable,
)
from stylobate.utils.rows import check_random_state

__all__ = [
    "as_float_array",
    "assert_all_finite",
    "check_X_y",
    "check_array",
    "check_consistent_length",
    "check_is_fitted",
    "check_non_negative",
    "check_random_state",
    "check_symmetric",
    "column_or_1d",
    "has_fit_parameter",
    "indexable",
    "validate_data",
]


def check_is_fitted(
    estimator: Any,
    attributes: str | Sequence[str] | None = None,
    *,
    msg: str | None = None,
    all_or_any: Callable[[Any], bool] = all,
) -> None:
    """Refuse an estimator that has not been fitted.

    Parameters
    ----------
    estimator : estimator
        With `fit`.
    attributes : str or sequence of str, optional
        Attributes that `fit` leaves; None: any that ends in an underscore.
    msg : str, optional
        The message; ``%(name)s`` stands for the class.
    all_or_any : {all, any}, default=all
        Whether all of the attributes must be there.

    Examples
    --------
    >>> from stylobate.linear_model import Ridge
    >>> check_is_fitted(Ridge().fit([[0.0], [1.0]], [0.0, 1.0]))
    """
    if inspect.isclass(estimator):
        raise UnsupportedDataError(f"{estimator} is a class, not an instance.")
    if not hasattr(estimator, "fit"):
        raise UnsupportedDataError(f"{estimator!r} is not an estimator instance.")
    if attributes is not None:
        names = [attributes] if isinstance(attributes, str) else list(attributes)
        fitted = all_or_any([hasattr(estimator, name) for name in names])
    elif hasattr(estimator, "__sklearn_is_fitted__"):
        fitted = bool(estimator.__sklearn_is_fitted__())
    else:
        stateless = hasattr(estimator, "_tags") and not estimator._tags().requires_fit
        fitted = stateless or any(
            name.endswith("_") and not name.startswith("__") for name in vars(estimator)
        )
    if not fitted:
        text = msg or (
            "This %(name)s instance is not fitted yet. Call 'fit' with appropriate arguments "
            "before using this estimator."
        )
        raise joined(NotFittedError)(text % {"name": type(estimator).__name__})


def has_fit_parameter(estimator: Any, parameter: str) -> bool:
    """Whether an estimator's `fit` takes a parameter.

    Parameters
    ----------
    estimator : estimator
    parameter : str

    Examples
    --------
    >>> from stylobate.linear_model import Ridge
    >>> has_fit_parameter(Ridge(), "sample_weight")
    True
    """
    return hasattr(estimator, "fit") and parameter in inspect.signature(estimator.fit).parameters


def validate_data(
    estimator: Any,
    /,
    X: Any = "no_validation",
    y: Any = "no_validation",
    reset: bool = True,
    skip_check_array: bool = False,
    **options: Any,
) -> Any:
    """Rows (and a target) for an estimator of your own; columns are remembered or compared.

    Parameters
    ----------
    estimator : estimator
        Whose `fit` or `predict` asks.
    X, y : array-like
        What it was given.
    reset : bool, default=True
        In `fit`: ``n_features_in_`` and ``feature_names_in_`` are set; otherwise compared.
    skip_check_array : bool, default=False
        Whether only the columns are looked at.
    options
        As for `check_array` (with y: `check_X_y`).

    Returns
    -------
    X, or (X, y)

    Examples
    --------
    >>> from stylobate.base import BaseEstimator
    >>> model = BaseEstimator()
    >>> rows = validate_data(model, [[1.0, 2.0]])
    >>> model.n_features_in_
    2
    """
    name = type(estimator).__name__
    with_x, with_y = (not isinstance(each, str) for each in (X, y))
    if not with_x and not with_y:
        raise InvalidDataError(f"{name}: Validation should be done on X, y or both.")
    if with_x:
        _compare_columns(estimator, X, reset=reset)
    options.setdefault("estimator", name)
    if skip_check_array:
        found: Any = (X, y) if with_x and with_y else X if with_x else y
    elif with_x and with_y and y is not None:
        found = check_X_y(X, y, **options)
    elif with_x:
        found = check_array(X, **options)
        found = found if not with_y or y is None else (found, y)
    else:
        found = column_or_1d(y, warn=True)
    rows = found[0] if isinstance(found, tuple) else found
    if with_x and getattr(rows, "ndim", 0) == 2:
        _compare_count(estimator, rows.shape[1], reset=reset)
    return found


def _compare_columns(estimator: Any, X: Any, *, reset: bool) -> None:
    import numpy as np

    if not reset:
        compare_frame_names(estimator, X)
        return
    columns = getattr(X, "column_names", getattr(X, "columns", None))  # pyarrow's, or a frame's
    names = None if columns is None else text_names(tuple(columns))
    if names is not None:
        estimator.feature_names_in_ = np.array(names, dtype=object)
    elif hasattr(estimator, "feature_names_in_"):
        del estimator.feature_names_in_


def _compare_count(estimator: Any, count: int, *, reset: bool) -> None:
    if reset:
        estimator.n_features_in_ = count
        return
    expected = getattr(estimator, "n_features_in_", count)
    if count != expected:
        raise InvalidDataError(
            f"X has {count} features, but {type(estimator).__name__} is expecting {expected} "
            "features as input."
        )
