"""What is asked of all rows of a column before its type is settled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from stylobate.data.reading.absent import beside_numbers, is_blank
from stylobate.data.reading.connection import identifier
from stylobate.data.reading.guess import Guess

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_COLUMNS_AT_ONCE = 500


def gather(
    connection: DuckDBPyConnection,
    source: str,
    guesses: Mapping[str, Guess],
    missing: Sequence[str],
) -> dict[str, list[Any]]:
    """For every column: of numbers the largest size and whether all are whole; of text how
    many values there are, how many stand for none, and how many each candidate cannot read.
    """
    facts: dict[str, list[Any]] = {}
    names = list(guesses)
    for start in range(0, len(names), _COLUMNS_AT_ONCE):
        part = names[start : start + _COLUMNS_AT_ONCE]
        groups = [_questions(name, guesses[name], missing) for name in part]
        asked = ", ".join(question for group in groups for question in group) or "1"
        answers = iter(connection.execute(f"SELECT {asked} FROM {source}").fetchall()[0])
        for name, group in zip(part, groups, strict=True):
            facts[name] = [next(answers) for _ in group]
    return facts


def _questions(name: str, found: Guess, missing: Sequence[str]) -> list[str]:
    column = identifier(name)
    if found.read_as == "DOUBLE":
        whole = f"bool_and({column} = trunc({column}))" if found.whole else "false"
        return [f"max(abs({column}))", whole]
    if found.read_as != "VARCHAR":
        return [f"count({column})"]  # asked so that every cell is cast
    filled = [f"count({column})", f"count(*) FILTER ({is_blank(name)})"]
    if not found.candidates:
        return filled
    cell = beside_numbers(name, missing)
    wrong = [
        f"count(*) FILTER ({cell} IS NOT NULL AND ({n.test.replace('@', cell)}) IS NULL)"
        for n in found.candidates
    ]
    return [*filled, f"count({cell})", *wrong]
