"""`HistGradientBoostingClassifier`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import ClassifierMixin, RandomState, class_weights, read_classes
from stylobate.base.constraints import Instance
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
from stylobate.ensemble.boosting.objective import BoostingLoss
from stylobate.exceptions import InvalidDataError
from stylobate.losses import Logistic, Multinomial

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer, Expression

ClassWeight = Literal["balanced"] | Annotated[Any, Instance(dict)] | None


class HistGradientBoostingClassifier(ClassifierMixin, HistGradientBoostingBase):
    r"""Classification by gradient boosting of trees grown from histograms.

    With scores z (one per row, or one per row and class where there are more than two) each
    iteration adds, for every output, a tree that lowers the loss to second order:

    .. math:: z \leftarrow z + \nu\, v_{\ell(x)}, \qquad
              v_\ell = -\frac{\sum_{i\in\ell} g_i}{\sum_{i\in\ell} h_i + \lambda},
              \qquad g = \frac{\partial L}{\partial z},\; h = \frac{\partial^2 L}{\partial z^2}

    Columns are cut into at most 255 bins; a node's best split is read off the sums of g and h in
    each bin, and the sums of one child are those of the parent less the other's. Gradients are
    summed as whole multiples of a small unit, hence exactly: the trees are the same for any number
    of threads.

    Parameters
    ----------
    loss : {"log_loss"}, default="log_loss"
        The logistic loss of two classes, the multinomial one of more.
    learning_rate : float in (0, inf), default=0.1
        ν, the share of each tree's step that is taken.
    max_iter : int in [1, inf), default=100
        Iterations; each grows one tree, or as many as classes where there are more than two.
    max_leaf_nodes : int in [2, 65535] or None, default=31
        Leaves of a tree.
    max_depth : int in [1, inf) or None, default=None
        Splits on the way to a leaf.
    min_samples_leaf : int in [1, inf), default=20
        Rows of a leaf.
    l2_regularization : float in [0, inf), default=0.0
        λ. Without it, curvature of a rare class can be so small that steps go too far; a training
        loss that rises is noticed, and the fit repeated with 1, with a warning.
    max_features : float in (0, 1], default=1.0
        Share of the columns, drawn at random, that each split may choose from.
    max_bins : int in [2, 255], default=255
        Bins of a column, besides one for missing values.
    categorical_features : "from_dtype", None or array-like of bool, int or str, \
