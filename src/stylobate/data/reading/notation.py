"""How a column of text writes its values: numbers, amounts, dates; proved on every row."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from stylobate.data.reading.connection import identifier, literal
from stylobate.data.reading.missing import ALWAYS, BESIDE_NUMBERS

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_SAMPLE = 300  # rows that choose the candidates
_COLUMNS_AT_ONCE = 500
_NEARLY_ALL = 0.9  # of the values read as numbers: the others are then worth a word
_WRITTEN = r"\(?[-+−]?\s*[$€£¥]?\s*[-+−]?(\d{1,3}([, ’]\d{3})+|\d+)?(\.\d*)?\s*[%€$£]?\)?"
_FORMATS = (
    "%Y-%m-%d",
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%dT%H:%M:%S",
    "%Y-%m-%d %H:%M",
    "%Y/%m/%d",
    "%m/%d/%Y",
    "%d/%m/%Y",
    "%d.%m.%Y",
    "%m/%d/%Y %H:%M",
    "%d/%m/%Y %H:%M",
    "%m/%d/%Y %H:%M:%S",
    "%d/%m/%Y %H:%M:%S",
    "%m/%d/%Y %I:%M:%S %p",
    "%d.%m.%Y %H:%M",
    "%m/%d/%y",
    "%d/%m/%y",
)


class Notation(NamedTuple):
    """A way to write values: its name, how it looks, and SQL for ``@`` (NULL if it is not so)."""

    name: str
    looks: str
    sql: str

    def of(self, cell: str) -> str:
        """The SQL for a cell."""
        return self.sql.replace("@", cell)


_CODE = r"regexp_matches(@, '^[-+]?0\d')"  # 00123 is a code, not a number
_NUMBER = r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?"
_TRUTH = Notation(
    "true and false",
    "(?i:true|false)",
    "CASE WHEN lower(@) IN ('true', 'false') THEN lower(@) = 'true' END",
)
_WHOLE = Notation(
    "whole numbers",
    r"[-+]?\d+",
    rf"CASE WHEN NOT {_CODE} AND regexp_matches(@, '^[-+]?\d+$') THEN try_cast(@ AS BIGINT) END",
)
_DOUBLE = Notation(
    "numbers",
    _NUMBER,
    f"CASE WHEN NOT {_CODE} AND regexp_matches(@, '^{_NUMBER}$') THEN try_cast(@ AS DOUBLE) END",
)
_COMMA = Notation(
    "decimal commas",
    r"[-+]?(\d{1,3}(\.\d{3})+|\d*)(,\d*)?",
    r"CASE WHEN regexp_matches(@, '^[-+]?(\d{1,3}(\.\d{3})+|\d*)(,\d*)?$') THEN "
    "try_cast(replace(replace(@, '.', ''), ',', '.') AS DOUBLE) END",
)
_AMOUNT = Notation(
    "amounts (thousands, currency or percent)",
    _WRITTEN,
    f"CASE WHEN NOT {_CODE} AND regexp_matches(@, '^{_WRITTEN}$') THEN "
    "try_cast(regexp_replace(@, '[^0-9.]', '', 'g') AS DOUBLE) "
    "* CASE WHEN regexp_matches(@, '^[^0-9]*[-−(]') THEN -1 ELSE 1 END "
    "/ CASE WHEN contains(@, '%') THEN 100 ELSE 1 END END",
)


def _date(form: str) -> Notation:
    """Dates in one format; those without a time of day become days."""
    looks = form.replace(".", r"\.").replace("%Y", r"\d{4}").replace("%p", "[APap][Mm]")
    moment = f"try_strptime(@, '{form}')"
    day = "%H" not in form and "%I" not in form
    return Notation(
        f"dates {form}", re.sub("%[mdyHMSI]", r"\\d{1,2}", looks), moment + "::DATE" * day
    )


_DATES = tuple(map(_date, _FORMATS))


def notations(delimiter: str) -> tuple[Notation, ...]:
    """Every notation, in the order in which they are tried.

    A comma that does not separate cells is a decimal comma before it separates thousands.
    """
    middle = (_AMOUNT,) if delimiter == "," else (_COMMA, _AMOUNT)
    return (_TRUTH, _WHOLE, _DOUBLE, *middle, *_DATES)


class Reading(NamedTuple):
    """The SQL of every column with its type found, and what there is to say."""

    expressions: tuple[str, ...]
    notes: tuple[str, ...]


def text_of(column: str, missing: Sequence[str]) -> str:
    """SQL of a column of text, NULL where a value is missing."""
    return _without(column, (*ALWAYS, *missing))


def _without(column: str, spellings: Sequence[str]) -> str:
    listed = ", ".join(literal(text) for text in dict.fromkeys(spellings))
    cell = f"trim({identifier(column)}, ' \t\u00a0')"
    return f"CASE WHEN {cell} NOT IN ({listed}) THEN {cell} END"


def read_notations(
    connection: DuckDBPyConnection,
    table: str,
    columns: Sequence[str],
    delimiter: str,
    missing: Sequence[str],
) -> Reading:
    """The first notation of every column that reads all of its values.

    The first rows choose the candidates; one pass over all rows proves them, so that no value is
    ever lost to a type guessed from the beginning of a file.
    """
    expressions: list[str] = []
    notes: list[str] = []
    for start in range(0, len(columns), _COLUMNS_AT_ONCE):
        part = columns[start : start + _COLUMNS_AT_ONCE]
        candidates = _candidates(connection, table, part, delimiter, missing)
        proved = _prove(connection, table, part, candidates, missing)
        for column, tried, (present, *bad) in zip(part, candidates, proved, strict=True):
            found = next((k for k, wrong in zip(tried, bad, strict=True) if wrong == 0), None)
            if found is None or present == 0:
                expressions.append(text_of(column, missing))
                if bad and present and min(bad) <= (1 - _NEARLY_ALL) * present:
                    notes.append(
                        f"{column!r}: {min(bad)} of {present} values do not read as "
                        f"{tried[bad.index(min(bad))].name}; kept as text"
                    )
                continue
            expressions.append(found.of(_beside(column, missing)))
            if found.name not in ("whole numbers", "numbers", "true and false"):
                notes.append(f"{column!r}: {found.name}")
    return Reading(tuple(expressions), tuple(notes))


def _beside(column: str, missing: Sequence[str]) -> str:
    return f"({_without(column, (*ALWAYS, *BESIDE_NUMBERS, *missing))})"


def _counts(cell: str, tried: Sequence[Notation]) -> list[str]:
    wrong = [f"count(*) FILTER ({cell} IS NOT NULL AND {k.of(cell)} IS NULL)" for k in tried]
    return [f"count({cell})", *wrong]


def _candidates(
    connection: DuckDBPyConnection,
    table: str,
    columns: Sequence[str],
    delimiter: str,
    missing: Sequence[str],
) -> list[list[Notation]]:
    """For every column the notations that nearly all of its first values look like."""
    known = notations(delimiter)
    kept = ", ".join(_beside(column, missing) for column in columns)
    rows = connection.execute(f"SELECT {kept} FROM {table} LIMIT {_SAMPLE}").fetchall()
    found = []
    for j in range(len(columns)):
        values = [row[j] for row in rows if row[j] is not None]
        least = _NEARLY_ALL * len(values)
        found.append([k for k in known if _alike(k, values) >= least] if values else [*known[:4]])
    return found


def _alike(notation: Notation, values: Sequence[str]) -> int:
    matches = re.compile(notation.looks).fullmatch
    return sum(matches(value) is not None for value in values)


def _prove(
    connection: DuckDBPyConnection,
    table: str,
    columns: Sequence[str],
    candidates: Sequence[Sequence[Notation]],
    missing: Sequence[str],
) -> list[list[int]]:
    """For every column the number of values, and of those each candidate cannot read."""
    kept = [f"{_beside(c, missing)} AS {identifier(c)}" for c in columns]
    counts = [_counts(identifier(c), tried) for c, tried in zip(columns, candidates, strict=True)]
    sql = ", ".join(expression for group in counts for expression in group)
    row = (
        connection.execute(f"SELECT {sql} FROM (SELECT {', '.join(kept)} FROM {table})").fetchone()
        or ()
    )
    values = iter(row)
    return [[int(next(values)) for _ in group] for group in counts]
