"""How many dimensions keep the distances between some points."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.exceptions import InvalidParameterError


def johnson_lindenstrauss_min_dim(n_samples: Any, *, eps: Any = 0.1) -> Any:
    r"""A number of random directions that keeps all distances up to a factor.

    .. math:: k \ge \frac{4\ln n}{ε^2/2 - ε^3/3} \;\Rightarrow\;
              (1-ε)\|u-v\|^2 < \|p(u)-p(v)\|^2 < (1+ε)\|u-v\|^2

    for all pairs of n points at once, with good probability and whatever their dimension.

    Parameters
    ----------
    n_samples : int or array-like of int in [1, inf)
        Points.
    eps : float or array-like of float in (0, 1), default=0.1
        Largest relative error of a squared distance.

    Returns
    -------
    int or array of int

    Examples
    --------
    >>> int(johnson_lindenstrauss_min_dim(1e6, eps=0.5))
    663
    >>> johnson_lindenstrauss_min_dim(1e6, eps=[0.5, 0.1, 0.01])
    array([    663,   11841, 1112658])

    References
    ----------
    Dasgupta & Gupta (2003), An elementary proof of a theorem of Johnson and Lindenstrauss, Random
    Structures & Algorithms 22.
    """
    distortion, points = np.asarray(eps), np.asarray(n_samples)
    if not ((distortion > 0.0) & (distortion < 1.0)).all():
        raise InvalidParameterError(
            f"The JL bound is defined for eps in ]0, 1[, got {distortion!r}"
        )
    if not (points > 0).all():
        raise InvalidParameterError(
            f"The JL bound is defined for n_samples greater than zero, got {points!r}"
        )
    needed = 4.0 * np.log(points) / (distortion**2 / 2.0 - distortion**3 / 3.0)
    return needed.astype(np.int64)
