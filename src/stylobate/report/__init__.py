"""Pages of results: one HTML file each, safe by construction, that asks the network for nothing.

`tag` makes elements and escapes whatever is put into them, `document` puts them on a page with our
style and behaviour inside, `table` can be sorted, `group` searched, and `charts` draws in SVG.
"""

from __future__ import annotations

from . import charts
from .characters import shortened, visible
from .document import SCATTER, document, section
from .elements import Child, Html, tag
from .frame import framed
from .numbers import duration, finite, fixed, interval, number, p_value, percent
from .tables import (
    Cell,
    Heading,
    Kinds,
    Row,
    cards,
    facts,
    group,
    listing,
    name,
    number_cell,
    table,
    text_cell,
    tiles,
    warnings,
)

__all__ = [
    "SCATTER",
    "Cell",
    "Child",
    "Heading",
    "Html",
    "Kinds",
    "Row",
    "cards",
    "charts",
    "document",
    "duration",
    "facts",
    "finite",
    "fixed",
    "framed",
    "group",
    "interval",
    "listing",
    "name",
    "number",
    "number_cell",
    "p_value",
    "percent",
    "section",
    "shortened",
    "table",
    "tag",
    "text_cell",
    "tiles",
    "visible",
    "warnings",
]
