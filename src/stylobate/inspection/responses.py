"""What a model answers, as numbers: predictions, probabilities or margins, one column an output."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base import is_classifier
from stylobate.exceptions import InvalidParameterError
from stylobate.metrics.scoring.responses import chosen_method

METHODS = {
    "auto": ("predict_proba", "decision_function"),
    "predict_proba": ("predict_proba",),
    "decision_function": ("decision_function",),
}


def method_for(estimator: Any, response_method: str, owner: str) -> str:
    """The name of the method whose values are looked at."""
    if response_method not in METHODS:
        raise InvalidParameterError(
            f"{owner}: response_method must be one of {', '.join(METHODS)}, got "
            f"{response_method!r}."
        )
    if not is_classifier(estimator):
        if response_method != "auto":
            raise InvalidParameterError(
                f"{owner}: The response_method parameter is ignored for regressors and must be "
                "'auto'."
            )
        return "predict"
    return chosen_method(estimator, METHODS[response_method])


def answers(estimator: Any, X: Any, method: str) -> Array:
    """An (n, outputs) matrix; of two classes only the second."""
    values = np.asarray(getattr(estimator, method)(X), dtype=np.float64)
    if values.ndim == 1:
        return values.reshape(-1, 1)
    if method == "predict_proba" and values.shape[1] == 2:
        return values[:, 1:]
    return values


def output_names(estimator: Any, method: str, count: int) -> tuple[str, ...]:
    """What each output is called: the classes, or nothing for one number."""
    classes = getattr(estimator, "classes_", None)
    if method == "predict" or classes is None or isinstance(classes, list):
        return tuple("" if count == 1 else f"output {k}" for k in range(count))
    labels = [str(label) for label in np.asarray(classes).tolist()]
    return tuple(labels) if count == len(labels) else (labels[-1],)


def scale_name(estimator: Any, method: str) -> str:
    """The scale of the answers in words."""
    if method == "predict_proba":
        return "probability"
    return "margin" if method == "decision_function" else "prediction"
