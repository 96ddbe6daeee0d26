"""The group lasso and the sparse group lasso."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import numpy as np

from stylobate.arrays import Indices
from stylobate.base import HasMethods, Interval
from stylobate.base.validation import input_names
from stylobate.linear_model.glm.penalized import LossArgument, PenalizedRegression
from stylobate.linear_model.grouped.group_argument import group_strengths, read_groups
from stylobate.penalties.sparse_group import SparseGroup

if TYPE_CHECKING:
    from stylobate.optimize.structured import Structured
    from stylobate.penalties import Penalty

Groups: TypeAlias = Annotated[int, Interval(1, inf)] | Annotated[Any, HasMethods("__len__")] | None


class PenalizedByGroups(PenalizedRegression):
    """What the regressions with groups of columns share: their penalty."""

    penalty = "groups"  # in place of one of each coefficient
    positive = False
    penalty_factor = None
    l1_ratio: float = 0.0
    groups: Any
    group_weights: Any

    def _penalty_of(self, n_features: int) -> Penalty | Structured:
        owner = type(self).__name__
        known = list(map(str, input_names(self))) if hasattr(self, "n_features_in_") else []
        names = known if len(known) == n_features else [f"x{j}" for j in range(n_features)]
        labels = read_groups(self.groups, names, owner)
        weights = group_strengths(labels, self.group_weights, owner)
        share = float(self.l1_ratio)
        self.groups_: Indices = labels
        return SparseGroup(labels, (1.0 - share) * weights, np.full(n_features, share))


class GroupLasso(PenalizedByGroups):
    r"""Linear regression that takes or leaves groups of columns as a whole.

    .. math:: \min_{w, b} \; \frac{1}{\sum_i \omega_i} \sum_i \omega_i\,\ell(y_i, x_i^\top w + b)
              + \alpha \sum_g c_g \|w_g\|_2

    For dummies of one factor, splines of one variable, lags of one series. Columns should be of
    one scale, for the penalty treats all alike.

    Parameters
    ----------
    groups : int, array-like of shape (n_features,) or list of lists, optional
        Groups of columns: a size (so many columns in a row), a label for every column, or the
        columns of every group by number or name. None: every column by itself.
    alpha : float in [0, inf), default=1.0
        α.
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
    tol : float in [0, inf), default=1e-9
        Violation of the optimality conditions to be left, as a share of the steepest slope of the
        mean loss at zero coefficients.
    warm_start : bool, default=False
        Whether `fit` starts from the coefficients of the fit before.

    Attributes
    ----------
    coef_ : array of shape (n_features,)
        w.
    intercept_ : float
        b.
    groups_ : array of shape (n_features,)
        The group of each column, as a number.
    n_iter_, certificate_, trace_
        As of `PenalizedRegression`.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 9))
    >>> y = X[:, 3] + X[:, 4] - X[:, 5] + 0.1 * rng.normal(size=100)
    >>> model = GroupLasso(groups=3, alpha=0.2).fit(X, y)
    >>> np.unique(model.groups_[model.coef_ != 0])
    array([1])

    References
    ----------
    Yuan & Lin (2006), Model selection and estimation in regression with grouped variables, JRSS B
    68. Meier, van de Geer & Bühlmann (2008), The group lasso for logistic regression, JRSS B 70.
    """

    def __init__(
        self,
        groups: Groups = None,
        alpha: Annotated[float, Interval(0, inf)] = 1.0,
        *,
        loss: LossArgument = "squared_error",
        fit_intercept: bool = True,
        group_weights: Annotated[Any, HasMethods("__len__")] | None = None,
        max_iter: Annotated[int, Interval(1, inf)] = 100,
        tol: Annotated[float, Interval(0, inf)] = 1e-9,
        warm_start: bool = False,
    ) -> None:
        self.groups = groups
        self.alpha = alpha
        self.loss = loss
        self.fit_intercept = fit_intercept
        self.group_weights = group_weights
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start


class SparseGroupLasso(PenalizedByGroups):
    r"""Linear regression that leaves out groups of columns, and columns of the groups it takes.

    .. math:: \min_{w, b} \; \frac{1}{\sum_i \omega_i} \sum_i \omega_i\,\ell(y_i, x_i^\top w + b)
              + \alpha (1 - \tau) \sum_g c_g \|w_g\|_2 + \alpha \tau \|w\|_1

    Parameters
    ----------
    groups : int, array-like of shape (n_features,) or list of lists, optional
        Groups of columns: a size (so many columns in a row), a label for every column, or the
        columns of every group by number or name. None: every column by itself.
    alpha : float in [0, inf), default=1.0
        α.
    l1_ratio : float in [0, 1], default=0.5
        τ: 0 is the group lasso, 1 the lasso.
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
    tol : float in [0, inf), default=1e-9
        Violation of the optimality conditions to be left, as a share of the steepest slope of the
        mean loss at zero coefficients.
    warm_start : bool, default=False
        Whether `fit` starts from the coefficients of the fit before.

    Attributes
    ----------
    coef_ : array of shape (n_features,)
        w.
    intercept_ : float
        b.
    groups_ : array of shape (n_features,)
        The group of each column, as a number.
    n_iter_, certificate_, trace_
        As of `PenalizedRegression`.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(100, 9))
    >>> y = 2.0 * X[:, 3] + 0.1 * rng.normal(size=100)
    >>> np.flatnonzero(SparseGroupLasso(groups=3, alpha=0.2).fit(X, y).coef_)
    array([3])

    References
    ----------
    Simon, Friedman, Hastie & Tibshirani (2013), A sparse-group lasso, Journal of Computational and
    Graphical Statistics 22.
    """

    def __init__(
        self,
        groups: Groups = None,
        alpha: Annotated[float, Interval(0, inf)] = 1.0,
        *,
        l1_ratio: Annotated[float, Interval(0, 1, closed="both")] = 0.5,
        loss: LossArgument = "squared_error",
        fit_intercept: bool = True,
        group_weights: Annotated[Any, HasMethods("__len__")] | None = None,
        max_iter: Annotated[int, Interval(1, inf)] = 100,
        tol: Annotated[float, Interval(0, inf)] = 1e-9,
        warm_start: bool = False,
    ) -> None:
        self.groups = groups
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.loss = loss
        self.fit_intercept = fit_intercept
        self.group_weights = group_weights
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
