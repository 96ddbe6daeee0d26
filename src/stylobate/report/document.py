"""One page in one file: everything it needs inside, and a policy that forbids asking for more."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from .elements import Child, Html, escaped, tag

SCATTER = tuple(
    f"scatter/{name}.js" for name in ("data", "colors", "plane", "selection", "gestures", "page")
)


@cache
def asset(name: str) -> str:
    """The text of a file that ships with this package (``style.css``, ``behaviour.js``)."""
    return files(__package__).joinpath(*name.split("/")).read_text(encoding="utf-8")


@cache
def script_of(scripts: tuple[str, ...]) -> str:
    """The one script of a page: what all pages do, then what is said by further files."""
    return "\n".join(asset(name) for name in ("behaviour.js", *scripts))


def policy(scripts: tuple[str, ...] = ()) -> str:
    """The page's Content-Security-Policy: our own style and script by hash, nothing else.

    References
    ----------
    W3C, Content Security Policy Level 3.
    """
    style, script = _hash(asset("style.css")), _hash(script_of(scripts))
    return (
        f"default-src 'none'; style-src '{style}'; script-src '{script}'; "
        "base-uri 'none'; form-action 'none'"
    )


def document(
    title: str,
    *sections: Child,
    subtitle: Child = None,
    links: Iterable[tuple[str, str]] = (),
    scripts: tuple[str, ...] = (),
) -> str:
    """A whole page as text: opens from a disk, asks the network for nothing.

    Parameters
    ----------
    title : str
        Name of the page; data, and escaped as such.
    *sections : Html, str, None or iterables of them
        The page's body, from `section`.
    subtitle : Html, str or None
        A line below the title.
    links : iterable of (str, str)
        The bar of links to sections: identifier and text.
    scripts : tuple of str
        Further files of behaviour, such as `SCATTER`.

    Returns
    -------
    str

    Examples
    --------
    >>> text = document("A & B", section("first", "First", "1 < 2"))
    >>> "<h1><bdi>A &amp; B</bdi></h1>" in text, "1 &lt; 2" in text
    (True, True)
    """
    bar = [tag("a", text, href=f"#{identifier}") for identifier, text in links]
    heading = tag("div", tag("h1", tag("bdi", title)), tag("p", subtitle), class_="title")
    switch = tag(
        "button", "Dark", type="button", class_="theme", data_theme_button=True, hidden=True
    )
    body = Html(
        tag("a", "Skip to the content", href="#content", class_="skip"),
        tag("header", heading, tag("div", _TURNING, switch, class_="turning"), class_="top"),
        tag("nav", bar, aria_label="Sections", class_="links") if bar else None,
        tag("main", sections, id="content"),
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(scripts)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{escaped(title)}</title>"
        f"<style>{asset('style.css')}</style><script>{script_of(scripts)}</script>"
        f"</head>\n<body>{body}</body></html>\n"
    )


_TURNING = tag(
    "div",
    tag("button", "Slides", type="button", class_="theme"),
    tag("button", "‹", type="button", class_="theme", aria_label="Previous section", hidden=True),
    tag("output", hidden=True),
    tag("button", "›", type="button", class_="theme", aria_label="Next section", hidden=True),
    class_="turning",
    data_slides=True,
    hidden=True,
)


def section(identifier: str, heading: str, *content: Child, lead: Child = None) -> Html:
    """A part of the page with a heading, an anchor and, where it needs one, a sentence to start."""
    return tag(
        "section",
        tag("h2", heading, id=f"{identifier}-heading"),
        tag("p", lead, class_="lead") if lead is not None else None,
        content,
        id=identifier,
        aria_labelledby=f"{identifier}-heading",
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
