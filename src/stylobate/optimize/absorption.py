"""Fixed effects of several factors, swept out of columns without a column per level.

The factor with most levels is eliminated exactly (its part of the normal equations is diagonal);
what is left is a sparse system in the levels of the others, solved by conjugate gradients for all
columns at once.

References
----------
Guimarães & Portugal (2010), A simple feasible procedure to fit models with high-dimensional fixed
effects, Stata Journal 10. Abowd, Creecy & Kramarz (2002), on the effects that are determined.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.exceptions import NumericalError

_TOLERANCES = (1e-11, 1e-14)  # of the normal equations' residuals, by passes over the rows
_MOST = 2000
_STALLED = 60  # iterations without progress: what is left is rounding
_FAR = 1e6  # squared: a thousand times the tolerance


@dataclass(frozen=True, eq=False)
class Absorption:
    """Factors given by codes, and the projection off them.

    Parameters
    ----------
    codes : tuple of (n,) int arrays
        Each 0 … G−1, every code present.
    weights : (n,) array or None

    Examples
    --------
    >>> firm, year = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> absorbed = Absorption((firm, year), None)
    >>> absorbed.rank
    3
    >>> absorbed.residuals(np.array([[1.0], [2.0], [3.0], [5.0]]))[:, 0].round(9)
    array([ 0.25, -0.25, -0.25,  0.25])
    """

    codes: tuple[Indices, ...]
    weights: Array | None

    @cached_property
    def order(self) -> list[int]:
        """The factors, the one of most levels first."""
        return sorted(range(len(self.codes)), key=lambda j: -int(self.codes[j].max()))

    @cached_property
    def _sizes(self) -> list[int]:
        """How many levels each factor has, in `order`."""
        return [int(self.codes[j].max()) + 1 for j in self.order]

    def _sums(self, place: int, row: Array) -> Array:
        """Sums of a column within the levels of a factor, by its place in `order`."""
        given = row if self.weights is None else self.weights * row
        found = np.bincount(self.codes[self.order[place]], given, self._sizes[place])
        return np.asarray(found, dtype=np.float64)

    @cached_property
    def _totals(self) -> list[Array]:
        """The weights of the levels of each factor, in `order`."""
        ones = np.ones(len(self.codes[0]))
        return [self._sums(place, ones) for place in range(len(self.order))]

    def _pairs(self, one: int, two: int) -> Any:
        """The weights of the combinations of levels of two factors, by their places in `order`."""
        from scipy import sparse

        n = len(self.codes[0])
        w = np.ones(n) if self.weights is None else self.weights
        codes = (self.codes[self.order[place]] for place in (one, two))
        shape = self._sizes[one], self._sizes[two]
        return sparse.csr_array(sparse.coo_array((w, tuple(codes)), shape=shape))

    @cached_property
    def _crossed(self) -> tuple[Any, Any, Any]:
        """Blocks of the normal equations: others × others, first × others, its transpose."""
        from scipy import sparse

        others = range(1, len(self.order))
        cross = sparse.csr_array(sparse.hstack([self._pairs(0, place) for place in others]))
        blocks = [
            [
                sparse.diags_array(self._totals[one]) if one == two else self._pairs(one, two)
                for two in others
            ]
            for one in others
        ]
        inner = sparse.csr_array(sparse.block_array(blocks))
        return inner, cross, sparse.csr_array(cross.T)

    def effects(self, columns: Array) -> list[Array]:
        """The effects of the levels that explain the columns best: (levels, q), in `order`."""
        return self.swept(columns)[1]

    def residuals(self, columns: Array) -> Array:
        """The columns less what the factors explain."""
        return self.swept(columns)[0]

    def swept(self, columns: Array) -> tuple[Array, list[Array]]:
        """Residuals and effects; the second pass takes away what the first one's rounding left."""
        rest = np.array(columns.T, dtype=np.float64, order="C")  # each column in one piece
        total: list[Array] = []
        w = self.weights
        # no right side is longer, in the norm the solver looks at
        scale = np.array([float(row @ row if w is None else w @ row**2) for row in rest])
        for tolerance in _TOLERANCES:
            found = self._step(rest, tolerance**2 * scale)
            for j, effect in zip(self.order, found, strict=True):
                for row, of in zip(rest, effect.T, strict=True):
                    row -= np.ascontiguousarray(of)[self.codes[j]]
            total = [a + b for a, b in zip(total, found, strict=True)] if total else found
        return rest.T, total

    def _step(self, rest: Array, goal: Array) -> list[Array]:
        sums = [
            np.column_stack([self._sums(place, row) for row in rest])
            for place in range(len(self.order))
        ]
        right, totals = sums[0], self._totals[0][:, None]
        if len(sums) == 1:
            return [right / totals]
        inner, cross, back = self._crossed
        target = np.concatenate(sums[1:]) - back @ (right / totals)

        def system(v: Array) -> Array:
            return np.asarray(inner @ v - back @ ((cross @ v) / totals))

        found = _conjugate_gradients(system, target, self._diagonal[:, None], goal)
        own = (right - cross @ found) / totals
        return [own, *np.split(found, np.cumsum(self._sizes[1:])[:-1])]

    @cached_property
    def _diagonal(self) -> Array:
        """The diagonal of the system from which the first factor is eliminated, for scaling."""
        inner, cross, _ = self._crossed
        squares = cross.copy()
        squares.data = squares.data**2
        own = inner.diagonal()
        left = own - squares.T @ (1.0 / self._totals[0])
        return np.asarray(np.where(left > 1e-12 * own, left, own))

    @cached_property
    def rank(self) -> int:
        """Of all indicators together; of three factors or more an upper bound."""
        rank = self._sizes[0]
        for place in range(1, len(self.order)):
            lost = max(self._components(other, place) for other in range(place))
            rank += self._sizes[place] - lost
        return rank

    def _components(self, one: int, two: int) -> int:
        """Groups of levels of two factors, by their places in `order`, that no row connects."""
        from scipy import sparse
        from scipy.sparse.csgraph import connected_components

        start = sum(self._sizes[1:two])
        pairs = (
            self._pairs(one, two) if one else self._crossed[1][:, start : start + self._sizes[two]]
        )
        met = pairs.tocoo()
        rows, columns = met.coords
        size = self._sizes[one] + self._sizes[two]
        edges = (np.ones(len(rows)), (rows, columns + self._sizes[one]))
        graph = sparse.coo_array(edges, shape=(size, size))
        found: Any = connected_components(graph, directed=False, return_labels=False)
        return int(found)


