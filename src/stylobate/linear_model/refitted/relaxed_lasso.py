"""The relaxed lasso: the lasso's choice of columns with less of its shrinkage."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices
from stylobate.base import BaseEstimator, HasMethods, Interval, Numbers, Tags
from stylobate.linear_model.glm.penalized import PenalizedRegression
from stylobate.linear_model.glm.penalized_cv import Alphas, ChosenByFolds, Folds
from stylobate.linear_model.shared.selection_rule import SelectionRule, chosen_setting
from stylobate.parallel import blas_for

if TYPE_CHECKING:
    from stylobate.data import Table
    from stylobate.data.streams import Stream
    from stylobate.optimize.penalized import PenalizedProblem


def refitted(
    x: Any, y: Array, weights: Array | None, support: Indices, *, intercept: bool
) -> tuple[Array, float]:
    """Least squares of the columns in the support; of least length where it is not unique."""
    w = np.ones(len(y)) if weights is None else weights
    shares = w / w.sum()
    part = x[:, support]
    part = np.asarray(part if isinstance(part, np.ndarray) else part.toarray(), dtype=np.float64)
    mean = shares @ part if intercept else np.zeros(part.shape[1])
    level = float(shares @ y) if intercept else 0.0
    root = np.sqrt(shares)
    with blas_for(len(support), of_numpy=True):
        coef = np.linalg.lstsq(root[:, None] * (part - mean), root * (y - level), rcond=None)[0]
    return np.asarray(coef), level - float(mean @ coef)


def relaxed(
    problem: PenalizedProblem, coef: Array, intercept: float, gammas: Array
) -> tuple[Array, Array]:
    """Mixtures (gammas × p) of the lasso's coefficients and least squares on their support."""
    free, level = coef.copy(), intercept
    support = np.flatnonzero(coef)
    if len(support) or not problem.fit_intercept:
        free = np.zeros_like(coef)
        free[support], level = refitted(
            problem.x, problem.y, problem.weights, support, intercept=problem.fit_intercept
        )
    share = np.asarray(gammas, dtype=np.float64)
    mixed = np.outer(share, coef) + np.outer(1.0 - share, free)
    return mixed, share * intercept + (1.0 - share) * level


class RelaxedLasso(PenalizedRegression):
    r"""The lasso's choice of columns, with less of its shrinkage.

    .. math:: w = \gamma\, w^{\mathrm{lasso}}(\alpha) + (1 - \gamma)\, w^{\mathrm{LS}},

    :math:`w^{\mathrm{LS}}` least squares of the columns the lasso selects at α. Standard errors of
    that least squares would be too small, for the same rows chose the columns; see
    `stylobate.linear_model.debiased_lasso` and `split_inference` for honest ones.

    Parameters
    ----------
    alpha : float in [0, inf), default=1.0
        α.
    gamma : float in [0, 1], default=0.0
        γ: 1 is the lasso, 0 least squares on its support.
    fit_intercept : bool, default=True
        Whether to fit b, which is not penalised.
    penalty_factor : array-like of shape (n_features,) of numbers in [0, inf], optional
        Factors of the penalty, one for each column: 0 leaves a column unpenalised, infinity leaves
        it out.
    max_iter : int in [1, inf), default=100
        Newton steps at most.
    tol : float in [0, inf), default=1e-9
        Violation of the optimality conditions to be left, as a share of the steepest slope.

    Attributes
    ----------
    coef_ : array of shape (n_features,)
        w.
    intercept_ : float
        b.
    lasso_coef_ : array of shape (n_features,)
        The lasso's own.
    n_iter_, certificate_, trace_
        Of the lasso.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(100, 20))
    >>> y = 3.0 * X[:, 0] - 2.0 * X[:, 1]
    >>> RelaxedLasso(alpha=0.2).fit(X, y).coef_[:2].round(6)
    array([ 3., -2.])

    References
    ----------
    Meinshausen (2007), Relaxed lasso, Computational Statistics & Data Analysis 52. Hastie,
    Tibshirani & Tibshirani (2020), Best subset, forward stepwise or lasso? Analysis and
    recommendations based on extensive comparisons, Statistical Science 35.
    """

    loss = "squared_error"
    penalty = "l1"
    positive = False
    warm_start = False
    lasso_coef_: NDArray[np.float64]

    def __init__(
        self,
        alpha: Annotated[float, Interval(0, inf)] = 1.0,
        *,
        gamma: Annotated[float, Interval(0, 1, closed="both")] = 0.0,
        fit_intercept: bool = True,
        penalty_factor: Annotated[Any, HasMethods("__len__")] | None = None,
        max_iter: Annotated[int, Interval(1, inf)] = 100,
        tol: Annotated[float, Interval(0, inf)] = 1e-9,
    ) -> None:
        self.alpha = alpha
        self.gamma = gamma
        self.fit_intercept = fit_intercept
        self.penalty_factor = penalty_factor
        self.max_iter = max_iter
        self.tol = tol

    def _tags(self) -> Tags:
        return super()._tags().but(tier="all rows")

    def _fit_stream(self, stream: Stream) -> Self:
        return BaseEstimator._fit_stream(self, stream)

    def _solve(self, problem: Any, start: Array | None) -> float:
        intercept = super()._solve(problem, start)
        self.lasso_coef_ = self.coef_
        coefs, levels = relaxed(problem, self.coef_, intercept, np.array([self.gamma]))
        self.coef_ = coefs[0]
        return float(levels[0])


