"""Deviances of the Tweedie family, and the share of them that is explained."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics.regression.outputs import Outputs, read_outputs


def mean_tweedie_deviance(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, power: float = 0
) -> float:
    r"""Mean deviance of the Tweedie distribution whose variance is :math:`\mu^p`.

    .. math:: d_p(y, \mu) = 2\left(\frac{y^{2-p}}{(1-p)(2-p)} - \frac{y \mu^{1-p}}{1-p}
              + \frac{\mu^{2-p}}{2-p}\right)

    and its limits: p = 0 the squared error, p = 1 Poisson, p = 2 Gamma, p = 3 inverse Gaussian.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        The truth and what was predicted.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.
    power : float outside (0, 1), default=0
        The power p. Predictions must be positive unless it is 0; y not negative from 1 on,
        positive from 2 on.

    Returns
    -------
    float
        In [0, inf).

    Examples
    --------
    >>> round(mean_tweedie_deviance([1.0, 2.0], [1.0, 1.0], power=1), 6)
    0.386294
    """
    both = read_outputs(y_true, y_pred, sample_weight, "mean_tweedie_deviance").single()
    return _deviance(both, both.predicted, power)


def mean_poisson_deviance(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """Mean of 2(y log(y/μ) − y + μ): for counts.

    Parameters
    ----------
    y_true, y_pred, sample_weight
        As of `mean_tweedie_deviance`: y not negative, predictions positive.

    Returns
    -------
    float
        In [0, inf).

    Examples
    --------
    >>> round(mean_poisson_deviance([1.0, 2.0], [1.0, 1.0]), 6)
    0.386294
    """
    both = read_outputs(y_true, y_pred, sample_weight, "mean_poisson_deviance").single()
    return _deviance(both, both.predicted, 1)


def mean_gamma_deviance(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """Mean of 2(log(μ/y) + y/μ − 1): for positive numbers of constant relative spread.

    Parameters
    ----------
    y_true, y_pred, sample_weight
        As of `mean_tweedie_deviance`: both positive.

    Returns
    -------
    float
        In [0, inf).

    Examples
    --------
    >>> round(mean_gamma_deviance([1.0, 2.0], [1.0, 1.0]), 6)
    0.306853
    """
    both = read_outputs(y_true, y_pred, sample_weight, "mean_gamma_deviance").single()
    return _deviance(both, both.predicted, 2)


def d2_tweedie_score(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, power: float = 0
) -> float:
    """Share of the deviance of the mean that is saved; with power 0 this is R².

    Parameters
    ----------
    y_true, y_pred, sample_weight, power
        As of `mean_tweedie_deviance`.

    Returns
    -------
    float
        In (-inf, 1]; NaN (with a warning) for fewer than two rows.

    Examples
    --------
    >>> d2_tweedie_score([1.0, 2.0, 3.0], [1.0, 2.0, 4.0])
    0.5
    """
    both = read_outputs(y_true, y_pred, sample_weight, "d2_tweedie_score").single()
    if both.too_few("D^2"):
        return float("nan")
    unexplained = _deviance(both, both.predicted, power)
    total = _deviance(both, np.broadcast_to(both.mean(both.truth), both.truth.shape), power)
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(1.0 - np.float64(unexplained) / total)


def _deviance(both: Outputs, mean: Array, power: float) -> float:
    _refuse_outside(both, mean, power)
    return float(both.mean(_unit_deviance(both.truth, mean, power))[0])


def _unit_deviance(y: Array, mean: Array, p: float) -> Array:
    from scipy.special import xlogy

    if p == 0:
        return np.asarray((y - mean) ** 2)
    if p == 1:
        return np.asarray(2.0 * (xlogy(y, y / mean) - y + mean))
    if p == 2:
        return np.asarray(2.0 * (np.log(mean / y) + y / mean - 1.0))
    first = np.maximum(y, 0.0) ** (2.0 - p) / ((1.0 - p) * (2.0 - p))
    rest = mean ** (2.0 - p) / (2.0 - p) - y * mean ** (1.0 - p) / (1.0 - p)
    return np.asarray(2.0 * (first + rest))


def _refuse_outside(both: Outputs, mean: Array, power: float) -> None:
    if 0 < power < 1:
        raise InvalidParameterError(
            f"{both.owner}: power must be at most 0 or at least 1 (no distribution is between), "
            f"got {power!r}."
        )
    allowed = "strictly positive y_pred"
    wrong = power != 0 and bool((mean <= 0).any())
    if power >= 2:
        allowed = "strictly positive y and y_pred"
        wrong = wrong or bool((both.truth <= 0).any())
    elif power >= 1:
        allowed = "non-negative y and strictly positive y_pred"
        wrong = wrong or bool((both.truth < 0).any())
    if wrong:
        raise InvalidDataError(
            f"{both.owner}: Mean Tweedie deviance error with power={power} can only be used on "
            f"{allowed}; the least y is {both.truth.min():g}, the least y_pred {mean.min():g}."
        )
