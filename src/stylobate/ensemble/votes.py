"""What members fitted to class numbers say, as a column for each class."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array


def class_probabilities(model: Any, x: Any, *, n_classes: int) -> Array:
    """The model's probabilities of classes 0 … n_classes − 1; 1 for its choice if it has none.

    A class that the model has not seen has probability 0.
    """
    if not hasattr(model, "predict_proba"):
        chosen = np.asarray(model.predict(x)).astype(np.intp)
        return np.asarray(chosen[:, np.newaxis] == np.arange(n_classes), dtype=np.float64)
    found = np.asarray(model.predict_proba(x), dtype=np.float64)
    return _all_columns(found, model, n_classes, 0.0)


def log_probabilities(model: Any, x: Any, *, n_classes: int) -> Array:
    """The logarithms of the model's probabilities; minus infinity for classes it has not seen."""
    found = np.asarray(model.predict_log_proba(x), dtype=np.float64)
    return _all_columns(found, model, n_classes, -np.inf)


def _all_columns(found: Array, model: Any, n_classes: int, absent: float) -> Array:
    known = np.asarray(model.classes_).astype(np.intp)
    if len(known) == n_classes:
        return found
    full = np.full((len(found), n_classes), absent)
    full[:, known] = found
    return full
