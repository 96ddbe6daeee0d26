"""Answers that leave the range of double precision are refused in words, for every estimator.

Finite rows can have an answer that is none: a product, a sum or an exponential overflows, and
infinity or NaN would go on without a word. Where rows hold NaN themselves, answers may too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.finite import all_finite
from stylobate.data.sparse import is_sparse, position_of_entry
from stylobate.exceptions import NumericalError, StylobateError
from stylobate.splits.value_numbers import numpy_of

_SQUARED = 1e140  # sums of squares of larger numbers overflow
GUARDED = ("predict", "predict_proba", "decision_function", "transform")


def finite_answer(model: Any, name: str, answer: Any, X: Any) -> Any:
    """`answer` itself, unless it holds NaN or infinity although all of X is finite.

    Models whose answers may be missing by design (no neighbours, outside the range, a function of
    the user's) say so by ``_answers_may_be_missing`` and are not asked.

    Parameters
    ----------
    model : estimator
    name : str
        The method that answered.
    answer : object
        What it returned; anything but numbers passes.
    X : object
        What it was asked about.
    """
    numbers = _numbers(answer)
    if numbers is None or all_finite(numbers):
        return answer
    rows = _numbers(X, convert=True)
    if rows is None or not all_finite(rows):
        return answer
    row, value = _first(numbers)
    if value != value and _has_learnt_gaps(model):
        return answer
    raise NumericalError(
        f"{type(model).__name__}.{name}: the answer for row {row} is {value} though X is finite: X "
        "or what was learnt holds numbers too large or too small for double precision. Scale the "
        "columns and fit again, or leave such rows out."
    )


def _has_learnt_gaps(model: Any) -> bool:
    """Whether a model of rows with gaps has learnt NaN: of a column without any value there."""
    return model._tags().allow_nan and any(
        isinstance(value, np.ndarray) and value.dtype.kind == "f" and np.isnan(value).any()
        for name, value in vars(model).items()
        if name.endswith("_")
    )


def refuse_extremes(
    model: Any, error: Exception, args: tuple[Any, ...], options: dict[str, Any]
) -> None:
    """Where arithmetic failed in a fit to numbers that cannot be squared, say that it is for them.

    Other errors, and those that are sentences of this library, are left to whoever raised them.
    """
    if isinstance(error, StylobateError):
        return
    given = dict(zip(("X", "y", "sample_weight"), args, strict=False)) | options
    for name, values in given.items():
        numbers = None if values is None else _numbers(values, convert=True)
        if numbers is None:
            continue
        sizes = np.abs(numbers.data if is_sparse(numbers) else numbers)
        largest = float(sizes.max(initial=0.0))
        if _SQUARED < largest < np.inf:
            raise NumericalError(
                f"{type(model).__name__}: {name} holds values up to {largest:.3g}, too large for "
                f"double precision in this fit ({error}); use another unit."
            ) from error


def _numbers(values: Any, *, convert: bool = False) -> Any:
    """A matrix of floats, dense or sparse; None for what is none (labels, lists, streams …)."""
    if is_sparse(values):
        return values if values.dtype.kind == "f" and values.format in ("csr", "csc") else None
    if not isinstance(values, np.ndarray) and hasattr(values, "to_numpy"):
        values = numpy_of(values)
    if convert:
        try:
            values = np.asarray(values, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            return None
    if not isinstance(values, np.ndarray) or values.dtype.kind != "f" or not values.ndim:
        return None
    return values if values.ndim == 2 else values.reshape(len(values), -1)


def _first(numbers: Any) -> tuple[int, float]:
    """The first row with an entry that is not finite, and the entry."""
    if is_sparse(numbers):
        entry = int(np.argmin(np.isfinite(numbers.data)))
        return position_of_entry(numbers, entry)[0], float(numbers.data[entry])
    dense: NDArray[Any] = numbers
    row, column = np.argwhere(~np.isfinite(dense))[0]
    return int(row), float(dense[row, column])
