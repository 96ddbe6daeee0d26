"""Ordinary least squares."""

from __future__ import annotations

from math import inf
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from stylobate.base import Interval, Options
from stylobate.base.study_role import StudyRole
from stylobate.interrupts import interruptible
from stylobate.linear_model.least_squares.fold_moments import FoldsFromMoments
from stylobate.linear_model.least_squares.request import SOLVERS, LinearRequest
from stylobate.statistics import Source


class LinearRegression(FoldsFromMoments):
    r"""Ordinary least squares, with inference and a certificate.

    .. math:: \min_{w, b} \; \sum_i \omega_i\,(y_i - x_i^\top w - b)^2

    One pass over the rows collects their moments and a small system gives the coefficients. When
    the columns are so nearly dependent that the moments would lose digits, the rows are read again
    and solved by orthogonal reflections (QR), in 32-digit arithmetic if that takes milliseconds.
    Dependent columns give the solution of least norm; `aliased_` names them. The objective in the
    certificate is that of the rows with the coefficients as they are stored, and no coefficients
    are returned that predict the rows worse than their mean.

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether to fit b; without it the data are expected to be centred.
    copy_X : bool, default=True
        For compatibility; X is never changed.
    tol : float in [0, inf), default=1e-6
        Tolerance of the iterative solvers ("lsqr", "sparse_cg", "gradient_descent", "lbfgs"). Of
        the others, where columns are dependent and their singular values fade into rounding
        without a gap: the share of the largest below which a direction is left out.
    n_jobs : int or None, default=None
        For compatibility; see `stylobate.set_threads`.
    positive : bool, default=False
        Whether to keep the coefficients non-negative.
    solver : {"auto", "cholesky", "qr", "svd", "lsqr", "sparse_cg", "gradient_descent", \
"active_set", "lbfgs"}, default="auto"
        "cholesky" on the moments, "qr" and "svd" on the rows, "lsqr" and "sparse_cg" (conjugate
        gradients) for wide sparse data, "gradient_descent" to watch it converge; "active_set" and
        "lbfgs" for ``positive=True``. "auto" chooses by shape and condition; `solver_reason_` says
        why.
    max_iter : int in [1, inf) or None, default=None
        Limit of the iterative solvers.

    Attributes
    ----------
    coef_ : array of shape (n_features,) or (n_targets, n_features)
        Coefficients w.
    intercept_ : float or array of shape (n_targets,)
        Intercept b.
    rank_ : int
        Rank of the (centred) columns: how many directions the coefficients use. Solvers that do
        not decide it ("lsqr", "sparse_cg", "active_set", "lbfgs") say what it is at most.
    singular_ : array of shape (min(n, n_features),)
        Their singular values.
    aliased_ : list
        Names (or indices) of columns that are combinations of earlier ones (empty with fewer rows
        than columns, where that is true of nearly all).
    solver_, solver_reason_ : str
        The method used, and why.
    certificate_ : Certificate
        How close to optimal the answer is.
    trace_ : Trace or None
        The course of an iterative solver.
    n_iter_ : int
        Its iterations; 1 for a direct solution.
    statistic_ : Moments
        What was learnt from the rows, where the solver uses moments.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 1.0], [1.0, 2.0], [2.0, 2.0], [2.0, 3.0]])
    >>> y = X @ [1.0, 2.0] + 3.0
    >>> model = LinearRegression().fit(X, y)
    >>> model.coef_.round(9), round(float(model.intercept_), 9)
    (array([1., 2.]), 3.0)
    >>> model.predict([[3.0, 5.0]]).round(9)
    array([16.])
    >>> model.certificate_.optimal
    True

    References
    ----------
    Björck (1996), Numerical Methods for Least Squares Problems, SIAM.
    """

    _study_role = StudyRole("linear", "Linear regression", 10)

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        tol: Annotated[float, Interval(0, inf)] = 1e-6,
        n_jobs: int | None = None,
        positive: bool = False,
        solver: Annotated[str, Options(*SOLVERS)] = "auto",
        max_iter: Annotated[int, Interval(1, inf)] | None = None,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.tol = tol
        self.n_jobs = n_jobs
        self.positive = positive
        self.solver = solver
        self.max_iter = max_iter

    def _request(self) -> LinearRequest:
        return LinearRequest(
            owner=type(self).__name__,
            intercept=self.fit_intercept,
            solver=self.solver,
            positive=self.positive,
            tol=self.tol,
            max_iter=self.max_iter,
            cutoff=self.tol,
        )

    def _learn(self, source: Source) -> None:
        from stylobate.linear_model.least_squares.solution import solve

        request = self._request()
        solved = solve(source, request)
        self._store(solved, source, request)
        self.rank_ = solved.solution.rank
        names = getattr(self, "feature_names_in_", None)
        aliased = self._facts.aliased if self.rank_ < self.n_features_in_ else ()
        self.aliased_ = [int(j) if names is None else str(names[j]) for j in aliased]

    @property
    def singular_(self) -> NDArray[np.float64]:
        """Singular values of the (centred) columns, largest first."""
        facts = vars(self).get("_facts")
        if facts is None or facts.root is None:
            raise AttributeError(
                f"{type(self).__name__} has no singular_: it is not fitted, or the solver kept no "
                "second moments of the columns"
            )
        root = facts.root[0][1:, 1:] if facts.intercept else facts.root[0]
        return np.asarray(interruptible(np.linalg.svd, root, compute_uv=False))
