"""Residuals and influence of rows as pictures of several panels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.plot.shared.drawing import legend, panels_and_theme, say
from stylobate.plot.shared.summaries import is_summary, summarise

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from stylobate.plot.shared.themes import Theme

_NAMED = 3  # rows whose numbers are written


def plot_residuals(model: Any, X: Any = None, y: Any = None, *, axes: Any = None) -> NDArray[Any]:
    r"""Four pictures of the residuals of a fit, with the rows that stand out named.

    Residuals against fitted values (a bend says that the line misses a shape), a normal Q-Q plot
    (points off the line: heavy tails or skewness), √|standardised residual| against fitted values
    (a slope: the spread changes), and standardised residuals against leverages, with lines of
    Cook's distance :math:`D = r^2 h / (p\,(1 - h))`. Models without leverages show observed against
    fitted values instead of the last.

    Parameters
    ----------
    model : fitted regressor, Influence, or ResidualView
        Of this library or any other; `LinearRegression` knows leverages.
    X, y : the data, for a model
        Usually the rows it was fitted on.
    axes : array of four matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    array of matplotlib Axes of shape (2, 2)

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import LinearRegression
    >>> X, y = load_diabetes(return_X_y=True)
    >>> axes = plot_residuals(LinearRegression().fit(X, y), X, y)
    >>> [ax.get_title(loc="left") for ax in axes.flat]
    ['residuals', 'normal Q–Q', 'spread', 'leverage']

    References
    ----------
    Cook & Weisberg (1982), Residuals and Influence in Regression; Cleveland (1993), Visualizing
    Data.
    """
    view = _view(model, X, y)
    panels, theme = panels_and_theme(axes, (2, 2), (8.4, 6.8), "plot_residuals")
    named = view.worst(_NAMED)
    _draw_residuals(panels[0, 0], theme, view, named)
    _draw_quantiles(panels[0, 1], theme, view, named)
    _draw_spread(panels[1, 0], theme, view, named)
    if view.leverage is not None:
        _draw_leverage(panels[1, 1], theme, view, named)
    else:
        _draw_fit(panels[1, 1], theme, view, named)
    return panels


def plot_influence(model: Any, X: Any = None, y: Any = None, *, axes: Any = None) -> NDArray[Any]:
    r"""How much each row moves a least-squares fit: Cook's distances, and where they come from.

    Left, the distance of each row with the mark 4/n; right, studentised residuals against leverages
    with marks at ±2 and at 2p/n, the areas of the points being the distances.

    Parameters
    ----------
    model : fitted LinearRegression, or Influence
        The model needs X and y, the rows it was fitted on.
    X, y : the data, for a model
        As given to ``fit``.
    axes : array of two matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    array of two matplotlib Axes

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import LinearRegression
    >>> X, y = load_diabetes(return_X_y=True)
    >>> axes = plot_influence(LinearRegression().fit(X, y), X, y)
    >>> axes[0].get_ylabel()
    "Cook's distance"

    References
    ----------
    Belsley, Kuh & Welsch (1980), Regression Diagnostics.
    """
    told = model if is_summary(model, "cooks_distance", "externally_studentized") else None
    if told is None:
        _require_data(model, X, y, "plot_influence")
        if not hasattr(model, "influence"):
            raise InvalidParameterError(
                f"plot_influence: {type(model).__name__} does not know the influence of its rows; "
                "pass a fitted stylobate LinearRegression, or draw plot_residuals."
            )
        told = model.influence(X, y)
    panels, theme = panels_and_theme(axes, (1, 2), (9.0, 3.9), "plot_influence")
    distance = np.nan_to_num(told.cooks_distance)
    worst = [int(k) for k in np.argsort(-distance, kind="stable")[:_NAMED] if distance[k] > 0]
    left, right = panels[0]
    rows = np.arange(len(distance))
    left.vlines(rows, 0.0, distance, color=theme.color(0), lw=1.0, gid="distances")
    left.axhline(4.0 / len(distance), color=theme.soft, lw=1.2, ls="--", label="4/n")
    left.set_ylim(bottom=0.0)
    left.set_xlabel("row")
    left.set_ylabel("Cook's distance")
    areas = 8.0 + 300.0 * distance / max(float(distance.max()), 1e-300)
    right.scatter(
        told.leverage, told.externally_studentized, areas, color=theme.color(0), alpha=0.55,
        ec=theme.background, lw=0.5, zorder=3,
    )  # fmt: skip
    for height in (-2.0, 2.0):
        right.axhline(height, color=theme.soft, lw=1.2, ls="--")
    right.axvline(2.0 * told.fit.rank / len(distance), color=theme.soft, lw=1.2, ls="--")
    right.set_xlabel("leverage")
    right.set_ylabel("studentised residual")
    _name(left, theme, rows, distance, worst)
    _name(right, theme, told.leverage, told.externally_studentized, worst)
    say(left, "rows above the line (4/n) move the fit most")
    say(right, "area: Cook's distance")
    return np.asarray(panels[0])


def _view(model: Any, X: Any, y: Any) -> Any:
    if is_summary(model, "standardized", "quantiles"):
        return model
    if is_summary(model, "cooks_distance", "externally_studentized"):
        return summarise("residual_view", model)
    _require_data(model, X, y, "plot_residuals")
    if hasattr(model, "influence"):
        try:
            return summarise("residual_view", model.influence(X, y))
        except InvalidDataError:
            pass  # a penalised fit has residuals, but no leverages of this kind
    return summarise("residual_view_of", y, model.predict(X))


def _require_data(model: Any, X: Any, y: Any, owner: str) -> None:
    if not hasattr(model, "predict"):
        raise InvalidParameterError(
            f"{owner}: {type(model).__name__} is neither a fitted model nor its influence."
        )
    if X is None or y is None:
        raise InvalidParameterError(f"{owner}: residuals need the rows; give X and y too.")


def _draw_residuals(ax: Axes, theme: Theme, view: Any, named: list[int]) -> None:
    _dots(ax, theme, view.fitted, view.residuals)
    ax.axhline(0.0, color=theme.soft, lw=1.0, ls="--", zorder=2)
    _trend(ax, theme, view.trend)
    _name(ax, theme, view.fitted, view.residuals, named)
    ax.set_xlabel("fitted value")
    ax.set_ylabel("residual")
    say(ax, "residuals")


def _draw_quantiles(ax: Axes, theme: Theme, view: Any, named: list[int]) -> None:
    _dots(ax, theme, view.quantiles, view.standardized)
    known = np.isfinite(view.quantiles)
    if known.any():
        ends = np.array([view.quantiles[known].min(), view.quantiles[known].max()])
        ax.plot(ends, ends, color=theme.color(1), lw=1.6, zorder=2, gid="diagonal")
    _name(ax, theme, view.quantiles, view.standardized, named)
    ax.set_xlabel("normal quantile")
    ax.set_ylabel("standardised residual")
    say(ax, "normal Q–Q")


def _draw_spread(ax: Axes, theme: Theme, view: Any, named: list[int]) -> None:
    root = np.sqrt(np.abs(view.standardized))
    _dots(ax, theme, view.fitted, root)
    _trend(ax, theme, view.scale_trend)
    _name(ax, theme, view.fitted, root, named)
    ax.set_ylim(bottom=0.0)
    ax.set_xlabel("fitted value")
    ax.set_ylabel("√|standardised residual|")
    say(ax, "spread")


def _draw_leverage(ax: Axes, theme: Theme, view: Any, named: list[int]) -> None:
    _dots(ax, theme, view.leverage, view.standardized)
    ax.axhline(0.0, color=theme.soft, lw=1.0, ls="--", zorder=2)
    _name(ax, theme, view.leverage, view.standardized, named)
    right = 1.08 * float(np.nanmax(view.leverage))
    finite = view.standardized[np.isfinite(view.standardized)]
    reach = 1.15 * float(np.abs(finite).max(initial=2.0))
    h = np.linspace(1e-4 * right, min(right, 1.0 - 1e-9), 200)
    for distance, name, line in _cook_lines(len(view.fitted)):
        r = np.sqrt(distance * view.rank * (1.0 - h) / h)
        for sign in (1.0, -1.0) if r.min() < reach else ():
            label = f"Cook's distance {name}" if sign > 0 else None
            ax.plot(h, sign * r, color=theme.color(1), lw=1.2, ls=line, label=label, gid="cook")
    ax.set_xlim(0.0, right)
    ax.set_ylim(-reach, reach)
    if ax.get_legend_handles_labels()[0]:
        legend(ax, "upper right", fontsize="x-small")
    ax.set_xlabel("leverage")
    ax.set_ylabel("standardised residual")
    say(ax, "leverage")


def _cook_lines(n: int) -> list[tuple[float, str, str]]:
    """Distances whose lines are drawn: the mark 4/n, and those of rows that change everything."""
    return [(4.0 / n, "4/n", ":"), (0.5, "0.5", "--"), (1.0, "1", "-")]


def _draw_fit(ax: Axes, theme: Theme, view: Any, named: list[int]) -> None:
    observed = view.fitted + view.residuals
    _dots(ax, theme, view.fitted, observed)
    ends = [min(view.fitted.min(), observed.min()), max(view.fitted.max(), observed.max())]
    ax.plot(ends, ends, color=theme.color(1), lw=1.6, zorder=2, gid="diagonal")
    _name(ax, theme, view.fitted, observed, named)
    ax.set_xlabel("fitted value")
    ax.set_ylabel("observed value")
    say(ax, "observed and fitted")


def _dots(ax: Axes, theme: Theme, x: Any, y: Any) -> None:
    faint = 0.7 if len(x) < 300 else max(0.15, 0.7 * (300 / len(x)) ** 0.5)
    ax.plot(x, y, "o", ms=4, mew=0, alpha=faint, color=theme.color(0), zorder=3, gid="rows")


def _trend(ax: Axes, theme: Theme, line: Any) -> None:
    if line is not None:
        ax.plot(*line, color=theme.color(1), lw=1.8, zorder=4, gid="trend")


def _name(ax: Axes, theme: Theme, x: Any, y: Any, rows: list[int]) -> None:
    for row in rows:
        if np.isfinite(x[row]) and np.isfinite(y[row]):
            ax.annotate(
                str(row), (x[row], y[row]), xytext=(4, 3), textcoords="offset points",
                fontsize="x-small", color=theme.ink, zorder=5,
            )  # fmt: skip
