"""Scores against the number of training rows, with what more rows would bring, as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.plot.shared.bands import TEST, draw_scores
from stylobate.plot.shared.drawing import axes_and_theme, legend
from stylobate.plot.shared.themes import theme_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_learning_curve(
    curve: Any, *, extrapolate_to: float | None = None, ax: Axes | None = None
) -> Axes:
    """Scores of training and test parts against the number of training rows.

    Parameters
    ----------
    curve : LearningCurve
        What `stylobate.model_selection.learning_curve` returned.
    extrapolate_to : float, optional
        Number of rows up to which the fitted power law and its interval are drawn; the axis is
        then on a log scale.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import LinearRegression
    >>> from stylobate.model_selection import learning_curve
    >>> X, y = load_diabetes(return_X_y=True)
    >>> curve = learning_curve(LinearRegression(), X, y, train_sizes=[50, 100, 200, 350])
    >>> ax = plot_learning_curve(curve)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('training rows', 'R² (more is better)')
    """
    ax, _ = axes_and_theme(ax)
    draw_scores(ax, curve.train_sizes, curve)
    if extrapolate_to is not None:
        _draw_law(ax, curve, float(extrapolate_to))
    ax.set_xlabel("training rows" + (" (log scale)" if extrapolate_to is not None else ""))
    legend(ax, "above", ncols=2)
    return ax


def _draw_law(ax: Axes, curve: Any, farthest: float) -> None:
    """The law through the sizes (thin) and beyond them (dashed, with its interval)."""
    law, theme = curve.fit(), theme_of(ax)
    first, last = float(curve.train_sizes.min()), law.largest
    beyond = np.geomspace(last, max(farthest, last), 60)
    within = np.geomspace(first, last, 60)
    shown = curve.score.shown
    low, high = law.error_interval(beyond)
    if curve.score.perfect is not None:
        low = np.maximum(low, -curve.score.perfect)
    ax.plot(within, shown(-law.error(within)), color=theme.ink, lw=0.8, zorder=5)
    ax.plot(
        beyond,
        shown(-law.error(beyond)),
        color=theme.ink,
        lw=1.4,
        ls="--",
        label=f"power law, exponent {law.c:.2f}",
        zorder=5,
    )
    ax.fill_between(
        beyond,
        shown(-low),
        shown(-high),
        color=theme.color(TEST),
        alpha=0.12,
        lw=0,
        label="its 95% interval",
    )
    bottom, top = ax.get_ylim()
    ends = np.concatenate([shown(-low), shown(-high)])
    ends = ends[np.isfinite(ends)]
    if len(ends):
        room = 0.03 * (top - bottom)
        bottom, top = min(bottom, ends.min() - room), max(top, ends.max() + room)
    ax.set_ylim(bottom, top)
    _count_in_logs(ax)


def _count_in_logs(ax: Axes) -> None:
    """A log scale with ticks at 1, 2 and 5 times powers of ten, written out."""
    from matplotlib.ticker import LogLocator, NullLocator

    ax.set_xscale("log")
    ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.xaxis.set_minor_locator(NullLocator())
