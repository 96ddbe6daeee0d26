"""Counts of values as a picture."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.plot.shared.drawing import axes_and_theme, name_ticks
from stylobate.plot.shared.summaries import is_summary, summarise
from stylobate.plot.shared.texts import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_UPRIGHT = 6  # bars that stand; more of them lie, so that their names can be read


def plot_bars(
    values: Any,
    *,
    data: Any = None,
    normalize: bool = False,
    missing: bool = True,
    order: str = "count",
    most: int = 20,
    ax: Axes | None = None,
) -> Axes:
    """A bar for every value: how many rows have it, or which share of them (the mass function).

    Parameters
    ----------
    values : vector, column name, BarsView, or a column's summary of a profile
        Of anything, or what `stylobate.exploration.views.bars_view` returned.
    data : table, optional
        Where column names are looked up.
    normalize : bool, default=False
        Whether to draw shares, which sum to 1, instead of counts.
    missing : bool, default=True
        Whether rows without a value have a bar, in grey, and count among the rows.
    order : {"count", "value"}, default="count"
        The most frequent first, or in the order of the values.
    most : int in [1, inf), default=20
        Bars of values; rarer ones are drawn as one, in grey.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> ax = plot_bars(["male", "female", None, "male"], normalize=True)
    >>> [float(bar.get_height()) for bar in ax.patches]
    [0.5, 0.25, 0.25]
    """
    view = _drawable(values)
    if view is None:
        view = summarise("bars_view", values, data=data, order=order, most=most, owner="plot_bars")
    labels, heights = list(view.labels), [int(count) for count in view.counts]
    shown = len(labels)
    if view.others:
        labels.append(f"{view.other_values:,} others" if view.other_values else "others")
        heights.append(view.others)
    if missing and view.missing:
        labels.append("missing")
        heights.append(view.missing)
    total = sum(heights)
    sizes = np.array(heights, dtype=np.float64) / (total if normalize and total else 1)
    upright = len(labels) <= _UPRIGHT
    size = (1.8 + 0.8 * max(len(labels), 3), 3.6) if upright else (6.4, 1.0 + 0.3 * len(labels))
    ax, theme = axes_and_theme(ax, size, grid="y" if upright else "x")
    colors = [theme.color(0)] * shown + [theme.faint] * (len(labels) - shown)
    told = [f"{size:.1%}" if normalize else f"{size:,.0f}" for size in sizes]
    ends, axis = (ax.yaxis, ax.xaxis) if upright else (ax.xaxis, ax.yaxis)
    draw = ax.bar if upright else ax.barh
    bars = draw(np.arange(len(labels)), sizes, 0.7, color=colors, zorder=2)
    ax.bar_label(bars, told, padding=2, fontsize="small", color=theme.ink)
    if not upright:
        ax.invert_yaxis()
    axis.set_tick_params(length=0)
    name_ticks(axis, labels)
    ends.set_label_text("share of rows" if normalize else "rows")
    axis.set_label_text(plain(view.name))
    if upright:
        ax.margins(y=0.1)
    else:
        ax.margins(x=0.1)
    return ax


def _drawable(values: Any) -> Any:
    """A view itself, or one of a profile's variable or its counts; None for anything else."""
    if is_summary(values, "other_values"):
        return values
    told = values.counts if is_summary(values, "counts", "kind") else values
    if not is_summary(told, "values", "others"):
        return None
    return SimpleNamespace(
        name=getattr(values, "name", ""), labels=[each.value for each in told.values],
        counts=[each.count for each in told.values], others=told.others, other_values=0,
        missing=getattr(values, "missing", 0),
    )  # fmt: skip
