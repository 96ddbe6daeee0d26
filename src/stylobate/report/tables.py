"""Tables a reader can sort by every column, and lists that can be searched and filtered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .characters import shortened
from .elements import Child, Html, Value, tag
from .numbers import finite, number

LEVELS = {"high": "Important", "medium": "Check", "info": "Note"}
PAGE = 100  # items of a list shown before the reader asks for more


@dataclass(frozen=True)
class Heading:
    """A column of a table: its title, whether it holds numbers, whether it can be sorted.

    ``below`` stands under the title: the axis of marks in the column.
    """

    title: str
    numeric: bool = False
    sortable: bool = True
    hint: str | None = None
    class_: str | None = None
    below: Child = None


@dataclass(frozen=True)
class Cell:
    """What a cell shows, and the value it is sorted by (None: last in either direction).

    ``text`` marks what the reader searches in, ``heads`` the name of the row.
    """

    content: Child
    value: float | str | None = None
    text: bool = False
    heads: bool = False


@dataclass(frozen=True)
class Row:
    """A row of cells; ``kind`` is what filters by kind look at, ``chosen`` marks it."""

    cells: Sequence[Cell]
    kind: str | None = None
    chosen: bool = False


@dataclass(frozen=True)
class Kinds:
    """A choice among kinds: how many items each has."""

    legend: str
    counts: dict[str, int] = field(default_factory=dict)


def name(text: Any, length: int = 60) -> Html:
    """A name out of the data, isolated from the direction of the text around it."""
    full = str(text)
    shown = shortened(full, length)
    title = shortened(full, 300) if shown != full else None
    return tag("bdi", shown, title=title) if full else tag("em", "(empty)")


def number_cell(value: Any, digits: int = 4) -> Cell:
    """A number with as many digits as are read, sorted by all of them."""
    return Cell(number(value, digits), finite(value))


def text_cell(text: Any, length: int = 60) -> Cell:
    """A text out of the data."""
    return Cell(name(text, length), str(text), text=True)


def table(
    headings: Sequence[Heading], rows: Iterable[Row], *, caption: str, limit: int | None = PAGE
) -> Html:
    """A table in a box of its own that scrolls sideways where the page is narrow.

    Parameters
    ----------
    headings : sequence of Heading
        The columns.
    rows : iterable of Row
        As many cells each as there are headings.
    caption : str
        What the table holds, for those who cannot see it.
    limit : int or None
        Rows shown at first; None for all.

    Returns
    -------
    Html

    Examples
    --------
    >>> made = table([Heading("n", numeric=True)], [Row([number_cell(1)])], caption="One")
    >>> '<td class="n" data-v="1">1</td>' in str(made)
    True
    """
    head = tag("tr", (_heading(heading) for heading in headings))
    body = (_row(row, headings, limit is not None and at >= limit) for at, row in enumerate(rows))
    inside = tag(
        "table",
        tag("caption", caption),
        tag("thead", head),
        tag("tbody", body, data_list=True, data_limit=limit),
        class_="wide" if len(headings) > 5 else None,
    )
    return tag("div", inside, class_="scroll", role="region", aria_label=caption, tabindex=0)


def _heading(heading: Heading) -> Html:
    kind = " ".join(filter(None, ("n" if heading.numeric else None, heading.class_))) or None
    if not heading.sortable:
        content = (heading.title, heading.below)
        return tag("th", content, scope="col", class_=kind, title=heading.hint)
    button = tag("button", heading.title, type="button", title=heading.hint)
    return tag("th", button, heading.below, scope="col", class_=kind, aria_sort="none")


def _row(row: Row, headings: Sequence[Heading], late: bool) -> Html:
    cells = (_cell(cell, heading) for cell, heading in zip(row.cells, headings, strict=True))
    styles = " ".join(filter(None, ("late" if late else "", "chosen" if row.chosen else "")))
    return tag("tr", cells, class_=styles or None, data_kind=row.kind)


def _cell(cell: Cell, heading: Heading) -> Html:
    attributes: dict[str, Value] = {
        "class_": "n" if heading.numeric else None,
        "data_v": _sort_key(cell, heading),
        "data_text": cell.text,
    }
    if cell.heads:
        return tag("th", cell.content, scope="row", **attributes)
    return tag("td", cell.content, **attributes)


def _sort_key(cell: Cell, heading: Heading) -> Value:
    """The key, unless the cell's own text already is it."""
    if not heading.sortable:
        return None
    if isinstance(cell.value, str):
        itself = cell.text or cell.value == cell.content
        return None if itself else shortened(cell.value, 80)
    return "" if cell.value is None else f"{cell.value:.6g}"


def group(*content: Child, search: str, kinds: Kinds | None = None, total: int, noun: str) -> Html:
    """Lists that one search field and one choice of kinds narrow together.

    Parameters
    ----------
    *content : Html
        Tables from `table`, and lists marked with ``data_list``.
    search : str
        Label of the search field.
    kinds : Kinds or None
        The kinds to choose among; a choice among one is none.
    total : int
        How many items there are.
    noun : str
        What they are called, in the plural.
    """
    find = tag("label", tag("span", search), tag("input", type="search", data_search=True))
    chosen = None
    if kinds is not None and len(kinds.counts) > 1:
        boxes = (
            tag(
                "label",
                tag("input", type="checkbox", value=kind, data_options=True),
                tag("span", kind, " ", tag("small", f"{count:,}")),
            )
            for kind, count in kinds.counts.items()
        )
        chosen = tag("fieldset", tag("legend", kinds.legend), boxes)
    status = tag("output", f"{total:,} {noun}", data_status=noun, aria_live="polite")
    controls = tag("div", find, chosen, status, class_="controls")
    return tag("div", controls, content, data_group=True)


def cards(heading: str, items: Iterable[Html], *, limit: int | None = PAGE) -> Html:
    """A list of ``details`` under a heading, with a button that opens and closes all that show."""
    button = tag("button", "Open all", type="button", class_="more", data_open=True, hidden=True)
    return tag(
        "div",
        tag("div", tag("h3", heading), button, class_="heading"),
        tag("div", items, data_list=True, data_limit=limit, class_="cards"),
    )


def tiles(items: Iterable[tuple[Child, Child, Child]]) -> Html:
    """Large figures side by side: what each is, the figure, and a line below it."""
    made = (
        tag(
            "li",
            tag("span", key, class_="key"),
            tag("span", value, class_="figure"),
            tag("small", more or "\u00a0"),
        )
        for key, value, more in items
    )
    return tag("ul", made, class_="tiles")


def warnings(items: Iterable[tuple[str, Child]]) -> Html:
    """Sentences to mind, each with its level: "high", "medium" or "info"."""
    made = (
        tag(
            "li",
            tag("span", LEVELS[level], class_=f"level {level}"),
            tag("span", text),
        )
        for level, text in items
    )
    return tag("ul", made, class_="warnings")


def listing(lines: Iterable[str]) -> Html:
    """Lines of code or of a plain text, as they are."""
    return tag("pre", (tag("code", line or " ") for line in lines), tabindex=0)


def facts(pairs: Iterable[tuple[Child, Child]], *, two: bool = False) -> Html:
    """A list of names and values, side by side, in one column or two."""
    items = (tag("div", tag("dt", key), tag("dd", value)) for key, value in pairs)
    return tag("dl", items, class_="two" if two else None)
