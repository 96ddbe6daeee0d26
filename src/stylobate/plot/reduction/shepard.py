"""Shepard's diagram as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.plot.shared.drawing import axes_and_theme, say

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST = 8000  # points of a picture


def plot_shepard(diagram: Any, *, ax: Axes | None = None) -> Axes:
    """Distances in a map against dissimilarities, and the increasing function nearest to them.

    A narrow band along the line is a faithful map; points far below it are pairs that the map draws
    too close together.

    Parameters
    ----------
    diagram : ShepardDiagram
        What `stylobate.manifold.shepard_diagram` returned.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    References
    ----------
    Shepard (1962), The analysis of proximities, Psychometrika 27.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.manifold import shepard_diagram
    >>> line = np.array([[0.0], [1.0], [3.0]])
    >>> plot_shepard(shepard_diagram(np.abs(line - line.T), line)).get_xlabel()
    'dissimilarity'
    """
    ax, theme = axes_and_theme(ax, (5.6, 4.6))
    every = max(1, -(-len(diagram.distances) // _MOST))
    some = slice(None, None, every)
    shade = float(np.clip(300.0 / len(diagram.distances[some]), 0.08, 0.8))
    ax.scatter(
        diagram.dissimilarities[some],
        diagram.distances[some],
        s=9,
        lw=0,
        alpha=shade,
        color=theme.color(0),
        rasterized=True,
    )
    ax.step(diagram.dissimilarities, diagram.disparities, where="mid", color=theme.color(1), lw=1.8)
    ax.set_xlim(left=0.0)
    ax.set_ylim(bottom=0.0)
    ax.set_xlabel("dissimilarity")
    ax.set_ylabel("distance in the map")
    say(
        ax,
        f"Shepard diagram: stress {diagram.stress:.3g}, rank correlation "
        f"{diagram.rank_correlation:.3g}",
    )
    return ax
