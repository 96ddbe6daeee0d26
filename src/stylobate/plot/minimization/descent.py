"""Steps of a solver on a function of one variable, as a picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidDataError
from stylobate.plot.shared.drawing import axes_and_theme, legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_descent(
    function: Callable[[Any], Any],
    path: Any,
    *,
    parabolas: Any = None,
    reach: tuple[float, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    r"""The points of a path on the curve of a function of one variable.

    Parameters
    ----------
    function : callable
        Of an array of one number.
    path : array-like of shape (k,) or (k, 1)
        The points, in their order; the last has a star.
    parabolas : array-like of shape (m, 2), optional
        Slopes and curvatures at the first m points: at each the parabola
        :math:`f(x_t) + f'(x_t)(x - x_t) + \tfrac12 f''(x_t)(x - x_t)^2` is drawn, whose lowest
        point is where Newton's method goes next.
    reach : (float, float), optional
        Ends of the picture; what the path needs by default.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> ax = plot_descent(lambda x: x[0] ** 2, [2.0, 1.0, 0.5], parabolas=[[4.0, 2.0]])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['function', 'parabolas', '2 steps']
    """
    points = np.asarray(path, dtype=np.float64).reshape(-1)
    if not len(points) or np.ndim(path) > 2 or (np.ndim(path) == 2 and np.shape(path)[1] != 1):
        raise InvalidDataError(
            f"plot_descent: the path has shape {np.shape(path)}; it must be (k,) or (k, 1), a "
            "number after each step."
        )
    shown = points[np.isfinite(points)]
    room = 0.25 * float(np.ptp(shown)) or 1.0
    low, high = (shown.min() - room, shown.max() + room) if reach is None else reach

    def at(places: Any) -> Any:
        return np.array([float(np.squeeze(function(np.array([x])))) for x in places])

    grid = np.linspace(low, high, 401)
    ax, theme = axes_and_theme(ax)
    curve, heights = at(grid), at(points)
    ax.plot(grid, curve, color=theme.ink, lw=1.6, label="function", zorder=2)
    least, most = float(np.nanmin(curve)), float(np.nanmax(curve))
    for place, (slope, bend) in enumerate([] if parabolas is None else np.asarray(parabolas)):
        apart = grid - points[place]
        below = heights[place] + slope * apart + 0.5 * bend * apart**2
        ax.plot(
            grid, below, "--", color=theme.color(1), lw=1.1, zorder=2,
            label="parabolas" if place == 0 else None,
        )  # fmt: skip
        least = min(least, float(heights[place] - 0.5 * slope**2 / bend) if bend > 0 else least)
    steps = f"{len(points) - 1} steps"
    ax.plot(points, heights, "o-", color=theme.color(0), ms=5, lw=1.0, label=steps, zorder=4)
    ax.plot(points[-1], heights[-1], "*", color=theme.color(0), ms=13, mec="white", zorder=5)
    room = 0.06 * (most - least) or 1.0
    ax.set_xlim(low, high)
    ax.set_ylim(least - room, most + room)
    ax.set_xlabel("x")
    ax.set_ylabel("value")
    legend(ax)
    return ax
