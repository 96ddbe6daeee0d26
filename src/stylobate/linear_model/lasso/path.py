"""Coefficients of the lasso and the elastic net along a path of penalties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.optimize import elastic_net as en

_SETTINGS = {"max_iter": 1000, "tol": 1e-4, "random_state": None, "selection": "cyclic"}


def lasso_path(
    X: Any,
    y: Any,
    *,
    eps: float = 1e-3,
    n_alphas: Any = "deprecated",
    alphas: Any = 100,
    precompute: Any = "auto",
    Xy: Any = None,
    copy_X: bool = True,
    coef_init: ArrayLike | None = None,
    verbose: bool | int = False,
    return_n_iter: bool = False,
    positive: bool = False,
    **params: Any,
) -> tuple[Any, ...]:
    r"""Coefficients of the lasso at many penalties, each starting from the one before.

    .. math:: \min_w \; \frac{1}{2n} \|y - Xw\|^2 + \alpha \|w\|_1

    There is no intercept: centre X and y first, or use `Lasso`.

    Parameters
    ----------
    X, y, eps, n_alphas, alphas, precompute, Xy, copy_X, coef_init, verbose, return_n_iter, positive
        As of `enet_path`.
    **params : object
        ``max_iter``, ``tol``, ``selection``, ``random_state``.

    Returns
    -------
    alphas, coefs, dual_gaps, n_iters
        As of `enet_path`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1, 2, 3.1], [2.3, 5.4, 4.3]]).T
    >>> alphas, coefs, gaps = lasso_path(X, [1, 2, 3.1], alphas=[5.0, 1.0, 0.5])
    >>> coefs.round(4)
    array([[0.    , 0.    , 0.4692],
           [0.2159, 0.4426, 0.2367]])
    """
    return enet_path(
        X,
        y,
        l1_ratio=1.0,
        eps=eps,
        n_alphas=n_alphas,
        alphas=alphas,
        precompute=precompute,
        Xy=Xy,
        copy_X=copy_X,
        coef_init=coef_init,
        verbose=verbose,
        return_n_iter=return_n_iter,
        positive=positive,
        **params,
    )


def enet_path(
    X: Any,
    y: Any,
    *,
    l1_ratio: float = 0.5,
    eps: float = 1e-3,
    n_alphas: Any = "deprecated",
    alphas: Any = 100,
    precompute: Any = "auto",
    Xy: Any = None,
    copy_X: bool = True,
    coef_init: ArrayLike | None = None,
    verbose: bool | int = False,
    return_n_iter: bool = False,
    positive: bool = False,
    check_input: bool = True,
    **params: Any,
) -> tuple[Any, ...]:
    r"""Coefficients of the elastic net at many penalties, each starting from the one before.

    .. math:: \min_w \; \frac{1}{2n} \|y - Xw\|^2 + \alpha \rho \|w\|_1
              + \frac{\alpha(1 - \rho)}{2} \|w\|^2

    There is no intercept: centre X and y first, or use `ElasticNet`.

    Parameters
    ----------
    X : array-like, sparse or data frame of shape (n, p)
        Rows.
    y : array-like of shape (n,)
        Target. (Several targets are a problem of their own: `MultiTaskElasticNet`.)
    l1_ratio : float in [0, 1], default=0.5
        ρ; 1 is the lasso.
    eps : float in (0, 1), default=1e-3
        The smallest penalty of the grid as a share of the largest.
    n_alphas : int, optional
        Older name of a number given as `alphas`.
    alphas : int or array-like, default=100
        How many penalties, or which ones (used from large to small).
    precompute : "auto", bool or array, default="auto"
        False asks for the rows, everything else lets the shape decide.
    Xy : array-like, optional
        For compatibility; it is computed with the rest.
    copy_X : bool, default=True
        For compatibility; X is never changed.
    coef_init : array-like of shape (p,), optional
        Coefficients to start from.
    verbose : bool or int, default=False
        For compatibility; nothing is printed.
    return_n_iter : bool, default=False
        Whether to return the numbers of epochs too.
    positive : bool, default=False
        Whether to keep the coefficients non-negative.
    check_input : bool, default=True
        For compatibility; input is always checked.
    **params : object
        ``max_iter``, ``tol``, ``selection``, ``random_state``.

    Returns
    -------
    alphas : array of shape (n_alphas,)
        From large to small.
    coefs : array of shape (p, n_alphas)
    dual_gaps : array of shape (n_alphas,)
        How far each objective can be above its minimum.
    n_iters : list of int
        Epochs, if asked for.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.array([[-1.0], [0.0], [1.0]]), [-1.0, 0.0, 1.0]
    >>> alphas, coefs, gaps = enet_path(X, y, alphas=3)
    >>> coefs.shape, bool(coefs[0, 0] == 0.0), bool((gaps < 1e-8).all())
    ((1, 3), True, True)
    """
    problem = _problem(X, y, l1_ratio, positive, coef_init, precompute, params)
    problem = replace(problem, alphas=_alphas(problem, alphas, n_alphas, eps))
    name = "gram" if problem.moments is not None else "coordinate_descent"
    solution = en.solve(problem, name)
    out = problem.alphas, np.ascontiguousarray(solution.coef[0].T), solution.gap[0]
    return (*out, solution.iterations[0].tolist()) if return_n_iter else out


def _problem(
    X: Any,
    y: Any,
    l1_ratio: float,
    positive: bool,
    coef_init: ArrayLike | None,
    precompute: Any,
    params: dict[str, Any],
) -> en.ElasticNetProblem:
    from stylobate.data import read_table
    from stylobate.linear_model.lasso.sparse_regressor import readable
    from stylobate.statistics import Moments

    unknown = params.keys() - _SETTINGS.keys()
    if unknown:
        raise InvalidParameterError(
            f"enet_path: there is no parameter {sorted(unknown)[0]!r}; further parameters are "
            f"{', '.join(_SETTINGS)}."
        )
    settings: dict[str, Any] = _SETTINGS | params
    table = readable(read_table(X, y, owner="enet_path", y_required=True))
    assert table.y is not None
    if table.y.shape[1] != 1:
        raise InvalidDataError(
            f"enet_path: y has {table.y.shape[1]} targets; use MultiTaskElasticNet for a penalty "
            "they share, or one path per target."
        )
    rows = precompute is False or en.choose(table, many=True)[0] != "gram"
    random = settings["selection"] == "random"
    generator = np.random.RandomState if random else None
    return en.ElasticNetProblem(
        np.array([]),
        float(l1_ratio),
        table=table if rows else None,
        moments=None if rows else Moments.of(table),
        intercept=False,
        positive=bool(positive),
        tol=float(settings["tol"]),
        max_iter=int(settings["max_iter"]),
        start=None if coef_init is None else _start(coef_init, table.n_features),
        seed=None if generator is None else int(generator(settings["random_state"]).randint(2**31)),
    )


def _start(coef: ArrayLike, n_features: int) -> Array:
    start = np.array(coef, dtype=np.float64).reshape(1, -1)
    if start.shape[1] != n_features:
        raise InvalidDataError(
            f"enet_path: coef_init has {start.shape[1]} entries, but X has {n_features} columns."
        )
    return start


def _alphas(problem: en.ElasticNetProblem, alphas: Any, n_alphas: Any, eps: float) -> Array:
    """The penalties asked for, from large to small."""
    if alphas is None or isinstance(alphas, str):
        alphas = 100 if isinstance(n_alphas, str) else n_alphas
    if isinstance(alphas, Integral):
        if int(alphas) < 1:
            raise InvalidParameterError(f"enet_path: alphas must be at least 1, got {alphas}.")
        return en.alpha_grid(problem, int(alphas), eps, "enet_path")
    return sorted_alphas(alphas, "enet_path")


def sorted_alphas(alphas: Sequence[float] | Any, owner: str) -> Array:
    """Penalties from large to small; refuses what is no penalty."""
    found = np.sort(np.atleast_1d(np.asarray(alphas, dtype=np.float64)))[::-1]
    if not len(found) or not np.isfinite(found).all() or found[-1] < 0.0:
        raise InvalidParameterError(
            f"{owner}: alphas must be numbers of at least 0, got {alphas!r}."
        )
    return np.ascontiguousarray(found)
