"""What ties rows together: time, whom they are about, repetition. It decides how they are split."""

from __future__ import annotations

from dataclasses import dataclass, replace

from stylobate.arrays import Indices
from stylobate.exceptions import InvalidParameterError
from stylobate.study.question.question import Asked
from stylobate.study.table.entities import repeated_entity
from stylobate.study.table.repeats import repeated_rows
from stylobate.study.table.table import StudyTable
from stylobate.study.table.time_order import TimeOrder, moments_in, time_order

SPLITS = ("auto", "random")


@dataclass(frozen=True, eq=False)
class Structure:
    """What ties the rows of a question together.

    Attributes
    ----------
    order : TimeOrder or None
        When each row was.
    groups : array of int or None
        Rows of one number stay together.
    name : str
        What the groups are: a column, or "" for rows that repeat each other.
    words : str
        What was noticed, empty where the caller said it or there is nothing.
    """

    order: TimeOrder | None = None
    groups: Indices | None = None
    name: str = ""
    words: str = ""


def structure_of(table: StudyTable, asked: Asked, split: str) -> tuple[Asked, Structure]:
    """What ties the rows together, as asked for or noticed; the question then names the column.

    Parameters
    ----------
    table : StudyTable
    asked : Asked
    split : {"auto", "random"}
        Whether to look for what ties rows together, where no column was named.
    """
    if split not in SPLITS:
        raise InvalidParameterError(
            f"split={split!r} must be 'auto' (by time, by whom rows are about, repeats together, "
            "where that is noticed) or 'random'."
        )
    question = asked.question
    if question.time_column is not None:
        name = question.time_column
        return asked, Structure(TimeOrder((name,), moments_in(table, asked.rows, name), False))
    if question.group is not None:
        from stylobate.data.coding import code_column

        codes = code_column(table.columns[question.group][asked.rows]).codes
        return asked, Structure(groups=codes, name=question.group)
    if split == "random":
        return asked, Structure()
    found = noticed(table, asked)
    if table.large is not None:  # its locked rows are drawn before any is seen
        return asked, Structure(words=found.words)
    named = replace(
        question,
        time_column=None if found.order is None else found.order.names[0],
        group=found.name or None,
    )
    return replace(asked, question=named), found


def noticed(table: StudyTable, asked: Asked) -> Structure:
    """Time first, for what is past may tell of the same thing; then whom rows are about."""
    target = (asked.question.target,)
    order = time_order(table, asked.rows, target)
    if order is not None:
        return Structure(order=order, words=order.words)
    entity = repeated_entity(table, asked.rows, target)
    if entity is not None:
        name, groups, why = entity
        return Structure(groups=groups, name=name, words=why)
    repeats = repeated_rows(table, asked.rows)
    if repeats is not None:
        return Structure(groups=repeats.groups, words=repeats.words)
    return Structure()
