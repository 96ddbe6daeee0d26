"""Scores and probabilities: sigmoid, log-odds and softmax."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.exceptions import InvalidDataError


def sigmoid(z: Any) -> Any:
    r""":math:`\sigma(z) = 1 / (1 + e^{-z})`, the probability at log-odds z; inverse of `log_odds`.

    Parameters
    ----------
    z : float or array
        Log-odds, infinite ones included.

    Returns
    -------
    float or array
        In [0, 1], with full relative precision where it is small.

    Examples
    --------
    >>> sigmoid(0.0), sigmoid([-1.0, 1.0]).round(4)
    (0.5, array([0.2689, 0.7311]))
    >>> sigmoid(-1000.0), sigmoid(1000.0)
    (0.0, 1.0)
    """
    scores = np.asarray(z, dtype=np.float64)
    small = np.exp(-np.abs(scores))  # never overflows
    return _plain(np.where(scores < 0.0, small, 1.0) / (1.0 + small))


def log_odds(p: Any) -> Any:
    r""":math:`\log\frac{p}{1 - p}`, the logit; inverse of `sigmoid`.

    Parameters
    ----------
    p : float or array
        Probabilities in [0, 1].

    Returns
    -------
    float or array
        −inf at 0 and inf at 1.

    Examples
    --------
    >>> log_odds(0.5), log_odds([0.25, 0.8]).round(4), log_odds(1.0)
    (0.0, array([-1.0986,  1.3863]), inf)
    """
    shares = np.asarray(p, dtype=np.float64)
    if not ((shares >= 0.0) & (shares <= 1.0)).all():
        raise InvalidDataError("log_odds: p must be probabilities, each from 0 to 1.")
    with np.errstate(divide="ignore"):
        return _plain(np.log(shares) - np.log1p(-shares))


def softmax(z: Any, axis: int = -1) -> Any:
    r""":math:`p_k = e^{z_k} / \sum_j e^{z_j}`: scores of classes as probabilities.

    Adding a constant to all scores changes nothing; with two classes it is
    ``sigmoid(z[1] - z[0])``.

    Parameters
    ----------
    z : array
        Finite scores.
    axis : int, default=-1
        The axis along which the classes lie.

    Returns
    -------
    array of the shape of z

    Examples
    --------
    >>> softmax([1.0, 2.0, 3.0]).round(4)
    array([0.09  , 0.2447, 0.6652])
    >>> softmax([1000.0, 1000.0])
    array([0.5, 0.5])
    """
    scores = np.asarray(z, dtype=np.float64)
    if not scores.ndim or not scores.shape[axis]:
        raise InvalidDataError("softmax: z must hold at least one score per row.")
    if not np.isfinite(scores).all():
        raise InvalidDataError("softmax: z must be finite scores; it holds NaN or infinity.")
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return np.asarray(powers / powers.sum(axis=axis, keepdims=True))


def _plain(values: Any) -> Any:
    """A float of a single number, else the array."""
    return float(values) if np.ndim(values) == 0 else values
