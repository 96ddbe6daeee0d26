"""How many neighbours, and how far apart rows are, as pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.plot.shared.drawing import axes_and_theme, legend, say

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_neighbors_curve(curve: Any, *, ax: Axes | None = None) -> Axes:
    """Leave-one-out scores against the number of neighbours, the best and the smoothest marked.

    Few neighbours follow the noise, many of them blur the signal.

    Parameters
    ----------
    curve : NeighborsCurve
        What `stylobate.neighbors.leave_one_out_curve` returned.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.datasets import load_iris
    >>> from stylobate.neighbors import KNeighborsClassifier, leave_one_out_curve
    >>> X, y = load_iris(return_X_y=True)
    >>> ax = plot_neighbors_curve(leave_one_out_curve(KNeighborsClassifier(), X, y))
    >>> ax.get_ylabel(), ax.get_legend().get_texts()[1].get_text()
    ('accuracy (higher is better)', 'best: 21')
    """
    if not all(hasattr(curve, name) for name in ("n_neighbors", "standard_errors", "smoothest")):
        raise InvalidParameterError(
            f"plot_neighbors_curve: {type(curve).__name__} has no scores of numbers of neighbours; "
            "pass what leave_one_out_curve returned."
        )
    ax, theme = axes_and_theme(ax)
    errors = curve.scoring.startswith("negative ")
    scores = -curve.scores if errors else curve.scores
    k, off, color = curve.n_neighbors, curve.standard_errors, theme.color(0)
    ax.fill_between(k, scores - off, scores + off, color=color, alpha=0.15, lw=0, zorder=2)
    style = "o-" if len(k) <= 40 else "-"
    ax.plot(k, scores, style, color=color, lw=1.8, ms=4, zorder=4, label="± standard error")
    marks = [("best", curve.best, "--")]
    if curve.smoothest != curve.best:
        marks.append(("smoothest within one standard error", curve.smoothest, ":"))
    for label, at, dashes in marks:
        ax.axvline(at, color=theme.ink, ls=dashes, lw=1.1, zorder=3, label=f"{label}: {at}")
    ax.set_xlim(0.0, float(k[-1]) + 1.0)
    ax.set_xlabel("neighbours")
    name = curve.scoring.removeprefix("negative ")
    ax.set_ylabel(f"{name} ({'lower' if errors else 'higher'} is better)")
    legend(ax, "above", ncols=3)
    return ax


def plot_distances(report: Any, *, ax: Axes | None = None) -> Axes:
    """How far apart two rows are, as shares of the mean: one narrow heap, and none is near.

    Parameters
    ----------
    report : DimensionalityReport
        What `stylobate.exploration.dimensionality` returned.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.exploration import dimensionality
    >>> wide = dimensionality(np.random.default_rng(0).normal(size=(100, 300)))
    >>> ax = plot_distances(wide)
    >>> ax.get_title(loc="left")
    '300 columns: distances vary by 4.0% of their mean'
    """
    if not all(hasattr(report, name) for name in ("distance_edges", "distance_shares")):
        raise InvalidParameterError(
            f"plot_distances: {type(report).__name__} has no distances; pass what dimensionality "
            "returned."
        )
    ax, theme = axes_and_theme(ax, (6.4, 3.4))
    edges = np.asarray(report.distance_edges)
    heights = np.asarray(report.distance_shares) / np.diff(edges)
    ax.stairs(heights, edges, fill=True, color=theme.color(0), alpha=0.35, zorder=2)
    ax.stairs(heights, edges, color=theme.color(0), lw=1.4, zorder=3)
    for label, at, dashes in (
        ("nearest", report.nearest, "--"),
        ("farthest", report.farthest, ":"),
    ):
        name = f"{label} row, median: {at:.2f}"
        ax.axvline(at, color=theme.ink, ls=dashes, lw=1.1, zorder=4, label=name)
    ax.set_xlim(0.0, max(2.0, 1.03 * float(edges[-1])))
    ax.set_ylim(bottom=0.0)
    ax.set_xlabel("distance between two rows / mean distance")
    ax.set_ylabel("density of pairs")
    say(ax, f"{report.columns} columns: distances vary by {report.variation:.1%} of their mean")
    legend(ax, "upper right")
    return ax
