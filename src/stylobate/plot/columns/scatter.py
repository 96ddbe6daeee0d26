"""Points with a regression line as a picture."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.plot.shared.drawing import axes_and_theme, legend, say
from stylobate.plot.shared.summaries import is_summary, summarise
from stylobate.plot.shared.texts import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from stylobate.plot.shared.themes import Theme


def plot_scatter(
    x: Any,
    y: Any = None,
    *,
    by: Any = None,
    data: Any = None,
    line: bool = True,
    model: Any = None,
    level: float = 0.95,
    prediction: bool = True,
    ax: Axes | None = None,
) -> Axes:
    r"""Points, the line of least squares, and bands of its mean (dark) and of new points (light).

    .. math:: \hat y(x) \pm t\, s \sqrt{\tfrac1n + \frac{(x - \bar x)^2}{S_{xx}}}, \qquad
              \hat y(x) \pm t\, s \sqrt{1 + \tfrac1n + \frac{(x - \bar x)^2}{S_{xx}}}

    Parameters
    ----------
    x, y : vector or column name
        Numbers; or x alone, a ScatterView.
    by : vector or column name, optional
        Groups, in colours of their own, each with its line and the band of its mean.
    data : table, optional
        Where column names are looked up.
    line : bool, default=True
        Whether to draw the line.
    model : fitted regressor of one column, optional
        Drawn instead of the line of all points; with bands if it has ``predict_interval``, as
        `LinearRegression` has.
    level : float in (0, 1), default=0.95
        Of the bands.
    prediction : bool, default=True
        Whether to draw the band of new points.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> ax = plot_scatter([0.0, 1.0, 2.0, 3.0], [1.0, 3.0, 5.0, 7.5])
    >>> ax.get_title(loc="left")
    'slope 2.15 (95 %: 1.78 to 2.52), R² 0.997'

    References
    ----------
    Draper & Smith (1998), Applied Regression Analysis, section 3.1.
    """
    view = x
    if not is_summary(x, "left_out"):
        if y is None:
            raise InvalidParameterError("plot_scatter: y is missing; give the column to draw up.")
        view = summarise("scatter_view", x, y, by=by, data=data, owner="plot_scatter")
    ax, theme = axes_and_theme(ax)
    groups = range(len(view.labels)) if view.labels else [0]
    faint = 0.75 if len(view.x) < 300 else max(0.15, 0.75 * (300 / len(view.x)) ** 0.5)
    for place in groups:
        rows = view.codes == place
        label = plain(view.labels[place]) if view.labels else None
        ax.plot(
            view.x[rows], view.y[rows], "o", ms=4, mew=0, alpha=faint, color=theme.color(place),
            label=label, zorder=2, gid="points",
        )  # fmt: skip
    if model is not None:
        _draw_band(ax, theme, _band_of(model, view, level), theme.ink, prediction)
    elif line:
        _draw_lines(ax, theme, view, level, prediction)
    ax.set_xlabel(plain(view.names[0]))
    ax.set_ylabel(plain(view.names[1]))
    if ax.get_legend_handles_labels()[0]:
        legend(ax, title=plain(by) if isinstance(by, str) else None)
    return ax


def _draw_lines(ax: Axes, theme: Theme, view: Any, level: float, prediction: bool) -> None:
    for place in range(max(len(view.labels), 1)):
        rows = view.codes == place
        if rows.sum() < 2 or not np.ptp(view.x[rows]) > 0:
            continue  # no line through one point, or straight up
        band = summarise("regression_band", view.x[rows], view.y[rows], level=level)
        color = theme.color(place) if view.labels else theme.color(1)
        _draw_band(ax, theme, band, color, prediction and not view.labels)
        if not view.labels and band.text:
            say(ax, band.text)


def _draw_band(ax: Axes, theme: Theme, band: Any, color: str, prediction: bool) -> None:
    drawn = [(band.confidence, 0.3, "confidence")]
    if prediction:
        drawn.append((band.prediction, 0.12, "prediction"))
    for ends, alpha, name in drawn:
        if ends is not None:
            ax.fill_between(band.x, *ends, color=color, alpha=alpha, lw=0, zorder=1, gid=name)
    ax.plot(band.x, band.mean, color=color, lw=2.0, zorder=3, gid="line")


def _band_of(model: Any, view: Any, level: float) -> Any:
    """The line and bands of a fitted model of one column."""
    grid = np.linspace(view.x.min(), view.x.max(), 100)
    rows: Any = grid[:, None]
    names = getattr(model, "feature_names_in_", None)
    if names is not None:
        import pandas as pd

        rows = pd.DataFrame({names[0]: grid})
    try:
        inner = model.predict_interval(rows, level=level, kind="confidence")
        outer = model.predict_interval(rows, level=level, kind="prediction")
    except (AttributeError, InvalidDataError):  # a penalised fit has a line and no intervals
        mean = np.asarray(model.predict(rows), dtype=np.float64).ravel()
        return SimpleNamespace(x=grid, mean=mean, confidence=None, prediction=None)
    return SimpleNamespace(
        x=grid, mean=inner.mean, confidence=(inner.lower, inner.upper),
        prediction=(outer.lower, outer.upper),
    )  # fmt: skip
