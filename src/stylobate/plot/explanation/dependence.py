"""How a model depends on a column or two, as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.plot.shared.drawing import axes_and_theme, color_bar, legend, name_ticks
from stylobate.plot.shared.texts import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_CURVES = 60  # curves of rows drawn; more are a smear
_MANY = 4  # outputs drawn together


def plot_partial_dependence(
    dependence: Any,
    *,
    output: int | None = None,
    centered: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """The mean answer over the grid: a line for numbers, dots for categories, a map for two.

    Curves of single rows, where they were asked for, lie thin behind their mean.

    Parameters
    ----------
    dependence : PartialDependence
        What `stylobate.inspection.partial_dependence` returned, of one or two columns.
    output : int, optional
        Which class or output; by default all of them (at most four), of two columns the first.
    centered : bool, default=False
        Whether curves of rows begin at 0, so that their shapes can be compared.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.inspection import partial_dependence
    >>> from stylobate.linear_model import LinearRegression
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> found = partial_dependence(LinearRegression().fit(X, y), X, "bmi")
    >>> plot_partial_dependence(found).get_xlabel()
    'bmi'
    """
    count = len(dependence.grid_values)
    if count > 2:
        raise InvalidParameterError(
            f"plot_partial_dependence: {count} columns have no picture; ask for one or two of them."
        )
    if count == 2:
        return _map(dependence, output or 0, ax)
    ax, _ = axes_and_theme(ax, grid="y" if dependence.categorical[0] else "both")
    outputs = _outputs(dependence, output)
    draw = _bars if dependence.categorical[0] else _lines
    for place, number in enumerate(outputs):
        draw(ax, dependence, number, place, len(outputs), centered)
    ax.set_xlabel(plain(dependence.feature_names[0]))
    ax.set_ylabel(_answer_label(dependence, outputs))
    if len(outputs) > 1:
        legend(ax)
    return ax


def _outputs(dependence: Any, output: int | None) -> list[int]:
    if output is not None:
        return [output]
    return list(range(min(len(_means(dependence)), _MANY)))


def _means(dependence: Any) -> Any:
    return dependence.average if "average" in dependence else dependence.individual.mean(axis=1)


def _answer_label(dependence: Any, outputs: list[int]) -> str:
    name = dependence.output_names[outputs[0]]
    of = f" of {plain(name)}" if name and len(outputs) == 1 else ""
    return f"mean {dependence.scale}{of}"


def _lines(ax: Axes, dependence: Any, number: int, place: int, among: int, centered: bool) -> None:
    from stylobate.plot.shared.themes import theme_of

    theme, at = theme_of(ax), dependence.grid_values[0]
    color, mean = theme.color(place), _means(dependence)[number]
    shift = mean[0] if centered else 0.0
    if "individual" in dependence and among == 1:
        curves = dependence.individual[number]
        step = -(-len(curves) // _CURVES)
        for curve in curves[::step]:
            lower = curve[0] if centered else 0.0
            ax.plot(at, curve - lower, color=color, lw=0.6, alpha=0.25, zorder=2)
    ax.plot(
        at,
        mean - shift,
        color=color,
        lw=2.4,
        zorder=4,
        label=plain(dependence.output_names[number]),
    )


def _bars(ax: Axes, dependence: Any, number: int, place: int, among: int, centered: bool) -> None:
    from stylobate.plot.shared.themes import theme_of

    theme, labels = theme_of(ax), [str(v) for v in dependence.grid_values[0]]
    at, mean = np.arange(len(labels)), _means(dependence)[number]
    name = plain(dependence.output_names[number])
    shift = (place - 0.5 * (among - 1)) * 0.15
    if "individual" in dependence:
        low, high = np.quantile(dependence.individual[number], (0.25, 0.75), axis=0)
        ax.vlines(at + shift, low, high, color=theme.color(place), lw=2.0, alpha=0.5, zorder=2)
    ax.plot(at + shift, mean, "o", color=theme.color(place), ms=8, zorder=4, label=name)
    name_ticks(ax.xaxis, labels)
    ax.margins(x=0.15, y=0.15)


def _map(dependence: Any, number: int, ax: Axes | None) -> Axes:
    ax, theme = axes_and_theme(ax, grid=None)
    means = _means(dependence)[number]
    axes = [
        np.arange(len(values)) if categorical else np.asarray(values, dtype=np.float64)
        for values, categorical in zip(dependence.grid_values, dependence.categorical, strict=True)
    ]
    drawn = ax.pcolormesh(*axes, means.T, cmap=theme.ramp(), shading="nearest")
    if not any(dependence.categorical):
        lines = ax.contour(*axes, means.T, 6, colors=theme.ink, linewidths=0.7)
        ax.clabel(lines, fontsize="x-small")
    for axis, values, categorical in zip(
        (ax.xaxis, ax.yaxis), dependence.grid_values, dependence.categorical, strict=True
    ):
        if categorical:
            name_ticks(axis, [str(value) for value in values])
    ax.set_xlabel(plain(dependence.feature_names[0]))
    ax.set_ylabel(plain(dependence.feature_names[1]))
    color_bar(ax, drawn, _answer_label(dependence, [number]))
    return ax
