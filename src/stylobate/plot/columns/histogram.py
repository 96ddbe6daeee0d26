"""Histograms with kernel densities as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.plot.shared.drawing import axes_and_theme, legend, say
from stylobate.plot.shared.summaries import is_summary, summarise
from stylobate.plot.shared.texts import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_histogram(
    values: Any,
    *,
    by: Any = None,
    data: Any = None,
    bins: int | str | Sequence[float] | None = None,
    density: bool = True,
    bandwidth: float | None = None,
    normalize: bool = False,
    ax: Axes | None = None,
) -> Axes:
    r"""Bars of how many values lie between edges, and the smooth curve of a kernel density.

    .. math:: \hat p_h(x) = \frac{1}{Nh} \sum_i K\Big(\frac{x - x_i}h\Big)

    The curve is drawn in the scale of the bars: as counts, times N and the width of a bar.

    Parameters
    ----------
    values : vector, column name, DistributionView, or a column's summary of a profile
        Numbers, or what `stylobate.exploration.views.distribution_view` returned.
    by : vector or column name, optional
        Groups, drawn over each other.
    data : table, optional
        Where column names are looked up.
    bins : int in [1, inf), increasing numbers or str, optional
        How many bars, their ends, or a rule of `numpy.histogram_bin_edges` such as "fd"; round
        numbers by default.
    density : bool, default=True
        Whether to draw the curve.
    bandwidth : float in (0, inf), optional
        h of the curve; Silverman's rule by default.
    normalize : bool, default=False
        Whether the area of the bars is 1, as that of a density.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> ax = plot_histogram([1.0, 2.0, 2.0, 4.0], bins=[0, 2, 4])
    >>> [float(bar.get_height()) for bar in ax.patches]
    [1.0, 3.0]

    References
    ----------
    Silverman (1986), Density Estimation for Statistics and Data Analysis.
    """
    view = _drawable(values)
    if view is None:
        view = summarise(
            "distribution_view", values, by=by, data=data, bins=bins, bandwidth=bandwidth,
            density=density, owner="plot_histogram",
        )  # fmt: skip
    ax, theme = axes_and_theme(ax, grid="y")
    widths = np.diff(view.edges)
    equal = np.allclose(widths, widths[0]) and not normalize
    several = len(view.labels) > 1
    for place, (label, counts) in enumerate(zip(view.labels, view.counts, strict=True)):
        scale = 1.0 if equal else 1.0 / (max(int(counts.sum()), 1) * widths)
        color, text = theme.color(place), plain(label) if label else None
        ax.bar(
            view.edges[:-1], counts * scale, widths, align="edge", color=color, label=text,
            alpha=0.35 if several else 0.5, ec=theme.background, lw=0.6, zorder=2,
        )  # fmt: skip
        curve = view.densities[place]
        if density and curve is not None:
            total = int(counts.sum()) + (view.beyond if not several else 0)
            height = np.asarray(curve.y) * (total * widths[0] if equal else 1.0)
            ax.plot(curve.x, height, color=color, lw=2.0, zorder=3, gid="density")
    ax.set_ylim(bottom=0.0)
    ax.set_xlabel(plain(view.name))
    ax.set_ylabel("rows" if equal else "density")
    if several or view.labels[0]:
        legend(ax)
    _tell(ax, view, density)
    return ax


def _tell(ax: Axes, view: Any, density: bool) -> None:
    """What the bars do not show."""
    notes = []
    curves = [curve for curve in view.densities if curve is not None]
    if density and len(curves) == 1:
        notes.append(f"bandwidth {curves[0].bandwidth:.3g}")
    if view.beyond:
        notes.append(f"{view.beyond:,} values beyond the bars")
    if view.missing:
        notes.append(f"{view.missing:,} missing")
    if notes:
        say(ax, ", ".join([f"{view.n:,} values", *notes]))


def _drawable(values: Any) -> Any:
    """A view itself, or one of a numeric summary; None for anything else."""
    if is_summary(values, "edges", "densities"):
        return values
    summary = values.numeric if is_summary(values, "numeric") else values
    if not is_summary(summary, "histogram"):
        return None
    told = summary.histogram
    counts = np.asarray(told.counts)[None, :]
    beyond = told.below + told.above
    return SimpleNamespace(
        name=getattr(values, "name", ""), labels=("",), edges=np.asarray(told.edges),
        counts=counts, densities=(summary.density,), n=int(counts.sum()) + beyond, beyond=beyond,
        missing=getattr(values, "missing", 0),
    )  # fmt: skip
