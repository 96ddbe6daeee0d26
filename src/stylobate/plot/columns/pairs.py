"""A grid of all pairs of columns as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.plot.shared.drawing import panels_and_theme
from stylobate.plot.shared.summaries import is_summary, summarise
from stylobate.plot.shared.texts import plain, plain_all

if TYPE_CHECKING:
    from stylobate.plot.shared.themes import Theme


def plot_pairs(data: Any, *, by: Any = None, axes: Any = None) -> NDArray[Any]:
    """Every column of numbers against every other, with histograms on the diagonal.

    Points are below the diagonal, correlations above it. Of long tables 2,000 rows are drawn,
    always the same ones; histograms and correlations are those of all rows.

    Parameters
    ----------
    data : table, or PairsView
        Up to eight columns of amounts are drawn, others are left out; or what
        `stylobate.exploration.views.pairs_view` returned.
    by : vector or column name, optional
        Groups, in colours of their own.
    axes : array of matplotlib Axes, optional
        As many as the square of the number of columns; a new figure by default.

    Returns
    -------
    array of matplotlib Axes of shape (p, p)

    Examples
    --------
    >>> from stylobate.datasets import load_penguins
    >>> axes = plot_pairs(load_penguins().frame, by="species")
    >>> axes.shape, axes[3, 0].get_xlabel()
    ((5, 5), '')
    """
    view = data
    if not is_summary(data, "distributions"):
        view = summarise("pairs_view", data, by=by, owner="plot_pairs")
    p = len(view.names)
    side = 1.2 + 1.75 * p
    panels, theme = panels_and_theme(axes, (p, p), (side, side), "plot_pairs", grid=None)
    faint = 0.7 if len(view.values) < 300 else max(0.2, 0.7 * (300 / len(view.values)) ** 0.5)
    for i, j in np.ndindex(p, p):
        ax = panels[i, j]
        if i == j:
            _draw_histogram(ax, theme, view.distributions[i])
        elif i > j:
            _draw_points(ax, theme, view, j, i, faint)
        else:
            _write(ax, theme, view.correlations[i, j])
    _label(panels, view)
    _name_groups(panels, theme, view, by)
    return panels


def _draw_histogram(ax: Any, theme: Theme, view: Any) -> None:
    floor = np.zeros(len(view.edges) - 1)
    for place, counts in enumerate(view.counts):
        ax.bar(
            view.edges[:-1], counts, np.diff(view.edges), floor, align="edge",
            color=theme.color(place), alpha=0.75, lw=0,
        )  # fmt: skip
        floor = floor + counts
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)


def _draw_points(ax: Any, theme: Theme, view: Any, across: int, up: int, faint: float) -> None:
    for place in range(max(len(view.labels), 1)):
        rows = view.codes == place
        ax.plot(
            view.values[rows, across], view.values[rows, up], "o", ms=3, mew=0, alpha=faint,
            color=theme.color(place),
        )  # fmt: skip


def _write(ax: Any, theme: Theme, value: float) -> None:
    ax.set_axis_off()
    if np.isfinite(value):
        size = 9 + 7 * abs(value)
        ax.text(
            0.5, 0.5, f"{value:.2f}", ha="center", va="center", fontsize=size, color=theme.ink,
            transform=ax.transAxes,
        )  # fmt: skip


def _label(panels: NDArray[Any], view: Any) -> None:
    """Names along the left and lower edge; ticks there alone."""
    p = len(view.names)
    for i, j in np.ndindex(p, p):
        ax: Any = panels[i, j]
        ax.tick_params(labelsize="x-small")
        ax.locator_params(nbins=4)
        if i == j:
            ax.set_yticks([])
        if i >= j:
            ends = view.distributions[j].edges[[0, -1]]
            ax.set_xlim(*ends)
        if i > j:
            ax.set_ylim(*view.distributions[i].edges[[0, -1]])
        if i < p - 1:
            ax.tick_params(labelbottom=False)
        else:
            ax.set_xlabel(plain(view.names[j], 24), fontsize="small")
        if j > 0:
            ax.tick_params(labelleft=False)
        else:
            ax.set_ylabel(plain(view.names[i], 24), fontsize="small")


def _name_groups(panels: NDArray[Any], theme: Theme, view: Any, by: Any) -> None:
    if not view.labels:
        return
    from matplotlib.lines import Line2D

    marks = [
        Line2D([], [], marker="o", ls="", color=theme.color(k)) for k in range(len(view.labels))
    ]
    shown = panels[0, 0].figure.legend(
        marks, plain_all(view.labels), loc="outside upper center", ncols=min(len(marks), 6),
        frameon=False, fontsize="small", labelcolor=theme.ink,
        title=plain(by) if isinstance(by, str) else None,
    )  # fmt: skip
    shown.get_title().set(color=theme.ink, fontsize="small")
