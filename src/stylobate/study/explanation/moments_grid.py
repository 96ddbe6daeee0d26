"""Dates at which the dependence of a prediction on them is looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from stylobate.data.kinds import Column
from stylobate.data.kinds.spellings import is_clock
from stylobate.preprocessing.time_and_place.dates import moments_of

_POINTS = 12
_DAY = 86_400_000_000  # microseconds


@dataclass(frozen=True, slots=True, eq=False)
class MomentsGrid:
    """Moments as the column writes them, and as people read them."""

    values: NDArray[Any]
    labels: tuple[str, ...]


def moments_grid(values: NDArray[Any], column: Column) -> MomentsGrid | None:
    """Moments from the first to the last, evenly spaced; None for a column of anything else.

    >>> texts = np.array(["01.02.2024", "01.03.2024", "?"], dtype=object)
    >>> moments_grid(texts, Column("day", "datetime", "", notation="%d.%m.%Y")).values[[0, -1]]
    array(['01.02.2024', '01.03.2024'], dtype=object)
    """
    if column.kind != "datetime" and values.dtype.kind != "M":
        return None
    moments = moments_of(values, column.notation)
    known = moments[~np.isnat(moments)]
    if len(np.unique(known)) < 2:
        return None
    first, last = known.min().astype(np.int64), known.max().astype(np.int64)
    grid = np.linspace(float(first), float(last), _POINTS).astype(np.int64).astype("M8[us]")
    short = is_clock(column.notation) or last - first < _POINTS * _DAY
    shown: Literal["m", "D"] = "m" if short else "D"
    labels: Any = np.datetime_as_string(np.asarray(grid, dtype="M8[us]"), unit=shown)
    if is_clock(column.notation):
        labels = np.array([label.partition("T")[2] for label in labels.tolist()])
    if values.dtype.kind == "M":
        own: NDArray[Any] = grid.astype(values.dtype)
    elif column.notation is not None:
        own = np.array([each.strftime(column.notation) for each in grid.tolist()], dtype=object)
    else:
        own = np.array([each.isoformat() for each in grid.tolist()], dtype=object)
    return MomentsGrid(own, tuple(str(label).replace("T", " ") for label in labels.tolist()))
