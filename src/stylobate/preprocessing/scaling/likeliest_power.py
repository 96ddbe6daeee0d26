"""The power that makes a column most nearly normal, and the transforms themselves."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from stylobate.arrays import Array

FLAT = 1e-12  # powers nearer to 0 (or 2) than this are logarithms
MINUTE = 1e-8  # columns smaller than this are left as they are by every Yeo–Johnson power


def box_cox(x: Array, power: float) -> Array:
    """(xᵖ − 1) / p, or log x for p = 0."""
    log = np.log(x)
    return log if abs(power) < FLAT else np.asarray(np.expm1(power * log) / power)


def inverse_box_cox(y: Array, power: float) -> Array:
    """The x of `box_cox`; NaN where there is none."""
    if abs(power) < FLAT:
        return np.asarray(np.exp(y))
    return np.asarray(np.exp(np.log1p(power * y) / power))


def yeo_johnson(x: Array, power: float) -> Array:
    """Box–Cox of 1 + x, and of 1 − x with the power 2 − p where x is negative."""
    size, own = np.log1p(np.abs(x)), np.where(x < 0, 2.0 - power, power)
    flat = np.abs(own) < FLAT
    grown = np.expm1(np.where(flat, 0.0, own) * size) / np.where(flat, 1.0, own)
    return np.asarray(np.copysign(np.where(flat, size, grown), x))


def inverse_yeo_johnson(y: Array, power: float) -> Array:
    """The x of `yeo_johnson`; NaN where there is none."""
    size, own = np.abs(y), np.where(y < 0, 2.0 - power, power)
    flat = np.abs(own) < FLAT
    log = np.where(flat, size, np.log1p(own * size) / np.where(flat, 1.0, own))
    return np.asarray(np.copysign(np.expm1(log), y))


def likeliest_box_cox(x: Array) -> float:
    """The Box–Cox power of largest likelihood of positive values."""
    log = np.log(x)
    return _likeliest(lambda p: _log_variance(p * log, p, log), float(log.sum()), len(x))


def likeliest_yeo_johnson(x: Array) -> float:
    """The Yeo–Johnson power of largest likelihood; 1 where the values are too small to tell."""
    if len(x) == 0 or np.abs(x).max() < MINUTE:
        return 1.0
    size = np.log1p(np.abs(x))
    if (x >= 0).all():
        return _likeliest(lambda p: _log_variance(p * size, p, size), float(size.sum()), len(x))
    if (x <= 0).all():
        return 2.0 - likeliest_yeo_johnson(-x)
    signs = np.copysign(1.0, x)

    def spread(power: float) -> float:
        own = np.where(x < 0, 2.0 - power, power)
        return _signed_log_variance(size, own, signs)

    return _likeliest(spread, float((signs * size).sum()), len(x))


def _likeliest(log_variance: Callable[[float], float], slope: float, n: int) -> float:
    """The minimum of n/2 · log var(p) − (p − 1) · slope over p."""
    from scipy.optimize import brent

    def loss(power: float) -> float:
        return 0.5 * n * log_variance(power) - (power - 1.0) * slope

    return float(brent(loss, brack=(-2.0, 2.0)))


def _log_variance(exponent: Array, power: float, log: Array) -> float:
    """Logarithm of the variance of (exp(exponent) − 1) / power, whatever its size."""
    if abs(power) < FLAT:
        return float(np.log(log.var()))
    top = float(exponent.max())
    with np.errstate(under="ignore", divide="ignore"):
        return float(np.log(np.exp(exponent - top).var()) + 2 * top - 2 * np.log(abs(power)))


def _signed_log_variance(size: Array, own: Array, signs: Array) -> float:
    """Logarithm of the variance of sign · (exp(own · size) − 1) / own; nothing overflows."""
    flat = np.abs(own) < FLAT
    safe = np.where(flat, 1.0, own)
    exponent = own * size
    with np.errstate(divide="ignore", under="ignore", over="ignore", invalid="ignore"):
        grown = np.where(
            exponent > 30.0, exponent, np.log(np.abs(np.expm1(np.minimum(exponent, 30.0))))
        )
        logs = np.where(flat, np.log(size), grown - np.log(np.abs(safe)))
        top = float(logs.max())
        return float(np.log((signs * np.exp(logs - top)).var()) + 2 * top)
