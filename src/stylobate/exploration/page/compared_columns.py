"""Which columns rows are compared by, which not and why, as a section of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stylobate.report import (
    Cell,
    Heading,
    Html,
    Row,
    section,
    shortened,
    table,
    tag,
    text_cell,
)


def columns_section(
    columns: Mapping[str, str], left_out: Mapping[str, str], notes: Sequence[str]
) -> Html:
    """A table of columns, and what was done to rows and cells.

    Parameters
    ----------
    columns : mapping from str to str
        The columns used, with their kinds.
    left_out : mapping from str to str
        The others, with the reason.
    notes : sequence of str
    """
    headings = [Heading("Column"), Heading("Kind"), Heading("Use")]
    rows = [
        Row([text_cell(column), Cell(tag("span", kind, class_="kind"), kind), Cell("compared by")])
        for column, kind in columns.items()
    ]
    rows += [
        Row([text_cell(column), Cell(""), text_cell(f"left out: {why}", 160)])
        for column, why in left_out.items()
    ]
    said = [tag("li", shortened(f"{note}.", 600)) for note in notes]
    return section(
        "columns",
        "Columns",
        table(headings, rows, caption="Columns", limit=60),
        tag("h3", "Notes on the data", class_="spaced") if said else None,
        tag("ul", said, class_="notes") if said else None,
    )
