"""Kinds of parameter values, as conditions."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np


def positive(value: Any) -> bool:
    """A positive number."""
    return isinstance(value, Real) and not isinstance(value, bool) and 0.0 < float(value) < 1e100


def many_steps(value: Any) -> bool:
    """1000 or more, so that it is not what ends the fit."""
    return isinstance(value, Integral) and int(value) >= 1000


def folds(value: Any) -> bool:
    """None or a number of folds."""
    return value is None or (isinstance(value, Integral) and not isinstance(value, bool))


def grid(value: Any) -> bool:
    """A number of values or a sequence of positive numbers."""
    if isinstance(value, Integral) or (isinstance(value, str) and value in ("warn", "deprecated")):
        return not isinstance(value, bool)
    array = np.asarray(value) if isinstance(value, (list, tuple, np.ndarray)) else None
    fine = array is not None and array.ndim == 1 and array.dtype.kind in "fi" and array.size
    return bool(fine) and all(map(positive, np.asarray(value, dtype=np.float64).tolist()))


def number_or_grid(value: Any) -> bool:
    """A positive number or a sequence of them."""
    return positive(value) or (not isinstance(value, str) and grid(value))
