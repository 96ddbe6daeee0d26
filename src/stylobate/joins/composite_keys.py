"""Keys of several columns found in the data: columns of one name in two tables, unique in one."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, permutations

import numpy as np

from stylobate.data.column_table import ColumnTable
from stylobate.exceptions import InvalidDataError
from stylobate.joins.base_table import BaseTable
from stylobate.joins.foreign_key import ForeignKey
from stylobate.joins.keys import CompositeIndex

_MOST_COLUMNS = 6  # of one name in both tables, that are tried in all combinations
_LEAST_SHARE = 0.3  # of the rows, whose keys must be those of the other table
_SEVERAL = 2


def composite_keys(
    tables: Mapping[str, BaseTable], known: tuple[ForeignKey, ...]
) -> tuple[ForeignKey, ...]:
    """Pairs, triples … of columns of one name that together name the rows of another table.

    Of several the shortest is taken; tables that one column joins already need no more.

    Parameters
    ----------
    tables : mapping of str to BaseTable
    known : tuple of ForeignKey
        What is declared or was found by one column.

    Examples
    --------
    >>> sales = BaseTable({"shop": [1, 1, 2], "day": [1, 2, 9]}, "sales")
    >>> days = BaseTable({"shop": [1, 1, 2], "day": [1, 2, 1], "rain": [0.0, 1.0, 0.0]}, "days")
    >>> print(*composite_keys({"sales": sales, "days": days}, ()))
    sales.shop, sales.day → days.shop, days.day (2 of 3 rows find one of 3 keys, none twice)
    """
    joined = {(key.table, key.other) for key in known}
    found: list[ForeignKey] = []
    for table, other in permutations(tables, 2):
        # the wider table of two is the one with attributes, if both have the same key
        if (table, other) in joined or (other, table) in joined:
            continue
        key = _shortest(tables[table], tables[other])
        if key is not None:
            found.append(key)
    twins = {(key.table, key.other) for key in found}
    return tuple(
        key
        for key in found
        if (key.other, key.table) not in twins
        or len(tables[key.table].columns) <= len(tables[key.other].columns)
    )


def _shortest(table: BaseTable, other: BaseTable) -> ForeignKey | None:
    shared = [name for name in table.columns if name in other.columns]
    if not _SEVERAL <= len(shared) <= _MOST_COLUMNS:
        return None
    rest = [name for name in other.columns if name not in shared]
    if not rest:
        return None
    theirs = other.whole(shared)
    for count in range(_SEVERAL, len(shared) + 1):
        for names in combinations(shared, count):
            key = _checked(table, other, theirs, names)
            if key is not None:
                return key
    return None


def _checked(
    table: BaseTable, other: BaseTable, theirs: ColumnTable, names: tuple[str, ...]
) -> ForeignKey | None:
    """The key, if it is one: unique there, and found by enough rows here."""
    try:
        index = CompositeIndex([theirs[n] for n in names], [f"{other.name}.{n}" for n in names])
        if index.size < len(theirs) or any(part.size == len(theirs) for part in index.parts):
            return None
        ours = table.whole(names)
        codes = index.find([ours[n] for n in names], [f"{table.name}.{n}" for n in names])
    except InvalidDataError:  # decimals, or of other kinds: no keys
        return None
    matched = int(np.count_nonzero(codes >= 0))
    if matched < _LEAST_SHARE * len(ours):
        return None
    evidence = f"{matched:,} of {len(ours):,} rows find one of {index.size:,} keys, none twice"
    return ForeignKey(table.name, names, other.name, names, False, evidence)
