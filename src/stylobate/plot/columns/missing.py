"""Missing values as pictures: where they are, and which are missing together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.plot.shared.drawing import axes_and_theme, color_bar, name_ticks, say
from stylobate.plot.shared.summaries import is_summary, summarise
from stylobate.plot.shared.texts import plain_all

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_missing(data: Any, *, ax: Axes | None = None) -> Axes:
    """A map of the table: rows down, columns across, the darker the more is missing.

    Long tables are drawn in 200 blocks of rows, by the share that is missing within each.

    Parameters
    ----------
    data : table, or MissingView
        Values spelled as missing ("", "NA", "?" …) count as such. Or what
        `stylobate.exploration.views.missing_view` returned.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> ax = plot_missing({"a": [1, None, 3], "b": [None, None, "x"]})
    >>> ax.get_title(loc="left")
    '3 of 6 values are missing, 1 of 3 rows is complete'
    """
    view = _view(data, "plot_missing")
    p = len(view.names)
    ax, theme = axes_and_theme(ax, (min(max(3.0 + 0.45 * p, 5.4), 11.0), 4.2), grid=None)
    extent = (-0.5, p - 0.5, view.n_rows, 0)
    image = ax.imshow(
        view.shares, cmap=theme.trace(theme.color(1)), vmin=0, vmax=1, aspect="auto",
        extent=extent, interpolation="nearest",
    )  # fmt: skip
    names = [f"{name} ({count / view.n_rows:.0%})" if count else name
             for name, count in zip(view.names, view.counts.tolist(), strict=True)]  # fmt: skip
    name_ticks(ax.xaxis, names, most=30)
    for place in range(1, p):
        ax.axvline(place - 0.5, color=theme.grid, lw=0.8)
    ax.set_ylabel("row")
    ax.tick_params(axis="x", length=0)
    whole, gone = view.patterns.complete_rows, int(view.counts.sum())
    say(
        ax,
        f"{gone:,} of {view.n_rows * p:,} values {'is' if gone == 1 else 'are'} missing, "
        f"{whole:,} of {view.n_rows:,} rows {'is' if whole == 1 else 'are'} complete",
    )
    if len(view.shares) < view.n_rows:
        color_bar(ax, image, "share missing")
    return ax


def plot_missing_patterns(data: Any, *, ax: Axes | None = None) -> Axes:
    """Which columns are missing together: a line for each pattern, with the rows that have it.

    Parameters
    ----------
    data : table, MissingView, or the missingness of a profile
        As of `plot_missing`; the twelve most frequent patterns are drawn.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> ax = plot_missing_patterns({"a": [1, None, 3, 4], "b": [None, None, "x", "y"]})
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['complete: 2 rows (50.0%)', '1 row (25.0%)', '1 row (25.0%)']
    """
    told = data
    if not is_summary(data, "complete_rows"):
        told = _view(data, "plot_missing_patterns").patterns
    seen = [name for pattern in told.patterns for name in pattern.columns]
    names = sorted(set(seen), key=lambda name: (-seen.count(name), name))
    shares = [pattern.share for pattern in told.patterns]
    rows = [("complete: ", told.complete_rows, ())]
    rows += [("", pattern.rows, pattern.columns) for pattern in told.patterns]
    n = round(told.patterns[0].rows / shares[0]) if shares else told.complete_rows
    size = (3.4 + 0.45 * max(len(names), 2), 1.6 + 0.32 * len(rows))
    ax, theme = axes_and_theme(ax, size, grid=None)
    across, down = np.meshgrid(np.arange(max(len(names), 1)), np.arange(len(rows)))
    gone = np.array([[name in columns for name in names] for _, _, columns in rows])
    gone = gone.reshape(len(rows), -1) if names else np.zeros((len(rows), 1), dtype=bool)
    for missing, color, size_ in ((False, theme.grid, 60), (True, theme.color(1), 90)):
        chosen = gone == missing
        ax.scatter(across[chosen], down[chosen], s=size_, marker="s", color=color, lw=0)
    labels = [
        f"{word}{count:,} {'row' if count == 1 else 'rows'} ({count / max(n, 1):.1%})"
        for word, count, _ in rows
    ]
    ax.set_yticks(np.arange(len(rows)), plain_all(labels, 60))
    name_ticks(ax.xaxis, names or ["nothing is missing"])
    ax.set_xlim(-0.6, max(len(names), 1) - 0.4)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return ax


def _view(data: Any, owner: str) -> Any:
    if is_summary(data, "shares", "patterns"):
        return data
    return summarise("missing_view", data, owner=owner)
