"""Kernel matrices: similarities that are inner products in some space."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.sparse import is_sparse
from stylobate.distances import measured
from stylobate.distances.directions import unit_rows
from stylobate.distances.maps import Map
from stylobate.distances.tiles import Measured, pairs_of
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics.pairwise.arrays import read_pair


def _gamma(gamma: float | None, x: Any, owner: str) -> float:
    if gamma is None:
        return 1.0 / float(x.shape[1])
    if not isinstance(gamma, int | float | np.number) or not 0.0 <= gamma < np.inf:
        raise InvalidParameterError(
            f"{owner}: gamma must be a number of at least 0, got {gamma!r}."
        )
    return float(gamma)


def linear_kernel(X: Any, Y: Any = None, dense_output: bool = True) -> Any:
    r"""Inner products :math:`x \cdot y`.

    Parameters
    ----------
    X : table-like of shape (n, p)
        Dense or sparse, finite.
    Y : table-like of shape (m, p), default=None
        None means X.
    dense_output : bool, default=True
        False gives a sparse matrix where both tables are sparse.

    Returns
    -------
    ndarray of shape (n, m), or sparse

    Examples
    --------
    >>> linear_kernel([[0, 0, 0], [1, 1, 1]], [[1, 0, 0], [1, 1, 0]])
    array([[0., 0.],
           [1., 2.]])
    """
    x, y = read_pair(X, Y, "linear_kernel")
    if not dense_output and is_sparse(x) and is_sparse(y):
        return x @ y.T
    return measured(x, y, "inner").write()


def polynomial_kernel(
    X: Any, Y: Any = None, degree: float = 3, gamma: float | None = None, coef0: float = 1
) -> NDArray[Any]:
    r"""Polynomials of the inner product, :math:`(\gamma\, x \cdot y + c_0)^d`.

    Parameters
    ----------
    X : table-like of shape (n, p)
        Dense or sparse, finite.
    Y : table-like of shape (m, p), default=None
        None means X.
    degree : float >= 1, default=3
        The power d.
    gamma : float >= 0, default=None
        None means 1 / p.
    coef0 : float, default=1
        The constant c₀.

    Returns
    -------
    ndarray of shape (n, m)

    Examples
    --------
    >>> polynomial_kernel([[0, 0, 0], [1, 1, 1]], [[1, 0, 0], [1, 1, 0]], degree=2).round(4)
    array([[1.    , 1.    ],
           [1.7778, 2.7778]])
    """
    if not float(degree) >= 1.0:
        raise InvalidParameterError(
            f"polynomial_kernel: degree must be a number of at least 1, got {degree!r}."
        )
    x, y = read_pair(X, Y, "polynomial_kernel")
    scale = _gamma(gamma, x, "polynomial_kernel")
    return measured(x, y, "inner").write(Map("polynomial", scale, float(coef0), float(degree)))


def sigmoid_kernel(
    X: Any, Y: Any = None, gamma: float | None = None, coef0: float = 1
) -> NDArray[Any]:
    r"""Hyperbolic tangents of the inner product, :math:`\tanh(\gamma\, x \cdot y + c_0)`.

    Parameters
    ----------
    X : table-like of shape (n, p)
        Dense or sparse, finite.
    Y : table-like of shape (m, p), default=None
        None means X.
    gamma : float >= 0, default=None
        None means 1 / p.
    coef0 : float, default=1
        The constant c₀.

    Returns
    -------
    ndarray of shape (n, m)
        Not positive semidefinite in general.

    Examples
    --------
    >>> sigmoid_kernel([[0, 0, 0], [1, 1, 1]], [[1, 0, 0], [1, 1, 0]]).round(4)
    array([[0.7616, 0.7616],
           [0.8701, 0.9311]])
    """
    x, y = read_pair(X, Y, "sigmoid_kernel")
    scale = _gamma(gamma, x, "sigmoid_kernel")
    return measured(x, y, "inner").write(Map("sigmoid", scale, float(coef0)))


def rbf_kernel(X: Any, Y: Any = None, gamma: float | None = None) -> NDArray[Any]:
    r"""Gaussians of the distance, :math:`\exp(-\gamma \|x - y\|^2)`.

    Parameters
    ----------
    X : table-like of shape (n, p)
        Dense or sparse, finite.
    Y : table-like of shape (m, p), default=None
        None means X.
    gamma : float >= 0, default=None
        None means 1 / p.

    Returns
    -------
    ndarray of shape (n, m)
        In (0, 1].

    Examples
    --------
    >>> rbf_kernel([[0, 0, 0], [1, 1, 1]], [[1, 0, 0], [1, 1, 0]]).round(4)
    array([[0.7165, 0.5134],
           [0.5134, 0.7165]])
    """
    x, y = read_pair(X, Y, "rbf_kernel")
    scale = _gamma(gamma, x, "rbf_kernel")
    return measured(x, y, "euclidean").write(Map("exponential", -scale))


def laplacian_kernel(X: Any, Y: Any = None, gamma: float | None = None) -> NDArray[Any]:
    r"""Exponentials of the city-block distance, :math:`\exp(-\gamma \|x - y\|_1)`.

    Parameters
    ----------
    X : table-like of shape (n, p)
        Dense or sparse, finite.
    Y : table-like of shape (m, p), default=None
        None means X.
    gamma : float >= 0, default=None
        None means 1 / p.

    Returns
    -------
    ndarray of shape (n, m)

    Examples
    --------
    >>> laplacian_kernel([[0, 0, 0], [1, 1, 1]], [[1, 0, 0], [1, 1, 0]]).round(4)
    array([[0.7165, 0.5134],
           [0.5134, 0.7165]])
    """
    x, y = read_pair(X, Y, "laplacian_kernel")
    scale = _gamma(gamma, x, "laplacian_kernel")
    return measured(x, y, "manhattan").write(Map("exponential", -scale))


def cosine_similarity(X: Any, Y: Any = None, dense_output: bool = True) -> Any:
    r"""Cosines :math:`x \cdot y / (\|x\| \|y\|)`; 0 for a row of zeros.

    Parameters
    ----------
    X : table-like of shape (n, p)
        Dense or sparse, finite.
    Y : table-like of shape (m, p), default=None
        None means X.
    dense_output : bool, default=True
        False gives a sparse matrix where both tables are sparse.

    Returns
    -------
    ndarray of shape (n, m), or sparse
        In [-1, 1].

    Examples
    --------
    >>> cosine_similarity([[0, 0, 0], [1, 1, 1]], [[1, 0, 0], [1, 1, 0]]).round(4)
    array([[0.    , 0.    ],
           [0.5774, 0.8165]])
    """
    x, y = read_pair(X, Y, "cosine_similarity")
    a, _ = unit_rows(x)
    b = a if y is x else unit_rows(y)[0]
    if not dense_output and is_sparse(x) and is_sparse(y):
        return (a @ b.T).astype(x.dtype)
    same = b is a
    made = Measured(pairs_of(a, b, "inner"), (x.shape[0], y.shape[0]), dtype=x.dtype, same=same)
    return made.write()


def additive_chi2_kernel(X: Any, Y: Any = None) -> NDArray[Any]:
    r"""Minus the chi-square distance, :math:`-\sum_l (x_l - y_l)^2 / (x_l + y_l)`.

    Parameters
    ----------
    X : table-like of shape (n, p)
        Dense, not negative: histograms, say.
    Y : table-like of shape (m, p), default=None
        None means X.

    Returns
    -------
    ndarray of shape (n, m)

    References
    ----------
    Zhang, Marszalek, Lazebnik, Schmid (2007), Local features and kernels for classification of
    texture and object categories.

    Examples
    --------
    >>> additive_chi2_kernel([[0, 0, 0], [1, 1, 1]], [[1, 0, 0], [1, 1, 0]])
    array([[-1., -2.],
           [-2., -1.]])
    """
    return _chi_square(X, Y, "additive_chi2_kernel", Map("scale", -1.0))


def chi2_kernel(X: Any, Y: Any = None, gamma: float = 1.0) -> NDArray[Any]:
    r"""Exponentials of the chi-square distance, :math:`e^{-\gamma \sum (x - y)^2 / (x + y)}`.

    Parameters
    ----------
    X : table-like of shape (n, p)
        Dense, not negative: histograms, say.
    Y : table-like of shape (m, p), default=None
        None means X.
    gamma : float >= 0, default=1.0
        The scale.

    Returns
    -------
    ndarray of shape (n, m)

    Examples
    --------
    >>> chi2_kernel([[0, 0, 0], [1, 1, 1]], [[1, 0, 0], [1, 1, 0]]).round(4)
    array([[0.3679, 0.1353],
           [0.1353, 0.3679]])
    """
    scale = _gamma(gamma, None, "chi2_kernel")
    return _chi_square(X, Y, "chi2_kernel", Map("exponential", -scale))


def _chi_square(X: Any, Y: Any, owner: str, mapping: Map) -> NDArray[Any]:
    x, y = read_pair(X, Y, owner, sparse=False)
    for name, table in (("X", x), ("Y", y)):
        if (table < 0).any():
            raise InvalidDataError(
                f"{owner}: {name} contains negative values. The chi-square distance is for "
                "counts and shares."
            )
    made = Measured(pairs_of(x, y, "chi_square"), (len(x), len(y)), dtype=x.dtype, same=y is x)
    return made.write(mapping)
