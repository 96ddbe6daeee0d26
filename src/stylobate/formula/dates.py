"""Dates in SQL: how each database tells the seconds since 1970 of a column."""

from __future__ import annotations

from stylobate.exceptions import FormulaError
from stylobate.formula.dialects import Dialect
from stylobate.formula.expressions import Column

ISO = ("%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M")
_POSTGRES = {
    "%Y": "YYYY", "%m": "MM", "%d": "DD", "%H": "HH24", "%I": "HH12", "%M": "MI", "%S": "SS",
    "%f": "US", "%p": "AM", "%b": "Mon", "%B": "Month",
}  # fmt: skip


def seconds_since_1970(dialect: Dialect, column: Column) -> str:
    """The SQL that reads a column of dates as a number; NULL where there is none."""
    name = dialect.quoted(column.name)
    form = column.form
    plain = form is None or form.startswith(ISO)
    if dialect.name == "sqlite" and plain:
        fraction = f"CAST(STRFTIME('%f', {name}) AS REAL) - CAST(STRFTIME('%S', {name}) AS REAL)"
        return f"(CAST(STRFTIME('%s', {name}) AS REAL) + {fraction})"
    if dialect.name == "duckdb":
        return f"CAST(EPOCH({_in_duckdb(dialect, name, form, plain)}) AS DOUBLE)"
    if dialect.name == "postgres":
        found = _in_postgres(dialect, column, name, plain)
        return f"CAST(EXTRACT(EPOCH FROM {found}) AS DOUBLE PRECISION)"
    if dialect.name == "ansi" and plain:
        return _by_parts(f"CAST({name} AS TIMESTAMP)")
    raise FormulaError(
        f"Dates of column {column.name!r} are texts such as {form!r}, which {dialect.name} cannot "
        "read; store them as dates first."
    )


def _in_duckdb(dialect: Dialect, name: str, form: str | None, plain: bool) -> str:
    if form is None:
        return name  # a date by its type; moments of time zones count from 1970 in UTC
    text = f"CAST({name} AS VARCHAR)"
    if plain:
        return f"TRY_CAST({text} AS TIMESTAMP)"
    return f"TRY_STRPTIME({dialect.trimmed(text)}, {dialect.literal(form)})"


def _in_postgres(dialect: Dialect, column: Column, name: str, plain: bool) -> str:
    if column.form is None:
        return name
    text = f"CAST({name} AS TEXT)"
    if plain:
        read = f"CAST({text} AS TIMESTAMP)"
    else:
        pattern = column.form
        for python, postgres in _POSTGRES.items():
            pattern = pattern.replace(python, postgres)
        if "%" in pattern:
            raise FormulaError(
                f"Dates of column {column.name!r} are texts such as {column.form!r}, which "
                "postgres reads otherwise; store them as dates first."
            )
        read = f"CAST(TO_TIMESTAMP({text}, {dialect.literal(pattern)}) AS TIMESTAMP)"
    absent = ", ".join(dialect.literal(each) for each in column.absent)
    trimmed = dialect.trimmed(text)
    return f"CASE WHEN LOWER({trimmed}) NOT IN ({absent}) THEN {read} END" if absent else read


def _by_parts(moment: str) -> str:
    """Seconds from year, month, day and time: a number of days by the calendar's own rule."""
    year, month, day, hour, minute, second = (
        f"EXTRACT({part} FROM {moment})"
        for part in ("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND")
    )
    early = f"FLOOR((14e0 - {month}) / 12e0)"
    years = f"({year} + 4800e0 - {early})"
    months = f"({month} + 12e0 * {early} - 3e0)"
    days = (
        f"({day} + FLOOR((153e0 * {months} + 2e0) / 5e0) + 365e0 * {years} "
        f"+ FLOOR({years} / 4e0) - FLOOR({years} / 100e0) + FLOOR({years} / 400e0) - 2472633e0)"
    )
    return f"(86400e0 * {days} + 3600e0 * {hour} + 60e0 * {minute} + {second})"
