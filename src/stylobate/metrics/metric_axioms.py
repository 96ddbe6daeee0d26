"""Is it a metric? The axioms held against points, with the points that break them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data.sparse import check_sparse
from stylobate.data.words import Input
from stylobate.distances import Metric
from stylobate.exceptions import InvalidDataError

_MOST = 400  # points: all triples of them take a second


@dataclass(frozen=True, slots=True, eq=False)
class MetricReport:
    """What distances between points say about a function that should be a metric.

    Attributes
    ----------
    n : int
        Points compared.
    broken : dict from axiom to sentence
        Of "finite", "not negative", "identity", "symmetry", "triangle"; empty if all hold.
    indistinct : tuple of pairs
        Different points at distance 0: it is then a pseudometric.
    """

    n: int
    broken: dict[str, str]
    indistinct: tuple[tuple[int, int], ...]

    @property
    def holds(self) -> bool:
        """Whether nothing speaks against a metric on these points."""
        return not self.broken and not self.indistinct

    def __str__(self) -> str:
        """The verdict in sentences."""
        said = list(self.broken.values())
        if self.indistinct:
            i, j = self.indistinct[0]
            said.append(f"Points {i} and {j} differ but have distance 0: a pseudometric at best.")
        if not said:
            return (
                f"Nothing against a metric on these {self.n} points: finite, not negative, 0 from "
                "a point to itself only, symmetric, and no detour is shorter."
            )
        return "Not a metric. " + " ".join(said)


def check_metric(
    distance: Callable[[Any, Any], float] | Any, X: Any | None = None, *, tolerance: float = 1e-10
) -> MetricReport:
    r"""Hold a distance against the axioms of a metric, on points.

    :math:`d(x, y) \ge 0`; :math:`d(x, y) = 0 \iff x = y`; :math:`d(x, y) = d(y, x)`;
    :math:`d(x, z) \le d(x, y) + d(y, z)`.

    Parameters
    ----------
    distance : str, callable, Metric, or array of shape (n, n)
        A metric's name or a function of two points; or all distances, then X may be left out.
    X : sequence of points, default=None
        At most 400 of them are used, evenly spread.
    tolerance : float in [0, inf), default=1e-10
        Differences up to this share of the largest distance count as rounding.

    Returns
    -------
    MetricReport

    Examples
    --------
    >>> print(check_metric(lambda x, y: (x - y) ** 2, [0.0, 1.0, 2.0]))
    Not a metric. The detour is shorter: d(0, 2) = 4 > d(0, 1) + d(1, 2) = 2.
    >>> check_metric(lambda x, y: abs(x - y), [0.0, 1.0, 2.0]).holds
    True

    References
    ----------
    Fréchet (1906), Sur quelques points du calcul fonctionnel.
    """
    points = None if X is None else _chosen(X)
    d = _all_distances(distance, points)
    broken: dict[str, str] = {}
    if not np.isfinite(d).all():
        i, j = np.argwhere(~np.isfinite(d))[0]
        broken["finite"] = f"d({i}, {j}) = {d[i, j]}, which is not a finite number."
        return MetricReport(len(d), broken, ())
    slack = tolerance * float(np.abs(d).max(initial=0.0))
    if d.min(initial=0.0) < -slack:
        i, j = np.unravel_index(int(np.argmin(d)), d.shape)
        broken["not negative"] = f"d({i}, {j}) = {d[i, j]:g} is negative."
    own = np.abs(np.diagonal(d))
    if own.max(initial=0.0) > slack:
        i = int(np.argmax(own))
        broken["identity"] = f"d({i}, {i}) = {d[i, i]:g}, but a point is at distance 0 of itself."
    gap = np.abs(d - d.T)
    if gap.max(initial=0.0) > slack:
        i, j = np.unravel_index(int(np.argmax(gap)), d.shape)
        broken["symmetry"] = f"d({i}, {j}) = {d[i, j]:g}, but d({j}, {i}) = {d[j, i]:g}."
    _check_triangle(d, slack, broken)
    return MetricReport(len(d), broken, _indistinct(d, points, slack))


def _chosen(X: Any) -> list[Any]:
    check_sparse(X, Input("check_metric", "X"))
    points = list(X.to_numpy() if hasattr(X, "to_numpy") else X)
    if len(points) <= _MOST:
        return points
    return [points[i] for i in np.linspace(0, len(points) - 1, _MOST).astype(int)]


def _all_distances(distance: Any, points: list[Any] | None) -> Array:
    if isinstance(distance, str | Metric):
        from stylobate.metrics.pairwise import pairwise_distances

        if points is None:
            raise InvalidDataError(f"check_metric: give points as X, to be compared by {distance}.")
        d = np.asarray(pairwise_distances(points, metric=distance), dtype=np.float64)
    elif points is None:
        d = np.asarray(distance, dtype=np.float64)
    else:
        d = np.array([[float(distance(x, y)) for y in points] for x in points])
        d = d.reshape(len(points), len(points))
    if d.ndim != 2 or d.shape[0] != d.shape[1]:
        raise InvalidDataError(
            f"check_metric: distances must be a square matrix, got shape {d.shape}; or give a "
            "function of two points, and points as X."
        )
    return d


def _check_triangle(d: Array, slack: float, broken: dict[str, str]) -> None:
    worst, triple = slack, None
    for middle in range(len(d)):
        excess = d - d[:, [middle]] - d[[middle], :]
        place = int(np.argmax(excess))
        if excess.flat[place] > worst:
            start, end = np.unravel_index(place, d.shape)
            worst, triple = float(excess.flat[place]), (int(start), middle, int(end))
    if triple is not None:
        i, middle, j = triple
        broken["triangle"] = (
            f"The detour is shorter: d({i}, {j}) = {d[i, j]:g} > d({i}, {middle}) + "
            f"d({middle}, {j}) = {d[i, middle] + d[middle, j]:g}."
        )


def _indistinct(d: Array, points: list[Any] | None, slack: float) -> tuple[tuple[int, int], ...]:
    if points is None:
        return ()
    pairs = np.argwhere(np.triu(np.abs(d) <= slack, k=1))
    different = [(int(i), int(j)) for i, j in pairs if not np.array_equal(points[i], points[j])]
    return tuple(different)
