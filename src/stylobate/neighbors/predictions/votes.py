"""What neighbours say: shares of classes, and whom to believe when they disagree."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices


def class_votes(codes: Indices, weights: Array, n_classes: int) -> Array:
    """Sums of weights by class: (n, k) classes of neighbours → (n, C).

    Examples
    --------
    >>> class_votes(np.array([[0, 1, 1]]), np.array([[1.0, 0.5, 0.25]]), 2)
    array([[1.  , 0.75]])
    """
    n = len(codes)
    places = codes + n_classes * np.arange(n)[:, None]
    sums = np.bincount(places.ravel(), weights=weights.ravel(), minlength=n * n_classes)
    return np.asarray(sums, dtype=np.float64).reshape(n, n_classes)


def list_votes(codes: Indices, weights: Array, offsets: Any, n_classes: int) -> Array:
    """As `class_votes`, for lists of neighbours one after the other."""
    n = len(offsets) - 1
    row = np.repeat(np.arange(n), np.diff(offsets))
    sums = np.bincount(row * n_classes + codes, weights=weights, minlength=n * n_classes)
    return np.asarray(sums, dtype=np.float64).reshape(n, n_classes)  # of nobody: whole numbers


def shares(votes: Array) -> Array:
    """Votes divided by their sum; rows without votes stay 0.

    Beside infinite votes (functions of the distance that weigh a row at distance 0 so) no others
    count.

    >>> shares(np.array([[1.0, 3.0], [0.0, 0.0], [1.0, np.inf]])).tolist()
    [[0.25, 0.75], [0.0, 0.0], [0.0, 1.0]]
    """
    endless = np.isposinf(votes)
    if endless.any():
        votes = np.where(endless.any(axis=1, keepdims=True), endless.astype(np.float64), votes)
    total = votes.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(votes, total, out=np.zeros_like(votes), where=total > 0.0))


def closest_of_tied(
    votes: Array, codes: Indices, distances: Array
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """The winner of each row; among tied classes that of the closest neighbour.

    Parameters
    ----------
    votes : array of shape (n, C)
        Sums of weights.
    codes, distances : arrays of shape (n, k)
        Classes of the neighbours and how far they are, sorted.

    Returns
    -------
    winner : array of shape (n,)
        A class; the first of them if neighbours at the same distance disagree.
    undecided : array of shape (n,)
        Where they do.

    Examples
    --------
    >>> codes, distances = np.array([[1, 0], [1, 0]]), np.array([[0.1, 0.2], [0.3, 0.3]])
    >>> closest_of_tied(np.array([[1.0, 1.0], [1.0, 1.0]]), codes, distances)
    (array([1, 0]), array([False,  True]))
    """
    best = votes.max(axis=1, keepdims=True)
    # sums of the same weights in another order differ by rounding
    tied = votes >= best * (1.0 - 1e-12)
    winner = np.argmax(tied, axis=1)
    several = np.flatnonzero(tied.sum(axis=1) > 1)
    undecided = np.zeros(len(votes), dtype=bool)
    if not len(several):
        return winner, undecided
    takes_part = np.take_along_axis(tied[several], codes[several], axis=1)
    far = np.where(takes_part, distances[several], np.inf)
    nearest = far.min(axis=1, keepdims=True)
    closest = (far <= nearest) & takes_part
    first = np.where(closest, codes[several], votes.shape[1]).min(axis=1)
    last = np.where(closest, codes[several], -1).max(axis=1)
    winner[several] = first
    undecided[several] = first != last
    return winner, undecided


def margins(votes: Array) -> Array:
    """How far the winner's share is ahead of the second's, in [0, 1].

    Examples
    --------
    >>> margins(np.array([[3.0, 1.0], [2.0, 2.0]]))
    array([0.5, 0. ])
    """
    if votes.shape[1] == 1:
        return np.ones(len(votes))
    top = np.sort(shares(votes), axis=1)
    return np.asarray(top[:, -1] - top[:, -2])
