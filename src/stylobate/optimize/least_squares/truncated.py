"""Least squares by a truncated singular value decomposition of the triangular factor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.interrupts import interruptible
from stylobate.optimize.least_squares.quadratic import EPS, null_basis, project_on
from stylobate.parallel import blas_for

Ranks = NDArray[np.intp] | list[int]  # one for each target


@dataclass(frozen=True, slots=True)
class TruncatedSVD:
    r"""min ‖Rw − z‖² over the leading singular directions of R, its columns brought to length one.

    .. math:: R D^{-1} = U S V^\top, \quad w_k = D^{-1} V_k S_k^{-1} U_k^\top z, \quad
              f(w_k) = \rho^2 + \sum_{i \ge k} (u_i^\top z)^2

    Parameters
    ----------
    design, z : arrays (p, p) and (p, t)
        R of the (centred, penalised) columns, and what the targets are in their space.
    outside : array (t,)
        ρ²: squares of the targets outside the space of the columns.
    lengths, raw : arrays (p,)
        Of the columns of R (inf: nothing but rounding), and of the rows' own, not centred.
    u, s, vt : arrays
        The decomposition.
    tolerance : float
        Singular value, relative to the largest, that rounding can make.

    Examples
    --------
    >>> r = np.array([[2.0, 2.0, 4.0], [0.0, 0.0, 1.0], [0.0, 0.0, 3.0]])  # two equal columns
    >>> svd = TruncatedSVD.of(r, 2, np.array([2.0, 2.0]), 1e-14)
    >>> svd.rank, svd.coef([1]).ravel().round(9).tolist(), svd.objectives([1]).round(9).tolist()
    (1, [1.0, 1.0], [10.0])
    """

    design: Array
    z: Array
    outside: Array
    lengths: Array
    raw: Array
    u: Array
    s: Array
    vt: Array
    tolerance: float

    @classmethod
    def of(cls, r: Array, n_features: int, raw: Array, tolerance: float) -> Self:
        """Of the factor R of [X, y], whose first columns are the features."""
        p = n_features
        design, z, below = r[:p, :p], r[:p, p:], r[p:, p:]
        lengths = np.sqrt((design**2).sum(axis=0))
        lengths = np.where(lengths > tolerance * raw, lengths, np.inf)  # constant: counts as zero
        with blas_for(len(lengths)):
            u, s, vt = interruptible(np.linalg.svd, design / lengths, full_matrices=False)
        return cls(design, z, (below**2).sum(axis=0), lengths, raw, u, s, vt, tolerance)

    @property
    def rank(self) -> int:
        """Directions that are not only rounding."""
        return int(np.count_nonzero(self.s > self.tolerance * self.s[:1].sum()))

    def rank_above(self, cutoff: float) -> int:
        """Directions, of those, whose singular value exceeds that share of the largest."""
        return min(self.rank, int(np.count_nonzero(self.s > cutoff * self.s[:1].sum())))

    def condition(self, rank: int) -> float:
        """Ratio of the largest to the smallest singular value of the leading ones."""
        return float(self.s[0] / self.s[rank - 1]) if rank else 1.0

    def has_gap(self, rounding: float) -> bool:
        """Whether all that is left out at `rank` is no more than `rounding`.

        Where it is more, singular values fade into rounding and the columns have no rank that the
        numbers could tell.
        """
        doubtful = self.s[self.rank :] > rounding * self.s[:1].sum()
        lengths = np.sqrt((self.design**2).sum(axis=0))
        nearly_constant = np.isinf(self.lengths) & (lengths > rounding * self.raw)
        return not bool(doubtful.any() or nearly_constant.any())

    def objectives(self, ranks: Ranks) -> Array:
        """f(w_k) of each target at its own rank, in exact arithmetic."""
        left_out = np.arange(len(self.s))[:, None] >= np.asarray(ranks)
        return np.asarray(self.outside + (left_out * self._turned**2).sum(axis=0))

    def coef(self, ranks: Ranks) -> Array:
        """w_k (p × t), each target at its own rank, shortest in the columns' own units.

        Directions left out are then taken out in those units as well, so that equal columns get
        equal coefficients; not where that would lengthen the residual, as it does where directions
        are nearly flat, but not quite, and coefficients large.
        """
        ranks = np.asarray(ranks)
        plain = self._scaled(ranks) / self.lengths[:, None]
        scale = np.where(np.isinf(self.lengths), 1.0, 1.0 / self.lengths)
        shortest = plain.copy()
        for rank in np.unique(ranks):
            flat = null_basis(self.vt[rank:].T, scale)
            shortest[:, ranks == rank] -= project_on(flat, plain[:, ranks == rank])
        rounding = (32.0 * EPS) ** 2 * ((self.z**2).sum(axis=0) + self._sizes(plain))
        kept = self._squares(shortest) <= (1.0 + 1e-9) * self._squares(plain) + rounding
        return np.where(kept, shortest, plain)

    def best_ranks(self, most: int) -> NDArray[np.intp]:
        """Rank of each target, of at most so many, whose rounded predictions should fit best (t).

        Minimises f(w_k) + ε²·Σⱼ ‖xⱼ‖²wⱼ²: what a direction gains against the rounding of xᵀw that
        its coefficients bring.
        """
        ranks = np.zeros(self.z.shape[1], dtype=np.intp)
        for t in range(len(ranks)):
            parts = self.vt[:most].T * (self._turned[:most, t] / self.s[:most])
            steps = np.cumsum(parts, axis=1) / self.lengths[:, None]
            noise = EPS**2 * (self.raw**2 @ steps**2)
            values = [self.objectives([k] * len(ranks))[t] for k in range(most + 1)]
            ranks[t] = int(np.argmin(np.array(values) + np.concatenate([[0.0], noise])))
        return ranks

    @property
    def _turned(self) -> Array:
        return np.asarray(self.u.T @ self.z)

    def _scaled(self, ranks: NDArray[np.intp]) -> Array:
        """Coefficients of the columns of length one."""
        used = np.arange(len(self.s))[:, None] < ranks
        shares = np.divide(self._turned, self.s[:, None], out=np.zeros_like(self.z), where=used)
        return np.asarray(self.vt.T @ shares)

    def _squares(self, coef: Array) -> Array:
        return np.asarray(((self.design @ coef - self.z) ** 2).sum(axis=0))

    def _sizes(self, coef: Array) -> Array:
        """Σⱼ ‖xⱼ‖²wⱼ² of each target."""
        return np.asarray(self.raw**2 @ coef**2)
