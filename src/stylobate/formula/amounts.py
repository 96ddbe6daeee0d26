"""Amounts in SQL: how a database reads texts such as "$1,200" and "45 %" as numbers."""

from __future__ import annotations

from stylobate.exceptions import FormulaError
from stylobate.formula.dialects import Dialect
from stylobate.formula.expressions import Column

_BEFORE_DIGITS = "^[^0-9]*[-\u2212]"  # a minus in front, of either kind


def amount_of(dialect: Dialect, column: Column) -> str:
    """The SQL that reads a column of amounts as numbers; NULL where a text is none.

    The pattern of the column is the one by which its numbers were read at the fit: its first group
    has the digits, its second the exponent. Only databases with regular expressions can follow it.
    """
    if dialect.name not in ("duckdb", "postgres"):
        raise FormulaError(
            f"The column {column.name!r} holds texts that read as numbers, which {dialect.name} "
            "cannot take apart; make it a column of numbers first, or use duckdb or postgres."
        )
    literal = dialect.literal
    text = dialect.trimmed(f"CAST({dialect.quoted(column.name)} AS {dialect.text})")
    pattern = literal(column.form)
    digits, exponent = (_group(dialect, text, pattern, k) for k in (1, 2))
    others = literal("[^0-9,]" if column.comma else "[^0-9.]")
    plain = f"REGEXP_REPLACE({digits}, {others}, '', 'g')"
    plain = f"REPLACE({plain}, ',', '.')" if column.comma else plain
    size = f"CAST({plain} || 'e' || COALESCE(NULLIF({exponent}, ''), '0') AS {dialect.number})"
    closed = f"({text} LIKE '(%') = ({text} LIKE '%)')"
    code = _matches(dialect, digits, literal("^0[0-9]"))  # such as 007, which is no number
    known = f"{_matches(dialect, text, pattern)} AND {closed} AND NOT {code}"
    negative = f"{text} LIKE '(%' OR {_matches(dialect, text, literal(_BEFORE_DIGITS))}"
    signed = f"CASE WHEN {negative} THEN -1e0 ELSE 1e0 END"
    unit = f"CASE WHEN REPLACE({text}, '%', '') <> {text} THEN 100e0 ELSE 1e0 END"
    number = f"{size} * CAST({signed} AS {dialect.number}) / CAST({unit} AS {dialect.number})"
    return f"CASE WHEN {known} THEN {number} END"


def _group(dialect: Dialect, text: str, pattern: str, group: int) -> str:
    if dialect.name == "duckdb":
        return f"REGEXP_EXTRACT({text}, {pattern}, {group})"
    return f"(REGEXP_MATCH({text}, {pattern}))[{group}]"


def _matches(dialect: Dialect, text: str, pattern: str) -> str:
    if dialect.name == "duckdb":
        return f"REGEXP_MATCHES({text}, {pattern})"
    return f"({text} ~ {pattern})"
