"""Which columns tell rows apart, and why the others do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.column_table import ColumnTable
from stylobate.data.kinds.schema import Schema
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.exploration.cells import Cells
from stylobate.exploration.rows import Scanned

_NO_USE = ("constant", "identifier", "text")
_CATEGORIES = ("nominal",)
_LARGEST = 1e140  # of a number; sums of many squares stay within the range of doubles
_AMOUNTS = ("numeric", "datetime", "geospatial")


@dataclass(frozen=True, slots=True, eq=False)
class ChosenColumns:
    """The columns that clusters are made of.

    Attributes
    ----------
    cells : tuple of Cells
        Their values.
    table : ColumnTable
        The same as they came, for encoders.
    left_out : dict from str to str
        The other columns, with the reason.
    """

    cells: tuple[Cells, ...]
    table: ColumnTable
    left_out: dict[str, str]

    @property
    def names(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(each.column.name for each in self.cells)

    @property
    def schema(self) -> Schema:
        """What they are."""
        return Schema(tuple(each.column for each in self.cells))

    @property
    def has_categories(self) -> bool:
        """Whether some are categories of more than two values."""
        return any(each.column.kind in _CATEGORIES for each in self.cells)

    @property
    def is_continuous(self) -> bool:
        """Whether all are amounts."""
        return all(each.column.kind in _AMOUNTS for each in self.cells)

    @property
    def missing(self) -> dict[str, int]:
        """Gaps of the columns that have some."""
        return {each.column.name: each.missing for each in self.cells if each.missing}


def choose_columns(
    scanned: Scanned,
    cells: Sequence[Cells],
    wanted: Sequence[str] | None,
    drop: Sequence[str],
    owner: str = "describe_clusters",
) -> ChosenColumns:
    """The columns asked for, or all that can tell rows apart."""
    names = [each.column.name for each in cells]
    _check(owner, names, wanted, drop)
    left_out: dict[str, str] = {}
    used = []
    for each in cells:
        column = each.column
        if column.name in drop or (wanted is not None and column.name not in wanted):
            left_out[column.name] = "as asked for"
        elif not len(each.values):
            left_out[column.name] = "empty: no row has a value"
        elif column.kind in _NO_USE:
            left_out[column.name] = f"{column.kind}: {column.reason}"
        else:
            used.append(each)
    if not used:
        told = "; ".join(f"{name} ({why})" for name, why in list(left_out.items())[:6])
        raise InvalidDataError(
            f"No column of {scanned.source} tells rows apart by numbers or categories. Left out: "
            f"{told or 'none, for there are no columns'}."
        )
    _refuse_too_large(used)
    values = dict(zip(names, scanned.sample.values, strict=True))
    table = ColumnTable({each.column.name: _array(values[each.column.name]) for each in used})
    return ChosenColumns(tuple(used), table, left_out)


def _array(values: Any) -> NDArray[Any]:
    return values if isinstance(values, np.ndarray) else np.asarray(values.to_numpy())


def _check(
    owner: str, names: Sequence[str], wanted: Sequence[str] | None, drop: Sequence[str]
) -> None:
    for option, given in (("columns", wanted or ()), ("drop", drop)):
        for name in given:
            if name not in names:
                close = get_close_matches(str(name), names, n=1, cutoff=0.4)
                hint = f" Did you mean {close[0]!r}?" if close else ""
                raise InvalidParameterError(f"{owner}: {option} names no column {name!r}.{hint}")
    if wanted is not None and not wanted:
        raise InvalidParameterError(f"{owner}: columns names no column; give some, or None.")


def _refuse_too_large(used: Sequence[Cells]) -> None:
    """Numbers whose squares no double holds have no standard deviation and no distances."""
    for each in used:
        if not each.is_numeric or np.abs(each.values).max() < _LARGEST:
            continue
        if np.isinf(each.values).any():
            raise InvalidDataError(
                f"The column {each.column.name!r} holds an infinite number, to which every "
                "distance is infinite; correct it, leave the cell empty, or leave the column out."
            )
        raise InvalidDataError(
            f"The column {each.column.name!r} holds numbers too large to compare, up to "
            f"{np.abs(each.values).max():.3g}; give it in a larger unit, or leave it out."
        )
