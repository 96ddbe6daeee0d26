"""First medoids: chosen one by one to lower the total, at random, or spread at random."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from stylobate import _core
from stylobate.arrays import Array, Indices
from stylobate.exceptions import InvalidParameterError

INITS = ("auto", "build", "clara", "k-medoids++", "random")
_BUDGET = 20_000_000  # pairs that the first medoids may cost, unless asked for more


class Problem(NamedTuple):
    """Points to be served by some of the candidates.

    Parameters
    ----------
    costs : MedoidCosts
        Of points and candidates.
    weights : ndarray of shape (points,)
        Of the points.
    own : ndarray of int64, shape (points,)
        Which candidates the points are.
    n_candidates : int
        How many candidates there are.
    """

    costs: _core.MedoidCosts
    weights: Array
    own: Indices
    n_candidates: int


def first_medoids(init: Any, k: int, problem: Problem, generator: np.random.Generator) -> Indices:
    """Numbers of k candidates to begin with.

    Parameters
    ----------
    init : str or array-like of int
        "build", "k-medoids++", "random", or the numbers themselves.
    k : int
        How many, at most as many as there are points.
    problem : Problem
        The points and candidates.
    generator : numpy.random.Generator
        For the random ones.
    """
    if not isinstance(init, str):
        return np.asarray(init, dtype=np.int64)
    if init == "build":
        return np.asarray(problem.costs.build(k, problem.weights)).view(np.int64)
    if init == "random":
        return np.sort(generator.choice(problem.n_candidates, k, replace=False))
    return _spread(k, problem, generator)


def _spread(k: int, problem: Problem, generator: np.random.Generator) -> Indices:
    """k-means++ for sums of distances: the next with a chance in proportion to w · distance."""
    n = len(problem.own)
    nearest: Array = np.ones(n)
    free = np.ones(n, dtype=bool)
    chosen = np.empty(k, dtype=np.int64)
    for t in range(k):
        chances = problem.weights * nearest * free
        if not 0.0 < chances.sum() < np.inf:  # all rows are where medoids are: any other will do
            chances = free.astype(np.float64)
        reached = np.cumsum(chances)
        place = int(np.searchsorted(reached, generator.random() * reached[-1], side="right"))
        if place == n or not free[place]:  # by rounding only
            place = int(np.flatnonzero(free)[-1])
        free[place] = False
        chosen[t] = problem.own[place]
        added = np.asarray(problem.costs.distances(chosen[t : t + 1]))[0]
        nearest = added if t == 0 else np.minimum(nearest, added)
    return chosen


def deliberate(k: int, n: int) -> str:
    """What "auto" means for n rows: BUILD, which looks at all pairs k times, where affordable.

    Examples
    --------
    >>> deliberate(10, 1000), deliberate(10, 5000)
    ('build', 'clara')
    """
    return "build" if k * n * n <= _BUDGET else "clara"


def given_medoids(init: Any, k: int, rows: Indices, owner: str) -> Any:
    """The start among `rows` that ``init`` asks for; refuses numbers that are not k of the rows.

    Examples
    --------
    >>> given_medoids([2, 5], 2, np.array([1, 2, 5]), "KMedoids")
    array([1, 2])
    """
    if isinstance(init, str):
        return init
    numbers = np.asarray(init)
    whole = numbers.dtype.kind in "iu" and numbers.shape == (k,)
    if not whole or len(set(numbers.tolist())) != k or not np.isin(numbers, rows).all():
        raise InvalidParameterError(
            f"{owner}: init must be {k} different numbers of rows from 0 to {rows[-1]} (of a "
            f"weight above 0); got {init!r}."
        )
    return np.searchsorted(rows, numbers)
