"""A dictionary learnt from small batches of rows."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import Interval, Options, RandomState
from stylobate.decomposition.dictionary.atoms import AtomUpdate, randomized_start, resized
from stylobate.decomposition.dictionary.batch_progress import BatchProgress
from stylobate.decomposition.dictionary.coding import (
    CodingRequest,
    packed,
    refuse_positive,
    sparse_codes,
)
from stylobate.decomposition.dictionary.dictionary_learning import start_of
from stylobate.decomposition.dictionary.sparse_transform import (
    Algorithm,
    Count,
    Penalty,
    SparseTransform,
    Verbosity,
)
from stylobate.parallel import blas_for
from stylobate.splits.splitter import generator


class MiniBatchDictionaryLearning(SparseTransform):
    r"""A dictionary of sparse codes, learnt batch by batch.

    .. math:: \min_{C,D} \tfrac12\|X - CD\|_F^2 + α\|C\|_1,\qquad \|d_k\| \le 1

    Each batch is coded, its products :math:`C^\top C` and :math:`C^\top X` are joined with fading
    ones of the batches before, and the atoms follow these.

    Parameters
    ----------
    n_components : int in [1, inf), optional
        Atoms; None: as many as features.
    alpha : float in [0, inf), default=1
        α.
    max_iter : int in [0, inf), default=1000
        Passes over the rows at most.
    fit_algorithm : {"lars", "cd"}, default="lars"
        Both are one solver here: codes to rounding, or to a duality gap of 1e-8.
    n_jobs : int, optional
        Accepted for compatibility; threads are those of the core.
    batch_size : int in [1, inf), default=256
        Rows of a batch.
    shuffle : bool, default=True
        Whether rows are shuffled first.
    dict_init : array of shape (n_components, n_features), optional
        Where to start; None: leading singular vectors.
    transform_algorithm : {"lasso_lars", "lasso_cd", "lars", "omp", "threshold"}, default="omp"
        How `transform` finds codes; see `sparse_encode`.
    transform_n_nonzero_coefs : int in [1, inf), optional
        Atoms of a code, of "lars" and "omp"; None: a tenth of the features.
    transform_alpha : float in [0, inf), optional
        Penalty or threshold of `transform`; None: alpha.
    verbose : int in [0, inf) or bool, default=False
        Whether the cost of every batch is printed.
    split_sign : bool, default=False
        Whether `transform` gives positive and negative parts columns of their own.
    random_state : int, RandomState or None, default=None
        Of the start, the shuffle, and rows that replace atoms no code uses.
    positive_code, positive_dict : bool, default=False
        Whether codes, or atoms, are kept non-negative.
    transform_max_iter : int in [0, inf), default=1000
        Epochs of a lasso at most.
    callback : callable, optional
        Called after every batch with a dict of what is known.
    tol : float in [0, inf), default=1e-3
        Change of the dictionary, per atom, that ends the passes; 0: none does.
    max_no_improvement : int in [0, inf) or None, default=10
        Batches without improvement of the smoothed cost that end the passes; None: none do.

    Attributes
    ----------
    components_ : array of shape (n_components, n_features)
        D.
    n_iter_ : float
        Passes over the rows.
    n_steps_ : int
        Batches.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.random.default_rng(0).laplace(size=(60, 3)) @ np.eye(3, 6)
    >>> model = MiniBatchDictionaryLearning(3, alpha=0.1, batch_size=20, random_state=0).fit(x)
    >>> model.components_.shape
    (3, 6)

    References
    ----------
    Mairal, Bach, Ponce & Sapiro (2009), Online dictionary learning for sparse coding, ICML.
    """

    _code_products: Array
    _row_products: Array
    _draws: Any

    def __init__(
        self,
        n_components: Count | None = None,
        *,
        alpha: Penalty = 1,
        max_iter: Annotated[int, Interval(0, inf)] = 1_000,
        fit_algorithm: Annotated[str, Options("lars", "cd")] = "lars",
        n_jobs: int | None = None,
        batch_size: Annotated[int, Interval(1, inf)] = 256,
        shuffle: bool = True,
        dict_init: np.ndarray | None = None,
        transform_algorithm: Algorithm = "omp",
        transform_n_nonzero_coefs: Count | None = None,
        transform_alpha: Penalty | None = None,
        verbose: Verbosity = False,
        split_sign: bool = False,
        random_state: RandomState = None,
        positive_code: bool = False,
        positive_dict: bool = False,
        transform_max_iter: Annotated[int, Interval(0, inf)] = 1000,
        callback: Callable[..., Any] | None = None,
        tol: Annotated[float, Interval(0, inf)] = 1e-3,
        max_no_improvement: Annotated[int, Interval(0, inf)] | None = 10,
    ) -> None:
        self.n_components = n_components
        self.alpha = alpha
        self.max_iter = max_iter
        self.fit_algorithm = fit_algorithm
        self.n_jobs = n_jobs
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.dict_init = dict_init
        self.transform_algorithm = transform_algorithm
        self.transform_n_nonzero_coefs = transform_n_nonzero_coefs
        self.transform_alpha = transform_alpha
        self.verbose = verbose
        self.split_sign = split_sign
        self.random_state = random_state
        self.positive_code = positive_code
        self.positive_dict = positive_dict
        self.transform_max_iter = transform_max_iter
        self.callback = callback
        self.tol = tol
        self.max_no_improvement = max_no_improvement

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the dictionary from batches of rows.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        table = self._read(X, reset=True)
        x = packed(table.x)
        dictionary = self._begin(x)
        if self.shuffle:
            x = x.copy()
            self._draws.shuffle(x)
        n = len(x)
        size = min(self.batch_size, n)
        per_pass = ceil(n / size)
        progress = BatchProgress(self.tol, self.max_no_improvement, n, bool(self.verbose))
        done = 0
        while done < self.max_iter * per_pass:
            first = done % per_pass * size
            rows, before = x[first : first + size], dictionary.copy()
            cost = self._step(rows, dictionary, done)
            done += 1
            change = float(np.linalg.norm(dictionary - before)) / len(dictionary)
            if progress.ended(cost, change, len(rows)):
                break
            if self.callback is not None:
                self.callback({"dictionary": dictionary, "batch_cost": cost, "step": done})
        self.n_steps_ = done
        self.n_iter_ = float(np.ceil(done / per_pass))
        self.components_ = dictionary.astype(table.x.dtype)
        return self

    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Learn from one more batch.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            The batch.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        fresh = not hasattr(self, "components_")
        table = self._read(X, reset=fresh)
        x = packed(table.x)
        if fresh:
            dictionary = self._begin(x)
            self.n_steps_ = 0
        else:
            dictionary = self.components_.astype(np.float64)
        self._step(x, dictionary, self.n_steps_)
        self.components_ = dictionary.astype(table.x.dtype)
        self.n_steps_ += 1
        return self

    def _begin(self, x: Array) -> Array:
        """The first dictionary; forgets earlier batches."""
        refuse_positive(self.fit_algorithm, self.positive_code)
        p = x.shape[1]
        count = p if self.n_components is None else self.n_components
        self._draws = generator(self.random_state)
        self._code_products = np.zeros((count, count))
        self._row_products = np.zeros((count, p))
        start = start_of(self, "dict_init", p, axis=1)
        return randomized_start(x, count, self._draws) if start is None else resized(start, count)

    def _step(self, rows: Array, dictionary: Array, step: int) -> float:
        """Code one batch and move the atoms; the mean cost before they moved."""
        request = CodingRequest(
            "lasso_" + self.fit_algorithm,
            float(self.alpha),
            max_iter=self.transform_max_iter,
            positive=self.positive_code,
        )
        code = sparse_codes(rows, dictionary, request, owner=type(self).__name__)
        with blas_for(len(dictionary)):
            return self._follow(rows, code, dictionary, step)

    def _follow(self, rows: Array, code: Array, dictionary: Array, step: int) -> float:
        size = len(rows)
        left = rows - code @ dictionary
        cost = (0.5 * float(np.vdot(left, left)) + self.alpha * float(np.abs(code).sum())) / size
        kept = _kept_share(size, step)
        self._code_products = kept * self._code_products + code.T @ code / size
        self._row_products = kept * self._row_products + code.T @ rows / size
        update = AtomUpdate(self._code_products, self._row_products, self.positive_dict)
        update.apply(dictionary, rows, code, self._draws)
        return cost


def _kept_share(size: int, step: int) -> float:
    """How much of the earlier batches' products is kept (Mairal et al., section 3.4.2)."""
    theta = (step + 1) * size if step < size - 1 else size**2 + step + 1 - size
    return (theta + 1 - size) / (theta + 1)
