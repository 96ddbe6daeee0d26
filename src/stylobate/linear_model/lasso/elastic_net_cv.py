"""The lasso and the elastic net with penalties chosen by cross-validation."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from numbers import Integral
from typing import Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import HasMethods, Interval, Numbers, Options, RandomState, Tags
from stylobate.base.tags import Tier
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError
from stylobate.linear_model.lasso.gram_argument import AutoGram, check_gram
from stylobate.linear_model.lasso.path import enet_path, lasso_path, sorted_alphas
from stylobate.linear_model.lasso.path_folds import PathFolds
from stylobate.linear_model.lasso.sparse_regressor import SparseLinearRegressor, readable
from stylobate.linear_model.shared.selection_rule import SelectionRule, chosen_setting
from stylobate.linear_model.shared.stream_folds import StreamFolds, folds_by_order, require_rows
from stylobate.optimize import elastic_net as en
from stylobate.splits import Split, splits_of
from stylobate.statistics import Moments, Source, rows_at_hand

_FOLDS = 5
# Along the paths errors are asked for, not coefficients:
_FLOOR = (
    0.1  # of the objective at zero, of which `tol` is a share at least; and on many rows, where
)
_ROW_FLOOR = 2.0  # a saturated model costs most: of ‖y − ȳ‖², as in scikit-learn, or
_CHANGE = 1e-5  # of `tol`: the decrease by a coordinate, as a share, below which it is enough
_MANY_ROWS = 1000  # no support is larger than the rows are many: below, exact steps are cheap
_DIGITS = 1e-12  # relative difference of two errors that is rounding: the larger penalty wins


class ElasticNetCV(SparseLinearRegressor):
    r"""The elastic net that chooses its penalty, and ρ if several are given, by cross-validation.

    The path of penalties is solved once per fold, each penalty starting from the one before. With
    many more rows than columns one pass collects the moments of every fold: training moments are
    the total less the fold's, test errors quadratic forms of the fold's own. Otherwise all folds
    go along the path together, and one reading of X per step serves them all.

    Streams: folds given by their number are those of rows in memory. A pass counts the rows where
    their number is not known, another collects the folds' moments.

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
    precompute : {"auto"}, bool or array of shape (n_features, n_features), default="auto"
        True asks for Grams, False for the rows; "auto" decides by shape.
    max_iter : int in [1, inf), default=1000
        Epochs per penalty at most.
    tol : float in [0, inf), default=1e-4
        Along the paths: relative duality gap with many more rows than columns or up to 1000 rows;
        otherwise a gap of ``tol * ||y - mean(y)||²``, or no coordinate lowering the objective by
        more than 1e-5 of that. The final fit's relative gap goes down to 1e-7.
    cv : int in [2, inf), splitter, iterable of (train, test) or None, default=None
        Folds; None means 5.
    copy_X : bool, default=True
        For compatibility; X is never changed.
    verbose : bool or int, default=0
        For compatibility; nothing is printed.
    n_jobs : int or None, default=None
        For compatibility; folds run side by side on our own threads (`stylobate.set_threads`).
    positive : bool, default=False
        Whether to keep the coefficients non-negative.
    random_state : int, RandomState or None, default=None
        Seed for ``selection="random"``.
    selection : {"cyclic", "random"}, default="cyclic"
        Order of the coordinates.
    selection_rule : {"min", "1se"}, default="min"
        "min" takes the smallest mean error; "1se" the strongest penalty within one standard error
        of it, as glmnet's ``lambda.1se``.
    penalty_factor : array-like of shape (n_features,) of numbers in [0, inf], optional
        Factors of the penalty, one for each column: 0 leaves a column unpenalised, infinity leaves
        it out. Taken as given (glmnet divides them by their mean); needs the rows in memory.

    Attributes
    ----------
    alpha_, l1_ratio_ : float
        The chosen ones.
    alphas_ : array of shape (n_alphas,) or (n_l1_ratio, n_alphas)
        All penalties, from large to small, for each ρ.
    mse_path_ : array of shape (n_alphas, n_folds) or (n_l1_ratio, n_alphas, n_folds)
        Mean squared errors of the folds.
    coef_, intercept_, dual_gap_, n_iter_, certificate_, trace_, solver_, solver_reason_
        As of `ElasticNet` at the chosen penalty, on all rows.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 8))
    >>> y = X[:, 0] - X[:, 1] + 0.5 * rng.normal(size=60)
    >>> model = ElasticNetCV(l1_ratio=[0.5, 1.0]).fit(X, y)
    >>> model.l1_ratio_, model.mse_path_.shape
    (1.0, (2, 100, 5))
    """

    path = staticmethod(enet_path)
    _folds = PathFolds

    def __init__(
        self,
        *,
        l1_ratio: Annotated[float, Interval(0, 1, closed="both")]
        | Annotated[Any, Numbers(0, 1, closed="both")] = 0.5,
        eps: Annotated[float, Interval(0, inf, closed="neither")] = 1e-3,
        alphas: Annotated[int, Interval(1, inf)] | Annotated[Any, Numbers(0, inf)] = 100,
        fit_intercept: bool = True,
        precompute: AutoGram = "auto",
        max_iter: Annotated[int, Interval(1, inf)] = 1000,
        tol: Annotated[float, Interval(0, inf)] = 1e-4,
        cv: Annotated[int, Interval(2, inf)]
        | Annotated[Any, HasMethods("split")]
        | Annotated[Any, HasMethods("__iter__")]
        | None = None,
        copy_X: bool = True,
        verbose: bool | int = 0,
        n_jobs: int | None = None,
        positive: bool = False,
        random_state: RandomState = None,
        selection: Annotated[str, Options("cyclic", "random")] = "cyclic",
        selection_rule: SelectionRule = "min",
        penalty_factor: Annotated[Any, HasMethods("__len__")] | None = None,
    ) -> None:
        self.l1_ratio = l1_ratio
        self.eps = eps
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.max_iter = max_iter
        self.tol = tol
        self.cv = cv
        self.copy_X = copy_X
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
        self.selection_rule = selection_rule
        self.penalty_factor = penalty_factor

    def _tags(self) -> Tags:
        tier: Tier = "all rows" if self._needs_rows else "several passes"
        return super()._tags().but(multi_output=False, tier=tier)

    @property
    def _needs_rows(self) -> bool:
        on_rows = isinstance(self.precompute, bool | np.bool_) and not self.precompute
        factors = getattr(self, "penalty_factor", None) is not None
        return on_rows or factors or not folds_by_order(self.cv)

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Choose the penalty by cross-validation, then fit to all rows.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows of numbers.
        y : array-like of shape (n,)
            Target.
        sample_weight : array-like of shape (n,) or float, optional
            Non-negative weights; they count in training and in the errors of a fold. The
            folds count alike, as in scikit-learn.

        Returns
        -------
        self
        """
        return super().fit(X, y, sample_weight)

    def _learn(self, source: Source) -> None:
        check_gram(self.precompute, source.n_features, type(self).__name__)
        if self.penalty_factor is not None:
            self._learn_with_factors(source)
            return
        at_hand = source.capabilities.rows_in_memory
        parts = self._folds_of_rows(source) if at_hand else self._folds_of_stream(source)
        ratios = np.atleast_1d(np.asarray(getattr(self, "l1_ratio", 1.0), dtype=np.float64))
        problems = [self._problem(parts, float(ratio)) for ratio in ratios]
        errors = np.stack([parts.errors(problem) for problem in problems])
        self._take(source, ratios, errors, np.stack([p.alphas for p in problems]), parts.whole)

    def _learn_with_factors(self, source: Source) -> None:
        from stylobate.linear_model.lasso.column_factors import (
            errors_with_factors,
            problem_with_factors,
        )

        table, name = source.rows(), type(self).__name__
        splits = self._splits(table)
        readable(table)
        ratios = np.atleast_1d(np.asarray(getattr(self, "l1_ratio", 1.0), dtype=np.float64))
        errors, grids = [], []
        for ratio in ratios:
            problem = problem_with_factors(self, table, float(ratio))
            largest = problem.largest_factor() if isinstance(self.alphas, Integral) else 1.0
            if isinstance(self.alphas, Integral):
                grids.append(en.grid_from(largest, int(self.alphas), self.eps, name))
            else:
                grids.append(sorted_alphas(self.alphas, name))
            errors.append(errors_with_factors(problem, table, splits, grids[-1]))
        self._take(source, ratios, np.stack(errors), np.stack(grids), None)

    def _take(
        self,
        source: Source,
        ratios: Array,
        errors: Array,
        alphas: Array,
        whole: Moments | None,
    ) -> None:
        """Choose by the errors (ratios × alphas × folds), and fit all rows."""
        best, step = _best(errors.mean(axis=-1))
        step = chosen_setting(errors[best], alphas[best], self.selection_rule, step)
        self._fit_at(source, float(alphas[best, step]), float(ratios[best]), whole)
        self.alpha_ = float(alphas[best, step])
        self._keep_choice(float(ratios[best]), errors, alphas)

    def _folds_of_stream(self, source: Source) -> PathFolds:
        """The folds of `KFold`, from moments: a pass counts the rows, another collects them."""
        count = _FOLDS if self.cv is None else int(self.cv)
        return self._folds.of_stream(StreamFolds.of(source, count, type(self).__name__))

    def _folds_of_rows(self, source: Source) -> PathFolds:
        table = source.rows()
        from_moments = self._from_moments(source)
        if not (table.finite or from_moments):  # moments of finite rows are finite
            table.refuse_nonfinite()
        try:
            return self._folds.of(source, self._splits(table), from_moments=from_moments)
        except ValueError:  # named in the numbers of the part's rows
            table.refuse_nonfinite()
            raise

    def _splits(self, table: Table) -> list[Split]:
        folds = _FOLDS if self.cv is None else self.cv
        if isinstance(folds, Integral):
            require_rows(table.n_rows, int(folds), type(self).__name__)
        return splits_of(folds, table.x, table.y)

    def _keep_choice(self, ratio: float, errors: Array, alphas: Array) -> None:
        self.l1_ratio_ = ratio
        self.mse_path_ = errors if len(errors) > 1 else errors[0]
        self.alphas_ = alphas if len(alphas) > 1 else alphas[0]

    def _from_moments(self, source: Source) -> bool:
        if isinstance(self.precompute, bool | np.bool_):
            return bool(self.precompute)
        return en.choose(rows_at_hand(source), many=True)[0] == "gram"

    def _problem(self, folds: PathFolds, ratio: float) -> en.ElasticNetProblem:
        """The path of one ρ."""
        costly = folds.trains is None and folds.rows.n_rows > _MANY_ROWS
        problem = replace(
            folds.problem(intercept=self.fit_intercept),
            l1_ratio=ratio,
            positive=self.positive,
            tol=self.tol,
            floor=_ROW_FLOOR if costly else _FLOOR,
            change=_CHANGE * self.tol if costly else 0.0,
            max_iter=self.max_iter,
            seed=self._seed(),
            polish=False,
        )
        name = type(self).__name__
        if isinstance(self.alphas, Integral):
            alphas = en.alpha_grid(problem, int(self.alphas), self.eps, name)
        else:
            alphas = sorted_alphas(self.alphas, name)
        return replace(problem, alphas=alphas)


