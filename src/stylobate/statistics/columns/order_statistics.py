"""Exact quantiles of columns by passes that count: memory does not grow with the rows.

Doubles are turned into whole numbers of the same order. A pass counts, digit by digit from the
left, how many values begin as the wanted ones do; what begins like one of them soon is so little
that a last pass can keep it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.statistics.source import Source

_BITS = 13  # of a digit: 64 kB of counts for every beginning
_KEPT = 1 << 16  # values of a column that the last pass may keep
_SIGN = np.uint64(1 << 63)

Keys = NDArray[np.uint64]
Places = Callable[[int], tuple[NDArray[np.int64], NDArray[np.int64], Array]]


def linear_places(shares: Array) -> Places:
    """Where quantiles by linear interpolation are among n sorted values: below, above, weight."""

    def places(n: int) -> tuple[NDArray[np.int64], NDArray[np.int64], Array]:
        return _bracketed((n - 1) * shares, n)

    return places


def averaged_places(shares: Array) -> Places:
    """The same for the inverse of the distribution function, averaged where it is flat."""

    def places(n: int) -> tuple[NDArray[np.int64], NDArray[np.int64], Array]:
        below, above, weight = _bracketed(n * shares - 1.0, n)
        return below, above, np.where(weight == 0.0, 0.5, 1.0)

    return places


def _bracketed(at: Array, n: int) -> tuple[NDArray[np.int64], NDArray[np.int64], Array]:
    below = np.floor(at)
    weight = at - below
    low = np.clip(below, 0, n - 1).astype(np.int64)
    high = np.clip(below + 1, 0, n - 1).astype(np.int64)
    return low, high, weight


def quantiles_of(source: Source, places: Places) -> Array:
    """Quantiles of every column, exactly; NaN is no value, and a column without any has NaN.

    Parameters
    ----------
    source : Source
        Passed over three times as a rule, never more than six times.
    places : callable
        From `linear_places` or `averaged_places`.

    Returns
    -------
    array of shape (n_quantiles, n_features)

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> from stylobate.sources import MemorySource
    >>> source = MemorySource(read_table([[3.0], [1.0], [2.0], [8.0]], owner="example"))
    >>> quantiles_of(source, linear_places(np.array([0.0, 0.5, 1.0]))).ravel()
    array([1. , 2.5, 8. ])
    """
    low, high, weight = _ends(source, places)
    return _between(low, high, weight)


def medians_of(source: Source) -> Array:
    """The median of every column, exactly: the middle value, or the mean of the two."""
    return mean_of_ends(*middles_of(source))


def middles_of(source: Source) -> tuple[Array, Array]:
    """The two middle values of every column, which are one where their number is odd."""
    low, high, weight = (each[0] for each in _ends(source, linear_places(np.array([0.5]))))
    return low, np.where(weight == 0.0, low, high)


def mean_of_ends(low: Array, high: Array) -> Array:
    """The median between two middle values."""
    with np.errstate(over="ignore"):
        return np.asarray(np.where(low == high, low, (low + high) / 2.0))


def _ends(source: Source, places: Places) -> tuple[Array, Array, Array]:
    """The values below and above each quantile, and how far it is on the way between them."""
    count = source.n_features
    begun = _Prefixes([np.zeros(1, dtype=np.uint64)] * count, 64)
    found: Any = source.compute(begun)
    totals = [int(each.sum()) for each in found.counts]
    brackets = [places(n) if n else None for n in totals]
    wanted = [
        np.zeros(0, np.int64) if b is None else np.unique(np.concatenate(b[:2])) for b in brackets
    ]
    selections = [
        _Selection(ranks, begun.prefixes[0]).narrowed(counts, begun.left)
        for ranks, counts in zip(wanted, found.counts, strict=True)
    ]
    left = begun.left - _BITS
    while left > 0 and any(s.held > _KEPT for s in selections):
        recipe = _Prefixes([s.beginnings for s in selections], left)
        found = source.compute(recipe)
        selections = [s.narrowed(c, left) for s, c in zip(selections, found.counts, strict=True)]
        left -= _BITS
    values = _kept_values(source, selections, left)
    low, high, weight = np.full((3, len(places(1)[0]), count), np.nan)
    for j, bracket in enumerate(brackets):
        if bracket is not None:
            ranks = selections[j].ranks
            low[:, j] = values[j][np.searchsorted(ranks, bracket[0])]
            high[:, j] = values[j][np.searchsorted(ranks, bracket[1])]
            weight[:, j] = bracket[2]
    return low, high, weight


@dataclass(frozen=True, slots=True, eq=False)
class _Selection:
    """Wanted ranks of a column, how the values of these ranks begin, and what comes before."""

    ranks: NDArray[np.int64]
    beginnings: Keys  # distinct, sorted; those of the ranks once `own` is known
    own: NDArray[np.intp] | None = None  # which beginning each rank has
    before: NDArray[np.int64] | None = None  # values below each beginning
    sizes: NDArray[np.int64] | None = None  # values that begin so

    @property
    def held(self) -> int:
        return 0 if self.sizes is None else int(self.sizes.sum())

    def narrowed(self, counts: NDArray[np.int64], left: int) -> _Selection:
        """The selection with one more digit, from the counts of digits after each beginning."""
        if not len(self.ranks):
            return _Selection(self.ranks, np.zeros(0, np.uint64), np.zeros(0, np.intp))
        own = np.zeros(len(self.ranks), np.intp) if self.own is None else self.own
        before = np.zeros(1, np.int64) if self.before is None else self.before
        upto = np.cumsum(counts, axis=1)
        inside = self.ranks - before[own]
        pairs = zip(own, inside, strict=True)
        digit = np.array([np.searchsorted(upto[k], rank, side="right") for k, rank in pairs])
        size = counts[own, digit]
        below = before[own] + upto[own, digit] - size
        width = min(_BITS, left)
        longer = (self.beginnings[own] << np.uint64(width)) | digit.astype(np.uint64)
        distinct, first, again = np.unique(longer, return_index=True, return_inverse=True)
        return _Selection(self.ranks, distinct, again.reshape(-1), below[first], size[first])


@dataclass(frozen=True, slots=True, eq=False)
class DigitCounts:
    """How often each digit follows each beginning, by column."""

    counts: list[NDArray[np.int64]]

    skips_missing = True

    def merge(self, other: Self) -> Self:
        """Counts of both parts' rows."""
        pairs = zip(self.counts, other.counts, strict=True)
        return type(self)([a + b for a, b in pairs])

    def is_finite(self) -> bool:
        return True

    def column_lengths(self) -> Array:
        """Nothing: no column is too long or too short."""
        return np.empty(0)


