"""A function along a segment, and its chord."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.plot.shared.drawing import axes_and_theme, legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_chord(
    function: Callable[[Any], float], x: Any, z: Any, t: float = 0.5, *, ax: Axes | None = None
) -> Axes:
    r"""Draw :math:`f((1-s)x + sz)` for s from −0.25 to 1.25, its chord, and the gap at s = t.

    Parameters
    ----------
    function : callable
        f; values that are not finite are left out.
    x, z : array (n,)
        Ends of the chord.
    t : float in [0, 1], default=0.5
        Where to show how far the function is above or below its chord.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> ax = plot_chord(lambda x: -abs(x[0]), [-1.0], [1.0])
    >>> [float(v) for v in ax.get_lines()[1].get_ydata()]
    [-1.0, -1.0]
    """
    ax, theme = axes_and_theme(ax)
    start, end = (np.atleast_1d(np.asarray(v, dtype=np.float64)) for v in (x, z))

    def at(s: float) -> float:
        value = float(function((1.0 - s) * start + s * end))
        return value if np.isfinite(value) else np.nan

    shares = np.linspace(-0.25, 1.25, 301)
    ax.plot(shares, [at(s) for s in shares], color=theme.color(0), label="function")
    left, right, middle = at(0.0), at(1.0), at(t)
    ax.plot([0.0, 1.0], [left, right], color=theme.color(1), marker="o", label="chord")
    on_chord = (1.0 - t) * left + t * right
    ax.plot([t, t], [on_chord, middle], color=theme.soft, ls=":", marker="o", label="between them")
    ax.set_xlabel("way along the chord")
    ax.set_ylabel("value")
    legend(ax)
    return ax
