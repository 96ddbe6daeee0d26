"""A typical row, from what a fitted model remembers of its columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.data.columns import Columns, read_columns
from stylobate.exceptions import InvalidParameterError


def typical_rows(estimator: Any) -> Columns:
    """One row of medians or means, categories missing; refuses where nothing is remembered."""
    first = estimator
    while getattr(first, "steps", None):
        first = first.steps[0][1]
    values = _of_encoder(first)
    if values is None:
        values = _of_moments(first)
    if values is None:
        raise InvalidParameterError(
            f"explain_row: {type(estimator).__name__} does not remember what its columns typically "
            "hold; pass background=X, rows to compare with."
        )
    names = getattr(first, "feature_names_in_", None)
    if names is None:
        return read_columns(np.array([values]), owner="explain_row")
    import pandas as pd

    frame = pd.DataFrame({str(n): [v] for n, v in zip(names, values, strict=True)})
    return read_columns(frame, owner="explain_row")


def _of_encoder(encoder: Any) -> list[Any] | None:
    """Medians of numbers, from the parts of a table encoder; other columns are missing."""
    parts = getattr(encoder, "_parts", None)
    if parts is None or not hasattr(encoder, "schema_"):
        return None
    values: list[Any] = [None] * encoder.n_features_in_
    for part, places in parts:
        fill = getattr(part, "fill", None)
        if fill is None:
            continue
        steps = getattr(part, "steps", None)
        values[places[0]] = fill if steps is None else steps[int(fill)]
    return values


def _of_moments(model: Any) -> list[Any] | None:
    """Means, from the statistic or the columns' means a model keeps."""
    p = getattr(model, "n_features_in_", None)
    for owner, attribute in (
        (getattr(model, "statistic_", None), "mean"),
        (model, "mean_"),
        (model, "xbar_"),
    ):
        mean = getattr(owner, attribute, None)
        if mean is not None and p is not None and np.size(mean) >= p:
            return [float(each) for each in np.asarray(mean).reshape(-1)[:p]]
    return None
