"""Pinball loss, and the share of it that is explained."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.metrics.regression.outputs import (
    Outputs,
    average_explained,
    average_outputs,
    read_outputs,
)

_ROUNDING = 1e-12  # of a share of the weight


def mean_pinball_loss(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    alpha: float = 0.5,
    multioutput: Any = "uniform_average",
) -> float | Array:
    r"""Mean of :math:`\max(\alpha r, (\alpha - 1) r)`, the loss whose best constant is a quantile.

    Parameters
    ----------
    y_true, y_pred, sample_weight
        As of `mean_squared_error`.
    alpha : float in [0, 1], default=0.5
        The quantile; at 0.5 the loss is half the absolute error.
    multioutput : {"raw_values", "uniform_average"} or array of shape (n_outputs,)
        As of `mean_squared_error`.

    Returns
    -------
    float or array of shape (n_outputs,)
        In [0, inf).

    Examples
    --------
    >>> mean_pinball_loss([1.0, 2.0], [2.0, 0.0], alpha=0.9)
    0.95
    """
    both = read_outputs(y_true, y_pred, sample_weight, "mean_pinball_loss")
    return average_outputs(_pinball(both, both.predicted, alpha), multioutput, both.owner)


def d2_pinball_score(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    alpha: float = 0.5,
    multioutput: Any = "uniform_average",
) -> float | Array:
    """Share of the pinball loss of the best constant (a quantile of y) that is saved.

    Parameters
    ----------
    y_true, y_pred, sample_weight, alpha, multioutput
        As of `mean_pinball_loss`.

    Returns
    -------
    float or array of shape (n_outputs,)
        In (-inf, 1]; NaN (with a warning) for fewer than two rows.

    Examples
    --------
    >>> d2_pinball_score([1.0, 2.0, 3.0], [1.0, 2.0, 2.0])
    0.5
    """
    return _explained(y_true, y_pred, sample_weight, alpha, multioutput, "d2_pinball_score")


def d2_absolute_error_score(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> float | Array:
    """Share of the absolute error of the median that is saved.

    Parameters
    ----------
    y_true, y_pred, sample_weight, multioutput
        As of `mean_squared_error`.

    Returns
    -------
    float or array of shape (n_outputs,)
        In (-inf, 1].

    Examples
    --------
    >>> d2_absolute_error_score([1.0, 2.0, 3.0], [1.0, 2.0, 2.0])
    0.5
    """
    return _explained(y_true, y_pred, sample_weight, 0.5, multioutput, "d2_absolute_error_score")


def _explained(
    y_true: Any, y_pred: Any, sample_weight: Any, alpha: float, multioutput: Any, owner: str
) -> float | Array:
    both = read_outputs(y_true, y_pred, sample_weight, owner)
    if both.too_few("D^2"):
        return float("nan")
    weights = np.ones(len(both.truth)) if both.weights is None else both.weights
    constant = weighted_quantile(both.truth, weights, alpha)
    return average_explained(
        _pinball(both, both.predicted, alpha),
        _pinball(both, constant, alpha),
        multioutput,
        both.owner,
    )


def _pinball(both: Outputs, predicted: Array, alpha: float) -> Array:
    if not 0.0 <= alpha <= 1.0:
        raise InvalidParameterError(f"{both.owner}: alpha must be in [0, 1], got {alpha!r}.")
    error = both.truth - predicted
    return both.mean(np.maximum(alpha * error, (alpha - 1.0) * error))


def weighted_quantile(values: Array, weights: Array, share: float) -> Array:
    """The quantile of each column of (n × t) values: the inverse of the weighted distribution.

    Where exactly that share of the weight is reached, the mean of this value and the next.

    >>> weighted_quantile(np.array([[1.0], [2.0], [4.0]]), np.array([1.0, 0.0, 1.0]), 0.5)
    array([2.5])
    """
    counted = weights > 0
    values, weights = values[counted], weights[counted]
    found = np.empty(values.shape[1])
    for column in range(values.shape[1]):
        order = np.argsort(values[:, column], kind="stable")
        ordered, reached = values[order, column], np.cumsum(weights[order])
        wanted = share * reached[-1]
        slack = _ROUNDING * reached[-1]
        lower = min(int(np.searchsorted(reached, wanted - slack)), len(ordered) - 1)
        exact = share > 0 and abs(reached[lower] - wanted) <= slack and lower + 1 < len(ordered)
        found[column] = 0.5 * (ordered[lower] + ordered[lower + 1]) if exact else ordered[lower]
    return found
