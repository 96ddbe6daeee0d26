"""How wide the kernel of mean shift is, and from where it starts."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data import read_table
from stylobate.data.words import user_stacklevel
from stylobate.distances import Euclidean
from stylobate.exceptions import InvalidParameterError, StylobateWarning
from stylobate.neighbors.indexes.choosing import choose_index
from stylobate.splits.splitter import generator


def estimate_bandwidth(
    X: Any,
    *,
    quantile: float = 0.3,
    n_samples: int | None = None,
    random_state: Any = 0,
    n_jobs: int | None = None,
) -> np.float64:
    """The mean distance of rows to their farthest of a share of nearest rows.

    Parameters
    ----------
    X : array-like or data frame of shape (n, n_features)
        Rows.
    quantile : float in [0, 1], default=0.3
        The share of all rows that are near; 0.5 is the median of pairwise distances.
    n_samples : int in [1, inf) or None, default=None
        Of so many rows, drawn at random; None for all.
    random_state : int, RandomState or None, default=0
        Of the draw.
    n_jobs : ignored
        For compatibility.

    Returns
    -------
    float

    Examples
    --------
    >>> float(estimate_bandwidth([[1.0, 1.0], [2.0, 1.0], [1.0, 0.0], [4.0, 7.0]], quantile=0.5))
    2.33113883008419
    """
    if not 0 <= quantile <= 1:
        raise InvalidParameterError(
            f"estimate_bandwidth: quantile must be in [0, 1], got {quantile!r}."
        )
    if n_samples is not None and not n_samples >= 1:
        raise InvalidParameterError(
            f"estimate_bandwidth: n_samples must be at least 1 or None, got {n_samples!r}."
        )
    rows = read_table(X, owner="estimate_bandwidth").x
    if n_samples is not None:
        rows = rows[generator(random_state).permutation(len(rows))[:n_samples]]
    count = max(1, int(len(rows) * quantile))
    index = choose_index(rows, Euclidean())
    total, step = np.float64(0.0), max(1, 2**22 // count)
    for start in range(0, len(rows), step):
        total += index.query(rows[start : start + step], count)[0][:, -1].sum()
    return total / len(rows)


def get_bin_seeds(X: Any, bin_size: float, min_bin_freq: int = 1) -> NDArray[Any]:
    """The corners of a grid that rows lie nearest to.

    Parameters
    ----------
    X : array-like of shape (n, n_features)
        Rows.
    bin_size : float
        The width of the grid.
    min_bin_freq : int, default=1
        Rows that make a corner a seed.

    Returns
    -------
    array of shape (n_seeds, n_features)
        In the order of their first rows; the rows themselves where no two share a corner.

    Examples
    --------
    >>> get_bin_seeds(np.array([[0.1], [0.2], [5.1]]), 1.0)
    array([[0.],
           [5.]], dtype=float32)
    """
    rows = read_table(X, owner="get_bin_seeds", accept_sparse=False).x
    if not isinstance(bin_size, Real) or not 0 <= bin_size < np.inf:
        raise InvalidParameterError(
            f"get_bin_seeds: bin_size must be a number in [0, inf), got {bin_size!r}."
        )
    if bin_size == 0:
        return rows
    corners, first, counts = np.unique(
        np.round(rows / bin_size) + 0.0, axis=0, return_index=True, return_counts=True
    )
    enough = counts >= min_bin_freq
    order = np.argsort(first[enough])
    seeds = corners[enough][order].astype(np.float32)
    if len(seeds) == len(rows):
        warnings.warn(
            f"Binning data failed with provided bin_size={bin_size:f}, using data points as seeds.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
        return rows
    return seeds * bin_size
