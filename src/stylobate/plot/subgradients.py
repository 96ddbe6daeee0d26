"""A function along a line, and the planes of slopes at one of its points."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.plot.shared.drawing import axes_and_theme, legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROUNDING = 1e-9


def plot_subgradients(
    function: Callable[[Any], Any],
    x: Any,
    slopes: Any,
    *,
    direction: Any = None,
    reach: float = 1.0,
    ax: Axes | None = None,
) -> Axes:
    r"""Draw :math:`f(x + s d)` and, for each g, the plane :math:`f(x) + s\, g^\top d`.

    A subgradient's plane is nowhere above the function; a plane that is somewhere above it is
    dashed. At a corner there are many subgradients, between the slopes to both sides.

    Parameters
    ----------
    function : callable
        Of an array of n numbers.
    x : array-like of shape (n,)
        Where the planes touch the function.
    slopes : array-like of shape (k, n), or (k,) for n = 1
        The vectors g.
    direction : array-like of shape (n,), optional
        d; the first axis by default.
    reach : float in (0, inf), default=1.0
        s goes from −reach to reach.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> ax = plot_subgradients(lambda x: abs(x[0]), [0.0], [-0.5, 0.5, 1.5])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['function', 'g·d = −0.5', 'g·d = 0.5', 'g·d = 1.5: no subgradient']
    """
    owner = "plot_subgradients"
    point = np.atleast_1d(np.asarray(x, dtype=np.float64))
    vectors = np.asarray(slopes, dtype=np.float64)
    vectors = vectors.reshape(-1, 1) if point.size == 1 else np.atleast_2d(vectors)
    along = np.eye(len(point))[0] if direction is None else np.asarray(direction, dtype=np.float64)
    along = np.atleast_1d(along)
    if vectors.shape[1:] != point.shape or along.shape != point.shape or not along.any():
        raise InvalidDataError(
            f"{owner}: x has {point.size} entries, slopes the shape {np.shape(slopes)}; slopes and "
            "direction need as many, the direction not 0."
        )
    if not 0.0 < reach < np.inf:
        raise InvalidParameterError(f"{owner}: reach must be in (0, inf), got {reach!r}.")
    way = np.linspace(-reach, reach, 401)
    heights = np.array([float(np.squeeze(function(point + s * along))) for s in way])
    ax, theme = axes_and_theme(ax)
    ax.plot(way, heights, color=theme.ink, lw=1.8, label="function", zorder=3)
    here = heights[len(way) // 2]
    for place, slope in enumerate(vectors @ along):
        plane = here + slope * way
        above = np.nanmax(plane - heights) > _ROUNDING * max(1.0, float(np.nanmax(np.abs(heights))))
        ax.plot(
            way, plane, "--" if above else "-", color=theme.color(place), lw=1.3, zorder=2,
            label=f"g·d = {slope:.3g}".replace("-", "−") + (": no subgradient" if above else ""),
        )  # fmt: skip
    ax.plot(0.0, here, "o", color=theme.ink, ms=6, zorder=4)
    room = 0.08 * float(np.nanmax(heights) - np.nanmin(heights)) or 1.0
    ax.set_ylim(float(np.nanmin(heights)) - 3 * room, float(np.nanmax(heights)) + room)
    ax.set_xlim(-reach, reach)
    ax.set_xlabel("way along the direction")
    ax.set_ylabel("value")
    legend(ax)
    return ax
