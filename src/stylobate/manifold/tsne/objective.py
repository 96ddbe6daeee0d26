"""What t-SNE minimises, as functions: perplexity, affinities, loss and gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data import read_table
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.losses import entropy
from stylobate.manifold.tsne.affinities import conditional_affinities


def perplexity(p: Any) -> float:
    r""":math:`2^{H(p)}` with the entropy H in bits: how many values p seems to choose from.

    Parameters
    ----------
    p : array-like of shape (k,)
        Probabilities, of sum 1.

    Examples
    --------
    >>> round(perplexity([0.25, 0.25, 0.25, 0.25]), 9), perplexity([1.0, 0.0])
    (4.0, 1.0)
    """
    return float(2.0 ** entropy(p, base=2.0))


def tsne_affinities(X: Any, perplexity: float = 30.0) -> Array:
    r"""The affinities :math:`p_{ij} = (p_{j|i} + p_{i|j}) / 2n` of all pairs of rows.

    Each row's Gaussian has the width at which its neighbours have the perplexity asked for.

    Parameters
    ----------
    X : array-like of shape (n, p)
        Rows.
    perplexity : float in [1, n - 1), default=30.0
        Of :math:`p_{\cdot|i}`.

    Returns
    -------
    array of shape (n, n)
        Symmetric, 0 on the diagonal, of sum 1.

    Examples
    --------
    >>> P = tsne_affinities([[0.0], [1.0], [5.0], [6.0]], perplexity=1.5)
    >>> P.shape, round(float(P.sum()), 9), bool(P[0, 1] > P[0, 2])
    ((4, 4), 1.0, True)
    """
    rows = np.asarray(read_table(X, owner="tsne_affinities").x, dtype=np.float64)
    n = len(rows)
    if not 1.0 <= perplexity < n - 1:
        raise InvalidParameterError(
            f"tsne_affinities: perplexity must be in [1, {n - 1}), got {perplexity!r}."
        )
    apart = np.sqrt(_squares(rows))
    others = ~np.eye(n, dtype=bool)
    found = conditional_affinities(
        apart[others].reshape(n, n - 1), np.array([float(perplexity)]), "perplexity"
    )
    conditional = np.zeros((n, n))
    conditional[others] = found.reshape(-1)
    return np.asarray((conditional + conditional.T) / (2.0 * n))


def tsne_loss(P: Any, Y: Any) -> float:
    r"""The Kullback–Leibler divergence :math:`\sum_{i \ne j} p_{ij} \log \frac{p_{ij}}{q_{ij}}`.

    .. math:: q_{ij} = \frac{(1 + \|y_i - y_j\|^2)^{-1}}{\sum_{k \ne l} (1 + \|y_k - y_l\|^2)^{-1}}

    Parameters
    ----------
    P : array-like of shape (n, n)
        Affinities of the rows.
    Y : array-like of shape (n, d)
        Their places in the map.

    Examples
    --------
    >>> P = np.array([[0.0, 0.5], [0.5, 0.0]])
    >>> tsne_loss(P, [[0.0], [3.0]])  # two points are always as they should be
    0.0
    """
    affinities, kernel, _ = _parts(P, Y, "tsne_loss")
    some = affinities > 0.0
    logs = np.log(affinities[some]) - np.log(kernel[some]) + np.log(kernel.sum())
    return max(float(affinities[some] @ logs), 0.0)


def tsne_gradient(P: Any, Y: Any) -> Array:
    r"""The gradient of `tsne_loss` in the places.

    .. math:: \frac{\partial C}{\partial y_i} = 4 \sum_j (p_{ij} - q_{ij})
              (1 + \|y_i - y_j\|^2)^{-1} (y_i - y_j)

    Parameters
    ----------
    P : array-like of shape (n, n)
        Affinities of the rows.
    Y : array-like of shape (n, d)
        Their places in the map.

    Returns
    -------
    array of shape (n, d)

    Examples
    --------
    >>> P = tsne_affinities([[0.0], [1.0], [5.0]], perplexity=1.5)
    >>> tsne_gradient(P, [[0.0], [1.0], [5.0]]).shape
    (3, 1)

    References
    ----------
    van der Maaten & Hinton (2008), Visualizing data using t-SNE, JMLR 9.
    """
    affinities, kernel, places = _parts(P, Y, "tsne_gradient")
    pull = (affinities - kernel / kernel.sum()) * kernel
    return np.asarray(4.0 * (pull.sum(axis=1)[:, None] * places - pull @ places))


def _parts(P: Any, Y: Any, owner: str) -> tuple[Array, Array, Array]:
    affinities, places = np.asarray(P, dtype=np.float64), np.asarray(Y, dtype=np.float64)
    n = len(places)
    if places.ndim != 2 or affinities.shape != (n, n) or n < 2:
        raise InvalidDataError(
            f"{owner}: P has shape {affinities.shape} and Y {places.shape}; they must be (n, n) "
            "and (n, d)."
        )
    kernel = 1.0 / (1.0 + _squares(places))
    np.fill_diagonal(kernel, 0.0)
    return affinities, kernel, places


def _squares(rows: Array) -> Array:
    """All squared distances, by differences: exact for rows that are near each other."""
    return np.asarray(sum((column[:, None] - column) ** 2 for column in rows.T))
