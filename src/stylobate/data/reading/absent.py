"""Which spellings of a missing value a file has, and how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from stylobate.data.kinds.spellings import ALWAYS_MISSING, MARKS, MISSING
from stylobate.data.reading.connection import identifier, literal
from stylobate.data.reading.scan import Scan

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_COUNTED = 32 << 20  # bytes of text up to which one more pass counts what DuckDB took as missing


def _trimmed(name: str) -> str:
    return f"trim({identifier(name)}, ' \t\u00a0')"


def _listed(texts: Sequence[str]) -> str:
    return ", ".join(map(literal, dict.fromkeys(texts)))


def beside_numbers(name: str, missing: Sequence[str]) -> str:
    """SQL of a cell that may be a number or a date, NULL where it stands for no value."""
    cell = _trimmed(name)
    further = f" AND {cell} NOT IN ({_listed(missing)})" if missing else ""
    return f"(CASE WHEN lower({cell}) NOT IN ({_listed(sorted(MISSING))}){further} THEN {cell} END)"


def is_blank(name: str, marks: bool = True) -> str:
    """SQL of whether a cell of text stands for no value, be it with blanks or as a mark."""
    return f"({_trimmed(name)} IN ({_listed((*ALWAYS_MISSING, *(MARKS if marks else ())))}))"


def blank_beside_words(connection: DuckDBPyConnection, source: str, name: str) -> str:
    """SQL of whether a cell of a column of text is missing; marks are not beside other marks."""
    words = f"bool_and(regexp_matches({identifier(name)}, '[\\p{{L}}\\p{{N}}]'))"
    asked = f"SELECT {words} FROM {source} WHERE NOT {is_blank(name)}"
    return is_blank(name, connection.execute(asked).fetchall()[0][0] is True)


def count_cells(
    connection: DuckDBPyConnection, source: str, name: str, gone: str
) -> Mapping[str, int]:
    """How often a column has each spelling for which the SQL `gone` is true; blanks have none."""
    cell = _trimmed(name)
    rows = connection.execute(
        f"SELECT {cell}, count(*) FROM {source} WHERE {identifier(name)} IS NOT NULL AND {gone} "
        "GROUP BY 1"
    ).fetchall()
    return {str(text): int(count) for text, count in rows if text}


def count_nulls(connection: DuckDBPyConnection, scans: Sequence[Scan]) -> Mapping[str, int]:
    """How often the cells DuckDB takes as missing are there; 0 for each if there is too much."""
    import duckdb

    found: Counter[str] = Counter()
    small = sum(scan.path.stat().st_size for scan in scans) <= _COUNTED
    for scan in scans:
        if not scan.missing:
            continue
        if not small:
            found.update(dict.fromkeys(scan.missing, 0))
            continue
        table = scan._replace(missing=()).sql(dict.fromkeys(scan.names, "VARCHAR"), {})
        cells = f"SELECT unnest([{', '.join(map(identifier, scan.names))}]) AS cell FROM {table}"
        counted = f"cell IN ({_listed(scan.missing)})"
        asked = f"SELECT cell, count(*) FROM ({cells}) WHERE {counted} GROUP BY 1"
        try:
            rows = connection.execute(asked).fetchall()
        except duckdb.InvalidInputException:  # lines that are not alike if nothing is missing
            rows = [(text, 0) for text in scan.missing]
        found.update({str(text): int(count) for text, count in rows})
    return found


def missing_note(found: Mapping[str, int]) -> list[str]:
    """What was taken as missing, in words.

    >>> missing_note({"NA": 3, "-": 1})
    ["missing values written '-' (1), 'NA' (3)"]
    """
    words = [
        f"{text!r} ({count})" if count else repr(text) for text, count in sorted(found.items())
    ]
    return [f"missing values written {', '.join(words)}"] if words else []
