"""Sums of rows under memberships, from which the parameters of latent classes follow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.mixture.mixed_rows import ClassParameters, MixedRows, memberships_of


@dataclass(frozen=True, slots=True, eq=False)
class ClassSums:
    r"""What the parameters of k classes follow from; those of parts of the rows are added.

    .. math:: S^{(q)}_{cj} = \sum_{i: x_{ij} \text{ known}} w_i r_{ic} (x_{ij} - s_{cj})^q,
              \quad q = 0, 1, 2

    Parameters
    ----------
    total, likelihood : float
        Weights of the rows, and their log densities times these.
    weight : array of shape (k,)
        Rows of each class.
    shift : array of shape (k, columns of numbers)
        s: sums are about points near the means, which costs no digits.
    seen, first, second : arrays of shape (k, columns of numbers)
        Sums for q = 0, 1 and 2.
    counts : array of shape (k, categories of all columns)
        Rows of each category.

    Examples
    --------
    >>> from stylobate.mixture.mixed_rows import ColumnScales
    >>> scales = ColumnScales(np.array([0]), np.array([], dtype=int), np.zeros(1), np.ones(1))
    >>> rows = scales.rows(np.array([[1.0], [3.0], [np.nan]]))
    >>> sums = ClassSums.of_memberships(rows, np.ones(3), np.ones((3, 1)), np.zeros((1, 1)))
    >>> sums.seen.tolist(), sums.first.tolist(), sums.merge(sums).second.tolist()
    ([[2.0]], [[4.0]], [[20.0]])
    """

    total: float
    likelihood: float
    weight: Array
    shift: Array
    seen: Array
    first: Array
    second: Array
    counts: Array

    @classmethod
    def of_memberships(
        cls,
        rows: MixedRows,
        weights: Array,
        memberships: Array,
        shift: Array,
        likelihood: float = 0.0,
    ) -> ClassSums:
        """The sums of rows whose memberships are known, about given points."""
        r = memberships * weights[:, None]
        seen = r.T @ rows.there
        first, second = np.empty_like(seen), np.empty_like(seen)
        for c in range(r.shape[1]):
            deviation = rows.there * (rows.values - shift[c])
            first[c], second[c] = r[:, c] @ deviation, r[:, c] @ deviation**2
        counts = np.asarray((rows.indicator.T @ r).T)
        total = float(weights.sum())
        return cls(total, likelihood, r.sum(axis=0), shift, seen, first, second, counts)

    @classmethod
    def at(cls, rows: MixedRows, weights: Array, parameters: ClassParameters) -> ClassSums:
        """The sums of rows under the memberships that parameters give them."""
        held, densities = memberships_of(parameters.scores(rows), parameters.weights)
        counted = weights > 0.0
        likelihood = float(weights[counted] @ densities[counted])
        return cls.of_memberships(rows, weights, held, parameters.means, likelihood)

    def merge(self, other: ClassSums) -> ClassSums:
        """The sums of both parts, which are about the same points."""
        return ClassSums(
            self.total + other.total,
            self.likelihood + other.likelihood,
            self.weight + other.weight,
            self.shift,
            self.seen + other.seen,
            self.first + other.first,
            self.second + other.second,
            self.counts + other.counts,
        )


@dataclass(frozen=True, slots=True, eq=False)
class ClassMaximization:
    """Parameters from sums: the maximum of the likelihood under bounds and a prior.

    Parameters
    ----------
    counts : array of int
        Categories of each column that has some.
    floor : float
        Variances are at least this, in units of the column's own.
    alpha : float
        Rows added to every category of every class.
    """

    counts: NDArray[np.intp]
    floor: float
    alpha: float

    def parameters(self, sums: ClassSums) -> ClassParameters:
        """The maximising parameters."""
        safe = np.where(sums.seen > 0.0, sums.seen, 1.0)
        moved = sums.first / safe
        variances = sums.second / safe - moved**2
        # a class that no row tells of is as wide as the column, and about its mean
        known = sums.seen > 0.0
        variances = np.where(known, np.maximum(variances, max(self.floor, 1e-300)), 1.0)
        means = np.where(known, sums.shift + moved, 0.0)
        return ClassParameters(
            sums.weight / sums.weight.sum(), means, variances, self._shares(sums.counts)
        )

    def value(self, sums: ClassSums, parameters: ClassParameters) -> float:
        """The mean log-likelihood at the parameters of the sums, with what the prior adds."""
        return (sums.likelihood + self._penalty(parameters)) / sums.total

    def _shares(self, counts: Array) -> Array:
        found = counts + self.alpha
        first = 0
        for count in self.counts:
            part = found[:, first : first + count]
            whole = part.sum(axis=1, keepdims=True)
            part[:] = np.where(whole > 0.0, part / np.where(whole > 0.0, whole, 1.0), 1.0 / count)
            first += count
        return found

    def _penalty(self, parameters: ClassParameters) -> float:
        if not self.alpha or not parameters.shares.size:
            return 0.0
        return float(self.alpha * np.log(parameters.shares).sum())
