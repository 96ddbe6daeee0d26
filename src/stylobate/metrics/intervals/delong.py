"""The standard error of an area under the ROC curve."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.metrics.intervals.interval import Interval
from stylobate.metrics.intervals.linear import Linear
from stylobate.metrics.intervals.proportions import proportion_interval
from stylobate.metrics.intervals.scales import UNIT


def delong(positive: NDArray[np.bool_], scores: Array, weights: Array | None = None) -> Linear:
    r"""Area under the ROC curve, as the mean placement of positive rows among negative ones.

    .. math:: V_i = \tfrac{1}{n_-} \sum_j \left([s_j < s_i] + \tfrac12 [s_j = s_i]\right), \qquad
              \widehat{\mathrm{var}} = s^2(V_i)/n_+ + s^2(V_j)/n_-

    where :math:`V_j` is the placement of a negative row among the positive ones. Sorting gives all
    placements in O(n log n); the textbook sum over pairs takes O(n²).

    Parameters
    ----------
    positive : array of bool of shape (n,)
        Which rows are positive; both kinds must be there.
    scores : array of shape (n,)
        Scores that grow with the chance of being positive.
    weights : array of shape (n,), optional
        Weights of the rows.

    Returns
    -------
    Linear
        With the placements of the positive and of the negative rows as parts.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988), Comparing the areas under two or more correlated ROC
    curves; Sun & Xu (2014), Fast implementation of DeLong's algorithm.

    Examples
    --------
    >>> area = delong(np.array([False, False, True, True]), np.array([0.1, 0.4, 0.35, 0.8]))
    >>> area.estimate, round(area.std_error(), 6)
    (0.75, 0.353553)
    """
    up, down = scores[positive], scores[~positive]
    w_up, w_down = (None, None) if weights is None else (weights[positive], weights[~positive])
    above = placements(up, down, w_down)
    below = 1.0 - placements(down, up, w_up)
    estimate = float(np.average(above, weights=w_up))
    return Linear(estimate, (above, below), (w_up, w_down), UNIT, method="delong")


def separated(area: Linear, confidence: float) -> Interval:
    """The interval of an area of 0 or 1, where every placement is alike and DeLong's has no width.

    Each positive row paired with another negative one: so many independent pairs, each in order
    with the chance that the area is. Clopper and Pearson's interval of their share is exact.
    """
    pairs = min(len(part) for part in area.parts)
    share = proportion_interval(
        area.estimate * pairs, pairs, confidence=confidence, method="clopper-pearson"
    )
    how = "clopper-pearson of separate pairs"
    return Interval(area.estimate, share.low, share.high, how, confidence)


def placements(values: Array, others: Array, weights: Array | None) -> Array:
    """For each value the share of the others that is below it; equal ones count half.

    >>> placements(np.array([1.0, 2.0]), np.array([0.0, 1.0]), None)
    array([0.75, 1.  ])
    """
    order = np.argsort(others)
    ordered = others[order]
    steps = np.ones(len(others)) if weights is None else weights[order]
    reached = np.concatenate([[0.0], np.cumsum(steps)])
    asked = np.argsort(values)  # queries in order walk through memory once
    queries = values[asked]
    below = np.searchsorted(ordered, queries, side="left")
    upto = np.searchsorted(ordered, queries, side="right")
    found = np.empty(len(values))
    found[asked] = (reached[below] + reached[upto]) / (2.0 * reached[-1])
    return found
