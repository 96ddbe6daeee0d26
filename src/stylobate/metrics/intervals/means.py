"""Metrics that are means of losses of the rows, or smooth functions of such means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.metrics.intervals.linear import Linear, mean_of
from stylobate.metrics.intervals.metric import Metric
from stylobate.metrics.intervals.scales import LOG, NOT_NEGATIVE, SHORTFALL
from stylobate.metrics.regression.quantiles import weighted_quantile

_MEANS = (
    "mean_absolute_error",
    "mean_absolute_percentage_error",
    "mean_huber_loss",
    "mean_pinball_loss",
    "mean_squared_error",
    "mean_squared_log_error",
)
_ROOTS = {
    "root_mean_squared_error": "mean_squared_error",
    "root_mean_squared_log_error": "mean_squared_log_error",
}


def linear_mean(
    metric: Metric, truth: NDArray[Any], predicted: NDArray[Any], weights: Array | None
) -> Linear | None:
    """What each row adds to a metric of numbers or probabilities; None if it is no such metric."""
    name = metric.known
    if name in _MEANS:
        losses = _losses_of_rows(name, truth, predicted, metric.options)
        return mean_of(_averaged(losses, metric), weights, NOT_NEGATIVE)
    if name in _ROOTS:
        return _root(metric, truth, predicted, weights)
    if name in _ROW_LOSSES:
        losses = _ROW_LOSSES[name](truth, predicted, metric.options)
        return mean_of(losses, weights, NOT_NEGATIVE)
    if name in _BASELINES:
        return _explained(metric, truth, predicted, weights)
    return None


def _losses_of_rows(
    name: str, truth: NDArray[Any], predicted: NDArray[Any], options: dict[str, Any]
) -> Array:
    """The loss of each row and output: the metric of one row that has all of them as outputs."""
    from stylobate import metrics

    more = {key: value for key, value in options.items() if key != "multioutput"}
    flat = truth.reshape(1, -1), predicted.reshape(1, -1)
    losses = getattr(metrics, name)(*flat, multioutput="raw_values", **more)
    return np.asarray(losses).reshape(len(truth), -1)


def _averaged(columns: Array, metric: Metric) -> Array:
    """One number for each row from one for each output."""
    shares = metric.option("multioutput", "uniform_average")
    weights = None if shares is None or isinstance(shares, str) else np.asarray(shares, float)
    return np.asarray(np.average(columns, axis=1, weights=weights))


def _root(
    metric: Metric, truth: NDArray[Any], predicted: NDArray[Any], weights: Array | None
) -> Linear | None:
    """√ of the mean of each output, averaged over them."""
    losses = _losses_of_rows(_ROOTS[metric.known], truth, predicted, {})
    means = np.average(losses, axis=0, weights=weights)
    if not (means > 0).all():
        return None
    added = _averaged((losses - means) / (2.0 * np.sqrt(means)), metric)
    estimate = float(_averaged(np.sqrt(means)[None], metric)[0])
    return Linear(estimate, (added,), (weights,), LOG)


def _explained(
    metric: Metric, truth: NDArray[Any], predicted: NDArray[Any], weights: Array | None
) -> Linear | None:
    """1 − u/t: the mean loss of the predictions and that of the best constant.

    The best constant is estimated too, but the loss is flat there: to first order it is fixed.
    """
    if metric.option("multioutput") == "variance_weighted":
        return None
    y, p = (np.asarray(v, dtype=np.float64).reshape(len(truth), -1) for v in (truth, predicted))
    losses, baseline = _BASELINES[metric.known](y, p, weights, metric.options)
    u, t = (np.average(each, axis=0, weights=weights) for each in (losses, baseline))
    if not (t > 0).all():
        return None
    added = _averaged((u / t * (baseline - t) - (losses - u)) / t, metric)
    estimate = float(_averaged((1.0 - u / t)[None], metric)[0])
    return Linear(estimate, (added,), (weights,), SHORTFALL)


def _squares(
    y: Array, p: Array, weights: Array | None, options: dict[str, Any]
) -> tuple[Array, Array]:
    return (y - p) ** 2, (y - np.average(y, axis=0, weights=weights)) ** 2


def _centred_squares(
    y: Array, p: Array, weights: Array | None, options: dict[str, Any]
) -> tuple[Array, Array]:
    errors = y - p
    shift = np.average(errors, axis=0, weights=weights)
    return (errors - shift) ** 2, (y - np.average(y, axis=0, weights=weights)) ** 2


def _pinballs(
    y: Array, p: Array, weights: Array | None, options: dict[str, Any]
) -> tuple[Array, Array]:
    alpha = options.get("alpha", 0.5)
    constant = weighted_quantile(y, np.ones(len(y)) if weights is None else weights, alpha)
    name, wide = "mean_pinball_loss", np.broadcast_to(constant, y.shape)
    return (
        _losses_of_rows(name, y, p, {"alpha": alpha}),
        _losses_of_rows(name, y, wide, {"alpha": alpha}),
    )


def _deviances(
    y: Array, p: Array, weights: Array | None, options: dict[str, Any]
) -> tuple[Array, Array]:
    from stylobate.metrics.regression.deviance import _unit_deviance

    power = options.get("power", 0)
    mean = np.broadcast_to(np.average(y, axis=0, weights=weights), y.shape)
    return _unit_deviance(y, p, power), _unit_deviance(y, mean, power)


def _deviance_rows(power: float | None) -> Callable[..., Array]:
    def rows(truth: NDArray[Any], predicted: NDArray[Any], options: dict[str, Any]) -> Array:
        from stylobate.metrics.regression.deviance import _unit_deviance

        y, mean = (np.asarray(v, dtype=np.float64).reshape(-1) for v in (truth, predicted))
        return _unit_deviance(y, mean, options.get("power", 0) if power is None else power)

    return rows


def _log_loss_rows(truth: NDArray[Any], p: NDArray[Any], options: dict[str, Any]) -> Array:
    from stylobate.metrics.classification.probabilities import _match_classes, _read_probabilities

    chances, eps = _read_probabilities(p, "log_loss")
    numbers, chances = _match_classes(truth, chances, options.get("labels"), eps, "log_loss")
    return -np.log(np.clip(chances[np.arange(len(chances)), numbers], eps, 1.0 - eps))


def _brier_rows(truth: NDArray[Any], p: NDArray[Any], options: dict[str, Any]) -> Array:
    from stylobate.metrics.classification.probabilities import (
        _match_classes,
        _read_probabilities,
        positives,
    )

    owner = "brier_score_loss"
    chances, eps = _read_probabilities(p, owner)
    if chances.shape[1] == 1:
        happened = positives(truth, options.get("pos_label"), owner)[:, None]
        errors = np.hstack([chances - happened, happened - chances])
    else:
        numbers, errors = _match_classes(truth, chances, options.get("labels"), eps, owner)
        errors = errors - (numbers[:, None] == np.arange(errors.shape[1]))
    half = options.get("scale_by_half", "auto")
    halved = errors.shape[1] < 3 if isinstance(half, str) else half
    return np.asarray((errors**2).sum(axis=1) * (0.5 if halved else 1.0))


_ROW_LOSSES: dict[str, Callable[..., Array]] = {
    "brier_score_loss": _brier_rows,
    "log_loss": _log_loss_rows,
    "mean_gamma_deviance": _deviance_rows(2),
    "mean_poisson_deviance": _deviance_rows(1),
    "mean_tweedie_deviance": _deviance_rows(None),
}
_BASELINES: dict[str, Callable[..., tuple[Array, Array]]] = {
    "d2_absolute_error_score": _pinballs,
    "d2_pinball_score": _pinballs,
    "d2_tweedie_score": _deviances,
    "explained_variance_score": _centred_squares,
    "r2_score": _squares,
}
