"""Grids of penalties."""

from __future__ import annotations

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.elastic_net.problem import ElasticNetProblem

_LEAST = float(np.finfo(np.float64).resolution)


def alpha_grid(problem: ElasticNetProblem, count: int, eps: float, owner: str) -> Array:
    """From the smallest penalty with all coefficients zero down to eps of it, evenly in logarithm.

    Parameters
    ----------
    problem : Problem
        Its own alphas play no part.
    count : int, >= 1
    eps : float in (0, 1)
    owner : str
        Who asks, named in a refusal.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> table = read_table([[0.0], [1.0], [2.0]], [0.0, 1.5, 3.0], owner="example")
    >>> alpha_grid(ElasticNetProblem(np.array([]), table=table), 3, 0.01, "example")
    array([1.  , 0.1 , 0.01])
    """
    if problem.l1_ratio == 0.0:
        raise InvalidParameterError(
            f"{owner}: Automatic alpha grid generation is not supported for l1_ratio=0: no penalty "
            "sets all coefficients to zero. Give the penalties as alphas=[…]."
        )
    return grid_from(problem.largest_alpha(), count, eps, owner)


def grid_from(largest: float, count: int, eps: float, owner: str) -> Array:
    """From the largest penalty down to eps of it."""
    if not np.isfinite(largest):
        raise InvalidParameterError(
            f"{owner}: no penalty sets all coefficients to zero; give the penalties as alphas=[…]."
        )
    if largest <= _LEAST:
        return np.full(count, _LEAST)
    return np.geomspace(largest, largest * eps, num=count)
