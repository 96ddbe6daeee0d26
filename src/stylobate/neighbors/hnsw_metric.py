"""Metrics of the approximate index: rows and queries as points whose distance is walked by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.metrics.pairwise.named import row_norms, unit_rows
from stylobate.metrics.pairwise.tiles import Map
from stylobate.neighbors.tree_metric import EUCLIDEAN, MANHATTAN, POWERS, tree_metric

DIRECTIONS = ("cosine", "angular")
HNSW_METRICS = (
    *EUCLIDEAN, "sqeuclidean", *MANHATTAN, *POWERS, *DIRECTIONS, "inner", "seuclidean",
    "mahalanobis",
)  # fmt: skip


@dataclass(frozen=True)
class HnswMetric:
    """A metric as squared distances, or sums of absolute differences, of prepared points.

    Parameters
    ----------
    name : str
        One of `HNSW_METRICS`.
    params : dict
        The metric's own.
    columns : int
        Columns of the rows.
    reach : float
        Largest norm of a row, for ``inner``.

    Examples
    --------
    >>> metric = HnswMetric("cosine", {}, 2)
    >>> metric.rows(np.array([[3.0, 4.0]]))
    array([[0.6, 0.8, 0. ]])
    """

    name: str
    params: dict[str, Any] = field(default_factory=dict)
    columns: int = 1
    reach: float = 0.0

    @property
    def manhattan(self) -> bool:
        """Whether points are compared by absolute differences."""
        powers = self.name in POWERS and self.params.get("p", 2) == 1
        return self.name in MANHATTAN or powers

    def rows(self, x: Any) -> NDArray[Any]:
        """Rows as points."""
        if self.name in DIRECTIONS:
            # a zero row has no direction: one more column keeps it at a right angle to all others
            unit, zero = unit_rows(x)
            return np.hstack([unit, zero[:, None].astype(np.float64)])
        if self.name == "inner":
            # ‖(q, 0) − (x, √(r² − ‖x‖²))‖² = ‖q‖² + r² − 2 q·x: the nearest has the largest product
            rest = np.sqrt(np.maximum(self.reach**2 - row_norms(x) ** 2, 0.0))
            return np.hstack([np.asarray(x, dtype=np.float64), rest[:, None]])
        return _floats(self._change(x))

    def queries(self, x: Any) -> NDArray[Any]:
        """Queries as points."""
        if self.name in DIRECTIONS:
            return np.hstack([unit_rows(x)[0], np.zeros((len(x), 1))])
        if self.name == "inner":
            return np.hstack([x * self._stretch(x)[:, None], np.zeros((len(x), 1))])
        return _floats(self._change(x))

    def finish(self, values: Array, x: Any) -> Array:
        """The metric's own numbers from those of the core, for queries x."""
        if self.name in DIRECTIONS:
            values[row_norms(x) == 0] = 2.0
            return 0.5 * values if self.name == "cosine" else Map("arc")(0.25 * values)
        if self.name == "inner":
            stretch = self._stretch(x)
            square = (stretch * row_norms(x)) ** 2
            return np.asarray((square[:, None] + self.reach**2 - values) / (2 * stretch[:, None]))
        if self.manhattan or self.name == "sqeuclidean":
            return values
        return np.sqrt(values, out=values)

    def _stretch(self, x: Any) -> Array:
        """Factors that make queries as long as the longest row: the order stays."""
        norms = row_norms(x)
        usable = (norms > 0) & (self.reach > 0)
        return np.divide(self.reach, norms, out=np.ones(len(norms)), where=usable)

    def _change(self, x: Any) -> NDArray[Any]:
        if self.name == "sqeuclidean":
            return np.asarray(x)
        made = tree_metric(self.name, self.params, self.columns)
        change: Callable[[Any], Any] | None = made.change
        return np.asarray(x) if change is None else np.asarray(change(np.asarray(x)))


def hnsw_metric(metric: Any, params: dict[str, Any], rows: NDArray[Any]) -> HnswMetric:
    """The metric with its parameters for these rows, or a sentence why there is none.

    Examples
    --------
    >>> hnsw_metric("manhattan", {}, np.zeros((3, 2))).manhattan
    True
    """
    what = "a function" if callable(metric) else repr(metric)
    power = params.get("p", 2) if metric in POWERS else 2
    if callable(metric) or metric not in HNSW_METRICS or power not in (1, 2):
        what += f" with p={power!r}" if power not in (1, 2) else ""
        raise InvalidParameterError(
            f"Metric {what} not valid for algorithm='hnsw', which takes "
            f"{', '.join(HNSW_METRICS)} (minkowski with p=1 or p=2); algorithm='brute' takes every "
            "metric."
        )
    reach = float(row_norms(rows).max()) if metric == "inner" else 0.0
    return HnswMetric(str(metric), params, rows.shape[1], reach)


def _floats(x: NDArray[Any]) -> NDArray[Any]:
    kind = np.float32 if x.dtype == np.float32 else np.float64
    return np.ascontiguousarray(x, dtype=kind)
