"""Moments of many parts of the rows, held together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.statistics.columns.range import LARGEST, SMALLEST
from stylobate.statistics.moments.moments import Moments
from stylobate.statistics.rows import csr_parts, log_weight_sum

Rows = NDArray[np.intp] | slice


@dataclass(frozen=True, slots=True, eq=False)
class MomentsStack:
    """The moments of k parts, one after the other: what is done to all of them is one call.

    Parameters
    ----------
    n_rows, weight, log_weight : arrays of shape (k,)
    mean : array of shape (k, q)
    scatter : array of shape (k, q, q)
    n_targets : int
        As of `Moments`.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> table = read_table([[1.0], [3.0], [8.0]], owner="example")
    >>> stack = MomentsStack.of_parts(table, [slice(0, 2), slice(2, 3)])
    >>> stack.mean.tolist(), stack.unions([np.array([0, 1])])[0].mean
    ([[2.0], [8.0]], array([4.]))
    """

    n_rows: NDArray[np.int64]
    weight: Array
    mean: Array
    scatter: Array
    n_targets: int
    log_weight: Array

    @classmethod
    def of_parts(cls, table: Table, parts: Sequence[Rows]) -> Self:
        """The moments of some rows of a table each (row numbers or slices), in one pass."""
        order, bounds = _laid_out(parts, table.n_rows)
        y, w = table.y, table.weights
        if table.is_sparse:
            found = _core.part_moments_csr(*csr_parts(table.x), y, w, order, bounds)
        else:
            found = _core.part_moments(table.x, y, w, order, bounds)
        n_rows, weight, mean, scatter = found
        logs = np.array([0.0 if w is None else log_weight_sum(w[part]) for part in parts])
        n_targets = 0 if y is None else y.shape[1]
        return cls(n_rows.astype(np.int64), weight, mean, scatter, n_targets, logs)

    @classmethod
    def stacked(cls, parts: Sequence[Moments]) -> Self:
        """Moments of the same columns, put together."""
        return cls(
            np.array([part.n_rows for part in parts], dtype=np.int64),
            np.array([part.weight for part in parts]),
            np.stack([part.mean for part in parts]),
            np.stack([part.scatter for part in parts]),
            parts[0].n_targets,
            np.array([part.log_weight for part in parts]),
        )

    def __len__(self) -> int:
        return len(self.weight)

    def __iter__(self) -> Iterator[Moments]:
        return (self[k] for k in range(len(self)))

    def __getitem__(self, k: int) -> Moments:
        return Moments(
            int(self.n_rows[k]),
            float(self.weight[k]),
            self.mean[k],
            self.scatter[k],
            self.n_targets,
            float(self.log_weight[k]),
        )

    @property
    def n_features(self) -> int:
        return int(self.mean.shape[1]) - self.n_targets

    @property
    def xx(self) -> Array:
        """Centred scatter of the features (k × p × p)."""
        return self.scatter[:, : self.n_features, : self.n_features]

    @property
    def xy(self) -> Array:
        """Centred cross scatter (k × p × targets)."""
        return self.scatter[:, : self.n_features, self.n_features :]

    @property
    def yy(self) -> Array:
        """Centred squares of the targets (k × targets)."""
        return np.diagonal(self.scatter, axis1=1, axis2=2)[:, self.n_features :]

    @property
    def x_mean(self) -> Array:
        return self.mean[:, : self.n_features]

    @property
    def y_mean(self) -> Array:
        return self.mean[:, self.n_features :]

    def doubtful(self) -> list[int]:
        """The parts that are not finite, or whose columns' squares may have lost their digits."""
        lengths = np.sqrt(np.diagonal(self.scatter, axis1=1, axis2=2))
        fine = ((lengths >= SMALLEST) & (lengths <= LARGEST)).all(axis=1)
        fine &= np.isfinite(self.scatter).all(axis=(1, 2)) & np.isfinite(self.mean).all(axis=1)
        found: list[int] = np.flatnonzero(~fine).tolist()
        return found

    def about_zero(self) -> Self:
        """As of `Moments`: second moments about the origin, mean 0."""
        raw = (self.weight[:, None] * self.mean)[:, :, None] * self.mean[:, None, :]
        return replace(self, mean=np.zeros_like(self.mean), scatter=self.scatter + raw)

    def unions(self, members: Sequence[NDArray[np.intp]]) -> Self:
        """The moments of parts put together, which have no rows in common.

        Parameters
        ----------
        members : sequence of arrays
            The numbers of the parts, increasing, that each union is of; at least one.
        """
        counts = [len(each) for each in members]
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        chosen = np.concatenate(members).astype(np.int64)
        weight, mean, scatter = _core.merge_moments(
            self.weight, self.mean, self.scatter, offsets, chosen
        )
        starts = offsets[:-1]
        n_rows = np.add.reduceat(self.n_rows[chosen], starts)
        logs = np.add.reduceat(self.log_weight[chosen], starts)
        return type(self)(n_rows, weight, mean, scatter, self.n_targets, logs)


def _laid_out(parts: Sequence[Rows], n: int) -> tuple[NDArray[np.int64] | None, NDArray[np.int64]]:
    """Where each part lies (k × 2): among the rows themselves, or in an order of them."""
    slices = [part.indices(n)[:2] for part in parts if isinstance(part, slice)]
    if len(slices) == len(parts):
        return None, np.array(slices, dtype=np.int64).reshape(-1, 2)
    numbers = [np.arange(n)[part] for part in parts]
    stops = np.cumsum([len(each) for each in numbers])
    starts = np.concatenate([[0], stops[:-1]])
    order = np.concatenate(numbers).astype(np.int64)
    return order, np.column_stack([starts, stops]).astype(np.int64)