class LassoCV(ElasticNetCV):
    r"""The lasso that chooses its penalty by cross-validation.

    See `ElasticNetCV`, of which this is the case ρ = 1, for how it is done.

    Parameters
    ----------
    eps : float in (0, inf), default=1e-3
        The smallest penalty of the grid as a share of the largest.
    alphas : int in [1, inf) or array-like of numbers in [0, inf), default=100
        How many penalties, or which ones.
    fit_intercept : bool, default=True
        Whether to fit an intercept, which is not penalised.
    precompute : {"auto"}, bool or array of shape (n_features, n_features), default="auto"
        True asks for Grams, False for the rows; "auto" decides by shape.
    max_iter : int in [1, inf), default=1000
        Epochs per penalty at most.
    tol : float in [0, inf), default=1e-4
        Along the paths: relative duality gap with many more rows than columns or up to 1000 rows;
        otherwise a gap of ``tol * ||y - mean(y)||²``, or no coordinate lowering the objective by
        more than 1e-5 of that. The final fit's relative gap goes down to 1e-7.
    copy_X : bool, default=True
        For compatibility; X is never changed.
    cv : int in [2, inf), splitter, iterable of (train, test) or None, default=None
        Folds; None means 5.
    verbose : bool or int, default=False
        For compatibility; nothing is printed.
    n_jobs : int or None, default=None
        For compatibility; folds run side by side on our own threads (`stylobate.set_threads`).
    positive : bool, default=False
        Whether to keep the coefficients non-negative.
    random_state : int, RandomState or None, default=None
        Seed for ``selection="random"``.
    selection : {"cyclic", "random"}, default="cyclic"
        Order of the coordinates.
    selection_rule : {"min", "1se"}, default="min"
        "min" takes the smallest mean error; "1se" the strongest penalty within one standard error
        of it, as glmnet's ``lambda.1se``.
    penalty_factor : array-like of shape (n_features,) of numbers in [0, inf], optional
        Factors of the penalty, one for each column: 0 leaves a column unpenalised, infinity leaves
        it out. Taken as given (glmnet divides them by their mean); needs the rows in memory.

    Attributes
    ----------
    alpha_ : float
        The chosen penalty.
    alphas_ : array of shape (n_alphas,)
        All penalties, from large to small.
    mse_path_ : array of shape (n_alphas, n_folds)
        Mean squared errors of the folds.
    coef_, intercept_, dual_gap_, n_iter_, certificate_, trace_, solver_, solver_reason_
        As of `Lasso` at the chosen penalty, on all rows.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 8))
    >>> y = X[:, 0] - X[:, 1] + 0.5 * rng.normal(size=60)
    >>> model = LassoCV().fit(X, y)
    >>> model.mse_path_.shape, bool(model.alpha_ < model.alphas_[0])
    ((100, 5), True)
    """

    path = staticmethod(lasso_path)

    def __init__(
        self,
        *,
        eps: Annotated[float, Interval(0, inf, closed="neither")] = 1e-3,
        alphas: Annotated[int, Interval(1, inf)] | Annotated[Any, Numbers(0, inf)] = 100,
        fit_intercept: bool = True,
        precompute: AutoGram = "auto",
        max_iter: Annotated[int, Interval(1, inf)] = 1000,
        tol: Annotated[float, Interval(0, inf)] = 1e-4,
        copy_X: bool = True,
        cv: Annotated[int, Interval(2, inf)]
        | Annotated[Any, HasMethods("split")]
        | Annotated[Any, HasMethods("__iter__")]
        | None = None,
        verbose: bool | int = False,
        n_jobs: int | None = None,
        positive: bool = False,
        random_state: RandomState = None,
        selection: Annotated[str, Options("cyclic", "random")] = "cyclic",
        selection_rule: SelectionRule = "min",
        penalty_factor: Annotated[Any, HasMethods("__len__")] | None = None,
    ) -> None:
        self.eps = eps
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.max_iter = max_iter
        self.tol = tol
        self.copy_X = copy_X
        self.cv = cv
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
        self.selection_rule = selection_rule
        self.penalty_factor = penalty_factor

    def _keep_choice(self, ratio: float, errors: Array, alphas: Array) -> None:
        self.mse_path_, self.alphas_ = errors[0], alphas[0]


def _best(errors: Array) -> tuple[int, int]:
    """The place (ρ, penalty) of the smallest error; of equal ones the larger penalty."""
    if not np.isfinite(errors).all():
        raise InvalidDataError("The squared errors of the folds exceed what numbers can hold.")
    near = errors <= errors.min() * (1.0 + _DIGITS)
    first = int(np.argmax(near))
    return first // errors.shape[1], first % errors.shape[1]
