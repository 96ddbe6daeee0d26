"""The lasso and the elastic net of several targets that choose their columns together."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Annotated, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base import Interval, Options, RandomState, Tags
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError
from stylobate.linear_model.lasso.sparse_regressor import SparseLinearRegressor, readable
from stylobate.optimize import elastic_net as en
from stylobate.statistics import Moments, Source, rows_at_hand

_EXACT = 1e-12  # relative gap gone down to: extrapolated sweeps get there soon after any other


class SharedColumns(SparseLinearRegressor):
    """Several targets; a column is used by all of them or by none."""

    positive = False
    _alone: str  # the estimator for a single target

    def _tags(self) -> Tags:
        return super()._tags().but(single_output=False, multi_output=True)

    def _read(self, X: Any, y: Any = None, *args: Any, **options: Any) -> Table:
        table = super()._read(X, y, *args, **options)
        if y is not None and table.y_is_vector:
            raise InvalidDataError(
                f"{type(self).__name__}: For mono-task outputs, use {self._alone}: y has one "
                "dimension, and should have one column per target."
            )
        return table

    def _fit_at(
        self, source: Source, alpha: float, l1_ratio: float, moments: Moments | None = None
    ) -> None:
        """Solve at one penalty and store the answer."""
        from stylobate.optimize.multi_task import OBJECTIVE, JointProblem, solve_multi_task

        if alpha == 0.0 or l1_ratio == 0.0:
            self._fit_without_selection(source, alpha, moments)
            self.n_iter_, self.dual_gap_ = 1, self.certificate_.gap
            return
        name, reason = en.choose(rows_at_hand(source))
        problem = JointProblem(
            np.array([alpha], dtype=np.float64),
            float(l1_ratio),
            intercept=self.fit_intercept,
            tol=min(self.tol, _EXACT),
            max_iter=self.max_iter,
            start=getattr(self, "_start", None),
        )
        if name == "gram":
            self.statistic_ = moments = source.compute(Moments) if moments is None else moments
            problem = replace(problem, moments=moments)
        else:
            problem = replace(problem, table=readable(source.rows()))
        solution = solve_multi_task(problem)
        self._keep(solution, problem, source.y_is_vector)
        self.certificate_ = replace(self.certificate_, objective=OBJECTIVE)
        self.solver_, self.solver_reason_ = "block_coordinate_descent", reason
        if not solution.converged(replace(problem, tol=self.tol)):
            self._warn_unfinished()

    def _shape(self, coef: Array, intercept: Array, is_vector: bool) -> None:
        self.coef_ = coef.copy()
        self.intercept_ = intercept if self.fit_intercept else np.zeros(len(coef))


class MultiTaskElasticNet(SharedColumns):
    r"""The elastic net of several targets with a penalty per column, not per coefficient.

    .. math:: \min_{W, b} \; \frac{1}{2n} \|Y - XW - b\|_F^2 + \alpha \rho \sum_j \|w_j\|
              + \frac{\alpha (1 - \rho)}{2} \|W\|_F^2

    wⱼ holds the coefficients of column j for all targets: they are zero together. Block coordinate
    descent, on the moments of one pass where rows are many, else on a working set of columns.

    Parameters
    ----------
    alpha : float in [0, inf), default=1.0
        Strength of the penalty; 0 is least squares.
    l1_ratio : float in [0, 1], default=0.5
        ρ.
    fit_intercept : bool, default=True
        Whether to fit b, which is not penalised.
    copy_X : bool, default=True
        For compatibility; X is never changed.
    max_iter : int in [1, inf), default=1000
        Sweeps at most.
    tol : float in [0, inf), default=1e-4
        Relative duality gap that must be reached; it goes down to 1e-12 where sweeps allow.
    warm_start : bool, default=False
        Whether `fit` starts from the coefficients of the fit before.
    random_state : int, RandomState or None, default=None
        For compatibility; columns are visited in order.
    selection : {"cyclic", "random"}, default="cyclic"
        For compatibility.

    Attributes
    ----------
    coef_ : array of shape (n_targets, n_features)
        Coefficients.
    intercept_ : array of shape (n_targets,)
        b.
    dual_gap_ : float
        How far the objective can be above its minimum, from a feasible dual point.
    n_iter_ : int
        Sweeps.
    sparse_coef_, certificate_, trace_, solver_, solver_reason_, statistic_
        As of `ElasticNet`.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0]])
    >>> Y = np.column_stack([X[:, 0], 2 * X[:, 0]])
    >>> MultiTaskElasticNet(alpha=0.5, l1_ratio=1.0).fit(X, Y).coef_.round(3)
    array([[0.821, 0.   ],
           [1.642, 0.   ]])
    """

    _alone = "ElasticNet"

    def __init__(
        self,
        alpha: Annotated[float, Interval(0, inf)] = 1.0,
        *,
        l1_ratio: Annotated[float, Interval(0, 1, closed="both")] = 0.5,
        fit_intercept: bool = True,
        copy_X: bool = True,
        max_iter: Annotated[int, Interval(1, inf)] = 1000,
        tol: Annotated[float, Interval(0, inf)] = 1e-4,
        warm_start: bool = False,
        random_state: RandomState = None,
        selection: Annotated[str, Options("cyclic", "random")] = "cyclic",
    ) -> None:
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
        self.random_state = random_state
        self.selection = selection

    def _learn(self, source: Source) -> None:
        self._fit_at(source, float(self.alpha), float(getattr(self, "l1_ratio", 1.0)))
        self._forget_start()


class MultiTaskLasso(MultiTaskElasticNet):
    r"""The lasso of several targets with a penalty per column: `MultiTaskElasticNet` at ρ = 1.

    .. math:: \min_{W, b} \; \frac{1}{2n} \|Y - XW - b\|_F^2 + \alpha \sum_j \|w_j\|

    Parameters
    ----------
    alpha : float in [0, inf), default=1.0
        Strength of the penalty; 0 is least squares.
    fit_intercept : bool, default=True
        Whether to fit b, which is not penalised.
    copy_X : bool, default=True
        For compatibility; X is never changed.
    max_iter : int in [1, inf), default=1000
        Sweeps at most.
    tol : float in [0, inf), default=1e-4
        Relative duality gap that must be reached; it goes down to 1e-12 where sweeps allow.
    warm_start : bool, default=False
        Whether `fit` starts from the coefficients of the fit before.
    random_state : int, RandomState or None, default=None
        For compatibility; columns are visited in order.
    selection : {"cyclic", "random"}, default="cyclic"
        For compatibility.

    Attributes
    ----------
    coef_, intercept_, dual_gap_, n_iter_, sparse_coef_, certificate_, trace_, solver_, \
solver_reason_, statistic_
        As of `MultiTaskElasticNet`.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0]])
    >>> Y = np.column_stack([X[:, 0], X[:, 0]])
    >>> np.count_nonzero(MultiTaskLasso(alpha=0.5).fit(X, Y).coef_, axis=0)
    array([2, 0])
    """

    _alone = "Lasso"

    def __init__(
        self,
        alpha: Annotated[float, Interval(0, inf)] = 1.0,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        max_iter: Annotated[int, Interval(1, inf)] = 1000,
        tol: Annotated[float, Interval(0, inf)] = 1e-4,
        warm_start: bool = False,
        random_state: RandomState = None,
        selection: Annotated[str, Options("cyclic", "random")] = "cyclic",
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
        self.random_state = random_state
        self.selection = selection
