"""A target by a feature, and by two, as pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.plot.shared.drawing import (
    axes_and_theme,
    color_bar,
    legend,
    name_ticks,
    no_frame,
    say,
)
from stylobate.plot.shared.summaries import is_summary, summarise
from stylobate.plot.shared.texts import plain
from stylobate.plot.shared.themes import ink_on

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from stylobate.plot.shared.themes import Theme

_WRITTEN = 150  # cells whose numbers can still be read


def plot_target(
    feature: Any,
    target: Any = None,
    *,
    data: Any = None,
    bins: int = 10,
    most: int = 12,
    level: float = 0.95,
    ax: Axes | None = None,
) -> Axes:
    r"""The target by groups of a feature: means or shares with intervals, and the rows behind them.

    An amount is drawn by its means :math:`\bar y \pm t\,s/\sqrt n`, a target of two classes by the
    share of the second with Wilson's interval, one of more classes by bars of their shares. Grey
    bars are the number of rows in each group.

    Parameters
    ----------
    feature, target : vector or column name
        Numbers or categories; or feature alone, a TargetView.
    data : table, optional
        Where column names are looked up.
    bins : int in [1, inf), default=10
        Of a feature that is an amount, with as many rows each.
    most : int in [2, inf), default=12
        Groups of another feature; rarer values are put together.
    level : float in (0, 1), default=0.95
        Of the intervals.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.datasets import load_titanic
    >>> ax = plot_target("sex", "survived", data=load_titanic().frame)
    >>> ax.get_ylabel(), ax.get_lines()[-1].get_ydata().round(2)
    ('share of survived = 1', array([0.67, 0.17]))

    References
    ----------
    Wilson (1927), Probable inference, the law of succession, and statistical inference, JASA 22.
    """
    view = feature
    if not is_summary(feature, "overall", "labels"):
        view = summarise(
            "target_view", feature, target, data=data, bins=bins, most=most, level=level,
            owner="plot_target",
        )  # fmt: skip
    ax, theme = axes_and_theme(ax, grid="y")
    if view.classes is not None and len(view.classes) > 2:
        _draw_stacks(ax, theme, view)
    else:
        _draw_means(ax, theme, view)
    name_ticks(ax.xaxis, view.labels)
    ax.tick_params(axis="x", length=0)
    ax.set_xlabel(plain(view.feature))
    return ax


def _draw_means(ax: Axes, theme: Theme, view: Any) -> None:
    place = 0 if view.classes is None else len(view.classes) - 1
    at, color = np.arange(len(view.labels)), theme.color(0)
    value, low, high = (each[:, place] for each in (view.values, view.low, view.high))
    _draw_rows(ax, theme, view)
    ax.axhline(view.overall[place], color=theme.soft, lw=1.2, ls="--", label="all rows", zorder=2)
    told = f"{100 * view.level:g} % interval"
    ax.vlines(at, low, high, color=color, lw=2.0, zorder=3, label=told, gid="intervals")
    if view.in_order:  # bins follow each other; the missing values after them do not
        known = slice(0, view.in_order)
        ax.plot(at[known], value[known], color=color, lw=1.2, alpha=0.6, zorder=3, gid="course")
    ax.plot(at, value, "o", color=color, ms=6, zorder=4, gid="values")
    _leave_room(ax, np.concatenate([low, high, value, view.overall[[place]]]), view)
    name = plain(view.target)
    words = f"share of {name} = {plain(view.classes[place])}" if view.classes else f"mean {name}"
    ax.set_ylabel(words)
    legend(ax, "above", ncols=3)


def _leave_room(ax: Axes, heights: Any, view: Any) -> None:
    """The lowest quarter of the axes for the bars of the rows; no ticks where no share can be."""
    low, high = float(np.nanmin(heights)), float(np.nanmax(heights))
    room = (high - low) or max(abs(high), 1.0)
    ax.set_ylim(low - 0.36 * room, high + 0.06 * room)
    if view.classes is not None:
        ax.set_yticks([tick for tick in ax.get_yticks() if -1e-9 <= tick <= min(1.0, high + room)])
        ax.set_ylim(low - 0.36 * room, high + 0.06 * room)


def _draw_rows(ax: Axes, theme: Theme, view: Any) -> None:
    """The number of rows as bars in the lowest fifth of the axes, with their numbers."""
    heights = view.n / max(int(view.n.max()), 1) * 0.18
    ax.bar(
        np.arange(len(view.n)), heights, 0.8, color=theme.grid, zorder=1,
        transform=ax.get_xaxis_transform(), label="rows",
    )  # fmt: skip
    if len(view.n) <= 15:
        for at, (height, count) in enumerate(zip(heights, view.n, strict=True)):
            ax.text(
                at, height, f"{count:,}", ha="center", va="bottom", fontsize="x-small",
                color=theme.soft, transform=ax.get_xaxis_transform(),
            )  # fmt: skip


def _draw_stacks(ax: Axes, theme: Theme, view: Any) -> None:
    floor = np.zeros(len(view.labels))
    for place, label in enumerate(view.classes):
        height = np.nan_to_num(view.values[:, place])
        color = theme.color(place)
        ax.bar(
            np.arange(len(height)), height, 0.8, floor, color=color, label=plain(label), zorder=2
        )
        floor = floor + height
    for at, count in enumerate(view.n if len(view.n) <= 15 else []):
        ax.text(at, 1.01, f"{count:,}", ha="center", va="bottom", fontsize="x-small",
                color=theme.soft)  # fmt: skip
    ax.set_ylim(0.0, 1.06)
    ax.set_ylabel(f"share of {plain(view.target)}")
    legend(ax, "right")


def plot_target_pair(
    first: Any,
    second: Any = None,
    target: Any = None,
    *,
    data: Any = None,
    label: Any = None,
    bins: int = 5,
    most: int = 12,
    ax: Axes | None = None,
) -> Axes:
    """The target in the cells of two features as a map: means, or shares of a class.

    Colours are set off against all rows; the small number in a cell is that of its rows.

    Parameters
    ----------
    first, second, target : vector or column name
        `first` runs down, `second` across; or first alone, a TargetCellsView.
    data : table, optional
        Where column names are looked up.
    label : value of the target, optional
        The class whose shares are drawn; the last one by default.
    bins : int in [1, inf), default=5
        Of features that are amounts.
    most : int in [2, inf), default=12
        Groups of other features.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.datasets import load_titanic
    >>> ax = plot_target_pair("sex", "class", "survived", data=load_titanic().frame)
    >>> ax.get_title(loc="left")
    'share of survived = 1, all rows: 34.3%'
    """
    view = first
    if not is_summary(first, "overall", "columns"):
        view = summarise(
            "target_cells_view", first, second, target, data=data, label=label, bins=bins,
            most=most, owner="plot_target_pair",
        )  # fmt: skip
    down, across = view.values.shape
    size = (min(2.8 + 0.85 * across, 11.0), min(1.6 + 0.6 * down, 9.0))
    ax, theme = axes_and_theme(ax, size, grid=None)
    ax.set_facecolor(theme.grid)  # empty cells
    reach = max(float(np.nanmax(np.abs(view.values - view.overall))), 1e-300)
    image = ax.imshow(
        np.ma.masked_invalid(view.values), cmap=theme.balance(), aspect="auto",
        vmin=view.overall - reach, vmax=view.overall + reach,
    )  # fmt: skip
    if view.values.size <= _WRITTEN:
        _write_cells(ax, image, view)
    name_ticks(ax.xaxis, view.columns)
    name_ticks(ax.yaxis, view.rows)
    no_frame(ax)
    ax.set_xlabel(plain(view.second))
    ax.set_ylabel(plain(view.first))
    name = plain(view.target)
    words = f"mean {name}" if view.label is None else f"share of {name} = {plain(view.label)}"
    say(ax, f"{words}, all rows: {_told(view.overall, view)}")
    seen = (float(np.nanmin(view.values)), float(np.nanmax(view.values)))
    color_bar(ax, image, words, ends=seen)
    return ax


def _write_cells(ax: Axes, image: Any, view: Any) -> None:
    for (i, j), value in np.ndenumerate(view.values):
        if np.isfinite(value):
            color = ink_on(image.cmap(image.norm(value)))
            ax.text(j, i - 0.1, _told(value, view), ha="center", va="center", color=color)
            ax.text(j, i + 0.27, f"{view.n[i, j]:,}", ha="center", va="center", color=color,
                    fontsize="x-small", alpha=0.8)  # fmt: skip


def _told(value: float, view: Any) -> str:
    return f"{value:.4g}" if view.label is None else f"{value:.1%}"
