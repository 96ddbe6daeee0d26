"""Probabilities from decisions: Platt's sigmoid, and those of pairs coupled."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices
from stylobate.svm.machines.one_vs_one import class_pairs

_MOST_STEPS = 100
_LEAST = 1e-7  # probabilities of pairs stay this far from 0 and 1
_BLOCK = 4096


def platt_sigmoid(
    decisions: Array, positive: NDArray[np.bool_], weight: Array
) -> tuple[float, float]:
    r"""A and B of :math:`P(y = 1 \mid f) = 1/(1 + e^{Af + B})` by maximum likelihood.

    Targets are :math:`(N_+ + 1)/(N_+ + 2)` and :math:`1/(N_- + 2)` instead of 1 and 0, which keeps
    the sigmoid finite on classes that are separated. Newton's method, with steps halved until the
    likelihood rises.

    Parameters
    ----------
    decisions : array of shape (n,)
        Of rows that were not in the fit.
    positive : array of bool
        Whether the row is of the second class.
    weight : array of shape (n,)
        Weights of the rows.

    Examples
    --------
    >>> decisions, y = np.array([-1.0, 0.2, -0.2, 1.0]), np.array([0, 0, 1, 1])
    >>> A, B = platt_sigmoid(decisions, y > 0, np.ones(4))
    >>> A < 0, abs(B) < 1e-9
    (True, True)

    References
    ----------
    Lin, Lin & Weng (2007), A note on Platt's probabilistic outputs for support vector machines,
    Machine Learning 68.
    """
    above, below = float(positive.sum()), float((~positive).sum())
    target = np.where(positive, (above + 1.0) / (above + 2.0), 1.0 / (below + 2.0))
    design = np.column_stack([decisions, np.ones(len(decisions))])
    point = np.array([0.0, np.log((below + 1.0) / (above + 1.0))])

    def loss(at: Array) -> float:
        z = design @ at
        return float(weight @ (np.logaddexp(0.0, -z) + target * z))

    value = loss(point)
    for _ in range(_MOST_STEPS):
        share = 1.0 / (1.0 + np.exp(np.clip(design @ point, -700.0, 700.0)))
        slope = design.T @ (weight * (target - share))
        if np.abs(slope).max() < 1e-10 * max(float(weight.sum()), 1.0):
            break
        curve = (design * (weight * share * (1.0 - share))[:, None]).T @ design
        step = -np.linalg.solve(curve + 1e-12 * np.eye(2), slope)
        size = 1.0
        while size > 1e-10 and loss(point + size * step) > value + 1e-4 * size * float(
            slope @ step
        ):
            size *= 0.5
        point = point + size * step
        value = loss(point)
        if size <= 1e-10:
            break
    return float(point[0]), float(point[1])


def stratified_folds(
    second: NDArray[np.bool_], folds: int, draws: np.random.RandomState
) -> Iterator[tuple[Indices, Indices]]:
    """Rows to fit and rows held out, both classes dealt evenly over the folds."""
    fold = np.empty(len(second), dtype=np.int64)
    for member in (False, True):
        own = draws.permutation(np.flatnonzero(second == member))
        fold[own] = np.arange(len(own)) % folds
    for each in range(folds):
        held = fold == each
        if held.any() and not held.all():
            yield np.flatnonzero(~held), np.flatnonzero(held)


def pair_probabilities(decisions: Array, A: Array, B: Array) -> Array:
    """Each pair's probability of the second class of a pair, by its sigmoid."""
    exponent = np.clip(decisions * A + B, -700.0, 700.0)
    return np.clip(1.0 / (1.0 + np.exp(exponent)), _LEAST, 1.0 - _LEAST)


def coupled(first: Array, k: int) -> Array:
    r"""Probabilities of k classes from those of pairs.

    The second method of Wu, Lin and Weng: :math:`\min_p \sum_{i<j} (r_{ji} p_i - r_{ij} p_j)^2`
    with Σp = 1, solved as a linear system.

    Parameters
    ----------
    first : array of shape (n, k(k − 1)/2)
        :math:`r_{ij}`, the probability of class i among i and j.

    Examples
    --------
    >>> coupled(np.array([[0.5, 0.5, 0.5]]), 3).round(4)
    array([[0.3333, 0.3333, 0.3333]])

    References
    ----------
    Wu, Lin & Weng (2004), Probability estimates for multi-class classification by pairwise
    coupling, JMLR 5.
    """
    found = np.empty((len(first), k))
    for start in range(0, len(first), _BLOCK):
        some = first[start : start + _BLOCK]
        system = np.zeros((len(some), k + 1, k + 1))
        for place, (i, j) in enumerate(class_pairs(k)):
            r, s = some[:, place], 1.0 - some[:, place]
            system[:, i, i] += s * s
            system[:, j, j] += r * r
            system[:, i, j] = system[:, j, i] = -r * s
        system[:, k, :k] = system[:, :k, k] = 1.0
        right = np.zeros((len(some), k + 1, 1))
        right[:, k] = 1.0
        found[start : start + _BLOCK] = np.linalg.solve(system, right)[:, :k, 0]
    found = np.maximum(found, 0.0)
    return np.asarray(found / found.sum(axis=1, keepdims=True))
