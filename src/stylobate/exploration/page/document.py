"""A profile's page, put together from its sections."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stylobate.report import Html, document, number, shortened, tag

from .associations import associations
from .missingness import missingness
from .outliers import outliers
from .overview import overview
from .provenance import provenance
from .room import Room
from .target import target
from .trends import trends
from .variables import variables

_SECTIONS = (
    ("overview", "Overview", overview),
    ("variables", "Variables", variables),
    ("target", "Target", target),
    ("associations", "Associations", associations),
    ("missing", "Missing values", missingness),
    ("outliers", "Outlying values", outliers),
    ("trends", "Trends", trends),
    ("provenance", "Provenance", provenance),
)


def page(profile: Mapping[str, Any], *, date: str | None = None) -> str:
    """The profile of a table as a page that needs nothing but itself.

    Whatever comes from the table is shown as text: names, cells and titles are never markup, links
    or formulas.

    Parameters
    ----------
    profile : mapping
        What `Profile.to_dict` gives. Parts that are absent are left out of the page.
    date : str, optional
        When the profile was made, in words to print.

    Returns
    -------
    str
        HTML, for a file with the encoding UTF-8.

    Examples
    --------
    >>> text = page({"source": "<b>.csv", "rows": 2, "columns": 0, "variables": []})
    >>> text.startswith("<!DOCTYPE html>"), "&lt;b&gt;.csv" in text, "<b>" in text
    (True, True, False)
    """
    room = Room.of(profile, date)
    made: list[tuple[str, str, Html]] = []
    for identifier, heading, build in _SECTIONS:
        content = build(profile, room)
        if content is not None:
            made.append((identifier, heading, content))
    shape = f"{number(profile.get('rows'))} rows × {number(profile.get('columns'))} columns"
    return document(
        shortened(str(profile.get("source") or "Profile"), 200),
        [content for _, _, content in made],
        subtitle=["Profile of a table: ", tag("strong", shape)],
        links=[(identifier, heading) for identifier, heading, _ in made],
    )
