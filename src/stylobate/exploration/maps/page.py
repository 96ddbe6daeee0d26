"""Maps of rows as one page that needs nothing but itself."""

from __future__ import annotations

from stylobate.exploration.maps.page_data import packed, shown_columns
from stylobate.exploration.maps.row_map import PlaneMap, RowMap
from stylobate.exploration.maps.text import outlier_words, separation_words
from stylobate.exploration.page.compared_columns import columns_section
from stylobate.exploration.page.compared_rows import Compared
from stylobate.report import (
    SCATTER,
    Cell,
    Child,
    Heading,
    Html,
    Row,
    charts,
    name,
    number_cell,
    percent,
    section,
    shortened,
    table,
    tag,
    text_cell,
    tiles,
)

_KEYS = (
    "Drag to move, wheel or pinch to zoom, shift and drag to select, control and drag to add. With "
    "the keyboard: arrows, + and −, 0 for the whole map, Enter to select what is shown, Escape to "
    "clear."
)


def map_page(found: RowMap) -> str:
    """The maps as HTML; whatever comes from the table is shown as text.

    Parameters
    ----------
    found : RowMap
        What `map_rows` made.

    Returns
    -------
    str
        For a file with the encoding UTF-8.
    """
    made = [
        ("maps", "Maps", _maps(found)),
        ("trust", "Trust", _trust(found)),
        ("target", "Target", _target(found)),
        ("components", "Components", _components(found)),
        ("outliers", "Outlying rows", _outliers(found)),
        ("columns", "Columns", columns_section(found.columns, found.left_out, _notes(found))),
    ]
    compared = Compared(found.source, found.rows, len(found.columns))
    lead = "Rows that are alike lie near each other"
    return compared.document("Map of", lead, made, scripts=SCATTER)


def _button(action: str, text: str, label: str | None = None) -> Html:
    return tag("button", text, type="button", data_action=action, aria_label=label, title=label)


def _maps(found: RowMap) -> Html:
    options = [tag("option", "nothing", value=""), tag("option", "neighbours kept", value="kept")]
    modes = [_button("move", "Move"), _button("rectangle", "Rectangle"), _button("lasso", "Lasso")]
    rest = [
        _button("clear", "Clear selection"),
        _button("csv", "Save selected rows", "Save the selected rows as a CSV file"),
        _button("png", "Save picture", "Save both maps as a PNG picture"),
    ]
    tools = tag(
        "div",
        tag("label", "Colour by ", tag("select", options, data_role="color")),
        tag("div", modes, class_="buttons", role="group", aria_label="What dragging does"),
        tag("div", rest, class_="buttons", role="group", aria_label="Selection and files"),
        class_="tools",
        data_role="tools",
        hidden=True,
    )
    waiting = "The maps are drawn by the page's own script, which is not running here."
    body = tag(
        "div",
        tag("p", waiting, class_="quiet", data_role="waiting"),
        tools,
        tag("div", class_="entries", data_role="legend", role="group", aria_label="Legend"),
        tag("div", [_plane(each, at) for at, each in enumerate(found.maps)], class_="planes"),
        tag("dl", class_="tip", data_role="tooltip", hidden=True, role="status"),
        tag("p", _KEYS, class_="quiet"),
        _selection(),
        tag("pre", packed(found), hidden=True, data_role="data"),
        class_="maps",
        data_scatter=True,
    )
    return section("maps", "Maps", body)


def _plane(plane: PlaneMap, at: int) -> Html:
    zoom = [
        _button("zoom-in", "+", f"Zoom in, {plane.name}"),
        _button("zoom-out", "−", f"Zoom out, {plane.name}"),
        _button("whole", "Whole", f"Whole map, {plane.name}"),
        _button("shown", "Select shown", f"Select what is shown, {plane.name}"),
    ]
    across, up = plane.axes
    axes = f" To the right {across}, upwards {up}." if across else ""
    label = f"{plane.name}: map of the rows. {plane.words}."
    return tag(
        "figure",
        tag(
            "figcaption",
            tag("strong", plane.name),
            tag("span", zoom, class_="buttons"),
        ),
        tag(
            "div",
            tag("canvas", aria_hidden="true"),
            tag("canvas", tabindex=0, role="application", aria_label=label),
            class_="sheet",
        ),
        tag("p", f"{percent(plane.neighbors_kept)} of neighbours kept.{axes}", class_="quiet"),
        data_plane=at,
    )


