"""How much to shrink a covariance matrix towards a multiple of the identity."""

from __future__ import annotations

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.statistics.moments.quadratics import row_quadratics


def shrunk(covariance: Array, shrinkage: float) -> Array:
    r"""Mix a covariance matrix with its mean variance: (1 − δ)S + δ (tr S / p) I.

    Parameters
    ----------
    covariance : array (…, p, p)
    shrinkage : float in [0, 1]

    Examples
    --------
    >>> shrunk(np.array([[3.0, 1.0], [1.0, 1.0]]), 0.5)
    array([[2.5, 0.5],
           [0.5, 1.5]])
    """
    p = covariance.shape[-1]
    mean = np.trace(covariance, axis1=-2, axis2=-1)[..., None, None] / p
    return np.asarray((1.0 - shrinkage) * covariance + shrinkage * mean * np.eye(p))


def ledoit_wolf_of(covariance: Array, fourth: float, n: float) -> float:
    r"""The shrinkage of Ledoit and Wolf: the share of S's distance to μI that is noise.

    .. math:: \delta = \min\Big(1, \frac{\frac1n (\frac1n \sum_i \|x_i\|^4 - \|S\|_F^2)}
              {\|S - \mu I\|_F^2}\Big), \qquad \mu = \operatorname{tr} S / p

    with rows about their mean.

    Parameters
    ----------
    covariance : array (p, p)
        Maximum likelihood: divided by n.
    fourth : float
        Σ ‖xᵢ‖⁴ of the rows about their mean.
    n : float
        Number of rows.

    References
    ----------
    Ledoit & Wolf (2004), A well-conditioned estimator for large-dimensional covariance matrices,
    Journal of Multivariate Analysis 88.
    """
    p = len(covariance)
    if p == 1:
        return 0.0
    square = float((covariance**2).sum())
    mean = float(np.trace(covariance)) / p
    noise = (fourth / n - square) / n
    distance = square - p * mean**2
    noise = min(noise, distance)
    return 0.0 if noise <= 0 or distance <= 0 else noise / distance


def oas_of(covariance: Array, n: float) -> float:
    r"""The oracle approximating shrinkage of Chen and others: needs the covariance alone.

    .. math:: \delta = \min\Big(1, \frac{\alpha + \mu^2}{(n + 1)(\alpha - \mu^2 / p)}\Big), \qquad
              \alpha = \|S\|_F^2 / p^2, \; \mu = \operatorname{tr} S / p

    Parameters
    ----------
    covariance : array (p, p)
        Maximum likelihood: divided by n.
    n : float
        Number of rows.

    References
    ----------
    Chen, Wiesel, Eldar & Hero (2010), Shrinkage algorithms for MMSE covariance estimation, IEEE
    Transactions on Signal Processing 58. The formula is scikit-learn's.
    """
    p = len(covariance)
    if p == 1:
        return 0.0
    alpha, mean = float((covariance**2).mean()), float(np.trace(covariance)) / p
    distance = (n + 1.0) * (alpha - mean**2 / p)
    return 1.0 if distance <= 0 else min((alpha + mean**2) / distance, 1.0)


def fourth_moment(table: Table, mean: Array, scale: Array | None = None) -> float:
    """Σ w ‖(xᵢ − m) / s‖⁴ of the rows of a table, in one pass.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> fourth_moment(read_table([[3.0], [5.0]], owner="example"), np.ones(1))
    272.0
    """
    lengths = np.ones(table.n_features) if scale is None else scale
    squares = row_quadratics(table, mean, np.diag(lengths))
    weights = np.ones(len(squares)) if table.weights is None else table.weights
    return float(weights @ squares**2)
