"""`HistGradientBoostingRegressor`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import Interval, RandomState, RegressorMixin
from stylobate.data.finite import refuse_nonfinite
from stylobate.data.target import read_target, refuse_missing_target
from stylobate.data.words import Input
from stylobate.ensemble.boosting.model import (
    BOOSTING_ROLE,
    BinCount,
    Callback,
    Columns,
    Count,
    Depth,
    Directions,
    Growth,
    HistGradientBoostingBase,
    Interactions,
    Leaves,
    Level,
    Penalty,
    Rate,
    Scoring,
    Share,
    Stopping,
    Validation,
)
from stylobate.exceptions import InvalidParameterError
from stylobate.losses import Loss as LossValue
from stylobate.losses.named import loss_named

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer, Expression

Loss = Literal["squared_error", "absolute_error", "huber", "gamma", "poisson", "quantile"]
Quantile = Annotated[float, Interval(0, 1, closed="both")] | None
Part = Annotated[float, Interval(0, 1, closed="neither")]


class HistGradientBoostingRegressor(RegressorMixin, HistGradientBoostingBase):
    r"""Regression by gradient boosting of trees grown from histograms.

    Each iteration adds a tree that lowers the loss of the scores z to second order:

    .. math:: z \leftarrow z + \nu\, v_{\ell(x)}, \qquad
              v_\ell = -\frac{\sum_{i\in\ell} g_i}{\sum_{i\in\ell} h_i + \lambda},
              \qquad g = \frac{\partial L}{\partial z},\; h = \frac{\partial^2 L}{\partial z^2}

    Columns are cut into at most 255 bins; a node's best split is read off the sums of g and h in
    each bin, and the sums of one child are those of the parent less the other's. Gradients are
    summed as whole multiples of a small unit, hence exactly: the trees are the same for any number
    of threads.

    Parameters
    ----------
    loss : {"squared_error", "absolute_error", "huber", "gamma", "poisson", "quantile"}, \
default="squared_error"
        What is lowered. Leaves step by the mean of the residuals, their median (absolute error), a
        quantile of them, or the median and a step from it on residuals that are cut (Huber).
        Gamma and Poisson predict the exponential of the score.
    quantile : float in [0, 1] or None, default=None
        Which quantile ``loss="quantile"`` predicts.
    learning_rate : float in (0, inf), default=0.1
        ν, the share of each tree's step that is taken.
    max_iter : int in [1, inf), default=100
        Iterations; each grows one tree.
    max_leaf_nodes : int in [2, 65535] or None, default=31
        Leaves of a tree.
    max_depth : int in [1, inf) or None, default=None
        Splits on the way to a leaf.
    min_samples_leaf : int in [1, inf), default=20
        Rows of a leaf.
    l2_regularization : float in [0, inf), default=0.0
        λ.
    max_features : float in (0, 1], default=1.0
        Share of the columns, drawn at random, that each split may choose from.
    max_bins : int in [2, 255], default=255
        Bins of a column, besides one for missing values.
    categorical_features : "from_dtype", None or array-like of bool, int or str, \
