"""Constraints of encoders' parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from stylobate.base.constraints import Constraint
from stylobate.data.kinds import Schema


class NumberType(Constraint):
    """A dtype of numbers.

    >>> NumberType().accepts(np.float32), NumberType().accepts("text")
    (True, False)
    """

    words = "a NumPy dtype of numbers"

    def accepts(self, value: Any) -> bool:
        if value is None:
            return False
        try:
            return np.dtype(value).kind in "fiub"
        except TypeError:
            return False


class Entries(Constraint):
    """A list or array, whose entries are looked at when the columns are known."""

    words = "a list or array with one entry for each column"

    def accepts(self, value: Any) -> bool:
        return isinstance(value, list | tuple | np.ndarray) or (
            hasattr(value, "__array__") and hasattr(value, "__len__")
        )


class MissingNumber(Constraint):
    """NaN."""

    words = "NaN"

    def accepts(self, value: Any) -> bool:
        return isinstance(value, float | np.floating) and bool(value != value)


class KindsByName(Constraint):
    """A mapping from column names to kinds, whose entries are looked at at `fit`; or a schema."""

    words = "a mapping from names of columns to kinds, or a Schema"

    def accepts(self, value: Any) -> bool:
        return isinstance(value, Mapping | Schema)
