"""Numbers and tables of learning and validation curves as text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.inference.summary.text import table

if TYPE_CHECKING:
    from stylobate.model_selection.validation.score_names import ScoreName


def shown_at(value: float, width: float) -> str:
    """A number with as many decimals as two digits of half a width take.

    >>> shown_at(0.48321, 0.05), shown_at(3012.4, 250.0), shown_at(0.5, float("nan"))
    ('0.483', '3012', '0.500')
    """
    if not math.isfinite(value):
        return "-"
    known = math.isfinite(width) and width > 0.0
    size = 0.5 * width if known else 0.1 * max(abs(value), 1e-3)
    decimals = 1 - math.floor(math.log10(size))
    if value and abs(value) < 1.0:  # 0.72 rather than 0.7, however wide the interval
        decimals = max(decimals, min(2, decimals + 1))
    decimals = min(max(decimals, 0), 9)
    text = f"{value:.{decimals}f}"
    return text.removeprefix("-") if float(text) == 0.0 else text


def between(ends: tuple[float, float], width: float) -> str:
    """The ends of an interval, the smaller first.

    >>> between((0.2, 0.1), 0.1)
    '0.100 to 0.200'
    """
    low, high = sorted(ends)
    return f"{shown_at(low, width)} to {shown_at(high, width)}"


def curve_table(
    title: str, heading: str, places: Sequence[str], curve: Any, score: ScoreName
) -> str:
    """Mean scores and their standard deviation over the splits, place by place."""
    folds = curve.test_scores.shape[1]
    columns = []
    spreads = [s.std(axis=1, ddof=1) for s in (curve.train_scores, curve.test_scores) if folds > 1]
    middles = [float(m) for m in map(np.nanmedian, spreads) if m > 0.0]
    width = 2.0 * min(middles, default=math.nan)
    for label, scores in (("training", curve.train_scores), ("test", curve.test_scores)):
        means = score.shown(scores.mean(axis=1))
        off = scores.std(axis=1, ddof=1) if folds > 1 else np.full(len(means), np.nan)
        columns.append((label, [shown_at(float(v), width) for v in means]))
        if folds > 1:
            columns.append(("± std", [shown_at(float(v), width) for v in off]))
    splits = f"{folds} split{'' if folds == 1 else 's'}"
    return f"{title}: {score.label}, mean of {splits}\n\n{table(places, columns, heading)}"
