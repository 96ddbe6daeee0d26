"""The target by pairs of features: cells, and the test of an interaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate.exploration.association.columns import AnyColumn, CategoryColumn, NumberColumn
from stylobate.exploration.association.laws import benjamini_hochberg
from stylobate.exploration.association.ratio import group_sums, scaled
from stylobate.exploration.association.tables import cross_counts
from stylobate.exploration.association.value import finite
from stylobate.exploration.target.cells import GroupMean, GroupShares, class_shares, group_means
from stylobate.exploration.target.groups import Grouping, finely_grouped, grouped, with_gaps
from stylobate.exploration.target.interaction import (
    Interaction,
    class_interaction,
    numeric_interaction,
)
from stylobate.exploration.target.pairs import Cells, PairEffect

_GROUPS = 4  # of each feature in the table that is shown
_FINEST = 50  # of each feature in the numbers,
_ROWS = 5  # as long as cells keep so many rows on average
_MOST_CELLS = 2_500  # times classes


class Cut(NamedTuple):
    """The groups of a feature: many for the numbers, few for the eye."""

    fine: Grouping
    shown: Grouping


def pair_effects(
    features: Sequence[AnyColumn], target: AnyColumn, *, level: float = 0.95, groups: int = _GROUPS
) -> tuple[PairEffect, ...]:
    """The target by every pair of some features, the greatest interactions first.

    Parameters
    ----------
    features : sequence of columns
        k features make k(k−1)/2 pairs.
    target : NumberColumn or CategoryColumn
        What is to be explained.
    level : float in (0, 1), default=0.95
        Of the intervals in the cells.
    groups : int in [2, inf), default=4
        Groups of each feature in the tables at most. The numbers (gain, explains, p-value) come
        from finer ones: ten bins, up to 50 categories of five rows or more, missing values.

    Returns
    -------
    tuple of PairEffect
    """
    most = _finest(target)
    cuts = [
        Cut(finely_grouped(feature, most), with_gaps(grouped(feature, groups)))
        for feature in features
    ]
    pairs = list(combinations([cut for cut in cuts if cut.fine.levels > 1], 2))
    if isinstance(target, NumberColumn):
        found = [numeric_pair(a, b, target, level) for a, b in pairs]
    else:
        found = [class_pair(a, b, target, level) for a, b in pairs]
    q = benjamini_hochberg([np.nan if e.p_value is None else e.p_value for e in found])
    adjusted = [replace(e, q_value=finite(v)) for e, v in zip(found, q, strict=True)]
    adjusted.sort(key=lambda e: (-e.gain, -e.explains, e.a, e.b))
    return tuple(adjusted)


def _finest(target: AnyColumn) -> int:
    """Groups of each feature such that cells keep rows (of every class) and are not too many."""
    classes = len(target.labels) if isinstance(target, CategoryColumn) else 1
    rows = int(target.present.sum()) / (_ROWS * max(classes, 1))
    most = min(rows, _MOST_CELLS / max(classes, 1))
    return int(np.clip(most**0.5, _GROUPS, _FINEST))


def numeric_pair(a: Cut, b: Cut, target: NumberColumn, level: float) -> PairEffect:
    """Means of a numeric target in the cells of two groupings, and the F test of interaction."""
    shape = a.fine.levels, b.fine.levels
    fine = group_sums(scaled(target), _cell_codes(a.fine, b.fine), shape[0] * shape[1])
    found = numeric_interaction(
        fine.n.reshape(shape).astype(float), fine.mean.reshape(shape), float(fine.scatter.sum())
    )
    return _effect(a, b, found, int(fine.n.sum()), _mean_cells(a.shown, b.shown, target, level))


def _mean_cells(a: Grouping, b: Grouping, target: NumberColumn, level: float) -> Cells:
    sums = group_sums(target.values, _cell_codes(a, b), a.levels * b.levels)
    labels = [f"{one}, {other}" for one in a.labels for other in b.labels]
    occupied = np.flatnonzero(sums.n).tolist()
    return tuple(
        (*divmod(place, b.levels), cell)
        for place, cell in zip(occupied, group_means(labels, sums, level), strict=True)
    )


def class_pair(a: Cut, b: Cut, target: CategoryColumn, level: float) -> PairEffect:
    """Shares of classes in the cells of two groupings, and the G test of interaction."""
    fine = _class_counts(a.fine, b.fine, target)
    found = class_interaction(fine.reshape(a.fine.levels, b.fine.levels, -1).astype(float))
    return _effect(a, b, found, int(fine.sum()), _share_cells(a.shown, b.shown, target, level))


def _class_counts(a: Grouping, b: Grouping, target: CategoryColumn) -> NDArray[np.int64]:
    cells = a.levels * b.levels
    return cross_counts(_cell_codes(a, b), cells, target.codes, len(target.labels))


def _share_cells(a: Grouping, b: Grouping, target: CategoryColumn, level: float) -> Cells:
    flat = _class_counts(a, b, target)
    cells: list[tuple[int, int, GroupMean | GroupShares]] = []
    for place in np.flatnonzero(flat.sum(axis=1)).tolist():
        i, j = divmod(place, b.levels)
        shares = class_shares(flat[place], target.labels, level)
        label = f"{a.labels[i]}, {b.labels[j]}"
        cells.append((i, j, GroupShares(label, int(flat[place].sum()), shares)))
    return tuple(cells)


def _effect(a: Cut, b: Cut, found: Interaction, n: int, cells: Cells) -> PairEffect:
    return PairEffect(
        a.fine.name,
        b.fine.name,
        found.gain,
        found.explains,
        found.p_value,
        n,
        a.shown.labels,
        b.shown.labels,
        cells,
        alone=found.alone,
    )


def _cell_codes(a: Grouping, b: Grouping) -> NDArray[np.int64]:
    known = (a.codes >= 0) & (b.codes >= 0)
    return np.where(known, a.codes * b.levels + b.codes, -1)
