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
from stylobate.exploration.association.ratio import group_sums
from stylobate.exploration.association.tables import cross_counts, entropy
from stylobate.exploration.association.value import finite
from stylobate.exploration.target.cells import GroupShares, class_shares, group_means
from stylobate.exploration.target.groups import Grouping, grouped
from stylobate.exploration.target.pairs import PairEffect
from stylobate.inference.distributions import chi2_p, f_p

Array = NDArray[np.float64]
_GROUPS = 4  # of each feature: cells must keep rows


class Interaction(NamedTuple):
    """What a pair explains in all, beyond the additive model, and the test of the latter."""

    explains: float
    gain: float
    p_value: float | None


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
        Groups of each feature at most.

    Returns
    -------
    tuple of PairEffect
    """
    made = [grouped(feature, groups) for feature in features]
    made = [group for group in made if group.levels > 1]
    pairs = list(combinations(made, 2))
    if isinstance(target, NumberColumn):
        found = [numeric_pair(a, b, target, level) for a, b in pairs]
    else:
        found = [class_pair(a, b, target, level) for a, b in pairs]
    q = benjamini_hochberg([np.nan if e.p_value is None else e.p_value for e in found])
    adjusted = [replace(e, q_value=finite(v)) for e, v in zip(found, q, strict=True)]
    adjusted.sort(key=lambda e: (-e.gain, -e.explains, e.a, e.b))
    return tuple(adjusted)


def numeric_pair(a: Grouping, b: Grouping, target: NumberColumn, level: float) -> PairEffect:
    """Means of a numeric target in the cells of two groupings, and the F test of interaction."""
    sums = group_sums(target.values, _cell_codes(a, b), a.levels * b.levels)
    labels = [f"{one}, {other}" for one in a.labels for other in b.labels]
    found = numeric_interaction(
        sums.n.reshape(a.levels, b.levels).astype(float),
        sums.mean.reshape(a.levels, b.levels),
        float(sums.scatter.sum()),
    )
    occupied = np.flatnonzero(sums.n).tolist()
    cells = tuple(
        (*divmod(place, b.levels), cell)
        for place, cell in zip(occupied, group_means(labels, sums, level), strict=True)
    )
    n = int(sums.n.sum())
    return PairEffect(
        a.name, b.name, found.gain, found.explains, found.p_value, n, a.labels, b.labels, cells
    )


def class_pair(a: Grouping, b: Grouping, target: CategoryColumn, level: float) -> PairEffect:
    """Shares of classes in the cells of two groupings, and the G test of interaction."""
    classes = len(target.labels)
    flat = cross_counts(_cell_codes(a, b), a.levels * b.levels, target.codes, classes)
    found = class_interaction(flat.reshape(a.levels, b.levels, classes).astype(float))
    cells = []
    for place in np.flatnonzero(flat.sum(axis=1)).tolist():
        i, j = divmod(place, b.levels)
        shares = class_shares(flat[place], target.labels, level)
        label = f"{a.labels[i]}, {b.labels[j]}"
        cells.append((i, j, GroupShares(label, int(flat[place].sum()), shares)))
    n = int(flat.sum())
    return PairEffect(
        a.name,
        b.name,
        found.gain,
        found.explains,
        found.p_value,
        n,
        a.labels,
        b.labels,
        tuple(cells),
    )


def numeric_interaction(counts: Array, means: Array, within: float) -> Interaction:
    r"""F test of the cells against the additive model :math:`\mu + \alpha_i + \beta_j`.

    Parameters
    ----------
    counts, means : arrays of shape (r, c)
        Rows and mean of each cell; empty cells take no part.
    within : float
        Sum of squares within the cells.
    """
    used = counts > 0
    n, cells = float(counts.sum()), int(used.sum())
    if cells < 2:
        return Interaction(0.0, 0.0, None)
    design, weight, mean = _additive_design(used), np.sqrt(counts[used]), means[used]
    mean = mean - float(counts[used] @ mean) / n
    fit, _, rank, _ = np.linalg.lstsq(design * weight[:, None], mean * weight, rcond=None)
    lack = float((counts[used] * (mean - design @ fit) ** 2).sum())
    total = float((counts[used] * mean**2).sum()) + within
    left, extra = n - cells, cells - int(rank)
    if left <= 0 or total <= 0:
        return Interaction(0.0, 0.0, None)
    spread = total / (n - 1.0)
    full = 1.0 - within / left / spread
    additive = 1.0 - (within + lack) / (n - rank) / spread
    p = None
    if extra > 0 and within > 1e-14 * total:
        p = f_p(lack / extra / (within / left), extra, left)
    elif extra > 0:
        p = 0.0 if lack > 1e-12 * total else 1.0
    return Interaction(max(full, 0.0), max(full - max(additive, 0.0), 0.0), p)


def class_interaction(counts: Array) -> Interaction:
    """G test of no three-way interaction in a table of counts (r, c, classes).

    The additive model is the one in which each pair of the three is associated in the same way at
    every level of the third; fitted by iterative proportions.
    """
    n = float(counts.sum())
    margin, cells = counts.sum(axis=(0, 1)), counts.sum(axis=2)
    classes, base = int((margin > 0).sum()), entropy(margin) if n else 0.0
    if n == 0 or base <= 0:
        return Interaction(0.0, 0.0, None)
    fit = _proportional_fit(counts)
    seen = counts > 0
    g = max(2.0 * float(counts[seen] @ np.log(counts[seen] / fit[seen])), 0.0)
    used = cells > 0
    rank = int(np.linalg.matrix_rank(_additive_design(used)))
    df = (int(used.sum()) - rank) * (classes - 1)
    alone = cells[..., None] * margin / n
    full = 2.0 * float(counts[seen] @ np.log(counts[seen] / alone[seen]))
    chance = (int(used.sum()) - 1) * (classes - 1)
    scale = 2.0 * n * base
    p = finite(chi2_p(g, df)) if df > 0 else None
    gain = max(g - df, 0.0) / scale
    return Interaction(float(np.clip((full - chance) / scale, gain, 1.0)), gain, p)


def _additive_design(used: NDArray[np.bool_]) -> Array:
    """Dummies of the rows and columns of the cells in use."""
    i, j = np.nonzero(used)
    return np.column_stack([np.eye(used.shape[0])[i], np.eye(used.shape[1])[j]])


def _proportional_fit(counts: Array, most: int = 200) -> Array:
    """The table with the three two-way margins of counts and no three-way interaction."""
    fit = np.ones_like(counts)
    margins = [counts.sum(axis=axis, keepdims=True) for axis in (0, 1, 2)]
    size = float(counts.sum())
    for _ in range(most):
        before = fit
        for axis, margin in enumerate(margins):
            now = fit.sum(axis=axis, keepdims=True)
            fit = fit * np.divide(margin, now, out=np.zeros_like(margin), where=now > 0)
        if np.abs(fit - before).max() <= 1e-8 * size:
            break
    return fit


def _cell_codes(a: Grouping, b: Grouping) -> NDArray[np.int64]:
    known = (a.codes >= 0) & (b.codes >= 0)
    return np.where(known, a.codes * b.levels + b.codes, -1)
