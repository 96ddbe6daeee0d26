"""Metrics of trees: how rows and queries become what the core's trees measure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics.pairwise.named import read_weights_of, whitening
from stylobate.metrics.pairwise.tiles import IDENTITY, ROOT, Map

EUCLIDEAN = ("euclidean", "l2")
MANHATTAN = ("cityblock", "l1", "manhattan")
CHEBYSHEV = ("chebyshev", "infinity")
POWERS = ("minkowski", "p")
KD_METRICS = (*EUCLIDEAN, *POWERS, *MANHATTAN, *CHEBYSHEV)
SETS = {"jaccard": 2.0, "dice": 1.0, "sokalsneath": 4.0}  # p of the core's measure "ruzicka"
MATCHES = ("rogerstanimoto", "sokalmichener")
BALL_METRICS = (
    *KD_METRICS, "seuclidean", "mahalanobis", "hamming", "canberra", "haversine", "braycurtis",
    *SETS, *MATCHES,
)  # fmt: skip
# scikit-learn's ball tree takes this one too, a row of which has a distance to itself: every ball
# would be as wide as the distances between balls, so all rows are looked at
COUNTED_METRICS = ("russellrao",)


class TreeMetric(NamedTuple):
    """A measure of the core, what it takes, and the way back to the metric's own numbers."""

    measure: str
    finish: Map = IDENTITY
    p: float = 2.0
    weights: Array | None = None
    change: Callable[[Array], Array] | None = None

    def prepare(self, x: Any) -> Array:
        """Rows or queries as the tree takes them."""
        table = np.asarray(x, dtype=np.float64)
        return table if self.change is None else self.change(table)


def tree_metric(metric: str, params: dict[str, Any], columns: int) -> TreeMetric:
    """The named metric with its parameters for rows of so many columns.

    Parameters
    ----------
    metric : str
        One of `BALL_METRICS`.
    params : dict
        ``p`` and ``w`` of minkowski, ``V`` of seuclidean and mahalanobis, ``VI`` of mahalanobis,
        ``w`` of most others.
    columns : int
        Columns of the rows.

    Examples
    --------
    >>> tree_metric("minkowski", {"p": 3}, 2).measure
    'power'
    """
    known = {"minkowski": {"p", "w"}, "p": {"p", "w"}, "seuclidean": {"V"}, "haversine": set()}
    known["mahalanobis"] = {"V", "VI"}
    strange = set(params) - known.get(metric, {"w"})
    if strange:
        raise InvalidParameterError(
            f"metric {metric!r} takes {', '.join(sorted(known.get(metric, {'w'}))) or 'nothing'}; "
            f"got {', '.join(sorted(strange))}."
        )
    if metric in KD_METRICS:
        return _power(_exponent(metric, params), params.get("w"), columns)
    if metric == "seuclidean":
        return _seuclidean(params.get("V"), columns)
    if metric == "mahalanobis":
        return _mahalanobis(params.get("V"), params.get("VI"), columns)
    if metric == "haversine":
        return _haversine(columns)
    w = params.get("w")
    weights = None if w is None else read_weights_of(w, columns)
    if metric == "canberra":
        return TreeMetric("canberra", weights=weights)
    if metric == "braycurtis":
        return TreeMetric("ruzicka", p=1.0, weights=weights)
    if metric in SETS:
        return TreeMetric("ruzicka", p=SETS[metric], weights=weights, change=_as_sets)
    weights = np.ones(columns) if weights is None else weights
    if metric in MATCHES:  # 2 h / (1 + h) of hamming's h
        share = Map("share", a=2.0, b=float(weights.sum()))
        return TreeMetric("hamming", share, weights=weights, change=_as_sets)
    return TreeMetric("hamming", Map("scale", a=1.0 / weights.sum()), weights=weights)


def _as_sets(x: Array) -> Array:
    return np.asarray(x != 0, dtype=np.float64)


def _exponent(metric: str, params: dict[str, Any]) -> float:
    if metric in POWERS:
        return float(params.get("p", 2.0))
    return 1.0 if metric in MANHATTAN else 2.0 if metric in EUCLIDEAN else np.inf


def _power(p: float, w: Any, columns: int) -> TreeMetric:
    if not p > 0:
        raise InvalidParameterError(f"minkowski: p must be above 0, got {p!r}.")
    change = None
    if w is not None:
        weights = read_weights_of(w, columns)
        change = _scaling(np.asarray(weights > 0 if np.isinf(p) else weights ** (1.0 / p)))
    if np.isinf(p):
        return TreeMetric("chebyshev", change=change)
    if p == 1:
        return TreeMetric("manhattan", change=change)
    if p == 2:
        return TreeMetric("squared", ROOT, change=change)
    return TreeMetric("power", Map("power_root", p=p), p, change=change)


def _scaling(factors: NDArray[Any]) -> Callable[[Array], Array]:
    return lambda x: x * factors


def _seuclidean(V: Any, columns: int) -> TreeMetric:
    if V is None:
        raise InvalidParameterError("seuclidean: give V, the variance of every column.")
    variances = np.asarray(V, dtype=np.float64)
    if variances.shape != (columns,) or not (variances > 0).all():
        raise InvalidParameterError(
            f"seuclidean: V must be {columns} variances of the columns, all above 0."
        )
    return TreeMetric("squared", ROOT, change=_scaling(1.0 / np.sqrt(variances)))


def _mahalanobis(V: Any, VI: Any, columns: int) -> TreeMetric:
    if V is None and VI is None:
        raise InvalidParameterError(
            "mahalanobis: give V, the covariance matrix, or VI, its inverse."
        )
    whiten = whitening(np.linalg.inv(V) if VI is None else VI, columns)
    return TreeMetric("squared", ROOT, change=lambda x: x @ whiten)


def _haversine(columns: int) -> TreeMetric:
    if columns != 2:
        raise InvalidDataError(
            "Haversine distance only valid in 2 dimensions: latitude and longitude in radians; "
            f"got {columns} columns."
        )
    return TreeMetric(
        "haversine",
        Map("arc"),
        change=lambda x: np.column_stack([x / 2.0, np.cos(x[:, 0])]),
    )
