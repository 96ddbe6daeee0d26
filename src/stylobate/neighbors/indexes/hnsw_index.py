"""`HNSWIndex`: the approximate index to be asked directly, beside `KDTree` and `BallTree`."""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn

import numpy as np
from numpy.typing import NDArray

from stylobate.distances import metric_of
from stylobate.exceptions import InvalidDataError
from stylobate.metrics.intervals.interval import Interval
from stylobate.neighbors.indexes.brute import checked_count
from stylobate.neighbors.indexes.choosing import approximate_index
from stylobate.neighbors.indexes.hnsw import HNSW, HnswIndex
from stylobate.neighbors.indexes.hnsw_growing import GRAPH_METRICS
from stylobate.neighbors.indexes.metric import effective_metric


class HNSWIndex:
    """About the nearest rows, by a hierarchy of graphs that are walked towards the query.

    Each row is linked to near ones in different directions, in layers of which each holds a
    sixteenth of the rows of the one below. A query walks from the top down, always to the nearest
    row met so far, and keeps the best `ef_search_` candidates. After building, some rows are asked
    as if they were new and compared with exact answers: `recall_`.

    Parameters
    ----------
    X : array-like or data frame of shape (n, n_features)
        The rows; float32 is kept as it is.
    metric : str, default="euclidean"
        One of `valid_metrics`. "inner" is the inner product, the largest first.
    M : int in [2, 512], default=16
        Links of a row in each layer; twice as many in the lowest.
    ef_construction : int in [1, inf), default=96
        Candidates looked at for a row's links.
    ef_search : int in [1, inf) or "auto", default="auto"
        Candidates kept while a query is answered, for up to 10 neighbours (in proportion for
        more). "auto": as many as the wanted recall takes, found by trying.
    recall : float in (0, 1), default=0.99
        The share of the true neighbours that "auto" wants found.
    random_state : int in [0, inf), default=0
        The same seed gives the same index, with any number of threads.
    **kwargs
        The metric's own: ``w`` of euclidean and manhattan, ``V`` and ``VI``.

    Attributes
    ----------
    data : array of shape (n, n_features)
        The rows.
    recall_ : Interval or None
        Share of the 10 nearest rows found, measured; None for a single row.
    ef_search_ : int
        Candidates kept.
    valid_metrics : list of str
        What `metric` may be.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((2000, 8))
    >>> index = HNSWIndex(X)
    >>> distances, rows = index.query(X[:3], k=2)
    >>> rows[:, 0]
    array([0, 1, 2])
    >>> index.recall_.low > 0.99
    True

    References
    ----------
    Malkov & Yashunin (2020), Efficient and robust approximate nearest neighbor search using
    hierarchical navigable small world graphs, IEEE Trans. Pattern Anal. Mach. Intell. 42.
    """

    valid_metrics: ClassVar[list[str]] = list(GRAPH_METRICS)

    def __init__(
        self,
        X: Any,
        metric: Any = "euclidean",
        *,
        M: int = 16,
        ef_construction: int = 96,
        ef_search: int | str = "auto",
        recall: float = 0.99,
        random_state: int = 0,
        **kwargs: Any,
    ) -> None:
        settings = HNSW(M, ef_construction, ef_search, recall, random_state)
        self.metric, params = effective_metric(metric, kwargs.pop("p", 2), kwargs)
        rows = self._read(X)
        self._index: HnswIndex = approximate_index(rows, metric_of(self.metric, params), settings)
        self.recall_: Interval | None = self._index.recall
        self.ef_search_: int = self._index.effort

    @property
    def data(self) -> NDArray[Any]:
        """The rows, not to be written to."""
        view = self._index.rows.view()
        view.flags.writeable = False
        return view

    @property
    def reason(self) -> str:
        """How the rows are searched, and why."""
        return self._index.reason

    def query(self, X: Any, k: int = 1, return_distance: bool = True) -> Any:
        """About the k nearest rows, nearest first, ties by row; their distances are exact.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Queries.
        k : int in [1, number of rows], default=1
            How many.
        return_distance : bool, default=True
            Whether to return the distances.

        Returns
        -------
        d : array of shape (n, k), only if `return_distance`
        i : array of int of shape (n, k)
        """
        x, rows = self._read(X), self._index.rows
        if x.shape[1] != rows.shape[1]:
            raise InvalidDataError(
                f"HNSWIndex: query data dimension must match training data dimension: "
                f"{rows.shape[1]} columns, got {x.shape[1]}."
            )
        distances, found = self._index.query(x, checked_count(k, len(rows), "HNSWIndex"))
        return (distances, found) if return_distance else found

    def query_radius(self, X: Any, r: Any) -> NoReturn:
        """Refused: a walk cannot know that it met every row within a distance."""
        self._index.within(X, r)

    def _read(self, X: Any) -> NDArray[Any]:
        from stylobate.metrics.pairwise.arrays import read_pair

        x, _ = read_pair(X, None, type(self).__name__, sparse=False)
        return np.ascontiguousarray(x)
