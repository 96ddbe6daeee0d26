"""HTML that is safe by construction: whatever comes in as text comes out as text.

There is one door from strings to markup, `tag`, and it escapes. Tags and attributes are taken from
short lists without event handlers, inline styles and resources; links lead inside the page only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from html import escape
from typing import Final, TypeAlias, final

from stylobate.exceptions import InvalidParameterError

from .characters import visible

_HTML_TAGS = (
    "a bdi button canvas caption code dd details div dl dt em fieldset figcaption figure h1 h2 h3 "
    "h4 header input label legend li main nav option output p pre section select small span strong "
    "summary table tbody td template th thead tr ul"
)
_SVG_TAGS = "circle g path rect svg text title"
_HTML_ATTRIBUTES = (
    "aria-hidden aria-label aria-labelledby aria-live aria-pressed aria-sort class hidden href id "
    "role scope tabindex title type value"
)
_DATA_ATTRIBUTES = (  # what the scripts look for
    "data-action data-group data-kind data-limit data-list data-open data-options data-panel "
    "data-plane data-role data-scatter data-search data-slides data-status data-switch data-text "
    "data-theme-button data-v"
)
_SVG_ATTRIBUTES = "cx cy d fill-opacity height r rx text-anchor transform viewBox width x y"
TAGS: Final = frozenset(f"{_HTML_TAGS} {_SVG_TAGS}".split())
ATTRIBUTES: Final = frozenset(f"{_HTML_ATTRIBUTES} {_DATA_ATTRIBUTES} {_SVG_ATTRIBUTES}".split())
_CHILDLESS: Final = {"input": ">", "circle": "/>", "path": "/>", "rect": "/>"}  # and how they end
_IDENTIFIER = re.compile(r"[a-z][a-z0-9-]*")
_INSIDE = re.compile(r"#[a-z][a-z0-9-]*")

Child: TypeAlias = "Html | str | Iterable[Child] | None"
Value: TypeAlias = "str | int | float | None"


@final
class Html:
    """Markup made of text and of elements; the constructor takes text and escapes it.

    Examples
    --------
    >>> str(Html("1 < 2 ", tag("em", "& more")))
    '1 &lt; 2 <em>&amp; more</em>'
    """

    __slots__ = ("_markup",)
    _markup: str

    def __init__(self, *children: Child) -> None:
        self._markup = _joined(children)

    def __str__(self) -> str:
        return self._markup

    def __repr__(self) -> str:
        return f"Html({self._markup!r})"


def tag(name: str, *children: Child, **attributes: Value) -> Html:
    """An element of a page or of a drawing.

    Parameters
    ----------
    name : str
        One of `TAGS`.
    *children : Html, str, None or iterables of them
        Text is escaped and its invisible characters are shown; None is left out.
    **attributes : str, int, float, bool or None
        Names from `ATTRIBUTES`, with ``_`` for ``-`` (``class_``, ``aria_label``). True writes the
        bare name; None and False leave the attribute out.

    Returns
    -------
    Html

    Examples
    --------
    >>> str(tag("p", "<script>", class_="note", title='"quoted"', hidden=True))
    '<p class="note" title="&quot;quoted&quot;" hidden>&lt;script&gt;</p>'
    """
    if name not in TAGS:
        raise InvalidParameterError(f"tag: no element {name!r} may stand in a report.")
    opening = name + "".join([_attribute(key, value) for key, value in attributes.items()])
    if not children and name in _CHILDLESS:
        return _markup(f"<{opening}{_CHILDLESS[name]}")
    return _markup(f"<{opening}>{_joined(children)}</{name}>")


def escaped(text: str) -> str:
    """Text for any place in a page: within elements and within quoted attributes."""
    if not (text.isascii() and text.isprintable()):  # the usual text needs no search
        text = visible(text)
    return escape(text, quote=True)


def _markup(source: str) -> Html:
    made = object.__new__(Html)
    made._markup = source
    return made


def _joined(children: Iterable[Child]) -> str:
    parts: list[str] = []
    for child in children:
        if child is None:
            continue
        if isinstance(child, Html):
            parts.append(child._markup)
        elif isinstance(child, str):
            parts.append(escaped(child))
        else:
            parts.append(_joined(child))
    return "".join(parts)


def _attribute(key: str, value: Value) -> str:
    if value is None or value is False:
        return ""
    name = _attribute_name(key)
    if value is True:
        return f" {name}"
    text = value if isinstance(value, str) else repr(value)
    if name == "href" and not _INSIDE.fullmatch(text):
        raise InvalidParameterError(f"tag: href must lead inside the page (#name), got {text!r}.")
    if name == "id" and not _IDENTIFIER.fullmatch(text):
        raise InvalidParameterError(f"tag: id must be of a-z, 0-9 and hyphens, got {text!r}.")
    return f' {name}="{escaped(text)}"'


@cache
def _attribute_name(key: str) -> str:
    name = key.rstrip("_").replace("_", "-")
    if name not in ATTRIBUTES:
        raise InvalidParameterError(f"tag: no attribute {name!r} may stand in a report.")
    return name
