"""Ridge regression."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any

import numpy as np

from stylobate.base import Interval, Numbers, Options, RandomState
from stylobate.base.study_role import StudyRole
from stylobate.linear_model.least_squares.fold_moments import FoldsFromMoments
from stylobate.linear_model.least_squares.request import RIDGE_SOLVERS, LinearRequest
from stylobate.statistics import Source


class Ridge(FoldsFromMoments):
    r"""Linear least squares with an ℓ2 penalty.

    .. math:: \min_{w, b} \; \sum_i \omega_i\,(y_i - x_i^\top w - b)^2 + \alpha \|w\|^2

    The intercept is not penalised. One pass over the rows collects their moments; with more columns
    than rows the same is done in the space of the rows.

    Parameters
    ----------
    alpha : float in [0, inf) or array of shape (n_targets,), default=1.0
        Strength of the penalty.
    fit_intercept : bool, default=True
        Whether to fit b.
    copy_X : bool, default=True
        For compatibility; X is never changed.
    max_iter : int in [1, inf) or None, default=None
        Limit of the iterative solvers.
    tol : float in [0, inf), default=1e-4
        Tolerance of the iterative solvers; the others are exact.
    solver : {"auto", "cholesky", "qr", "svd", "lsqr", "sparse_cg", "gradient_descent", \
"active_set", "lbfgs", "sag", "saga"}, default="auto"
        See `LinearRegression`; "sag" and "saga" take random rows one by one. "auto" chooses by
        shape and condition.
    positive : bool, default=False
        Whether to keep the coefficients non-negative.
    random_state : int, RandomState or None, default=None
        Seed of "sag" and "saga"; no other solver is random.

    Attributes
    ----------
    coef_, intercept_
        As of `LinearRegression`.
    solver_, solver_reason_, certificate_, trace_, n_iter_, statistic_
        As of `LinearRegression`.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.array([[0.0], [1.0], [2.0]]), np.array([0.0, 1.0, 2.0])
    >>> Ridge(alpha=2.0).fit(X, y).coef_
    array([0.5])

    References
    ----------
    Hoerl & Kennard (1970), Ridge regression: biased estimation for nonorthogonal problems,
    Technometrics 12.
    """

    _study_role = StudyRole(
        "ridge",
        "Ridge regression",
        11,
        space={"alpha": (1.0, 0.1, 10.0, 100.0, 1000.0)},
        sparse=True,
    )

    _flat_single_target = True

    def __init__(
        self,
        alpha: Annotated[float, Interval(0, inf)] | Annotated[Any, Numbers(0, inf)] = 1.0,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        max_iter: Annotated[int, Interval(1, inf)] | None = None,
        tol: Annotated[float, Interval(0, inf)] = 1e-4,
        solver: Annotated[str, Options(*RIDGE_SOLVERS)] = "auto",
        positive: bool = False,
        random_state: RandomState = None,
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.solver = solver
        self.positive = positive
        self.random_state = random_state

    def _request(self) -> LinearRequest:
        return LinearRequest(
            owner=type(self).__name__,
            alpha=self.alpha if np.ndim(self.alpha) == 0 else np.asarray(self.alpha, dtype=float),
            intercept=self.fit_intercept,
            solver=self.solver,
            positive=self.positive,
            tol=self.tol,
            max_iter=self.max_iter,
            random_state=self.random_state,
        )

    def _learn(self, source: Source) -> None:
        from stylobate.linear_model.least_squares.solution import solve

        request = self._request()
        self._store(solve(source, request), source, request)
