"""Conformal margins of the chosen model, from the rows that were locked away."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices
from stylobate.conformal.ranks import upper_end
from stylobate.data.column_table import ColumnTable
from stylobate.study.results.conformity import Conformity

_LEVELS = tuple(round(0.5 + 0.01 * k, 2) for k in range(50))


def conformity_of(
    task: str, model: Any, table: ColumnTable, y: NDArray[Any], units: Indices | None
) -> Conformity | None:
    """Errors of the locked rows at their ranks; None for models without probabilities.

    Where rows belong together the worst of each unit counts, so that the promise holds for all rows
    of a new unit at once.
    """
    scores = _scores(task, model, table, y)
    if scores is None or not np.isfinite(scores).all():
        return None
    if units is not None:
        _, numbers = np.unique(units, return_inverse=True)
        worst = np.zeros(int(numbers.max()) + 1)
        np.maximum.at(worst, numbers.reshape(-1), scores)
        scores = worst
    ends = [(level, float(upper_end(scores, level))) for level in _LEVELS]
    margins = tuple((level, end) for level, end in ends if np.isfinite(end))
    kind = "interval" if task == "regression" else "set"
    return Conformity(kind, len(scores), margins, units is not None)


def _scores(task: str, model: Any, table: ColumnTable, y: NDArray[Any]) -> Array | None:
    """Absolute errors, or one minus the probability of the truth."""
    if task == "regression":
        errors: Array = np.asarray(y, dtype=np.float64) - np.asarray(model.predict(table), float)
        return np.abs(errors)
    if not hasattr(model, "predict_proba"):
        return None
    chances = np.asarray(model.predict_proba(table), dtype=np.float64)
    places = {label: k for k, label in enumerate(np.asarray(model.classes_).tolist())}
    columns = np.array([places.get(label, -1) for label in np.asarray(y).tolist()])
    truth = chances[np.arange(len(y)), np.maximum(columns, 0)]
    return np.asarray(1.0 - np.where(columns >= 0, truth, 0.0), dtype=np.float64)
