"""Folds of fewer rows, where a search could not use them all in its time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Indices
from stylobate.study.table.division import Division, drawn_order

_CELLS = 10_000  # values of the training part of a fold, for each second of a study
_FEWEST_ROWS, _FEWEST_TESTED = 1000, 500  # of a fold that is thinned
_FEWEST_OF_CLASS = 30  # rows of a class that are kept, where there are as many


def thinned(
    division: Division, classes: NDArray[Any] | None, n_columns: int, time: float, seed: int
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
    n_columns : int
    time : float
        Seconds of the study.
    seed : int
    """
    most = max(int(_CELLS * time / max(n_columns, 1)), _FEWEST_ROWS)
    largest = max(len(train) for train, _ in division.folds)
    if largest <= most:
        return division
    share = most / largest
    folds = []
    for train, test in division.folds:  # those to learn from are in an order drawn at random
        tested = test[drawn_order(len(test), seed)]
        kept = _first(tested, classes, max(round(share * len(test)), _FEWEST_TESTED))
        learnt = _first(train, classes, max(round(share * len(train)), _FEWEST_ROWS))
        folds.append((learnt, np.sort(kept)))
    said = (
        f"The search learns from {100 * share:.2g} % of the rows of each fold, drawn at random, as "
        "there is little time for so many; the chosen model is fitted to all."
    )
    plan = replace(division.plan, how=f"{division.plan.how} {said}", fold_rows=most)
    return replace(division, folds=folds, plan=plan)


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
