"""Multi-task lasso and elastic net with penalties chosen by cross-validation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Annotated, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base import HasMethods, Interval, Numbers, Options, RandomState, Tags
from stylobate.data.indexing import as_slice
from stylobate.linear_model.lasso.elastic_net_cv import ElasticNetCV
from stylobate.linear_model.lasso.multi_task import SharedColumns
from stylobate.linear_model.lasso.path_folds import PathFolds
from stylobate.linear_model.lasso.sparse_regressor import readable
from stylobate.linear_model.shared.coefficient_path import CoefficientPath
from stylobate.linear_model.shared.selection_rule import SelectionRule
from stylobate.linear_model.shared.stream_folds import StreamFolds
from stylobate.optimize import elastic_net as en
from stylobate.optimize.multi_task import JointProblem, solve_multi_task
from stylobate.statistics import Moments


@dataclass(frozen=True, slots=True, eq=False)
class JointFolds(PathFolds):
    """The splits of a table whose targets share their columns."""

    def problem(self, *, intercept: bool) -> JointProblem:
        """All rows as a problem, without penalties as yet."""
        if self.whole is not None:
            return JointProblem(np.array([]), moments=self.whole, intercept=intercept)
        return JointProblem(np.array([]), table=readable(self.rows), intercept=intercept)

    def errors(self, problem: en.ElasticNetProblem) -> Array:
        """Mean squared errors (alphas × folds) of the test parts along the problem's path."""
        assert isinstance(problem, JointProblem)
        if self.stream is not None:
            return self._errors_of_stream(problem, self.stream)
        trains: Any = self.trains or [None] * len(self.splits)
        return np.column_stack(
            [
                self._of_split(problem, train, rows, test)
                for train, (rows, test) in zip(trains, self.splits, strict=True)
            ]
        )

    def _errors_of_stream(self, problem: JointProblem, folds: StreamFolds) -> Array:
        columns = []
        for k, (train, test) in enumerate(zip(folds.trains, folds.tests, strict=True)):
            path = _path(replace(problem, moments=train, table=None))
            columns.append(folds.squared_errors(path, k).mean(axis=-1) / test.weight)
        return np.column_stack(columns)

    def _of_split(
        self, problem: JointProblem, train: Moments | None, rows: Any, test: Any
    ) -> Array:
        if train is not None:
            part = replace(problem, moments=train, table=None)
        else:
            part = replace(problem, table=readable(self.rows.take(as_slice(rows))), moments=None)
        path = _path(part)
        held_out = self.rows.take(as_slice(test))
        assert held_out.y is not None
        squares = ((path.predict(held_out.x) - held_out.y) ** 2).mean(axis=-1)
        return np.asarray(np.average(squares, axis=1, weights=held_out.weights))


def _path(problem: JointProblem) -> CoefficientPath:
    solution = solve_multi_task(problem)
    return CoefficientPath(solution.coef.transpose(1, 2, 0), solution.intercept.T)


class MultiTaskElasticNetCV(SharedColumns, ElasticNetCV):
    """`MultiTaskElasticNet` that chooses its penalty, and ρ if several are given.

    With many more rows than columns the folds' moments come from one pass over the rows.

    Parameters
    ----------
    l1_ratio : float in [0, 1] or array-like of such, default=0.5
        ρ; of several the best is chosen. 0 needs `alphas` to be given.
    eps : float in (0, inf), default=1e-3
        The smallest penalty of the grid as a share of the largest.
    alphas : int in [1, inf) or array-like of numbers in [0, inf), default=100
        How many penalties, or which ones.
    fit_intercept : bool, default=True
        Whether to fit an intercept, which is not penalised.
    max_iter : int in [1, inf), default=1000
        Sweeps per penalty at most.
    tol : float in [0, inf), default=1e-4
        Relative duality gap along the paths.
    cv : int in [2, inf), splitter, iterable of (train, test) or None, default=None
        Folds; None means 5.
    copy_X : bool, default=True
        For compatibility; X is never changed.
    verbose : bool or int, default=0
        For compatibility; nothing is printed.
    n_jobs : int or None, default=None
        For compatibility.
    random_state : int, RandomState or None, default=None
        For compatibility; columns are visited in order.
    selection : {"cyclic", "random"}, default="cyclic"
        For compatibility.
    selection_rule : {"min", "1se"}, default="min"
        "min" takes the smallest mean error; "1se" the strongest penalty within one standard error
        of it, as glmnet's ``lambda.1se``.

    Attributes
    ----------
    alpha_, l1_ratio_, alphas_, mse_path_
        As of `ElasticNetCV`; errors are means over targets.
    coef_, intercept_, dual_gap_, n_iter_, certificate_, trace_, solver_, solver_reason_
        As of `MultiTaskElasticNet` at the chosen penalty, on all rows.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 8))
    >>> Y = X[:, :2] @ [[1.0, 2.0], [-1.0, 1.0]] + 0.5 * rng.normal(size=(60, 2))
    >>> MultiTaskElasticNetCV(alphas=20).fit(X, Y).mse_path_.shape
    (20, 5)
    """

    _folds = JointFolds
    precompute = "auto"
    positive = False
    penalty_factor = None
    _alone = "ElasticNetCV"

    def _tags(self) -> Tags:
        return super()._tags().but(single_output=False, multi_output=True)

    def __init__(
        self,
        *,
        l1_ratio: Annotated[float, Interval(0, 1, closed="both")]
        | Annotated[Any, Numbers(0, 1, closed="both")] = 0.5,
        eps: Annotated[float, Interval(0, inf, closed="neither")] = 1e-3,
        alphas: Annotated[int, Interval(1, inf)] | Annotated[Any, Numbers(0, inf)] = 100,
        fit_intercept: bool = True,
        max_iter: Annotated[int, Interval(1, inf)] = 1000,
        tol: Annotated[float, Interval(0, inf)] = 1e-4,
        cv: Annotated[int, Interval(2, inf)]
        | Annotated[Any, HasMethods("split")]
        | Annotated[Any, HasMethods("__iter__")]
        | None = None,
        copy_X: bool = True,
        verbose: bool | int = 0,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        selection: Annotated[str, Options("cyclic", "random")] = "cyclic",
        selection_rule: SelectionRule = "min",
    ) -> None:
        self.l1_ratio = l1_ratio
        self.eps = eps
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.cv = cv
        self.copy_X = copy_X
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.selection = selection
        self.selection_rule = selection_rule


