"""Dictionary learning as functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stylobate.decomposition.dictionary.dictionary_learning import DictionaryLearning
from stylobate.decomposition.dictionary.minibatch import MiniBatchDictionaryLearning


def dict_learning(
    X: Any,
    n_components: int | None,
    *,
    alpha: float,
    max_iter: int = 100,
    tol: float = 1e-8,
    method: str = "lars",
    n_jobs: int | None = None,
    dict_init: Any = None,
    code_init: Any = None,
    callback: Callable[..., Any] | None = None,
    verbose: bool | int = False,
    random_state: Any = None,
    return_n_iter: bool = False,
    positive_dict: bool = False,
    positive_code: bool = False,
    method_max_iter: int = 1000,
) -> tuple[Any, ...]:
    r"""Codes and dictionary of the least :math:`\tfrac12\|X - CD\|^2 + α\|C\|_1`.

    `DictionaryLearning` is the estimator.

    Parameters
    ----------
    X : array-like or data frame of shape (n, n_features)
        Rows.
    n_components : int in [1, inf) or None
        Atoms; None: as many as features.
    alpha, max_iter, tol, n_jobs, dict_init, code_init, callback, verbose, random_state
        As of `DictionaryLearning`.
    method : {"lars", "cd"}, default="lars"
        Its ``fit_algorithm``.
    return_n_iter : bool, default=False
        Whether the number of turns is returned too.
    positive_dict, positive_code : bool, default=False
        Whether atoms, or codes, are kept non-negative.
    method_max_iter : int in [0, inf), default=1000
        Epochs of a lasso at most.

    Returns
    -------
    code : array of shape (n, n_components)
    dictionary : array of shape (n_components, n_features)
    errors : list of float
        The objective after every turn.
    n_iter : int
        If asked for.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.random.default_rng(0).laplace(size=(30, 2)) @ np.eye(2, 4)
    >>> code, dictionary, errors = dict_learning(x, 2, alpha=0.1, random_state=0)
    >>> code.shape, dictionary.shape
    ((30, 2), (2, 4))
    """
    model = DictionaryLearning(
        n_components,
        alpha=alpha,
        max_iter=max_iter,
        tol=tol,
        fit_algorithm=method,
        n_jobs=n_jobs,
        dict_init=dict_init,
        code_init=code_init,
        callback=callback,
        verbose=verbose,
        random_state=random_state,
        positive_code=positive_code,
        positive_dict=positive_dict,
        transform_max_iter=method_max_iter,
    ).set_output(transform="default")
    code = model.fit_transform(X)
    out = code, model.components_, model.error_
    return (*out, model.n_iter_) if return_n_iter else out


def dict_learning_online(
    X: Any,
    n_components: int | None = 2,
    *,
    alpha: float = 1,
    max_iter: int = 100,
    return_code: bool = True,
    dict_init: Any = None,
    callback: Callable[..., Any] | None = None,
    batch_size: int = 256,
    verbose: bool | int = False,
    shuffle: bool = True,
    n_jobs: int | None = None,
    method: str = "lars",
    random_state: Any = None,
    positive_dict: bool = False,
    positive_code: bool = False,
    method_max_iter: int = 1000,
    tol: float = 1e-3,
    max_no_improvement: int | None = 10,
) -> Any:
    r"""Codes and dictionary, learnt from batches.

    `MiniBatchDictionaryLearning` is the estimator.

    Parameters
    ----------
    X : array-like or data frame of shape (n, n_features)
        Rows.
    n_components : int in [1, inf) or None, default=2
        Atoms; None: as many as features.
    alpha, max_iter, dict_init, callback, batch_size, verbose, shuffle, n_jobs, random_state
        As of `MiniBatchDictionaryLearning`.
    return_code : bool, default=True
        Whether the codes are returned too.
    method : {"lars", "cd"}, default="lars"
        Its ``fit_algorithm``.
    positive_dict, positive_code : bool, default=False
        Whether atoms, or codes, are kept non-negative.
    method_max_iter : int in [0, inf), default=1000
        Epochs of a lasso at most.
    tol, max_no_improvement
        As of `MiniBatchDictionaryLearning`.

    Returns
    -------
    code : array of shape (n, n_components)
        If asked for.
    dictionary : array of shape (n_components, n_features)

    Examples
    --------
    >>> import numpy as np
    >>> x = np.random.default_rng(0).laplace(size=(30, 2)) @ np.eye(2, 4)
    >>> code, dictionary = dict_learning_online(x, 2, alpha=0.1, random_state=0)
    >>> code.shape, dictionary.shape
    ((30, 2), (2, 4))
    """
    model = MiniBatchDictionaryLearning(
        n_components,
        alpha=alpha,
        max_iter=max_iter,
        n_jobs=n_jobs,
        fit_algorithm=method,
        batch_size=batch_size,
        shuffle=shuffle,
        dict_init=dict_init,
        random_state=random_state,
        transform_algorithm="lasso_" + method,
        transform_alpha=alpha,
        positive_code=positive_code,
        positive_dict=positive_dict,
        transform_max_iter=method_max_iter,
        verbose=verbose,
        callback=callback,
        tol=tol,
        max_no_improvement=max_no_improvement,
    ).set_output(transform="default")
    model.fit(X)
    return (model.transform(X), model.components_) if return_code else model.components_
