"""Groups of points in the plane and in space: circles, moons, blobs, rolls."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.datasets.generators.draws import (
    check_counts,
    check_numbers,
    drawer,
    shuffled,
    two_sizes,
)
from stylobate.exceptions import InvalidParameterError


def make_circles(
    n_samples: int | tuple[int, int] = 100,
    *,
    shuffle: bool = True,
    noise: float | None = None,
    random_state: Any = None,
    factor: float = 0.8,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """A circle within a circle: two classes that no line separates.

    Parameters
    ----------
    n_samples : int in [0, inf) or pair of int, default=100
        Points, or those of the outer (class 0) and the inner circle (class 1).
    shuffle : bool, default=True
        Whether points come in a drawn order.
    noise : float in [0, inf) or None, default=None
        Standard deviation of normal noise added to both coordinates.
    random_state : int, RandomState or None, default=None
        Draws order and noise.
    factor : float in [0, 1], default=0.8
        Radius of the inner circle; that of the outer one is 1.

    Returns
    -------
    X : array of shape (n_samples, 2)
    y : array of shape (n_samples,)

    Examples
    --------
    >>> X, y = make_circles(6, shuffle=False, factor=0.5)
    >>> np.hypot(*X.T).round(3), y
    (array([1. , 1. , 1. , 0.5, 0.5, 0.5]), array([0, 0, 0, 1, 1, 1]))
    """
    outer, inner = two_sizes("make_circles", n_samples)
    check_numbers("make_circles", 0, 1, factor=factor)
    angles = (
        np.linspace(0, 2 * np.pi, outer, endpoint=False),
        np.linspace(0, 2 * np.pi, inner, endpoint=False),
    )
    x = np.append(np.cos(angles[0]), np.cos(angles[1]) * factor)
    y = np.append(np.sin(angles[0]), np.sin(angles[1]) * factor)
    return _two_groups("make_circles", np.vstack([x, y]).T, outer, shuffle, noise, random_state)


def make_moons(
    n_samples: int | tuple[int, int] = 100,
    *,
    shuffle: bool = True,
    noise: float | None = None,
    random_state: Any = None,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Two half circles that reach into each other.

    Parameters
    ----------
    n_samples : int in [0, inf) or pair of int, default=100
        Points, or those of the upper (class 0) and the lower moon (class 1).
    shuffle : bool, default=True
        Whether points come in a drawn order.
    noise : float in [0, inf) or None, default=None
        Standard deviation of normal noise added to both coordinates.
    random_state : int, RandomState or None, default=None
        Draws order and noise.

    Returns
    -------
    X : array of shape (n_samples, 2)
    y : array of shape (n_samples,)

    Examples
    --------
    >>> X, y = make_moons((2, 1), shuffle=False)
    >>> X.round(3), y
    (array([[ 1. ,  0. ],
           [-1. ,  0. ],
           [ 0. ,  0.5]]), array([0, 0, 1]))
    """
    upper, lower = two_sizes("make_moons", n_samples)
    above, below = np.linspace(0, np.pi, upper), np.linspace(0, np.pi, lower)
    x = np.append(np.cos(above), 1 - np.cos(below))
    y = np.append(np.sin(above), 1 - np.sin(below) - 0.5)
    return _two_groups("make_moons", np.vstack([x, y]).T, upper, shuffle, noise, random_state)


