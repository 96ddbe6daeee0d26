"""Scores against the values of a parameter as a picture."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.plot.bands import draw_scores
from stylobate.plot.drawing import FAINT, axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_parameter_curve(curve: Any, *, ax: Axes | None = None) -> Axes:
    """Scores of training and test parts against the values of a parameter, the best marked.

    Parameters
    ----------
    curve : ValidationCurve
        What `stylobate.model_selection.validation_curve` returned.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import Ridge
    >>> from stylobate.model_selection import validation_curve
    >>> X, y = load_diabetes(return_X_y=True)
    >>> curve = validation_curve(Ridge(), X, y, param_name="alpha", param_range=[0.01, 0.1, 1, 10])
    >>> ax = plot_parameter_curve(curve)
    >>> ax.get_xlabel(), ax.get_xscale()
    ('alpha (log scale)', 'log')
    """
    ax = axes_or_new(ax)
    at = parameter_axis(ax, curve.param_name, curve.param_range)
    draw_scores(ax, at, curve)
    best = at[curve.best_index]
    ax.axvline(best, color="black", lw=1.0, ls="--", zorder=1, label=f"best {_best(curve)}")
    if curve.current_index not in (None, curve.best_index):
        now = at[curve.current_index]
        label = f"now {curve.words_for(curve.current_index)}"
        ax.axvline(now, color=FAINT, lw=1.0, ls=":", zorder=1, label=label)
    above = (0.5, 1.0)
    ax.legend(frameon=False, fontsize="small", loc="lower center", bbox_to_anchor=above, ncols=2)
    return ax


def parameter_axis(ax: Axes, name: str, values: Any) -> Any:
    """Where to draw each value, on a log scale if values are multiples; labels the axis."""
    numeric = all(isinstance(v, Real) and not isinstance(v, bool) for v in values)
    if not numeric:
        at = np.arange(len(values))
        ax.set_xticks(at, [str(value)[:20] for value in values])
        ax.set_xlabel(name)
        return at
    at = np.array(values, dtype=np.float64)
    steps = np.diff(at)
    if len(at) > 2 and (at > 0).all() and np.ptp(np.abs(steps)) > 0.5 * np.abs(steps).max():
        ax.set_xscale("log")
        ax.set_xlabel(f"{name} (log scale)")
    else:
        ax.set_xlabel(name)
    return at


def _best(curve: Any) -> str:
    return str(curve.words_for(curve.best_index))