default="from_dtype"
        Columns of categories: those of text or of a categorical type, none, a mask, positions or
        names.
    monotonic_cst : array-like of int, dict or None, default=None
        -1, 0 or 1 for each column, or by its name: whether the score of the second class must fall
        or rise with it. Only for two classes.
    interaction_cst : {"pairwise", "no_interactions"}, sequence of sets of int or None, default=None
        Columns that may meet on the way to a leaf; those named nowhere form a set of their own.
    warm_start : bool, default=False
        Whether `fit` goes on from the trees there are, up to `max_iter`.
    early_stopping : "auto" or bool, default="auto"
        Whether to stop when the score no longer improves; "auto": with more than 10000 rows.
    scoring : "loss", str, callable or None, default="loss"
        What early stopping looks at: the loss, a scorer, or the accuracy (None).
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
    class_weight : {"balanced"}, dict or None, default=None
        Factors of the weights of the classes' rows.
    growth : {"leaf", "depth"}, default="leaf"
        Which node is split next: that of the largest gain, or level by level.
    callback : callable or None, default=None
        Told of every iteration (`BoostingProgress`); returning True ends the boosting.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        The labels, sorted.
    n_iter_, n_trees_per_iteration_ : int
        Iterations done, and trees of each.
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
    baseline_ : array of shape (n_trees_per_iteration_,)
        Scores before the first tree.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from stylobate.ensemble import HistGradientBoostingClassifier
    >>> X = [[x / 50.0] for x in range(100)]
    >>> y = ["low" if x[0] < 1.2 else "high" for x in X]
    >>> model = HistGradientBoostingClassifier(max_iter=20).fit(X, y)
    >>> model.predict([[0.3], [1.9]])
    array(['low', 'high'], dtype='<U4')

    References
    ----------
    Friedman (2001), Greedy function approximation: a gradient boosting machine, Annals of
    Statistics 29. Ke et al. (2017), LightGBM, NeurIPS.
    """

    _study_role = BOOSTING_ROLE

    def __init__(
        self,
        loss: Literal["log_loss"] = "log_loss",
        *,
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
        class_weight: ClassWeight = None,
        growth: Growth = "leaf",
        callback: Callback = None,
    ) -> None:
        self.loss = loss
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
        self.class_weight = class_weight
        self.growth = growth
        self.callback = callback

    def _read_y(self, y: Any, n_rows: int, *, reset: bool) -> Array:
        owner = type(self).__name__
        classes, codes = read_classes(y, owner=owner, n_rows=n_rows, least=2 if reset else 1)
        if reset:
            self.classes_ = classes
            return codes.astype(np.float64)
        place = np.searchsorted(self.classes_, classes)
        place = np.minimum(place, len(self.classes_) - 1)
        if not (self.classes_[place] == classes).all():
            unknown = classes[self.classes_[place] != classes]
            raise InvalidDataError(
                f"{owner}: y holds {unknown.tolist()[0]!r}, which is not among the classes "
                f"{self.classes_.tolist()!r} it was fitted to."
            )
        return place[codes].astype(np.float64)

    def _labels(self, y: Array) -> NDArray[Any]:
        return np.asarray(self.classes_[y.astype(np.intp)])

    def _loss_value(self) -> BoostingLoss:
        if len(self.classes_) == 2:
            return Logistic()
        if self.monotonic_cst is not None:
            raise InvalidDataError(
                f"{type(self).__name__}: monotonic_cst is for two classes, y has "
                f"{len(self.classes_)}; monotonic constraints are not supported for multiclass "
                "classification."
            )
        return Multinomial()

    def _row_weights(self, y: Array, weights: Array | None) -> Array | None:
        if self.class_weight is None:
            return weights
        codes = y.astype(np.int64)
        factors = class_weights(
            self.class_weight,
            self.classes_,
            codes,
            owner=type(self).__name__,
        )[codes]
        return factors if weights is None else weights * factors

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Scores: log-odds of the second class, or one for each class.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,) or (n, n_classes)
        """
        return _squeezed(self._raw(X))

    def staged_decision_function(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """The same after each iteration.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Yields
        ------
        array of shape (n,) or (n, n_classes)
        """
        for scores in self._staged_raw(X):
            yield _squeezed(scores)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probabilities of the classes.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes)
            In the order of ``classes_``.
        """
        return _probabilities(self._raw(X))

    def staged_predict_proba(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """The same after each iteration.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Yields
        ------
        array of shape (n, n_classes)
        """
        for scores in self._staged_raw(X):
            yield _probabilities(scores)

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of every row.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        return self._chosen(self._raw(X))

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """The same after each iteration.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Yields
        ------
        array of shape (n,)
        """
        for scores in self._staged_raw(X):
            yield self._chosen(scores)

    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.formula.pieces import classes_by_margin, classes_by_scores

        scores = self._score_formulas(columns)
        if len(scores) == 1:
            return classes_by_margin(scores[0], self.classes_, chances=True)
        return classes_by_scores(scores, self.classes_, chances=True)

    def _chosen(self, scores: Array) -> NDArray[Any]:
        codes = scores[:, 0] > 0.0 if scores.shape[1] == 1 else scores.argmax(axis=1)
        return np.asarray(self.classes_[codes.astype(np.intp)])


def _squeezed(scores: Array) -> Array:
    return scores[:, 0] if scores.shape[1] == 1 else scores


def _probabilities(scores: Array) -> Array:
    if scores.shape[1] == 1:
        e = np.exp(-np.abs(scores[:, 0]))
        large, small = 1.0 / (1.0 + e), e / (1.0 + e)
        second = np.where(scores[:, 0] >= 0.0, large, small)
        return np.column_stack([np.where(scores[:, 0] >= 0.0, small, large), second])
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(e / e.sum(axis=1, keepdims=True))
