"""Two maps of the rows of a table as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.plot.shared.drawing import color_bar, legend, panels_and_theme, say
from stylobate.plot.shared.texts import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from stylobate.plot.shared.themes import Theme

_GROUPS = 8  # that have a colour of their own


def plot_row_map(row_map: Any, *, color: str | None = None, axes: Any = None) -> NDArray[Any]:
    """Both maps side by side, coloured by a column, with the share of neighbours each keeps.

    Parameters
    ----------
    row_map : RowMap
        What `stylobate.map_rows` returned.
    color : str, optional
        A column of the table; the map's own by default.
    axes : two matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    array of two matplotlib Axes

    Examples
    --------
    >>> from stylobate import map_rows
    >>> left, right = plot_row_map(map_rows("iris", target="species", method="pca"))
    >>> left.get_xlabel(), [text.get_text() for text in right.get_legend().get_texts()]
    ('component 1', ['setosa', 'versicolor', 'virginica'])
    """
    cells = _column(row_map, color or row_map.color)
    panels, theme = panels_and_theme(axes, (1, 2), (10.4, 4.6), "plot_row_map")
    for at, (ax, plane) in enumerate(zip(panels.flat, row_map.maps, strict=True)):
        n = len(plane.points)
        style = {
            "s": 14.0 if n < 2000 else 4.0, "linewidths": 0.0,
            "alpha": 0.8 if n < 2000 else 0.45, "rasterized": n > 5000,
        }  # fmt: skip
        _draw(ax, theme, plane.points, cells, style, last=at == 1)
        _write_names(ax, theme, plane.points, _column(row_map, row_map.names))
        ax.set_aspect("equal", adjustable="datalim")
        ax.set_xlabel(plane.axes[0])
        ax.set_ylabel(plane.axes[1])
        if not plane.axes[0]:
            ax.set_xticks([])
            ax.set_yticks([])
        say(ax, f"{plane.name}: {plane.neighbors_kept:.0%} of neighbours kept")
    return np.ravel(panels)


def _column(row_map: Any, name: str | None) -> Any:
    if name is None:
        return None
    for cells in row_map.cells:
        if cells.column.name == name:
            return cells
    raise InvalidParameterError(f"plot_row_map: color names no column {name!r}.")


def _write_names(ax: Axes, theme: Theme, points: Any, names: Any) -> None:
    """Names beside the points, where the map has some."""
    if names is None:
        return
    for point, code in zip(points, names.codes, strict=True):
        ax.annotate(
            plain(str(names.values[code])), point, (4.0, 0.0), textcoords="offset points",
            fontsize=7.0, color=theme.ink, va="center", annotation_clip=True,
        )  # fmt: skip


def _draw(
    ax: Axes, theme: Theme, points: Any, cells: Any, style: dict[str, Any], *, last: bool
) -> None:
    if cells is None:
        ax.scatter(*points.T, color=theme.color(0), **style)
        return
    if cells.is_numeric and cells.column.kind not in ("nominal", "binary"):
        values = cells.numbers()
        known = np.isfinite(values)
        ends = np.percentile(values[known], [1.0, 99.0]) if known.any() else (0.0, 1.0)
        ax.scatter(*points[~known].T, color=theme.faint, **style)
        drawn = ax.scatter(
            points[known, 0], points[known, 1], c=values[known], cmap=theme.ramp(), vmin=ends[0],
            vmax=ends[1], **style,
        )  # fmt: skip
        if last:
            color_bar(ax, drawn, plain(cells.column.name))
        return
    common = np.argsort(-cells.counts, kind="stable")[:_GROUPS]
    rest = ~np.isin(cells.codes, common)
    if rest.any():
        ax.scatter(*points[rest].T, color=theme.faint, label="other or missing", **style)
    for place, code in enumerate(sorted(common.tolist())):
        rows = cells.codes == code
        ax.scatter(
            *points[rows].T, color=theme.color(place), label=plain(str(cells.values[code])), **style
        )
    if last:
        legend(ax, title=plain(cells.column.name))
