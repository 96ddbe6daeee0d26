"""A typical row, from what a fitted model remembers of its columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.data.columns import Columns, read_columns
from stylobate.exceptions import InvalidParameterError


def typical_rows(estimator: Any) -> Columns:
    """One row of medians or means and the commonest categories; refused where none is known."""
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
    """Medians of numbers and the commonest categories, from the parts of a table encoder."""
    parts = getattr(encoder, "_parts", None)
    if parts is None or not hasattr(encoder, "schema_"):
        return None
    values: list[Any] = [None] * encoder.n_features_in_
    for part, places in parts:
        if len(places) == 1:
            values[places[0]] = part.typical
        elif part.typical is not None:
            for place, value in zip(places, part.typical, strict=True):
                values[place] = value
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
