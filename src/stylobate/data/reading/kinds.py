"""The kinds of the columns of a relation, from counts over all rows and a sample of values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from stylobate.data.kinds.inference import schema_of_values
from stylobate.data.kinds.schema import Schema
from stylobate.data.kinds.spellings import is_missing
from stylobate.data.kinds.values import Values
from stylobate.data.reading.connection import identifier

_FEW = 2_000  # different values that are all counted; of more, a sample is looked at
_SAMPLE = 20_000  # rows
_COLUMNS_AT_ONCE = 200
_NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "FLOAT", "DOUBLE")
_TEMPORAL = ("DATE", "TIME", "INTERVAL")


def schema_of_rows(
    execute: Callable[[str], Any], sql: str, names: Sequence[str], types: Sequence[str]
) -> Schema:
    """The schema of the rows of a query; rows, missing and different values are those of all rows.

    One pass counts; columns with few values get one more, in which all of them are counted; of the
    others a sample of rows is looked at.
    """
    n_rows, counts = _counts(execute, sql, names, types)
    plain = [_plain(name, kind) for name, kind in zip(names, types, strict=True)]
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
    exact = [_counted(execute, sql, values) for values in found]
    return schema_of_values(exact)


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


def _plain(name: str, kind: str) -> str:
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
    for value, count in pairs:
        if is_missing(value):
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
    )


def _counted(execute: Callable[[str], Any], sql: str, values: Values) -> Values:
    """Exactly how many values are different, where that may decide."""
    if values.exact or values.temporal or len(values.present) < 0.9 * values.weights.sum():
        return values
    if values.present and all(isinstance(v, float) for v in values.present):
        return values  # measurements, however many are different
    asked = f"SELECT count(DISTINCT {identifier(values.name)}) FROM ({sql})"
    n_distinct = int(execute(asked).fetchall()[0][0])
    return Values(
        values.name,
        values.n_rows,
        values.n_missing,
        values.present,
        values.weights,
        n_distinct,
        exact=n_distinct == len(values.present),
    )
