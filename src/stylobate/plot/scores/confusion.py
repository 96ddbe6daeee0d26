"""Confusion matrices as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.plot.shared.drawing import axes_and_theme, name_ticks, no_frame
from stylobate.plot.shared.themes import ink_on

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WRITTEN = 25  # classes whose numbers can still be read


def plot_confusion_matrix(
    values: Any,
    labels: Sequence[Any] | None = None,
    *,
    ax: Axes | None = None,
    values_format: str | None = None,
    cmap: Any = None,
    rows: str = "true",
) -> Axes:
    """True classes down, predicted ones across (or the other way); the darker, the more rows.

    Parameters
    ----------
    values : array-like of shape (k, k), or ConfusionMatrix
        Counts or shares.
    labels : sequence of length k, optional
        The classes; those of the matrix, or 0, 1, … by default.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.
    values_format : str, optional
        Format of the numbers, such as ".1%"; by default whole numbers as they are, others with two
        decimals.
    cmap : str or matplotlib Colormap, optional
        Colours; from the background to blue by default.
    rows : {"true", "pred"}, default="true"
        What goes down; `values` are given with true classes as rows in any case.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> ax = plot_confusion_matrix([[5, 1], [2, 2]], ["no", "yes"])
    >>> [text.get_text() for text in ax.texts]
    ['5', '1', '2', '2']
    """
    names = getattr(values, "labels", None) if labels is None else labels
    cells = np.asarray(values)
    if cells.ndim != 2 or cells.shape[0] != cells.shape[1] or cells.size == 0:
        raise InvalidParameterError(
            f"plot_confusion_matrix: values has shape {cells.shape}; expected (k, k)."
        )
    if rows not in ("true", "pred"):
        raise InvalidParameterError(
            f"plot_confusion_matrix: rows must be 'true' or 'pred', got {rows!r}."
        )
    cells = cells if rows == "true" else cells.T
    names = range(len(cells)) if names is None else names
    if len(names) != len(cells):
        raise InvalidParameterError(
            f"plot_confusion_matrix: {len(names)} labels for {len(cells)} classes; give one each."
        )
    side = min(2.2 + 0.55 * len(cells), 9.0)
    ax, theme = axes_and_theme(ax, (side + 0.4, side), grid=None)
    largest = float(cells.max()) or 1.0
    colors = theme.ramp() if cmap is None else cmap
    image = ax.imshow(cells, cmap=colors, vmin=0.0, vmax=largest)
    if len(cells) <= _WRITTEN:
        _write(cells, image, values_format, ax)
    name_ticks(ax.xaxis, names)
    name_ticks(ax.yaxis, names)
    no_frame(ax)
    sides = ("predicted class", "true class")
    ax.set_xlabel(sides[rows == "pred"])
    ax.set_ylabel(sides[rows == "true"])
    return ax


def _write(cells: Any, image: Any, values_format: str | None, ax: Axes) -> None:
    style = values_format or ("d" if cells.dtype.kind in "iu" else ".2f")
    for (i, j), value in np.ndenumerate(cells):
        color = ink_on(image.cmap(image.norm(value)))
        ax.text(j, i, format(value, style), ha="center", va="center", color=color)