def _conjugate_gradients(system: Any, target: Array, diagonal: Array, goal: Array) -> Array:
    """All columns side by side; the system may be singular, the right sides lie in its range."""
    x = np.zeros_like(target)
    rest = target.copy()
    scaled = rest / diagonal
    direction = scaled.copy()
    product = np.einsum("ij,ij->j", rest, scaled)
    best = product.copy()
    stalled = 0
    for _ in range(_MOST):
        going = product > goal
        if not going.any() or stalled > _STALLED:
            break
        image = system(direction)
        curve = np.einsum("ij,ij->j", direction, image)
        usable = going & (curve > 0)
        step = np.where(usable, product / np.where(usable, curve, 1.0), 0.0)
        x += direction * step
        rest -= image * step
        scaled = rest / diagonal
        new = np.einsum("ij,ij->j", rest, scaled)
        share = np.where(usable, new / np.where(usable, product, 1.0), 0.0)
        direction = scaled + direction * share
        product = new
        stalled = 0 if (new[going] < 0.9 * best[going]).any() else stalled + 1
        best = np.minimum(best, new)
    if (product > _FAR * np.maximum(goal, 1e-300)).any():
        raise NumericalError(
            f"Absorbing the factors did not converge in {_MOST} iterations: their levels are "
            "connected by very few rows; merge rare levels, or leave a factor out."
        )
    return x
