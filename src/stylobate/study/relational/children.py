"""Tables of which several rows belong to a fact: aggregated before its moment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.joins import Database, ForeignKey, Join
from stylobate.joins.aggregate_request import kinds_of
from stylobate.joins.base_table import BaseTable
from stylobate.study.relational.moments import moment_of
from stylobate.study.results.relations import RelatedTable

BUDGET, OF_TABLE = 80, 30  # aggregates that are made, of all tables and of one
_FEWEST = 3  # aggregates of a table, below which it is not begun with
_FEW_COLUMNS = 6  # of numbers, up to which all statistics of each fit into the budget
_MANY_VALUES = 100  # of a text, from which on shares of the commonest say little
_HEAVY = 2e8  # cells of the pasts of all facts, from which on slopes are not computed


@dataclass(frozen=True, slots=True)
class Child:
    """A table with rows that belong to facts: which columns of the facts name them."""

    key: ForeignKey
    pairs: tuple[tuple[str, str], ...]  # of facts and of the table
    through: str  # the table both point at; the facts themselves if rows point at these
    name: str

    def words_for(self, facts: str) -> str:
        """The key."""
        rows = self.key.table
        return " and ".join(f"{facts}.{left} = {rows}.{right}" for left, right in self.pairs)


def children_of(database: Database, facts: str, without: tuple[str, ...]) -> Iterator[Child]:
    """Tables that point at the facts, or at what the facts point at; the facts' own past as well.

    Parameters
    ----------
    database : Database
    facts : str
    without : tuple of str
        Tables that are left out.
    """
    used = {facts}
    for key in database.many(facts):
        if key.table not in (facts, *without):
            pairs = tuple(zip(key.key, key.columns, strict=True))
            yield Child(key, pairs, facts, _free(key, used))
    beside = list(_beside(database, facts, without))
    for own in (False, True):
        for key, pairs, through in beside:
            if (key.table == facts) == own:
                yield Child(key, pairs, through, _free(key, used, own=own))


def _beside(
    database: Database, facts: str, without: tuple[str, ...]
) -> Iterator[tuple[ForeignKey, tuple[tuple[str, str], ...], str]]:
    """Tables that point at what the facts point at, and are not pointed at themselves."""
    looked_up = {key.other for key in database.keys if key.table == facts} - {facts}
    for ours in [each for each in database.keys if each.table == facts]:
        if ours.other in (facts, *without):
            continue
        for key in database.many(ours.other):
            if key.table in (*without, *looked_up) or set(key.key) != set(ours.key):
                continue
            if key.table == facts and key.columns != ours.columns:
                continue
            by_key = dict(zip(ours.key, ours.columns, strict=True))
            pairs = tuple((by_key[c], r) for c, r in zip(key.key, key.columns, strict=True))
            yield key, pairs, ours.other


def _free(key: ForeignKey, used: set[str], *, own: bool = False) -> str:
    name = f"earlier {key.table}" if own else key.table
    if name in used:
        name = f"{name} by {' and '.join(key.columns)}"
    while name in used:
        name += " again"
    used.add(name)
    return name


def with_child(
    joined: Join,
    database: Database,
    facts: BaseTable,
    child: Child,
    target: str,
    named: str | None,
    most: int,
) -> tuple[Join, RelatedTable | None]:
    """The join with the aggregates of a table, or why there are none.

    Parameters
    ----------
    joined : Join
    database : Database
    facts : BaseTable
    child : Child
    target : str
        A column of the facts, which is never part of their own past.
    named : str or None
        The facts' column of times, where the caller named it.
    most : int
        How many aggregates there may be.
    """
    own = child.key.table == facts.name
    rows = facts if own else BaseTable(database.tables[child.key.table], child.key.table)
    moment = moment_of(facts, rows, named)
    hidden = {target} if own else set()
    name = child.name
    if name in joined.schema.names:  # it is looked up already, by another key
        name = f"{name} by {' and '.join(child.key.columns)}"
    told = RelatedTable(
        name, "earlier rows" if own else "aggregated", child.through, child.words_for(facts.name),
        child.key.evidence, reason=_time_words(moment, rows, facts, own=own),
    )  # fmt: skip
    if own and (moment is None or moment[0] in dict(child.pairs)):
        return joined, None  # no row is earlier than another
    if most < _FEWEST:
        why = f"the {BUDGET} aggregates that are made are those of other tables"
        return joined, RelatedTable(name, "left out", told.parent, told.key, reason=why)
    columns = _columns(database, rows, {*hidden, *(moment or ())})
    made = joined.aggregate(
        rows.origin, by=dict(child.pairs), name=name, columns=columns,
        before=False if moment is None else {moment[0]: moment[1]},
        statistics=_statistics(facts, rows, child, columns, timed=moment is not None),
        most=min(most, OF_TABLE),
    )  # fmt: skip
    return made, told


def _time_words(
    moment: tuple[str, str] | None, rows: BaseTable, facts: BaseTable, *, own: bool
) -> str:
    if moment is not None:
        return (
            f"only rows whose {moment[1]} is before {facts.name}.{moment[0]} count"
            + (", without the target" if own else "")
        )  # fmt: skip
    return f"all rows count, for nothing tells which of {rows.name} come later than a fact"


def _columns(database: Database, rows: BaseTable, without: set[str]) -> list[str]:
    """What is aggregated: neither keys nor names nor times."""
    keys = {c for key in database.keys if key.table == rows.name for c in key.columns}
    keys |= {c for key in database.keys if key.other == rows.name for c in key.key}
    kinds = kinds_of(rows, rows.columns)
    names = [name for name in rows.columns if name not in keys | without and kinds[name] != "M"]
    if not names:
        return []
    whole = rows.whole(names)
    return [name for name in names if not _names_rows(name, whole[name])]


def _names_rows(name: str, values: Any) -> bool:
    """Whether a column names rows, or has too many words for shares of them."""
    if values.dtype.kind == "O":
        return len({*values.tolist()}) > _MANY_VALUES
    if values.dtype.kind not in "iu":
        return values.dtype.kind not in "bf"
    plain = name.lower()
    named = plain.endswith(("id", "key", "number", "code")) or plain == "row"
    return bool(named and len(np.unique(values)) == len(values))


def _statistics(
    facts: BaseTable, rows: BaseTable, child: Child, columns: list[str], *, timed: bool
) -> list[str]:
    kinds = kinds_of(rows, columns)
    numbers = sum(kind in "biuf" for kind in kinds.values())
    found = ["count", *(["time since last"] if timed else [])]
    if not columns:
        return found
    found += ["mean", "share", *(["last"] if timed else [])]
    if numbers <= _FEW_COLUMNS:
        found += ["sum", "min", "max"]
        found += ["trend"] if timed and _cells(facts, rows, child) < _HEAVY else []
    return found


def _cells(facts: BaseTable, rows: BaseTable, child: Child) -> float:
    """How many rows belong to all facts together, each counted as often as it does."""
    (left, right), *_ = child.pairs
    ours, theirs = facts.whole([left])[left], rows.whole([right])[right]
    return float(len(ours)) * len(theirs) / max(len({*theirs.tolist()}), 1)
