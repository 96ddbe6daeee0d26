"""Importances of columns for a forest, with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.plot.shared.drawing import axes_and_theme, name_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROOM = 24  # names that can be read


def plot_forest_importances(found: Any, *, ax: Axes | None = None, most: int = 20) -> Axes:
    """Points with intervals, the most important column on top.

    Parameters
    ----------
    found : ForestImportances
        What ``importances()`` of a forest returns.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.
    most : int, default=20
        Columns to show.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.ensemble import RandomForestRegressor
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> forest = RandomForestRegressor(20, random_state=0).fit(X, y)
    >>> ax = plot_forest_importances(forest.importances())
    >>> ax.get_xlabel()
    'share of the decrease of impurity (95 % intervals)'
    """
    shown = found.order[: min(most, _ROOM)][::-1]
    ax, theme = axes_and_theme(ax, grid="x")
    at = np.arange(len(shown))
    low, high = found.intervals[shown].T
    ax.hlines(at, low, high, color=theme.color(0), lw=2, zorder=2)
    ax.plot(found.estimates[shown], at, "o", color=theme.color(0), ms=5, zorder=3)
    ax.axvline(0.0, color=theme.ink, lw=0.8, zorder=1)
    name_ticks(ax.yaxis, [found.names[j] for j in shown])
    words = {
        "impurity": "share of the decrease of impurity",
        "permutation": "rise of the loss of unseen rows by shuffling",
    }[found.kind]
    ax.set_xlabel(f"{words} ({100 * found.confidence:g} % intervals)")
    return ax
