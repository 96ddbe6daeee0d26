"""What `MDS` warns of: parameters on their way out, and dissimilarities read as rows."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidParameterError, StylobateWarning


def warn_deprecated(init: Any, dissimilarity: Any, metric: Any) -> None:
    """Of values of the parameters of `MDS` that scikit-learn gives up."""
    if init == "warn":
        _future(
            "The default value of `init` will change from 'random' to 'classical_mds' in 1.10. To "
            "suppress this warning, provide some value of `init`."
        )
    if dissimilarity != "deprecated":
        if not isinstance(metric, bool) and metric != "euclidean":
            raise InvalidParameterError(
                "MDS: You provided both `dissimilarity` and `metric`. Please use only `metric`."
            )
        _future(
            "The `dissimilarity` parameter is deprecated and will be removed in 1.10. Use `metric` "
            "instead."
        )
    if isinstance(metric, bool):
        _future(
            f"Use metric_mds={metric} instead of metric={metric}. The support for "
            "metric={True/False} will be dropped in 1.10."
        )


def warn_square(x: Any) -> None:
    """Of rows that look like dissimilarities."""
    if x.shape[0] == x.shape[1] and x.shape[0] > 2 and np.array_equal(x, x.T):
        warnings.warn(
            "MDS: X is a square symmetric matrix, but its rows are read as points; for "
            "dissimilarities, set metric='precomputed'.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )


def _future(text: str) -> None:
    warnings.warn(text, FutureWarning, stacklevel=user_stacklevel())
