"""The span bound of the leave-one-out error."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.interrupts import interruptible
from stylobate.svm.duals.conditions import MachineConditions
from stylobate.svm.machines.one_vs_one import class_pairs, class_slices


def span_bounds(
    gram: Array,
    dual_coef: Array,
    n_support: NDArray[np.int32],
    support: NDArray[np.int32],
    intercept: Array,
    conditions: Sequence[MachineConditions],
) -> Array:
    """The bound of each pair of classes, from the kernel among all support vectors."""
    slices = list(class_slices(n_support))
    places = np.arange(len(support))
    found = np.empty(len(conditions))
    for place, (i, j) in enumerate(class_pairs(len(slices))):
        own = np.concatenate([places[slices[i]], places[slices[j]]])
        beta = np.concatenate([dual_coef[j - 1, slices[i]], dual_coef[i, slices[j]]])
        used = beta != 0.0
        own, beta = own[used], beta[used]
        free = np.isin(support[own], conditions[place].free)
        block = gram[np.ix_(own, own)]
        decisions = block @ beta + intercept[place]
        spans = squared_spans(block, free)
        errors = np.abs(beta) * spans >= np.sign(beta) * decisions
        found[place] = errors.sum() / max(conditions[place].n_points, 1)
    return found


def squared_spans(gram: Array, free: NDArray[np.bool_]) -> Array:
    r"""Squared distances of support vectors from the span of the other free ones.

    With :math:`\tilde K = \begin{pmatrix} K_{FF} & 1 \\ 1^T & 0 \end{pmatrix}`: of a free one
    :math:`1/(\tilde K^{-1})_{pp}`, of a bound one :math:`κ(x_p, x_p) - v^T \tilde K^{-1} v` with
    :math:`v = (κ(x_F, x_p), 1)`. Where K is singular its pseudo-inverse is used.

    Examples
    --------
    >>> squared_spans(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([True, True]))
    array([2., 2.])
    """
    diagonal = gram.diagonal()
    spans = diagonal.copy()
    count = int(free.sum())
    if not count:
        return spans
    bordered = np.zeros((count + 1, count + 1))
    bordered[:count, :count] = gram[np.ix_(free, free)]
    bordered[count, :count] = bordered[:count, count] = 1.0
    inverse = interruptible(np.linalg.pinv, bordered, hermitian=True)
    own = inverse.diagonal()[:count]
    spans[free] = np.where(own > 0.0, 1.0 / np.where(own > 0.0, own, 1.0), 0.0)
    side = np.vstack([gram[np.ix_(free, ~free)], np.ones((1, int((~free).sum())))])
    spans[~free] = diagonal[~free] - ((inverse @ side) * side).sum(axis=0)
    return np.maximum(spans, 0.0)
