"""A decision tree as a diagram of boxes, and the path of its pruning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from stylobate.plot.shared.drawing import axes_and_theme
from stylobate.plot.shared.texts import plain
from stylobate.plot.shared.themes import ink_on

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTH = 1.2  # inches of a leaf
_WIDEST = 24.0


class Box(Protocol):
    """A node to draw."""

    parent: int
    depth: int
    words: Sequence[str]
    share: float
    color: int | None
    strength: float


def plot_tree_diagram(
    boxes: Sequence[Any], *, fontsize: float | None = None, rounded: bool = True,
    filled: bool = True, ax: Axes | None = None,
) -> Axes:  # fmt: skip
    """Boxes of a tree and the lines between them, as thick as the rows that pass.

    Parameters
    ----------
    boxes : sequence of Box
        Nodes, parents first and left before right: ``parent`` (its place in the sequence, -1 for
        the root), ``depth``, ``words`` (lines of text), ``share`` of all rows, ``color`` (number of
        a class, or None for a number) and ``strength`` in [0, 1].
    fontsize : float, optional
        By default what fits.
    rounded, filled : bool, default=True
        Whether corners are round and boxes coloured.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from types import SimpleNamespace as Box
    >>> boxes = [Box(parent=-1, depth=0, words=["x0 <= 2"], share=1.0, color=None, strength=0.5),
    ...          Box(parent=0, depth=1, words=["1.0"], share=0.4, color=None, strength=0.0),
    ...          Box(parent=0, depth=1, words=["2.0"], share=0.6, color=None, strength=1.0)]
    >>> [text.get_text() for text in plot_tree_diagram(boxes).texts]
    ['x0 <= 2', '1.0', '2.0', 'yes', 'no']
    """
    across = _places(boxes)
    deepest = max(box.depth for box in boxes)
    leaves = max(across) + 1.0
    size = (min(max(6.4, _WIDTH * leaves), _WIDEST), min(1.0 + 1.25 * (deepest + 1), 14.0))
    ax, theme = axes_and_theme(ax, size, grid=None)
    ax.set_axis_off()
    font = fontsize or max(4.5, 9.0 * min(1.0, _WIDEST / (_WIDTH * leaves)))
    for place, box in enumerate(boxes):
        if box.parent >= 0:
            above = boxes[box.parent]
            ax.plot(
                [across[box.parent], across[place]], [-above.depth, -box.depth],
                color=theme.soft, lw=0.6 + 7.0 * box.share, solid_capstyle="round", zorder=1,
            )  # fmt: skip
    for place, box in enumerate(boxes):
        color = _color(theme, box) if filled else theme.background
        shape = {"boxstyle": "round,pad=0.35" if rounded else "square,pad=0.35",
                 "fc": color, "ec": theme.soft, "lw": 0.8}  # fmt: skip
        ax.text(
            across[place], -box.depth, "\n".join(plain(line, 60) for line in box.words),
            ha="center", va="center", fontsize=font, color=ink_on(color), bbox=shape, zorder=3,
        )  # fmt: skip
    children = [place for place, box in enumerate(boxes) if box.parent == 0][:2]
    for place, word in zip(children, ("yes", "no"), strict=False):
        middle = 0.5 * (across[0] + across[place])
        ax.text(middle, -0.42, word, ha="center", fontsize=font, color=theme.ink, zorder=4,
                bbox={"fc": theme.background, "ec": "none", "pad": 1.0})  # fmt: skip
    ax.set_xlim(-0.7, leaves - 0.3)
    ax.set_ylim(-deepest - 0.6, 0.6)
    return ax


def _places(boxes: Sequence[Any]) -> list[float]:
    """Leaves side by side, parents above the middle of their children."""
    below: dict[int, list[int]] = {}
    for place, box in enumerate(boxes):
        below.setdefault(box.parent, []).append(place)
    across = [0.0] * len(boxes)
    free = 0
    for place in range(len(boxes)):  # a leaf's turn comes after all leaves to its left
        if place not in below:
            across[place], free = float(free), free + 1
    for place in reversed(range(len(boxes))):
        if place in below:
            across[place] = float(np.mean([across[child] for child in below[place]]))
    return across


def _color(theme: Any, box: Any) -> Any:
    from matplotlib import colormaps
    from matplotlib.colors import to_rgb

    if box.color is None:
        return colormaps["cividis"](box.strength)[:3]
    weight = 0.08 + 0.5 * box.strength
    paper = np.array(to_rgb(theme.background))
    return tuple(weight * np.array(to_rgb(theme.color(box.color))) + (1.0 - weight) * paper)


def plot_pruning_path(path: Any, *, ax: Axes | None = None) -> Axes:
    """Impurity and leaves of a tree that is pruned ever more.

    Parameters
    ----------
    path : PruningPath
        With ``ccp_alphas``, ``impurities`` and ``n_leaves``.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> path = SimpleNamespace(ccp_alphas=[0.0, 0.1], impurities=[0.0, 0.3], n_leaves=[2, 1])
    >>> plot_pruning_path(path).get_xlabel()
    'price of a leaf (ccp_alpha)'
    """
    ax, theme = axes_and_theme(ax)
    alphas = np.asarray(path.ccp_alphas, dtype=np.float64)
    ax.step(alphas, path.impurities, where="post", color=theme.color(0))
    shown = np.unique(np.linspace(0, len(alphas) - 1, 7).astype(int))
    for place in shown:
        ax.annotate(
            f"{int(path.n_leaves[place])}", (alphas[place], path.impurities[place]),
            xytext=(3, 4), textcoords="offset points", fontsize="x-small", color=theme.ink,
        )  # fmt: skip
    positive = alphas[alphas > 0.0]
    if len(positive) > 1 and positive[-1] > 100.0 * positive[0]:
        ax.set_xscale("symlog", linthresh=float(positive[0]))
    ax.set_xlabel("price of a leaf (ccp_alpha)")
    ax.set_ylabel("impurity of the leaves")
    ax.set_title("with the number of leaves", fontsize="small", loc="left", color=theme.ink)
    return ax
