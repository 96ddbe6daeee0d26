"""The group lasso and the sparse group lasso with their strength chosen by cross-validation."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any

from stylobate.base import HasMethods, Interval
from stylobate.linear_model.glm.penalized import LossArgument
from stylobate.linear_model.glm.penalized_cv import Alphas, ChosenByFolds, Folds
from stylobate.linear_model.grouped.group_lasso import Groups, PenalizedByGroups
from stylobate.linear_model.shared.selection_rule import SelectionRule


class GroupLassoCV(PenalizedByGroups, ChosenByFolds):
    r"""`GroupLasso` that chooses its strength by cross-validation.

    See `PenalizedRegressionCV` for how it is done.

    Parameters
    ----------
    groups : int, array-like of shape (n_features,) or list of lists, optional
        Groups of columns: a size (so many columns in a row), a label for every column, or the
        columns of every group by number or name. None: every column by itself.
    eps : float in (0, inf), default=1e-2
        The smallest strength of the grid as a share of the largest.
    alphas : int in [1, inf) or array-like of numbers in [0, inf), default=50
        How many strengths, or which ones.
    cv : int in [2, inf), splitter, iterable of (train, test) or None, default=None
        Folds; None means 5.
    selection_rule : {"min", "1se"}, default="min"
        "min" takes the smallest mean deviance; "1se" the strongest penalty within one standard
        error of it.
    loss : {"squared_error", "huber", "poisson", "gamma", "log_loss"} or Loss, \
default="squared_error"
        As of `PenalizedRegression`; "log_loss" is logistic regression of shares y in [0, 1].
    fit_intercept : bool, default=True
        Whether to fit b, which is not penalised.
    group_weights : array-like of shape (n_groups,) of numbers in [0, inf), optional
        cᵍ, groups in the order of their first columns (of lists: of the lists). None: the square
        roots of the groups' sizes; 0 leaves a group unpenalised.
    max_iter : int in [1, inf), default=100
        Newton steps at most.
    tol : float in [0, inf), default=1e-10
        Violation of the optimality conditions to be left, as a share of the steepest slope of the
        mean loss at zero coefficients.

    Attributes
    ----------
    alpha_, alpha_min_, alpha_1se_, alphas_, deviance_path_
        As of `PenalizedRegressionCV`.
    coef_, intercept_, groups_, n_iter_, certificate_, trace_
        As of `GroupLasso` at the chosen strength, on all rows.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 9))
    >>> y = X[:, 3] + X[:, 4] - X[:, 5] + rng.normal(size=100)
    >>> model = GroupLassoCV(groups=3, alphas=20, selection_rule="1se").fit(X, y)
    >>> np.unique(model.groups_[model.coef_ != 0])
    array([1])
    """

    def __init__(
        self,
        groups: Groups = None,
        *,
        eps: Annotated[float, Interval(0, inf, closed="neither")] = 1e-2,
        alphas: Alphas = 50,
        cv: Folds = None,
        selection_rule: SelectionRule = "min",
        loss: LossArgument = "squared_error",
        fit_intercept: bool = True,
        group_weights: Annotated[Any, HasMethods("__len__")] | None = None,
        max_iter: Annotated[int, Interval(1, inf)] = 100,
        tol: Annotated[float, Interval(0, inf)] = 1e-10,
    ) -> None:
        self.groups = groups
        self.eps = eps
        self.alphas = alphas
        self.cv = cv
        self.selection_rule = selection_rule
        self.loss = loss
        self.fit_intercept = fit_intercept
        self.group_weights = group_weights
        self.max_iter = max_iter
        self.tol = tol


class SparseGroupLassoCV(PenalizedByGroups, ChosenByFolds):
    r"""`SparseGroupLasso` that chooses its strength by cross-validation.

    See `PenalizedRegressionCV` for how it is done.

    Parameters
    ----------
    groups : int, array-like of shape (n_features,) or list of lists, optional
        Groups of columns: a size (so many columns in a row), a label for every column, or the
        columns of every group by number or name. None: every column by itself.
    l1_ratio : float in [0, 1], default=0.5
        τ: 0 is the group lasso, 1 the lasso.
    eps : float in (0, inf), default=1e-2
        The smallest strength of the grid as a share of the largest.
    alphas : int in [1, inf) or array-like of numbers in [0, inf), default=50
        How many strengths, or which ones.
    cv : int in [2, inf), splitter, iterable of (train, test) or None, default=None
        Folds; None means 5.
    selection_rule : {"min", "1se"}, default="min"
        "min" takes the smallest mean deviance; "1se" the strongest penalty within one standard
        error of it.
    loss : {"squared_error", "huber", "poisson", "gamma", "log_loss"} or Loss, \
default="squared_error"
        As of `PenalizedRegression`; "log_loss" is logistic regression of shares y in [0, 1].
    fit_intercept : bool, default=True
        Whether to fit b, which is not penalised.
    group_weights : array-like of shape (n_groups,) of numbers in [0, inf), optional
        cᵍ, groups in the order of their first columns (of lists: of the lists). None: the square
        roots of the groups' sizes; 0 leaves a group unpenalised.
    max_iter : int in [1, inf), default=100
        Newton steps at most.
    tol : float in [0, inf), default=1e-10
        Violation of the optimality conditions to be left, as a share of the steepest slope of the
        mean loss at zero coefficients.

    Attributes
    ----------
    alpha_, alpha_min_, alpha_1se_, alphas_, deviance_path_
        As of `PenalizedRegressionCV`.
    coef_, intercept_, groups_, n_iter_, certificate_, trace_
        As of `SparseGroupLasso` at the chosen strength, on all rows.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 9))
    >>> y = 2.0 * X[:, 3] + rng.normal(size=100)
    >>> model = SparseGroupLassoCV(groups=3, alphas=20, selection_rule="1se").fit(X, y)
    >>> int(np.abs(model.coef_).argmax()), bool((model.coef_ == 0).any())
    (3, True)
    """

    def __init__(
        self,
        groups: Groups = None,
        *,
        l1_ratio: Annotated[float, Interval(0, 1, closed="both")] = 0.5,
        eps: Annotated[float, Interval(0, inf, closed="neither")] = 1e-2,
        alphas: Alphas = 50,
        cv: Folds = None,
        selection_rule: SelectionRule = "min",
        loss: LossArgument = "squared_error",
        fit_intercept: bool = True,
        group_weights: Annotated[Any, HasMethods("__len__")] | None = None,
        max_iter: Annotated[int, Interval(1, inf)] = 100,
        tol: Annotated[float, Interval(0, inf)] = 1e-10,
    ) -> None:
        self.groups = groups
        self.l1_ratio = l1_ratio
        self.eps = eps
        self.alphas = alphas
        self.cv = cv
        self.selection_rule = selection_rule
        self.loss = loss
        self.fit_intercept = fit_intercept
        self.group_weights = group_weights
        self.max_iter = max_iter
        self.tol = tol
