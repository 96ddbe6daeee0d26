"""ROC curves as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stylobate.plot.shared.curves import (
    draw_curves,
    draw_reference,
    frame_unit_square,
    named_curves,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_roc_curve(curves: Any, *, ax: Axes | None = None, chance: bool = True) -> Axes:
    """True positive rate against false positive rate, of one or several models.

    Parameters
    ----------
    curves : RocCurve, or mapping of str to RocCurve
        What `stylobate.metrics.roc_curve` returns, of each model under its label.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default. Further curves may be drawn on the same axes.
    chance : bool, default=True
        Whether to draw the diagonal of guessing.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.metrics import roc_curve
    >>> ax = plot_roc_curve({"a model": roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])})
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['a model (area 0.750)', 'chance']
    """
    named = named_curves(curves, ("fpr", "tpr", "auc"), "plot_roc_curve")
    lines = {label: (c.fpr, c.tpr, f"area {c.auc:.3f}") for label, c in named.items()}
    ax = draw_curves(lines, ax)
    if chance:
        draw_reference(ax, [0, 1], [0, 1], "chance")
    frame_unit_square(ax, "false positive rate", "true positive rate", legend="lower right")
    return ax
