"""Rows of numbers and categories with holes, as a latent class mixture reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array


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
    def of(cls, x: Array, counts: NDArray[Any], weights: Array) -> ColumnScales:
        """The scales of rows; a column without values, or with one, has scale 1."""
        numbers = np.flatnonzero(counts == 0)
        values = x[:, numbers]
        there = ~np.isnan(values) * weights[:, None]
        total = np.where(there.sum(axis=0) > 0.0, there.sum(axis=0), 1.0)
        first = np.array([_first(column) for column in values.T])
        moved = np.nan_to_num(values - first)
        center = first + (there * moved).sum(axis=0) / total
        with np.errstate(over="ignore", invalid="ignore"):  # whoever asks refuses what overflows
            spread = (there * np.nan_to_num(values - center) ** 2).sum(axis=0) / total
        scale = np.where(spread > 0.0, np.sqrt(spread), 1.0)
        return cls(numbers, np.asarray(counts[counts > 0], dtype=np.intp), center, scale)

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
        order = np.lexsort(np.nan_to_num(x, nan=np.inf).T[::-1])
        return MixedRows(np.nan_to_num(values), there.astype(float), indicator, jacobian, order)


def _first(column: Array) -> float:
    present = column[~np.isnan(column)]
    return float(present[0]) if len(present) else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class MixedRows:
    """Standardised numbers (0 where missing), which are there, and indicators of categories.

    `jacobian` takes log densities back to the units of the columns; `order` sorts the rows.
    """

    values: Array
    there: Array
    indicator: Any
    jacobian: Array
    order: NDArray[np.intp]

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


@dataclass(frozen=True, slots=True, eq=False)
class ClassMaximization:
    """Parameters from memberships: the maximum of the likelihood under bounds and a prior.

    Parameters
    ----------
    rows : MixedRows
    weights : array of shape (n,)
        Of the rows.
    counts : array of int
        Categories of each column that has some.
    floor : float
        Variances are at least this, in units of the column's own.
    alpha : float
        Rows added to every category of every class.
    """

    rows: MixedRows
    weights: Array
    counts: NDArray[np.intp]
    floor: float
    alpha: float

    def parameters(self, memberships: Array) -> ClassParameters:
        """The maximising parameters."""
        r = memberships * self.weights[:, None]
        totals = r.sum(axis=0)
        seen = r.T @ self.rows.there
        safe = np.where(seen > 0.0, seen, 1.0)
        means = r.T @ self.rows.values / safe
        variances = np.empty_like(means)
        for c in range(len(totals)):
            deviation = self.rows.there * (self.rows.values - means[c])
            variances[c] = r[:, c] @ deviation**2 / safe[c]
        # a class that no row tells of is as wide as the column
        variances = np.where(seen > 0.0, np.maximum(variances, max(self.floor, 1e-300)), 1.0)
        return ClassParameters(totals / totals.sum(), means, variances, self._shares(r))

    def _shares(self, r: Array) -> Array:
        found = np.asarray((self.rows.indicator.T @ r).T) + self.alpha
        first = 0
        for count in self.counts:
            part = found[:, first : first + count]
            whole = part.sum(axis=1, keepdims=True)
            part[:] = np.where(whole > 0.0, part / np.where(whole > 0.0, whole, 1.0), 1.0 / count)
            first += count
        return found

    def penalty(self, parameters: ClassParameters) -> float:
        """What the prior adds to the log-likelihood."""
        if not self.alpha or not parameters.shares.size:
            return 0.0
        return float(self.alpha * np.log(parameters.shares).sum())


def memberships_of(scores: Array, weights: Array) -> tuple[Array, Array]:
    """Posterior probabilities and log densities; rows that no class allows tell nothing."""
    top = scores.max(axis=1)
    impossible = ~np.isfinite(top)
    relative = np.exp(scores - np.where(impossible, 0.0, top)[:, None])
    total = relative.sum(axis=1)
    safe = np.where(total > 0.0, total, 1.0)
    held = np.where(impossible[:, None], weights, relative / safe[:, None])
    return held, np.where(impossible, -np.inf, top + np.log(safe))


def spread_seeds(rows: MixedRows, weights: Array, k: int, random: Any) -> Array:
    """Memberships in the nearest of k rows, each drawn in proportion to its distance from others.

    Squared differences of standardised numbers and 2 for different categories, over the cells that
    both rows have. Rows are drawn from their sorted order: neither the order they came in nor
    whether a row came twice or weighs twice makes a difference.
    """
    nearest = np.full(rows.count, np.inf)
    label = np.zeros(rows.count, dtype=np.intp)
    chance = weights
    for c in range(k):
        summed = np.cumsum(chance[rows.order])
        place = np.searchsorted(summed, random.uniform() * summed[-1], side="right")
        seed = int(rows.order[min(place, rows.count - 1)])
        distance = _distances(rows, seed)
        label[distance < nearest] = c
        nearest = np.minimum(nearest, distance)
        chance = weights * nearest if (weights * nearest).any() else weights
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
