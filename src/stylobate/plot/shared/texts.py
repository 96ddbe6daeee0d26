"""Names from data as text on a picture: what is written is the name, never a formula."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

MOST = 40  # characters of a name that are shown
_BOX = "□"  # stands for a sign no font at hand has, as everywhere else


def plain(name: Any, most: int = MOST) -> str:
    r"""A name as matplotlib has to be given it.

    Dollars are escaped (two of them would be read as a formula), a leading underscore is kept (a
    legend would leave the entry out), line breaks become spaces, long names end in an ellipsis, and
    signs that no font has become boxes, for which matplotlib would warn.

    Examples
    --------
    >>> plain("cost in $ or A$"), plain("two\nlines"), plain("x" * 50, most=4)
    ('cost in \\$ or A\\$', 'two lines', 'xxx…')
    """
    text = " ".join(str(name).split())
    if len(text) > most:
        text = text[: most - 1] + "…"
    if not text.isascii():
        text = "".join(sign if _is_drawable(sign, _families()) else _BOX for sign in text)
    if text.startswith("_"):
        text = "\u200b" + text
    return text.replace("$", r"\$")


def plain_all(names: Iterable[Any], most: int = MOST) -> list[str]:
    """Several names, each as matplotlib has to be given it."""
    return [plain(name, most) for name in names]


def _families() -> tuple[str, ...]:
    from matplotlib.font_manager import FontProperties

    return tuple(FontProperties().get_family())


@lru_cache(maxsize=4096)
def _is_drawable(sign: str, families: tuple[str, ...]) -> bool:
    from matplotlib.font_manager import FontProperties, findfont, get_font

    if sign.isascii():
        return True
    paths = {findfont(FontProperties(family=[family])) for family in families}
    return any(get_font(path).get_char_index(ord(sign)) for path in paths)
