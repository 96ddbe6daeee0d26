"""A heat map of a symmetric table: sign by hue, strength by how full the colour is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..characters import shortened
from ..elements import Html, tag
from ..numbers import number
from .scales import drawing, px

SIDE = 22.0  # pixels of a cell and the gap after it; the cell’s size is in style.css
LETTERS = 18  # of a label


def heat_map(labels: Sequence[str], values: Mapping[tuple[int, int], float], *, title: str) -> Html:
    """The lower triangle of a table of values in [−1, 1], with labels.

    Parameters
    ----------
    labels : sequence of str
        Names of rows and columns.
    values : mapping of (int, int) to float
        Value of each pair; pairs without one stay empty.
    title : str
        What is drawn.

    Returns
    -------
    Html

    Examples
    --------
    >>> str(heat_map(["a", "b", "c"], {(1, 0): 0.5, (2, 1): -1.0}, title="x")).count("<rect")
    2
    """
    shown = [shortened(label, LETTERS) for label in labels]
    margin = 12.0 + 6.6 * max(map(len, shown), default=0)
    side = SIDE * max(len(labels) - 1, 1)
    cells = [
        _cell(margin + min(pair) * SIDE, (max(pair) - 1) * SIDE, value, _says(labels, pair, value))
        for pair, value in values.items()
    ]
    rows = (
        tag("text", text, x=px(margin - 6), y=px((at - 0.5) * SIDE + 4), text_anchor="end")
        for at, text in enumerate(shown)
        if at
    )
    columns = (
        _below(text, margin + (at + 0.5) * SIDE, side + 8) for at, text in enumerate(shown[:-1])
    )
    stairs = "".join(f"H{px(margin + at * SIDE)}v{px(SIDE)}" for at in range(1, len(labels)))
    return drawing(
        margin + side + 8,
        side + margin + 4,
        title,
        tag("path", d=f"M{px(margin)} 0{stairs}H{px(margin)}z", class_="track"),
        tag("g", cells),
        tag("g", rows, columns, class_="labels"),
        class_="heat",
    )


def _says(labels: Sequence[str], pair: tuple[int, int], value: float) -> str:
    one, other = (shortened(labels[at], 60) for at in pair)
    return f"{one} × {other}: {number(float(value), 3)}"


def _cell(x: float, y: float, value: float, says: str) -> Html:
    strength = min(abs(value), 1.0)
    return tag(
        "rect",
        tag("title", says),
        x=px(x),
        y=px(y),
        fill_opacity=f"{strength:.2f}",
        class_="down" if value < 0 else "up",
    )


def _below(text: str, x: float, y: float) -> Html:
    return tag(
        "text", text, transform=f"translate({px(x + 4)} {px(y)}) rotate(-90)", text_anchor="end"
    )


def similar_together(size: int, values: Mapping[tuple[int, int], float]) -> list[int]:
    """An order of rows in which strongly related ones are neighbours.

    The leaves of the tree of average linkage with distances 1 − |value|, turned so that neighbours
    are as near as the tree allows.

    Examples
    --------
    >>> order = similar_together(4, {(0, 2): 0.9, (1, 3): 0.8, (1, 2): 0.1})
    >>> abs(order.index(0) - order.index(2)), abs(order.index(1) - order.index(3))
    (1, 1)

    References
    ----------
    Bar-Joseph, Gifford and Jaakkola, Fast optimal leaf ordering for hierarchical clustering, 2001.
    """
    if size < 3:
        return list(range(size))
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    apart = np.ones((size, size))
    for (row, column), value in values.items():
        apart[row, column] = apart[column, row] = 1.0 - min(abs(value), 1.0)
    np.fill_diagonal(apart, 0.0)
    tree = linkage(squareform(apart, checks=False), "average", optimal_ordering=True)
    return [int(leaf) for leaf in leaves_list(tree)]
