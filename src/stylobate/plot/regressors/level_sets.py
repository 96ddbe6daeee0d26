"""A regressor over the plane of two features as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.plot.shared.drawing import axes_and_theme, color_bar
from stylobate.plot.shared.plane import frame_plane, plane_of
from stylobate.plot.shared.texts import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_level_sets(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    names: Sequence[str] | None = None,
    levels: int = 10,
    resolution: int = 150,
    ax: Axes | None = None,
) -> Axes:
    """What a fitted regressor predicts over the plane of its two features, with the rows.

    Rows are filled with the colour of their target, so a row that cannot be seen is fitted well.

    Parameters
    ----------
    model : fitted regressor of two features
        Of this library or any other with ``predict``.
    X : array-like or data frame of shape (n, 2)
        Rows; they set the ends of the picture.
    y : array-like of shape (n,), optional
        Their targets.
    names : two str, optional
        Of the features; those of the data frame by default.
    levels : int in [2, inf), default=10
        About how many levels.
    resolution : int in [2, inf), default=150
        Points of the grid along each axis.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import LinearRegression
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> X = X[["bmi", "s5"]]
    >>> ax = plot_level_sets(LinearRegression().fit(X, y), X, y, resolution=30)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('bmi', 's5')
    """
    owner = "plot_level_sets"
    plane = plane_of(model, X, names=names, resolution=resolution, owner=owner)
    predicted = np.asarray(model.predict(plane.rows)).ravel()
    if predicted.dtype.kind not in "fiu" or hasattr(model, "classes_"):
        raise InvalidParameterError(
            f"{owner}: {type(model).__name__} predicts classes, which have no levels; draw it with "
            "plot_decision_boundary."
        )
    heights = plane.shaped(predicted.astype(np.float64))
    targets = None if y is None else plane.kept_of(y, owner).astype(np.float64)
    ax, theme = axes_and_theme(ax, (6.0, 4.4), grid=None)
    low, high = float(heights.min()), float(heights.max())
    if targets is not None:
        low, high = min(low, float(np.nanmin(targets))), max(high, float(np.nanmax(targets)))
    span: Any = {"cmap": "cividis", "vmin": low, "vmax": high if high > low else low + 1.0}
    if heights.max() > heights.min():
        drawn: Any = ax.contourf(plane.x, plane.y, heights, levels, alpha=0.85, **span)
        lines = ax.contour(
            plane.x, plane.y, heights, levels, colors=theme.background, linewidths=0.8, alpha=0.8
        )
        ax.clabel(lines, fontsize="x-small", fmt="%.4g")
    else:  # a constant has no levels
        drawn = ax.imshow(
            heights, extent=plane.extent, origin="lower", aspect="auto", alpha=0.85, **span
        )
    across, up = plane.points.T
    if targets is not None:
        ax.scatter(across, up, c=targets, s=26, ec=theme.ink, lw=0.5, zorder=4, **span)
    else:
        ax.scatter(across, up, s=14, color=theme.ink, lw=0, zorder=4)
    frame_plane(ax, plane)
    color_bar(ax, drawn, plain(getattr(y, "name", None) or "prediction"))
    return ax
