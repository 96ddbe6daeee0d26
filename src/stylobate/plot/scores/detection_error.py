"""Detection error tradeoff curves as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.plot.shared.curves import add_legend, draw_curves, named_curves

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TICKS = np.array([0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95])


def plot_det_curve(curves: Any, *, ax: Axes | None = None) -> Axes:
    """False negative rate against false positive rate, both on the scale of normal quantiles.

    On that scale scores that are normal within each class give straight lines. Rates of exactly 0
    or 1 are infinitely far away and not drawn.

    Parameters
    ----------
    curves : DetCurve, or mapping of str to DetCurve
        What `stylobate.metrics.det_curve` returns, of each model under its label.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.metrics import det_curve
    >>> ax = plot_det_curve(det_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]))
    >>> ax.get_xlabel()
    'false positive rate (normal scale)'
    """
    from scipy.special import ndtri

    named = named_curves(curves, ("fpr", "fnr", "equal_error_rate"), "plot_det_curve")
    lines = {}
    for label, curve in named.items():
        inside = (curve.fpr > 0) & (curve.fpr < 1) & (curve.fnr > 0) & (curve.fnr < 1)
        note = f"equal error rate {curve.equal_error_rate:.3f}"
        lines[label] = (ndtri(curve.fpr[inside]), ndtri(curve.fnr[inside]), note)
    ax = draw_curves(lines, ax)
    names = [f"{100 * share:g} %" for share in _TICKS]
    ax.set_xticks(ndtri(_TICKS), names, fontsize="small")
    ax.set_yticks(ndtri(_TICKS), names, fontsize="small")
    ends = ndtri(np.array([0.0005, 0.985]))
    ax.set_xlim(*ends)
    ax.set_ylim(*ends)
    for line in ax.get_lines():
        line.set_clip_on(True)
    ax.set_aspect("equal")
    ax.set_xlabel("false positive rate (normal scale)")
    ax.set_ylabel("false negative rate (normal scale)")
    add_legend(ax, "upper right")
    return ax
