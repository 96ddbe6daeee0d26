"""Shepard's diagram: distances in a map against the dissimilarities they stand for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate import _core
from stylobate.arrays import Array
from stylobate.data import read_table
from stylobate.exceptions import InvalidDataError
from stylobate.manifold.scaling.dissimilarities import checked_dissimilarities

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False)
class ShepardDiagram:
    """Pairs of points, in the order of their dissimilarities.

    Parameters
    ----------
    dissimilarities, distances : arrays of shape (m,)
        Given, and in the map.
    disparities : array of shape (m,)
        The increasing function of the dissimilarities that is nearest to the distances.
    stress, rank_stress : float
        Kruskal's stress-1 of the distances against the dissimilarities (times the factor that fits
        best), and against the disparities.
    rank_correlation : float
        Spearman's correlation of dissimilarities and distances.
    """

    dissimilarities: Array
    distances: Array
    disparities: Array
    stress: float
    rank_stress: float
    rank_correlation: float

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """The pairs as points, the disparities as a line."""
        from stylobate.plot import plot_shepard

        return plot_shepard(self, ax=ax)


def shepard_diagram(
    dissimilarities: Any, embedding: Any, *, max_pairs: int = 100_000, random_state: int = 0
) -> ShepardDiagram:
    """Compare distances in a map with the dissimilarities it was made from.

    Parameters
    ----------
    dissimilarities : array-like of shape (n, n)
        Symmetric; pairs with NaN are left out.
    embedding : array-like of shape (n, k)
        Positions.
    max_pairs : int in [1, inf), default=100000
        Of more pairs a random sample is taken.
    random_state : int, default=0
        Seed of the sample.

    Returns
    -------
    ShepardDiagram

    References
    ----------
    Shepard (1962), The analysis of proximities, Psychometrika 27.

    Examples
    --------
    >>> line = np.array([[0.0], [1.0], [3.0]])
    >>> diagram = shepard_diagram(np.abs(line - line.T) ** 2, line)
    >>> diagram.rank_stress, diagram.rank_correlation
    (0.0, 1.0)
    """
    delta = checked_dissimilarities(dissimilarities, "shepard_diagram")
    z = np.asarray(read_table(embedding, owner="shepard_diagram").x, dtype=np.float64)
    if len(z) != len(delta):
        raise InvalidDataError(
            f"shepard_diagram: {len(delta)} points have dissimilarities, {len(z)} a position."
        )
    first, second = _pairs(len(z), max_pairs, random_state)
    given = delta[first, second]
    known = ~np.isnan(given)
    if not known.any():
        raise InvalidDataError("shepard_diagram: there is no pair with a known dissimilarity.")
    first, second, given = first[known], second[known], given[known]
    distances = np.linalg.norm(z[first] - z[second], axis=1)
    order = np.lexsort([distances, given])
    given, distances = given[order], distances[order]
    fitted = np.asarray(_core.isotonic(np.ascontiguousarray(distances)))
    scale = float(given @ distances) / (float(given @ given) or 1.0)
    return ShepardDiagram(
        given,
        distances,
        fitted,
        _stress(distances, scale * given),
        _stress(distances, fitted),
        _rank_correlation(given, distances),
    )


def _pairs(n: int, most: int, seed: int) -> tuple[Any, Any]:
    count = n * (n - 1) // 2
    if count <= most:
        return np.triu_indices(n, 1)
    draws = np.random.default_rng(seed)
    first = draws.integers(0, n, most)
    second = (first + draws.integers(1, n, most)) % n
    return first, second


def _stress(distances: Array, wanted: Array) -> float:
    size = float(distances @ distances)
    return float(np.sqrt(((distances - wanted) ** 2).sum() / size)) if size > 0 else 0.0


def _rank_correlation(a: Array, b: Array) -> float:
    from scipy.stats import rankdata

    left, right = (np.asarray(rankdata(x)) - 0.5 * (len(x) + 1) for x in (a, b))
    size = float(np.sqrt((left @ left) * (right @ right)))
    return float(left @ right) / size if size > 0 else float("nan")
