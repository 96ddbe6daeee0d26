"""The nearest rows of a table of any size, for queries in memory: a statistic of one pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices
from stylobate.base import BaseEstimator
from stylobate.base.sources import source_for
from stylobate.data import Table
from stylobate.data.streams import Batch, open_rows
from stylobate.distances import Function, Gower, Metric, Precomputed, measured
from stylobate.distances.maps import IDENTITY, Increasing, Map
from stylobate.exceptions import InvalidParameterError
from stylobate.neighbors.base import refuse_too_far, refuse_too_many
from stylobate.neighbors.indexes.brute import BruteIndex
from stylobate.neighbors.unsupervised import NearestNeighbors
from stylobate.statistics import Source


@dataclass(frozen=True, slots=True, eq=False)
class NearestRows:
    """The nearest rows of each query among the rows seen so far.

    Parameters
    ----------
    k : int
        How many are wanted.
    measures : array of shape (queries, at most k)
        What the core compares, squares for example, ascending. Distances would not do: two squares
        may have one root, and then the nearer row could not be told.
    rows : array of shape (queries, at most k)
        Their numbers; ascending where the measures are equal.

    Examples
    --------
    >>> one = NearestRows(2, np.array([[1.0, 4.0]]), np.array([[0, 1]]))
    >>> two = NearestRows(2, np.array([[1.0, 9.0]]), np.array([[3, 2]]))
    >>> two.merge(one).rows
    array([[0, 3]])
    """

    k: int
    measures: Array
    rows: Indices

    subtractable: ClassVar[bool] = False

    def merge(self, other: Self) -> Self:
        """Of the rows of both parts, which must be different rows of one table."""
        measures = np.hstack([self.measures, other.measures])
        rows = np.hstack([self.rows, other.rows])
        best = np.lexsort((rows, measures), axis=-1)[:, : self.k]
        nearest = np.take_along_axis(measures, best, axis=1)
        return type(self)(self.k, nearest, np.take_along_axis(rows, best, axis=1))

    def is_finite(self) -> bool:
        return True  # the door has looked at the rows

    def column_lengths(self) -> Array:
        return np.empty(0)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {"k": np.array([self.k]), "measures": self.measures, "rows": self.rows}

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> Self:
        return cls(int(arrays["k"][0]), np.array(arrays["measures"]), np.array(arrays["rows"]))


@dataclass(frozen=True, slots=True, eq=False)
class NearestTo:
    """The queries whose k nearest rows are to be known, and by what metric.

    Parameters
    ----------
    queries : ndarray or csr_array of shape (n, p)
        Checked.
    k : int
        How many rows.
    metric : Metric
        With all it takes from rows already given.
    """

    queries: Any
    k: int
    metric: Metric

    def of(self, table: Table) -> NearestRows:
        """Of the rows of a table, numbered from its first one on."""
        k, count = min(self.k, table.n_rows), self.queries.shape[0]
        if not k:
            return NearestRows(self.k, np.empty((count, 0)), np.empty((count, 0), dtype=np.intp))
        x = table.x.tocsr() if table.is_sparse else table.x
        if isinstance(self.metric, Function):
            measures, rows = BruteIndex(x, self.metric).query(self.queries, k)
        else:
            measures, found = measured(self.queries, x, self.metric).nearest_measures(k)
            rows = found.view(np.intp)
        return NearestRows(self.k, measures, rows + table.first_row)

    def distances(self, found: NearestRows) -> Array:
        """The metric's own numbers."""
        finish: Map | Increasing = IDENTITY
        if not isinstance(self.metric, Function):
            finish = self.metric.measured(self.queries[:1], self.queries[:1]).finish
        return finish(found.measures.copy())


def kneighbors(
    rows: Any,
    queries: Any,
    n_neighbors: int = 5,
    *,
    metric: Any = "minkowski",
    p: float = 2,
    metric_params: Mapping[str, Any] | None = None,
    features: Sequence[str] | None = None,
    return_distance: bool = True,
) -> Any:
    """The nearest rows of a table that need not fit into memory, in one pass over it.

    Every row is compared with every query, window by window; of each query only the nearest rows
    so far are kept. The answer is that of `NearestNeighbors` on all rows, to the last bit.

    Parameters
    ----------
    rows : stream, relation of `stylobate.read`, Arrow reader, iterable of batches, table-like
        What is searched; read once.
    queries : table-like of shape (n, n_features)
        Rows whose neighbours are wanted, in memory.
    n_neighbors : int in [1, inf), default=5
        How many of each.
    metric : str, callable or Metric, default="minkowski"
        As of `NearestNeighbors`. Variances of "seuclidean" and "mahalanobis" must be given;
        "gower" and "precomputed" need all rows.
    p : float in (0, inf], default=2
        Power of the Minkowski metric.
    metric_params : mapping, default=None
        Further arguments of the metric.
    features : sequence of str, default=None
        The columns of `rows` to compare; all by default.
    return_distance : bool, default=True
        Whether to return the distances.

    Returns
    -------
    distances : array of shape (n, n_neighbors), only if `return_distance`
        Sorted.
    indices : array of shape (n, n_neighbors)
        Numbers of rows, counted from 0 in the order they are read; rows at the same distance in
        their order.

    Examples
    --------
    >>> batches = [np.array([[0.0], [5.0]]), np.array([[2.0]])]
    >>> kneighbors(iter((each,) for each in batches), [[1.2]], 2)
    (array([[0.8, 1.2]]), array([[2, 0]]))
    """
    parameters = None if metric_params is None else dict(metric_params)
    model = NearestNeighbors(n_neighbors=n_neighbors, metric=metric, p=p, metric_params=parameters)
    model._check_parameters()
    source = rows_read_by(model, rows, "kneighbors", features=features)
    count = source.n_features  # the first rows are read: the model knows its columns and metric
    refuse_what_needs_rows(model._metric, "kneighbors")
    if not isinstance(model._metric, Function):
        model._metric.form(count)
    asked = model._read(queries, reset=False)
    recipe = NearestTo(asked.x[:], int(n_neighbors), model._metric)
    found = source.compute(recipe)
    refuse_too_many(n_neighbors, found.rows.shape[1], asked.n_rows)
    distances = recipe.distances(found)
    refuse_too_far(distances, "kneighbors")
    return (distances, found.rows) if return_distance else found.rows


def rows_read_by(
    model: BaseEstimator, rows: Any, owner: str, *, features: Any = None, weight: Any = None
) -> Source:
    """Rows in memory or not, through the door of a model, which remembers their columns."""
    first = True

    def read(batch: Batch) -> Table:
        nonlocal first
        table = model._read(batch.x, None, batch.weights, reset=first)
        first = False
        return table

    opened = open_rows(rows, owner, features=features, weight=weight)
    memory = opened.memory
    return source_for(opened.stream if memory is None else read(memory), read, owner)


def refuse_what_needs_rows(metric: Metric, owner: str) -> None:
    """Refuse metrics that are not of two rows alone, and those whose largest values are nearest."""
    if isinstance(metric, Gower | Precomputed):
        raise InvalidParameterError(
            f"{owner}: metric {metric.name!r} needs all rows at once; fit NearestNeighbors to "
            "rows in memory."
        )
    if metric.similarity:
        raise InvalidParameterError(
            f"{owner}: {metric.name!r} is a similarity, whose nearest rows have the largest "
            "values; use a distance such as 'cosine'."
        )
