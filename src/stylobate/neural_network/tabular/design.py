"""Columns of a table as the network takes them: numbers of one scale without gaps, and codes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import ModelFileError
from stylobate.preprocessing import QuantileTransformer

FAR = 3.0  # where numbers are bent: none is further from 0
MOST_VALUES = 255  # of a number, for each to have a learnt vector
ROWS_OF_VALUE = 20  # that each must have on average


def bent(x: Array) -> Array:
    """Smoothly clipped: x / √(1 + (x/3)²), nearly x about 0 and below 3 everywhere.

    >>> bent(np.array([0.0, 0.3, 1e9])).round(3).tolist()
    [0.0, 0.299, 3.0]
    """
    return np.asarray(x / np.hypot(1.0, x / FAR))


@dataclass(frozen=True, slots=True, eq=False)
class TableDesign:
    """Which encoded columns are what.

    Parameters
    ----------
    waved, plain, marked, coded : arrays of int
        Positions of numbers of more than two values, of two; of columns with gaps, which are
        marked; of categories.
    middles : array of shape (n_encoded,)
        What stands for gaps of numbers.
    means, spreads : arrays of shape (n_plain + n_marked,)
        Of the plain numbers, then of the marks.
    counts, gaps : arrays of shape (n_coded,)
        How many categories a column has, with one for gaps if there were any; the code of gaps, -1
        without.
    valued : array of int
        Positions of waved numbers whose single values have learnt vectors too: few and common ones.
    values : tuple of arrays
        These values, ascending.
    """

    waved: NDArray[np.int64]
    plain: NDArray[np.int64]
    marked: NDArray[np.int64]
    coded: NDArray[np.int64]
    middles: Array
    means: Array
    spreads: Array
    counts: NDArray[np.int64]
    gaps: NDArray[np.int64]
    valued: NDArray[np.int64]
    values: tuple[Array, ...]

    @classmethod
    def of(cls, encoded: Array, is_category: NDArray[np.bool_]) -> TableDesign:
        """Learn from numbers and codes, NaN where there is nothing."""
        waved: list[int] = []
        plain: list[int] = []
        marked: list[int] = []
        middles = np.zeros(encoded.shape[1])
        for j in np.flatnonzero(~is_category):
            present = encoded[~np.isnan(encoded[:, j]), j]
            if 0 < len(present) < len(encoded):
                marked.append(int(j))
            if not len(present) or present.min() == present.max():
                continue
            middles[j] = np.median(present)
            two = np.isin(present, (present.min(), present.max())).all()
            (plain if two else waved).append(int(j))
        coded = np.flatnonzero(is_category)
        gaps = np.full(len(coded), -1)
        counts = np.zeros(len(coded), np.int64)
        for place, j in enumerate(coded):
            missing = np.isnan(encoded[:, j])
            counts[place] = 0 if missing.all() else int(np.nanmax(encoded[:, j])) + 1
            if missing.any():
                gaps[place] = counts[place]
                counts[place] += 1
        few = {j: _few_values(encoded[:, j]) for j in waved}
        valued = [j for j in waved if len(few[j])]
        raw = _plain(encoded, np.array(plain, np.int64), np.array(marked, np.int64), middles)
        spreads = raw.std(axis=0)
        return cls(
            np.array(waved, np.int64), np.array(plain, np.int64), np.array(marked, np.int64),
            coded.astype(np.int64), middles, raw.mean(axis=0), np.where(spreads > 0, spreads, 1.0),
            counts, gaps.astype(np.int64), np.array(valued, np.int64),
            tuple(few[j] for j in valued),
        )  # fmt: skip

    def scaler(self, encoded: Array, seed: int) -> QuantileTransformer | None:
        """Learns the distributions of the waved numbers; None without any."""
        if not len(self.waved):
            return None
        points = min(len(encoded), 1000)
        made = QuantileTransformer(
            n_quantiles=points, output_distribution="normal", subsample=100_000, random_state=seed
        ).set_output(transform="default")
        made.fit(self._filled(encoded))
        return made

    def rows(
        self, encoded: Array, scaler: QuantileTransformer | None
    ) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        """Numbers and codes of rows."""
        plain = (_plain(encoded, self.plain, self.marked, self.middles) - self.means) / self.spreads
        parts = [bent(plain)]
        if scaler is not None:
            parts.insert(0, bent(np.asarray(scaler.transform(self._filled(encoded)))))
        parts.append(np.zeros((len(encoded), self.n_empty)))
        numbers = np.ascontiguousarray(np.hstack(parts), dtype=np.float32)
        codes = encoded[:, self.coded]
        known = np.where(np.isnan(codes), self.gaps, codes)
        places = [
            _places(encoded[:, j], each) for j, each in zip(self.valued, self.values, strict=True)
        ]
        return numbers, np.ascontiguousarray(np.column_stack([known, *places]), dtype=np.int32)

    @property
    def categories(self) -> tuple[int, ...]:
        """How many categories each column of codes has, then how many values each number of few."""
        return (*(int(count) for count in self.counts), *(len(each) for each in self.values))

    def _check_loaded(self) -> None:
        """Refuse columns of a file that there are not."""
        for places in (self.waved, self.plain, self.marked, self.coded, self.valued):
            whole = places.ndim == 1 and places.dtype.kind in "iu"
            if not whole or ((places < 0) | (places >= len(self.middles))).any():
                raise ModelFileError("The table of the file has columns there are not.")

    @property
    def n_empty(self) -> int:
        """1 where no column tells anything: a column of zeros, so that there is an input."""
        return int(not (len(self.waved) or len(self.means) or self.counts.sum()))

    @property
    def n_plain(self) -> int:
        """Plain numbers and marks."""
        return len(self.means) + self.n_empty

    def _filled(self, encoded: Array) -> Array:
        numbers = encoded[:, self.waved]
        return np.where(np.isnan(numbers), self.middles[self.waved], numbers)


def _plain(
    encoded: Array, plain: NDArray[np.int64], marked: NDArray[np.int64], middles: Array
) -> Array:
    """Numbers of two values without gaps, and marks of gaps."""
    numbers = encoded[:, plain]
    filled = np.where(np.isnan(numbers), middles[plain], numbers)
    return np.hstack([filled, np.isnan(encoded[:, marked])])


def _few_values(column: Array) -> Array:
    """The values of a number, if they are few and common; none else."""
    values = np.unique(column[~np.isnan(column)])
    few = len(values) <= min(MOST_VALUES, len(column) // ROWS_OF_VALUE)
    return np.asarray(values if few else values[:0])


def _places(column: Array, values: Array) -> NDArray[np.int64]:
    """The number of every entry among sorted values, -1 where it is none of them."""
    at = np.minimum(np.searchsorted(values, column), len(values) - 1)
    return np.where(values[at] == column, at, -1)
