"""Sparse principal components, learnt from batches of columns."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Annotated, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base import Interval, Options, RandomState
from stylobate.decomposition.dictionary.minibatch import MiniBatchDictionaryLearning
from stylobate.decomposition.dictionary.sparse_projection import SparseProjection
from stylobate.decomposition.dictionary.sparse_transform import Count, Penalty, Verbosity


class MiniBatchSparsePCA(SparseProjection):
    r"""Components of few columns each, learnt from batches of columns.

    .. math:: \min_{U,V} \tfrac12\|X_c - UV\|_F^2 + α\|V\|_1,\qquad \|u_k\| \le 1

    It is `MiniBatchDictionaryLearning` of the columns: faster and less exact than `SparsePCA`.

    Parameters
    ----------
    n_components : int in [1, inf), optional
        How many; None: as many as columns.
    alpha : float in [0, inf), default=1
        α: larger, sparser.
    ridge_alpha : float in [0, inf), default=0.01
        Penalty of the regression that `transform` is.
    max_iter : int in [0, inf), default=1000
        Passes over the columns at most.
    callback : callable, optional
        Called after every batch with a dict of what is known.
    batch_size : int in [1, inf), default=3
        Columns of a batch.
    verbose : int in [0, inf) or bool, default=False
        Whether the cost of every batch is printed.
    shuffle : bool, default=True
        Whether columns are shuffled first.
    n_jobs : int, optional
        Accepted for compatibility; threads are those of the core.
    method : {"lars", "cd"}, default="lars"
        Both are one solver here: entries to rounding, or to a duality gap of 1e-8.
    random_state : int, RandomState or None, default=None
        Of the start, the shuffle, and columns that replace scores no component uses.
    tol : float in [0, inf), default=1e-3
        Change of the scores, per component, that ends the passes; 0: none does.
    max_no_improvement : int in [0, inf) or None, default=10
        Batches without improvement of the smoothed cost that end the passes; None: none do.

    Attributes
    ----------
    components_ : array of shape (n_components, n_features)
        V, rows of length 1.
    mean_ : array of shape (n_features,)
    n_components_, n_iter_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> shared = rng.normal(size=(100, 1))
    >>> x = np.hstack([shared + 0.1 * rng.normal(size=(100, 3)), 0.3 * rng.normal(size=(100, 3))])
    >>> (MiniBatchSparsePCA(1, random_state=0).fit(x).components_ != 0).astype(int)
    array([[1, 1, 1, 0, 0, 0]])

    References
    ----------
    Mairal, Bach, Ponce & Sapiro (2009), Online dictionary learning for sparse coding, ICML.
    """

    def __init__(
        self,
        n_components: Count | None = None,
        *,
        alpha: Penalty = 1,
        ridge_alpha: Penalty = 0.01,
        max_iter: Annotated[int, Interval(0, inf)] = 1_000,
        callback: Callable[..., Any] | None = None,
        batch_size: Annotated[int, Interval(1, inf)] = 3,
        verbose: Verbosity = False,
        shuffle: bool = True,
        n_jobs: int | None = None,
        method: Annotated[str, Options("lars", "cd")] = "lars",
        random_state: RandomState = None,
        tol: Annotated[float, Interval(0, inf)] = 1e-3,
        max_no_improvement: Annotated[int, Interval(0, inf)] | None = 10,
    ) -> None:
        self.n_components = n_components
        self.alpha = alpha
        self.ridge_alpha = ridge_alpha
        self.max_iter = max_iter
        self.callback = callback
        self.batch_size = batch_size
        self.verbose = verbose
        self.shuffle = shuffle
        self.n_jobs = n_jobs
        self.method = method
        self.random_state = random_state
        self.tol = tol
        self.max_no_improvement = max_no_improvement

    def _learn(self, columns: Array, count: int, draws: Any) -> Array:
        model = MiniBatchDictionaryLearning(
            count,
            alpha=self.alpha,
            max_iter=self.max_iter,
            batch_size=self.batch_size,
            shuffle=self.shuffle,
            fit_algorithm=self.method,
            random_state=draws,
            transform_algorithm="lasso_" + self.method,
            transform_alpha=self.alpha,
            verbose=self.verbose,
            callback=self.callback,
            tol=self.tol,
            max_no_improvement=self.max_no_improvement,
        ).set_output(transform="default")
        model.fit(columns)
        self.n_iter_ = model.n_iter_
        return np.asarray(model.transform(columns)).T
