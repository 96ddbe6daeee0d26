"""What a pair of groupings explains, and the test of an interaction."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exploration.association.tables import entropy, table_statistics
from stylobate.exploration.association.value import finite
from stylobate.inference.distributions import chi2_p, f_p

_EXPECTED = 5.0  # rows of a class in a cell, below which χ² is not the law of G
_DRAWS = 30


class Interaction(NamedTuple):
    """What a pair explains in all, beyond the additive model, and the test of the latter.

    `alone` is what each explains by itself on the same groups and rows; `raw` what the cells and
    each by itself explain before chance is taken off.
    """

    explains: float
    gain: float
    p_value: float | None
    alone: tuple[float, float] = (0.0, 0.0)
    raw: tuple[float, float, float] = (0.0, 0.0, 0.0)


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
    raw = tuple(1.0 - (within + lost) / total for lost in (0.0, *_lost(counts, means, used)))
    groups = [int((counts.sum(axis=axis) > 0).sum()) for axis in (1, 0)]
    alone = [
        max(1.0 - (1.0 - s) * (n - 1.0) / (n - k), 0.0)
        for s, k in zip(raw[1:], groups, strict=True)
    ]
    gain = max(full - max(additive, 0.0), 0.0)
    return Interaction(max(full, 0.0), gain, p, (alone[0], alone[1]), (raw[0], raw[1], raw[2]))


def _lost(counts: Array, means: Array, used: NDArray[np.bool_]) -> list[float]:
    """Sums of squares between cells that the rows of the table alone, and its columns, leave."""
    known, lost = np.where(used, means, 0.0), []
    for axis in (1, 0):
        size = counts.sum(axis=axis, keepdims=True)
        centre = (counts * known).sum(axis=axis, keepdims=True) / np.maximum(size, 1.0)
        lost.append(float((counts * (known - centre) ** 2).sum()))
    return lost


def class_interaction(counts: Array) -> Interaction:
    """G test of no three-way interaction in a table of counts (r, c, classes).

    The additive model is the one in which each pair of the three is associated in the same way at
    every level of the third; fitted by iterative proportions. Where many cells expect fewer than
    five rows of a class, G is compared with its mean and variance in tables drawn from that model
    rather than with those of χ².
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
    cells_used = int(used.sum())
    df = (cells_used - rank) * (classes - 1)
    alone_fit = cells[..., None] * margin / n
    full = 2.0 * float(counts[seen] @ np.log(counts[seen] / alone_fit[seen]))
    mean, variance = _law_of_g(fit[used][:, margin > 0], classes - 1)
    law = mean * (cells_used - rank), variance * (cells_used - rank)
    scale = 2.0 * n * base
    p = finite(chi2_p(2.0 * g * law[0] / law[1], 2.0 * law[0] ** 2 / law[1])) if df > 0 else None
    gain, chance = max(g - law[0], 0.0) / scale, mean * (cells_used - 1)
    sides = [table_statistics(counts.sum(axis=axis).astype(np.int64)) for axis in (1, 0)]
    alone = [max(side.g - side.df, 0.0) / scale for side in sides]
    return Interaction(
        float(np.clip((full - chance) / scale, max(gain, *alone), 1.0)),
        gain,
        p,
        (alone[0], alone[1]),
        (full / scale, sides[0].g / scale, sides[1].g / scale),
    )


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


def _law_of_g(fit: Array, df: int) -> tuple[float, float]:
    """Mean and variance of a cell's part of G when the fit is true; df and 2 df with many rows."""
    many = float(max(df, 1)), 2.0 * max(df, 1)
    if df < 1 or float((fit < _EXPECTED).mean()) <= 0.2:
        return many
    rows = fit.sum(axis=1)
    sizes = np.rint(rows).astype(np.int64)
    expected = fit / rows[:, None]
    rng = np.random.default_rng(0)
    drawn = rng.multinomial(sizes, expected, size=(_DRAWS, len(sizes))).astype(float)
    ratio = np.where(drawn > 0, drawn / np.maximum(sizes[:, None] * expected, 1e-300), 1.0)
    parts = 2.0 * (drawn * np.log(ratio)).sum(axis=2)
    mean, variance = float(parts.mean()), float(parts.var(axis=0, ddof=1).mean())
    return (mean, variance) if mean > 1e-9 and variance > 1e-9 else many
