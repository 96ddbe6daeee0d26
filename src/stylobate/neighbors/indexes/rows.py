"""Rows as the metric of an estimator takes them: numbers, mixed columns, or distances."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.base.validation import compare_features, compare_frame_names, remember_features
from stylobate.data import Table, read_table
from stylobate.data.mixed_columns import read_mixed_columns
from stylobate.distances import METRICS, Gower, Hamming, Metric, metric_of
from stylobate.distances.text import holds_text
from stylobate.exceptions import InvalidDataError
from stylobate.neighbors.indexes.metric import effective_metric


def metric_for(X: Any, metric: Any, p: float | None, parameters: Any) -> Metric:
    """The metric that the parameters of an estimator mean for X: Hamming's of text is Gower's.

    Examples
    --------
    >>> metric_for([[1.0]], "minkowski", 2, None)
    Euclidean(w=None, squared=False)
    """
    made = metric_of(*effective_metric(metric, p, parameters))
    if isinstance(made, Hamming) and holds_text(X):
        return Gower("nominal", made.w)
    return made


def allows_nan(metric: Any) -> bool:
    """Whether rows may lack values under a metric given by name or as a value.

    Examples
    --------
    >>> allows_nan("gower"), allows_nan("euclidean")
    (True, False)
    """
    if isinstance(metric, str):
        return metric in METRICS and METRICS[metric].allow_nan
    return isinstance(metric, Metric) and metric.allow_nan


def read_mixed_rows(
    model: Any, X: Any, y: Any, sample_weight: Any, *, reset: bool, **options: Any
) -> Table:
    """Columns of any kind as the numbers of Gower's dissimilarity, ``model._metric``.

    With `reset` the metric learns the columns.
    """
    if not reset:
        compare_frame_names(model, X)
    owner = type(model).__name__
    columns = read_mixed_columns(X, owner=owner)
    remember_or_compare = remember_features if reset else compare_features
    remember_or_compare(model, columns)  # type: ignore[arg-type]  # knows names and number
    if reset:
        model._metric = model._metric.learnt(columns)
    (points,) = model._metric.points(columns)
    tags = model._tags()
    door: dict[str, Any] = {
        "multi_output": tags.multi_output,
        "y_required": tags.requires_y and reset,
    }
    door |= {"check_finite": "allow-nan"} | options
    return read_table(points, y, sample_weight, owner=owner, **door)


def refuse_not_square(distances: Any, owner: str) -> None:
    """Refuse distances that are not those among one set of points."""
    if distances.shape[0] != distances.shape[1]:
        raise InvalidDataError(
            f"{owner}: with metric='precomputed', X must be the square matrix of distances among "
            f"the points, got shape {distances.shape}. Precomputed matrix must be square."
        )


def refuse_negative(distances: Any, owner: str) -> None:
    """Refuse distances below 0."""
    values = distances if isinstance(distances, np.ndarray) else distances.data
    if values.size and float(values.min()) < 0.0:
        raise InvalidDataError(
            f"Negative values in data passed to {owner}: X holds distances (metric='precomputed'), "
            "which are not negative; similarities must be turned into distances first."
        )
