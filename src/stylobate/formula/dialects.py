"""How databases write numbers, texts, names and functions."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import isfinite
from typing import Any

from stylobate.exceptions import FormulaError, InvalidParameterError

# what Python takes for spaces
_SPACES = "".join(c for c in map(chr, range(0x3001)) if c.isspace())


@dataclass(frozen=True)
class Dialect:
    """The few things in which databases differ.

    Parameters
    ----------
    name : str
        Of the database.
    number, text : str
        Its types.
    largest, smallest : str
        Functions of several values.
    nan : str
        NaN as a literal; empty where there is none.
    exp_range : float
        Beyond which `exp` is an error rather than 0 or infinity; 0 for none.
    log : str
        The natural logarithm.
    truth : (str, str)
        False and true.
    once : str
        What makes a step be computed once, where the database would repeat it at every use.
    fence : str
        What ends a step for the same purpose, where there is no such word.
    decimal_literals : bool
        Whether numbers written in a query are decimals to it, which have to be made doubles.
    longest_name : int
        Bytes of a name, of which it ignores the rest; 0 for any number.
    whole : str
        Its type of whole numbers of 64 bits.
    """

    name: str
    number: str
    text: str
    largest: str = "GREATEST"
    smallest: str = "LEAST"
    nan: str = ""
    exp_range: float = 0.0
    log: str = "LN"
    truth: tuple[str, str] = ("FALSE", "TRUE")
    once: str = ""
    fence: str = ""
    decimal_literals: bool = False
    longest_name: int = 0
    whole: str = "BIGINT"

    def number_of(self, name: str, truths: Collection[str] | None) -> str:
        """A column as a number; `truths` are those that hold truth values, None if nobody knows.

        Most databases make 0 and 1 of truth values. PostgreSQL does not, and knows the type of a
        column before it looks at a query, so that only a text can be made of all types alike.
        """
        column = self.quoted(name)
        if truths is not None and name in truths:
            sides = f"CASE WHEN {column} THEN 1e0 WHEN NOT {column} THEN 0e0 END"
            return f"CAST({sides} AS {self.number})" if self.decimal_literals else sides
        value = f"CAST({column} AS {self.number})"
        if self.name == "postgres" and truths is None:
            text = f"CAST({column} AS TEXT)"
            truth = f"CAST(CAST({text} AS BOOLEAN) AS INTEGER)"
            value = (
                f"CASE CAST(PG_TYPEOF({column}) AS TEXT)"
                f" WHEN 'boolean' THEN CAST({truth} AS {self.number})"
                f" WHEN 'real' THEN CAST(CAST({text} AS REAL) AS {self.number})"
                f" ELSE CAST({text} AS {self.number}) END"
            )
        return f"NULLIF({value}, {self.nan})" if self.nan else value

    def quoted(self, name: str) -> str:
        """A name of a column or table.

        >>> dialect("ansi").quoted('the "x" axis')
        '"the ""x"" axis"'
        """
        if "\0" in name:
            raise FormulaError(f"The name {name!r} holds a NUL character, which SQL has none for.")
        return '"' + name.replace('"', '""') + '"'

    def trimmed(self, text: str) -> str:
        """A text without spaces around it, of every kind where the database takes a list of them.

        >>> dialect("ansi").trimmed("name")
        'TRIM(name)'
        """
        if self.name == "ansi":
            return f"TRIM({text})"
        return f"{'BTRIM' if self.name == 'postgres' else 'TRIM'}({text}, {self.literal(_SPACES)})"

    def literal(self, value: Any) -> str:
        """A number with all its digits, a text in quotes, NULL.

        >>> dialect("duckdb").literal(0.1), dialect("duckdb").literal("it's")
        ('1e-1', "'it''s'")
        """
        if value is None:
            return "NULL"
        if isinstance(value, bool):
            return self.truth[value]
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, int):
            return str(value) if abs(value) < 2**63 else self._number(float(value))
        return self._number(value)

    def _text(self, value: str) -> str:
        if "\0" in value:
            raise FormulaError(f"The text {value!r} holds a NUL character, which SQL has none for.")
        return "'" + value.replace("'", "''") + "'"

    def _number(self, value: float) -> str:
        """With an exponent: other decimals are fixed-point numbers to some databases."""
        if not isfinite(value):
            raise FormulaError(f"The model holds the number {value}, which SQL cannot write.")
        short = repr(float(value))  # the fewest digits that give the same number back
        if "e" in short:
            return short
        digits = short.replace(".", "").replace("-", "").strip("0")
        head, _, tail = f"{value:.{max(len(digits) - 1, 0)}e}".partition("e")
        return f"{head}e{int(tail)}"


DIALECTS = {
    "duckdb": Dialect("duckdb", "DOUBLE", "VARCHAR", nan="CAST('NaN' AS DOUBLE)"),
    "sqlite": Dialect(
        "sqlite",
        "REAL",
        "TEXT",
        largest="MAX",
        smallest="MIN",
        truth=("0", "1"),
        whole="INTEGER",
        once="MATERIALIZED ",
    ),
    "postgres": Dialect(
        "postgres",
        "DOUBLE PRECISION",
        "TEXT",
        nan="CAST('NaN' AS DOUBLE PRECISION)",
        exp_range=700.0,
        once="MATERIALIZED ",
        decimal_literals=True,
        longest_name=63,
    ),
    "ansi": Dialect(
        "ansi",
        "DOUBLE PRECISION",
        "VARCHAR(4000)",
        exp_range=700.0,
        fence="\nOFFSET 0 ROWS",
        decimal_literals=True,
        longest_name=63,
    ),
}


def dialect(name: str) -> Dialect:
    """A dialect by its name."""
    if name not in DIALECTS:
        raise InvalidParameterError(
            f"to_sql: dialect must be one of {', '.join(DIALECTS)}, got {name!r}."
        )
    return DIALECTS[name]
