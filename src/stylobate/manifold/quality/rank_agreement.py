"""How far ranks by distance agree before and after an embedding."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stylobate import _core
from stylobate.arrays import Array, Integers
from stylobate.manifold.row_distances import RowDistances

_MOST_POINTS = 200  # of a curve that is kept


@dataclass(frozen=True, slots=True, eq=False)
class RankAgreement:
    r"""Ranks of all rows seen from some of them, in two spaces.

    Parameters
    ----------
    kept : ndarray of shape (m,)
        Of the k nearest rows of each, the number that are so in both spaces.
    intruded, lost : ndarray of shape (m,)
        :math:`\sum (r - k)` over the k nearest in the second space, r the rank in the first; and
        the other way round.
    larger : ndarray of shape (n,)
        How many pairs have 0, 1, … n - 1 as the larger of their two ranks.
    k : int
    """

    kept: Integers
    intruded: Integers
    lost: Integers
    larger: Integers
    k: int

    @property
    def kept_shares(self) -> Array:
        """Of each row the share of its k nearest that are kept."""
        return np.asarray(self.kept / self.k)

    @property
    def trust(self) -> Array:
        """The trustworthiness of each row; their mean is the embedding's."""
        return self._relative(self.intruded)

    @property
    def continuity(self) -> Array:
        """The continuity of each row; their mean is the embedding's."""
        return self._relative(self.lost)

    def _relative(self, excess: Integers) -> Array:
        return np.asarray(1.0 - excess * largest_excess(len(self.larger), self.k))

    def curve(self) -> NeighborhoodCurve:
        """Neighbourhoods of every size."""
        n, seen = len(self.larger), len(self.kept)
        sizes = np.arange(1, n - 1)
        q = np.cumsum(self.larger[1:-1]) / (seen * sizes)
        r = ((n - 1) * q - sizes) / (n - 1 - sizes)
        area = float(np.sum(r / sizes) / np.sum(1.0 / sizes))
        some = np.unique(np.geomspace(1, n - 2, _MOST_POINTS).round().astype(np.int64)) - 1
        return NeighborhoodCurve(sizes[some], q[some], r[some], area)


@dataclass(frozen=True, slots=True, eq=False)
class NeighborhoodCurve:
    r"""The share of neighbours kept, for neighbourhoods of K = 1 to n - 2 rows.

    .. math:: R_{NX}(K) = \frac{(n - 1) Q_{NX}(K) - K}{n - 1 - K}

    is 1 where all are kept and 0 where as many are as by chance.

    Parameters
    ----------
    sizes : ndarray
        K, about evenly on a log scale.
    q_nx, r_nx : ndarray
        The share kept, and the share above chance.
    area : float
        The mean of R over all K, weighted by 1/K: small neighbourhoods count most.

    References
    ----------
    Lee, Peluffo-Ordóñez & Verleysen (2015), Multi-scale similarities in stochastic neighbour
    embedding, Neurocomputing 169.
    """

    sizes: Integers
    q_nx: Array
    r_nx: Array
    area: float


def largest_excess(n: int, k: int) -> float:
    """2 / (k (2n - 3k - 1)): excess ranks times this are at most 1 for k < n / 2."""
    return 2.0 / (k * (2.0 * n - 3.0 * k - 1.0))


def rank_agreement(
    first: RowDistances, second: RowDistances, rows: Integers, k: int
) -> RankAgreement:
    """Ranks of all rows seen from `rows` in two spaces; O(m n) time, and memory of a block.

    >>> from stylobate.manifold.row_distances import read_rows
    >>> line = read_rows([[0.0], [1.0], [3.0], [7.0]], "euclidean", "example")
    >>> rank_agreement(line, line.reordered(np.array([1, 0, 2, 3])), np.arange(4), 1).kept
    array([1, 1, 0, 1])
    """
    parts = []
    for _, some in first.blocks(rows):
        own = np.ascontiguousarray(some, dtype=np.int64)
        parts.append(_core.rank_agreement(first.seen_from(some), second.seen_from(some), own, k))
    kept, intruded, lost, larger = zip(*parts, strict=True)
    return RankAgreement(
        kept=np.concatenate(kept).astype(np.int64),
        intruded=np.concatenate(intruded).astype(np.int64),
        lost=np.concatenate(lost).astype(np.int64),
        larger=np.sum(larger, axis=0, dtype=np.int64),
        k=k,
    )
