"""Kinds of parameter values, as conditions."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np


def positive(value: Any) -> bool:
    """A positive number."""
    return isinstance(value, Real) and not isinstance(value, bool) and float(value) > 0.0


def folds(value: Any) -> bool:
    """None or a number of folds."""
    return value is None or (isinstance(value, Integral) and not isinstance(value, bool))


def grid(value: Any) -> bool:
    """A number of values or a sequence of numbers."""
    if isinstance(value, Integral) or (isinstance(value, str) and value in ("warn", "deprecated")):
        return not isinstance(value, bool)
    array = np.asarray(value) if isinstance(value, (list, tuple, np.ndarray)) else None
    return array is not None and array.ndim == 1 and array.dtype.kind in "fi" and bool(array.size)


def number_or_grid(value: Any) -> bool:
    """A number or a sequence of numbers."""
    return positive(value) or (not isinstance(value, str) and grid(value))
