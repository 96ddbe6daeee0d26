"""What a model relies on, and why it says what it says, as pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.plot.shared.drawing import axes_and_theme, name_ticks, say
from stylobate.plot.shared.texts import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_importances(importance: Any, *, most: int = 20, ax: Axes | None = None) -> Axes:
    """A dot for the importance of each column, a line for its interval, the greatest on top.

    Parameters
    ----------
    importance : PermutationImportance
        What `stylobate.inspection.permutation_importance` returned.
    most : int in [1, inf), default=20
        Columns drawn.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.inspection import permutation_importance
    >>> from stylobate.linear_model import LinearRegression
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> found = permutation_importance(LinearRegression().fit(X, y), X, y, random_state=0)
    >>> plot_importances(found, most=3).get_xlabel()
    'fall of the R² when shuffled'
    """
    order = importance.order[:most]
    names = [importance.feature_names[k] for k in order]
    ax, theme = axes_and_theme(ax, (6.4, 1.4 + 0.3 * len(names)), grid="x")
    at = np.arange(len(names))
    mean, low, high = (
        each[order]
        for each in (
            importance.importances_mean,
            importance.importances_low,
            importance.importances_high,
        )
    )
    clear = np.nan_to_num(low, nan=0.0) > 0.0
    colors = [theme.color(0) if each else theme.faint for each in clear]
    ax.hlines(at, low, high, color=colors, lw=2.2, zorder=2)
    ax.scatter(mean, at, color=colors, s=42, zorder=3)
    ax.axvline(0.0, color=theme.soft, lw=0.9, zorder=1)
    name_ticks(ax.yaxis, names, most=40)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlabel(f"fall of the {importance.score_label} when shuffled")
    say(ax, "mean and 95% interval; grey: within noise of 0")
    return ax


def plot_explanation(why: Any, *, most: int = 12, ax: Axes | None = None) -> Axes:
    """From the mean prediction to this row's, column by column, the greatest step on top.

    Parameters
    ----------
    why : RowExplanation
        What `stylobate.inspection.explain_row` returned.
    most : int in [1, inf), default=12
        Columns drawn; the others are one step.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.inspection import explain_row
    >>> from stylobate.linear_model import LinearRegression
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> ax = plot_explanation(explain_row(LinearRegression().fit(X, y), X.iloc[0], X), most=4)
    >>> len(ax.get_yticklabels())
    5
    """
    order = why.order
    shown, rest = order[:most], order[most:]
    steps = list(why.contributions[shown])
    labels = [_held(why, k) for k in shown]
    if len(rest):
        steps.append(float(why.contributions[rest].sum()))
        labels.append(f"{len(rest)} other columns")
    ax, theme = axes_and_theme(ax, (6.4, 1.5 + 0.34 * len(steps)), grid="x")
    ends = why.base + np.cumsum(steps)
    starts = np.concatenate([[why.base], ends[:-1]])
    for place, (start, step) in enumerate(zip(starts, steps, strict=True)):
        color = theme.color(2 if step > 0 else 1)
        ax.barh(place, step, left=start, height=0.6, color=color, zorder=2)
        side = 1 if step > 0 else -1
        ax.annotate(
            f"{step:+.3g}", (start + step, place), xytext=(4 * side, 0),
            textcoords="offset points", va="center", ha="left" if step > 0 else "right",
            fontsize="small", color=theme.ink, zorder=4,
        )  # fmt: skip
    ax.axvline(why.base, color=theme.soft, lw=0.9, ls=":", zorder=1)
    ax.axvline(why.prediction, color=theme.ink, lw=0.9, zorder=1)
    name_ticks(ax.yaxis, labels, most=40)
    ax.set_ylim(len(steps) - 0.5, -0.5)
    places = np.concatenate([starts, ends])
    room = 0.12 * (places.max() - places.min() or 1.0)
    ax.set_xlim(places.min() - room, places.max() + room)
    of = "" if why.label is None else f" of {plain(str(why.label))}"
    ax.set_xlabel(f"{why.scale}{of}")
    say(ax, f"from {why.base:.4g} ({plain(why.against)}) to {why.prediction:.4g}")
    return ax


def _held(why: Any, k: int) -> str:
    value = why.values[k]
    if value is None:
        return f"{why.names[k]} missing"
    text = f"{value:.4g}" if isinstance(value, float | np.floating) else str(value)
    return f"{why.names[k]} = {text}"
