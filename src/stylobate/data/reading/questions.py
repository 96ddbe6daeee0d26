"""What is asked of all rows of a column before its type is settled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from stylobate.data.reading.absent import beside_numbers, is_blank
from stylobate.data.reading.connection import identifier
from stylobate.data.reading.guess import Guess

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_AT_ONCE = 500  # questions: DuckDB's plan of a query grows faster than the query
_TESTS_AT_ONCE = 100  # each of them a long expression


def gather(
    connection: DuckDBPyConnection,
    source: str,
    guesses: Mapping[str, Guess],
    missing: Sequence[str],
) -> dict[str, list[Any]]:
    """For every column: of numbers the largest size and whether all are whole; of text how
    many values there are, how many stand for none, and how many each candidate cannot read.
    """
    groups = {name: _questions(name, guess, missing) for name, guess in guesses.items()}
    facts = _answers(connection, source, groups, _AT_ONCE)
    # A column without a value needs no test, and most of those with many candidates are such.
    tried = {n: g for n, g in guesses.items() if g.candidates and g.read_as == "VARCHAR"}
    cells = {n: beside_numbers(n, missing) for n in tried if facts[n][-1]}
    tests = {name: _tests(name, tried[name]) for name in cells}
    wrong = _answers(connection, source, tests, _TESTS_AT_ONCE, cells)
    for name, guess in tried.items():
        facts[name] += wrong.get(name, [0] * len(guess.candidates))
    return facts


def _answers(
    connection: DuckDBPyConnection,
    source: str,
    groups: Mapping[str, list[str]],
    at_once: int,
    cells: Mapping[str, str] | None = None,
) -> dict[str, list[Any]]:
    """The answers to every column's questions, some columns' in one pass.

    `cells`: what the columns hold in place of what the source has under their names.
    """
    answers: dict[str, list[Any]] = {}
    names: list[str] = []
    for number, name in enumerate(groups, start=1):
        names.append(name)
        questions = [question for each in names for question in groups[each]]
        if len(questions) < at_once and number < len(groups):
            continue
        table = source
        if cells is not None:
            held = ", ".join(f"{cells[each]} AS {identifier(each)}" for each in names)
            table = f"(SELECT {held} FROM {source})"
        asked = f"SELECT {', '.join(questions)} FROM {table}"
        found = iter(connection.execute(asked).fetchall()[0])
        answers |= {each: [next(found) for _ in groups[each]] for each in names}
        names = []
    return answers


def _questions(name: str, found: Guess, missing: Sequence[str]) -> list[str]:
    column = identifier(name)
    if found.read_as == "DOUBLE":
        whole = f"bool_and({column} = trunc({column}))" if found.whole else "false"
        return [f"max(abs({column}))", whole]
    if found.read_as != "VARCHAR":
        return [f"count({column})"]  # asked so that every cell is cast
    filled = [f"count({column})", f"count(*) FILTER ({is_blank(name)})"]
    return [*filled, f"count({beside_numbers(name, missing)})"] if found.candidates else filled


def _tests(name: str, found: Guess) -> list[str]:
    """How many cells each candidate cannot read, the column holding those beside numbers."""
    cell = identifier(name)
    return [
        f"count(*) FILTER ({cell} IS NOT NULL AND ({n.test.replace('@', cell)}) IS NULL)"
        for n in found.candidates
    ]