@dataclass(frozen=True, slots=True, eq=False)
class _Prefixes:
    """The recipe of `DigitCounts`: beginnings of each column, and the bits that come after."""

    prefixes: list[Keys]
    left: int

    def of(self, table: Table) -> DigitCounts:
        width = min(_BITS, self.left)
        size, rest = 1 << width, np.uint64(self.left - width)
        found = []
        for j, known in enumerate(self.prefixes):
            keys, times = _keys(table, j)
            place, match = _placed(keys, known, self.left)
            digit = (keys[match] >> rest).astype(np.int64) & (size - 1)
            cell = place[match] * size + digit
            counts = np.bincount(cell, minlength=len(known) * size).astype(np.int64)
            if times is not None:  # zeros that are not stored stand for many: they come last
                hit = np.flatnonzero(match) == len(keys) - 1
                if hit.any():
                    counts[cell[hit][0]] += times - 1
            found.append(counts.reshape(len(known), size))
        return DigitCounts(found)


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    """The keys of each column that begin as wanted, in no order."""

    keys: list[Keys]

    skips_missing = True

    def merge(self, other: Self) -> Self:
        return type(self)(
            [np.concatenate([a, b]) for a, b in zip(self.keys, other.keys, strict=True)]
        )

    def is_finite(self) -> bool:
        return True

    def column_lengths(self) -> Array:
        return np.empty(0)


@dataclass(frozen=True, slots=True, eq=False)
class _Beginning:
    """The recipe of `_Kept`."""

    prefixes: list[Keys]
    left: int

    def of(self, table: Table) -> _Kept:
        kept = []
        for j, known in enumerate(self.prefixes):
            keys, times = _keys(table, j)
            match = _placed(keys, known, self.left)[1]
            own = keys[match]
            if times is not None and len(match) and match[-1]:
                own = np.concatenate([own, np.full(times - 1, own[-1], dtype=np.uint64)])
            kept.append(own)
        return _Kept(kept)


def _kept_values(source: Source, selections: list[_Selection], left: int) -> list[Array]:
    """The values of the wanted ranks; read once more unless all digits are known."""
    if left <= 0:
        return [_values(s.beginnings[s.own]) for s in selections]
    found: Any = source.compute(_Beginning([s.beginnings for s in selections], left))
    out = []
    for selection, keys in zip(selections, found.keys, strict=True):
        if not len(selection.ranks):
            out.append(np.zeros(0))
            continue
        keys = np.sort(keys)
        assert selection.own is not None
        assert selection.before is not None
        assert selection.sizes is not None
        starts = np.concatenate([[0], np.cumsum(selection.sizes)[:-1]])
        inside = selection.ranks - selection.before[selection.own]
        out.append(_values(keys[starts[selection.own] + inside]))
    return out


def _placed(keys: Keys, known: Keys, left: int) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """The beginning each key has, and whether it has one of them."""
    if left == 64:  # nothing is known yet: every key begins so
        return np.zeros(len(keys), np.intp), np.ones(len(keys), np.bool_)
    if not len(known):
        return np.zeros(len(keys), np.intp), np.zeros(len(keys), np.bool_)
    begins = keys >> np.uint64(left)
    place = np.minimum(np.searchsorted(known, begins), len(known) - 1)
    return place, known[place] == begins


def _keys(table: Table, j: int) -> tuple[Keys, int | None]:
    """The present values of a column as whole numbers of the same order.

    Of a sparse column the last key is that of zeros that are not stored, as often as said.
    """
    x = table.x
    if not table.is_sparse:
        values = np.asarray(x[:, j], dtype=np.float64)
        return _ordered(values[~np.isnan(values)]), None
    own = x[:, [j]].tocsc()
    values = own.data.astype(np.float64)
    zeros = x.shape[0] - len(values)
    values = values[~np.isnan(values)]
    return _ordered(np.append(values, 0.0) if zeros else values), zeros or None


def _ordered(values: Array) -> Keys:
    bits = (values + 0.0).view(np.uint64)  # -0 is 0
    return np.where(bits & _SIGN, ~bits, bits | _SIGN)


def _values(keys: Keys) -> Array:
    bits = np.where(keys & _SIGN, keys & ~_SIGN, ~keys)
    return bits.view(np.float64)


def _between(low: Array, high: Array, weight: Array) -> Array:
    """Linear interpolation from the nearer end, as NumPy's quantiles do it."""
    step = high - low
    return np.asarray(np.where(weight >= 0.5, high - step * (1.0 - weight), low + step * weight))
