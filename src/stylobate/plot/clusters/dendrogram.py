"""A hierarchy drawn as a tree, its lower parts folded where they would be too many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidParameterError
from stylobate.plot.shared.drawing import axes_and_theme
from stylobate.plot.shared.texts import plain_all

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST = 60  # leaves that can be told apart in one picture


def plot_dendrogram(
    merges: Any,
    *,
    names: Sequence[str] | None = None,
    n_clusters: int | None = None,
    height: float | None = None,
    leaves: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The tree of a hierarchy, with the line of a cut and a colour for each cluster below it.

    Parameters
    ----------
    merges : array of shape (n − 1, 4)
        Of `cluster.linkage`.
    names : sequence of str, optional
        Of the rows; their numbers by default.
    n_clusters : int in [1, n], optional
        Cut so that there are so many clusters.
    height : float, optional
        Cut at this height instead.
    leaves : int in [2, inf), optional
        How many leaves are drawn; below them a cluster is folded into one leaf, drawn as a wedge
        with the number of its rows. By default all rows up to 60, else 40.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> merges = [[0, 1, 1.0, 2], [2, 3, 2.0, 2], [4, 5, 5.5, 4]]
    >>> ax = plot_dendrogram(merges, names=["a", "b", "c", "d"], n_clusters=2)
    >>> [text.get_text() for text in ax.get_xticklabels()]
    ['a', 'b', 'c', 'd']
    """
    tree = np.asarray(merges, dtype=np.float64)
    n = len(tree) + 1
    if leaves is not None and leaves < 2:
        raise InvalidParameterError(f"plot_dendrogram: leaves must be at least 2, got {leaves}.")
    shown = min(n, leaves or (n if n <= _MOST else 40))
    cut = _cut(tree, n_clusters, height)
    across, below, ends = _places(tree, shown)
    width = min(max(6.4, 0.22 * len(ends) + 1.5), 14.0)
    ax, theme = axes_and_theme(ax, (width, 4.4), grid="y")
    colors = _colors(tree, ends, cut)
    top = float(tree[:, 2].max()) or 1.0
    for node in below:
        _draw_merge(ax, tree, node, across, theme, colors)
    for node in ends:
        if node >= n:
            _draw_fold(ax, across[node], tree[node - n, 2], theme, colors.get(node))
    if cut is not None:
        ax.axhline(cut, color=theme.soft, lw=1.0, ls=(0, (4, 3)), zorder=1)
    texts = [_leaf_text(tree, node, names) for node in ends]
    _name_leaves(ax, texts, width)
    ax.tick_params(axis="x", length=0, labelsize="small" if len(ends) > 30 else "medium")
    ax.spines["bottom"].set_visible(False)
    ax.set_xlim(-0.7, len(ends) - 0.3)
    ax.set_ylim(0.0, 1.06 * top)
    ax.set_ylabel("height of the merge")
    if shown < n:
        ax.set_xlabel(f"{n} rows; numbers in brackets are rows of a folded cluster")
    return ax


def _name_leaves(ax: Axes, texts: list[str], width: float) -> None:
    """Names side by side where they fit, slanted where they are few, else upright."""
    shown = plain_all(texts, 24)
    if max(map(len, shown)) * len(shown) <= 9.0 * width:
        ax.set_xticks(range(len(shown)), shown)
    elif len(shown) <= 15:
        ax.set_xticks(range(len(shown)), shown, rotation=30, ha="right", rotation_mode="anchor")
    else:
        ax.set_xticks(range(len(shown)), shown, rotation=90)


def _cut(tree: NDArray[Any], n_clusters: int | None, height: float | None) -> float | None:
    """Where the line is: half way between the merge that is undone last and the one kept."""
    if n_clusters is None:
        return height
    n = len(tree) + 1
    if not 1 <= n_clusters <= n or height is not None:
        raise InvalidParameterError(
            f"plot_dendrogram: n_clusters must be in [1, {n}], without a height; got {n_clusters}."
        )
    heights = np.sort(tree[:, 2])
    above = heights[n - n_clusters] if n_clusters > 1 else 1.06 * heights[-1]
    kept = heights[n - n_clusters - 1] if n_clusters < n else 0.0
    return float(0.5 * (above + kept))


def _places(tree: NDArray[Any], shown: int) -> tuple[dict[int, float], list[int], list[int]]:
    """Where nodes stand; the merges that are drawn; the leaves and folds from left to right."""
    n = len(tree) + 1
    lowest = 2 * n - shown  # merges from this number on are drawn
    ends: list[int] = []
    below: list[int] = []
    steps = [2 * n - 2]
    while steps:
        node = steps.pop()
        if node < max(lowest, n):
            ends.append(node)
            continue
        below.append(node)
        left, right = tree[node - n, :2].astype(int)
        steps += [int(right), int(left)]
    across = {node: float(place) for place, node in enumerate(ends)}
    for node in sorted(below):
        left, right = tree[node - n, :2].astype(int)
        across[node] = 0.5 * (across[int(left)] + across[int(right)])
    return across, below, ends


def _colors(tree: NDArray[Any], ends: list[int], cut: float | None) -> dict[int, int]:
    """The number of the cluster, from left to right, of every node below the cut."""
    n = len(tree) + 1
    if cut is None:
        return {}
    parent: dict[int, int] = {}
    for k, (left, right) in enumerate(tree[:, :2].astype(int).tolist()):
        parent[left] = parent[right] = n + k
    colors: dict[int, int] = {}
    heads: dict[int, int] = {}
    for node in ends:
        chain = [node]
        while chain[-1] in parent and tree[parent[chain[-1]] - n, 2] <= cut:
            chain.append(parent[chain[-1]])
        number = heads.setdefault(chain[-1], len(heads))
        colors.update(dict.fromkeys(chain, number))
    return colors


def _draw_merge(
    ax: Axes, tree: NDArray[Any], node: int, across: dict[int, float], theme: Any,
    colors: dict[int, int],
) -> None:  # fmt: skip
    n = len(tree) + 1
    height = tree[node - n, 2]
    left, right = (int(each) for each in tree[node - n, :2])
    color = theme.color(colors[node]) if node in colors else theme.ink
    x = [across[left], across[left], across[right], across[right]]
    floor = [tree[each - n, 2] if each >= n else 0.0 for each in (left, right)]
    ax.plot(x, [floor[0], height, height, floor[1]], color=color, lw=1.3, zorder=3,
            solid_joinstyle="miter")  # fmt: skip


def _draw_fold(ax: Axes, x: float, height: float, theme: Any, number: int | None) -> None:
    color = theme.ink if number is None else theme.color(number)
    ax.fill([x - 0.32, x, x + 0.32], [0.0, height, 0.0], color=color, alpha=0.35, lw=0, zorder=2)


def _leaf_text(tree: NDArray[Any], node: int, names: Sequence[str] | None) -> str:
    n = len(tree) + 1
    if node >= n:
        return f"({int(tree[node - n, 3])})"
    return str(node) if names is None else str(names[node])
