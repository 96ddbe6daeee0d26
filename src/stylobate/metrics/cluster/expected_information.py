"""The mutual information that random clusterings of given sizes have on average."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidDataError
from stylobate.metrics.cluster.contingency import given_contingency

_EXPONENT = 75.0  # counts of probability below e⁻⁷⁵ are left out


def expected_mutual_information(contingency: Any, n_samples: int) -> float:
    r"""The mean mutual information of random clusterings with the sums of a contingency table.

    With both clusterings' sizes fixed and rows dealt out at random, the count of a cell is
    hypergeometric, and

    .. math:: E[I] = \sum_{ij} \sum_{m} P_{ij}(m)\, \frac{m}{n} \log \frac{n\, m}{a_i b_j}

    Parameters
    ----------
    contingency : array-like or sparse of shape (n_classes, n_clusters)
        Counts of rows.
    n_samples : int
        Their sum.

    Returns
    -------
    float

    References
    ----------
    Vinh, Epps & Bailey (2010), Information theoretic measures for clusterings comparison.

    Examples
    --------
    >>> round(expected_mutual_information([[2, 1], [0, 3]], 6), 4)
    0.1273
    """
    table = given_contingency(contingency)
    if table.rows != n_samples:
        raise InvalidDataError(
            f"expected_mutual_information: n_samples={n_samples!r}, but the counts sum to "
            f"{table.rows}."
        )
    return expected_information(table.class_sizes, table.cluster_sizes)


def expected_information(class_sizes: NDArray[np.int64], cluster_sizes: NDArray[np.int64]) -> float:
    """The same from the sizes; equal sizes are computed once."""
    if len(class_sizes) <= 1 or len(cluster_sizes) <= 1:
        return 0.0
    from scipy.special import gammaln

    n = int(class_sizes.sum())
    log_factorials = gammaln(np.arange(1.0, n + 2.0))
    total = 0.0
    rows = np.unique(class_sizes[class_sizes > 0], return_counts=True)
    columns = np.unique(cluster_sizes[cluster_sizes > 0], return_counts=True)
    for a, times_a in zip(*(each.tolist() for each in rows), strict=True):
        for b, times_b in zip(*(each.tolist() for each in columns), strict=True):
            total += times_a * times_b * _cell(a, b, n, log_factorials)
    return total


def _cell(a: int, b: int, n: int, log_factorials: NDArray[np.float64]) -> float:
    """What a cell of a class of a rows and a cluster of b adds on average."""
    mean = a * b / n
    variance = mean * (n - a) / n * (n - b) / max(1, n - 1)
    # Bernstein's inequality: P(|m − mean| ≥ d) ≤ 2 exp(−d² / (2 variance + 2 d / 3))
    reach = _EXPONENT / 3.0 + np.sqrt((_EXPONENT / 3.0) ** 2 + 2.0 * _EXPONENT * variance)
    first = max(1, a + b - n, int(mean - reach))
    last = min(a, b, int(mean + reach) + 1)
    m = np.arange(first, last + 1)
    f = log_factorials
    log_probability = (
        f[a] + f[b] + f[n - a] + f[n - b] - f[n] - f[m] - f[a - m] - f[b - m] - f[n - a - b + m]
    )
    terms = m / n * (np.log(n) + np.log(m) - np.log(a) - np.log(b))
    return float(np.exp(log_probability) @ terms)
