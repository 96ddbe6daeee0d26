"""A dictionary in which the rows have sparse codes."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.base import Interval, Options, RandomState
from stylobate.data import Table
from stylobate.decomposition.dictionary.alternation import Alternation, LearntDictionary
from stylobate.decomposition.dictionary.coding import CodingRequest, packed, refuse_positive
from stylobate.decomposition.dictionary.sparse_transform import (
    Algorithm,
    Count,
    Penalty,
    SparseTransform,
    Verbosity,
)
from stylobate.exceptions import InvalidDataError
from stylobate.splits.splitter import generator


class DictionaryLearning(SparseTransform):
    r"""Atoms of which every row is a sum of few.

    .. math:: \min_{C,D} \tfrac12\|X - CD\|_F^2 + α\|C\|_1,\qquad \|d_k\| \le 1

    By turns: the codes are lassos on the Gram of the atoms, all rows at once; then each atom goes
    to its best place.

    Parameters
    ----------
    n_components : int in [1, inf), optional
        Atoms; None: as many as features.
    alpha : float in [0, inf), default=1
        α.
    max_iter : int in [0, inf), default=1000
        Turns at most.
    tol : float in [0, inf), default=1e-8
        The turns end when one lowers the objective by less than this share of it.
    fit_algorithm : {"lars", "cd"}, default="lars"
        Both are one solver here: codes to rounding, or to a duality gap of 1e-8.
    transform_algorithm : {"lasso_lars", "lasso_cd", "lars", "omp", "threshold"}, default="omp"
        How `transform` finds codes; see `sparse_encode`.
    transform_n_nonzero_coefs : int in [1, inf), optional
        Atoms of a code, of "lars" and "omp"; None: a tenth of the features.
    transform_alpha : float in [0, inf), optional
        Penalty or threshold of `transform`; None: alpha.
    n_jobs : int, optional
        Accepted for compatibility; threads are those of the core.
    code_init, dict_init : arrays of shapes (n, n_components), (n_components, n_features), optional
        Where to start; used if both are given.
    callback : callable, optional
        Called every five turns with a dict of code, dictionary and errors.
    verbose : int in [0, inf) or bool, default=False
        Whether the objective of every turn is printed.
    split_sign : bool, default=False
        Whether `transform` gives positive and negative parts columns of their own.
    random_state : int, RandomState or None, default=None
        Of the rows that replace atoms no code uses.
    positive_code, positive_dict : bool, default=False
        Whether codes, or atoms, are kept non-negative.
    transform_max_iter : int in [0, inf), default=1000
        Epochs of a lasso at most.

    Attributes
    ----------
    components_ : array of shape (n_components, n_features)
        D.
    error_ : list of float
        The objective after every turn.
    n_iter_ : int
        Turns.
    certificate_ : DictionaryCertificate
        A bound of what better codes would gain, and how far atoms would still move.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x = rng.laplace(size=(60, 3)) @ np.eye(3, 6)
    >>> model = DictionaryLearning(3, alpha=0.1, random_state=0).fit(x)
    >>> bool(model.error_[-1] <= model.error_[0])
    True

    References
    ----------
    Mairal, Bach, Ponce & Sapiro (2009), Online dictionary learning for sparse coding, ICML.
    """

    def __init__(
        self,
        n_components: Count | None = None,
        *,
        alpha: Penalty = 1,
        max_iter: Annotated[int, Interval(0, inf)] = 1000,
        tol: Annotated[float, Interval(0, inf)] = 1e-8,
        fit_algorithm: Annotated[str, Options("lars", "cd")] = "lars",
        transform_algorithm: Algorithm = "omp",
        transform_n_nonzero_coefs: Count | None = None,
        transform_alpha: Penalty | None = None,
        n_jobs: int | None = None,
        code_init: np.ndarray | None = None,
        dict_init: np.ndarray | None = None,
        callback: Callable[..., Any] | None = None,
        verbose: Verbosity = False,
        split_sign: bool = False,
        random_state: RandomState = None,
        positive_code: bool = False,
        positive_dict: bool = False,
        transform_max_iter: Annotated[int, Interval(0, inf)] = 1000,
    ) -> None:
        self.n_components = n_components
        self.alpha = alpha
        self.max_iter = max_iter
        self.tol = tol
        self.fit_algorithm = fit_algorithm
        self.transform_algorithm = transform_algorithm
        self.transform_n_nonzero_coefs = transform_n_nonzero_coefs
        self.transform_alpha = transform_alpha
        self.n_jobs = n_jobs
        self.code_init = code_init
        self.dict_init = dict_init
        self.callback = callback
        self.verbose = verbose
        self.split_sign = split_sign
        self.random_state = random_state
        self.positive_code = positive_code
        self.positive_dict = positive_dict
        self.transform_max_iter = transform_max_iter

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the dictionary.

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
        self._learn(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Learn the dictionary and return the codes of the last turn.

        Parameters
        ----------
        X, y
            As for `fit`.

        Returns
        -------
        array or frame of shape (n, n_components)
        """
        learnt, table = self._learn(X)
        code = learnt.code.astype(table.x.dtype)
        if self.split_sign:
            code = np.hstack([np.maximum(code, 0.0), np.maximum(-code, 0.0)])
        return self._wrap(code, table)

    def _learn(self, X: Any) -> tuple[LearntDictionary, Table]:
        self._check_parameters()
        refuse_positive(self.fit_algorithm, self.positive_code)
        table = self._read(X, reset=True)
        count = table.n_features if self.n_components is None else self.n_components
        learnt = Alternation(
            count,
            CodingRequest(
                "lasso_" + self.fit_algorithm,
                float(self.alpha),
                max_iter=self.transform_max_iter,
                positive=self.positive_code,
            ),
            self.max_iter,
            self.tol,
            self.positive_dict,
            start_of(self, "code_init", table.n_rows, axis=0),
            start_of(self, "dict_init", table.n_features, axis=1),
            generator(self.random_state),
            self.callback,
            int(self.verbose),
            type(self).__name__,
        ).run(packed(table.x))
        self.components_ = learnt.dictionary.astype(table.x.dtype)
        self.error_ = learnt.errors
        self.n_iter_ = learnt.turns
        self.certificate_ = learnt.certificate
        return learnt, table


def start_of(model: Any, name: str, length: int, *, axis: int) -> Any:
    """A matrix to start from, which must fit the rows."""
    value = getattr(model, name)
    if value is None:
        return None
    array = np.asarray(value)
    if array.ndim != 2 or array.shape[axis] != length or not np.isfinite(array).all():
        wanted = f"{length} {'rows' if axis == 0 else 'columns'}"
        raise InvalidDataError(
            f"{type(model).__name__}: {name} must be a finite matrix of {wanted}, got one of "
            f"shape {array.shape}."
        )
    return array
