"""The scale on which a prediction is taken apart: numbers, log-odds, margins or probabilities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base import is_classifier
from stylobate.exceptions import InvalidParameterError


@dataclass(frozen=True, slots=True)
class Scale:
    """A name in words, and the answers of a model on it, one number for each row."""

    name: str
    answers: Callable[[Any], Array]


def scales_for(estimator: Any, label: Any, X: Any) -> list[Scale]:
    """Scales to try, the one on which models most likely add up first.

    Parameters
    ----------
    estimator : fitted estimator
    label : object
        The class that is explained; ignored of regressors.
    X : table
        Rows to see whether logarithms are finite.
    """
    if not is_classifier(estimator):
        return [Scale("prediction", lambda rows: _numbers(estimator.predict(rows)))]
    classes = np.asarray(estimator.classes_).tolist()
    place = classes.index(label)
    if hasattr(estimator, "decision_function"):
        return [Scale(_margin_name(estimator, X), _margins(estimator, place, len(classes)))]
    probability = Scale(
        "probability", lambda rows: _numbers(estimator.predict_proba(rows)[:, place])
    )
    if len(classes) < 2 or not hasattr(estimator, "predict_log_proba"):
        return [probability]
    logs = _log_odds(estimator, place)
    return [Scale("log-odds", logs), probability] if np.isfinite(logs(X)).all() else [probability]


def explained_class(estimator: Any, predicted: Any, asked: Any) -> Any:
    """The class to explain: the one asked for; of two the second; else what is predicted."""
    if not is_classifier(estimator):
        return None
    classes = np.asarray(estimator.classes_).tolist()
    if asked is not None:
        by_text = {str(each): each for each in classes}
        if asked in classes:
            return asked
        if str(asked) in by_text:
            return by_text[str(asked)]
        raise InvalidParameterError(
            f"explain_row: output must be one of the classes {classes}, got {asked!r}."
        )
    return classes[-1] if len(classes) == 2 else predicted


def _margins(estimator: Any, place: int, count: int) -> Callable[[Any], Array]:
    def margins(rows: Any) -> Array:
        values = np.asarray(estimator.decision_function(rows), dtype=np.float64)
        if values.ndim == 1:
            return values if place == count - 1 else -values
        return values[:, place]

    return margins


def _log_odds(estimator: Any, place: int) -> Callable[[Any], Array]:
    """Logarithms of probabilities against their mean over classes; of two against the other."""

    def odds(rows: Any) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.asarray(estimator.predict_log_proba(rows), dtype=np.float64)
            if logs.shape[1] == 2:
                return np.asarray(logs[:, place] - logs[:, 1 - place])
            return np.asarray(logs[:, place] - logs.mean(axis=1))

    return odds


def _margin_name(estimator: Any, X: Any) -> str:
    """Whether margins are the logarithms of odds."""
    if not hasattr(estimator, "predict_proba") or len(estimator.classes_) != 2:
        return "margin"
    try:
        share = np.asarray(estimator.predict_proba(X), dtype=np.float64)[:, 1]
        margins = np.asarray(estimator.decision_function(X), dtype=np.float64)
    except (AttributeError, ValueError):  # probabilities may depend on a setting
        return "margin"
    inner = (share > 1e-9) & (share < 1 - 1e-9)
    with np.errstate(divide="ignore"):
        odds = np.log(share[inner]) - np.log1p(-share[inner])
    return "log-odds" if np.allclose(odds, margins[inner], atol=1e-5, rtol=1e-4) else "margin"


def _numbers(values: Any) -> Array:
    found = np.asarray(values, dtype=np.float64)
    if found.ndim > 1 and found.shape[1] > 1:
        raise InvalidParameterError(
            f"explain_row: the model predicts {found.shape[1]} numbers for a row; explain a model "
            "of one of them."
        )
    return found.reshape(-1)
