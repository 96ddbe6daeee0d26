"""The kinds of the columns of a relation, from counts over all rows and a sample of values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from stylobate.data.kinds.inference import schema_of_values
from stylobate.data.kinds.schema import Schema
from stylobate.data.kinds.spellings import is_missing, missing_words
from stylobate.data.kinds.values import Values
from stylobate.data.reading.connection import identifier

_FEW = 2_000  # different values that are all counted; of more, a sample is looked at
_SAMPLE = 20_000  # rows
COUNTED_ROWS = 5_000_000  # up to which different values are counted rather than estimated
_COLUMNS_AT_ONCE = 200
_COUNTED_AT_ONCE = 8  # columns whose different values are held in memory together
_NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "FLOAT", "DOUBLE")
_TEMPORAL = ("DATE", "TIMESTAMP", "INTERVAL")  # a time of day is read as it is written


def schema_of_rows(
    execute: Callable[[str], Any], sql: str, names: Sequence[str], types: Sequence[str]
) -> Schema:
    """The schema of the rows of a query; rows, missing and different values are those of all rows.

    One pass counts; columns with few values get one more, in which all of them are counted; of the
    others a sample of rows is looked at. Beyond `COUNTED_ROWS`, how many values are different is
    estimated to a few percent, and the reason says so.
    """
    n_rows, counts = _counts(execute, sql, names, types)
    plain = [_readable(name, kind) for name, kind in zip(names, types, strict=True)]
    sample = execute(_sampled(sql, n_rows, plain)).fetchall()
    found = []
    for j, (name, kind) in enumerate(zip(names, types, strict=True)):
        n_present, about, low, high = counts[j]
        few = about <= _FEW
        if few:
            asked = f"SELECT {plain[j]}, count(*) FROM ({sql}) GROUP BY 1 ORDER BY 2 DESC, 1"
            pairs = execute(asked).fetchall()
        else:
            pairs = [*((row[j], 1) for row in sample), (low, 0), (high, 0)]
        found.append(_values(name, kind, n_rows, n_present, about, pairs, few))
    return schema_of_values(_counted(execute, sql, found))


def _counts(
    execute: Callable[[str], Any], sql: str, names: Sequence[str], types: Sequence[str]
) -> tuple[int, list[tuple[Any, ...]]]:
    """Rows; of every column the values that are there, about how many are different, and of
    numbers the least and the greatest.
    """
    n_rows, found = 0, []
    columns = list(zip(map(identifier, names), types, strict=True))
    for start in range(0, len(columns), _COLUMNS_AT_ONCE):
        asked = ", ".join(
            f"count({c}), approx_count_distinct({c}), "
            + (f"min({c}), max({c})" if kind in _NUMBERS else "NULL, NULL")
            for c, kind in columns[start : start + _COLUMNS_AT_ONCE]
        )
        n_rows, *answers = execute(f"SELECT count(*), {asked} FROM ({sql})").fetchall()[0]
        found += [tuple(answers[k : k + 4]) for k in range(0, len(answers), 4)]
    return int(n_rows), found


def _readable(name: str, kind: str) -> str:
    """SQL of values Python needs no further package for."""
    known = kind in (*_NUMBERS, "VARCHAR", "BOOLEAN")
    return identifier(name) if known else f"CAST({identifier(name)} AS VARCHAR)"


def _sampled(sql: str, n_rows: int, columns: Sequence[str]) -> str:
    chosen = f"SELECT {', '.join(columns)} FROM ({sql})"
    if n_rows <= _SAMPLE:
        return chosen
    return f"{chosen} USING SAMPLE reservoir({_SAMPLE} ROWS) REPEATABLE (1)"


def _values(
    name: str, kind: str, n_rows: int, n_present: int, about: int, pairs: list[Any], few: bool
) -> Values:
    tally: dict[Any, int] = {}
    missing = n_rows - n_present
    words = missing_words([value for value, _ in pairs], [count for _, count in pairs])
    for value, count in pairs:
        if is_missing(value, words):
            missing += count if few and value is not None else 0
        else:
            tally[value] = tally.get(value, 0) + count
    return Values(
        name,
        n_rows=n_rows,
        n_missing=missing,
        present=[bool(v) if kind == "BOOLEAN" else v for v in tally],
        weights=np.array(list(tally.values()), dtype=np.int64),
        n_distinct=len(tally) if few else about,
        temporal=kind.startswith(_TEMPORAL),
        order=None,
        exact=few,
        estimated=not few,
        missing=words,
    )


def _counted(execute: Callable[[str], Any], sql: str, found: Sequence[Values]) -> list[Values]:
    """Exactly how many values are different, where there are few rows or it may decide."""
    asked = [v for v in found if v.estimated and (v.n_rows <= COUNTED_ROWS or _decisive(v))]
    exact: dict[str, int] = {}
    for start in range(0, len(asked), _COUNTED_AT_ONCE):
        names = [values.name for values in asked[start : start + _COUNTED_AT_ONCE]]
        counts = ", ".join(f"count(DISTINCT {identifier(name)})" for name in names)
        answers = execute(f"SELECT {counts} FROM ({sql})").fetchall()[0]
        exact |= dict(zip(names, map(int, answers), strict=True))
    return [
        replace(v, n_distinct=exact[v.name], exact=exact[v.name] == len(v.present), estimated=False)
        if v.name in exact
        else v
        for v in found
    ]


def _decisive(values: Values) -> bool:
    """Whether all values being different would say something; of measurements it does not."""
    if values.temporal or len(values.present) < 0.9 * values.weights.sum():
        return False
    return not all(isinstance(v, float) for v in values.present)
