"""The elastic net."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.base import HasMethods, Interval, Options, RandomState
from stylobate.base.study_role import StudyRole
from stylobate.data import Table
from stylobate.linear_model.lasso.gram_argument import Gram, check_gram
from stylobate.linear_model.lasso.path import enet_path
from stylobate.linear_model.lasso.sparse_regressor import SOLVERS, SparseLinearRegressor
from stylobate.optimize.elastic_net import FEWEST_ROWS, choose
from stylobate.statistics import Moments, Recipe, Source


class ElasticNet(SparseLinearRegressor):
    r"""Least squares with a mixture of ℓ1 and ℓ2 penalties: selects columns and shrinks the rest.

    .. math:: \min_{w, b} \; \frac{1}{2n} \sum_i \omega_i (y_i - x_i^\top w - b)^2
              + \alpha \rho \|w\|_1 + \frac{\alpha (1 - \rho)}{2} \|w\|^2,
              \quad n = \sum_i \omega_i

    With many more rows than columns one pass collects the moments and everything follows from them
    (also from batches: `partial_fit`, `fit_batches`); otherwise coordinate descent works on a small
    set of columns, checked against all others by a reading of X per round. Several targets are
    fitted each for itself.

    Parameters
    ----------
    alpha : float in [0, inf), default=1.0
        Strength of the penalty; 0 is least squares.
    l1_ratio : float in [0, 1], default=0.5
        ρ: 1 is the lasso, 0 ridge regression.
    fit_intercept : bool, default=True
        Whether to fit b, which is not penalised.
    precompute : bool or array of shape (n_features, n_features), default=False
        True, or a Gram matrix, asks for the solver "gram"; the Gram itself is always our own.
    max_iter : int in [1, inf), default=1000
        Epochs at most.
    copy_X : bool, default=True
        For compatibility; X is never changed.
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
    coef_ : array of shape (n_features,) or (n_targets, n_features)
        Coefficients w.
    sparse_coef_ : sparse array of shape (1, n_features) or (n_targets, n_features)
        The same, without the zeros.
    intercept_ : float or array of shape (n_targets,)
        b.
    dual_gap_ : float or array of shape (n_targets,)
        How far the objective can be above its minimum, from a feasible dual point.
    n_iter_ : int or list of int
        Epochs.
    certificate_, trace_, solver_, solver_reason_, statistic_
        As of `LinearRegression`.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.array([[0.0], [1.0], [2.0]]), np.array([0.0, 1.0, 2.0])
    >>> ElasticNet(alpha=0.5).fit(X, y).coef_
    array([0.45454545])

    References
    ----------
    Zou & Hastie (2005), Regularization and variable selection via the elastic net, J. Royal
    Statistical Society B 67.
    """

    _study_role = StudyRole(
        "elastic_net",
        "Elastic net",
        13,
        space={"alpha": (0.01, 0.001, 0.1), "l1_ratio": (0.5, 0.1, 0.9)},
        target_units=("alpha",),
    )

    path = staticmethod(enet_path)

    def __init__(
        self,
        alpha: Annotated[float, Interval(0, inf)] = 1.0,
        *,
        l1_ratio: Annotated[float, Interval(0, 1, closed="both")] = 0.5,
        fit_intercept: bool = True,
        precompute: Gram = False,
        max_iter: Annotated[int, Interval(1, inf)] = 1000,
        copy_X: bool = True,
        tol: Annotated[float, Interval(0, inf)] = 1e-4,
        warm_start: bool = False,
        positive: bool = False,
        random_state: RandomState = None,
        selection: Annotated[str, Options("cyclic", "random")] = "cyclic",
        solver: Annotated[str, Options(*SOLVERS)] = "auto",
        penalty_factor: Annotated[Any, HasMethods("__len__")] | None = None,
    ) -> None:
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.max_iter = max_iter
        self.copy_X = copy_X
        self.tol = tol
        self.warm_start = warm_start
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
        self.solver = solver
        self.penalty_factor = penalty_factor

    def fit(
        self, X: Any, y: Any = None, sample_weight: Any = None, check_input: bool = True
    ) -> Self:
        """Fit to rows in memory.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows of numbers.
        y : array-like of shape (n,) or (n, n_targets)
            Targets.
        sample_weight : array-like of shape (n,) or float, optional
            Non-negative weights; a row of weight 0 is no row.
        check_input : bool, default=True
            For compatibility; input is always checked.

        Returns
        -------
        self
        """
        return super().fit(X, y, sample_weight)._forget_start()

    def _learn(self, source: Source) -> None:
        if source.capabilities.rows_in_memory:
            check_gram(self.precompute, source.rows().n_features, type(self).__name__)
        self._fit_at(source, float(self.alpha), float(getattr(self, "l1_ratio", 1.0)))

    # --- cross-validation -------------------------------------------------------------------------

    @classmethod
    def _fitted_together(cls, models: Sequence[Self], table: Table) -> list[Self] | None:
        from stylobate.linear_model.lasso.shared_path import fitted_on_path

        for model in models:
            model._check_parameters()
        return fitted_on_path(models, table)

    def _part_recipe(self, table: Table) -> Recipe[Any] | None:
        selects = self.alpha > 0 and getattr(self, "l1_ratio", 1.0) > 0
        given = isinstance(self.precompute, np.ndarray) or self.penalty_factor is not None
        gram = self.solver == "gram" or (self.solver == "auto" and choose(table)[0] == "gram")
        return Moments if selects and gram and not given else None

    def _learnt_from(self, statistic: Any, table: Table) -> Self | None:
        if self.solver == "auto" and statistic.n_rows < FEWEST_ROWS * table.n_features:
            return None  # a fit to so few rows works on the rows
        twin = super()._learnt_from(statistic, table)
        nearly_perfect = twin is None or twin._residual_sums(statistic) is None
        return None if nearly_perfect else twin
