"""Which index for which points, and why."""

from __future__ import annotations

import warnings
from typing import Any

from stylobate.data.sparse import is_sparse
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidParameterError, StylobateWarning
from stylobate.neighbors.brute import BruteIndex, GivenDistances
from stylobate.neighbors.hnsw import HNSW
from stylobate.neighbors.metric import METRICS
from stylobate.neighbors.tree_metric import BALL_METRICS, COUNTED_METRICS, KD_METRICS, POWERS

VALID_METRICS = {
    "kd_tree": list(KD_METRICS),
    "ball_tree": [*BALL_METRICS, *COUNTED_METRICS, "pyfunc"],
    "brute": list(METRICS),
}
VALID_METRICS_SPARSE: dict[str, list[str]] = {
    "kd_tree": [],
    "ball_tree": [],
    "brute": ["cityblock", "cosine", "euclidean", "l1", "l2", "manhattan", "precomputed"],
}
EXACT = ("auto", "ball_tree", "kd_tree", "brute")
ALGORITHMS = (*EXACT, "hnsw")
ASKED = "asked for"


def choose_index(
    rows: Any, metric: Any, params: dict[str, Any], algorithm: Any = "auto", leaf_size: int = 30
) -> Any:
    """An index of the rows.

    Parameters
    ----------
    rows : ndarray or csr_array of shape (n, p)
        The points; with the metric "precomputed", distances among them.
    metric : str or callable
        As `effective_metric` gives it.
    params : dict
        The metric's own.
    algorithm : {"auto", "ball_tree", "kd_tree", "brute", "hnsw"} or HNSW, default="auto"
        "auto" chooses by shape and metric, among those that are exact.
    leaf_size : int, default=30
        Accepted for compatibility: leaves of our trees hold 16 points.

    Returns
    -------
    index
        With `query`, `within`, `name` and `reason`.

    Examples
    --------
    >>> import numpy as np
    >>> choose_index(np.zeros((50, 3)), "euclidean", {}).reason
    'only 50 rows: tiles look at all of them sooner than a tree is grown'
    """
    if isinstance(metric, str) and metric == "precomputed":
        return GivenDistances(rows)
    if algorithm == "brute":
        return BruteIndex(rows, metric, params, ASKED)
    graph = algorithm == "hnsw" or isinstance(algorithm, HNSW)
    if is_sparse(rows):
        word = "a graph does" if graph else "trees do"
        return BruteIndex(rows, metric, params, f"rows are sparse, which {word} not take")
    if graph:
        return approximate_index(rows, metric, params, algorithm)
    if algorithm != "auto":
        return tree_index(rows, metric, params, algorithm)
    name, reason = _choice(rows, metric, params)
    if name == "brute":
        return BruteIndex(rows, metric, params, reason)
    return tree_index(rows, metric, params, name, reason)


def approximate_index(rows: Any, metric: Any, params: dict[str, Any], algorithm: Any) -> Any:
    """The graph that is asked for; where it falls short of the recall wanted, that is said.

    Parameters
    ----------
    rows, metric, params
        As in `choose_index`.
    algorithm : "hnsw" or HNSW
        The default settings, or others.

    Examples
    --------
    >>> import numpy as np
    >>> approximate_index(np.eye(5), "euclidean", {}, "hnsw").name
    'hnsw'
    """
    from stylobate.neighbors.hnsw_growing import hnsw_index

    settings = algorithm if isinstance(algorithm, HNSW) else HNSW()
    index = hnsw_index(rows, metric, params, settings)
    if index.recall is not None and index.recall.estimate < settings.recall:
        warnings.warn(
            f"The approximate index finds {index.recall.estimate:.1%} of the neighbours with "
            f"ef_search={index.effort}, less than the {settings.recall:.1%} wanted. Give HNSW a "
            "larger M, ef_construction or ef_search, or use algorithm='brute', which is exact.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
    return index


def tree_index(
    rows: Any, metric: Any, params: dict[str, Any], name: str, reason: str = ASKED
) -> Any:
    """The tree that is asked for, or a sentence why there is none.

    Parameters
    ----------
    rows, metric, params
        As in `choose_index`.
    name : {"kd_tree", "ball_tree"}
        Which tree.
    reason : str
        Why it.

    Examples
    --------
    >>> import numpy as np
    >>> tree_index(np.zeros((50, 3)), "manhattan", {}, "kd_tree").name
    'kd_tree'
    """
    if name == "ball_tree" and callable(metric):
        from stylobate.neighbors.callable_tree import CallableTree

        return CallableTree(rows, metric, params, reason)
    if name == "ball_tree" and metric in COUNTED_METRICS:
        why = f"{metric} has no balls that surely miss a row: all of them are looked at"
        return BruteIndex(rows, metric, params, why)
    if name == "ball_tree" and metric == "braycurtis" and (rows < 0).any():
        why = (
            "braycurtis of negative numbers has no balls that surely miss a row: all are looked at"
        )
        return BruteIndex(rows, metric, params, why)
    takes = KD_METRICS if name == "kd_tree" else (*BALL_METRICS, *COUNTED_METRICS)
    if callable(metric) or metric not in takes:
        what = "a function" if callable(metric) else repr(metric)
        also = "" if name == "kd_tree" else " and functions that obey the triangle inequality"
        raise InvalidParameterError(
            f"Metric {what} not valid for algorithm={name!r}, which takes "
            f"{', '.join(takes)}{also}; "
            "algorithm='brute' takes every metric."
        )
    if name == "ball_tree" and metric in POWERS and params.get("p", 2) < 1:
        raise InvalidParameterError(
            f"A ball tree needs the triangle inequality, which minkowski has for p >= 1 only; got "
            f"p={params['p']!r}. algorithm='kd_tree' and 'brute' take any p > 0."
        )
    from stylobate.neighbors.trees import TreeIndex

    return TreeIndex(rows, name, metric, params, reason)


def _choice(rows: Any, metric: Any, params: dict[str, Any]) -> tuple[str, str]:
    """What "auto" comes to: measured against the tiles, which are fast."""
    if callable(metric):
        return "brute", "a function of two rows need not obey the triangle inequality"
    round_metric = metric == "haversine"
    if metric not in KD_METRICS and not round_metric:
        return "brute", f"no tree of cells for {metric}: tiles look at all rows"
    n, columns = rows.shape
    needed = rows_needed(columns)
    if needed is None:
        return "brute", f"{columns} columns: a tree would look at most rows all the same"
    if n < needed:
        return "brute", f"only {n} rows: tiles look at all of them sooner than a tree is grown"
    tree = "ball_tree" if round_metric else "kd_tree"
    word = "tree of balls" if round_metric else "kd-tree"
    return tree, f"{n} rows of {columns} columns: a {word} looks at few of them"


def rows_needed(columns: int) -> int | None:
    """From how many rows a tree beats the tiles, None for never.

    Measured on normal rows with a thousand queries, growing the tree included: in 3 columns the
    tree takes a third of the tiles' time from 300 rows on, in 8 both are about even, and in 10 the
    tiles win whatever the number of rows.

    Examples
    --------
    >>> rows_needed(3) <= rows_needed(8), rows_needed(40)
    (True, None)
    """
    if columns > 8:
        return None
    return 256 if columns <= 6 else 10_000
