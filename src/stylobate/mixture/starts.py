"""Where expectation and maximisation start: the sums of the rows under first memberships."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.data.streams import Stream
from stylobate.exceptions import InvalidDataError
from stylobate.statistics import AssignTo, MixtureSums, Moments, Source

_CELLS = 1 << 20  # memberships held at a time
_SHORT = 2.0**30  # a start needs no more of a centre's digits


@dataclass(frozen=True, slots=True, eq=False)
class NearestCenter:
    """Each row a member of its nearest centre alone: a recipe of `MixtureSums`.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> table = read_table([[0.0], [1.0], [9.0]], owner="example")
    >>> NearestCenter(np.array([[0.0], [10.0]]), diagonal=True).of(table).means().ravel()
    array([0.5, 9. ])
    """

    centers: Array
    diagonal: bool

    def of(self, table: Table) -> MixtureSums:
        """The sums of a table's rows about the centres."""
        labels = AssignTo(self.centers).rows(table)[0].labels
        return sums_of_pieces(table, self.centers, self.diagonal, _one_hot(labels))


def _one_hot(labels: NDArray[np.int32]) -> Any:
    def memberships(first: int, last: int, k: int) -> Array:
        held = np.zeros((last - first, k))
        held[np.arange(last - first), labels[first:last]] = 1.0
        return held

    return memberships


def sums_of_pieces(table: Table, shift: Array, diagonal: bool, memberships: Any) -> MixtureSums:
    """The sums under ``memberships(first, last, k)``, of a bounded number of rows at a time."""
    size = max(1, _CELLS // len(shift))
    total: MixtureSums | None = None
    for first in range(0, max(table.n_rows, 1), size):
        last = min(first + size, table.n_rows)
        rows = table if (first, last) == (0, table.n_rows) else table.take(slice(first, last))
        held = memberships(first, last, len(shift))
        part = MixtureSums.of_memberships(rows, held, shift, diagonal=diagonal)
        total = part if total is None else total.merge(part)
    assert total is not None  # an empty table has one empty piece
    return total


def refuse_few(owner: str, rows: int, components: int) -> None:
    """Refuse fewer rows than components."""
    if rows < components:
        raise InvalidDataError(
            f"{owner}: Expected n_samples >= n_components but got n_components = {components}, "
            f"n_samples = {rows}"
        )


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """How first memberships are found.

    Parameters
    ----------
    rows : Table or Stream
        The rows, for k-means.
    source : Source
        The same rows, for sums.
    components : int
    diagonal : bool
        Whether squares of single columns are enough.
    random : RandomState
    owner : str
        Who asks, named in refusals.
    """

    rows: Table | Stream
    source: Source
    components: int
    diagonal: bool
    random: np.random.RandomState
    owner: str

    def sums(self, init_params: str) -> MixtureSums:
        """The sums under the memberships that ``init_params`` names."""
        ways = {
            "kmeans": self._kmeans,
            "random": self._random,
            "random_from_data": self._random_rows,
            "k-means++": self._spread_rows,
        }
        sums = ways[init_params]()
        refuse_few(self.owner, sums.rows, self.components)
        return sums

    def _kmeans(self) -> MixtureSums:
        from stylobate.cluster import KMeans

        model = KMeans(n_clusters=self.components, n_init=1, random_state=self.random)
        if isinstance(self.rows, Table):
            model.fit(self.rows.x, sample_weight=self.rows.weights)
        else:
            model.fit(self.rows)
        # the last bits of centres differ between memory and streams: rounded ones are the same
        fractions, exponents = np.frexp(np.asarray(model.cluster_centers_, dtype=np.float64))
        centers = np.ldexp(np.round(fractions * _SHORT) / _SHORT, exponents)
        return self.source.compute(NearestCenter(centers, self.diagonal))

    def _random(self) -> MixtureSums:
        """Uniform numbers, drawn row by row: a stream gets those of rows in memory."""
        mean = self.source.compute(Moments).mean
        shift = np.repeat(mean[None], self.components, axis=0)
        total: MixtureSums | None = None
        for window in self.source.windows():
            part = sums_of_pieces(window, shift, self.diagonal, self._uniform)
            total = part if total is None else total.merge(part)
        assert total is not None  # the pass before found rows
        return total

    def _uniform(self, first: int, last: int, k: int) -> Array:
        held = self.random.uniform(size=(last - first, k))
        return np.asarray(held / held.sum(axis=1, keepdims=True))

    def _random_rows(self) -> MixtureSums:
        n = self.source.capabilities.length
        if n is None:
            n = sum(window.n_rows for window in self.source.windows())
        refuse_few(self.owner, n, self.components)
        return self._single_rows(self.random.choice(n, size=self.components, replace=False))

    def _spread_rows(self) -> MixtureSums:
        from stylobate.cluster import kmeans_plusplus

        table = self.source.rows("init_params='k-means++'")
        _, chosen = kmeans_plusplus(
            table.x, self.components, sample_weight=table.weights, random_state=self.random
        )
        return self._single_rows(np.asarray(chosen))

    def _single_rows(self, numbers: NDArray[np.int64]) -> MixtureSums:
        """One row for every component, and no membership of the others."""
        points: Array | None = None
        n, total = 0, 0.0
        for window in self.source.windows():
            if points is None:
                points = np.zeros((self.components, window.n_features))
            inside = (numbers >= n) & (numbers < n + window.n_rows)
            points[inside] = window.x[numbers[inside] - n]
            n += window.n_rows
            total += float(window.n_rows if window.weights is None else window.weights.sum())
        assert points is not None  # there is a row for every component
        k, p = points.shape
        empty = np.zeros((k, p) if self.diagonal else (k, p, p))
        return MixtureSums(points, n, total, 0.0, 0.0, np.ones(k), np.zeros((k, p)), empty)
