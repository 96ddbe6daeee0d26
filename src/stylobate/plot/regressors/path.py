"""Coefficients against the penalty as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.plot.shared.drawing import axes_and_theme, checked_alphas, checked_names, legend
from stylobate.plot.shared.texts import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLORS = 7  # lines that can be told apart by their colours


def plot_path(
    alphas: Any,
    coefs: Any,
    *,
    ax: Axes | None = None,
    names: Sequence[str] | None = None,
    highlight: Sequence[int | str] | None = None,
) -> Axes:
    """Coefficients against the penalty, on a log scale: one line per column.

    Parameters
    ----------
    alphas : array-like of shape (n_alphas,)
        Penalties, all positive.
    coefs : array-like of shape (n_features, n_alphas)
        Coefficients, as `lasso_path` returns them.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.
    names : sequence of str, optional
        Names of the columns; x0, x1, … by default.
    highlight : sequence of int or str, optional
        Columns, by number or name, to draw in colour and name in the legend; the others are grey.
        By default all columns if there are at most seven, otherwise none.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import lasso_path
    >>> X, y = load_diabetes(return_X_y=True)
    >>> alphas, coefs, _ = lasso_path(X, y - y.mean(), alphas=20)
    >>> ax = plot_path(alphas, coefs, highlight=[2, 8])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['x2', 'x8', '8 other columns']
    """
    alphas = checked_alphas(alphas, "plot_path")
    lines = np.asarray(coefs, dtype=np.float64)
    if lines.ndim != 2 or lines.shape[1] != len(alphas):
        raise InvalidParameterError(
            f"plot_path: coefs has shape {lines.shape} for {len(alphas)} alphas; it must be "
            f"(n_features, {len(alphas)}), one target at a time."
        )
    labels = checked_names(names, len(lines), "plot_path")
    if highlight is None:
        highlight = range(len(lines)) if len(lines) <= _COLORS else []
    chosen = [_column(each, labels) for each in highlight]
    ax, theme = axes_and_theme(ax)
    ax.axhline(0.0, color=theme.ink, lw=0.8, zorder=1)
    others = [k for k in range(len(lines)) if k not in chosen]
    for place, k in enumerate(chosen):
        ax.plot(
            alphas, lines[k], color=theme.color(place), lw=2.0, label=plain(labels[k]), zorder=3
        )
    for k in others:
        rest = f"{len(others)} other columns" if chosen and k == others[0] else None
        ax.plot(alphas, lines[k], color=theme.faint, lw=0.8, label=rest, zorder=2)
    ax.set_xscale("log")
    ax.set_xlabel("penalty α (log scale)")
    ax.set_ylabel("coefficient")
    if chosen:
        legend(ax)
    return ax


def _column(each: int | str, labels: list[str]) -> int:
    if isinstance(each, str):
        if each in labels:
            return labels.index(each)
    elif -len(labels) <= each < len(labels):
        return int(each) % len(labels)
    raise InvalidParameterError(
        f"plot_path: highlight names the column {each!r}, which is none of the "
        f"{len(labels)} columns."
    )
