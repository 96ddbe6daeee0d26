"""The lines of a perceptron after its updates, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.plot.shared.drawing import axes_and_theme, legend
from stylobate.plot.shared.plane import draw_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_perceptron_updates(
    history: Any,
    X: Any,
    y: Any,
    *,
    updates: Sequence[int] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The line xᵀw + b = 0 after each update, the later the darker, and the rows that asked for it.

    Parameters
    ----------
    history : UpdateHistory
        `history_` of a fitted `Perceptron` of two features and two classes.
    X : array-like of shape (n, 2)
        The rows of the fit.
    y : array-like of shape (n,)
        Their classes.
    updates : sequence of int, optional
        Which updates to draw, from 0; the last eight by default.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.linear_model import Perceptron
    >>> X, y = [[2.0, 1.0], [1.0, 3.0], [-1.0, 2.0], [-2.0, 0.5]], [1, 1, -1, -1]
    >>> ax = plot_perceptron_updates(Perceptron(shuffle=False).fit(X, y).history_, X, y)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['-1', '1', 'after update 4 of 4', 'rows that moved it']
    """
    owner = "plot_perceptron_updates"
    points, classes = np.asarray(X, dtype=np.float64), np.unique(np.asarray(y))
    weights = getattr(history, "weights", None)
    if weights is None or weights.ndim != 2 or weights.shape[1] != 2 or points.shape[1:] != (2,):
        raise InvalidParameterError(
            f"{owner}: history must be the history_ of a Perceptron of two features and two "
            "classes, with its weights."
        )
    if not len(weights):
        raise InvalidDataError(f"{owner}: the history has no update to draw.")
    count = len(weights)
    chosen = range(max(0, count - 8), count) if updates is None else updates
    if any(not 0 <= k < count for k in chosen):
        raise InvalidParameterError(f"{owner}: updates are numbered 0 to {count - 1}.")
    ax, theme = axes_and_theme(ax, (5.2, 4.4))
    codes = np.searchsorted(classes, np.asarray(y))
    low, high = points.min(axis=0), points.max(axis=0)
    room = 0.2 * np.maximum(high - low, 1e-12)
    low, high = low - room, high + room
    draw_rows(ax, theme, points, codes, classes.tolist())
    numbers = list(chosen)
    for place, k in enumerate(numbers):
        ends = _line(weights[k], float(history.intercept[k]), low, high)
        share = (place + 1) / len(numbers)
        label = f"after update {k + 1} of {count}" if k == numbers[-1] else None
        ax.plot(*ends, color=theme.ink, alpha=0.15 + 0.85 * share**2, lw=1.4, label=label, zorder=3)
    rows = points[np.unique(history.row[numbers])]
    ax.plot(
        *rows.T, "o", ms=11, mfc="none", mec=theme.color(3), mew=1.6, zorder=5,
        label="rows that moved it",
    )  # fmt: skip
    ax.set_xlim(low[0], high[0])
    ax.set_ylim(low[1], high[1])
    ax.set_xlabel("x₁")
    ax.set_ylabel("x₂")
    legend(ax, "above", ncols=2)
    return ax


def _line(w: Any, b: float, low: Any, high: Any) -> tuple[Any, Any]:
    """Two points of w·x + b = 0 beyond the picture; nothing where w is 0."""
    length = float(np.hypot(*w))
    if length == 0.0:
        return [], []
    middle = 0.5 * (low + high)
    foot = middle - (w @ middle + b) / length**2 * w
    along = np.array([-w[1], w[0]]) / length * 2.0 * float(np.linalg.norm(high - low))
    return (foot[0] - along[0], foot[0] + along[0]), (foot[1] - along[1], foot[1] + along[1])
