"""Durations as numbers of seconds."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array

_SECOND = np.timedelta64(1, "s")


def seconds_of(values: Any) -> Array | None:
    """A column of durations in seconds, NaN for missing ones; None if it is no such column.

    Parameters
    ----------
    values : 1-D array or narwhals series
        A column as it came.

    Examples
    --------
    >>> seconds_of(np.array([36, "NaT"], dtype="timedelta64[h]"))
    array([129600.,     nan])
    >>> seconds_of(np.array([1.0])) is None
    True
    """
    if not isinstance(values, np.ndarray):
        import narwhals as nw

        if values.dtype != nw.Duration:
            return None
        values = np.asarray(values.to_numpy())
    if values.dtype.kind != "m":
        return None
    return np.asarray(np.where(np.isnat(values), np.nan, values / _SECOND), dtype=np.float64)
