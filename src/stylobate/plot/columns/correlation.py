"""Correlations of all pairs of columns as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.plot.shared.drawing import axes_and_theme, color_bar, name_ticks, no_frame
from stylobate.plot.shared.summaries import is_summary, summarise
from stylobate.plot.shared.themes import ink_on

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WRITTEN = 15  # columns whose numbers can still be read


def plot_correlation(
    data: Any, *, method: str = "pearson", cluster: bool = True, ax: Axes | None = None
) -> Axes:
    r"""Correlations of the columns of a table as a map, similar columns next to each other.

    Parameters
    ----------
    data : table, or CorrelationView
        Columns that hold no numbers are left out; pairs of columns are correlated over the rows
        that have both. Or what `stylobate.exploration.views.correlation_view` returned.
    method : {"pearson", "spearman"}, default="pearson"
        Of the values, or of their ranks.
    cluster : bool, default=True
        Whether columns are ordered by average linkage of the distances 1 - \|r\|; in the order of
        the table otherwise.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> ax = plot_correlation(load_diabetes().frame)
    >>> [text.get_text() for text in ax.get_yticklabels()][:3]
    ['sex', 'age', 's6']

    References
    ----------
    Bar-Joseph, Gifford & Jaakkola (2001), Fast optimal leaf ordering for hierarchical clustering,
    Bioinformatics 17, S22-S29.
    """
    view = data
    if not is_summary(data, "values", "method"):
        view = summarise(
            "correlation_view", data, method=method, cluster=cluster, owner="plot_correlation"
        )
    p = len(view.names)
    side = min(2.4 + 0.42 * p, 10.0)
    ax, theme = axes_and_theme(ax, (side + 0.8, side), grid=None)
    ax.set_facecolor(theme.grid)  # what has no correlation
    image = ax.imshow(np.ma.masked_invalid(view.values), cmap=theme.balance(), vmin=-1, vmax=1)
    if p <= _WRITTEN:
        for (i, j), value in np.ndenumerate(view.values):
            if np.isfinite(value) and i != j:
                color = ink_on(image.cmap(image.norm(value)))
                text = f"{value:.2f}".replace("0.", ".")
                ax.text(j, i, text, ha="center", va="center", fontsize="x-small", color=color)
    name_ticks(ax.xaxis, view.names)
    name_ticks(ax.yaxis, view.names)
    no_frame(ax)
    who = {"pearson": "Pearson", "spearman": "Spearman"}[view.method]
    color_bar(ax, image, f"correlation ({who})")
    return ax
