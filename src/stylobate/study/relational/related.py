"""From a database, or a join, and a target to the one table that a study is made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from stylobate.data.column_table import ColumnTable
from stylobate.data.kinds import Schema, infer_schema
from stylobate.data.kinds.schema import Kind
from stylobate.data.streams import Batch, Stream
from stylobate.data.streams.columns import ColumnRoles
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.joins import Database, Join, StoredJoin
from stylobate.joins.aggregated_table import AggregatedTable
from stylobate.joins.base_table import BaseTable
from stylobate.joins.collected import batches_of_columns, collected
from stylobate.joins.edge import Edge
from stylobate.joins.prepared import MATCHED
from stylobate.study.relational.children import BUDGET, children_of, with_child
from stylobate.study.relational.lookup_step import TableLookup
from stylobate.study.results.relations import RelatedTable, Relations
from stylobate.study.table.large import sampled, size_of
from stylobate.study.table.table import StudyTable

FEW_KEYS = 50  # different values of a key of the facts, up to which it is a category


@dataclass(frozen=True, eq=False)
class Related:
    """Tables as a study takes them.

    Attributes
    ----------
    name : str
        Of the source.
    joined : Join
    target : str
        With its table.
    tables : tuple of RelatedTable
        The facts first.
    moment : str
        The facts' column of times, where other tables' rows are counted up to it.
    """

    name: str
    joined: Join
    target: str
    tables: tuple[RelatedTable, ...]
    moment: str = ""

    @property
    def facts(self) -> str:
        """The table whose rows are predicted."""
        return self.joined.schema.facts

    @cached_property
    def own(self) -> tuple[str, ...]:
        """The columns of the facts, with their table."""
        return tuple(f"{self.facts}.{c}" for c in self.joined.schema.columns_of(self.facts))

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """All columns: those of the facts, keys included, and what is joined."""
        others = [n for n in self.joined.columns if n not in self.own and not self._says_nothing(n)]
        return (*self.own, *others)

    def table(self, memory: float, holdout: float, seed: int) -> StudyTable:
        """All rows with all columns in memory, or a sample of them if they are too large.

        Parameters
        ----------
        memory : float
            Bytes from which on rows × columns × 8 is too much.
        holdout : float
            Share of the rows to lock away, where they are sampled.
        seed : int
            Of the sample.
        """
        large, n_rows = None, self.joined.n_rows
        size = size_of(n_rows, len(self.columns))
        if size <= memory:
            columns = collected(self.joined, self.columns)
        else:
            stream = Stream(self._batches, self.name, length=n_rows)
            columns, large = sampled(stream, n_rows, size, int(memory), holdout, seed)
        return StudyTable(self.name, columns, infer_schema(columns), (), large)

    def _batches(self) -> Iterator[Batch]:
        return (Batch(each) for each in batches_of_columns(self.joined, self.columns))

    def _says_nothing(self, name: str) -> bool:
        """Whether a column marks that rows were aggregated, which their number tells."""
        table, _, column = name.rpartition(".")
        place = self.joined.schema.names.index(table)
        return column == MATCHED and isinstance(self.joined._tables[place], AggregatedTable)

    def full(self, name: str) -> str:
        """A column with its table, as the study calls it."""
        return name if name in self.columns else ".".join(self.joined.schema.find(name))

    def key_kinds(self, columns: ColumnTable) -> tuple[dict[str, Kind], list[str]]:
        """Keys of the facts: those of few values are categories, the others say which row it is."""
        few: dict[str, Kind] = {}
        many: list[str] = []
        for table, column in sorted(self.joined.schema.keys()):
            name = f"{table}.{column}"
            if table != self.facts or name == self.target or name in (few | dict.fromkeys(many)):
                continue
            values = columns[name]
            if values.dtype.kind == "M" or column == self.moment:
                continue
            distinct = len({*values.tolist()} if values.dtype.kind == "O" else np.unique(values))
            if distinct <= FEW_KEYS:
                few[name] = "nominal"
            else:
                many.append(name)
        return few, many

    def of_tables(self, features: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Of each table that may be left out its columns among the features, and those below it."""
        found = {}
        for name in self.joined.schema.names[1:]:
            gone = self.below(name)
            kept = tuple(f for f in features if any(f.startswith(f"{each}.") for each in gone))
            if kept:
                found[name] = kept
        return found

    def below(self, name: str) -> tuple[str, ...]:
        """A table, and all that are reached through it alone."""
        gone = [name]
        for edge in self.joined.schema.edges:
            if any(table in gone for table, _ in edge.parents):
                gone.append(edge.table)
        return tuple(gone)

    def relations(self, features: Sequence[str]) -> Relations:
        """The tables, with how many of their columns take part."""
        counts = {count.edge.table: count for count in self.joined.counts}
        told = []
        for each in self.tables:
            columns = sum(name.startswith(f"{each.name}.") for name in features)
            count = counts.get(each.name)
            rows, matched = (0, 0) if count is None else (count.rows, count.matched)
            told.append(replace(each, columns=columns, rows=rows, matched=matched))
        moment = f"{self.facts}.{self.moment}" if self.moment else ""
        return Relations(self.facts, moment, tuple(told))

    def step(self, features: Sequence[str], schema: Schema) -> TableLookup:
        """The first step of the final pipeline: from rows of the facts to all columns.

        Parameters
        ----------
        features : sequence of str
            What the next step takes.
        schema : Schema
            What all columns of the study are.
        """
        joined = self.joined
        layout = joined._layout(ColumnRoles("study", features=tuple(features)))
        made = TableLookup(StoredJoin.of(joined.prepared, layout)).fit(None)
        needed = [schema[f"{self.facts}.{name}"] for name in made.feature_names_in_]
        keys = set(map(".".join, joined.schema.keys()))
        made.schema_ = replace(
            schema,
            columns=tuple(
                replace(
                    each,
                    name=each.name.removeprefix(f"{self.facts}."),
                    kind="nominal" if each.name in keys and each.kind == "numeric" else each.kind,
                )
                for each in needed
            ),
        )
        return made


