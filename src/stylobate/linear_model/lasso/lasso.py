"""The lasso."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any

from stylobate.base import HasMethods, Interval, Options, RandomState
from stylobate.base.study_role import StudyRole
from stylobate.linear_model.lasso.elastic_net import ElasticNet
from stylobate.linear_model.lasso.gram_argument import Gram
from stylobate.linear_model.lasso.path import lasso_path
from stylobate.linear_model.lasso.sparse_regressor import SOLVERS


class Lasso(ElasticNet):
    r"""Least squares with an ℓ1 penalty: most coefficients become exactly zero.

    .. math:: \min_{w, b} \; \frac{1}{2n} \sum_i \omega_i (y_i - x_i^\top w - b)^2
              + \alpha \|w\|_1, \quad n = \sum_i \omega_i

    See `ElasticNet`, of which this is the case ρ = 1, for how it is solved.

    Parameters
    ----------
    alpha : float in [0, inf), default=1.0
        Strength of the penalty; 0 is least squares.
    fit_intercept : bool, default=True
        Whether to fit b, which is not penalised.
    precompute : bool or array of shape (n_features, n_features), default=False
        True, or a Gram matrix, asks for the solver "gram"; the Gram itself is always our own.
    copy_X : bool, default=True
        For compatibility; X is never changed.
    max_iter : int in [1, inf), default=1000
        Epochs at most.
    tol : float in [0, inf), default=1e-4
        Relative duality gap asked for; the solver chosen by "auto" goes down to 1e-7.
    warm_start : bool, default=False
        Whether `fit` starts from the coefficients of the fit before.
    positive : bool, default=False
        Whether to keep the coefficients non-negative.
    random_state : int, RandomState or None, default=None
        Seed for ``selection="random"``.
    selection : {"cyclic", "random"}, default="cyclic"
        Order of the coordinates.
    solver : {"auto", "coordinate_descent", "gram", "ista", "fista", "subgradient", "projected", \
"qp"}, default="auto"
        On the rows, or on their Gram. "auto" chooses by shape.
    penalty_factor : array-like of shape (n_features,) of numbers in [0, inf], optional
        Factors of the penalty, one for each column: 0 leaves a column unpenalised, infinity leaves
        it out. Taken as given (glmnet divides them by their mean); needs the rows in memory.

    Attributes
    ----------
    coef_, sparse_coef_, intercept_, dual_gap_, n_iter_
        As of `ElasticNet`.
    certificate_, trace_, solver_, solver_reason_, statistic_
        As of `LinearRegression`.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0]])
    >>> model = Lasso(alpha=0.5).fit(X, [0.0, 1.0, 2.0, 3.0])
    >>> model.coef_, float(round(model.intercept_, 12))
    (array([0.6, 0. ]), 0.6)
    >>> model.certificate_.optimal
    True

    References
    ----------
    Tibshirani (1996), Regression shrinkage and selection via the lasso, J. Royal Statistical
    Society B 58.
    """

    _study_role = StudyRole(
        "lasso",
        "Lasso",
        12,
        space={"alpha": (0.01, 0.001, 0.003, 0.03, 0.1)},
        target_units=("alpha",),
    )

    path = staticmethod(lasso_path)

    def __init__(
        self,
        alpha: Annotated[float, Interval(0, inf)] = 1.0,
        *,
        fit_intercept: bool = True,
        precompute: Gram = False,
        copy_X: bool = True,
        max_iter: Annotated[int, Interval(1, inf)] = 1000,
        tol: Annotated[float, Interval(0, inf)] = 1e-4,
        warm_start: bool = False,
        positive: bool = False,
        random_state: RandomState = None,
        selection: Annotated[str, Options("cyclic", "random")] = "cyclic",
        solver: Annotated[str, Options(*SOLVERS)] = "auto",
        penalty_factor: Annotated[Any, HasMethods("__len__")] | None = None,
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
        self.solver = solver
        self.penalty_factor = penalty_factor
