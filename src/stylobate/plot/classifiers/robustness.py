"""Accuracy under adversaries as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stylobate.plot.shared.drawing import axes_and_theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_robustness(curve: Any, *, ax: Axes | None = None) -> Axes:
    """Accuracy against the change that adversaries may make, with its intervals.

    Parameters
    ----------
    curve : RobustnessCurve
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.neural_network import Activation, Dense, Network, robustness_curve
    >>> model = Network([Dense(1), Activation("sigmoid")], 1).with_parameters([1.0, 0.0])
    >>> ax = plot_robustness(robustness_curve(model, [[-1.0], [1.0]], [0, 1], [0.0, 2.0]))
    >>> ax.get_ylabel()
    'accuracy'
    """
    ax, theme = axes_and_theme(ax, (5.2, 3.4))
    color = theme.palette[0]
    ax.fill_between(curve.epsilons, curve.lower, curve.upper, color=color, alpha=0.18, lw=0)
    ax.plot(curve.epsilons, curve.accuracies, color=color, marker="o", ms=4, lw=1.6)
    ax.set_ylim(-0.02, 1.02)
    ax.set_xlabel("ε, largest change of a pixel")
    ax.set_ylabel("accuracy")
    ax.set_title(
        f"{curve.attack}, {curve.n_rows} rows, {100 * curve.confidence:g} % intervals", fontsize=9
    )
    return ax
