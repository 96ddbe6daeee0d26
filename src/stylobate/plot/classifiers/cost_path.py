"""Support vectors and margins along the costs of a machine as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.plot.shared.drawing import axes_and_theme, legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_cost_path(path: Any, *, ax: Axes | None = None) -> Axes:
    """Shares of support vectors and the width of the margin against the cost, on a log scale.

    Parameters
    ----------
    path : SVCPath
        What `stylobate.svm.svc_path` returns. Of several pairs of classes the mean is drawn.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.svm import svc_path
    >>> path = svc_path([[0.0], [1.0], [2.0], [4.0]], [0, 0, 1, 1], [0.1, 1.0], kernel="linear")
    >>> plot_cost_path(path).get_xlabel()
    'cost C (log scale)'
    """
    if not hasattr(path, "Cs") or not hasattr(path, "margins"):
        raise InvalidParameterError(
            f"plot_cost_path: path must be what svc_path returns, got {type(path).__name__}."
        )
    ax, theme = axes_and_theme(ax)
    rows = path.coefs.shape[2]
    width = np.asarray(path.margins).mean(axis=1)
    lines = {
        "support vectors, of all rows": np.asarray(path.n_support).sum(axis=1) / rows,
        "at their bound": np.asarray(path.n_bound).mean(axis=1) / rows,
        "margin, of its widest": width / width.max(),
    }
    for place, (label, values) in enumerate(lines.items()):
        ax.plot(path.Cs, values, "o-", color=theme.color(place), lw=1.8, ms=4, label=label)
    ax.set_xscale("log")
    ax.set_ylim(-0.03, 1.05)
    ax.set_xlabel("cost C (log scale)")
    ax.set_ylabel("share")
    legend(ax)
    return ax
