"""Rows of several classes: clusters at corners of a cube, shells of a normal cloud, labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.datasets.bunch import Bunch
from stylobate.datasets.generators.draws import (
    check_counts,
    check_numbers,
    distinct_integers,
    drawer,
    shuffled,
)
from stylobate.exceptions import InvalidParameterError


def make_classification(
    n_samples: int = 100,
    n_features: int = 20,
    *,
    n_informative: int = 2,
    n_redundant: int = 2,
    n_repeated: int = 0,
    n_classes: int = 2,
    n_clusters_per_class: int = 2,
    weights: Any = None,
    flip_y: float = 0.01,
    class_sep: float = 1.0,
    hypercube: bool = True,
    shift: Any = 0.0,
    scale: Any = 1.0,
    shuffle: bool = True,
    random_state: Any = None,
    return_X_y: bool = True,
) -> Any:
    """Classes made of normal clusters at corners of a cube, with columns that say nothing.

    Of the columns some are informative, some redundant (combinations of those), some repeated, the
    rest noise.

    Parameters
    ----------
    n_samples, n_features : int in [1, inf), default=100, 20
        Rows and columns.
    n_informative, n_redundant, n_repeated : int in [0, inf), default=2, 2, 0
        Columns of each kind (at least one informative).
    n_classes, n_clusters_per_class : int in [1, inf), default=2, 2
        Their product is at most 2 to the power of n_informative.
    weights : sequence of float or None, default=None
        Share of each class (the last may be left out); None: equal shares.
    flip_y : float in [0, 1], default=0.01
        Share of rows whose class is drawn anew.
    class_sep : float in [0, inf), default=1.0
        Half the edge of the cube.
    hypercube : bool, default=True
        Whether clusters are at corners of a cube, or of a drawn polytope.
    shift, scale : float, array or None, default=0.0, 1.0
        Added to the columns and multiplied with them; None: drawn.
    shuffle : bool, default=True
        Whether rows and columns come in drawn orders.
    random_state : int, RandomState or None, default=None
        Draws everything.
    return_X_y : bool, default=True
        Whether to return ``(X, y)``, or a Bunch that also says what each column is.

    Returns
    -------
    X : array of shape (n_samples, n_features)
    y : array of shape (n_samples,)

    Examples
    --------
    >>> X, y = make_classification(100, 5, random_state=0)
    >>> X.shape, np.bincount(y)
    ((100, 5), array([50, 50]))

    References
    ----------
    Guyon (2003), Design of experiments for the NIPS 2003 variable selection benchmark.
    """
    asked = dict(locals())
    n_random = _check_columns(n_features, n_informative, n_redundant, n_repeated)
    n_clusters = _check_clusters(n_samples, n_informative, n_classes, n_clusters_per_class)
    check_numbers("make_classification", 0, 1, flip_y=flip_y)
    check_numbers("make_classification", 0, np.inf, class_sep=class_sep)
    draw = drawer(random_state)
    sizes = _cluster_sizes(n_samples, n_clusters, _shares(weights, n_classes), n_clusters_per_class)
    corners = _corners(n_clusters, n_informative, draw) * (2 * class_sep) - class_sep
    if not hypercube:
        corners *= draw.uniform(size=(n_clusters, 1))
        corners *= draw.uniform(size=(1, n_informative))
    X = np.zeros((n_samples, n_features))
    X[:, :n_informative] = draw.standard_normal(size=(n_samples, n_informative))
    y = np.repeat(np.arange(n_clusters) % n_classes, sizes)
    ends = np.cumsum(sizes)
    for corner, end, size in zip(corners, ends, sizes, strict=True):
        rows = X[end - size : end, :n_informative]
        mixing = 2 * draw.uniform(size=(n_informative, n_informative)) - 1
        rows[...] = rows @ mixing + corner
    known = n_informative + n_redundant
    if n_redundant:
        mixing = 2 * draw.uniform(size=(n_informative, n_redundant)) - 1
        X[:, n_informative:known] = X[:, :n_informative] @ mixing
    if n_repeated:
        copied = ((known - 1) * draw.uniform(size=n_repeated) + 0.5).astype(np.intp)
        X[:, known : known + n_repeated] = X[:, copied]
    if n_random:
        X[:, -n_random:] = draw.standard_normal(size=(n_samples, n_random))
    flipped = draw.uniform(size=n_samples) < flip_y
    y[flipped] = draw.randint(n_classes, size=flipped.sum())
    X += (2 * draw.uniform(size=n_features) - 1) * class_sep if shift is None else shift
    X *= 1 + 100 * draw.uniform(size=n_features) if scale is None else scale
    order = np.arange(n_features)
    if shuffle:
        X, y = shuffled(draw, X, y)
        draw.shuffle(order)
        X[:, :] = X[:, order]
    if return_X_y:
        return X, y
    kinds = np.repeat(
        ["informative", "redundant", "repeated", "random"],
        [n_informative, n_redundant, n_repeated, n_random],
    )
    return Bunch(
        DESCR=make_classification.__doc__,
        parameters=asked,
        feature_info=[str(kind) for kind in kinds[order]],
        X=X,
        y=y,
    )


def _check_columns(features: Any, informative: Any, redundant: Any, repeated: Any) -> int:
    """The number of columns of noise that is left."""
    check_counts(
        "make_classification",
        n_features=features,
        n_informative=informative,
        n_redundant_or_0=redundant,
        n_repeated_or_0=repeated,
    )
    left = features - informative - redundant - repeated
    if left < 0:
        raise InvalidParameterError(
            "make_classification: informative, redundant and repeated features must sum to at most "
            f"n_features={features}, got {informative} + {redundant} + {repeated}."
        )
    return int(left)


def _check_clusters(samples: Any, informative: int, classes: Any, clusters: Any) -> int:
    check_counts(
        "make_classification", n_samples=samples, n_classes=classes, n_clusters_per_class=clusters
    )
    if informative < np.log2(classes * clusters):
        raise InvalidParameterError(
            f"make_classification: n_classes({classes}) * n_clusters_per_class({clusters}) must be "
            f"smaller or equal 2**n_informative({informative})={2**informative}: each cluster has "
            "a corner of its own. Raise n_informative."
        )
    return int(classes * clusters)


def _shares(weights: Any, n_classes: int) -> list[float]:
    """The share of each class."""
    if weights is None:
        return [1.0 / n_classes] * n_classes
    shares = [float(weight) for weight in weights]
    if len(shares) == n_classes - 1:
        shares.append(1.0 - sum(shares))
    if len(shares) != n_classes:
        raise InvalidParameterError(
            f"make_classification: weights must name the share of {n_classes} classes (the last "
            f"may be left out), got {len(shares)} numbers."
        )
    return shares


def _cluster_sizes(rows: int, clusters: int, shares: list[float], per_class: int) -> list[int]:
    """Rows of each cluster; what rounding leaves goes to the first ones."""
    sizes = [int(rows * shares[k % len(shares)] / per_class) for k in range(clusters)]
    for late in range(rows - sum(sizes)):
        sizes[late % clusters] += 1
    return sizes


def _corners(count: int, dimensions: int, draw: Any) -> NDArray[Any]:
    """Distinct corners of a cube of edge 1; those beyond 30 dimensions are drawn freely."""
    if dimensions > 30:
        free = draw.randint(2, size=(count, dimensions - 30))
        return np.hstack([free, _corners(count, 30, draw)]).astype(np.float64)
    numbers = distinct_integers(draw, 2**dimensions, count)
    places = np.arange(dimensions)[::-1]
    return ((numbers[:, None] >> places) & 1).astype(np.float64)


def make_gaussian_quantiles(
    *,
    mean: Any = None,
    cov: float = 1.0,
    n_samples: int = 100,
    n_features: int = 2,
    n_classes: int = 3,
    shuffle: bool = True,
    random_state: Any = None,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """A normal cloud divided into shells of equal size around its mean.

    Parameters
    ----------
    mean : array of shape (n_features,) or None, default=None
        The centre; None: zero.
    cov : float in (0, inf), default=1.0
        Variance of every column.
    n_samples : int in [n_classes, inf), default=100
        Rows.
    n_features : int in [1, inf), default=2
        Columns.
    n_classes : int in [1, inf), default=3
        Shells.
    shuffle : bool, default=True
        Whether rows come in a drawn order.
    random_state : int, RandomState or None, default=None
        Draws everything.

    Returns
    -------
    X : array of shape (n_samples, n_features)
    y : array of shape (n_samples,)

    Examples
    --------
    >>> X, y = make_gaussian_quantiles(n_samples=9, random_state=0)
    >>> np.bincount(y)
    array([3, 3, 3])

    References
    ----------
    Zhu, Zou, Rosset & Hastie (2009), Multi-class AdaBoost, Statistics and its Interface 2, 349-360.
    """
    check_counts(
        "make_gaussian_quantiles", n_samples=n_samples, n_features=n_features, n_classes=n_classes
    )
    check_numbers("make_gaussian_quantiles", 0, np.inf, cov=cov)
    if n_samples < n_classes:
        raise InvalidParameterError(
            "make_gaussian_quantiles: n_samples must be at least n_classes, got "
            f"{n_samples} < {n_classes}."
        )
    draw = drawer(random_state)
    centre = np.zeros(n_features) if mean is None else np.asarray(mean, dtype=np.float64)
    X = draw.multivariate_normal(centre, cov * np.identity(n_features), (n_samples,))
    X = X[np.argsort(((X - centre) ** 2).sum(axis=1))]
    y = np.minimum(np.arange(n_samples) // (n_samples // n_classes), n_classes - 1)
    if shuffle:
        X, y = shuffled(draw, X, y)
    return X, y


def make_hastie_10_2(
    n_samples: int = 12000, *, random_state: Any = None
) -> tuple[NDArray[Any], NDArray[Any]]:
    r"""Ten normal columns; the class is 1 where :math:`\sum_j x_j^2 > 9.34`, else −1.

    Parameters
    ----------
    n_samples : int in [1, inf), default=12000
        Rows.
    random_state : int, RandomState or None, default=None
        Draws X.

    Returns
    -------
    X : array of shape (n_samples, 10)
    y : array of shape (n_samples,)

    Examples
    --------
    >>> X, y = make_hastie_10_2(1000, random_state=0)
    >>> abs(float(y.mean())) < 0.1  # 9.34 is the median of chi-squared with ten degrees
    True

    References
    ----------
    Hastie, Tibshirani & Friedman (2009), The Elements of Statistical Learning, example 10.2.
    """
    check_counts("make_hastie_10_2", n_samples=n_samples)
    X = drawer(random_state).normal(size=(n_samples, 10))
    return X, np.where((X**2).sum(axis=1) > 9.34, 1.0, -1.0)