def relate(
    source: Database | Join, target: str, drop: Sequence[str] = (), time_column: str | None = None
) -> Related:
    """The tables that a target can be learnt from.

    Parameters
    ----------
    source : Database or Join
        Of a database all tables that the target's table points at are looked up, and those that
        point at it, or at the same table as it does, aggregated. A join is taken as it is.
    target : str
        The column to predict, as ``table.column``, or alone where one table has it.
    drop : sequence of str
        Tables to leave out, as ``table.*``; columns are no matter here.
    time_column : str, optional
        The column of the facts that is their moment.
    """
    without = tuple(name.removesuffix(".*") for name in drop if name.endswith(".*"))
    if isinstance(source, Join):
        return _of_join(source, target, without)
    table, column = source.find(target)
    for name in without:
        _require_table(source, name.removeprefix("earlier "))
    named = None
    if time_column is not None:
        home, named = _time_column(source, table, time_column)
        if home != table:
            raise InvalidParameterError(
                f"time_column={time_column!r} is a column of {home}, and rows of {table} are "
                f"predicted; name a column of {table}."
            )
    try:
        joined = source.join(table, without=[n for n in without if n in source.tables])
        tables = [RelatedTable(table, "facts"), *(_looked_up(source, e) for e in joined._edges)]
        joined, aggregated = _aggregated(source, joined, (table, column), without, named)
        tables += aggregated
        _ = joined.counts  # keys that repeat, or never match, are refused here
    except InvalidDataError as error:
        raise InvalidDataError(
            f"{error} A table is left out of the study by drop='table.*' (--drop 'table.*')."
        ) from None
    moment = named or next(
        (t.before[0] for each in joined._tables if (t := _aggregation(each)) and t.before), ""
    )
    tables += _unused(source, tables, without)
    return Related(source.name, joined, f"{table}.{column}", tuple(tables), moment)


def _aggregated(
    source: Database, joined: Join, target: tuple[str, str], without: tuple[str, ...],
    named: str | None,
) -> tuple[Join, list[RelatedTable]]:  # fmt: skip
    facts = BaseTable(source.tables[target[0]], target[0])
    found: list[RelatedTable] = []
    before = len(joined.schema.features())
    for child in children_of(source, target[0], without):
        if child.name in without:
            found.append(RelatedTable(child.name, "left out", reason="left out as asked for"))
            continue
        left = BUDGET - (len(joined.schema.features()) - before)
        joined, told = with_child(joined, source, facts, child, target[1], named, left)
        found += [] if told is None else [told]
    return joined, found


def _aggregation(table: BaseTable) -> Any:
    return table.aggregation if isinstance(table, AggregatedTable) else None


def _time_column(source: Database, table: str, name: str) -> tuple[str, str]:
    return (table, name) if name in source.columns_of(table) else source.find(name)


def _require_table(source: Database, name: str) -> None:
    if name not in source.tables:
        raise InvalidParameterError(
            f"drop: there is no table {name!r} in {source.name}; there are "
            f"{', '.join(source.tables)}."
        )


def _of_join(joined: Join, target: str, without: tuple[str, ...]) -> Related:
    home, column = joined.schema.find(target)
    if home != joined.schema.facts:
        raise InvalidParameterError(
            f"target={target!r} is a column of {home}, and the rows of this join are those of "
            f"{joined.schema.facts}; begin the join with {home}."
        )
    if without:
        raise InvalidParameterError(
            f"drop={without[0] + '.*'!r}: a join is studied as it is; make it without this table."
        )
    if any(link.most > 1 for link in joined.prepared.links):
        raise InvalidDataError(
            "study: the join has several rows for one of its facts, which would be locked away and "
            "learnt from at once; aggregate the table with many rows (Join.aggregate) instead."
        )
    tables = [RelatedTable(home, "facts")]
    for edge in joined._edges:
        place = joined.schema.names.index(edge.table)
        made = isinstance(joined._tables[place], AggregatedTable)
        role: Any = "aggregated" if made else "looked up"
        tables.append(_told(edge, role, "as joined"))
    return Related(
        f"a join of {', '.join(joined.schema.names)}", joined, f"{home}.{column}", tuple(tables)
    )


def _told(edge: Edge, role: Any, evidence: str) -> RelatedTable:
    return RelatedTable(edge.table, role, edge.parents[0][0], str(edge), evidence)


def _looked_up(source: Database, edge: Edge) -> RelatedTable:
    columns = tuple(column for _, column in edge.parents)
    evidence = next(
        (k.evidence for k in source.keys if k.columns == columns and k.key == edge.columns), ""
    )
    return _told(edge, "looked up", evidence)


def _unused(
    source: Database, tables: Sequence[RelatedTable], without: tuple[str, ...]
) -> list[RelatedTable]:
    known = {each.name for each in tables}
    keyed = {key.table for key in source.keys} | {key.other for key in source.keys}
    found = []
    for name in source.tables:
        if name in known or any(each.startswith(f"{name} by ") for each in known):
            continue
        if name in without:
            reason = "left out as asked for"
        elif name in keyed:
            reason = f"no key leads from {tables[0].name} there; it hangs to another table"
        else:
            reason = "no key of it, or to it, is declared or was found"
        found.append(RelatedTable(name, "left out", reason=reason))
    return found
