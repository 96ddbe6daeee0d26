"""A metric by name, by scorer or by function, ready to be applied to rows again and again."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stylobate.base.parameters import brief
from stylobate.exceptions import InvalidDataError, InvalidParameterError, UndefinedMetricWarning
from stylobate.metrics.scoring.names import SCORER_NAMES, get_scorer
from stylobate.metrics.scoring.scorers import Scorer

_LOSSES = ("_error", "_loss", "_deviance", "false_positive_rate", "negative_likelihood_ratio")
_SCORES = ("_score", "corrcoef", "_coefficient", "_value", "_ratio")
_HOMES = ("stylobate.", "sklearn.")


@dataclass(frozen=True, slots=True)
class Metric:
    """``function(y_true, y_pred, **options)`` times a sign, under the name it was asked by.

    Examples
    --------
    >>> metric = resolve("neg_mean_squared_error", {})
    >>> metric.label, metric.known, metric(np.array([1.0, 2.0]), np.array([1.0, 4.0]))
    ('neg_mean_squared_error', 'mean_squared_error', -2.0)
    """

    label: str
    function: Callable[..., Any]
    options: dict[str, Any] = field(default_factory=dict)
    sign: int = 1

    @property
    def known(self) -> str:
        """The name of a metric of this library (or scikit-learn's of that name); else empty."""
        ours = str(getattr(self.function, "__module__", "")).startswith(_HOMES)
        return str(getattr(self.function, "__name__", "")) if ours else ""

    @property
    def greater_is_better(self) -> bool:
        """Whether more of the function itself, before any sign, is better: losses are named so."""
        name = str(getattr(self.function, "__name__", ""))
        return self.sign > 0 and not name.endswith(_LOSSES)

    def option(self, name: str, default: Any = None) -> Any:
        """An argument for the metric, or its default."""
        return self.options.get(name, default)

    def __call__(self, y_true: Any, y_pred: Any, weights: Any = None) -> float:
        more = {} if weights is None else {"sample_weight": weights}
        value = self.function(y_true, y_pred, **self.options, **more)
        if np.ndim(value) != 0:
            raise InvalidParameterError(
                f"{self.label} gives {np.size(value)} numbers and an interval needs one: choose "
                "how they are averaged (average=… for labels, multioutput=… for targets)."
            )
        return self.sign * float(value)

    def quietly(self, y_true: Any, y_pred: Any, weights: Any = None) -> float:
        """The value without warnings; NaN where it is undefined for these rows."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return self(y_true, y_pred, weights)
            except (InvalidDataError, ValueError):  # such as a resample of one class
                return float("nan")

    def estimate(self, y_true: Any, y_pred: Any, weights: Any = None) -> float:
        """The value for all rows, which must be a number."""
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always", UndefinedMetricWarning)
            value = self(y_true, y_pred, weights)
        if not np.isfinite(value):
            why = f": {seen[-1].message}" if seen else "."
            raise InvalidDataError(
                f"{self.label} is {value} for these rows, and has no interval{why}"
            )
        return value


def resolve(metric: Any, options: dict[str, Any]) -> Metric:
    """The metric meant by a scorer's name, a metric's name, a scorer or a function."""
    scorer = metric
    if isinstance(metric, str):
        if metric not in SCORER_NAMES:
            return Metric(metric, _function(metric), options)
        scorer = get_scorer(metric)
    if isinstance(scorer, Scorer):
        label = metric if isinstance(metric, str) else repr(metric)
        joined = {**scorer._kwargs, **options}
        return Metric(label, scorer._score_func, joined, scorer._sign)
    if not callable(metric):
        raise InvalidParameterError(
            "metric must be the name of a scorer or a metric, a scorer, or a function of "
            f"(y_true, y_pred), got {brief(metric)}."
        )
    return Metric(getattr(metric, "__name__", repr(metric)), metric, options)


def _function(name: str) -> Callable[..., Any]:
    from difflib import get_close_matches

    from stylobate import metrics

    known = [n for n in metrics.__all__ if n.endswith(_LOSSES + _SCORES)]
    if name in known:
        function: Callable[..., Any] = getattr(metrics, name)
        return function
    close = get_close_matches(name, [*SCORER_NAMES, *known], 3)
    raise InvalidParameterError(
        f"{name!r} is no metric: pass a name of stylobate.metrics (close: "
        f"{', '.join(close) or 'none'}) or a function of (y_true, y_pred)."
    )
