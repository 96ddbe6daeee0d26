"""Classification by ridge regression on targets ±1."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np

from stylobate.base import Interval, Options, RandomState
from stylobate.base.study_role import StudyRole
from stylobate.linear_model.least_squares.request import RIDGE_SOLVERS, ROW_SOLVERS, LinearRequest
from stylobate.linear_model.shared.signed_targets import SignedTargets
from stylobate.statistics import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray


class RidgeClassifier(SignedTargets):
    r"""Ridge regression on targets ±1; the label is the sign, or the class with the largest value.

    .. math:: \min_{W, b} \; \sum_i \omega_i \|t_i - W x_i - b\|^2 + \alpha \|W\|^2

    with :math:`t_i = \pm 1` for two classes, and with more a vector with +1 for the row's class and
    −1 for the others. All classes share one pass over the rows and one factorisation, which makes
    it the fastest classifier here by far.

    Parameters
    ----------
    alpha : float in [0, inf), default=1.0
        Strength of the penalty.
    fit_intercept : bool, default=True
        Whether to fit b, which is not penalised.
    copy_X : bool, default=True
        For compatibility; X is never changed.
    max_iter : int in [1, inf) or None, default=None
        Limit of the iterative solvers.
    tol : float in [0, inf), default=1e-4
        Tolerance of the iterative solvers; the others are exact.
    class_weight : mapping, "balanced" or None, default=None
        Factors of the classes' weights.
    solver : {"auto", "cholesky", "qr", "svd", "lsqr", "sparse_cg", "gradient_descent", \
"active_set", "lbfgs", "sag", "saga"}, default="auto"
        As of `Ridge`.
    positive : bool, default=False
        Whether to keep the coefficients non-negative.
    random_state : int, RandomState or None, default=None
        Seed of "sag" and "saga".

    Attributes
    ----------
    coef_ : array of shape (n_features,) for two classes or (n_classes, n_features)
        Weights.
    intercept_ : array of shape (1,) or (n_classes,), or 0.0
        Intercepts.
    classes_ : array of shape (n_classes,)
        Labels; their numbers where rows have several.
    multilabel_ : bool
        Whether rows have several labels, each with a regression of its own.
    solver_, solver_reason_, certificate_, trace_, n_iter_
        As of `Ridge`.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> X = [[-1.0, 0.0], [-2.0, 1.0], [1.0, 0.5], [2.0, -1.0]]
    >>> model = RidgeClassifier(alpha=0.1).fit(X, ["no", "no", "yes", "yes"])
    >>> model.predict([[3.0, 0.0], [-3.0, 0.0]])
    array(['yes', 'no'], dtype='<U3')
    >>> model.certificate_.optimal
    True

    References
    ----------
    Hastie, Tibshirani & Friedman (2009), The Elements of Statistical Learning, section 4.2.
    """

    _study_role = StudyRole(
        "ridge",
        "Ridge classifier",
        10,
        space={"alpha": (1.0, 0.1, 10.0, 100.0, 1000.0)},
        sparse=True,
    )

    def __init__(
        self,
        alpha: Annotated[float, Interval(0, inf)] = 1.0,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        max_iter: Annotated[int, Interval(1, inf)] | None = None,
        tol: Annotated[float, Interval(0, inf)] = 1e-4,
        class_weight: Annotated[str, Options("balanced")] | dict[Any, float] | None = None,
        solver: Annotated[str, Options(*RIDGE_SOLVERS)] = "auto",
        positive: bool = False,
        random_state: RandomState = None,
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.class_weight = class_weight
        self.solver = solver
        self.positive = positive
        self.random_state = random_state

    @property
    def _needs_rows(self) -> bool:
        return self.solver in ROW_SOLVERS

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit to rows in memory.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,), or of zeros and ones of shape (n, n_labels)
            Labels; with several columns the labels each row has.
        sample_weight : array-like of shape (n,) or float, optional
            Non-negative weights; a row of weight 0 is no row.

        Returns
        -------
        self
        """
        return self._fit_labels(X, y, sample_weight)

    def _learn(self, source: Source) -> None:
        from stylobate.linear_model.least_squares.solution import solve

        request = LinearRequest(
            owner=type(self).__name__,
            alpha=self.alpha,
            intercept=self.fit_intercept,
            solver=self.solver,
            positive=self.positive,
            tol=self.tol,
            max_iter=self.max_iter,
            random_state=self.random_state,
        )
        solved = solve(source, request)
        solution = solved.solution
        coef = np.ascontiguousarray(solution.coef.T)
        self.coef_: NDArray[np.float64] = coef[0] if len(coef) == 1 else coef
        self.intercept_: Any = solved.intercept if self.fit_intercept else 0.0
        self.solver_, self.solver_reason_ = solved.solver, solved.reason
        self.certificate_, self.trace_ = solution.certificate, solution.trace
        self.n_iter_ = max(solution.iterations, 1)  # a direct solution is one step
        if not solution.converged:
            self._warn_not_converged(self.tol)
