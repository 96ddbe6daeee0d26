"""Gram matrices of centred features, for the points of the fit and for new ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError


def center_gram(gram: Any, training: Any | None = None) -> Array:
    r"""The Gram matrix of :math:`\phi(x) - \bar\phi`: HKH with :math:`H = I - \frac1n 11^T`.

    .. math:: \tilde\kappa(x, y) = \kappa(x, y) - \tfrac1n \textstyle\sum_i \kappa(x, x_i)
        - \tfrac1n \sum_i \kappa(x_i, y) + \tfrac1{n^2} \sum_{ij} \kappa(x_i, x_j)

    Parameters
    ----------
    gram : array of shape (m, n)
        κ between m points and the n points of the fit.
    training : array of shape (n, n) or None, default=None
        κ among the points of the fit; None if `gram` is that matrix.

    Returns
    -------
    array of shape (m, n)

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.kernels import Linear
    >>> x = np.array([[1.0], [2.0], [6.0]])
    >>> np.allclose(center_gram(Linear()(x)), Linear()(x - x.mean()))
    True
    >>> new = np.array([[3.0]])
    >>> np.allclose(center_gram(Linear()(new, x), Linear()(x)), Linear()(new - 3.0, x - 3.0))
    True
    """
    given = np.asarray(gram, dtype=np.float64)
    own = given if training is None else np.asarray(training, dtype=np.float64)
    if own.ndim != 2 or own.shape[0] != own.shape[1]:
        raise InvalidDataError(
            f"center_gram: the Gram matrix of the fit must be square, got shape {own.shape}."
        )
    if given.ndim != 2 or given.shape[1] != len(own):
        raise InvalidDataError(
            f"center_gram: gram has shape {given.shape}, but its columns must be the {len(own)} "
            "points of the fit."
        )
    columns = own.mean(axis=0)
    return np.asarray(given - given.mean(axis=1, keepdims=True) - columns + columns.mean())
