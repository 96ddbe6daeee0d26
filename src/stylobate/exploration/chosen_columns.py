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

NO_USE = ("constant", "identifier", "text")  # kinds that say nothing of likeness in clusters
_CATEGORIES = ("nominal",)
_FEW_CATEGORIES = 20  # that are always compared
_LARGEST = 1e140  # of a number; sums of many squares stay within the range of doubles
_NAMED = 8  # columns that a refusal lists
_MOST_TOLD = 12  # columns left out that are told by name
FILLED = "numbers take the median of their column, categories one of their own"
_AMOUNTS = ("numeric", "datetime", "geospatial")


@dataclass(frozen=True, slots=True, eq=False)
class ChosenColumns:
    """The columns that rows are compared by.

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

    def missing_notes(self, how: str) -> list[str]:
        """How many cells are missing, where, and what is done about them."""
        missing = self.missing
        if not missing:
            return []
        cells = sum(missing.values())
        some = ", ".join(list(missing)[:4]) + (" …" if len(missing) > 4 else "")
        counted = "one cell is" if cells == 1 else f"{cells:,} cells are"
        return [f"{counted} missing ({some}): {how}"]


def choose_columns(
    scanned: Scanned,
    cells: Sequence[Cells],
    wanted: Sequence[str] | None,
    drop: Sequence[str],
    owner: str = "describe_clusters",
    no_use: Sequence[str] = NO_USE,
) -> ChosenColumns:
    """The columns asked for, or all that can tell rows apart.

    Parameters
    ----------
    scanned : Scanned
        The table.
    cells : sequence of Cells
        All its columns.
    wanted, drop : sequence of str
        Columns to compare rows by (None for all that can) and to leave out.
    owner : str
        Who asks, for refusals.
    no_use : sequence of str
        Kinds of columns that take no part; where texts do not, neither do categories that almost
        every row has for itself, unless they are asked for.
    """
    names = [each.column.name for each in cells]
    check_names(owner, "columns", names, wanted or ())
    check_names(owner, "drop", names, drop)
    if wanted is not None and not wanted:
        raise InvalidParameterError(f"{owner}: columns names no column; give some, or None.")
    left_out: dict[str, str] = {}
    used = []
    for each in cells:
        column = each.column
        if column.name in drop or (wanted is not None and column.name not in wanted):
            left_out[column.name] = "as asked for"
        elif not len(each.values):
            left_out[column.name] = "empty: no row has a value"
        elif column.kind in no_use:
            left_out[column.name] = f"{column.kind}: {column.reason}"
        elif wanted is None and "text" in no_use and _is_almost_a_name(each):
            known = len(each.codes) - each.missing
            left_out[column.name] = (
                f"almost all different: {len(each.values):,} categories in {known:,} rows"
            )
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


def _is_almost_a_name(cells: Cells) -> bool:
    """Categories of which most rows have one of their own: names of things, numbers of tickets."""
    count = len(cells.values)
    known = len(cells.codes) - cells.missing
    return cells.column.kind in _CATEGORIES and count > max(_FEW_CATEGORIES, known // 2)


def _array(values: Any) -> NDArray[Any]:
    return values if isinstance(values, np.ndarray) else np.asarray(values.to_numpy())


def check_names(owner: str, option: str, names: Sequence[str], given: Sequence[str]) -> None:
    """Refuse names that no column has, with the one most like them, or those there are."""
    for name in given:
        if name not in names:
            close = get_close_matches(str(name), names, n=1, cutoff=0.4)
            few = ", ".join(map(repr, names[:_NAMED])) + (", …" if len(names) > _NAMED else "")
            hint = f" Did you mean {close[0]!r}?" if close else f" The columns are {few}."
            raise InvalidParameterError(f"{owner}: {option} names no column {name!r}.{hint}")


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


def left_out_text(columns: dict[str, str]) -> str:
    """Columns by the reason they share.

    >>> left_out_text({"id": "identifier: all differ", "a": "as asked for", "b": "as asked for"})
    'id (identifier); a, b (as asked for)'
    """
    reasons: dict[str, list[str]] = {}
    for name, why in columns.items():
        reasons.setdefault(why.split(":")[0], []).append(name)
    parts = []
    for reason, names in reasons.items():
        more = len(names) - _MOST_TOLD
        shown = ", ".join(names[:_MOST_TOLD]) + (f" and {more} more" if more > 0 else "")
        parts.append(f"{shown} ({reason})")
    return "; ".join(parts)
