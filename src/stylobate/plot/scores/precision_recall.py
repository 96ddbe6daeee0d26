"""Precision–recall curves as a picture."""

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


def plot_precision_recall_curve(
    curves: Any, *, ax: Axes | None = None, chance: bool = True
) -> Axes:
    """Precision against recall, of one or several models, as steps: between points there are none.

    Parameters
    ----------
    curves : PrecisionRecallCurve, or mapping of str to PrecisionRecallCurve
        What `stylobate.metrics.precision_recall_curve` returns, of each model under its label.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.
    chance : bool, default=True
        Whether to draw the precision of guessing, which is the share of positive rows.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.metrics import precision_recall_curve
    >>> ax = plot_precision_recall_curve(precision_recall_curve([0, 1], [0.2, 0.7]))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['average precision 1.000', 'chance']
    """
    needed = ("precision", "recall", "average_precision")
    named = named_curves(curves, needed, "plot_precision_recall_curve")
    lines = {
        label: (c.recall, c.precision, f"average precision {c.average_precision:.3f}")
        for label, c in named.items()
    }
    ax = draw_curves(lines, ax, steps=True)
    if chance:
        share = next(iter(named.values())).prevalence
        draw_reference(ax, [0, 1], [share, share], "chance")
    frame_unit_square(ax, "recall", "precision", legend="lower left")
    return ax