class MultiTaskLassoCV(MultiTaskElasticNetCV):
    """`MultiTaskLasso` that chooses its penalty by cross-validation.

    Parameters
    ----------
    eps : float in (0, inf), default=1e-3
        The smallest penalty of the grid as a share of the largest.
    alphas : int in [1, inf) or array-like of numbers in [0, inf), default=100
        How many penalties, or which ones.
    fit_intercept : bool, default=True
        Whether to fit an intercept, which is not penalised.
    max_iter : int in [1, inf), default=1000
        Sweeps per penalty at most.
    tol : float in [0, inf), default=1e-4
        Relative duality gap along the paths.
    copy_X : bool, default=True
        For compatibility; X is never changed.
    cv : int in [2, inf), splitter, iterable of (train, test) or None, default=None
        Folds; None means 5.
    verbose : bool or int, default=False
        For compatibility; nothing is printed.
    n_jobs : int or None, default=None
        For compatibility.
    random_state : int, RandomState or None, default=None
        For compatibility; columns are visited in order.
    selection : {"cyclic", "random"}, default="cyclic"
        For compatibility.
    selection_rule : {"min", "1se"}, default="min"
        "min" takes the smallest mean error; "1se" the strongest penalty within one standard error
        of it, as glmnet's ``lambda.1se``.

    Attributes
    ----------
    alpha_, alphas_, mse_path_
        As of `LassoCV`; errors are means over targets.
    coef_, intercept_, dual_gap_, n_iter_, certificate_, trace_, solver_, solver_reason_
        As of `MultiTaskLasso` at the chosen penalty, on all rows.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 8))
    >>> Y = X[:, :2] @ [[1.0, 2.0], [-1.0, 1.0]] + 0.5 * rng.normal(size=(60, 2))
    >>> model = MultiTaskLassoCV(alphas=20).fit(X, Y)
    >>> bool(model.alpha_ < model.alphas_[0])
    True
    """

    _alone = "LassoCV"

    def __init__(
        self,
        *,
        eps: Annotated[float, Interval(0, inf, closed="neither")] = 1e-3,
        alphas: Annotated[int, Interval(1, inf)] | Annotated[Any, Numbers(0, inf)] = 100,
        fit_intercept: bool = True,
        max_iter: Annotated[int, Interval(1, inf)] = 1000,
        tol: Annotated[float, Interval(0, inf)] = 1e-4,
        copy_X: bool = True,
        cv: Annotated[int, Interval(2, inf)]
        | Annotated[Any, HasMethods("split")]
        | Annotated[Any, HasMethods("__iter__")]
        | None = None,
        verbose: bool | int = False,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        selection: Annotated[str, Options("cyclic", "random")] = "cyclic",
        selection_rule: SelectionRule = "min",
    ) -> None:
        self.eps = eps
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.copy_X = copy_X
        self.cv = cv
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.selection = selection
        self.selection_rule = selection_rule

    def _keep_choice(self, ratio: float, errors: Array, alphas: Array) -> None:
        self.mse_path_, self.alphas_ = errors[0], alphas[0]
