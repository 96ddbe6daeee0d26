"""Gain and lift curves as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stylobate.exceptions import InvalidParameterError
from stylobate.plot.shared.curves import (
    add_legend,
    draw_curves,
    draw_reference,
    frame_unit_square,
    named_curves,
)
from stylobate.plot.shared.themes import theme_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_gain_curve(
    curves: Any, *, ax: Axes | None = None, kind: str = "gain", chance: bool = True
) -> Axes:
    """Share of positives found (or the lift) against the share of rows contacted.

    Parameters
    ----------
    curves : GainCurve, or mapping of str to GainCurve
        What `stylobate.metrics.gain_curve` returns, of each model under its label.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.
    kind : {"gain", "lift"}, default="gain"
        The share of positives found, or that share divided by the share of rows contacted.
    chance : bool, default=True
        Whether to draw guessing and, for gains, perfection.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.metrics import gain_curve
    >>> ax = plot_gain_curve(gain_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['area 0.625', 'perfect', 'chance']
    """
    named = named_curves(curves, ("contacted", "found", "lift"), "plot_gain_curve")
    if kind not in ("gain", "lift"):
        raise InvalidParameterError(f"plot_gain_curve: kind must be gain or lift, got {kind!r}.")
    if kind == "lift":
        return _draw_lift(named, ax, chance)
    lines = {label: (c.contacted, c.found, f"area {c.auc:.3f}") for label, c in named.items()}
    ax = draw_curves(lines, ax)
    if chance and not any(line.get_gid() == "reference" for line in ax.get_lines()):
        share = next(iter(named.values())).prevalence
        ax.plot(
            [0, share, 1], [0, 1, 1], color=theme_of(ax).soft, lw=0.9, label="perfect", zorder=2
        )
        draw_reference(ax, [0, 1], [0, 1], "chance")
    frame_unit_square(
        ax, "share of rows contacted", "share of positives found", legend="lower right"
    )
    return ax


def _draw_lift(named: dict[str, Any], ax: Axes | None, chance: bool) -> Axes:
    lines = {label: (c.contacted[1:], c.lift[1:], "") for label, c in named.items()}
    ax = draw_curves(lines, ax)
    if chance:
        draw_reference(ax, [0, 1], [1, 1], "chance")
    ax.set_xlim(0.0, 1.0)
    ax.set_ylim(bottom=0.0)
    ax.set_xlabel("share of rows contacted")
    ax.set_ylabel("lift")
    if any(named) or chance:
        add_legend(ax)
    return ax
