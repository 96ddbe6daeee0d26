"""Penalised regression whose penalty is chosen by cross-validation, for any loss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from numbers import Integral
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices
from stylobate.base import BaseEstimator, HasMethods, Interval, Numbers, Tags
from stylobate.data.indexing import as_slice
from stylobate.exceptions import InvalidDataError
from stylobate.linear_model.glm.penalized import LossArgument, PenalizedRegression, PenaltyArgument
from stylobate.linear_model.shared.selection_rule import SelectionRule, chosen_setting
from stylobate.linear_model.shared.stream_folds import require_rows
from stylobate.parallel import product_of_rows
from stylobate.statistics.rows import counted

if TYPE_CHECKING:
    from stylobate.data import Table
    from stylobate.data.streams import Stream
    from stylobate.optimize.penalized import PenalizedProblem

_FOLDS = 5
_LEAST = float(np.finfo(np.float64).resolution)
Folds = (
    Annotated[int, Interval(2, inf)]
    | Annotated[Any, HasMethods("split")]
    | Annotated[Any, HasMethods("__iter__")]
    | None
)
Alphas = Annotated[int, Interval(1, inf)] | Annotated[Any, Numbers(0, inf)]


class ChosenByFolds(PenalizedRegression):
    """A penalised regression that takes the strength with the least deviance out of sample."""

    alpha = 1.0  # of the penalty before a factor is chosen
    warm_start = False
    alphas: Any
    eps: float
    cv: Any
    selection_rule: str

    def _tags(self) -> Tags:
        return super()._tags().but(tier="all rows")

    def _fit_stream(self, stream: Stream) -> Self:
        return BaseEstimator._fit_stream(self, stream)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose the strength by cross-validation, then fit to all rows.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows of numbers.
        y : array-like of shape (n,)
            Target, within the domain of the loss.
        sample_weight : array-like of shape (n,) or float, optional
            Non-negative weights; they count in training and in the deviance of a fold.

        Returns
        -------
        self
        """
        self._check_parameters()
        table = self._read(X, y, sample_weight, reset=True)
        splits = self._splits(table)
        whole = self._unit_problem(table)
        self.alphas_ = self._grid(whole)
        self.deviance_path_ = self._deviances(table, splits)
        means = self.deviance_path_.mean(axis=1)
        if not np.isfinite(means).any():
            raise InvalidDataError(
                f"{type(self).__name__}: at no strength has the deviance of the folds a finite "
                "mean; scale the columns, or give larger alphas."
            )
        self._choose(whole, table)
        return self

    def _choose(self, whole: PenalizedProblem, table: Table) -> None:
        del table
        best = chosen_setting(self.deviance_path_, self.alphas_, "min")
        simple = chosen_setting(self.deviance_path_, self.alphas_, "1se")
        self.alpha_min_, self.alpha_1se_ = float(self.alphas_[best]), float(self.alphas_[simple])
        at = simple if self.selection_rule == "1se" else best
        self.alpha_ = float(self.alphas_[at])
        self.intercept_ = self._solve_along(whole, self.alphas_[: at + 1])

    def _solve_along(self, whole: PenalizedProblem, factors: Array) -> float:
        """Fit all rows at the last factor, reached from the ones before; returns the intercept."""
        from stylobate.optimize.penalized import certify_penalized, penalized_solutions

        start, intercept = None, 0.0
        if len(factors) > 1:
            *_, last = penalized_solutions(whole, factors[:-1])
            start, intercept = last.coef, last.intercept
        problem = replace(whole, penalty=whole.penalty.scaled(float(factors[-1])))
        found = problem.solve(start, intercept)
        self.coef_ = found.coef
        self.n_iter_, self.trace_ = max(found.iterations, 1), found.trace
        self.certificate_ = certify_penalized(problem, found)
        self._warn_unless_converged(problem, found)
        return float(found.intercept)

    # --- folds ------------------------------------------------------------------------------------

    def _unit_problem(self, table: Table) -> PenalizedProblem:
        """Of all these rows, with the penalty at strength 1."""
        return self._problem(table)

    def _splits(self, table: Table) -> Sequence[tuple[Indices, Indices]]:
        from stylobate.linear_model.ridge.fold_scores import refuse_unsuitable
        from stylobate.splits import splits_of

        folds = _FOLDS if self.cv is None else self.cv
        if isinstance(folds, Integral):
            require_rows(table.n_rows, int(folds), type(self).__name__)
        splits = splits_of(folds, table.x, table.y)
        refuse_unsuitable(table, splits, "neg_mean_squared_error")
        return splits

    def _grid(self, whole: PenalizedProblem) -> Array:
        if isinstance(self.alphas, Integral) and whole.largest_factor() == 0.0:
            return np.full(int(self.alphas), _LEAST)  # a constant target: any penalty will do
        return self._factors(whole, self.alphas, self.eps)

    def _deviances(self, table: Table, splits: Sequence[tuple[Indices, Indices]]) -> Array:
        """Mean deviance (settings × folds) of the rows left out."""
        columns = []
        for train, test in splits:
            part = counted(table.take(as_slice(train)))
            coefs, intercepts = self._fold_path(part)
            columns.append(self._losses(table.take(as_slice(test)), coefs, intercepts))
        return np.column_stack(columns)

    def _fold_path(self, part: Table) -> tuple[Array, Array]:
        """Coefficients (settings × p) and intercepts of a fold's training rows."""
        from stylobate.optimize.penalized import penalized_path

        return penalized_path(self._unit_problem(part), self.alphas_)

    def _losses(self, test: Table, coefs: Array, intercepts: Array) -> Array:
        assert test.y is not None
        loss, target = self._loss_value(), np.asarray(test.y[:, 0], dtype=np.float64)
        w = np.ones(len(target)) if test.weights is None else test.weights
        z = np.asarray(product_of_rows(test.x, coefs.T)) + intercepts
        with np.errstate(over="ignore", invalid="ignore"):
            each = [loss.deviance(target, np.ascontiguousarray(column)) for column in z.T]
        return np.array([float(w @ one / w.sum()) for one in each])


