"""Configurations laid upon each other, and whether they agree by chance, as pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.plot.shared.drawing import axes_and_theme, say

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_procrustes(result: Any, *, ax: Axes | None = None) -> Axes:
    """Both configurations in their first two columns, a line from each point to its counterpart.

    Long lines are points that moved; short ones everywhere are two maps of one thing.

    Parameters
    ----------
    result : Procrustes
        What `stylobate.manifold.procrustes` returned.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.manifold import procrustes
    >>> a = [[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]]
    >>> b = [[0.1, 0.0], [2.0, 0.1], [0.0, 4.0]]
    >>> plot_procrustes(procrustes(a, b)).get_aspect()
    1.0
    """
    from matplotlib.collections import LineCollection

    ax, theme = axes_and_theme(ax, (5.6, 5.2))
    moved, target = (_plane(points) for points in (result.aligned, result.target))
    lines = LineCollection(list(np.stack([moved, target], axis=1)), colors=theme.faint, lw=1.0)
    ax.add_collection(lines)
    ax.scatter(target[:, 0], target[:, 1], s=22, color=theme.color(0), label="target", zorder=2)
    ax.scatter(
        moved[:, 0],
        moved[:, 1],
        s=22,
        facecolors="none",
        edgecolors=theme.color(1),
        label="moved",
        zorder=3,
    )
    ax.set_aspect("equal", adjustable="datalim")
    ax.autoscale_view()
    ax.legend()
    scale = f", scale {result.scale:.3g}" if result.scale != 1.0 else ""
    say(ax, f"Procrustes: disparity {result.disparity:.3g}{scale}")
    return ax


def plot_procrustes_test(result: Any, *, ax: Axes | None = None) -> Axes:
    """Disparities of random pairings as a histogram, the one found as a line.

    Parameters
    ----------
    result : ProcrustesTest
        What `stylobate.manifold.procrustes_test` returned.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.manifold import procrustes_test
    >>> a = [[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [3.0, 1.0]]
    >>> found = procrustes_test(a, a, n_permutations=20, random_state=0)
    >>> plot_procrustes_test(found).get_xlabel()
    'disparity'
    """
    ax, theme = axes_and_theme(ax, (6.0, 3.6), grid="y")
    bins = int(np.clip(np.sqrt(len(result.permuted)), 8, 40))
    ax.hist(result.permuted, bins=bins, color=theme.color(0), label="random pairings")
    ax.axvline(result.disparity, color=theme.color(1), lw=2.0, label="as given")
    ax.set_xlabel("disparity")
    ax.set_ylabel("permutations")
    ax.legend()
    say(ax, f"Procrustes correlation {result.correlation:.3f}, p = {result.p_value:.3g}")
    return ax


def _plane(points: Any) -> Any:
    """Two columns: the first two, or the only one and zeros."""
    return (
        points[:, :2] if points.shape[1] > 1 else np.column_stack([points, np.zeros(len(points))])
    )
