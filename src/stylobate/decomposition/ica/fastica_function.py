"""Independent components as a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stylobate.decomposition.ica.fast_ica import FastICA


def fastica(
    X: Any,
    n_components: int | None = None,
    *,
    algorithm: str = "parallel",
    whiten: str | bool = "unit-variance",
    fun: str | Callable[..., Any] = "logcosh",
    fun_args: dict[str, Any] | None = None,
    max_iter: int = 200,
    tol: float = 1e-04,
    w_init: Any = None,
    whiten_solver: str = "svd",
    random_state: Any = None,
    return_X_mean: bool = False,
    compute_sources: bool = True,
    return_n_iter: bool = False,
) -> list[Any]:
    """Whitening, unmixing and sources of mixed signals; `FastICA` is the estimator.

    Parameters
    ----------
    X : array-like or data frame of shape (n, n_features)
        Rows.
    n_components, algorithm, whiten, fun, fun_args, max_iter, tol, w_init, whiten_solver
        As of `FastICA`.
    random_state : int, RandomState or None, default=None
        Seed of the start.
    return_X_mean : bool, default=False
        Whether the mean is returned too.
    compute_sources : bool, default=True
        Whether the sources are computed; None stands in their place where not.
    return_n_iter : bool, default=False
        Whether the number of steps is returned too.

    Returns
    -------
    list of K, W, S and what else was asked for
        The whitening (None without), the unmixing of white rows, the sources (n × n_components).

    Examples
    --------
    >>> import numpy as np
    >>> x = np.random.default_rng(0).uniform(size=(200, 3))
    >>> K, W, S = fastica(x, 2, random_state=0)
    >>> K.shape, W.shape, S.shape
    ((2, 3), (2, 2), (200, 2))
    """
    model = FastICA(
        n_components,
        algorithm=algorithm,
        whiten=whiten,
        fun=fun,
        fun_args=fun_args,
        max_iter=max_iter,
        tol=tol,
        w_init=w_init,
        whiten_solver=whiten_solver,
        random_state=random_state,
    ).set_output(transform="default")
    sources = None
    if compute_sources:
        sources = model.fit_transform(X)
    else:
        model.fit(X)
    found = [model.whitening_ if whiten else None, model._unmixing, sources]
    if return_X_mean:
        found.append(model.mean_ if whiten else None)
    if return_n_iter:
        found.append(model.n_iter_)
    return found
