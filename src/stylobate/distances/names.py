"""The metrics by their names: what every ``metric=`` comes to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np

from stylobate.distances.counts import (
    Dice,
    Hamming,
    Jaccard,
    RogersTanimoto,
    RussellRao,
    SokalSneath,
    Yule,
)
from stylobate.distances.directions import Angular, Correlation, Cosine, Inner
from stylobate.distances.given import Function, Precomputed
from stylobate.distances.gower import Gower
from stylobate.distances.metric import Metric
from stylobate.distances.powers import (
    Chebyshev,
    Euclidean,
    Manhattan,
    Minkowski,
    NanEuclidean,
    SquaredEuclidean,
)
from stylobate.distances.scaled import Mahalanobis, StandardizedEuclidean
from stylobate.distances.shares import BrayCurtis, Canberra
from stylobate.distances.sphere import Haversine
from stylobate.distances.tiles import Measured
from stylobate.exceptions import InvalidParameterError, UnsupportedDataError

_CLASSES: tuple[type[Metric], ...] = (
    Euclidean, Minkowski, Manhattan, Chebyshev, SquaredEuclidean, NanEuclidean,
    StandardizedEuclidean, Mahalanobis, Haversine, Cosine, Angular, Correlation, Inner, Canberra,
    BrayCurtis, Hamming, Jaccard, Dice, SokalSneath, RogersTanimoto, RussellRao, Yule, Gower,
    Precomputed,
)  # fmt: skip
METRICS: dict[str, type[Metric]] = {name: kind for kind in _CLASSES for name in kind.names}


def metric_of(
    metric: Any, params: Mapping[str, Any] | None = None, owner: str | None = None
) -> Metric:
    """The metric that a name, a function or a metric with parameters stands for.

    Parameters
    ----------
    metric : str, callable or Metric
        One of `METRICS`, a function of two rows, or a metric.
    params : mapping, default=None
        Its parameters: ``p``, ``w``, ``V``, ``VI`` …; of a function, further arguments.
    owner : str, default=None
        Named in refusals.

    Returns
    -------
    Metric

    Examples
    --------
    >>> metric_of("l2"), metric_of("minkowski", {"p": 3})
    (Euclidean(w=None, squared=False), Minkowski(p=3, w=None))
    """
    own = dict(params or {})
    if isinstance(metric, Metric):
        return replace(metric, **_known(metric.name, type(metric), own)) if own else metric  # type: ignore[type-var]
    if callable(metric):
        return Function(metric, own)
    if not isinstance(metric, str) or metric not in METRICS:
        names = ", ".join(sorted(set(METRICS) - {"inner", "precomputed"}))
        raise InvalidParameterError(
            f"{owner + ': ' if owner else ''}metric must be a function, 'precomputed' or one of "
            f"{names}; got {metric!r}."
        )
    return METRICS[metric](**_known(metric, METRICS[metric], own))


def measured(x: Any, y: Any, metric: Any = "euclidean", **params: Any) -> Measured:
    """Two checked tables under a metric.

    Parameters
    ----------
    x, y : ndarray or csr_array
        Queries and rows, checked; the same object for one table.
    metric : str or Metric, default="euclidean"
        As of `metric_of`; ``inner`` is the inner product, ranked from the largest.
    **params
        The metric's own.

    Returns
    -------
    Measured

    Examples
    --------
    >>> import numpy as np
    >>> a = np.array([[0.0, 0.0], [1.0, 1.0], [3.0, 0.0]])
    >>> distances, rows = measured(a, a, "manhattan").nearest(2)
    >>> rows
    array([[0, 1],
           [1, 0],
           [2, 0]])
    """
    made = metric_of(metric, params)
    if not made.sparse and not (isinstance(x, np.ndarray) and isinstance(y, np.ndarray)):
        raise UnsupportedDataError(
            f"metric {made.name!r} takes dense tables only; sparse ones can be compared by "
            f"{', '.join(names_where(lambda each: each.sparse and not each.similarity))}."
        )
    return (made.learnt(x) if y is x else made).measured(x, y)


def _known(name: str, kind: Any, params: dict[str, Any]) -> dict[str, Any]:
    if not params:
        return params
    known = [each.name for each in fields(kind) if each.name not in _LEARNT]
    strange = set(params) - set(known)
    if strange:
        raise InvalidParameterError(
            f"metric {name!r} takes {', '.join(known) or 'no parameters'}; got "
            f"{', '.join(sorted(strange))}: it has no other parameters."
        )
    return params


_LEARNT = ("reach", "columns")  # that no caller gives


def names_where(has: Callable[[Metric], bool]) -> list[str]:
    """The names of the metrics of which something is so, with their default parameters.

    Examples
    --------
    >>> names_where(lambda metric: metric.boxes)[:3]
    ['euclidean', 'l2', 'minkowski']
    """
    return [name for name, kind in METRICS.items() if has(kind())]
