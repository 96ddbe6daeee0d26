"""What an estimator answers for rows: labels, numbers, margins or probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.base import is_classifier
from stylobate.exceptions import InvalidDataError

METHODS = ("predict", "predict_proba", "predict_log_proba", "decision_function")


def response(estimator: Any, X: Any, methods: str | tuple[str, ...], pos_label: Any = None) -> Any:
    """The first of the methods that the estimator has, applied to X.

    For two classes probabilities and margins are of `pos_label`, by default the second class.
    Estimators that are no classifiers have only `predict`.
    """
    name = chosen_method(estimator, methods)
    values = getattr(estimator, name)(X)
    if name == "predict" or not is_classifier(estimator):
        return values
    classes = getattr(estimator, "classes_", None)
    if classes is None or isinstance(classes, list) or len(classes) > 2:
        return values
    positive = _position(classes, pos_label, type(estimator).__name__)
    values = np.asarray(values)
    if name == "decision_function":
        return -values if positive == 0 and values.ndim == 1 else values
    return values[:, positive] if values.ndim == 2 and values.shape[1] == 2 else values


def chosen_method(estimator: Any, methods: str | tuple[str, ...]) -> str:
    """The name of the first of the methods that the estimator has."""
    names = (methods,) if isinstance(methods, str) else tuple(methods)
    if not is_classifier(estimator) and not any(hasattr(estimator, name) for name in names):
        names = (*names, "predict")
    for name in names:
        if hasattr(estimator, name):
            return name
    raise AttributeError(
        f"{type(estimator).__name__} has none of the following attributes: {', '.join(names)}."
    )


def _position(classes: Any, pos_label: Any, owner: str) -> int:
    """Where the positive label is among one or two classes."""
    listed = np.asarray(classes).tolist()
    if pos_label is None:
        return len(listed) - 1
    if pos_label not in listed:
        raise InvalidDataError(
            f"{owner}: pos_label={pos_label!r} is not a valid label: It should be one of {listed}."
        )
    return int(listed.index(pos_label))
