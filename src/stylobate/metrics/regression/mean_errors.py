"""Squared, absolute and relative errors, and the share of the variance explained."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError
from stylobate.metrics.regression.outputs import average_explained, average_outputs, read_outputs
from stylobate.metrics.regression.quantiles import weighted_quantile


def mean_squared_error(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> float | Array:
    r"""Mean of the squared errors, :math:`\sum_i w_i (y_i - \hat y_i)^2 / \sum_i w_i`.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,) or (n, n_outputs)
        The truth and what was predicted.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.
    multioutput : {"raw_values", "uniform_average"} or array of shape (n_outputs,)
        One number for each output, their mean (the default), or their weighted mean.

    Returns
    -------
    float or array of shape (n_outputs,)
        In [0, inf).

    Examples
    --------
    >>> mean_squared_error([3.0, 1.0], [2.0, 3.0])
    2.5
    """
    both = read_outputs(y_true, y_pred, sample_weight, "mean_squared_error")
    return average_outputs(both.mean((both.truth - both.predicted) ** 2), multioutput, both.owner)


def root_mean_squared_error(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> float | Array:
    """Square root of the mean squared error, of each output before they are averaged.

    Parameters
    ----------
    y_true, y_pred, sample_weight, multioutput
        As of `mean_squared_error`.

    Returns
    -------
    float or array of shape (n_outputs,)
        In [0, inf), in the units of y.

    Examples
    --------
    >>> root_mean_squared_error([3.0, 1.0], [0.0, 4.0])
    3.0
    """
    both = read_outputs(y_true, y_pred, sample_weight, "root_mean_squared_error")
    errors = np.sqrt(both.mean((both.truth - both.predicted) ** 2))
    return average_outputs(errors, multioutput, both.owner)


def mean_squared_log_error(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> float | Array:
    """Mean of (log(1 + y) − log(1 + ŷ))²; for numbers above -1.

    Parameters
    ----------
    y_true, y_pred, sample_weight, multioutput
        As of `mean_squared_error`.

    Returns
    -------
    float or array of shape (n_outputs,)
        In [0, inf).

    Examples
    --------
    >>> round(mean_squared_log_error([0.0, 1.0], [1.0, 1.0]), 6)
    0.240227
    """
    a, b, both = _logarithms(y_true, y_pred, sample_weight, "mean_squared_log_error")
    return average_outputs(both.mean((a - b) ** 2), multioutput, both.owner)


def root_mean_squared_log_error(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> float | Array:
    """Square root of the mean squared logarithmic error; see `mean_squared_log_error`.

    Examples
    --------
    >>> round(root_mean_squared_log_error([0.0, 1.0], [1.0, 1.0]), 6)
    0.490129
    """
    a, b, both = _logarithms(y_true, y_pred, sample_weight, "root_mean_squared_log_error")
    return average_outputs(np.sqrt(both.mean((a - b) ** 2)), multioutput, both.owner)


def _logarithms(y_true: Any, y_pred: Any, sample_weight: Any, owner: str) -> tuple[Any, Any, Any]:
    both = read_outputs(y_true, y_pred, sample_weight, owner)
    least = min(both.truth.min(), both.predicted.min())
    if least <= -1.0:
        raise InvalidDataError(
            f"{owner}: {owner.replace('_', ' ').capitalize()} cannot be used when targets contain "
            f"values less than or equal to -1, got {least:g}."
        )
    return np.log1p(both.truth), np.log1p(both.predicted), both


def mean_absolute_error(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> float | Array:
    """Mean of the absolute errors.

    Parameters
    ----------
    y_true, y_pred, sample_weight, multioutput
        As of `mean_squared_error`.

    Returns
    -------
    float or array of shape (n_outputs,)
        In [0, inf).

    Examples
    --------
    >>> mean_absolute_error([3.0, 1.0], [2.0, 3.0])
    1.5
    """
    both = read_outputs(y_true, y_pred, sample_weight, "mean_absolute_error")
    errors = both.mean(np.abs(both.truth - both.predicted))
    return average_outputs(errors, multioutput, both.owner)


def median_absolute_error(
    y_true: Any, y_pred: Any, *, multioutput: Any = "uniform_average", sample_weight: Any = None
) -> float | Array:
    """Median of the absolute errors; outliers do not matter.

    Parameters
    ----------
    y_true, y_pred, multioutput, sample_weight
        As of `mean_squared_error`.

    Returns
    -------
    float or array of shape (n_outputs,)
        In [0, inf).

    Examples
    --------
    >>> median_absolute_error([1.0, 2.0, 3.0], [1.5, 2.0, 99.0])
    0.5
    """
    both = read_outputs(y_true, y_pred, sample_weight, "median_absolute_error")
    errors = np.abs(both.truth - both.predicted)
    if both.weights is None:
        middle = np.median(errors, axis=0)
    else:
        middle = weighted_quantile(errors, both.weights, 0.5)
    return average_outputs(np.asarray(middle), multioutput, both.owner)


def mean_absolute_percentage_error(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> float | Array:
    """Mean of |y − ŷ| / max(|y|, ε), a share and not a percentage.

    Parameters
    ----------
    y_true, y_pred, sample_weight, multioutput
        As of `mean_squared_error`.

    Returns
    -------
    float or array of shape (n_outputs,)
        In [0, inf); very large where some y is zero.

    Examples
    --------
    >>> mean_absolute_percentage_error([2.0, 4.0], [1.0, 5.0])
    0.375
    """
    both = read_outputs(y_true, y_pred, sample_weight, "mean_absolute_percentage_error")
    scale = np.maximum(np.abs(both.truth), np.finfo(np.float64).eps)
    errors = both.mean(np.abs(both.truth - both.predicted) / scale)
    return average_outputs(errors, multioutput, both.owner)


def max_error(y_true: Any, y_pred: Any) -> float:
    """The largest absolute error.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        The truth and what was predicted.

    Returns
    -------
    float
        In [0, inf).

    Examples
    --------
    >>> max_error([3.0, 1.0], [2.0, 3.0])
    2.0
    """
    both = read_outputs(y_true, y_pred, None, "max_error").single()
    return float(np.abs(both.truth - both.predicted).max())


def r2_score(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    multioutput: Any = "uniform_average",
    force_finite: bool = True,
) -> float | Array:
    r"""Coefficient of determination.

    .. math:: R^2 = 1 - \frac{\sum_i w_i (y_i - \hat y_i)^2}{\sum_i w_i (y_i - \bar y)^2}

    Parameters
    ----------
    y_true, y_pred, sample_weight
        As of `mean_squared_error`.
    multioutput : {"raw_values", "uniform_average", "variance_weighted"}, array or None
        As of `mean_squared_error`, or weighted by the variance of each output.
    force_finite : bool, default=True
        Whether a constant output scores 1 if met exactly and else 0, instead of NaN and -inf.

    Returns
    -------
    float or array of shape (n_outputs,)
        In (-inf, 1]; NaN (with a warning) for fewer than two rows.

    Examples
    --------
    >>> r2_score([1.0, 2.0, 3.0], [1.0, 2.0, 4.0])
    0.5
    """
    both = read_outputs(y_true, y_pred, sample_weight, "r2_score")
    if both.too_few("R^2"):
        return float("nan")
    unexplained = both.total((both.truth - both.predicted) ** 2)
    total = both.total((both.truth - both.mean(both.truth)) ** 2)
    return average_explained(unexplained, total, multioutput, both.owner, force_finite=force_finite)


def explained_variance_score(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    multioutput: Any = "uniform_average",
    force_finite: bool = True,
) -> float | Array:
    """1 − Var(y − ŷ)/Var(y): like R², but a constant shift of the predictions costs nothing.

    Parameters
    ----------
    y_true, y_pred, sample_weight, multioutput, force_finite
        As of `r2_score`.

    Returns
    -------
    float or array of shape (n_outputs,)
        In (-inf, 1].

    Examples
    --------
    >>> explained_variance_score([1.0, 2.0, 3.0], [11.0, 12.0, 13.0])
    1.0
    """
    both = read_outputs(y_true, y_pred, sample_weight, "explained_variance_score")
    error = both.truth - both.predicted
    unexplained = both.mean((error - both.mean(error)) ** 2)
    total = both.mean((both.truth - both.mean(both.truth)) ** 2)
    return average_explained(unexplained, total, multioutput, both.owner, force_finite=force_finite)
