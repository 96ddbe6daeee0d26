"""Clusterings side by side: their silhouettes, and how far they agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.plot.shared.drawing import axes_and_theme, color_bar, name_ticks, no_frame, say
from stylobate.plot.shared.themes import ink_on

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WRITTEN = 15  # clusterings whose numbers can still be read


def plot_clusterings(comparison: Any, *, ax: Axes | None = None) -> Axes:
    """The mean silhouette of each clustering with its interval, the highest on top.

    Parameters
    ----------
    comparison : ClusteringComparison
        What `stylobate.metrics.compare_clusterings` returned.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.metrics import compare_clusterings
    >>> X = [[0.0], [0.5], [1.0], [4.0], [4.5], [5.0]]
    >>> labelings = {"halves": [0, 0, 0, 1, 1, 1], "ends": [0, 1, 1, 1, 1, 0]}
    >>> ax = plot_clusterings(compare_clusterings(X, labelings))
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['halves', 'ends']
    """
    order = comparison.order
    ax, theme = axes_and_theme(ax, (6.4, 1.6 + 0.4 * len(order)), grid="x")
    for place, which in enumerate(order):
        interval = comparison.intervals["silhouette"][which]
        color = theme.color(2 if place == 0 else 0)
        if np.isfinite(interval.low):
            ax.plot(list(interval), [place, place], color=color, lw=2.2, zorder=2)
        ax.plot([interval.estimate], [place], "o", color=color, ms=7, zorder=3)
    name_ticks(ax.yaxis, [comparison.names[which] for which in order], most=40)
    ax.set_ylim(len(order) - 0.5, -0.5)
    ax.set_xlabel("mean silhouette (more is better)")
    level = f"{100 * comparison.intervals['silhouette'][0].confidence:.4g}%"
    say(ax, f"mean silhouette and its {level} interval")
    return ax


def plot_agreement(comparison: Any, *, ax: Axes | None = None) -> Axes:
    """The adjusted Rand index of every pair of clusterings as a map: 1 the same, 0 chance.

    Parameters
    ----------
    comparison : ClusteringComparison
        What `stylobate.metrics.compare_clusterings` returned.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.metrics import compare_clusterings
    >>> X = [[0.0], [0.5], [1.0], [4.0], [4.5], [5.0]]
    >>> labelings = {"halves": [0, 0, 0, 1, 1, 1], "ends": [0, 1, 1, 1, 1, 0]}
    >>> ax = plot_agreement(compare_clusterings(X, labelings))
    >>> [text.get_text() for text in ax.get_xticklabels()]
    ['halves', 'ends']
    """
    values, names = comparison.agreement, comparison.names
    side = min(2.6 + 0.5 * len(names), 9.0)
    ax, theme = axes_and_theme(ax, (side + 1.0, side), grid=None)
    drawn = ax.imshow(values, cmap=theme.ramp(), vmin=min(0.0, float(values.min())), vmax=1.0)
    if len(names) <= _WRITTEN:
        for i, j in np.ndindex(*values.shape):
            ink = ink_on(drawn.cmap(drawn.norm(values[i, j])))
            ax.text(
                j, i, f"{values[i, j]:.2f}", ha="center", va="center", color=ink, fontsize="x-small"
            )
    name_ticks(ax.xaxis, names)
    name_ticks(ax.yaxis, names)
    no_frame(ax)
    color_bar(ax, drawn, "adjusted Rand index")
    return ax
