"""Agreement by pairs of rows: are two rows together, here and there?"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.metrics.cluster.contingency import Contingency, contingency_of


def pair_confusion_matrix(labels_true: Any, labels_pred: Any) -> NDArray[np.int64]:
    """Ordered pairs of rows by whether they share a class (rows) and a cluster (columns).

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        Two clusterings of the same rows.

    Returns
    -------
    ndarray of shape (2, 2), int64
        ``[[apart in both, together in labels_pred alone], [in labels_true alone, in both]]``; each
        pair counts twice, so that they sum to n (n - 1).

    References
    ----------
    Hubert & Arabie (1985), Comparing partitions.

    Examples
    --------
    >>> pair_confusion_matrix([0, 0, 1, 1], [0, 0, 1, 2])
    array([[8, 0],
           [2, 2]])
    """
    return pair_counts(contingency_of(labels_true, labels_pred))


def rand_score(labels_true: Any, labels_pred: Any) -> float:
    """Rand's index: the share of pairs of rows on which two clusterings agree.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        Two clusterings of the same rows.

    Returns
    -------
    float
        In [0, 1]; 1 where they are the same up to names.

    Examples
    --------
    >>> round(rand_score([0, 0, 1, 2], [0, 0, 1, 1]), 4)
    0.8333
    """
    return rand_of(contingency_of(labels_true, labels_pred))


def adjusted_rand_score(labels_true: Any, labels_pred: Any) -> float:
    r"""Rand's index corrected for chance: 0 is expected of random labels, 1 is agreement.

    .. math:: \frac{R - E[R]}{\max R - E[R]}

    with the expectation over clusterings of the same sizes.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        Two clusterings of the same rows.

    Returns
    -------
    float
        In [-0.5, 1].

    References
    ----------
    Hubert & Arabie (1985), Comparing partitions.

    Examples
    --------
    >>> round(adjusted_rand_score([0, 0, 1, 2], [0, 0, 1, 1]), 4)
    0.5714
    """
    return adjusted_rand_of(contingency_of(labels_true, labels_pred))


def fowlkes_mallows_score(labels_true: Any, labels_pred: Any) -> float:
    r"""Geometric mean of precision and recall of pairs that are together.

    .. math:: \frac{TP}{\sqrt{(TP + FP)(TP + FN)}}

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        Two clusterings of the same rows.

    Returns
    -------
    float
        In [0, 1]; 0 where no pair is together in both.

    References
    ----------
    Fowlkes & Mallows (1983), A method for comparing two hierarchical clusterings.

    Examples
    --------
    >>> round(fowlkes_mallows_score([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.7071
    """
    return fowlkes_mallows_of(contingency_of(labels_true, labels_pred))


def pair_counts(table: Contingency) -> NDArray[np.int64]:
    """`pair_confusion_matrix` of a table."""
    squares, n = int(_squares(table.counts)), table.rows
    same_class, same_cluster = _squares(table.class_sizes), _squares(table.cluster_sizes)
    apart = n * n - same_class - same_cluster + squares
    return np.array(
        [[apart, same_cluster - squares], [same_class - squares, squares - n]], dtype=np.int64
    )


def rand_of(table: Contingency) -> float:
    """`rand_score` of a table."""
    pairs = pair_counts(table)
    agreeing, whole = int(pairs[0, 0] + pairs[1, 1]), int(pairs.sum())
    return 1.0 if agreeing == whole else agreeing / whole


def adjusted_rand_of(table: Contingency) -> float:
    """`adjusted_rand_score` of a table."""
    (tn, fp), (fn, tp) = pair_counts(table).tolist()  # whole numbers of any size
    if fn == 0 and fp == 0:
        return 1.0
    return float(2.0 * (tp * tn - fn * fp) / ((tp + fn) * (fn + tn) + (tp + fp) * (fp + tn)))


def fowlkes_mallows_of(table: Contingency) -> float:
    """`fowlkes_mallows_score` of a table."""
    (_, fp), (fn, tp) = pair_counts(table).tolist()
    if tp == 0:
        return 0.0
    return float(np.sqrt(tp / (tp + fp)) * np.sqrt(tp / (tp + fn)))


def _squares(counts: NDArray[np.int64]) -> int:
    return int(counts @ counts)
