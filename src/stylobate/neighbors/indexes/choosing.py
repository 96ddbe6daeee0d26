"""Which index for which points, and why."""

from __future__ import annotations

import warnings
from typing import Any, NoReturn

from stylobate.data.sparse import is_sparse
from stylobate.data.words import user_stacklevel
from stylobate.distances import Function, Metric, Minkowski, Precomputed
from stylobate.distances.names import names_where
from stylobate.exceptions import InvalidParameterError, StylobateWarning
from stylobate.neighbors.indexes.brute import BruteIndex, GivenDistances
from stylobate.neighbors.indexes.hnsw import HNSW
from stylobate.neighbors.indexes.metric import NAMES

VALID_METRICS: dict[str, list[str]] = {
    "kd_tree": names_where(lambda metric: metric.boxes),
    "ball_tree": [*names_where(lambda metric: metric.balls), *Function.names],
    "brute": list(NAMES),
}
VALID_METRICS_SPARSE: dict[str, list[str]] = {
    "kd_tree": [],
    "ball_tree": [],
    "brute": names_where(lambda metric: metric.sparse and not metric.similarity),
}
EXACT = ("auto", "ball_tree", "kd_tree", "brute")
ALGORITHMS = (*EXACT, "hnsw")
ASKED = "asked for"


def choose_index(rows: Any, metric: Metric, algorithm: Any = "auto", leaf_size: int = 30) -> Any:
    """An index of the rows.

    Parameters
    ----------
    rows : ndarray or csr_array of shape (n, p)
        The points; with the metric "precomputed", distances among them.
    metric : Metric
        What is measured.
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
    >>> from stylobate.distances import Euclidean
    >>> choose_index(np.zeros((50, 3)), Euclidean()).reason
    'only 50 rows: tiles look at all of them sooner than a tree is grown'
    """
    if isinstance(metric, Precomputed):
        return GivenDistances(rows)
    if algorithm == "brute":
        return BruteIndex(rows, metric, ASKED)
    graph = algorithm == "hnsw" or isinstance(algorithm, HNSW)
    if is_sparse(rows):
        word = "a graph does" if graph else "trees do"
        return BruteIndex(rows, metric, f"rows are sparse, which {word} not take")
    if graph:
        return approximate_index(rows, metric, algorithm)
    if algorithm != "auto":
        return tree_index(rows, metric, algorithm)
    name, reason = _choice(rows, metric)
    if name == "brute":
        return BruteIndex(rows, metric, reason)
    return tree_index(rows, metric, name, reason)


def approximate_index(rows: Any, metric: Metric, algorithm: Any) -> Any:
    """The graph that is asked for; where it falls short of the recall wanted, that is said.

    Parameters
    ----------
    rows, metric
        As in `choose_index`.
    algorithm : "hnsw" or HNSW
        The default settings, or others.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.distances import Euclidean
    >>> approximate_index(np.eye(5), Euclidean(), "hnsw").name
    'hnsw'
    """
    from stylobate.neighbors.indexes.hnsw_growing import hnsw_index

    settings = algorithm if isinstance(algorithm, HNSW) else HNSW()
    index = hnsw_index(rows, metric, settings)
    if index.recall is not None and index.recall.estimate < settings.recall:
        warnings.warn(
            f"The approximate index finds {index.recall.estimate:.1%} of the neighbours with "
            f"ef_search={index.effort}, less than the {settings.recall:.1%} wanted. Give HNSW a "
            "larger M, ef_construction or ef_search, or use algorithm='brute', which is exact.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
    return index


def tree_index(rows: Any, metric: Metric, name: str, reason: str = ASKED) -> Any:
    """The tree that is asked for, or a sentence why there is none.

    Parameters
    ----------
    rows, metric
        As in `choose_index`.
    name : {"kd_tree", "ball_tree"}
        Which tree.
    reason : str
        Why it.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.distances import Manhattan
    >>> tree_index(np.zeros((50, 3)), Manhattan(), "kd_tree").name
    'kd_tree'
    """
    if name == "ball_tree" and isinstance(metric, Function):
        from stylobate.neighbors.indexes.callable_tree import CallableTree

        return CallableTree(rows, metric, reason)
    if not (metric.boxes if name == "kd_tree" else metric.balls):
        _refuse_tree(metric, name)
    lacking = metric.without_balls(rows) if name == "ball_tree" else ""
    if lacking:
        why = f"{metric.name} {lacking} has no balls that surely miss a row: all are looked at"
        return BruteIndex(rows, metric, why)
    from stylobate.neighbors.indexes.trees import TreeIndex

    return TreeIndex(rows, name, metric, reason)


def _refuse_tree(metric: Metric, name: str) -> NoReturn:
    if isinstance(metric, Minkowski):
        raise InvalidParameterError(
            f"A ball tree needs the triangle inequality, which minkowski has for p >= 1 only; got "
            f"p={metric.p!r}. algorithm='kd_tree' and 'brute' take any p > 0."
        )
    function = isinstance(metric, Function)
    also = "" if name == "kd_tree" else " and functions that obey the triangle inequality"
    raise InvalidParameterError(
        f"Metric {'a function' if function else repr(metric.name)} not valid for "
        f"algorithm={name!r}, which takes {', '.join(VALID_METRICS[name])}{also}; "
        "algorithm='brute' takes every metric."
    )


def _choice(rows: Any, metric: Metric) -> tuple[str, str]:
    """What "auto" comes to: measured against the tiles, which are fast."""
    if isinstance(metric, Function):
        return "brute", "a function of two rows need not obey the triangle inequality"
    round_metric = metric.domain == "sphere"
    if not metric.boxes and not round_metric:
        return "brute", f"no tree of cells for {metric.name}: tiles look at all rows"
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
