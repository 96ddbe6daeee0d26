"""What a model takes and gives, as plain values for people and for other programs."""

from __future__ import annotations

from typing import Any

import numpy as np

_LONGEST = 1000  # classes or features listed


def schema_of(estimator: Any) -> dict[str, Any]:
    """Features (name, kind, dtype or categories' dtype where known) and classes of a model."""
    schema: dict[str, Any] = {}
    count = getattr(estimator, "n_features_in_", None)
    if count is not None:
        schema["n_features"] = int(count)
        schema["features"] = _features(estimator, int(count))
    classes = getattr(estimator, "classes_", None)
    if isinstance(classes, np.ndarray) and classes.ndim == 1 and len(classes) <= _LONGEST:
        schema["classes"] = [_plain(label) for label in classes.tolist()]
    return schema


def _features(estimator: Any, count: int) -> list[dict[str, Any]]:
    names = getattr(estimator, "feature_names_in_", None)
    told = _told(estimator)
    features: list[dict[str, Any]] = []
    for place in range(min(count, _LONGEST)):
        name = f"x{place}" if names is None else str(names[place])
        features.append({"name": name, **told.get(place, {})})
    return features


def _told(estimator: Any) -> dict[int, dict[str, Any]]:
    """What the step that sees the columns says of each: its kind, the dtype of its categories."""
    first = estimator
    while getattr(first, "steps", None):
        first = first.steps[0][1]
    schema = getattr(first, "schema_", None)
    if schema is not None:
        return {j: {"kind": str(column.kind)} for j, column in enumerate(schema)}
    categories = getattr(first, "categories_", None)
    if isinstance(categories, list):
        return {
            j: {"kind": "nominal", "dtype": str(getattr(each, "dtype", "object"))}
            for j, each in enumerate(categories)
        }
    tags = first._tags() if hasattr(first, "_tags") else None
    if tags is None or tags.text or tags.categorical or hasattr(first, "transformers_"):
        return {}
    count = int(getattr(first, "n_features_in_", 0))
    return {j: {"kind": "numeric", "dtype": "float64"} for j in range(count)}


def _plain(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool) else str(value)
