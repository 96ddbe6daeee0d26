"""Boxes of columns as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.plot.shared.drawing import axes_and_theme, name_ticks, say
from stylobate.plot.shared.summaries import is_summary, summarise
from stylobate.plot.shared.texts import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from stylobate.plot.shared.themes import Theme

_WIDTH = 0.5
_MOST_POINTS = 400  # outliers drawn of a box


def plot_box(
    values: Any,
    *,
    by: Any = None,
    data: Any = None,
    rule: str = "box",
    reach: float = 1.5,
    percentiles: Sequence[float] = (3.0, 97.0),
    ax: Axes | None = None,
) -> Axes:
    r"""Boxes from the first to the third quartile with the median, whiskers, and outliers as dots.

    Whiskers end at the last values within :math:`Q_1 - r\,(Q_3 - Q_1)` and
    :math:`Q_3 + r\,(Q_3 - Q_1)`, or within two percentiles.

    Parameters
    ----------
    values : vector, column name, mapping of labels to vectors, table, or BoxView
        Numbers; of a table, every column of numbers. Or one or several boxes as
        `stylobate.exploration.views.box_views` gives them.
    by : vector or column name, optional
        Groups, a box each.
    data : table, optional
        Where column names are looked up.
    rule : {"box", "percentile"}, default="box"
        Which values are outliers.
    reach : float in (0, inf), default=1.5
        r of the box rule.
    percentiles : pair of float in [0, 100], default=(3, 97)
        Ends of the percentile rule.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> ax = plot_box({"a": [1, 2, 3, 4, 50], "b": [2, 3, 3, 4]})
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['a', 'b']

    References
    ----------
    Tukey (1977), Exploratory Data Analysis.
    """
    boxes = [values] if is_summary(values, "quartiles") else values
    if not (isinstance(boxes, list) and boxes and is_summary(boxes[0], "quartiles")):
        boxes = summarise(
            "box_views", values, by=by, data=data, rule=rule, reach=reach,
            percentiles=percentiles, owner="plot_box",
        )  # fmt: skip
    ax, theme = axes_and_theme(ax, (6.4, 1.3 + 0.5 * len(boxes)), grid="x")
    for place, box in enumerate(boxes):
        _draw(ax, theme, box, place)
    single = len(boxes) == 1 and by is None
    name_ticks(ax.yaxis, [""] if single else [box.label for box in boxes])
    ax.set_ylim(len(boxes) - 0.5, -0.5)
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel(plain(_label(boxes, values, by)))
    outside = sum(len(box.outliers) for box in boxes)
    say(ax, f"{outside:,} of {sum(box.n for box in boxes):,} values lie {boxes[0].rule}")
    return ax


def _label(boxes: Any, values: Any, by: Any) -> str:
    if by is not None:
        return values if isinstance(values, str) else str(getattr(values, "name", None) or "")
    return str(boxes[0].label) if len(boxes) == 1 else ""


def _draw(ax: Axes, theme: Theme, box: Any, place: int) -> None:
    from matplotlib.patches import Rectangle

    color = theme.color(0)
    first, median, third = box.quartiles
    low, high = box.whiskers
    # a percentile may lie within the box: its whisker then has no length
    for start, end in ((min(low, first), first), (third, max(high, third))):
        ax.plot([start, end], [place, place], color=color, lw=1.4, zorder=2, gid="whisker")
    corner = (first, place - _WIDTH / 2)
    patch = Rectangle(corner, third - first, _WIDTH, fc=color, ec=color, alpha=0.35, zorder=3)
    ax.add_patch(patch)
    ends = [place - _WIDTH / 2, place + _WIDTH / 2]
    ax.plot([median, median], ends, color=theme.ink, lw=2.2, zorder=4, gid="median")
    points = box.outliers
    if len(points) > _MOST_POINTS:
        points = points[np.linspace(0, len(points) - 1, _MOST_POINTS).astype(int)]
    ax.plot(
        points, np.full(len(points), float(place)), "o", mfc="none", mec=theme.color(1), ms=4.5,
        mew=1.1, zorder=4, gid="outliers",
    )  # fmt: skip
