"""Rows of numbers and categories with holes, as a latent class mixture reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.statistics import ColumnMoments


@dataclass(frozen=True, slots=True, eq=False)
class ColumnScales:
    """Where the numbers lie: positions, means and standard deviations of columns of numbers.

    Parameters
    ----------
    numbers : array of int
        Positions of columns of numbers; the others hold codes of categories.
    counts : array of int
        How many categories each other column has.
    center, scale : arrays
        Of the columns of numbers.
    """

    numbers: NDArray[np.intp]
    counts: NDArray[np.intp]
    center: Array
    scale: Array

    @classmethod
    def of(cls, counts: NDArray[Any], moments: ColumnMoments) -> ColumnScales:
        """The scales from what is known of each column; one without values, or with one, has 1."""
        numbers = np.flatnonzero(counts == 0)
        spread = moments.deviation[numbers]
        scale = np.where(moments.is_constant[numbers] | ~(spread > 0.0), 1.0, spread)
        kept = np.asarray(counts[counts > 0], dtype=np.intp)
        return cls(numbers, kept, moments.mean[numbers], scale)

    def rows(self, x: Array) -> MixedRows:
        """Rows in these scales."""
        from scipy.sparse import csr_array

        values = (x[:, self.numbers] - self.center) / self.scale
        there = ~np.isnan(values)
        others = np.setdiff1d(np.arange(x.shape[1]), self.numbers)
        codes = x[:, others]
        known = ~np.isnan(codes)
        starts = np.concatenate([[0], np.cumsum(self.counts)])
        columns = (np.nan_to_num(codes).astype(np.intp) + starts[:-1])[known]
        offsets = np.concatenate([[0], np.cumsum(known.sum(axis=1))])
        shape = (len(x), int(starts[-1]))
        indicator = csr_array((np.ones(len(columns)), columns, offsets), shape=shape)
        jacobian = -(there * np.log(self.scale)).sum(axis=1)
        return MixedRows(np.nan_to_num(values), there.astype(float), indicator, jacobian)


@dataclass(frozen=True, slots=True, eq=False)
class MixedRows:
    """Standardised numbers (0 where missing), which are there, and indicators of categories.

    `jacobian` takes log densities back to the units of the columns.
    """

    values: Array
    there: Array
    indicator: Any
    jacobian: Array

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self.values)


@dataclass(frozen=True, slots=True, eq=False)
class ClassParameters:
    """A latent class mixture in standard units.

    Parameters
    ----------
    weights : array of shape (k,)
    means, variances : arrays of shape (k, columns of numbers)
    shares : array of shape (k, categories of all columns)
        Probabilities, column after column.
    """

    weights: Array
    means: Array
    variances: Array
    shares: Array

    def scores(self, rows: MixedRows) -> Array:
        """Log π_c p(x | c) of what is observed of every row (n × k)."""
        with np.errstate(divide="ignore"):
            scores = np.tile(np.log(self.weights), (rows.count, 1))
            if self.shares.shape[1]:
                scores += rows.indicator @ np.log(self.shares).T
        for c in range(len(self.weights)):
            deviation = rows.there * (rows.values - self.means[c])
            with np.errstate(over="ignore"):  # a row beyond all range has density 0
                scores[:, c] -= 0.5 * (deviation**2 / self.variances[c]).sum(axis=1)
            scores[:, c] -= 0.5 * rows.there @ np.log(2.0 * np.pi * self.variances[c])
        return np.asarray(scores + rows.jacobian[:, None])

    def ordered(self) -> ClassParameters:
        """The same with the largest class first."""
        order = np.argsort(-self.weights, kind="stable")
        return ClassParameters(
            self.weights[order], self.means[order], self.variances[order], self.shares[order]
        )

    def distance(self, other: ClassParameters) -> float:
        """The largest difference of any parameter."""
        names = ("weights", "means", "variances", "shares")
        parts = [abs(getattr(self, name) - getattr(other, name)) for name in names]
        return max(float(part.max()) for part in parts if part.size)


def memberships_of(scores: Array, weights: Array) -> tuple[Array, Array]:
    """Posterior probabilities and log densities; rows that no class allows tell nothing."""
    top = scores.max(axis=1)
    impossible = ~np.isfinite(top)
    relative = np.exp(scores - np.where(impossible, 0.0, top)[:, None])
    total = relative.sum(axis=1)
    safe = np.where(total > 0.0, total, 1.0)
    held = np.where(impossible[:, None], weights, relative / safe[:, None])
    return held, np.where(impossible, -np.inf, top + np.log(safe))


@dataclass(frozen=True, slots=True, eq=False)
class Seeds:
    """Rows that starts are made of, with their weights and the order that sorts them."""

    rows: MixedRows
    weights: Array
    order: NDArray[np.intp]

    @classmethod
    def of(cls, rows: MixedRows, x: Array, weights: Array) -> Seeds:
        """Of rows, and the same as they came."""
        return cls(rows, weights, np.lexsort(np.nan_to_num(x, nan=np.inf).T[::-1]))

    def memberships(self, k: int, random: Any) -> Array:
        """Memberships in the nearest of k rows, each drawn in proportion to its distance.

        Squared differences of standardised numbers and 2 for different categories, over the cells
        that both rows have, to the nearest row drawn before. Rows are drawn from their sorted
        order: neither the order they came in nor whether a row came twice or weighs twice makes a
        difference.
        """
        rows = self.rows
        nearest = np.full(rows.count, np.inf)
        label = np.zeros(rows.count, dtype=np.intp)
        chance = self.weights
        for c in range(k):
            summed = np.cumsum(chance[self.order])
            place = np.searchsorted(summed, random.uniform() * summed[-1], side="right")
            seed = int(self.order[min(place, rows.count - 1)])
            distance = _distances(rows, seed)
            label[distance < nearest] = c
            nearest = np.minimum(nearest, distance)
            far = self.weights * nearest
            chance = far if far.any() else self.weights
        held = np.zeros((rows.count, k))
        held[np.arange(rows.count), label] = 1.0
        return held


def _distances(rows: MixedRows, seed: int) -> Array:
    shared = rows.there * rows.there[seed]
    numbers = (shared * (rows.values - rows.values[seed]) ** 2).sum(axis=1)
    known = np.asarray(rows.indicator.sum(axis=1)).ravel()
    same = np.asarray(rows.indicator @ rows.indicator[[seed]].T.toarray()).ravel()
    own = float(rows.indicator[[seed]].sum())
    return np.asarray(numbers + 2.0 * np.maximum(np.minimum(known, own) - same, 0.0))
