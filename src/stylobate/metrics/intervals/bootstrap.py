"""Ends of an interval from a bootstrap distribution."""

from __future__ import annotations

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics.intervals.dependence import Dependence

METHODS = ("bca", "percentile", "basic")
_MOST_UNDEFINED = 0.1


def name_of(kind: str, dependence: Dependence | None) -> str:
    """What an interval by the bootstrap is called."""
    return f"bootstrap, {kind}" + (f", {dependence.words}" if dependence else "")


def defined(values: Array, label: str) -> Array:
    """The resamples for which the metric has a value; refuses if they are too few."""
    known = np.isfinite(values.reshape(len(values), -1)).all(axis=1)
    if known.mean() < 1.0 - _MOST_UNDEFINED:
        raise InvalidDataError(
            f"{label} is undefined for {100 * (1 - known.mean()):.0f} % of the resamples, such as "
            "those without one of the classes: pass stratify=True to keep the classes' sizes, or "
            "more rows."
        )
    return np.asarray(values[known])


def ends(
    values: Array, estimate: float, confidence: float, method: str, left_out: Array, counts: Array
) -> tuple[float, float]:
    r"""The ends by quantiles of the resampled values, by "bca", "percentile" or "basic".

    BCa moves the levels of the quantiles for bias and for a spread that changes with the value:

    .. math:: \Phi\left(z_0 + \frac{z_0 + z}{1 - a (z_0 + z)}\right)

    with :math:`z_0` from the share of values below the estimate and :math:`a` from the skewness of
    the values with rows left out.

    Parameters
    ----------
    values : array of shape (n_resamples,)
        The metric of each resample.
    estimate : float
        The metric of the rows.
    confidence : float in (0, 1)
        Coverage asked for.
    method : {"bca", "percentile", "basic"}
        See above.
    left_out : array of shape (m,)
        The metric without a row (or a group), needed for "bca".
    counts : array of shape (m,)
        How many rows (or groups) each of these stands for.

    References
    ----------
    Efron & Tibshirani (1993), An introduction to the bootstrap, chapter 14.

    Examples
    --------
    >>> low, high = ends(np.arange(101.0), 50.0, 0.9, "percentile", np.empty(0), np.empty(0))
    >>> round(low, 6), round(high, 6)
    (5.0, 95.0)
    """
    if method not in METHODS:
        raise InvalidParameterError(f"method must be one of {', '.join(METHODS)}, got {method!r}.")
    tail = 0.5 * (1.0 - confidence)
    levels = np.array([tail, 1.0 - tail])
    if method == "bca":
        levels = _corrected(levels, values, estimate, left_out, counts)
    low, high = np.quantile(values, levels)
    if method == "basic":
        low, high = 2.0 * estimate - high, 2.0 * estimate - low
    return float(low), float(high)


def _corrected(
    levels: Array, values: Array, estimate: float, left_out: Array, counts: Array
) -> Array:
    from scipy.special import ndtr, ndtri

    below = float((values < estimate).mean() + (values <= estimate).mean()) / 2.0
    if not 0.0 < below < 1.0:  # at the end of all resamples, such as a maximum: nothing to correct
        return levels
    known = np.isfinite(left_out)
    left_out, counts = left_out[known], counts[known]
    away = np.average(left_out, weights=counts) - left_out if len(left_out) else np.zeros(1)
    spread = float(counts @ away**2)
    skew = float(counts @ away**3) / (6.0 * spread**1.5) if spread > 0 else 0.0
    bias, z = ndtri(below), ndtri(levels)
    return np.asarray(ndtr(bias + (bias + z) / (1.0 - skew * (bias + z))))
