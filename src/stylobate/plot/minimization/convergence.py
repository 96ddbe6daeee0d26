"""The course of iterative solvers as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.plot.shared.drawing import axes_and_theme, legend
from stylobate.plot.shared.texts import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from stylobate.optimize.trace import Trace

_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_SPACING = 0.06  # between two marks on a line, as a share of the picture's diagonal


def plot_convergence(
    traces: Mapping[str, Trace],
    *,
    optimum: float | None = None,
    every: int = 1,
    rates: Mapping[str, Any] | None = None,
    ax: Axes | None = None,
) -> Axes:
    r"""How far from the optimum each iteration was, :math:`(f_k - f^*) / |f^*|` (f* = 0: absolute).

    Parameters
    ----------
    traces : mapping of str to Trace
        What each solver did (`trace_` of a fitted model), under its label.
    optimum : float, optional
        The optimal value f*, in the scale of the traces; by default the lowest value of all traces,
        whose own entry (a distance of 0) is not drawn.
    every : int in [1, inf), default=1
        Iterations from one entry of a trace to the next; 10 for the study solvers of `Lasso`, which
        look at the objective that often.
    rates : mapping of str to Rate, optional
        What theory promises of some of them (`Solution.rate`): a dashed line from the first entry.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.optimize.trace import Trace
    >>> slow = Trace(objective=[4.0, 3.0, 2.5, 2.25])
    >>> ax = plot_convergence({"halving": slow}, optimum=2.0)
    >>> ax.get_lines()[0].get_ydata()
    array([1.   , 0.5  , 0.25 , 0.125])
    """
    empty = [name for name, trace in traces.items() if trace is None or not len(trace)]
    if empty or not traces:
        raise InvalidParameterError(
            f"plot_convergence: no iterations to draw for {empty or 'an empty mapping'}; pass "
            "traces with entries (solvers that are compiled as a whole keep none)."
        )
    lowest = min(min(trace.objective) for trace in traces.values()) if optimum is None else optimum
    ax, theme = axes_and_theme(ax)
    for place, (name, trace) in enumerate(traces.items()):
        away = (np.array(trace.objective) - lowest) / (abs(lowest) or 1.0)
        iteration = every * np.arange(1, len(away) + 1)
        color, marker = theme.color(place), _MARKERS[place % len(_MARKERS)]
        drawn = away > 0.0
        (line,) = ax.plot(iteration[drawn], away[drawn], color=color, lw=1.8, label=plain(name))
        line.set(marker=marker, markersize=4.5, markevery=_SPACING)
        rate = (rates or {}).get(name)
        if rate is not None and drawn.any():
            first = float(away[drawn][0])
            bound = rate.bound(iteration - 1, first)
            seen = bound >= float(away[drawn].min()) * 0.1
            words = plain(f"theory: {rate.words}")
            ax.plot(iteration[seen], bound[seen], "--", color=color, lw=1.1, label=words)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlabel("iteration")
    ax.set_ylabel(f"{'relative ' if lowest else ''}distance from the optimum")
    legend(ax)
    return ax
