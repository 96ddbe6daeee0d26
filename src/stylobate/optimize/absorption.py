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
    def _matrices(self) -> tuple[Any, Any, Array]:
        """Weighted indicators of the first factor and of the others (levels × rows), and totals."""
        from scipy import sparse

        n = len(self.codes[0])
        w = np.ones(n) if self.weights is None else self.weights

        def marks(codes: Indices) -> Any:
            size = int(codes.max()) + 1
            return sparse.csr_array(sparse.coo_array((w, (codes, np.arange(n))), shape=(size, n)))

        first: Any = marks(self.codes[self.order[0]])
        others = [marks(self.codes[j]) for j in self.order[1:]]
        totals: Any = np.bincount(self.codes[self.order[0]], weights=w)
        return first, sparse.csr_array(sparse.vstack(others)) if others else None, totals

    @cached_property
    def _crossed(self) -> tuple[Any, Any, Any]:
        """Blocks of the normal equations: others × others, first × others, its transpose."""
        from scipy import sparse

        first, others, _ = self._matrices
        plain = others.copy()
        plain.data = np.ones_like(plain.data)
        inner = sparse.csr_array(others @ plain.T)
        cross = sparse.csr_array(first @ plain.T)
        return inner, cross, sparse.csr_array(cross.T)

    def effects(self, columns: Array) -> list[Array]:
        """The effects of the levels that explain the columns best: (levels, q), in `order`."""
        return self.swept(columns)[1]

    def residuals(self, columns: Array) -> Array:
        """The columns less what the factors explain."""
        return self.swept(columns)[0]

    def swept(self, columns: Array) -> tuple[Array, list[Array]]:
        """Residuals and effects; the second pass takes away what the first one's rounding left."""
        rest = np.array(columns, dtype=np.float64)
        total: list[Array] = []
        squares = rest**2 if self.weights is None else self.weights[:, None] * rest**2
        scale = squares.sum(axis=0)  # no right side is longer, in the norm the solver looks at
        for tolerance in _TOLERANCES:
            found = self._step(rest, tolerance**2 * scale)
            for j, effect in zip(self.order, found, strict=True):
                rest -= effect[self.codes[j]]
            total = [a + b for a, b in zip(total, found, strict=True)] if total else found
        return rest, total

    def _step(self, columns: Array, goal: Array) -> list[Array]:
        first, others, totals = self._matrices
        right = first @ columns
        if others is None:
            return [right / totals[:, None]]
        inner, cross, back = self._crossed
        target = others @ columns - back @ (right / totals[:, None])
        diagonal = self._diagonal[:, None]

        def system(v: Array) -> Array:
            return np.asarray(inner @ v - back @ ((cross @ v) / totals[:, None]))

        found = _conjugate_gradients(system, target, diagonal, goal)
        own = (right - cross @ found) / totals[:, None]
        sizes = np.cumsum([int(self.codes[j].max()) + 1 for j in self.order[1:]])[:-1]
        return [own, *np.split(found, sizes)]

    @cached_property
    def _diagonal(self) -> Array:
        """The diagonal of the system from which the first factor is eliminated, for scaling."""
        _, _, totals = self._matrices
        inner, cross, _ = self._crossed
        squares = cross.copy()
        squares.data = squares.data**2
        own = inner.diagonal()
        left = own - squares.T @ (1.0 / totals)
        return np.asarray(np.where(left > 1e-12 * own, left, own))

    @cached_property
    def rank(self) -> int:
        """Of all indicators together; of three factors or more an upper bound."""
        sizes = [int(self.codes[j].max()) + 1 for j in self.order]
        if len(sizes) == 1:
            return sizes[0]
        rank = sizes[0] + sizes[1] - self._components(self.order[0], self.order[1])
        for j, size in zip(self.order[2:], sizes[2:], strict=True):
            lost = max(self._components(i, j) for i in self.order[: self.order.index(j)])
            rank += size - lost
        return rank

    def _components(self, one: int, two: int) -> int:
        """Groups of levels that no row connects."""
        from scipy import sparse
        from scipy.sparse.csgraph import connected_components

        a, b = self.codes[one], self.codes[two]
        sizes = int(a.max()) + 1, int(b.max()) + 1
        graph = sparse.coo_array((np.ones(len(a)), (a, b + sizes[0])), shape=(sum(sizes),) * 2)
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