class RelaxedLassoCV(ChosenByFolds):
    """`RelaxedLasso` that chooses its strength and its share of shrinkage by cross-validation.

    Parameters
    ----------
    eps : float in (0, inf), default=1e-2
        The smallest strength of the grid as a share of the largest.
    alphas : int in [1, inf) or array-like of numbers in [0, inf), default=50
        How many strengths, or which ones.
    cv : int in [2, inf), splitter, iterable of (train, test) or None, default=None
        Folds; None means 5.
    selection_rule : {"min", "1se"}, default="min"
        "min" takes the smallest mean squared error; "1se" the strongest penalty within one standard
        error of it.
    gammas : array-like of numbers in [0, 1], default=(0.0, 0.25, 0.5, 0.75, 1.0)
        Shares to try.
    fit_intercept : bool, default=True
        Whether to fit b, which is not penalised.
    penalty_factor : array-like of shape (n_features,) of numbers in [0, inf], optional
        Factors of the penalty, one for each column: 0 leaves a column unpenalised, infinity leaves
        it out.
    max_iter : int in [1, inf), default=100
        Newton steps at most.
    tol : float in [0, inf), default=1e-10
        Violation of the optimality conditions to be left, as a share of the steepest slope.

    Attributes
    ----------
    alpha_, gamma_ : float
        The chosen ones; with "1se" the share is the best one, the strength the largest within one
        standard error at this share.
    alpha_min_, alpha_1se_ : float
        What both rules say, at the best share.
    alphas_ : array of shape (n_alphas,)
        All strengths, from large to small.
    deviance_path_ : array of shape (n_gammas, n_alphas, n_folds)
        Mean squared errors of the rows left out.
    coef_, intercept_, lasso_coef_, n_iter_, certificate_, trace_
        As of `RelaxedLasso` at what was chosen, on all rows.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 20))
    >>> y = 3.0 * X[:, 0] - 2.0 * X[:, 1] + rng.normal(size=100)
    >>> model = RelaxedLassoCV(selection_rule="1se").fit(X, y)
    >>> np.flatnonzero(model.coef_), model.gamma_
    (array([0, 1]), 0.0)
    """

    loss = "squared_error"
    penalty = "l1"
    positive = False
    gamma_: float
    lasso_coef_: NDArray[np.float64]

    def __init__(
        self,
        *,
        eps: Annotated[float, Interval(0, inf, closed="neither")] = 1e-2,
        alphas: Alphas = 50,
        cv: Folds = None,
        selection_rule: SelectionRule = "min",
        gammas: Annotated[Any, Numbers(0, 1, closed="both")] = (0.0, 0.25, 0.5, 0.75, 1.0),
        fit_intercept: bool = True,
        penalty_factor: Annotated[Any, HasMethods("__len__")] | None = None,
        max_iter: Annotated[int, Interval(1, inf)] = 100,
        tol: Annotated[float, Interval(0, inf)] = 1e-10,
    ) -> None:
        self.eps = eps
        self.alphas = alphas
        self.cv = cv
        self.selection_rule = selection_rule
        self.gammas = gammas
        self.fit_intercept = fit_intercept
        self.penalty_factor = penalty_factor
        self.max_iter = max_iter
        self.tol = tol

    def _fold_path(self, part: Table) -> tuple[Array, Array]:
        problem, gammas = self._unit_problem(part), np.asarray(self.gammas, dtype=np.float64)
        coefs, levels = super()._fold_path(part)
        pairs = [relaxed(problem, *each, gammas) for each in zip(coefs, levels, strict=True)]
        mixed, shifts = (np.stack([pair[k] for pair in pairs], axis=1) for k in (0, 1))
        return mixed.reshape(-1, coefs.shape[1]), shifts.ravel()

    def _choose(self, whole: PenalizedProblem, table: Table) -> None:
        del table
        gammas = np.asarray(self.gammas, dtype=np.float64)
        errors = self.deviance_path_.reshape(len(gammas), len(self.alphas_), -1)
        self.deviance_path_ = errors
        share = int(errors.mean(axis=-1).min(axis=1).argmin())
        best = chosen_setting(errors[share], self.alphas_, "min")
        simple = chosen_setting(errors[share], self.alphas_, "1se")
        self.alpha_min_, self.alpha_1se_ = float(self.alphas_[best]), float(self.alphas_[simple])
        at = simple if self.selection_rule == "1se" else best
        self.alpha_, self.gamma_ = float(self.alphas_[at]), float(gammas[share])
        intercept = self._solve_along(whole, self.alphas_[: at + 1])
        self.lasso_coef_ = self.coef_
        problem = replace(whole, penalty=whole.penalty.scaled(self.alpha_))
        coefs, levels = relaxed(problem, self.coef_, intercept, gammas[[share]])
        self.coef_, self.intercept_ = coefs[0], float(levels[0])
