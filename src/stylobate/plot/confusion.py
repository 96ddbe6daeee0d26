"""Confusion matrices as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.plot.drawing import axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WRITTEN = 25  # classes whose numbers can still be read
_DARK = 0.55  # of the largest value, from where on numbers are white


def plot_confusion_matrix(
    values: Any,
    labels: Sequence[Any] | None = None,
    *,
    ax: Axes | None = None,
    values_format: str | None = None,
    cmap: Any = "Blues",
) -> Axes:
    """True classes down, predicted ones across; the darker, the more rows.

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
    cmap : str or matplotlib Colormap, default="Blues"
        Colours.

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
    names = range(len(cells)) if names is None else names
    if len(names) != len(cells):
        raise InvalidParameterError(
            f"plot_confusion_matrix: {len(names)} labels for {len(cells)} classes; give one each."
        )
    side = min(2.2 + 0.55 * len(cells), 9.0)
    ax = axes_or_new(ax, size=(side + 0.4, side))
    largest = float(cells.max()) or 1.0
    ax.imshow(cells, cmap=cmap, vmin=0.0, vmax=largest)
    if len(cells) <= _WRITTEN:
        _write(cells, largest, values_format, ax)
    texts = [str(name) for name in names]
    crowded = max(map(len, texts)) > 4
    ax.set_xticks(
        np.arange(len(cells)),
        texts,
        rotation=45 if crowded else 0,
        ha="right" if crowded else "center",
    )
    ax.set_yticks(np.arange(len(cells)), texts)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_xlabel("predicted class")
    ax.set_ylabel("true class")
    return ax


def _write(cells: Any, largest: float, values_format: str | None, ax: Axes) -> None:
    style = values_format or ("d" if cells.dtype.kind in "iu" else ".2f")
    for (i, j), value in np.ndenumerate(cells):
        color = "white" if value > _DARK * largest else "black"
        ax.text(j, i, format(value, style), ha="center", va="center", color=color)