def _two_groups(
    function: str, X: NDArray[Any], first: int, shuffle: bool, noise: Any, random_state: Any
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Points of class 0, then of class 1, put in order and moved by noise."""
    draw = drawer(random_state)
    y = np.zeros(len(X), dtype=np.intp)
    y[first:] = 1
    if shuffle:
        X, y = shuffled(draw, X, y)
    if noise is not None:
        check_numbers(function, 0, np.inf, noise=noise)
        X = X + draw.normal(scale=noise, size=X.shape)
    return X, y


def make_blobs(
    n_samples: Any = 100,
    n_features: int = 2,
    *,
    centers: Any = None,
    cluster_std: Any = 1.0,
    center_box: tuple[float, float] = (-10.0, 10.0),
    shuffle: bool = True,
    random_state: Any = None,
    return_centers: bool = False,
) -> tuple[NDArray[Any], ...]:
    """Round normal clouds around centres.

    Parameters
    ----------
    n_samples : int in [1, inf) or sequence of int, default=100
        Points, shared out evenly, or those of each cloud.
    n_features : int in [1, inf), default=2
        Columns, where centres are drawn.
    centers : int, array of shape (n_centers, n_features) or None, default=None
        How many centres to draw, or the centres. None: 3, or as many as sizes.
    cluster_std : float in [0, inf) or sequence, default=1.0
        Standard deviation of all clouds, or of each.
    center_box : (float, float), default=(-10.0, 10.0)
        Bounds of the coordinates of drawn centres.
    shuffle : bool, default=True
        Whether points come in a drawn order.
    random_state : int, RandomState or None, default=None
        Draws centres, points and order.
    return_centers : bool, default=False
        Whether to return the centres as well.

    Returns
    -------
    X : array of shape (n_samples, n_features)
    y : array of shape (n_samples,)
        The cloud of each point.
    centers : array of shape (n_centers, n_features)
        If asked for.

    Examples
    --------
    >>> X, y = make_blobs(9, centers=3, random_state=0)
    >>> X.shape, np.bincount(y)
    ((9, 2), array([3, 3, 3]))
    """
    draw = drawer(random_state)
    if not center_box[0] <= center_box[1]:
        raise InvalidParameterError(
            f"make_blobs: center_box must be (low, high) with low ≤ high, got {center_box!r}."
        )
    places = _centres(n_samples, n_features, centers, center_box, draw)
    spreads = _spreads(cluster_std, len(places))
    sizes = _sizes(n_samples, len(places))
    X = np.vstack(
        [
            draw.normal(loc=place, scale=spread, size=(size, places.shape[1]))
            for place, spread, size in zip(places, spreads, sizes, strict=True)
        ]
    )
    y = np.repeat(np.arange(len(places)), sizes)
    if shuffle:
        X, y = shuffled(draw, X, y)
    return (X, y, places) if return_centers else (X, y)


def _centres(n_samples: Any, n_features: int, centers: Any, box: Any, draw: Any) -> NDArray[Any]:
    """The centres given, or as many as asked for, drawn in a box."""
    listed = not isinstance(n_samples, Integral)
    if centers is None:
        centers = len(n_samples) if listed else 3
    if isinstance(centers, Integral):
        check_counts("make_blobs", centers=centers, n_features=n_features)
        if listed and centers != len(n_samples):
            raise InvalidParameterError(
                f"make_blobs: centers={centers} for {len(n_samples)} sizes of clouds; give as many."
            )
        return np.asarray(draw.uniform(box[0], box[1], size=(int(centers), n_features)))
    if not isinstance(centers, Iterable):
        raise InvalidParameterError(
            f"make_blobs: centers must be a number of centres or an array, got {centers!r}."
        )
    places = np.array(centers, dtype=np.float64)
    if places.ndim != 2 or not np.isfinite(places).all():
        raise InvalidParameterError(
            "make_blobs: centers must be an array of two dimensions, (n_centers, n_features), of "
            f"finite numbers, got shape {places.shape}."
        )
    if listed and len(places) != len(n_samples):
        raise InvalidParameterError(
            f"make_blobs: length of n_samples ({len(n_samples)}) is not that of centers "
            f"({len(places)}); give one size a centre."
        )
    return places


def _spreads(cluster_std: Any, n_centers: int) -> NDArray[Any]:
    if isinstance(cluster_std, Real):
        check_numbers("make_blobs", 0, np.inf, cluster_std=cluster_std)
        return np.full(n_centers, float(cluster_std))
    spreads = np.asarray(cluster_std, dtype=np.float64)
    if spreads.shape != (n_centers,) or not (spreads >= 0).all():
        raise InvalidParameterError(
            f"make_blobs: cluster_std must be a number or {n_centers} numbers that are not "
            f"negative, one a centre, got {cluster_std!r}."
        )
    return spreads


def _sizes(n_samples: Any, n_centers: int) -> list[int]:
    if isinstance(n_samples, Integral):
        check_counts("make_blobs", n_samples=n_samples)
        least, more = divmod(int(n_samples), n_centers)
        return [least + (k < more) for k in range(n_centers)]
    sizes = list(n_samples)
    check_counts("make_blobs", **{f"n_samples[{k}]_or_0": size for k, size in enumerate(sizes)})
    return [int(size) for size in sizes]


def make_swiss_roll(
    n_samples: int = 100, *, noise: float = 0.0, random_state: Any = None, hole: bool = False
) -> tuple[NDArray[Any], NDArray[Any]]:
    r"""A rolled sheet in space: :math:`(t\cos t,\; h,\; t\sin t)`.

    Parameters
    ----------
    n_samples : int in [1, inf), default=100
        Points.
    noise : float in [0, inf), default=0.0
        Standard deviation of normal noise.
    random_state : int, RandomState or None, default=None
        Draws points and noise.
    hole : bool, default=False
        Whether the sheet has a hole in its middle.

    Returns
    -------
    X : array of shape (n_samples, 3)
    t : array of shape (n_samples,)
        The place along the sheet.

    Examples
    --------
    >>> X, t = make_swiss_roll(50, random_state=0)
    >>> bool(np.allclose(np.hypot(X[:, 0], X[:, 2]), t))
    True

    References
    ----------
    Marsland (2009), Machine Learning: An Algorithmic Perspective, chapter 6.
    """
    check_counts("make_swiss_roll", n_samples=n_samples)
    check_numbers("make_swiss_roll", 0, np.inf, noise=noise)
    draw = drawer(random_state)
    if hole:  # eight of the nine tiles of the sheet
        tiles = [(np.pi * (1.5 + i), j * 7) for i in range(3) for j in range(3) if (i, j) != (1, 1)]
        corners = np.array(tiles)[draw.choice(8, n_samples)]
        t, height = corners.T + draw.uniform(size=(2, n_samples)) * np.array([[np.pi], [7]])
    else:
        t = 1.5 * np.pi * (1 + 2 * draw.uniform(size=n_samples))
        height = 21 * draw.uniform(size=n_samples)
    X = np.vstack((t * np.cos(t), height, t * np.sin(t)))
    X += noise * draw.standard_normal(size=(3, n_samples))
    return X.T, t


def make_s_curve(
    n_samples: int = 100, *, noise: float = 0.0, random_state: Any = None
) -> tuple[NDArray[Any], NDArray[Any]]:
    r"""A sheet bent to an S: :math:`(\sin t,\; h,\; \operatorname{sign}(t)(\cos t - 1))`.

    Parameters
    ----------
    n_samples : int in [1, inf), default=100
        Points.
    noise : float in [0, inf), default=0.0
        Standard deviation of normal noise.
    random_state : int, RandomState or None, default=None
        Draws points and noise.

    Returns
    -------
    X : array of shape (n_samples, 3)
    t : array of shape (n_samples,)
        The place along the curve.

    Examples
    --------
    >>> X, t = make_s_curve(50, random_state=0)
    >>> bool(np.allclose(X[:, 0], np.sin(t)))
    True
    """
    check_counts("make_s_curve", n_samples=n_samples)
    check_numbers("make_s_curve", 0, np.inf, noise=noise)
    draw = drawer(random_state)
    t = 3 * np.pi * (draw.uniform(size=n_samples) - 0.5)
    height = 2.0 * draw.uniform(size=n_samples)
    X = np.vstack((np.sin(t), height, np.sign(t) * (np.cos(t) - 1)))
    X += noise * draw.standard_normal(size=(3, n_samples))
    return X.T, t
