"""Agreement by information: how much one clustering says of another."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidParameterError
from stylobate.metrics.classification.label_codes import code
from stylobate.metrics.cluster.contingency import (
    Contingency,
    contingency_of,
    given_contingency,
)
from stylobate.metrics.cluster.labelings import read_labeling

_MEANS = ("arithmetic", "geometric", "max", "min")
_EPSILON = float(np.finfo(np.float64).eps)


def entropy(labels: Any) -> float:
    r"""The entropy of a clustering in nats, :math:`-\sum_k p_k \log p_k` of its clusters' shares.

    Parameters
    ----------
    labels : array-like of shape (n,)
        A clustering.

    Returns
    -------
    float
        0 for one cluster; 1 for no rows, by convention.

    Examples
    --------
    >>> round(entropy([0, 0, 42]), 4)
    0.6365
    """
    return entropy_of(np.bincount(code(read_labeling(labels, "labels"))[1]))


def mutual_info_score(labels_true: Any, labels_pred: Any, *, contingency: Any = None) -> float:
    r"""Mutual information of two clusterings in nats.

    .. math:: \sum_{ij} \frac{n_{ij}}{n} \log \frac{n\, n_{ij}}{a_i b_j}

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        Two clusterings of the same rows; not looked at where `contingency` is given.
    contingency : array-like or sparse of shape (n_classes, n_clusters), default=None
        Their `contingency_matrix`.

    Returns
    -------
    float
        At least 0.

    Examples
    --------
    >>> round(mutual_info_score([0, 1, 1, 0, 1, 0], [0, 1, 0, 0, 1, 1]), 4)
    0.0566
    """
    if contingency is not None:
        return mutual_information(given_contingency(contingency))
    return mutual_information(contingency_of(labels_true, labels_pred))


def normalized_mutual_info_score(
    labels_true: Any, labels_pred: Any, *, average_method: str = "arithmetic"
) -> float:
    """Mutual information over a mean of the two entropies; not corrected for chance.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        Two clusterings of the same rows.
    average_method : {"arithmetic", "geometric", "max", "min"}, default="arithmetic"
        Which mean.

    Returns
    -------
    float
        In [0, 1].

    Examples
    --------
    >>> normalized_mutual_info_score([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    """
    mean = _checked(average_method, "normalized_mutual_info_score")
    return normalized_of(contingency_of(labels_true, labels_pred), mean)


def adjusted_mutual_info_score(
    labels_true: Any, labels_pred: Any, *, average_method: str = "arithmetic"
) -> float:
    r"""Mutual information corrected for chance: 0 is expected of random labels, 1 is agreement.

    .. math:: \frac{I - E[I]}{\bar H - E[I]}

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        Two clusterings of the same rows.
    average_method : {"arithmetic", "geometric", "max", "min"}, default="arithmetic"
        Which mean of the two entropies.

    Returns
    -------
    float
        At most 1.

    References
    ----------
    Vinh, Epps & Bailey (2010), Information theoretic measures for clusterings comparison.

    Examples
    --------
    >>> round(adjusted_mutual_info_score([0, 0, 1, 2, 2], [0, 0, 1, 1, 2]), 4)
    0.375
    """
    mean = _checked(average_method, "adjusted_mutual_info_score")
    return adjusted_of(contingency_of(labels_true, labels_pred), mean)


def homogeneity_completeness_v_measure(
    labels_true: Any, labels_pred: Any, *, beta: float = 1.0
) -> tuple[float, float, float]:
    r"""Are clusters of one class, are classes in one cluster, and a mean of both.

    Homogeneity is the share of the classes' entropy that clusters explain, completeness the share
    of the clusters' entropy that classes explain, and

    .. math:: V_\beta = \frac{(1 + \beta)\, h\, c}{\beta h + c}

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        The classes, and the clusters.
    beta : float in [0, inf), default=1.0
        More than 1 weights completeness more.

    Returns
    -------
    homogeneity, completeness, v_measure : float
        In [0, 1] each.

    References
    ----------
    Rosenberg & Hirschberg (2007), V-measure: a conditional entropy-based external cluster
    evaluation measure.

    Examples
    --------
    >>> h, c, v = homogeneity_completeness_v_measure([0, 0, 1, 1, 2, 2], [0, 0, 1, 2, 2, 2])
    >>> round(h, 2), round(c, 2), round(v, 2)
    (0.71, 0.77, 0.74)
    """
    if not beta >= 0:
        raise InvalidParameterError(
            f"homogeneity_completeness_v_measure: beta must be at least 0, got {beta!r}."
        )
    return v_measures(contingency_of(labels_true, labels_pred), beta)


def homogeneity_score(labels_true: Any, labels_pred: Any) -> float:
    """Whether clusters hold rows of one class: the share of the classes' entropy they explain.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        The classes, and the clusters.

    Returns
    -------
    float
        In [0, 1].

    Examples
    --------
    >>> round(homogeneity_score([0, 0, 1, 1], [0, 1, 2, 3]), 4)
    1.0
    """
    return homogeneity_completeness_v_measure(labels_true, labels_pred)[0]


def completeness_score(labels_true: Any, labels_pred: Any) -> float:
    """Whether classes lie in one cluster: the share of the clusters' entropy they explain.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        The classes, and the clusters.

    Returns
    -------
    float
        In [0, 1].

    Examples
    --------
    >>> completeness_score([0, 0, 1, 1], [0, 1, 2, 3])
    0.5
    """
    return homogeneity_completeness_v_measure(labels_true, labels_pred)[1]


def v_measure_score(labels_true: Any, labels_pred: Any, *, beta: float = 1.0) -> float:
    """The weighted harmonic mean of homogeneity and completeness.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n,)
        The classes, and the clusters.
    beta : float in [0, inf), default=1.0
        More than 1 weights completeness more.

    Returns
    -------
    float
        In [0, 1].

    Examples
    --------
    >>> round(v_measure_score([0, 0, 1, 1], [0, 1, 2, 3]), 4)
    0.6667
    """
    return homogeneity_completeness_v_measure(labels_true, labels_pred, beta=beta)[2]


# --- of tables --------------------------------------------------------------------------------


def entropy_of(sizes: NDArray[np.int64]) -> float:
    """The entropy of clusters of so many rows."""
    if len(sizes) == 0:
        return 1.0
    if len(sizes) == 1:
        return 0.0
    counts = sizes.astype(np.float64)
    total = counts.sum()
    return float(-(counts / total) @ (np.log(counts) - np.log(total)))


def mutual_information(table: Contingency) -> float:
    """`mutual_info_score` of a table."""
    if min(table.shape) <= 1:
        return 0.0
    if len(table.counts) == table.shape[1]:  # clusters of one class each say all of the classes
        return entropy_of(table.class_sizes)
    if len(table.counts) == table.shape[0]:
        return entropy_of(table.cluster_sizes)
    counts, n = table.counts.astype(np.float64), float(table.rows)
    sizes = np.log(table.class_sizes[table.classes]) + np.log(table.cluster_sizes[table.clusters])
    terms = counts / n * (np.log(counts) + np.log(n) - sizes)
    return max(0.0, float(np.where(np.abs(terms) < _EPSILON, 0.0, terms).sum()))


def normalized_of(table: Contingency, average_method: str = "arithmetic") -> float:
    """`normalized_mutual_info_score` of a table."""
    if max(table.shape) <= 1:
        return 1.0
    information = mutual_information(table)
    return information / _mean_entropy(table, average_method) if information else 0.0


def adjusted_of(table: Contingency, average_method: str = "arithmetic") -> float:
    """`adjusted_mutual_info_score` of a table."""
    from stylobate.metrics.cluster.expected_information import expected_information

    if max(table.shape) <= 1:
        return 1.0
    if min(table.shape) == 1:
        return 0.0
    expected = expected_information(table.class_sizes, table.cluster_sizes)
    above = _away_from_zero(mutual_information(table) - expected)
    return above / _away_from_zero(_mean_entropy(table, average_method) - expected)


def v_measures(table: Contingency, beta: float = 1.0) -> tuple[float, float, float]:
    """`homogeneity_completeness_v_measure` of a table."""
    if table.rows == 0:
        return 1.0, 1.0, 1.0
    information = mutual_information(table)
    entropies = entropy_of(table.class_sizes), entropy_of(table.cluster_sizes)
    homogeneity, completeness = (information / h if h else 1.0 for h in entropies)
    if homogeneity + completeness == 0.0:
        return homogeneity, completeness, 0.0
    below = beta * homogeneity + completeness
    return homogeneity, completeness, (1.0 + beta) * homogeneity * completeness / below


def _mean_entropy(table: Contingency, average_method: str) -> float:
    h = np.array([entropy_of(table.class_sizes), entropy_of(table.cluster_sizes)])
    if average_method == "geometric":
        return float(np.sqrt(h[0] * h[1]))
    return float({"arithmetic": h.mean(), "max": h.max(), "min": h.min()}[average_method])


def _away_from_zero(value: float) -> float:
    """So that labels that differ by rounding alone score 1 and not 0 / 0."""
    return min(value, -_EPSILON) if value < 0 else max(value, _EPSILON)


def _checked(average_method: str, owner: str) -> str:
    if average_method not in _MEANS:
        raise InvalidParameterError(
            f"{owner}: average_method must be one of {', '.join(_MEANS)}; got {average_method!r}."
        )
    return average_method
