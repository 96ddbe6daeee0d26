"""Clusters by density, as pictures: reachability in order, and the condensed tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.plot.shared.drawing import axes_and_theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from stylobate.plot.shared.themes import Theme


def draw_reachability(reach: NDArray[Any], labels: NDArray[Any], ax: Axes | None = None) -> Axes:
    """Reachabilities in the order of OPTICS, each cluster in its colour: clusters are valleys.

    Parameters
    ----------
    reach : array of shape (n,)
        In order; infinite ones are drawn as high as the picture.
    labels : array of shape (n,)
        Of the same rows, -1 for noise.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> draw_reachability(np.array([np.inf, 1.0, 2.0]), np.array([0, 0, -1])).get_ylabel()
    'reachability distance'
    """
    ax, theme = axes_and_theme(ax, (7.2, 3.6), grid="y")
    finite = reach[np.isfinite(reach)]
    top = 1.05 * float(finite.max()) if finite.size and finite.max() > 0 else 1.0
    heights = np.where(np.isfinite(reach), reach, top)
    places = np.arange(len(reach))
    colours = _colours(theme, labels)
    for label in np.unique(labels):
        shown = np.where(labels == label, heights, 0.0)
        ax.fill_between(places, shown, step="mid", color=colours[label], lw=0, zorder=2)
    ax.set_ylim(0.0, top)
    ax.set_xlim(-0.5, len(reach) - 0.5)
    ax.set_xlabel("rows in the order they are reached")
    ax.set_ylabel("reachability distance")
    clusters = len(np.unique(labels[labels >= 0]))
    noise = float(np.mean(labels < 0)) if len(labels) else 0.0
    ax.set_title(f"{clusters} clusters; grey: {noise:.0%} of the rows in none", loc="left")
    return ax


def draw_condensed_tree(tree: Any, ax: Axes | None = None) -> Axes:
    """The condensed tree: a cluster is as wide as it has rows; density rises downwards.

    Parameters
    ----------
    tree : CondensedTree
        Of a fitted `HDBSCAN`.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.cluster import HDBSCAN
    >>> x = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> tree = HDBSCAN(min_cluster_size=3, min_samples=2).fit(x).condensed_tree_
    >>> draw_condensed_tree(tree).get_ylabel()
    'density λ = 1 / distance'
    """
    ax, theme = axes_and_theme(ax, (7.2, 4.6), grid="y")
    places = _places(tree)
    births, deaths = _finite(tree.births), _finite(tree.deaths)
    colours = _colours(theme, np.arange(len(tree.selected)))
    label = {int(cluster): k for k, cluster in enumerate(tree.selected)}
    inside = _inside(tree, label)
    for cluster, place in enumerate(places):
        own = inside[cluster]
        colour = theme.faint if own < 0 else colours[own]
        levels, widths = _widths(tree, cluster, births[cluster], deaths[cluster])
        ax.fill_betweenx(
            levels, place - widths / 2, place + widths / 2, step="pre", color=colour, lw=0, zorder=2
        )
        chosen = label.get(tree.root + cluster)
        if chosen is not None:
            ax.annotate(
                str(chosen),
                (place, births[cluster]),
                (0, -5),
                textcoords="offset points",
                ha="center",
                va="top",
                color=theme.background,
                fontweight="bold",
                zorder=4,
            )
    _join(ax, tree, places, births, theme)
    ax.invert_yaxis()
    ax.set_ylim(top=0.0)
    ax.margins(y=0.08)
    ax.set_ylabel("density λ = 1 / distance")
    ax.set_xticks([])
    ax.set_title(
        f"{len(tree.selected)} clusters selected of {len(tree.clusters)}; widths are rows",
        loc="left",
    )
    return ax


def _colours(theme: Theme, labels: NDArray[Any]) -> dict[int, Any]:
    """Of each label; noise is faint."""
    return {int(k): theme.faint if k < 0 else theme.color(int(k)) for k in np.unique(labels)}


def _finite(values: NDArray[Any]) -> NDArray[Any]:
    """Infinite densities, of equal rows, a little beyond the finite ones."""
    known = values[np.isfinite(values)]
    most = float(known.max()) if known.size and known.max() > 0 else 1.0
    return np.where(np.isfinite(values), values, 1.1 * most)


def _places(tree: Any) -> NDArray[Any]:
    """The middle of each cluster: side by side with room for itself and all within it."""
    parents, sizes = (tree.parents_of_clusters - tree.root).tolist(), tree.sizes.tolist()
    parts: list[list[int]] = [[] for _ in sizes]
    for cluster in range(1, len(sizes)):
        parts[parents[cluster]].append(cluster)
    gap, room = 0.03 * sizes[0], [float(size) for size in sizes]
    inner = [0.0] * len(sizes)
    for cluster in range(len(sizes) - 1, -1, -1):
        within = parts[cluster]
        inner[cluster] = sum(room[each] for each in within) + gap * max(len(within) - 1, 0)
        room[cluster] = max(room[cluster], inner[cluster])
    places = np.zeros(len(sizes))
    for cluster, within in enumerate(parts):
        left = places[cluster] - inner[cluster] / 2
        for each in within:
            places[each] = left + room[each] / 2
            left += room[each] + gap
    return places


def _widths(
    tree: Any, cluster: int, birth: float, death: float
) -> tuple[NDArray[Any], NDArray[Any]]:
    """How many rows a cluster has, as density rises."""
    own = tree.parent == tree.root + cluster
    order = np.argsort(tree.lambda_val[own], kind="stable")
    levels = np.minimum(tree.lambda_val[own][order], death)
    left = float(tree.sizes[cluster]) - np.concatenate(
        [[0], np.cumsum(tree.child_size[own][order])]
    )
    keep = np.unique(np.linspace(0, len(levels) - 1, min(len(levels), 400)).astype(int))
    return np.concatenate([[birth], levels[keep]]), left[np.concatenate([[0], keep])]


def _inside(tree: Any, label: dict[int, int]) -> list[int]:
    """The label each cluster belongs to, -1 for none."""
    parents = tree.parents_of_clusters - tree.root
    inside = [label.get(tree.root, -1)]
    for cluster in range(1, len(parents)):
        own = label.get(tree.root + cluster, -1)
        inside.append(own if own >= 0 else inside[parents[cluster]])
    return inside


def _join(ax: Axes, tree: Any, places: NDArray[Any], births: NDArray[Any], theme: Theme) -> None:
    """A line from where a cluster ends to where its parts begin."""
    parents = tree.parents_of_clusters - tree.root
    for cluster in range(1, len(parents)):
        ends = [places[parents[cluster]], places[cluster]]
        ax.plot(ends, [births[cluster]] * 2, color=theme.soft, lw=0.8, zorder=3)
