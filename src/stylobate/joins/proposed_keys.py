"""Foreign keys found in the data: columns whose names and values fit the key of another table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidDataError
from stylobate.joins.base_table import BaseTable
from stylobate.joins.foreign_key import ForeignKey
from stylobate.joins.keys import KeyIndex

_LEAST_SHARE = 0.3  # of the distinct values of a column that must be keys of the other table
_MOST_SHARE, _FEWEST = 0.9, 3  # of a text column of another name, and its distinct values
_GENERIC = frozenset({"id", "key", "code", "name", "date", "year", "month", "day", "type"})


def proposed_keys(tables: Mapping[str, BaseTable]) -> tuple[ForeignKey, ...]:
    """What points at what, by the names and values of columns.

    A column is proposed where its name is that of the other table's key (``customer_id``), or of
    the table and its key (``customer_id`` for ``customers.id``), the key has no value twice, and at
    least three of ten of the column's distinct values are among the keys. A text column of
    another name is proposed where nine of ten of its distinct values, three at least, are among
    the keys (``flights.dest`` for ``airports.faa``).

    Examples
    --------
    >>> orders = BaseTable({"customer_id": [1, 2, 2], "price": [3.0, 4.0, 5.0]}, "orders")
    >>> customers = BaseTable({"id": [1, 2, 3], "age": [30.0, 40.0, 50.0]}, "customers")
    >>> print(*proposed_keys({"orders": orders, "customers": customers}))
    orders.customer_id → customers.id (2 of 2 distinct values are among 3 keys, none twice)
    """
    known: dict[tuple[str, str], KeyIndex | None] = {}

    def index(table: str, column: str) -> KeyIndex | None:
        if (table, column) not in known:
            known[table, column] = _index(tables[table], column)
        return known[table, column]

    found: list[ForeignKey] = []
    for table, other in permutations(tables, 2):
        named = list(_named_alike(tables[table], tables[other]))
        for column, key in [*named, *_texts(tables[table], tables[other], named)]:
            theirs = index(other, key)
            if theirs is None or theirs.size < len(theirs.codes):
                continue
            ours = index(table, column)
            if ours is None or ours.kind != theirs.kind:
                continue
            if ours.size == len(ours.codes) and _is_own_key(tables, table, column, other, key):
                continue
            alike = (column, key) in named
            if not alike and (ours.kind != "text" or ours.size < _FEWEST or _is_unique(ours)):
                continue
            share, evidence = _overlap(tables[table], column, ours, theirs)
            if share >= (_LEAST_SHARE if alike else _MOST_SHARE):
                found.append(ForeignKey(table, (column,), other, (key,), False, evidence))
    return tuple(found)


def _named_alike(table: BaseTable, other: BaseTable) -> Iterator[tuple[str, str]]:
    short = _plain(other.name)
    stems = {short, short.removesuffix("s"), short.removesuffix("es")}
    if short.endswith("ies"):
        stems.add(short.removesuffix("ies") + "y")
    for column in table.columns:
        for key in other.columns:
            mine, theirs = _plain(column), _plain(key)
            same = mine == theirs and theirs not in _GENERIC
            if same or mine in {stem + theirs for stem in stems if theirs in _GENERIC}:
                yield column, key


def _texts(
    table: BaseTable, other: BaseTable, named: list[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    """Columns of text of other names than that of the other table's first column of text."""
    theirs = _of_text(other)[:1]  # what names its rows comes first
    taken = {column for column, _ in named}
    for column in _of_text(table) if theirs else ():
        if column not in taken and _plain(column) != _plain(theirs[0]):
            yield column, theirs[0]


def _of_text(table: BaseTable) -> list[str]:
    first = next(iter(table.batches(table.columns)), None)
    return [] if first is None else [n for n in table.columns if first[n].dtype.kind == "O"]


def _is_unique(index: KeyIndex) -> bool:
    return index.size == len(index.codes)


def _plain(name: str) -> str:
    return "".join(each for each in name.lower() if each.isalnum())


def _index(table: BaseTable, column: str) -> KeyIndex | None:
    """The keys of a column; None where it holds none."""
    try:
        values = table.whole([column])[column]
        if values.dtype.kind == "f" and not np.isnan(values).any():
            return None  # whole numbers are read as decimals only where some are missing
        return KeyIndex(values, f"{table.name}.{column}")
    except InvalidDataError:
        return None


def _is_own_key(
    tables: Mapping[str, BaseTable], table: str, column: str, other: str, key: str
) -> bool:
    """Whether of two tables with one key the other one is to point: the later, or the wider."""
    first = _plain(column).startswith(_plain(table).removesuffix("s"))
    return first or (list(tables).index(table) < list(tables).index(other) and column == key)


def _overlap(table: BaseTable, column: str, ours: KeyIndex, theirs: KeyIndex) -> tuple[float, str]:
    values: NDArray[Any] = table.whole([column])[column]
    first = np.full(ours.size, -1)
    there = np.flatnonzero(ours.codes >= 0)
    first[ours.codes[there]] = there
    if not len(first):
        return 0.0, ""
    matched = int(np.count_nonzero(theirs.find(values[first], f"{table.name}.{column}") >= 0))
    evidence = (
        f"{matched:,} of {ours.size:,} distinct values are among {theirs.size:,} keys, none twice"
    )
    return matched / ours.size, evidence
