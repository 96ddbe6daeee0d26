"""Shares of a prediction from a model that is a sum of trees: exact for any number of columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stylobate.inspection.scales import Scale
from stylobate.inspection.shapley import Shares


def tree_shares(
    estimator: Any, first: Any, others: Any, scales: Sequence[Scale], label: Any
) -> tuple[Shares, Scale] | None:
    """Shapley values of trees against other rows, and the scale they are on.

    None for models that are no sum of trees, and where the values belong to none of the scales.

    Parameters
    ----------
    estimator : fitted estimator
    first, others : table
        The row, and those it is compared with.
    scales : sequence of Scale
        Scales the answers may be on.
    label : object
        The class explained; None of regressors.
    """
    while len(getattr(estimator, "steps", ())) == 1:
        estimator = estimator.steps[0][1]
    if not hasattr(estimator, "shap_values"):
        return None
    found = estimator.shap_values(first, others)
    values, base = np.asarray(found.values)[0], np.asarray(found.base_values, dtype=np.float64)
    if values.ndim == 2:
        place = 0 if label is None else np.asarray(estimator.classes_).tolist().index(label)
        values, base = values[:, place], base[place]
    elif label is not None and label == np.asarray(estimator.classes_).tolist()[0]:
        values, base = -values, -base
    total = float(base) + float(values.sum())
    for scale in scales:
        if np.isclose(scale.answers(first)[0], total, rtol=1e-6, atol=1e-9):
            words = "exact Shapley values of the trees"
            return Shares(values, np.zeros(len(values)), float(base), words), scale
    return None
