"""The tables a study was made of, and what each of them is worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["facts", "looked up", "aggregated", "earlier rows", "left out"]
Worth = Literal["earned its place", "undecided", "could be left out", "better left out"]


@dataclass(frozen=True, slots=True)
class RelatedTable:
    """One table: how it takes part.

    Attributes
    ----------
    name : str
        As its columns are called.
    role : {"facts", "looked up", "aggregated", "earlier rows", "left out"}
        "earlier rows": of the facts themselves, that are about the same thing.
    parent : str
        The table it hangs to; empty for the facts.
    key : str
        The columns that join it, in words.
    evidence : str
        How the key is known.
    columns : int
        How many of its columns (or aggregates) were offered to the models.
    rows, matched : int
        Rows that point at it, and those that find a match.
    reason : str
        Why it is left out, or what was decided about time.
    """

    name: str
    role: Role
    parent: str = ""
    key: str = ""
    evidence: str = ""
    columns: int = 0
    rows: int = 0
    matched: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TableWorth:
    """What the score loses without some tables, fold by fold.

    Attributes
    ----------
    tables : tuple of str
        The joins left out, each with the tables that are reached through it.
    through : tuple of str
        These further tables.
    mean : float
        The score without them.
    loss, low, high : float
        How much worse the score is without them (negative: better), with a 95 % interval by the
        corrected t test of paired differences.
    verdict : {"earned its place", "undecided", "could be left out", "better left out"}
        Of a loss that the interval tells from none; of one that it does not, but which is more
        than its standard error; of one that is less; of a gain that the interval tells from none.
    """

    tables: tuple[str, ...]
    through: tuple[str, ...]
    mean: float
    loss: float
    low: float
    high: float
    verdict: Worth


@dataclass(frozen=True, slots=True)
class Relations:
    """The tables of a study of a database.

    Attributes
    ----------
    facts : str
        The table whose rows are predicted.
    moment : str
        The column of theirs before which rows of other tables count; empty if there is none.
    tables : tuple of RelatedTable
        The facts first.
    model : str
        Which model the tables were judged by; empty before they are.
    worth : tuple of TableWorth
        Of each table that is joined or aggregated.
    together : TableWorth or None
        Of all that could be left out at once.
    words : str
        What follows, in sentences.
    """

    facts: str
    moment: str
    tables: tuple[RelatedTable, ...]
    model: str = ""
    worth: tuple[TableWorth, ...] = ()
    together: TableWorth | None = None
    words: str = ""
