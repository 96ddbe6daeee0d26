"""A page inside another one: the view of a result in a notebook."""

from __future__ import annotations

from html import escape

_STYLE = "width:100%;height:{height}px;border:1px solid #8884;border-radius:6px"


def framed(page: str, title: str, *, height: int = 640) -> str:
    """A whole page in a frame of its own, so that its style and the notebook's stay apart.

    The frame runs the page's own script and nothing else: it has no access to the notebook, and the
    page's policy forbids every request.

    Parameters
    ----------
    page : str
        From `document`.
    title : str
        Of the frame, for those who hear the page.
    height : int in [1, inf), default=640
        Pixels.

    Examples
    --------
    >>> framed("<p>1 & 2</p>", "A page", height=100)[:40]
    '<iframe title="A page" sandbox="allow-sc'
    """
    inside = escape(page, quote=True)
    return (
        f'<iframe title="{escape(title, quote=True)}" sandbox="allow-scripts" loading="lazy" '
        f'style="{_STYLE.format(height=int(height))}" srcdoc="{inside}"></iframe>'
    )
