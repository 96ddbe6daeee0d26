"""Folds of fewer rows, where a search could not use them all in its time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Indices
from stylobate.data.column_table import ColumnTable
from stylobate.data.kinds import Schema
from stylobate.study.table.division import Division, drawn_order

_CELLS = 20_000  # values of the training part of a fold, for each second of a study
_LETTERS = 2.0  # of a text, that cost as much as one number
_FEWEST_ROWS, _FEWEST_TESTED = 1000, 500  # of a fold that is thinned
_FEWEST_TEXTS = 300
_LOOKED_AT = 500  # texts that tell how long they are
_FEWEST_OF_CLASS = 30  # rows of a class that are kept, where there are as many


def cells_of(features: ColumnTable, schema: Schema) -> float:
    """What a row costs, in numbers: each column counts as one, and a text by its length."""
    cells = 0.0
    for column in schema:
        if column.kind != "text":
            cells += 1.0
            continue
        rows = np.linspace(0, len(features) - 1, min(len(features), _LOOKED_AT)).astype(np.intp)
        texts = features[column.name][rows].tolist()
        cells += max(float(np.mean([len(str(text)) for text in texts])) / _LETTERS, 1.0)
    return cells


def thinned(
    division: Division, classes: NDArray[Any] | None, cells: float, time: float, seed: int
) -> Division:
    """The folds with fewer rows, where a search in so many seconds could not use them all.

    How many are left depends on the size of the table and the seconds allowed, never on the clock.
    Of a rare class more are kept than its share, or a part would have none of it. The chosen
    model is fitted to all rows in the end.

    Parameters
    ----------
    division : Division
    classes : array or None
        The class of each training row; None for numbers.
    cells : float
        What a row costs, in numbers.
    time : float
        Seconds of the study.
    seed : int
    """
    fewest = _FEWEST_ROWS if cells * _FEWEST_ROWS <= _CELLS * time else _FEWEST_TEXTS
    most = max(int(_CELLS * time / max(cells, 1.0)), fewest)
    largest = max(len(train) for train, _ in division.folds)
    if largest <= most:
        return division
    share = most / largest
    folds = []
    for train, test in division.folds:  # those to learn from are in an order drawn at random
        tested = test[drawn_order(len(test), seed)]
        kept = _first(tested, classes, max(round(share * len(test)), _FEWEST_TESTED))
        learnt = _first(train, classes, max(round(share * len(train)), fewest))
        folds.append((learnt, np.sort(kept)))
    said = (
        f"The search learns from {100 * share:.2g} % of the rows of each fold, drawn at random, as "
        "there is little time for so many; the chosen model is fitted to all."
    )
    plan = replace(division.plan, how=f"{division.plan.how} {said}", fold_rows=most)
    return replace(division, folds=folds, plan=plan)


def some(positions: Indices, most: int, seed: int) -> Indices:
    """At most so many of them, drawn at random: the first ones of a sorted file are all alike."""
    if len(positions) <= most:
        return positions
    return np.sort(np.random.default_rng(seed).choice(positions, most, replace=False))


def _first(rows: Indices, classes: NDArray[Any] | None, count: int) -> Indices:
    """The first rows, of each class in its share but no fewer than a few."""
    if classes is None or count >= len(rows):
        return rows[:count]
    own = classes[rows]
    kept = np.zeros(len(rows), dtype=bool)
    for each in np.unique(own):
        places = np.flatnonzero(own == each)
        wanted = round(count * len(places) / len(rows))
        kept[places[: max(wanted, _FEWEST_OF_CLASS)]] = True
    return rows[kept]
