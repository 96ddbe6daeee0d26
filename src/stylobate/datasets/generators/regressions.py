"""Targets that are known functions of the columns, with noise."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.datasets.generators.draws import check_counts, check_numbers, drawer, shuffled
from stylobate.datasets.generators.matrices import make_low_rank_matrix
from stylobate.exceptions import InvalidParameterError


def make_regression(
    n_samples: int = 100,
    n_features: int = 100,
    *,
    n_informative: int = 10,
    n_targets: int = 1,
    bias: float = 0.0,
    effective_rank: int | None = None,
    tail_strength: float = 0.5,
    noise: float = 0.0,
    shuffle: bool = True,
    coef: bool = False,
    random_state: Any = None,
) -> tuple[NDArray[Any], ...]:
    r"""A linear model with few coefficients that are not zero: :math:`y = Xw + b + \varepsilon`.

    Parameters
    ----------
    n_samples, n_features : int in [1, inf), default=100
        Rows and columns of normal numbers.
    n_informative : int in [0, inf), default=10
        Coefficients drawn from [0, 100); the others are zero.
    n_targets : int in [1, inf), default=1
        Targets.
    bias : float, default=0.0
        The intercept b.
    effective_rank : int in [1, inf) or None, default=None
        Columns that matter where X is to be nearly of low rank (see `make_low_rank_matrix`).
    tail_strength : float in [0, 1], default=0.5
        Weight of the other columns then.
    noise : float in [0, inf), default=0.0
        Standard deviation of ε.
    shuffle : bool, default=True
        Whether rows and columns come in a drawn order.
    coef : bool, default=False
        Whether to return the coefficients w too.
    random_state : int, RandomState or None, default=None
        Draws everything.

    Returns
    -------
    X : array of shape (n_samples, n_features)
    y : array of shape (n_samples,) or (n_samples, n_targets)
    coef : array of shape (n_features,) or (n_features, n_targets)
        If asked for.

    Examples
    --------
    >>> X, y, w = make_regression(20, 5, n_informative=2, coef=True, random_state=0)
    >>> bool(np.allclose(X @ w, y)), int(np.count_nonzero(w))
    (True, 2)
    """
    check_counts(
        "make_regression",
        n_samples=n_samples,
        n_features=n_features,
        n_informative_or_0=n_informative,
        n_targets=n_targets,
    )
    check_numbers("make_regression", 0, np.inf, noise=noise)
    draw = drawer(random_state)
    if effective_rank is None:
        X = draw.standard_normal(size=(n_samples, n_features))
    else:
        X = make_low_rank_matrix(
            n_samples,
            n_features,
            effective_rank=effective_rank,
            tail_strength=tail_strength,
            random_state=draw,
        )
    informative = min(n_features, n_informative)
    w = np.zeros((n_features, n_targets))
    w[:informative] = 100 * draw.uniform(size=(informative, n_targets))
    y = X @ w + bias
    if noise > 0:
        y += draw.normal(scale=noise, size=y.shape)
    if shuffle:
        X, y = shuffled(draw, X, y)
        (order,) = shuffled(draw, np.arange(n_features))
        X, w = np.ascontiguousarray(X[:, order]), w[order]
    y = np.squeeze(y)
    return (X, y, np.squeeze(w)) if coef else (X, y)


def make_friedman1(
    n_samples: int = 100, n_features: int = 10, *, noise: float = 0.0, random_state: Any = None
) -> tuple[NDArray[Any], NDArray[Any]]:
    r"""Friedman's first function of five uniform columns, the others being noise.

    .. math:: y = 10\sin(\pi x_0 x_1) + 20(x_2 - 0.5)^2 + 10 x_3 + 5 x_4 + \varepsilon

    Parameters
    ----------
    n_samples : int in [1, inf), default=100
        Rows.
    n_features : int in [5, inf), default=10
        Columns.
    noise : float in [0, inf), default=0.0
        Standard deviation of ε.
    random_state : int, RandomState or None, default=None
        Draws X and ε.

    Returns
    -------
    X : array of shape (n_samples, n_features)
    y : array of shape (n_samples,)

    Examples
    --------
    >>> X, y = make_friedman1(100, random_state=0)
    >>> X.shape, y.shape
    ((100, 10), (100,))

    References
    ----------
    Friedman (1991), Multivariate adaptive regression splines, Annals of Statistics 19, 1-67.
    """
    check_counts("make_friedman1", n_samples=n_samples)
    if n_features < 5:
        raise InvalidParameterError(
            f"make_friedman1: n_features must be at least 5, got {n_features!r}."
        )
    check_numbers("make_friedman1", 0, np.inf, noise=noise)
    draw = drawer(random_state)
    X = draw.uniform(size=(n_samples, n_features))
    y = (
        10 * np.sin(np.pi * X[:, 0] * X[:, 1])
        + 20 * (X[:, 2] - 0.5) ** 2
        + 10 * X[:, 3]
        + 5 * X[:, 4]
        + noise * draw.standard_normal(size=n_samples)
    )
    return X, y


def make_friedman2(
    n_samples: int = 100, *, noise: float = 0.0, random_state: Any = None
) -> tuple[NDArray[Any], NDArray[Any]]:
    r"""Friedman's second function: the impedance of a circuit of four parts.

    .. math:: y = \sqrt{x_0^2 + \left(x_1 x_2 - \tfrac{1}{x_1 x_3}\right)^2} + \varepsilon

    with :math:`x_0 \in [0, 100]`, :math:`x_1 \in [40\pi, 560\pi]`, :math:`x_2 \in [0, 1]`,
    :math:`x_3 \in [1, 11]`.

    Parameters
    ----------
    n_samples : int in [1, inf), default=100
        Rows.
    noise : float in [0, inf), default=0.0
        Standard deviation of ε.
    random_state : int, RandomState or None, default=None
        Draws X and ε.

    Returns
    -------
    X : array of shape (n_samples, 4)
    y : array of shape (n_samples,)

    Examples
    --------
    >>> X, y = make_friedman2(200, random_state=0)
    >>> bool((X[:, 3] >= 1).all())
    True

    References
    ----------
    Friedman (1991), Multivariate adaptive regression splines, Annals of Statistics 19, 1-67.
    """
    X, reactance, draw = _circuit("make_friedman2", n_samples, noise, random_state)
    y = np.sqrt(X[:, 0] ** 2 + reactance**2)
    return X, y + noise * draw.standard_normal(size=n_samples)


def make_friedman3(
    n_samples: int = 100, *, noise: float = 0.0, random_state: Any = None
) -> tuple[NDArray[Any], NDArray[Any]]:
    r"""Friedman's third function: the phase shift of the circuit of `make_friedman2`.

    .. math:: y = \arctan\frac{x_1 x_2 - 1/(x_1 x_3)}{x_0} + \varepsilon

    Parameters
    ----------
    n_samples : int in [1, inf), default=100
        Rows.
    noise : float in [0, inf), default=0.0
        Standard deviation of ε.
    random_state : int, RandomState or None, default=None
        Draws X and ε.

    Returns
    -------
    X : array of shape (n_samples, 4)
    y : array of shape (n_samples,)

    Examples
    --------
    >>> X, y = make_friedman3(200, random_state=0)
    >>> bool((abs(y) <= np.pi / 2).all())
    True

    References
    ----------
    Friedman (1991), Multivariate adaptive regression splines, Annals of Statistics 19, 1-67.
    """
    X, reactance, draw = _circuit("make_friedman3", n_samples, noise, random_state)
    return X, np.arctan(reactance / X[:, 0]) + noise * draw.standard_normal(size=n_samples)


def _circuit(
    function: str, n_samples: Any, noise: Any, seed: Any
) -> tuple[NDArray[Any], NDArray[Any], Any]:
    """Resistance, frequency, inductance and capacity, with the reactance they make."""
    check_counts(function, n_samples=n_samples)
    check_numbers(function, 0, np.inf, noise=noise)
    draw = drawer(seed)
    X = draw.uniform(size=(n_samples, 4)) * [100, 520 * np.pi, 1, 10] + [0, 40 * np.pi, 0, 1]
    return X, X[:, 1] * X[:, 2] - 1 / (X[:, 1] * X[:, 3]), draw


def make_sparse_uncorrelated(
    n_samples: int = 100, n_features: int = 10, *, random_state: Any = None
) -> tuple[NDArray[Any], NDArray[Any]]:
    r"""Independent normal columns of which four matter.

    .. math:: y \sim N(x_0 + 2 x_1 - 2 x_2 - 1.5 x_3,\; 1)

    Parameters
    ----------
    n_samples : int in [1, inf), default=100
        Rows.
    n_features : int in [4, inf), default=10
        Columns.
    random_state : int, RandomState or None, default=None
        Draws X and y.

    Returns
    -------
    X : array of shape (n_samples, n_features)
    y : array of shape (n_samples,)

    Examples
    --------
    >>> X, y = make_sparse_uncorrelated(1000, random_state=0)
    >>> np.linalg.lstsq(X, y)[0][:4].round()
    array([ 1.,  2., -2., -2.])

    References
    ----------
    Celeux, El Anbari, Marin & Robert (2012), Regularization in regression, Bayesian Analysis 7.
    """
    check_counts("make_sparse_uncorrelated", n_samples=n_samples)
    if n_features < 4:
        raise InvalidParameterError(
            f"make_sparse_uncorrelated: n_features must be at least 4, got {n_features!r}."
        )
    draw = drawer(random_state)
    X = draw.normal(loc=0, scale=1, size=(n_samples, n_features))
    mean = X[:, 0] + 2 * X[:, 1] - 2 * X[:, 2] - 1.5 * X[:, 3]
    return X, draw.normal(loc=mean, scale=np.ones(n_samples))
