"""Points, a principal direction and the lines that lead to it, as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidDataError
from stylobate.plot.shared.drawing import axes_and_theme, legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_residual_lines(
    X: Any,
    mean: Any,
    direction: Any,
    *,
    ax: Axes | None = None,
) -> Axes:
    r"""Rows of two columns, a line through their mean, and each row's way to its projection.

    The first principal component is the direction of the least sum of squares of these ways.

    Parameters
    ----------
    X : array-like of shape (n, 2)
        Rows.
    mean : array-like of shape (2,)
        A point of the line: ``pca.mean_``.
    direction : array-like of shape (2,)
        Its direction: ``pca.components_[0]``.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> ax = plot_residual_lines([[0.0, 1.0], [2.0, 1.0], [4.0, 4.0]], [2.0, 2.0], [1.0, 1.0])
    >>> ax.get_legend().get_texts()[-1].get_text()
    'residuals: sum of squares 1'
    """
    points = np.asarray(X, dtype=np.float64)
    center, way = (np.asarray(each, dtype=np.float64).reshape(-1) for each in (mean, direction))
    if points.ndim != 2 or points.shape[1] != 2 or len(center) != 2 or len(way) != 2:
        raise InvalidDataError(
            f"plot_residual_lines: X has shape {points.shape}; rows of two columns are needed, and "
            "a mean and a direction of two numbers."
        )
    way = way / np.linalg.norm(way)
    along = (points - center) @ way
    feet = center + along[:, None] * way
    squares = float(((points - feet) ** 2).sum())
    ax, theme = axes_and_theme(ax, (5.0, 4.6))
    reach = 1.15 * float(np.abs(along).max()) or 1.0
    ends = center + np.array([[-reach], [reach]]) * way
    ax.plot(*points.T, "o", color=theme.color(0), ms=5, label="rows", zorder=4)
    ax.plot(*ends.T, color=theme.ink, lw=1.6, label="direction", zorder=2)
    for place, (point, foot) in enumerate(zip(points, feet, strict=True)):
        label = f"residuals: sum of squares {squares:.4g}" if place == 0 else None
        ax.plot(
            *np.column_stack([point, foot]), color=theme.color(1), lw=1.0, label=label, zorder=3
        )
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_xlabel("x₁")
    ax.set_ylabel("x₂")
    legend(ax, "above", ncols=3)
    return ax
