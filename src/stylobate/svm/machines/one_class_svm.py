"""Novelty by a support vector machine of one class."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from stylobate.arrays import Array, Integers
from stylobate.base import Tags
from stylobate.svm.duals.dual import DualProblem
from stylobate.svm.duals.problems import one_class_dual
from stylobate.svm.machines import parameters as p
from stylobate.svm.machines.single import SingleMachine


class OneClassSVM(SingleMachine):
    r"""The region most rows lie in, as a half space in the feature space of a kernel.

    .. math:: \min_{w, ρ}\; \tfrac12\|w\|^2 - ν n ρ + \sum_i \max(0,\, ρ - w^Tφ(x_i))

    Rows with :math:`w^Tφ(x) < ρ` are outliers.

    Parameters
    ----------
    kernel : {"linear", "poly", "rbf", "sigmoid", "precomputed"}, Kernel or callable, default="rbf"
        A name, a value of `stylobate.kernels`, or a function of two tables that gives the matrix of
        all pairs.
    degree : int in [0, inf), default=3
        Of "poly".
    gamma : {"scale", "auto"} or float in [0, inf), default="scale"
        Of "rbf", "poly" and "sigmoid"; "scale": 1/(n_features · variance of X), "auto":
        1/n_features.
    coef0 : float, default=0.0
        Of "poly" and "sigmoid".
    tol : float in (0, inf), default=1e-3
        Worst violation of the optimality conditions, in units of the decision function.
    nu : float in (0, 1], default=0.5
        ν: at most this share of the rows is called outliers, at least this share are support
        vectors.
    shrinking : bool, default=True
        Accepted for compatibility; it never changes the answer.
    cache_size : float in (0, inf), default=200
        Memory for rows of the kernel, in MB; also for the factor that proves a given matrix of more
        than 2,000 rows semidefinite (200 are enough for 5,000 rows, or any number at a low rank).
    verbose : bool or int in [0, inf), default=False
        Whether to print a line for each problem.
    max_iter : int in [-1, inf), default=-1
        Most steps of the solver; -1: no limit.
    solver : {"auto", "newton", "block", "smo"}, default="auto"
        "newton": active sets with Newton steps; "block": descent in blocks of coefficients; "smo":
        in pairs of them, the textbook's method. All give the same answer.

    Attributes
    ----------
    offset_ : array of shape (1,)
        ρ: decisions are `score_samples` less it.
    support_ : array of int32
        Numbers of the support vectors among the rows.
    support_vectors_ : array or csr_array of shape (n_SV, n_features)
        The support vectors; empty for a precomputed kernel or a function.
    n_support_ : array of int32
        How many.
    dual_coef_ : array or csr_array of shape (1, n_SV)
        Coefficients of the support vectors.
    intercept_ : array of shape (1,)
        b.
    coef_ : array of shape (1, n_features)
        w, for a linear kernel; read-only.
    certificate_ : Certificate
        Primal, dual, their gap and the worst violation of a condition.
    fit_status_ : int
        0, or 1 if the solver stopped early.
    n_iter_ : int
        Steps of the solver.
    shape_fit_ : tuple of int
        Shape of X.
    solver_reason_ : str
        Which solver was used, and why.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    References
    ----------
    Schölkopf, Platt, Shawe-Taylor, Smola & Williamson (2001), Estimating the support of a
    high-dimensional distribution, Neural Computation 13.

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [0.3], [0.4], [5.0]]
    >>> model = OneClassSVM(nu=0.3, gamma=1.0).fit(X)
    >>> model.predict([[0.2], [3.0]])
    array([ 1, -1])
    >>> bool(model.score_samples([[0.2]]) > model.offset_)
    True
    """

    _objective = "½‖w‖² − ν Σw ρ + Σ w max(0, ρ − f)"
    _problem = "one class"

    def __init__(
        self,
        *,
        kernel: p.KernelChoice = "rbf",
        degree: p.Degree = 3,
        gamma: p.Gamma = "scale",
        coef0: p.Coef0 = 0.0,
        tol: p.Tolerance = 1e-3,
        nu: p.Nu = 0.5,
        shrinking: bool = True,
        cache_size: p.CacheSize = 200,
        verbose: p.Verbose = False,
        max_iter: p.MaxIter = -1,
        solver: p.Solver = "auto",
    ) -> None:
        self.nu = nu
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.shrinking = shrinking
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter
        self.solver = solver

    def _tags(self) -> Tags:
        return super()._tags().but(estimator_type="outlier_detector")

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the region.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; for ``kernel="precomputed"`` the kernel matrix (n, n); for a function, whatever it
            takes.
        y : ignored
            For compatibility.
        sample_weight : array-like of shape (n,), default=None
            How much each row counts; rows whose weight is not positive are left out.

        Returns
        -------
        self
        """
        self._check_parameters()
        points = self._points_of_fit(X)
        n = self.shape_fit_[0]
        self._learn(points, self._weights_of(sample_weight, n), np.zeros(n))
        self.offset_ = -self.intercept_
        return self

    def _dual(self, target: Array, weights: Array) -> DualProblem:
        return one_class_dual(weights, self.nu)

    def fit_predict(self, X: Any, y: Any = None, **fit_params: Any) -> Integers:
        """Fit, and say of each row of the fit whether it is an outlier.

        Parameters
        ----------
        X, y
            As for `fit`.
        **fit_params : object
            More arguments for `fit`, such as ``sample_weight``.

        Returns
        -------
        array of shape (n,)
            -1 for outliers, 1 for the others.
        """
        return self.fit(X, **fit_params).predict(X)

    def decision_function(self, X: Any) -> Array:
        """`score_samples` - `offset_`: negative for outliers.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; for ``kernel="precomputed"`` their kernel with the points of the fit.

        Returns
        -------
        array of shape (n,)
        """
        return np.ascontiguousarray(self._sums(X)[:, 0])

    def score_samples(self, X: Any) -> Array:
        """Sums of kernels with the support vectors, without the offset.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        return np.asarray(self.decision_function(X) + self.offset_)

    def predict(self, X: Any) -> Integers:
        """Say of each row whether it is an outlier.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
            -1 for outliers, 1 for the others.
        """
        return np.where(self.decision_function(X) > 0.0, 1, -1)
