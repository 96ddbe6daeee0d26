"""How far to trust a map of rows, as a whole and point by point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Integers
from stylobate.base.randomness import stream_of
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.manifold.quality.distance_correlation import distance_correlation
from stylobate.manifold.quality.rank_agreement import (
    NeighborhoodCurve,
    largest_excess,
    rank_agreement,
)
from stylobate.manifold.quality.trust import check_neighbors, read_both
from stylobate.manifold.row_distances import RowDistances

if TYPE_CHECKING:
    pass

_PERMUTATIONS = 5
_PERMUTED_ROWS = 60  # looked at in each permutation
_PAIRED_ROWS = 400  # whose distances to each other are correlated
_MEANS = ((0.75, "can be read roughly"), (0.5, "mean something"), (-1.0, "mean little here"))


@dataclass(frozen=True, slots=True)
class ChanceLevel:
    """What a random placement of the rows would give.

    Parameters
    ----------
    expected : float
        In closed form.
    permuted : float
        The mean over placements that exchange the rows of the map.
    standard_error : float
        Of `permuted`.
    """

    expected: float
    permuted: float
    standard_error: float


@dataclass(frozen=True, eq=False, repr=False)
class EmbeddingQuality:
    r"""What an embedding keeps of its rows; see `embedding_quality`.

    Parameters
    ----------
    n_rows, n_neighbors : int
        Rows of the table, and of a neighbourhood (k).
    rows : ndarray of shape (m,)
        The rows that were looked at: all, or a sample; values "by point" are theirs.
    embedding : ndarray of shape (m, d)
        Where the map has them.
    neighbors_kept : float
        The share of the k nearest rows that are among the k nearest in the map.
    neighbors_kept_by_point : ndarray of shape (m,)
    trustworthiness, continuity : float
        As of `trustworthiness` and `continuity`.
    trustworthiness_by_point, continuity_by_point : ndarray of shape (m,)
        Their means are the numbers above.
    curve : NeighborhoodCurve
        Shares kept in neighbourhoods of every size, :math:`Q_{NX}(K)` and :math:`R_{NX}(K)`.
    distance_correlation, distance_correlation_pearson : float
        Correlation of distances in the data and in the map, over pairs of sampled rows: of their
        ranks (Spearman), and of themselves.
    chance : dict of ChanceLevel
        What a random placement gives, by name of the measure.
    """

    n_rows: int
    n_neighbors: int
    rows: Integers
    embedding: NDArray[Any]
    neighbors_kept: float
    neighbors_kept_by_point: Array
    trustworthiness: float
    trustworthiness_by_point: Array
    continuity: float
    continuity_by_point: Array
    curve: NeighborhoodCurve
    distance_correlation: float
    distance_correlation_pearson: float
    chance: dict[str, ChanceLevel]

    @property
    def r_nx_area(self) -> float:
        """The area under the curve, with a log scale of K: 1 is perfect, 0 is chance."""
        return self.curve.area

    def summary(self) -> str:
        """All of it in a few sentences."""
        k, kept = self.n_neighbors, self.neighbors_kept
        near = "the nearest neighbours" if k == 1 else f"the {k} nearest neighbours"
        by_chance = self.chance["neighbors_kept"].expected
        r = self.distance_correlation
        means = next(words for least, words in _MEANS if r >= least)
        worst = float(np.quantile(self.neighbors_kept_by_point, 0.1))
        said = [
            f"{_percent(kept)} of {near} are kept ({_percent(by_chance)} by chance).",
            f"Distances between groups {means}: correlation {r:.2f}.",
        ]
        if worst == 0.0:
            said.append("A tenth of the points keep none of their neighbours.")
        elif worst < 1.0:
            said.append(f"A tenth of the points keep {_percent(worst)} or less of theirs.")
        if len(self.rows) < self.n_rows:
            said.append(f"Judged from {len(self.rows)} of {self.n_rows} rows.")
        return " ".join(said)

    def plot(self, *, axes: Any = None) -> NDArray[Any]:
        """The map coloured by how many neighbours each point keeps, and the curve.

        Parameters
        ----------
        axes : two matplotlib Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        ndarray of Axes
        """
        from stylobate.plot import plot_embedding_quality

        return plot_embedding_quality(self, axes=axes)

    def __repr__(self) -> str:
        return (
            f"EmbeddingQuality(neighbors_kept={self.neighbors_kept:.3f}, "
            f"trustworthiness={self.trustworthiness:.3f}, continuity={self.continuity:.3f}, "
            f"r_nx_area={self.r_nx_area:.3f}, "
            f"distance_correlation={self.distance_correlation:.3f})"
        )


def embedding_quality(
    X: Any,
    embedding: Any,
    *,
    n_neighbors: int = 15,
    metric: Any = "euclidean",
    sample: int = 2000,
    random_state: Any = 0,
) -> EmbeddingQuality:
    r"""What an embedding keeps of its rows: neighbours, ranks and distances, against chance.

    From each row that is looked at all others are ranked by distance, in the data and in the map.
    The share of the k nearest kept is :math:`Q_{NX}(k)`; a random placement keeps k / (n - 1) of
    them. Of rows at the same distance the first counts as the nearer.

    Parameters
    ----------
    X : table-like of shape (n, p), or distances of shape (n, n); n >= 3
        The data, or with ``metric="precomputed"`` their distances.
    embedding : table-like of shape (n, d)
        The map.
    n_neighbors : int in [1, inf), default=15
        k; where n / 2 is not more, the largest number below is taken.
    metric : str, callable or Metric, default="euclidean"
        Of the data; in the map distances are Euclidean.
    sample : int in [1, inf), default=2000
        The most rows to look from. Others are drawn upon as neighbours all the same: time is
        O(sample · n), memory that of a block.
    random_state : int, RandomState or None, default=0
        Of the sample and of the permutations.

    Returns
    -------
    EmbeddingQuality

    References
    ----------
    Lee & Verleysen (2009), Quality assessment of dimensionality reduction: rank-based criteria,
    Neurocomputing 72. Venna & Kaski (2001), Neighborhood preservation in nonlinear projection
    methods, ICANN.

    Examples
    --------
    >>> rows = np.random.default_rng(0).normal(size=(100, 3)) * [5.0, 3.0, 1.0]
    >>> quality = embedding_quality(rows, rows[:, :2])
    >>> print(quality.summary())  # doctest: +NORMALIZE_WHITESPACE
    93 % of the 15 nearest neighbours are kept (15 % by chance). Distances between groups can be
    read roughly: correlation 1.00. A tenth of the points keep 87 % or less of theirs.
    """
    owner = "embedding_quality"
    data, map_rows = read_both(X, embedding, metric, owner)
    n = data.count
    if n < 3:
        raise InvalidDataError(f"{owner}: at least 3 rows are needed; got {n}.")
    if not isinstance(sample, int | np.integer) or sample < 1:
        raise InvalidParameterError(
            f"{owner}: sample must be a whole number from 1 on; got {sample!r}."
        )
    k = n_neighbors
    if isinstance(k, int | np.integer) and k >= n / 2:
        k = (n - 1) // 2
    check_neighbors(k, n, owner)
    draws = stream_of(random_state)
    order = draws.permutation(n)
    rows = np.sort(order[:sample])
    found = rank_agreement(data, map_rows, rows, k)
    distances = distance_correlation(data, map_rows, order[:_PAIRED_ROWS], draws)
    chance = _by_chance(data, map_rows, k, draws)
    chance["distance_correlation"] = ChanceLevel(0.0, distances.permuted, distances.standard_error)
    return EmbeddingQuality(
        n,
        int(k),
        rows,
        _dense(map_rows.x[rows]),
        float(found.kept_shares.mean()),
        found.kept_shares,
        float(found.trust.mean()),
        found.trust,
        float(found.continuity.mean()),
        found.continuity,
        found.curve(),
        distances.spearman,
        distances.pearson,
        chance,
    )


def _by_chance(
    data: RowDistances, map_rows: RowDistances, k: int, draws: np.random.RandomState
) -> dict[str, ChanceLevel]:
    """Rank measures of random placements: in closed form, and of the map with its rows exchanged.

    Any rank from 1 to n - 1 is as likely then: the mean of max(0, r - k) is
    (n - 1 - k)(n - k) / (2(n - 1)).
    """
    n = data.count
    excess = k * (n - 1.0 - k) * (n - k) / (2.0 * (n - 1.0))
    trust = 1.0 - excess * largest_excess(n, k)
    measures = []
    for _ in range(_PERMUTATIONS):
        exchanged = map_rows.reordered(draws.permutation(n))
        rows = draws.permutation(n)[:_PERMUTED_ROWS]
        found = rank_agreement(data, exchanged, rows, k)
        means = [each.mean() for each in (found.kept_shares, found.trust, found.continuity)]
        measures.append([*means, found.curve().area])
    means = np.mean(measures, axis=0)
    errors = np.std(measures, axis=0, ddof=1) / _PERMUTATIONS**0.5
    names = ("neighbors_kept", "trustworthiness", "continuity", "r_nx_area")
    expected = (k / (n - 1.0), trust, trust, 0.0)
    levels = zip(names, expected, means, errors, strict=True)
    return {name: ChanceLevel(e, float(m), float(s)) for name, e, m, s in levels}


def _dense(x: Any) -> NDArray[Any]:
    return np.asarray(x.toarray() if hasattr(x, "toarray") else x)


def _percent(share: float) -> str:
    """A share in per cent, with a decimal only where it is small.

    >>> _percent(0.87), _percent(0.0031)
    ('87 %', '0.3 %')
    """
    value = 100.0 * share
    exact = 0.0 < value < 9.5 or 99.5 <= value < 100.0
    return f"{min(value, 99.9):.1f} %" if exact else f"{value:.0f} %"
