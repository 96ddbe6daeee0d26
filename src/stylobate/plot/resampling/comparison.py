"""Models side by side: scores of the splits, mean and interval, as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.plot.shared.drawing import axes_and_theme, legend, name_ticks, say

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLORS = {  # places in the palette
    "best": 2,
    "reference": 0,
    "better": 2,
    "within noise": 0,
    "worse": 1,
}


def plot_comparison(comparison: Any, *, ax: Axes | None = None) -> Axes:
    """The scores of each model: a dot for each split, the mean and its confidence interval.

    Models are sorted, the best on top; colours say what the tests say of the difference.

    Parameters
    ----------
    comparison : Comparison
        What `stylobate.model_selection.compare` returned.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import LinearRegression, Ridge
    >>> from stylobate.model_selection import compare
    >>> X, y = load_diabetes(return_X_y=True)
    >>> ax = plot_comparison(compare([LinearRegression(), Ridge(10.0)], X, y, cv=10))
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['LinearRegression', 'Ridge']
    """
    names = comparison.names
    ax, theme = axes_and_theme(ax, (6.4, 1.6 + 0.45 * len(names)), grid="x")
    shown: set[str] = set()
    for place, name in enumerate(names):
        verdict = comparison.verdict(name)
        color = theme.color(_COLORS[verdict]) if verdict in _COLORS else theme.faint
        scores = comparison.score.shown(comparison.scores[name])
        mean, low, high = comparison.score.shown(np.array(comparison.interval(name)))
        # dots in the order of the splits, a little apart, so that equal ones can be counted
        spread = np.linspace(-0.22, 0.22, len(scores)) if len(scores) > 1 else np.zeros(1)
        ax.plot(scores, place + spread, ".", color=color, alpha=0.35, ms=6, zorder=2)
        if np.isfinite(low):
            ax.plot([low, high], [place, place], color=color, lw=2.2, zorder=3)
        label = None if verdict in shown else verdict
        ax.plot([mean], [place], "o", color=color, ms=7, label=label, zorder=4)
        shown.add(verdict)
    ax.axvline(
        float(comparison.score.shown(comparison.interval(comparison.reference)[0])),
        color=theme.faint,
        lw=0.8,
        zorder=1,
    )
    name_ticks(ax.yaxis, names, most=40)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlabel(f"{comparison.score.label} ({comparison.score.better})")
    level = f"{100 * comparison.confidence:.4g}%"
    say(ax, f"mean, {level} interval and the {comparison.n_splits} splits")
    legend(ax, "right")
    return ax