def _selection() -> Html:
    return tag(
        "div",
        tag("h3", "Selection"),
        tag("p", data_role="selected", role="status"),
        tag("ul", class_="notes", data_role="traits"),
        tag("div", tag("table", data_role="table", hidden=True), class_="scroll", tabindex=0,
            role="group", aria_label="Selected rows"),
        tag("p", class_="quiet", data_role="more"),
        class_="picked",
        data_role="selection",
    )  # fmt: skip


def _trust(found: RowMap) -> Html:
    items: list[tuple[Child, Child, Child]] = [
        (
            f"Neighbours kept, {each.name}",
            percent(each.neighbors_kept),
            f"by chance {percent(each.neighbors_by_chance)}",
        )
        for each in found.maps
    ]
    items += [
        (f"Distances, {each.name}", f"{each.distance_correlation:.2f}", "rank correlation")
        for each in found.maps
    ]
    said = [
        tag("li", tag("strong", each.name), f": {each.words}. {each.meaning.capitalize()}.")
        for each in found.maps
    ]
    return section(
        "trust",
        "Trust",
        tiles(items),
        tag("ul", said, class_="notes spaced"),
        lead=(
            "Two dimensions cannot hold all distances. Colour by neighbours kept to see which "
            "parts of a map to trust."
        ),
    )


def _target(found: RowMap) -> Html | None:
    separation = found.separation
    if separation is None:
        return None
    sentence = separation_words(separation)
    parts: list[Child] = [tag("p", sentence[:1].upper(), sentence[1:], ".", class_="said")]
    if separation.groups:
        headings = [
            Heading(shortened(separation.target)),
            Heading("Rows", numeric=True),
            Heading("Neighbours of its own group"),
            Heading("By chance", numeric=True),
        ]
        rows = [
            Row(
                [
                    Cell(name(group, 60), group, heads=True, text=True),
                    number_cell(count),
                    Cell([charts.share_bar(purity), " ", percent(purity)], purity),
                    Cell(percent(count / found.used_rows), count / found.used_rows),
                ]
            )
            for group, (count, purity) in separation.groups.items()
        ]
        parts.append(table(headings, rows, caption="Groups of the target", limit=None))
    return section("target", "Target", parts)


def _components(found: RowMap) -> Html | None:
    if not found.components:
        return None
    headings = [Heading("Component"), Heading("Share of the variance"), Heading("Made of")]
    rows = [
        Row(
            [
                Cell(str(at), float(at), heads=True),
                Cell([charts.share_bar(each.share), " ", percent(each.share)], each.share),
                text_cell(each.words, 300),
            ]
        )
        for at, each in enumerate(found.components, 1)
    ]
    return section(
        "components",
        "Components",
        table(headings, rows, caption="Principal components", limit=None),
        lead="The directions in which the rows vary most, after all columns were put on one scale.",
    )


def _outliers(found: RowMap) -> Html | None:
    if not found.outliers:
        return None
    said = [tag("li", shortened(outlier_words(row), 300)) for row in found.outliers]
    return section(
        "outliers",
        "Outlying rows",
        tag("ul", said, class_="notes"),
        lead=(
            "Rows whose mean distance to their neighbours is far out among all rows, with the "
            "columns in which they are unlike them."
        ),
    )


def _notes(found: RowMap) -> list[str]:
    """What was done, and what the page leaves out."""
    left = len(found.cells) - len(shown_columns(found))
    if not left:
        return list(found.notes)
    return [*found.notes, f"{left:,} columns are not on this page, which would grow too large"]
