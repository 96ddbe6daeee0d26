"""What the sketches of a column share: reading it, and refusing what does not fit."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.data.arrow import column_of
from stylobate.data.arrow_column import ArrowColumn
from stylobate.exceptions import InvalidDataError

QUANTILE_SIZE = 1024
DISTINCT_BITS = 16
VALUE_LIMIT = 10_000


def sketched(
    values: Any,
    *,
    k: int = QUANTILE_SIZE,
    bits: int = DISTINCT_BITS,
    limit: int = VALUE_LIMIT,
    seed: int = 0,
    want: tuple[str, ...],
) -> tuple[ArrowColumn, _core.ColumnSketch]:
    """The column that `values` is, and the core's sketches of it that are wanted."""
    column = column_of(values)
    found = _core.sketch_column(
        column.cells,
        k,
        bits,
        limit,
        seed,
        with_shape="shape" in want,
        with_quantiles="quantiles" in want,
        with_values="values" in want,
    )
    return column, found


def common_kind(owner: str, ours: tuple[str, str], theirs: tuple[str, str]) -> tuple[str, str]:
    """Kind and format of two parts of one column; "none" is that of a part without values."""
    if theirs[0] == "none" or theirs == ours:
        return ours
    if ours[0] == "none":
        return theirs
    if ours[0] != theirs[0]:
        raise InvalidDataError(
            f"{owner}: one part holds {ours[0]} values, the other {theirs[0]}; parts of one "
            "column must be of one type."
        )
    return ours


def names_as_numbers(*names: str) -> NDArray[np.uint8]:
    """Names as an array of numbers, for `to_arrays`.

    >>> names_from(names_as_numbers("real", "g"))
    ['real', 'g']
    """
    return np.frombuffer("\n".join(names).encode(), np.uint8)


def names_from(numbers: NDArray[Any]) -> list[str]:
    """The way back."""
    return np.asarray(numbers, np.uint8).tobytes().decode().split("\n")
