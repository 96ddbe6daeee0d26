"""A join as SQL: the columns of a model under their names, for every row of the facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stylobate.data.reading.connection import identifier
from stylobate.joins.aggregate_sql import AggregateQuery
from stylobate.joins.edge import Edge
from stylobate.joins.schema import Schema

JOINED_ROWS = "joined rows"


def join_sql(
    schema: Schema,
    features: Sequence[str],
    facts: str,
    keep: Sequence[str],
    aggregated: Mapping[str, AggregateQuery],
) -> str:
    """A named query of the joined rows; rows of the facts without a match are kept.

    Parameters
    ----------
    schema : Schema
    features : sequence of str
        Columns with their tables.
    facts : str
        The table of the facts in the database; the others are called as in the schema.
    keep : sequence of str
        Columns of the facts to hand on.
    aggregated : mapping of str to AggregateQuery
        By the names of the tables that are aggregated.

    Examples
    --------
    >>> edge = Edge("customers", (("orders", "customer"),), ("id",))
    >>> schema = Schema((("orders", ("customer",)), ("customers", ("id", "age"))), (edge,))
    >>> print(join_sql(schema, ["customers.age"], "new_orders", [], {}))
    "joined rows" AS (
    SELECT "customers"."age" AS "customers.age"
    FROM "new_orders" AS "orders"
    LEFT JOIN "customers" ON "orders"."customer" = "customers"."id"
    )
    """
    shown = [_column(schema, name) for name in features]
    shown += [f"{_name(schema.facts, each)} AS {identifier(each)}" for each in keep]
    lines = [
        f"{identifier(JOINED_ROWS)} AS (",
        f"SELECT {', '.join(shown)}",
        f"FROM {identifier(facts)} AS {identifier(schema.facts)}",
    ]
    for edge in schema.edges:
        lefts = [_name(*left) for left in edge.parents]
        source = identifier(edge.table)
        if edge.table in aggregated:
            query = aggregated[edge.table]
            source = f"{query.text} AS {source}"
            lefts[-1] = query.moment or lefts[-1]
        pairs = zip(lefts, edge.columns, strict=True)
        keys = [f"{left} = {_name(edge.table, right)}" for left, right in pairs]
        lines.append(f"LEFT JOIN {source} ON {' AND '.join(keys)}")
    return "\n".join([*lines, ")"])


def _name(table: str, column: str) -> str:
    return f"{identifier(table)}.{identifier(column)}"


def _column(schema: Schema, name: str) -> str:
    table, column = schema.find(name)
    edge = next((each for each in schema.edges if each.table == table), None)
    if edge is None:
        cell = _name(table, column)
    elif column == "matched" and column not in schema.columns_of(table):
        cell = f"CASE WHEN {_unmatched(edge)} THEN 0 ELSE 1 END"
    elif edge.fill is None:
        cell = _name(table, column)
    else:
        cell = f"CASE WHEN {_unmatched(edge)} THEN {edge.fill!r} ELSE {_name(table, column)} END"
    return f"{cell} AS {identifier(name)}"


def _unmatched(edge: Edge) -> str:
    return f"{_name(edge.table, edge.columns[0])} IS NULL"
