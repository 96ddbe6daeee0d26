"""Calibration curves as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.plot.shared.curves import (
    draw_curves,
    draw_reference,
    frame_unit_square,
    named_curves,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SMALLEST, _LARGEST = 10.0, 90.0  # areas of marks, in square points


def plot_calibration_curve(
    curves: Any,
    *,
    ax: Axes | None = None,
    perfect: bool = True,
    confidence: float | None = None,
) -> Axes:
    """Observed against predicted shares, of one or several models; larger marks are more rows.

    Parameters
    ----------
    curves : CalibrationCurve, or mapping of str to CalibrationCurve
        What `stylobate.metrics.calibration_curve` returns, of each model under its label.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.
    perfect : bool, default=True
        Whether to draw the diagonal of perfect calibration.
    confidence : float in (0, 1), optional
        Of intervals of the observed shares, drawn as bars: one that crosses the diagonal gives no
        reason to doubt its bin.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.metrics import calibration_curve
    >>> curve = calibration_curve([0, 0, 1, 1, 1], [0.1, 0.3, 0.35, 0.8, 0.9], n_bins=2)
    >>> ax = plot_calibration_curve({"a model": curve})
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['a model (error 0.110)', 'perfect']
    """
    needed = ("prob_true", "prob_pred", "weight", "expected_calibration_error")
    named = named_curves(curves, needed, "plot_calibration_curve")
    lines = {
        label: (c.prob_pred, c.prob_true, f"error {c.expected_calibration_error:.3f}")
        for label, c in named.items()
    }
    ax = draw_curves(lines, ax)
    drawn = [line for line in ax.get_lines() if line.get_gid() == "curve"][-len(named) :]
    for curve, line in zip(named.values(), drawn, strict=True):
        sizes = _SMALLEST + (_LARGEST - _SMALLEST) * np.sqrt(curve.weight / curve.weight.max())
        ax.scatter(
            curve.prob_pred, curve.prob_true, sizes, color=line.get_color(), zorder=4, clip_on=False
        )
        if confidence is not None:
            low, high = curve.intervals(confidence)
            color = line.get_color()
            ax.vlines(curve.prob_pred, low, high, color, alpha=0.6, linewidth=1.5, zorder=3)
    if perfect:
        draw_reference(ax, [0, 1], [0, 1], "perfect")
    frame_unit_square(ax, "predicted probability", "share of positive rows", legend="upper left")
    return ax
