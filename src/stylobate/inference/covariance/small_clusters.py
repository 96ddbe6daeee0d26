"""Bias-reduced clustered covariances: CR2 and CR3.

The residuals of a group are multiplied by `(I − H_gg)^(−1/2)` (CR2: unbiased where errors are
independent and equal) or `(I − H_gg)^(−1)` (CR3: the jackknife of groups), H the hat matrix.

References
----------
Bell & McCaffrey (2002), Bias reduction in standard errors for linear regression with multi-stage
samples, Survey Methodology 28. Pustejovsky & Tipton (2018), J. Business & Economic Statistics 36.
"""

from __future__ import annotations

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.exceptions import InvalidDataError
from stylobate.inference.fit import LinearFit
from stylobate.inference.rows import FittedRows

LARGEST_GROUP = 4000  # its hat matrix is square: 128 MB


def reduced_bias(fit: LinearFit, fitted: FittedRows, codes: Indices, kind: str) -> Array:
    """The covariance of the coefficients, groups of rows being 0 … G−1 (−1: no group).

    Weights are those of the rows' precisions: the working model of weighted least squares.
    """
    order = np.argsort(codes, kind="stable")
    order = order[np.searchsorted(codes[order], 0) :]
    ends = np.flatnonzero(np.diff(codes[order], append=-2)) + 1
    sizes = np.diff(ends, prepend=0)
    refuse_large_groups(sizes, kind)
    meat, start = np.zeros((fit.rank, fit.rank)), 0
    rss = 0.0
    for end in ends:
        rows = order[start:end]
        for _, design, residual, w in fitted_chunk(fitted, rows):
            root = np.sqrt(w)
            q = (design @ fit.root) * root[:, None]
            e = residual * root
            rss += float(e @ e)
            adjusted = adjusted_residuals(q, e, kind)
            score = q.T @ adjusted
            meat += np.outer(score, score)
        start = int(end)
    fitted.check_rss(rss)
    matrix = fit.root @ meat @ fit.root.T
    return np.asarray((matrix + matrix.T) / 2)


def refuse_large_groups(sizes: Indices, kind: str) -> None:
    """Groups too large to factor their square matrices."""
    if sizes.max() > LARGEST_GROUP:
        raise InvalidDataError(
            f"covariance={kind!r} factors a square matrix for each group, and the largest has "
            f"{sizes.max()} rows (at most {LARGEST_GROUP}); use covariance='cluster', which needs "
            "no such correction where groups are large and many."
        )


def fitted_chunk(fitted: FittedRows, rows: Indices):  # type: ignore[no-untyped-def]
    """One group's rows, whole."""
    parts = list(fitted.chunks(rows))
    if len(parts) == 1:
        return parts
    index = np.concatenate([np.asarray(part[0]) for part in parts])
    joined = (np.concatenate([part[i] for part in parts]) for i in (1, 2, 3))
    return [(index, *joined)]


def adjusted_residuals(q: Array, e: Array, kind: str) -> Array:
    """`(I − QQᵀ)^(−p) e` with p = ½ or 1, through the small Gram of Q where that is smaller."""
    power = -0.5 if kind == "CR2" else -1.0
    u, s, _ = np.linalg.svd(q, full_matrices=False)
    slack = 1.0 - np.minimum(s * s, 1.0)
    alone = slack < 1e-10  # directions that the group alone decides: a generalised inverse
    factor = np.where(alone, 0.0, np.where(alone, 1.0, slack) ** power)
    turned = u.T @ e
    return np.asarray(e + u @ ((factor - 1.0) * turned))
