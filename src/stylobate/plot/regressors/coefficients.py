"""Coefficients of several models, side by side, as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.plot.shared.drawing import (
    MANY_NAMES,
    axes_and_theme,
    checked_names,
    legend,
    name_ticks,
)
from stylobate.plot.shared.texts import plain, plain_all

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_coefficients(
    coefs: Mapping[str, Any],
    *,
    truth: Any = None,
    names: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Coefficients as bars, one group per column and one colour per model.

    Parameters
    ----------
    coefs : mapping of str to array-like of shape (n_features,)
        Coefficients of each model, under its label.
    truth : array-like of shape (n_features,), optional
        Coefficients the data were made with, drawn as black marks.
    names : sequence of str, optional
        Names of the columns; x0, x1, … by default.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import Lasso, LinearRegression
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> models = {"least squares": LinearRegression(), "lasso": Lasso(0.1)}
    >>> coefs = {name: model.fit(X, y).coef_ for name, model in models.items()}
    >>> ax = plot_coefficients(coefs, names=list(X.columns))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['least squares', 'lasso']
    """
    heights = {name: np.asarray(each, dtype=np.float64) for name, each in coefs.items()}
    if truth is not None:
        heights["truth"] = np.asarray(truth, dtype=np.float64)
    shapes = {each.shape for each in heights.values()}
    if not coefs or len(shapes) != 1 or len(next(iter(shapes))) != 1:
        raise InvalidParameterError(
            f"plot_coefficients: the coefficients have the shapes {sorted(shapes)}; each model "
            "(and truth) must have one coefficient per column, as many as the others."
        )
    count = len(next(iter(heights.values())))
    labels = checked_names(names, count, "plot_coefficients")
    ax, theme = axes_and_theme(ax, grid="y")
    at, width = np.arange(count), 0.8 / len(coefs)
    for place, name in enumerate(coefs):
        left = at + (place - 0.5 * (len(coefs) - 1)) * width
        ax.bar(left, heights[name], width, color=theme.color(place), label=plain(name), zorder=2)
    if truth is not None:
        ax.plot(at, heights["truth"], "_", color=theme.ink, ms=5, label="truth", zorder=3)
    ax.axhline(0.0, color=theme.ink, lw=0.8, zorder=1)
    if count <= MANY_NAMES:
        name_ticks(ax.xaxis, labels)
    else:
        ax.set_xticks(at[:: -(-count // 5)], plain_all(labels[:: -(-count // 5)]))
        ax.set_xlabel("column")
    ax.set_ylabel("coefficient")
    legend(ax)
    return ax
