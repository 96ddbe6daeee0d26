"""Decisions as pictures: class densities with their regions, and a criterion over thresholds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.plot.shared.drawing import axes_and_theme, legend, say
from stylobate.plot.shared.texts import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_decision_regions_1d(
    rule: Any,
    low: float | None = None,
    high: float | None = None,
    *,
    ax: Axes | None = None,
) -> Axes:
    """The densities of the classes times their priors, and what is decided where.

    The colour below a curve is that of its class; the strip on the axis shows the decisions, with
    the boundaries between them as lines.

    Parameters
    ----------
    rule : BayesRule
        Of densities of one coordinate.
    low, high : float, optional
        Ends of the picture; where the classes are, by default.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from scipy.stats import norm
    >>> from stylobate.decision import BayesRule
    >>> ax = plot_decision_regions_1d(BayesRule({"a": norm(0, 1), "b": norm(3, 1)}))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['a', 'b']
    """
    model = rule.distribution
    if model.dimension != 1:
        raise InvalidDataError(
            f"plot_decision_regions_1d: the densities have {model.dimension} coordinates; it draws "
            "those of one."
        )
    grid = model.grid()
    joint = np.exp(model.log_joint(grid)).sum(axis=1)
    seen = grid[joint > 1e-3 * joint.max()]
    low = float(seen[0]) if low is None else float(low)
    high = float(seen[-1]) if high is None else float(high)
    if not low < high:
        raise InvalidParameterError(
            f"plot_decision_regions_1d: low={low:g} must be less than high={high:g}."
        )
    ax, theme = axes_and_theme(ax)
    points = np.linspace(low, high, 801)
    curves = np.exp(model.log_joint(points))
    colors = {label: theme.color(k % 6) for k, label in enumerate(model.classes.tolist())}
    for label, curve in zip(model.classes.tolist(), curves.T, strict=True):
        ax.fill_between(points, curve, color=colors[label], alpha=0.12, lw=0)
        ax.plot(points, curve, color=colors[label], lw=1.8, label=plain(label))
    strip = 0.05 * float(curves.max())
    for start, end, decision in rule.regions:
        a, b = max(start, low), min(end, high)
        if a < b:
            color = colors.get(decision, theme.faint)
            ax.fill_between([a, b], -strip, 0.0, color=color, alpha=0.8, lw=0)
            if decision not in colors and b - a > 0.08 * (high - low):
                ax.text(0.5 * (a + b), -0.5 * strip, plain(decision), ha="center", va="center",
                        fontsize="x-small", color=theme.ink)  # fmt: skip
    for boundary in rule.boundaries:
        if low < boundary < high:
            ax.axvline(boundary, color=theme.ink, lw=1.0, ls="--")
    ax.set_xlim(low, high)
    ax.set_ylim(bottom=-strip)
    ax.set_xlabel("x")
    ax.set_ylabel("prior × density")
    legend(ax, "above", ncols=4)
    return ax


def plot_threshold_curve(curve: Any, *, ax: Axes | None = None) -> Axes:
    """A cost or metric at every threshold of a score, with the best one marked.

    Parameters
    ----------
    curve : ThresholdCurve
        As `choose_threshold` gives it.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.decision import choose_threshold
    >>> curve = choose_threshold([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], [[0, 1], [5, 0]])
    >>> plot_threshold_curve(curve).get_ylabel()
    'cost per row'
    """
    ax, theme = axes_and_theme(ax)
    thresholds, values = curve.thresholds[::-1], curve.values[::-1]
    # the first entry, inf, stands for calling nobody positive: drawn a little beyond the last score
    spread = thresholds[-2] - thresholds[0] if len(thresholds) > 2 else 1.0
    beyond = thresholds[-2] + 0.03 * (spread if spread > 0 else 1.0)
    places = np.append(thresholds[:-1], beyond)
    what = "cost per row" if curve.criterion == "cost" else curve.criterion.replace("_", " ")
    # a threshold between two scores decides as the higher one: the step goes back from it
    ax.step(places, values, where="pre", color=theme.color(0), lw=1.8)
    chosen = beyond if np.isinf(curve.threshold) else curve.threshold
    ax.axvline(chosen, color=theme.ink, lw=1.0, ls="--", zorder=1)
    ax.plot([chosen], [curve.value], "o", color=theme.color(1), zorder=4)
    told = "nobody" if np.isinf(curve.threshold) else f"{curve.threshold:.3g}"
    say(ax, f"best {curve.value:.4g} at threshold {told}")
    ax.set_xlabel("positive if the score is at least")
    ax.set_ylabel(what)
    return ax
