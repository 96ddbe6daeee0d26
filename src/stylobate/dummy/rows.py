"""X as baselines see it: how many rows, how many columns, and nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.exceptions import InvalidDataError
from stylobate.splits.splitter import count_rows


def rows_of(X: Any) -> int:
    """How many rows X has, whatever it is."""
    known = hasattr(X, "shape") or hasattr(X, "__len__")
    return count_rows(X if known else np.asarray(X))


def remember_shape(estimator: Any, X: Any) -> None:
    """Set ``n_features_in_`` and ``feature_names_in_`` where X tells them."""
    for name in ("n_features_in_", "feature_names_in_"):
        vars(estimator).pop(name, None)
    shape = getattr(X, "shape", None)
    if shape is not None and len(shape) == 2:
        estimator.n_features_in_ = int(shape[1])
    elif isinstance(X, list | tuple) and len(X) and hasattr(X[0], "__len__"):
        estimator.n_features_in_ = len(X[0])
    names = getattr(X, "column_names", None)
    names = getattr(X, "columns", None) if names is None else names
    if names is not None and shape is not None:
        listed = list(names)
        if listed and all(isinstance(name, str) for name in listed):
            estimator.feature_names_in_ = np.array(listed, dtype=object)


def check_lengths(X: Any, y: Any) -> int:
    """The number of rows; refuses an X and a y of different lengths."""
    n_rows = rows_of(X)
    if len(y) != n_rows:
        raise InvalidDataError(
            f"Found input variables with inconsistent numbers of samples: {[n_rows, len(y)]}; y "
            "needs one entry for each row of X."
        )
    return n_rows
