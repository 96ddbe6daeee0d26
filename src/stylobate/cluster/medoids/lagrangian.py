r"""A lower bound of k-medoids: the Lagrangian of the p-median problem.

Let :math:`y_{ij}` say that candidate i serves point j. Putting the conditions
:math:`\sum_i y_{ij} = 1` into the objective with multipliers :math:`w_j v_j` leaves a problem that
is solved by looking, and whose value is below the optimum for *any* v:

.. math:: L(v) = \sum_j w_j v_j + \sum_{i \in S(v)} \rho_i, \qquad
    \rho_i = \sum_j w_j \min(d_{ij} - v_j, 0),

S(v) being the k candidates of the smallest :math:`\rho`. Subgradient steps raise it: v grows for
points that no candidate of S serves, and falls for those that several do.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stylobate import _core
from stylobate.arrays import Array, Indices

_BUDGET = 100_000_000  # pairs that a fit looks at for its certificate, unless asked for more
_MOST, _LEAST = 100, 20  # steps worth taking
_PATIENCE = 5  # steps without a better bound before the steps are halved
_MOMENTUM = 0.6  # of earlier directions
_SHORT = 1e-2  # a step that is worth no more
_ENOUGH = 1e-7  # a relative gap that needs no more steps


class Bound(NamedTuple):
    """The best bound, the steps it took, and the best of the sets S(v) on the way."""

    value: float
    steps: int
    medoids: Indices


def affordable_steps(n_pairs: int) -> int:
    """How many steps a fit takes unasked; 0 where too few would be affordable.

    Examples
    --------
    >>> affordable_steps(500**2), affordable_steps(2000**2), affordable_steps(5000**2)
    (100, 25, 0)
    """
    steps = min(_MOST, _BUDGET // max(n_pairs, 1))
    return steps if steps >= _LEAST else 0


def lagrangian_bound(
    costs: _core.MedoidCosts, medoids: Indices, weights: Array, total: float, steps: int
) -> Bound:
    """A lower bound of the total cost of any ``len(medoids)`` medoids.

    Parameters
    ----------
    costs : MedoidCosts
        Of all points and candidates.
    medoids : ndarray of int64
        Good ones: the better, the sooner the bound is good.
    weights : ndarray of shape (points,)
        Of the points.
    total : float
        What these medoids cost.
    steps : int
        At most; each looks at all pairs once.

    Returns
    -------
    Bound

    References
    ----------
    Cornuéjols, Fisher, Nemhauser (1977), Location of bank accounts to optimize float.
    """
    k = len(medoids)
    _, nearest, second = map(np.asarray, costs.serve(medoids))
    v = 0.5 * (nearest + np.where(np.isfinite(second), second, nearest))
    best, least, good = 0.0, np.inf, medoids
    length, stale, direction = 1.0, 0, np.zeros(len(v))
    for taken in range(1, steps + 1):  # noqa: B007 - known after the loop
        sums = np.asarray(costs.below(v, weights))
        chosen = np.argsort(sums, kind="stable")[:k]
        value = safe_value(v, weights, sums[chosen])
        stale = 0 if value > best + 1e-3 * (total - best) else stale + 1
        best = max(best, value)
        if stale == _PATIENCE:
            length, stale = 0.5 * length, 0
        distances = np.asarray(costs.distances(chosen))
        if (paid := float(weights @ distances.min(axis=0))) < least:
            least, good = paid, chosen
        direction = 1.0 - (distances < v).sum(axis=0) + _MOMENTUM * direction
        slope = float(weights @ direction**2)
        if slope == 0.0 or length < _SHORT or total - best <= _ENOUGH * total:
            break
        v = v + length * (total - value) / slope * direction
    return Bound(min(best, total), taken, good)


def safe_value(v: Array, weights: Array, smallest: Array) -> float:
    """L(v) less what rounding may have added to it.

    Examples
    --------
    >>> value = safe_value(np.array([2.0, 3.0]), np.ones(2), np.array([-1.0]))
    >>> 4.0 - 1e-13 < value < 4.0
    True
    """
    gains = weights * v
    size = float(np.abs(gains).sum() + np.abs(smallest).sum())
    return less_rounding(float(gains.sum() + smallest.sum()), size, len(v) + len(smallest))


def less_rounding(value: float, size: float, additions: int) -> float:
    """A sum less what so many additions of numbers with this sum of sizes may have added.

    Examples
    --------
    >>> 1.0 - 1e-13 < less_rounding(1.0, 1.0, 100) < 1.0
    True
    """
    return value - (additions + 16) * 2.0**-52 * size
