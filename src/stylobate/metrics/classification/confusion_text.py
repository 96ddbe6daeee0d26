"""Confusion matrices for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from stylobate.metrics.classification.confusion_counts import ConfusionMatrix

_WIDEST = 12  # characters of a label
_MOST = 20  # classes shown


def table_of(matrix: ConfusionMatrix, rows: str = "true") -> str:
    """The counts with the classes at their sides; of very many classes the first ones.

    With rows="pred" the predicted classes go down.

    >>> from stylobate.metrics import ConfusionMatrix
    >>> print(table_of(ConfusionMatrix([[50, 3], [2, 45]], ["no", "yes"])))
             predicted
              no   yes
    true no   50     3
         yes   2    45
    """
    shown = min(len(matrix.labels), _MOST)
    names = [_short(label) for label in matrix.labels[:shown]]
    counts, down, across = matrix.counts, "true ", "predicted"
    if rows == "pred":
        counts, down, across = counts.T, "predicted ", "true"
    cells = [[_count(value) for value in row[:shown]] for row in counts[:shown]]
    side = max(map(len, names))
    width = max(3, *(len(text) for row in [names, *cells] for text in row))
    blank = " " * (len(down) + side)
    lines = [f"{blank}   {across.rjust(min(9, shown * (width + 3) - 3))}"]
    lines.append(blank + "".join(f"   {name.rjust(width)}" for name in names))
    for place, (name, row) in enumerate(zip(names, cells, strict=True)):
        start = (down if place == 0 else " " * len(down)) + name.ljust(side)
        lines.append(start + "".join(f"   {text.rjust(width)}" for text in row))
    if shown < len(matrix.labels):
        lines.append(f"… {len(matrix.labels) - shown} more classes; all counts are in .counts")
    return "\n".join(line.rstrip() for line in lines)


def report_of(matrix: ConfusionMatrix) -> str:
    """Scores of each class, their mean, and the accuracy.

    >>> from stylobate.metrics import ConfusionMatrix
    >>> print(report_of(ConfusionMatrix([[50, 3], [2, 45]], ["no", "yes"])))
             precision   recall     F1   rows
    no           0.962    0.943   0.952     53
    yes          0.938    0.957   0.947     47
    mean         0.950    0.950   0.950    100
    accuracy 0.950
    """
    columns = (matrix.precision, matrix.recall, matrix.f1)
    side = max(8, *(len(_short(label)) for label in matrix.labels))
    lines = [" " * side + " precision   recall     F1   rows"]
    names = [*matrix.labels, "mean"]
    scores = [
        *zip(*columns, strict=True),
        tuple(np.nanmean(column) if not np.isnan(column).all() else np.nan for column in columns),
    ]
    rows = [*matrix.support, matrix.support.sum()]
    for name, (precision, recall, f), count in zip(names, scores, rows, strict=True):
        text = f"{_score(precision):>10}{_score(recall):>9}{_score(f):>8}{_count(count):>7}"
        lines.append(_short(name).ljust(side) + text)
    return "\n".join([*lines, f"accuracy {_score(matrix.accuracy)}"])


def _short(label: Any) -> str:
    text = str(label)
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"


def _count(value: Any) -> str:
    return f"{value:d}" if isinstance(value, int | np.integer) else f"{value:.4g}"


def _score(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.3f}"
