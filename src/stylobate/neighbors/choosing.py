"""Which index for which points, and why."""

from __future__ import annotations

from typing import Any

from stylobate.data.sparse import is_sparse
from stylobate.exceptions import InvalidParameterError
from stylobate.neighbors.brute import BruteIndex, GivenDistances

ALGORITHMS = ("auto", "ball_tree", "kd_tree", "brute")


def choose_index(
    rows: Any, metric: Any, params: dict[str, Any], algorithm: str = "auto", leaf_size: int = 30
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
    algorithm : {"auto", "ball_tree", "kd_tree", "brute"}, default="auto"
        "auto" chooses by shape and metric.
    leaf_size : int, default=30
        Points in a leaf of a tree.

    Returns
    -------
    index
        With `query`, `within`, `name` and `reason`.
    """
    if isinstance(metric, str) and metric == "precomputed":
        return GivenDistances(rows)
    if algorithm in ("kd_tree", "ball_tree") and is_sparse(rows):
        raise InvalidParameterError(
            f"algorithm={algorithm!r} takes dense rows; sparse ones need algorithm='brute'."
        )
    return BruteIndex(rows, metric, params, "asked for")
