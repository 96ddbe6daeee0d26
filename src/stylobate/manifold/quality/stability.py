"""How far several embeddings of the same rows agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array, Integers
from stylobate.exceptions import InvalidDataError
from stylobate.manifold.quality.trust import check_neighbors
from stylobate.manifold.row_distances import read_rows

_ROWS = 4096  # whose neighbours are compared at a time
_HALF = 1.0 / 3.0  # Jaccard's index of two sets that share half of their elements


@dataclass(frozen=True, eq=False, repr=False)
class EmbeddingStability:
    """How far embeddings agree on the neighbours of each row; see `embedding_stability`.

    Parameters
    ----------
    n_neighbors : int
        Neighbours of each row that are compared.
    overlap : float
        Mean Jaccard index of neighbour sets, over rows and pairs of embeddings.
    overlap_by_point : ndarray of shape (n,)
    overlap_of_pairs : ndarray of shape (m, m)
        Of each two embeddings, mean over rows.
    unstable : ndarray
        Rows with less than half of their neighbours in common (Jaccard index below 1/3), the
        least stable first.
    by_chance : float
        About what embeddings without anything in common would give.
    """

    n_neighbors: int
    overlap: float
    overlap_by_point: Array
    overlap_of_pairs: Array
    unstable: Integers
    by_chance: float

    def summary(self) -> str:
        """In a sentence or two."""
        m, n = len(self.overlap_of_pairs), len(self.overlap_by_point)
        return (
            f"Neighbours overlap by {self.overlap:.2f} on average between {m} embeddings "
            f"(1 is the same, {self.by_chance:.2g} chance). {len(self.unstable)} of {n} points "
            "share less than half of their neighbours."
        )

    def __repr__(self) -> str:
        return f"EmbeddingStability(overlap={self.overlap:.3f}, unstable={len(self.unstable)})"


def embedding_stability(embeddings: Sequence[Any], *, n_neighbors: int = 15) -> EmbeddingStability:
    r"""How far embeddings of the same rows, from several starts say, agree on neighbours.

    For each row and two embeddings, :math:`J = |A \cap B| / |A \cup B|` of the sets of its k
    nearest rows.

    Parameters
    ----------
    embeddings : sequence of table-likes of shape (n, d), two or more
        Of the same rows in the same order; d may differ.
    n_neighbors : int in [1, n / 2), default=15
        k.

    Returns
    -------
    EmbeddingStability

    Examples
    --------
    >>> line = np.arange(8.0)[:, np.newaxis]
    >>> round(embedding_stability([line, -line, line**2], n_neighbors=2).overlap, 2)
    0.94
    """
    owner = "embedding_stability"
    read = [read_rows(each, "euclidean", owner) for each in embeddings]
    counts = sorted({each.count for each in read})
    if len(read) < 2 or len(counts) != 1:
        raise InvalidDataError(
            f"{owner}: two or more embeddings of the same rows are needed; got {len(read)} with "
            f"{' and '.join(map(str, counts)) or 'no'} rows."
        )
    n, m = counts[0], len(read)
    check_neighbors(n_neighbors, n, owner)
    near = [each.nearest(n_neighbors) for each in read]
    of_pairs, by_point = np.eye(m), np.zeros(n)
    for i in range(m):
        for j in range(i):
            overlap = _jaccard(near[i], near[j])
            of_pairs[i, j] = of_pairs[j, i] = overlap.mean()
            by_point += overlap
    by_point /= m * (m - 1) / 2
    order = np.argsort(by_point, kind="stable")
    expected = n_neighbors**2 / (n - 1.0)
    return EmbeddingStability(
        int(n_neighbors),
        float(by_point.mean()),
        by_point,
        of_pairs,
        order[by_point[order] < _HALF],
        expected / (2.0 * n_neighbors - expected),
    )


def _jaccard(a: Integers, b: Integers) -> Array:
    """Of each row's two sets, the share of what is in either that is in both."""
    k, shared = a.shape[1], np.empty(len(a))
    for first in range(0, len(a), _ROWS):
        some = slice(first, first + _ROWS)
        shared[some] = (a[some, :, np.newaxis] == b[some, np.newaxis, :]).sum(axis=(1, 2))
    return np.asarray(shared / (2 * k - shared))
