"""Entropy, cross-entropy and the Kullback–Leibler divergence of distributions."""

from __future__ import annotations

from math import e, inf, log
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError

_SLACK = 1e-6  # of a sum of probabilities from 1


def entropy(p: Any, *, base: float = e) -> float:
    r""":math:`H(p) = -\sum_k p_k \log p_k`: how uncertain a draw from p is.

    Parameters
    ----------
    p : array-like of shape (k,)
        Probabilities; not negative, of sum 1.
    base : float in (1, inf), default=e
        Of the logarithm: 2 for bits.

    Returns
    -------
    float
        From 0 (certain) to log k (all alike).

    Examples
    --------
    >>> entropy([0.5, 0.5], base=2), entropy([1.0, 0.0])
    (1.0, 0.0)
    >>> round(entropy([0.25, 0.75], base=2), 4)
    0.8113

    References
    ----------
    Shannon (1948), A mathematical theory of communication.
    """
    return cross_entropy(p, p, base=base)


def cross_entropy(p: Any, q: Any, *, base: float = e) -> float:
    r""":math:`H(p, q) = -\sum_k p_k \log q_k`: the mean log-loss of forecasts q where p is true.

    It is the entropy of p and, on top of it, `kl_divergence`: :math:`H(p, q) = H(p) + KL(p\|q)`.

    Parameters
    ----------
    p : array-like of shape (k,)
        The true probabilities; not negative, of sum 1.
    q : array-like of shape (k,)
        The forecast; not negative, of sum 1.
    base : float in (1, inf), default=e
        Of the logarithm.

    Returns
    -------
    float
        Infinite where q excludes what p allows.

    Examples
    --------
    >>> round(cross_entropy([1.0, 0.0], [0.8, 0.2]), 4), cross_entropy([1.0, 0.0], [0.0, 1.0])
    (0.2231, inf)
    """
    true, forecast = _pair(p, q, "cross_entropy")
    some = true > 0.0
    if (forecast[some] == 0.0).any():
        return inf
    return float(-(true[some] @ np.log(forecast[some])) / _logarithm(base)) + 0.0


def kl_divergence(p: Any, q: Any, *, base: float = e) -> float:
    r""":math:`KL(p\|q) = \sum_k p_k \log\frac{p_k}{q_k} \ge 0`: what forecasting q costs.

    It is 0 only where p = q, and not symmetric.

    Parameters
    ----------
    p, q : array-like of shape (k,)
        Probabilities; not negative, of sum 1.
    base : float in (1, inf), default=e
        Of the logarithm.

    Returns
    -------
    float
        Infinite where q excludes what p allows.

    Examples
    --------
    >>> kl_divergence([0.5, 0.5], [0.5, 0.5])
    0.0
    >>> round(kl_divergence([0.5, 0.5], [0.9, 0.1]), 4)
    0.5108
    >>> round(kl_divergence([0.9, 0.1], [0.5, 0.5]), 4)
    0.3681

    References
    ----------
    Kullback & Leibler (1951), On information and sufficiency.
    """
    true, forecast = _pair(p, q, "kl_divergence")
    some = true > 0.0
    if (forecast[some] == 0.0).any():
        return inf
    ratios = np.log(true[some]) - np.log(forecast[some])  # a quotient may underflow
    return max(float(true[some] @ ratios), 0.0) / _logarithm(base)


def _pair(p: Any, q: Any, owner: str) -> tuple[Array, Array]:
    true, forecast = (_shares(each, owner, name) for each, name in ((p, "p"), (q, "q")))
    if true.shape != forecast.shape:
        raise InvalidDataError(
            f"{owner}: p has {len(true)} values and q {len(forecast)}; they must be of the same "
            "events."
        )
    return true, forecast


def _shares(given: Any, owner: str, name: str) -> Array:
    shares = np.asarray(given, dtype=np.float64)
    if shares.ndim != 1 or not (shares >= 0.0).all() or not abs(shares.sum() - 1.0) <= _SLACK:
        raise InvalidDataError(
            f"{owner}: {name} must be a list of probabilities, not negative and of sum 1, got "
            f"{given!r}."
        )
    return shares


def _logarithm(base: float) -> float:
    if not 1.0 < base < inf:
        raise InvalidParameterError(f"entropy: base must be in (1, inf), got {base!r}.")
    return log(base)
