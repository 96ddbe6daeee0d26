"""The best k-means of one column, by dynamic programming."""

from __future__ import annotations

import numpy as np

from stylobate.arrays import Array
from stylobate.cluster.lloyd import Run, rounded
from stylobate.cluster.passes import dense
from stylobate.data import Table
from stylobate.exceptions import InvalidParameterError


def best_on_line(table: Table, k: int) -> Run:
    r"""The clustering of one column of the least inertia there is.

    Clusters of sorted numbers are stretches :math:`b, \dots, e`, and with :math:`D_c(e)` the least
    inertia of the first e numbers in c of them,

    .. math:: D_c(e) = \min_b D_{c-1}(b) + \sum_{b \le i < e} w_i (x_i - \bar x_{b:e})^2.

    The best b never falls as e grows, which makes it :math:`O(k m \log m)` for m distinct numbers.

    References
    ----------
    Wang & Song (2011), Ckmeans.1d.dp: optimal k-means clustering in one dimension by dynamic
    programming, R Journal 3.
    """
    from stylobate import _core

    if table.n_features != 1:
        raise InvalidParameterError(
            f"{table.owner}: algorithm='exact' is for one column, and X has {table.n_features}; "
            "leave it at 'lloyd'."
        )
    x = dense(table.x).ravel()
    weights = np.ones(len(x)) if table.weights is None else table.weights
    values, place = np.unique(x, return_inverse=True)
    mass: Array = np.bincount(place, weights=weights).astype(np.float64)
    there = np.flatnonzero(mass > 0.0)
    values, mass = values[there], mass[there]
    parts = min(k, len(values))
    begins = np.array(_core.best_stretches(values, mass, parts), dtype=np.intp)
    ends = np.append(begins[1:], len(values))
    spans = [slice(b, e) for b, e in zip(begins, ends, strict=True)]
    centers = [float(np.average(values[span], weights=mass[span])) for span in spans]
    held = rounded(np.array(centers + centers[-1:] * (k - parts))[:, None], table.x.dtype)
    labels = np.searchsorted(values[begins[1:]], x, side="right").astype(np.int32)
    weightless = weights == 0.0  # no part of the optimum: they go to the nearest centre
    labels[weightless] = np.abs(x[weightless, None] - held[:, 0]).argmin(axis=1)
    inertia = float((weights * (x - held[labels, 0]) ** 2).sum())
    return Run(labels, inertia, held, 1, True, (inertia,))
