"""Texts without their accents, tags or markup."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_TAG = re.compile(r"<[^>]+>")
_UNSEEN = frozenset({"script", "style", "template", "head"})


def strip_accents_unicode(s: str) -> str:
    """Each letter without its accents, in any script that has compatible plain letters.

    Parameters
    ----------
    s : str
        A text.

    Returns
    -------
    str
        Its compatibility decomposition (NFKD) without combining characters.

    Examples
    --------
    >>> strip_accents_unicode("Šárka Ελλάς ﬁn")
    'Sarka Ελλας fin'
    """
    if s.isascii():
        return s
    from unicodedata import combining, normalize

    return "".join(c for c in normalize("NFKD", s) if not combining(c))


def strip_accents_ascii(s: str) -> str:
    """Each letter as the ASCII letter it derives from; what derives from none is left out.

    Parameters
    ----------
    s : str
        A text.

    Returns
    -------
    str
        ASCII characters only.

    Examples
    --------
    >>> strip_accents_ascii("Šárka Ελλάς")
    'Sarka '
    """
    if s.isascii():
        return s
    from unicodedata import normalize

    return normalize("NFKD", s).encode("ascii", "ignore").decode("ascii")


def strip_tags(s: str) -> str:
    """A space in place of each ``<…>``; see `strip_html` for text as a browser shows it.

    Parameters
    ----------
    s : str
        A text with tags.

    Returns
    -------
    str

    Examples
    --------
    >>> strip_tags("<b>bold</b> word")
    ' bold  word'
    """
    return _TAG.sub(" ", s)


def strip_html(s: str) -> str:
    """The text of a page: no tags, comments, scripts or styles; entities as their characters.

    Parameters
    ----------
    s : str
        HTML, however broken.

    Returns
    -------
    str
        With a space where a tag was.

    Examples
    --------
    >>> strip_html("<p>Fish &amp; chips<script>alert('no')</script>")
    ' Fish & chips '
    """
    if "<" not in s and "&" not in s:
        return s
    reader = _TextOfPage()
    reader.feed(s)
    reader.close()
    return "".join(reader.parts)


class _TextOfPage(HTMLParser):
    """Collects what is between tags."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._inside: str | None = None  # an element none of whose text is shown

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.parts.append(" ")
        if self._inside is None and tag in _UNSEEN:
            self._inside = tag

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        self.parts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        self.parts.append(" ")
        if tag == self._inside:
            self._inside = None

    def handle_data(self, data: str) -> None:
        if self._inside is None:
            self.parts.append(data)
