"""Moments in time as numbers: the calendar, cycles, and time since the first."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data.coding import code_column
from stylobate.data.kinds.spellings import date_of, is_missing

Moments = NDArray[np.datetime64]

CYCLES = {"month": 12.0, "weekday": 7.0, "hour": 24.0}
PARTS = ("year", "month", "day", "weekday", "hour", "is_weekend", "elapsed")
_DAY = 86_400e6  # microseconds


def moments_of(column: Any, form: str | None = None) -> Moments:
    """A column of dates, or of text that names them, in microseconds; NaT for the rest.

    Parameters
    ----------
    column : 1-D array or narwhals series
        One of `MixedColumns.values`.
    form : str, optional
        Format of text; ISO 8601 by default.

    Examples
    --------
    >>> moments_of(np.array(["2024-02-29", "?"], dtype=object)).astype(str).tolist()
    ['2024-02-29T00:00:00.000000', 'NaT']
    """
    if isinstance(column, np.ndarray) and column.dtype.kind == "M":
        return column.astype("datetime64[us]")
    if not isinstance(column, np.ndarray) and column.dtype.is_temporal():
        import narwhals as nw

        if column.dtype == nw.Datetime and getattr(column.dtype, "time_zone", None):
            column = column.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
        elif column.dtype == nw.Date:
            column = column.cast(nw.Datetime("us"))
        return np.asarray(column.to_numpy()).astype("datetime64[us]")
    coded = code_column(column)
    found = [_moment(value, form) for value in coded.values.tolist()]
    return np.array(found, dtype="datetime64[us]")[coded.codes]


def rounded(waves: Array) -> Array:
    """Without the last digits: those of equal heights differ, and trees would split between them.

    >>> rounded(np.sin(np.array([0.0, np.pi])))
    array([0., 0.])
    """
    return np.asarray(np.floor(waves * 1e12 + 0.5) / 1e12)


def seconds(moment: np.datetime64) -> float:
    """Seconds since 1970.

    >>> seconds(np.datetime64("1970-01-02T00:00:01"))
    86401.0
    """
    return float((moment.astype("datetime64[us]") - np.datetime64(0, "us")).astype(np.int64)) / 1e6


def _moment(value: Any, form: str | None) -> np.datetime64:
    if is_missing(value):
        return np.datetime64("NaT")
    if form is not None:
        parsed = date_of(value, form)
    else:
        try:
            parsed = datetime.fromisoformat(str(value).strip())
        except ValueError:
            parsed = None
    if parsed is None:
        return np.datetime64("NaT")
    return np.datetime64(parsed.replace(tzinfo=None), "us")


def calendar(moments: Moments, parts: tuple[str, ...], start: np.datetime64) -> dict[str, Array]:
    """The asked parts of each moment: cycles as sine and cosine, elapsed in days since `start`.

    >>> found = calendar(np.array(["2024-02-29T06:00"], "M8[us]"), ("year", "hour"), None)
    >>> {name: value.round(3).tolist() for name, value in found.items()}
    {'year': [2024.0], 'hour_sin': [1.0], 'hour_cos': [0.0]}
    """
    days = moments.astype("datetime64[D]")
    months = moments.astype("datetime64[M]")
    weekday = (days.astype(np.int64) + 3) % 7  # 1970 began on a Thursday; Monday is 0
    values: dict[str, Any] = {
        "year": moments.astype("datetime64[Y]").astype(np.int64) + 1970,
        "month": months.astype(np.int64) % 12,
        "day": (days - months.astype("datetime64[D]")).astype(np.int64) + 1,
        "weekday": weekday,
        "hour": (moments - days).astype(np.int64) / 3600e6,
        "is_weekend": weekday >= 5,
    }
    if "elapsed" in parts:
        values["elapsed"] = (moments - start).astype(np.int64) / _DAY
    out: dict[str, Array] = {}
    for part in parts:
        value = np.asarray(values[part], dtype=np.float64)
        if part in CYCLES:
            angle = 2 * np.pi * value / CYCLES[part]
            out[f"{part}_sin"] = rounded(np.sin(angle))
            out[f"{part}_cos"] = rounded(np.cos(angle))
        else:
            out[part] = value
    return out
