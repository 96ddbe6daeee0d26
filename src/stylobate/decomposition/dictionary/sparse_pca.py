"""Principal components with few non-zero entries."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base import Interval, Options, RandomState
from stylobate.decomposition.dictionary.alternation import Alternation
from stylobate.decomposition.dictionary.atoms import largest_signs
from stylobate.decomposition.dictionary.coding import CodingRequest
from stylobate.decomposition.dictionary.dictionary_learning import start_of
from stylobate.decomposition.dictionary.sparse_projection import SparseProjection
from stylobate.decomposition.dictionary.sparse_transform import Count, Penalty, Verbosity


class SparsePCA(SparseProjection):
    r"""Components of few columns each that reconstruct the centred rows.

    .. math:: \min_{U,V} \tfrac12\|X_c - UV\|_F^2 + α\|V\|_1,\qquad \|u_k\| \le 1

    It is `DictionaryLearning` of the columns: their codes are the entries of the components.

    Parameters
    ----------
    n_components : int in [1, inf), optional
        How many; None: as many as columns.
    alpha : float in [0, inf), default=1
        α: larger, sparser.
    ridge_alpha : float in [0, inf), default=0.01
        Penalty of the regression that `transform` is.
    max_iter : int in [0, inf), default=1000
        Turns at most.
    tol : float in [0, inf), default=1e-8
        The turns end when one lowers the objective by less than this share of it.
    method : {"lars", "cd"}, default="lars"
        Both are one solver here: entries to rounding, or to a duality gap of 1e-8.
    n_jobs : int, optional
        Accepted for compatibility; threads are those of the core.
    U_init, V_init : arrays of shapes (n, n_components), (n_components, n_features), optional
        Where to start; used if both are given.
    verbose : int in [0, inf) or bool, default=False
        Whether the objective of every turn is printed.
    random_state : int, RandomState or None, default=None
        Of the columns that replace scores no component uses.

    Attributes
    ----------
    components_ : array of shape (n_components, n_features)
        V, rows of length 1.
    error_ : list of float
        The objective after every turn.
    mean_ : array of shape (n_features,)
    certificate_ : DictionaryCertificate
        A bound of what other entries would gain, and how far scores would still move.
    n_components_, n_iter_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> shared = rng.normal(size=(100, 1))
    >>> x = np.hstack([shared + 0.1 * rng.normal(size=(100, 3)), 0.3 * rng.normal(size=(100, 3))])
    >>> (SparsePCA(1, random_state=0).fit(x).components_ != 0).astype(int)
    array([[1, 1, 1, 0, 0, 0]])

    References
    ----------
    Jenatton, Obozinski & Bach (2010), Structured sparse principal component analysis, AISTATS.
    """

    def __init__(
        self,
        n_components: Count | None = None,
        *,
        alpha: Penalty = 1,
        ridge_alpha: Penalty = 0.01,
        max_iter: Annotated[int, Interval(0, inf)] = 1000,
        tol: Annotated[float, Interval(0, inf)] = 1e-8,
        method: Annotated[str, Options("lars", "cd")] = "lars",
        n_jobs: int | None = None,
        U_init: np.ndarray | None = None,
        V_init: np.ndarray | None = None,
        verbose: Verbosity = False,
        random_state: RandomState = None,
    ) -> None:
        self.n_components = n_components
        self.alpha = alpha
        self.ridge_alpha = ridge_alpha
        self.max_iter = max_iter
        self.tol = tol
        self.method = method
        self.n_jobs = n_jobs
        self.U_init = U_init
        self.V_init = V_init
        self.verbose = verbose
        self.random_state = random_state

    def _learn(self, columns: Array, count: int, draws: Any) -> Array:
        scores = start_of(self, "U_init", columns.shape[1], axis=0)
        entries = start_of(self, "V_init", columns.shape[0], axis=1)
        learnt = Alternation(
            count,
            CodingRequest("lasso_" + self.method, float(self.alpha)),
            self.max_iter,
            self.tol,
            False,
            None if entries is None else entries.T,
            None if scores is None else scores.T,
            draws,
            None,
            int(self.verbose),
            type(self).__name__,
        ).run(columns)
        self.error_ = learnt.errors
        self.n_iter_ = learnt.turns
        self.certificate_ = learnt.certificate
        return (learnt.code * largest_signs(learnt.code)).T