default="from_dtype"
        Columns of categories: those of text or of a categorical type, none, a mask, positions or
        names.
    monotonic_cst : array-like of int, dict or None, default=None
        -1, 0 or 1 for each column, or by its name: whether predictions must fall or rise with
        it.
    interaction_cst : {"pairwise", "no_interactions"}, sequence of sets of int or None, default=None
        Columns that may meet on the way to a leaf; those named nowhere form a set of their own.
    warm_start : bool, default=False
        Whether `fit` goes on from the trees there are, up to `max_iter`.
    early_stopping : "auto" or bool, default="auto"
        Whether to stop when the score no longer improves; "auto": with more than 10000 rows.
    scoring : "loss", str, callable or None, default="loss"
        What early stopping looks at: the loss, a scorer, or R² (None).
    validation_fraction : float in (0, 1), int or None, default=0.1
        Rows set aside for early stopping; None judges by the training rows.
    n_iter_no_change : int in [1, inf), default=10
        Iterations without improvement after which it stops.
    tol : float in [0, inf), default=1e-7
        Improvement that counts.
    verbose : int in [0, inf), default=0
        Whether to print the losses as they fall.
    random_state : int, RandomState, Generator or None, default=None
        For the rows set aside, those that bins are found from (of more than 200000), and the
        columns drawn.
    alpha : float in (0, 1), default=0.9
        Share of the residuals that Huber's loss squares; beyond it is linear.
    growth : {"leaf", "depth"}, default="leaf"
        Which node is split next: that of the largest gain, or level by level.
    callback : callable or None, default=None
        Told of every iteration (`BoostingProgress`); returning True ends the boosting.

    Attributes
    ----------
    n_iter_, n_trees_per_iteration_ : int
        Iterations done, and trees of each (1).
    l2_regularization_ : float
        The λ used.
    train_score_, validation_score_ : array of shape (n_iter_ + 1,)
        Scores before and after each iteration, if it may stop early; else empty.
    do_early_stopping_ : bool
        Whether it may.
    is_categorical_ : array of bool of shape (n_features,) or None
        Which columns have categories; None if none has.
    trees_ : list of lists of Tree
        The trees of each iteration.
    baseline_ : array of shape (1,)
        Score before the first tree.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from stylobate.ensemble import HistGradientBoostingRegressor
    >>> X = [[x / 50.0] for x in range(100)]
    >>> y = [x[0] ** 2 for x in X]
    >>> model = HistGradientBoostingRegressor(min_samples_leaf=2).fit(X, y)
    >>> model.predict([[0.5], [1.5]]).round(1)
    array([0.3, 2.2])

    References
    ----------
    Friedman (2001), Greedy function approximation: a gradient boosting machine, Annals of
    Statistics 29. Ke et al. (2017), LightGBM, NeurIPS.
    """

    _study_role = BOOSTING_ROLE

    def __init__(
        self,
        loss: Loss = "squared_error",
        *,
        quantile: Quantile = None,
        learning_rate: Rate = 0.1,
        max_iter: Count = 100,
        max_leaf_nodes: Leaves = 31,
        max_depth: Depth = None,
        min_samples_leaf: Count = 20,
        l2_regularization: Penalty = 0.0,
        max_features: Share = 1.0,
        max_bins: BinCount = 255,
        categorical_features: Columns = "from_dtype",
        monotonic_cst: Directions = None,
        interaction_cst: Interactions = None,
        warm_start: bool = False,
        early_stopping: Stopping = "auto",
        scoring: Scoring = "loss",
        validation_fraction: Validation = 0.1,
        n_iter_no_change: Count = 10,
        tol: Penalty = 1e-7,
        verbose: Level = 0,
        random_state: RandomState = None,
        alpha: Part = 0.9,
        growth: Growth = "leaf",
        callback: Callback = None,
    ) -> None:
        self.loss = loss
        self.quantile = quantile
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.l2_regularization = l2_regularization
        self.max_features = max_features
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.monotonic_cst = monotonic_cst
        self.interaction_cst = interaction_cst
        self.warm_start = warm_start
        self.early_stopping = early_stopping
        self.scoring = scoring
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.verbose = verbose
        self.random_state = random_state
        self.alpha = alpha
        self.growth = growth
        self.callback = callback

    @property
    def _huber_share(self) -> float:  # type: ignore[override]
        return float(self.alpha)

    def _read_y(self, y: Any, n_rows: int, *, reset: bool) -> Array:
        owner = type(self).__name__
        if y is None:
            refuse_missing_target(owner)
        target, _, finite = read_target(y, n_rows, owner=owner, multi_output=False)
        if not finite:
            refuse_nonfinite(target, Input(owner, "y"))
        return np.ascontiguousarray(target[:, 0])

    def _labels(self, y: Array) -> NDArray[Any]:
        return y

    def _loss_value(self) -> LossValue:
        if self.loss != "quantile":
            return loss_named(self.loss)
        if self.quantile is None:
            raise InvalidParameterError(
                f"{type(self).__name__}: loss='quantile' needs to know which: set quantile to a "
                "number in [0, 1]."
            )
        return loss_named("quantile", float(self.quantile))

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Predictions of the rows.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        return self._loss_value().link.mean(self._raw(X)[:, 0])

    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.formula.expressions import Answer as Found
        from stylobate.formula.pieces import through_link

        scores = Found(tuple(self._score_formulas(columns)))
        return through_link(scores, self._loss_value().link.name)

    def staged_predict(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Predictions after each iteration.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Yields
        ------
        array of shape (n,)
        """
        for scores in self._staged_raw(X):
            yield self._loss_value().link.mean(scores[:, 0])
