"""Covariances with leverages for generalised linear models, by their working model.

A maximum-likelihood fit is weighted least squares of its last step: rows `√c x` with residuals
`u / √c`, c the expected curvature and u the score of a row in its predictor. HC2, HC3, CR2 and CR3
are those of this least squares, as in R's sandwich and clubSandwich.

References
----------
MacKinnon & White (1985), J. Econometrics 29; Pustejovsky & Tipton (2018), J. Business & Economic
Statistics 36, section 5.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.inference.covariance.least_squares import (
    LEVERAGE_ONE,
    CoefficientCovariance,
    group_ways,
)
from stylobate.inference.covariance.small_clusters import adjusted_residuals, refuse_large_groups

KINDS = ("HC2", "HC3", "CR2", "CR3")


def working_covariance(
    design: Array,
    curvature: Array,
    slope: Array,
    inverse: Array,
    kind: str,
    *,
    df: float,
    weights: Array | None = None,
    groups: Any = None,
) -> CoefficientCovariance:
    """The covariance of the coefficients.

    Parameters
    ----------
    design : (n, k) array
    curvature, slope : (n,) arrays
        Expected curvature and score of each row in its predictor, weights included.
    inverse : (k, k) array
        Inverse expected information, at dispersion 1.
    kind : {"HC2", "HC3", "CR2", "CR3"}
    df : float
        Residual degrees of freedom.
    weights : (n,) array, optional
        Rows of zero weight belong to no group.
    groups : (n,) array_like, optional
        Of "CR2" and "CR3".

    Examples
    --------
    The mean of a Poisson sample, whose rows all have leverage 1/n:

    >>> y, ones = np.array([1.0, 2.0, 6.0]), np.ones((3, 1))
    >>> found = working_covariance(ones, np.full(3, 3.0), y - 3.0, np.eye(1) / 9.0, "HC3", df=2.0)
    >>> round(float(found.matrix[0, 0] * 81 * (1 - 1 / 3) ** 2), 9)
    14.0
    """
    if kind.startswith("HC"):
        h = curvature * np.einsum("ij,jk,ik->i", design, inverse, design)
        alone = 1.0 - h < LEVERAGE_ONE
        slack = np.where(alone, 1.0, 1.0 - h)
        factor = np.where(alone, 0.0, slack ** (-0.5 if kind == "HC2" else -1.0))
        scores = design * (slope * factor)[:, None]
        return CoefficientCovariance(inverse @ (scores.T @ scores) @ inverse, kind, df)
    ways, counts = group_ways(groups, len(slope), weights)
    if len(ways) > 1:
        raise InvalidParameterError(
            f"covariance={kind!r} takes one column of groups; two ways are for 'cluster'."
        )
    values, vectors = np.linalg.eigh(inverse)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    steep = np.sqrt(curvature)
    residual = np.where(steep > 0, slope / np.where(steep > 0, steep, 1.0), 0.0)
    q = (design @ root) * steep[:, None]
    meat = np.zeros_like(inverse)
    order = np.argsort(ways[0], kind="stable")
    order = order[np.searchsorted(ways[0][order], 0) :]
    ends = np.flatnonzero(np.diff(ways[0][order], append=-2)) + 1
    refuse_large_groups(np.diff(ends, prepend=0), kind)
    for rows in np.split(order, ends[:-1]):
        score = q[rows].T @ adjusted_residuals(q[rows], residual[rows], kind)
        meat += np.outer(score, score)
    label = f"{kind} ({counts[0]} groups)"
    return CoefficientCovariance(root @ meat @ root.T, label, float(counts[0] - 1))
