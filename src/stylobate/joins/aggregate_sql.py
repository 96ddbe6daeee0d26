"""Aggregates of the rows of another table as SQL: a query with a row for each key and moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.exceptions import UnsupportedDataError
from stylobate.formula.dialects import Dialect
from stylobate.joins.aggregate_features import AggregateFeature
from stylobate.joins.aggregated_table import CUTOFF, Aggregation, length_of
from stylobate.joins.times import holds_dates

_PLAIN = {"mean": "AVG", "min": "MIN", "max": "MAX"}


@dataclass(frozen=True, slots=True)
class AggregateQuery:
    """A query of aggregates, to be joined to the facts it was made for.

    Parameters
    ----------
    text : str
        In parentheses; its columns are the key, the moment and the aggregates.
    moment : str or None
        The moment of a row of the facts, as an expression.
    """

    text: str
    moment: str | None


def aggregate_query(
    made: Aggregation, table: str, cells: Mapping[str, Any], facts: tuple[str, str], how: Dialect
) -> AggregateQuery:
    """The aggregates of a table for the keys and moments that there are among some facts.

    Parameters
    ----------
    made : Aggregation
    table : str
        The table that is aggregated.
    cells : mapping of str to array
        Its columns, which tell their types.
    facts : (str, str)
        The table of the facts, and what it is called in the query.
    how : Dialect

    Examples
    --------
    >>> from stylobate.formula.dialects import dialect
    >>> made = Aggregation(("who",), ("id",), None, (AggregateFeature("count"),))
    >>> query = aggregate_query(made, "visits", {}, ("orders", "orders"), dialect("ansi"))
    >>> print(query.text)
    (
    SELECT a."k0" AS "id", COUNT(r."k0") AS "count"
    FROM (SELECT DISTINCT "who" AS "k0" FROM "orders" WHERE "who" IS NOT NULL) AS a
    LEFT JOIN (SELECT "id" AS "k0" FROM "visits") AS r ON r."k0" = a."k0"
    GROUP BY a."k0"
    )
    """
    quoted = how.quoted
    dated = made.before is not None and holds_dates(np.asarray(cells[made.before[1]]))
    asked = [f"{quoted(name)} AS {quoted(f'k{k}')}" for k, name in enumerate(made.facts)]
    there = [quoted(name) for name in made.facts]
    held = [f"{quoted(name)} AS {quoted(f'k{k}')}" for k, name in enumerate(made.by)]
    keys = [quoted(f"k{k}") for k in range(len(made.by))]
    given = list(keys)
    pairs = [f"r.{key} = a.{key}" for key in keys]
    shown = [f"a.{key} AS {quoted(name)}" for key, name in zip(keys, made.by, strict=True)]
    moment = None
    if made.before is not None:
        asked.append(f"{_seconds(how, quoted(made.before[0]), dated)} AS {quoted('t')}")
        there.append(quoted(made.before[0]))
        held.append(f"{_seconds(how, quoted(made.before[1]), dated)} AS {quoted('t')}")
        pairs.append(f"r.{quoted('t')} < a.{quoted('t')}")
        given.append(quoted("t"))
        shown.append(f"a.{quoted('t')} AS {quoted(CUTOFF)}")
        moment = _seconds(how, f"{quoted(facts[1])}.{quoted(made.before[0])}", dated)
    values = dict.fromkeys(each.column for each in made.features if each.column is not None)
    places = {name: f"v{k}" for k, name in enumerate(values)}
    for name, place in places.items():
        held.append(f"{_cell(how, name, cells, made)} AS {quoted(place)}")
    for each in made.features:
        told = _expression(each, places, made, table, how)
        if made.fill is not None:
            told = f"COALESCE({told}, {how.literal(made.fill)})"
        shown.append(f"{told} AS {quoted(str(each))}")
    lines = [
        "(",
        f"SELECT {', '.join(shown)}",
        f"FROM (SELECT DISTINCT {', '.join(asked)} FROM {quoted(facts[0])} WHERE "
        f"{' AND '.join(f'{name} IS NOT NULL' for name in there)}) AS a",
        f"LEFT JOIN (SELECT {', '.join(held)} FROM {quoted(table)}) AS r ON {' AND '.join(pairs)}",
        f"GROUP BY {', '.join(f'a.{each}' for each in given)}",
        ")",
    ]
    return AggregateQuery("\n".join(lines), moment)


def _expression(
    feature: AggregateFeature,
    places: Mapping[str, str],
    made: Aggregation,
    table: str,
    how: Dialect,
) -> str:
    """An aggregate of the rows `r` of a key and moment `a`."""
    if feature.statistic in ("last", "trend"):
        raise UnsupportedDataError(
            f"to_sql: {table}.{feature} is not written as SQL, whose tables have no order of rows "
            "that come at one time; predict in Python, or fit without it."
        )
    if feature.statistic == "time since last":
        return f"a.{how.quoted('t')} - MAX(r.{how.quoted('t')})"
    value = f"r.{how.quoted('k0')}"
    if feature.column is not None:
        value = f"r.{how.quoted(places[feature.column])}"
    if feature.statistic == "share":
        same = f"CASE WHEN {value} = {how.literal(feature.category)} THEN 1e0 ELSE 0e0 END"
        value = f"CASE WHEN r.{how.quoted('k0')} IS NOT NULL THEN {same} END"
    if feature.within is not None:
        length = how.literal(length_of(feature.within, table))
        since = f"r.{how.quoted('t')} >= a.{how.quoted('t')} - {length}"
        value = f"CASE WHEN {since} THEN {value} END"
    if feature.statistic == "count":
        return f"COUNT({value})"
    if feature.statistic == "sum":
        return f"COALESCE(SUM({value}), 0)"
    return f"{_PLAIN.get(feature.statistic, 'AVG')}({value})"


def _cell(how: Dialect, name: str, cells: Mapping[str, Any], made: Aggregation) -> str:
    """A cell that is aggregated: texts as they are, all others as numbers."""
    if any(each.column == name and each.statistic == "share" for each in made.features):
        return how.quoted(name)
    truths = {each for each, column in cells.items() if np.asarray(column).dtype.kind == "b"}
    return how.number_of(name, truths)


def _seconds(how: Dialect, column: str, dated: bool) -> str:
    """A moment as a number: seconds since 1970 of dates, numbers as they are."""
    if not dated:
        return f"CAST({column} AS {how.number})"
    if how.name == "duckdb":
        return f"CAST(EPOCH(CAST({column} AS TIMESTAMP)) AS DOUBLE)"
    if how.name == "postgres":
        return f"CAST(EXTRACT(EPOCH FROM CAST({column} AS TIMESTAMP)) AS DOUBLE PRECISION)"
    if how.name == "sqlite":
        parts = f"STRFTIME('%f', {column}) - STRFTIME('%S', {column})"
        return f"(STRFTIME('%s', {column}) + {parts})"
    raise UnsupportedDataError(
        f"to_sql: aggregates before a date are written for duckdb, postgres and sqlite, not for "
        f"{how.name}."
    )
