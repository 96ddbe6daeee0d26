"""Losses of classifiers over the margin, as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from stylobate.plot.shared.drawing import axes_and_theme, legend
from stylobate.plot.shared.texts import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from stylobate.losses import Loss, ZeroOne

_STYLES = ("-", "--", "-.", ":")


def plot_margin_losses(
    losses: Mapping[str, Loss | ZeroOne],
    *,
    reach: tuple[float, float] = (-2.0, 3.0),
    ax: Axes | None = None,
) -> Axes:
    r"""What each loss asks of a row with the margin :math:`m = y\,(x^\top w + b)`.

    A row is on the wrong side where m < 0. The loss of a mistake itself, a step, is drawn in grey:
    the others stand in for it because they are convex.

    Parameters
    ----------
    losses : mapping of str to Loss
        Losses of y = 1 (`stylobate.losses`), under their labels.
    reach : (float, float), default=(-2.0, 3.0)
        Margins to show.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.losses import Hinge
    >>> ax = plot_margin_losses({"hinge": Hinge()}, reach=(0.0, 2.0))
    >>> float(ax.get_lines()[-1].get_ydata()[0])
    1.0
    """
    ax, theme = axes_and_theme(ax)
    margins = np.linspace(*reach, 401)
    mistake = np.where(margins < 0.0, 1.0, 0.0)
    ax.plot(margins, mistake, color=theme.soft, lw=1.2, label="a mistake", zorder=2)
    highest = 1.0
    for place, (name, loss) in enumerate(losses.items()):
        values = np.asarray(loss.value(1.0, margins), dtype=np.float64)
        highest = max(highest, float(np.quantile(values, 0.9)))
        ax.plot(
            margins,
            values,
            _STYLES[place % len(_STYLES)],
            color=theme.color(place),
            lw=1.8,
            label=plain(name),
            zorder=3,
        )
    ax.set_ylim(-0.04 * highest, 1.05 * highest)
    ax.set_xlim(*reach)
    ax.set_xlabel("margin y·(xᵀw + b)")
    ax.set_ylabel("loss")
    legend(ax)
    return ax
