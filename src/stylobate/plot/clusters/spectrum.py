"""Eigenvalues of a graph's Laplacian and the gap that follows its clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.plot.shared.drawing import axes_and_theme, say

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_spectrum(gap: Any, *, ax: Axes | None = None) -> Axes:
    """The smallest eigenvalues in order, those before the largest gap in another colour.

    Parameters
    ----------
    gap : Eigengap
        What `stylobate.cluster.eigengap` returned, or a model's ``eigengap_``.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.cluster import eigengap
    >>> graph = np.kron(np.eye(3), np.ones((4, 4))) + 0.01
    >>> plot_spectrum(eigengap(graph, 6)).get_title(loc="left")
    'largest gap after 3 eigenvalues'
    """
    values = np.asarray(gap.eigenvalues, dtype=np.float64)
    before = gap.suggested
    ax, theme = axes_and_theme(ax, (6.4, 3.6))
    places = np.arange(1, len(values) + 1)
    ax.plot(places[before:], values[before:], "o", color=theme.color(0), ms=6)
    ax.plot(places[:before], values[:before], "o", color=theme.color(2), ms=6)
    if before < len(values):
        middle = before + 0.5
        ax.annotate(
            "",
            (middle, values[before]),
            (middle, values[before - 1]),
            arrowprops={"arrowstyle": "<->", "color": theme.ink, "lw": 1.0},
        )
        for height in (values[before - 1], values[before]):
            ax.plot([before, before + 1], [height, height], color=theme.faint, lw=0.8, zorder=1)
    ax.set_xticks(places if len(places) <= 20 else places[:: -(-len(places) // 20)])
    ax.set_xlabel("number of the eigenvalue")
    ax.set_ylabel("eigenvalue")
    say(ax, f"largest gap after {before} eigenvalue{'s' if before > 1 else ''}")
    return ax
