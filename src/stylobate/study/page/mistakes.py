"""The rows the model is most wrong about."""

from __future__ import annotations

from shlex import quote
from typing import Any

from stylobate.report import (
    Cell,
    Heading,
    Html,
    Row,
    finite,
    listing,
    name,
    number,
    percent,
    section,
    table,
    tag,
)
from stylobate.study.results import Mistake, StudyResult

_COLUMNS = 8  # of a row that are shown


def mistakes(result: StudyResult) -> Html | None:
    """A table: what was true, what was said, and what the row holds."""
    found = result.explanation
    if found is None or not found.mistakes:
        return None
    columns = _columns(result)
    numbers = result.question.task == "regression"
    headings = [
        Heading("Row", numeric=True),
        Heading("Actual", numeric=numbers),
        Heading("Predicted", numeric=numbers),
        Heading("Error", numeric=True) if numbers else Heading("Given to the truth", numeric=True),
        *(Heading(_title(column)) for column in columns),
    ]
    rows = [_row(each, columns, numbers) for each in found.mistakes]
    lead = (
        "The rows of the hold-out with the largest loss. Worth a look first: wrong labels, "
        "something the columns do not say, kinds of rows that hardly occur."
    )
    more = len(found.mistakes[0].values) - len(columns)
    note = f"{more:,} more columns are not shown." if more > 0 else None
    return section(
        "mistakes",
        "The worst mistakes",
        table(headings, rows, caption="The worst mistakes", limit=20),
        tag("p", note, class_="quiet") if note else None,
        _why(result),
        lead=lead,
    )


def _why(result: StudyResult) -> Html | None:
    """The command that takes the first of these predictions apart."""
    if result.model is None or result.model.file is None or result.explanation is None:
        return None
    first = result.explanation.mistakes[0].row + 1
    source = result.question.source
    plain = source if quote(source) == source else "SOURCE"
    command = f"stylobate explain {quote(result.model.file)} {plain} --row {first}"
    note = (
        "Why does the model say so? Row 1 is the first one below the header. The final model has "
        "been refitted to all rows and has seen this one, so its answer may differ from the one "
        "above, which is of the model that had not."
    )
    return tag("div", tag("p", note, class_="quiet"), listing([command]))


def _columns(result: StudyResult) -> list[str]:
    """The most important columns first, as many as fit."""
    assert result.explanation is not None
    held = list(result.explanation.mistakes[0].values)
    ranked = sorted(result.explanation.importances, key=lambda each: -each.mean)
    first = [each.name for each in ranked if each.name in held]
    return (first + [column for column in held if column not in first])[:_COLUMNS]


def _row(each: Mistake, columns: list[str], numbers: bool) -> Row:
    last = (
        Cell(number(each.error, 4), finite(each.error))
        if numbers
        else Cell(percent(each.probability), finite(each.probability))
    )
    return Row(
        [
            Cell(str(each.row + 1), float(each.row + 1), heads=True),
            _cell(each.actual),
            _cell(each.predicted),
            last,
            *(_cell(each.values.get(column)) for column in columns),
        ]
    )


def _cell(value: Any) -> Cell:
    if value is None:
        return Cell(tag("em", "missing"))
    known = finite(value)
    if known is not None:
        return Cell(number(value, 5), known)
    return Cell(name(value, 40), str(value))


def _title(column: str) -> str:
    return column if len(column) <= 24 else column[:23] + "…"
