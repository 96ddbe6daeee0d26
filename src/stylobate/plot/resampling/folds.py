"""Which rows are learnt from and which are tested on, split by split, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidDataError
from stylobate.plot.shared.drawing import axes_and_theme, legend, name_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_folds(
    splits: Any,
    n_rows: int | None = None,
    *,
    labels: Sequence[Any] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Splits as stripes: rows of training and of testing, and those that take no part.

    Parameters
    ----------
    splits : iterable of pairs (train, test)
        Row numbers, as ``cv.split(X, y)`` gives them.
    n_rows : int, optional
        Rows there are; by default up to the largest number seen.
    labels : sequence of length n_rows, optional
        Classes or groups of the rows, shown as a stripe below.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.model_selection import KFold
    >>> ax = plot_folds(KFold(4).split(range(12)))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['training', 'testing']
    """
    pairs = [tuple(np.asarray(part, dtype=np.intp) for part in pair) for pair in splits]
    if not pairs or any(len(pair) != 2 or not len(pair[1]) for pair in pairs):
        raise InvalidDataError(
            "plot_folds: splits must be pairs (train, test) of row numbers, as cv.split(X, y) "
            "gives them."
        )
    seen = 1 + max(int(part.max(initial=0)) for pair in pairs for part in pair)
    count = seen if n_rows is None else max(int(n_rows), seen)
    ax, theme = axes_and_theme(
        ax, (6.4, 1.2 + 0.34 * (len(pairs) + (labels is not None))), grid=None
    )
    for row, pair in enumerate(pairs):
        for part, color, name in zip(
            pair, (theme.color(0), theme.color(1)), ("training", "testing"), strict=True
        ):
            spans = [(start - 0.5, length) for start, length in _runs(part)]
            ax.broken_barh(
                spans, (row - 0.38, 0.76), color=color, lw=0, zorder=2, gid=name,
                alpha=0.35 if name == "training" else 0.95, label=name if row == 0 else None,
            )  # fmt: skip
    names: list[Any] = [str(1 + row) for row in range(len(pairs))]
    if labels is not None:
        _draw_labels(ax, theme, labels, count, len(pairs))
        names.append("label")
    ax.set_xlim(-0.5, count - 0.5)
    ax.set_ylim(len(names) - 0.5, -0.5)
    name_ticks(ax.yaxis, names)
    ax.set_xlabel("row")
    ax.set_ylabel("split")
    legend(ax, "above", ncols=2)
    return ax


def _runs(rows: Any) -> list[tuple[int, int]]:
    """Starts and lengths of consecutive row numbers."""
    ordered = np.unique(rows)
    if not len(ordered):
        return []
    breaks = np.flatnonzero(np.diff(ordered) > 1) + 1
    return [(int(run[0]), len(run)) for run in np.split(ordered, breaks)]


def _draw_labels(ax: Axes, theme: Any, labels: Sequence[Any], count: int, row: int) -> None:
    if len(labels) != count:
        raise InvalidDataError(f"plot_folds: {len(labels)} labels for {count} rows; give one each.")
    kinds, codes = np.unique(np.asarray(labels), return_inverse=True)
    for place in range(len(kinds)):
        spans = [(start - 0.5, length) for start, length in _runs(np.flatnonzero(codes == place))]
        ax.broken_barh(spans, (row - 0.38, 0.76), color=theme.color(2 + place % 5), lw=0, zorder=2)