class PenalizedRegressionCV(ChosenByFolds):
    r"""Penalised regression with any smooth loss, its strength chosen by cross-validation.

    What ``cv.glmnet`` does: a path of strengths from where no coefficient is left, solved once in
    every fold, each strength from the answer before; the mean deviance of the rows left out
    chooses, by its minimum or by the one-standard-error rule; then a fit to all rows.

    Parameters
    ----------
    loss : {"squared_error", "huber", "poisson", "gamma", "log_loss"} or Loss, \
default="squared_error"
        As of `PenalizedRegression`; `stylobate.losses.Tweedie(power)` for other families.
    penalty : {"l1", "l2", "elasticnet", "mcp", "scad"} or Penalty, default="l1"
        As of `PenalizedRegression`. An elastic net of share ρ is ``ElasticNet(ρ, 1 - ρ)`` of
        `stylobate.penalties`.
    eps : float in (0, inf), default=1e-3
        The smallest strength of the grid as a share of the largest.
    alphas : int in [1, inf) or array-like of numbers in [0, inf), default=100
        How many strengths, or which ones.
    cv : int in [2, inf), splitter, iterable of (train, test) or None, default=None
        Folds; None means 5.
    selection_rule : {"min", "1se"}, default="min"
        "min" takes the smallest mean deviance; "1se" the strongest penalty within one standard
        error of it.
    fit_intercept : bool, default=True
        Whether to fit b, which is not penalised.
    positive : bool, default=False
        Whether to keep the coefficients non-negative.
    penalty_factor : array-like of shape (n_features,) of numbers in [0, inf], optional
        As of `PenalizedRegression`.
    max_iter : int in [1, inf), default=100
        Newton steps at most, at each strength.
    tol : float in [0, inf), default=1e-10
        As of `PenalizedRegression`.

    Attributes
    ----------
    alpha_, alpha_min_, alpha_1se_ : float
        The chosen strength, and what both rules say.
    alphas_ : array of shape (n_alphas,)
        All strengths, from large to small.
    deviance_path_ : array of shape (n_alphas, n_folds)
        Mean deviance of the rows left out; for "squared_error" the mean squared error.
    coef_, intercept_, n_iter_, certificate_, trace_
        As of `PenalizedRegression` at the chosen strength, on all rows.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 10))
    >>> y = rng.poisson(np.exp(0.5 + 0.8 * X[:, 0] - 0.6 * X[:, 1]))
    >>> model = PenalizedRegressionCV("poisson", selection_rule="1se").fit(X, y)
    >>> np.flatnonzero(model.coef_), model.alpha_ == model.alpha_1se_ > model.alpha_min_
    (array([0, 1]), True)

    References
    ----------
    Friedman, Hastie & Tibshirani (2010), Regularization paths for generalized linear models via
    coordinate descent, J. Statistical Software 33.
    """

    alphas_: NDArray[np.float64]
    deviance_path_: NDArray[np.float64]

    def __init__(
        self,
        loss: LossArgument = "squared_error",
        *,
        penalty: PenaltyArgument = "l1",
        eps: Annotated[float, Interval(0, inf, closed="neither")] = 1e-3,
        alphas: Alphas = 100,
        cv: Folds = None,
        selection_rule: SelectionRule = "min",
        fit_intercept: bool = True,
        positive: bool = False,
        penalty_factor: Annotated[Any, HasMethods("__len__")] | None = None,
        max_iter: Annotated[int, Interval(1, inf)] = 100,
        tol: Annotated[float, Interval(0, inf)] = 1e-10,
    ) -> None:
        self.loss = loss
        self.penalty = penalty
        self.eps = eps
        self.alphas = alphas
        self.cv = cv
        self.selection_rule = selection_rule
        self.fit_intercept = fit_intercept
        self.positive = positive
        self.penalty_factor = penalty_factor
        self.max_iter = max_iter
        self.tol = tol
