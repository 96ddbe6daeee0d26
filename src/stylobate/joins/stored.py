"""What a model keeps of the join it was fitted on: the schema, and the tables looked up."""

from __future__ import annotations

from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any
from warnings import warn

from stylobate.data.column_table import ColumnTable
from stylobate.data.streams import is_stream
from stylobate.exceptions import InvalidDataError, InvalidParameterError, JoinWarning
from stylobate.formula.dialects import dialect as dialect_of
from stylobate.joins.aggregate_sql import aggregate_query
from stylobate.joins.aggregated_table import AggregatedTable, Aggregation
from stylobate.joins.base_table import BaseTable, column_names
from stylobate.joins.prepared import MATCHED
from stylobate.joins.schema import Schema
from stylobate.joins.sql import JOINED_ROWS, join_sql
from stylobate.joins.table_join import Join

if TYPE_CHECKING:
    from stylobate.joins.layout import Layout
    from stylobate.joins.prepared import Prepared


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class StoredJoin:
    """The join of a fitted model, as ``model.join_``.

    Parameters
    ----------
    schema : Schema
        The facts and the tables that the features need.
    features : tuple of str
        With their tables.
    tables : dict of str to dict of str to array
        Keys and features of the joined tables.
    complete : tuple of bool
        Of each edge whether all rows found a match when the model was fitted.
    aggregations : dict of str to Aggregation
        Of the tables that are aggregated, whose rows are kept.

    Examples
    --------
    >>> import stylobate
    >>> from stylobate.linear_model import LinearRegression
    >>> orders = {"customer": [1, 2, 1, 3], "days": [2.0, 4.0, 2.0, 6.0]}
    >>> customers = {"customer": [1, 2, 3], "age": [30.0, 50.0, 70.0]}
    >>> joined = stylobate.join(orders).with_(customers, on="customer")
    >>> model = LinearRegression().fit(joined, target="days")
    >>> model.predict({"customer": [3, 2]}).round(6).tolist()
    [6.0, 4.0]
    """

    schema: Schema
    features: tuple[str, ...]
    tables: dict[str, dict[str, Any]]
    complete: tuple[bool, ...]
    aggregations: dict[str, Aggregation]

    def __repr__(self) -> str:
        facts, *others = self.schema.names
        return f"StoredJoin({facts} with {', '.join(others) or 'no other table'})"

    @classmethod
    def of(cls, prepared: Prepared, layout: Layout) -> StoredJoin:
        """Of the columns that a fit has read."""
        needed: set[int] = set()

        def need(place: int) -> None:
            if place and place not in needed:
                needed.add(place)
                for above in prepared.links[place - 1].parents:
                    need(above)

        for place, _ in layout.features:
            need(place)
        edges = tuple(edge for k, edge in enumerate(prepared.edges) if k + 1 in needed)
        shown = [(prepared.tables[0].name, prepared.tables[0].columns)]
        tables, aggregations = {}, dict[str, Aggregation]()
        for place in sorted(needed):
            table = prepared.tables[place]
            names = [c for e in edges for t, c in e.parents if t == table.name]
            names += prepared.edges[place - 1].columns
            names += [c for home, c in layout.features if home == place and c in table.columns]
            if isinstance(table, AggregatedTable):  # aggregates of new facts need its rows
                made = table.aggregation
                made = replace(made, features=tuple(f for f in made.features if str(f) in names))
                aggregations[table.name] = made
                shown.append((table.name, (*made.key, *map(str, made.features))))
                table, names = table.rows, list(made.row_columns)
            else:
                shown.append((table.name, tuple(dict.fromkeys(names))))
            whole = table.whole(list(dict.fromkeys(names)))
            tables[table.name] = {name: whole[name] for name in whole.columns}
        complete = tuple(
            count.matched == count.rows
            for k, count in enumerate(prepared.counts)
            if k + 1 in needed
        )
        return cls(Schema(tuple(shown), edges), layout.names, tables, complete, aggregations)

    def with_tables(self, **tables: Any) -> StoredJoin:
        """The same with newer tables in place of some, to be stored as ``model.join_``.

        Parameters
        ----------
        **tables : path, Relation, data frame …
            By name; each must have the columns that the model needs.
        """
        found = dict(self.tables)
        for name, table in tables.items():
            if name not in found:
                raise InvalidParameterError(
                    f"join: the model looks nothing up in {name!r}; it does in "
                    f"{', '.join(found) or 'no table'}."
                )
            base = BaseTable(table, name)
            wanted = tuple(found[name])
            absent = [each for each in wanted if each not in base.columns]
            if absent:
                raise InvalidDataError(f"join: the new {name} lacks the column {absent[0]!r}.")
            whole = base.whole(wanted)
            found[name] = {each: whole[each] for each in wanted}
        return replace(self, tables=found)

    def with_facts(
        self, facts: Any, owner: str = "join", renewed: str = "model.join_.with_tables"
    ) -> Any:
        """The join of new facts with these tables; what is no table of facts, as it is.

        Rows that find no match are kept: with an answer for each row of the facts. They are
        counted, and a warning says how many they are where a fit had none, and by what call newer
        tables take the place of stored ones.
        """
        names = _names_of(facts)
        if names is None or set(self.features) <= set(names):
            return facts
        base = BaseTable(facts, self.schema.facts)
        self._refuse_absent(base, owner)
        edges = [replace(edge, how="left") for edge in self.schema.edges]
        tables = [self._table(edge.table, base) for edge in edges]
        joined = Join([base, *tables], edges, self.features, strict=False)
        for count, complete in zip(joined.counts, self.complete, strict=True):
            if complete and count.matched < count.rows:
                warn(
                    f"{owner}: {count.rows - count.matched:,} of {count.rows:,} rows find no match "
                    f"in {count.edge.table} by {count.edge}; their columns of {count.edge.table} "
                    f"are missing. Give newer tables by {renewed}.",
                    JoinWarning,
                    stacklevel=4,
                )
        return joined

    def with_join(
        self, to_sql: Any, model: Any, dialect: str, table: str, keep: Any, truths: Any
    ) -> str:
        """The SELECT of a model's predictions, with the join that makes its columns before it."""
        kept = [keep] if isinstance(keep, str) else list(keep)
        select = to_sql(model, dialect, JOINED_ROWS, kept, truths)
        facts = table, self.schema.facts
        aggregated = {
            name: aggregate_query(made, name, self.tables[name], facts, dialect_of(dialect))
            for name, made in self.aggregations.items()
        }
        joined = join_sql(self.schema, self.features, table, kept, aggregated)
        rest = select.removeprefix("WITH ")
        return f"WITH {joined}" + (f",\n{rest}" if rest != select else f"\n{select}")

    def _table(self, name: str, facts: BaseTable) -> BaseTable:
        rows = BaseTable(ColumnTable(self.tables[name]), name)
        made = self.aggregations.get(name)
        return rows if made is None else AggregatedTable(rows, facts, made)

    def _refuse_absent(self, base: BaseTable, owner: str) -> None:
        wanted = [c for edge in self.schema.edges for t, c in edge.parents if t == base.name]
        own = f"{base.name}."
        wanted += [each.removeprefix(own) for each in self.features if each.startswith(own)]
        absent = [each for each in wanted if each not in base.columns and each != MATCHED]
        if absent:
            raise InvalidDataError(
                f"{owner}: the rows of {base.name} lack the column {absent[0]!r}, which the model "
                f"needs; they have {', '.join(base.columns[:20])}."
            )


def _names_of(facts: Any) -> list[str] | None:
    """The columns of what may be a table of facts; None of arrays, lists and joins."""
    if isinstance(facts, Join):
        return None
    if isinstance(facts, str | PathLike):
        return []
    if isinstance(facts, ColumnTable):
        return list(facts.columns)
    named = ("columns", "column_names", "collect_schema")
    if isinstance(facts, dict) or is_stream(facts) or any(hasattr(facts, each) for each in named):
        return list(column_names(facts, "the rows"))
    return None
