"""The loss around a network, as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidDataError
from stylobate.plot.shared.drawing import axes_and_theme, color_bar

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_loss_surface(surface: Any, *, ax: Axes | None = None) -> Axes:
    """Level lines of the loss along two directions; the network itself is the cross.

    Levels are spaced evenly in the logarithm, so that the floor and the walls both show.

    Parameters
    ----------
    surface : LossSurface
        What `neural_network.loss_surface` returned.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.neural_network import Activation, Dense, Network, loss_surface
    >>> network = Network([Dense(3), Activation("tanh"), Dense(1)], 1)
    >>> x = np.linspace(-1.0, 1.0, 20)[:, np.newaxis]
    >>> plot_loss_surface(loss_surface(network, x, x, n_steps=7)).get_xlabel()
    'steps along the first direction'
    """
    from matplotlib.colors import LogNorm

    losses = np.asarray(surface.losses, dtype=np.float64)
    finite = losses[np.isfinite(losses)]
    if not finite.size or finite.max() <= 0.0:
        raise InvalidDataError("plot_loss_surface: the surface has no finite losses above 0.")
    high = float(finite.max())
    low = max(float(finite[finite > 0.0].min()), 1e-12 * high)
    high = high if high > low else 2.0 * low
    levels = np.geomspace(low, high, 21)
    ax, theme = axes_and_theme(ax, (5.6, 4.4), grid=None)
    shown = np.ma.masked_invalid(np.clip(losses, low, None))
    span: Any = {"norm": LogNorm(low, high)}
    drawn = ax.contourf(
        surface.steps, surface.steps, shown, levels, cmap="cividis", extend="max", **span
    )
    ax.contour(
        surface.steps, surface.steps, shown, levels[::2], colors=theme.background, linewidths=0.6,
        alpha=0.7,
    )  # fmt: skip
    ax.plot([0.0], [0.0], "+", ms=12, mew=2.0, color=theme.background)
    ax.set_xlabel("steps along the first direction")
    ax.set_ylabel("steps along the second direction")
    color_bar(ax, drawn, "loss")
    marks = [float(level) for level in levels[::4]]
    bar = drawn.colorbar
    assert bar is not None
    bar.set_ticks(marks, labels=[f"{mark:.2g}" for mark in marks])
    bar.minorticks_off()
    return ax
