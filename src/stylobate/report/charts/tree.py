"""Boxes joined by lines: trees of boxes to the right of one, single boxes to its left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ..characters import shortened
from ..elements import Html, tag

_WIDTH, _HEIGHT, _ACROSS, _DOWN = 178, 44, 66, 14
_LETTERS = 23  # of a name, that fit into a box


@dataclass(frozen=True, slots=True)
class Node:
    """A box of a drawing.

    Parameters
    ----------
    name : str
    below : str
        A second line, smaller.
    parent : str
        The box it hangs to; empty for the one in the middle.
    side : {"right", "left"}
    style : {"root", "kept", "plain", "idle"}
    label : str
        What is shown of the line to it when it is pointed at.
    """

    name: str
    below: str = ""
    parent: str = ""
    side: Literal["right", "left"] = "right"
    style: Literal["root", "kept", "plain", "idle"] = "plain"
    label: str = ""


def tree(nodes: Sequence[Node], *, title: str) -> Html:
    """A drawing of tables, say, and of how they hang together.

    Parameters
    ----------
    nodes : sequence of Node
        The one without a parent first, each after the one it hangs to.
    title : str
        For those who cannot see it.

    Examples
    --------
    >>> drawn = str(tree([Node("orders"), Node("customers", parent="orders")], title="tables"))
    >>> drawn.count("<rect"), "customers" in drawn
    (2, True)
    """
    places = _places(nodes)
    width = max(x for x, _ in places.values()) + _WIDTH + 2
    height = max(y for _, y in places.values()) + _HEIGHT + 2
    return tag(
        "svg",
        tag("title", title),
        [_line(each, places) for each in nodes if each.parent],
        [_box(each, *places[each.name]) for each in nodes],
        class_="chart tree",
        role="img",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
    )


def _places(nodes: Sequence[Node]) -> dict[str, tuple[int, int]]:
    """The corner of each box: right ones in columns by depth, parents in the middle of theirs."""
    left = [each.name for each in nodes if each.side == "left"]
    right = [each for each in nodes if each.side == "right"]
    depth = {each.name: 0 for each in right if not each.parent}
    for each in right:
        if each.parent:
            depth[each.name] = depth[each.parent] + 1
    rows: dict[str, float] = {}
    following = 0

    def put(name: str) -> float:
        nonlocal following
        inner = [put(each.name) for each in right if each.parent == name]
        if inner:
            rows[name] = (inner[0] + inner[-1]) / 2
        else:
            rows[name] = float(following)
            following += 1
        return rows[name]

    middle = put(nodes[0].name)
    first = middle - (len(left) - 1) / 2
    rows |= {name: first + k for k, name in enumerate(left)}
    top = min(rows.values())
    column = dict.fromkeys(left, -1) | depth
    start = min(column.values())
    return {
        name: (
            1 + (column[name] - start) * (_WIDTH + _ACROSS),
            1 + round((rows[name] - top) * (_HEIGHT + _DOWN)),
        )
        for name in column
    }


def _line(node: Node, places: dict[str, tuple[int, int]]) -> Html:
    (x1, y1), (x2, y2) = places[node.parent], places[node.name]
    start, end = (x1 + _WIDTH, x2) if node.side == "right" else (x1, x2 + _WIDTH)
    y1, y2, middle = y1 + _HEIGHT // 2, y2 + _HEIGHT // 2, (start + end) // 2
    path = f"M{start} {y1}C{middle} {y1} {middle} {y2} {end} {y2}"
    return tag("path", d=path, class_="guide" if node.style == "idle" else "outline stroke-hue-0")


def _box(node: Node, x: int, y: int) -> Html:
    middle = x + _WIDTH // 2
    return tag(
        "g",
        tag("title", node.label or node.name),
        tag("rect", x=x, y=y, width=_WIDTH, height=_HEIGHT, rx=6, class_=node.style),
        tag(
            "text", shortened(node.name, _LETTERS), x=middle, y=y + (19 if node.below else 27),
            text_anchor="middle", class_="name",
        ),
        tag("text", shortened(node.below, 32), x=middle, y=y + 35, text_anchor="middle")
        if node.below
        else None,
    )  # fmt: skip
