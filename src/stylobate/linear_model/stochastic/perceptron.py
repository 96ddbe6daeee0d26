"""Rosenblatt's perceptron, with its update history."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any

import numpy as np

from stylobate.base import Interval, Options, RandomState
from stylobate.linear_model.stochastic.classifier import StochasticClassifier
from stylobate.linear_model.stochastic.model import PENALTIES
from stylobate.linear_model.stochastic.update_history import UpdateHistory


class Perceptron(StochasticClassifier):
    r"""The perceptron: a row on the wrong side pulls the weights towards it.

    .. math:: \text{if } y_i (x_i^\top w + b) \le 0: \quad
              w \leftarrow w + \eta_0\, y_i x_i, \quad b \leftarrow b + \eta_0\, y_i

    Where a hyperplane separates the classes with margin γ and all rows (with a 1 for the intercept)
    have length at most R, it makes at most (R/γ)² updates in all (Novikoff 1962); `history_` has
    each of them. More than two classes are one against the rest each.

    Parameters
    ----------
    penalty : {"l2", "l1", "elasticnet"} or None, default=None
        What keeps the weights small.
    alpha : float in [0, inf), default=0.0001
        Strength of the penalty, if there is one.
    l1_ratio : float in [0, 1] or None, default=0.15
        Share of the ℓ1 norm in "elasticnet".
    fit_intercept : bool, default=True
        Whether to fit b.
    max_iter : int in [1, inf), default=1000
        Passes over the rows at most.
    tol : float in [0, inf) or None, default=1e-3
        Stop once the mean loss has not improved by this much in `n_iter_no_change` epochs; None:
        make `max_iter` passes.
    shuffle : bool, default=True
        Whether to take the rows in a new random order each epoch.
    verbose : int in [0, inf), default=0
        For compatibility; nothing is printed.
    eta0 : float in (0, inf), default=1.0
        Length of an update. Without a penalty it only sets the scale of the weights.
    n_jobs : int or None, default=None
        For compatibility; see `stylobate.set_threads`.
    random_state : int, RandomState or None, default=0
        Seed of the orders.
    early_stopping : bool, default=False
        Whether to hold rows out, stratified by class, and stop when accuracy on them no longer
        improves.
    validation_fraction : float in (0, 1), default=0.1
        Share of the rows held out.
    n_iter_no_change : int in [1, inf), default=5
        See `tol`.
    class_weight : mapping, "balanced" or None, default=None
        Factors of the classes' updates.
    warm_start : bool, default=False
        Whether `fit` starts from the last answer.
    sign_of_zero : {0, 1}, default=0
        What a score of 0 decides: 0, for no class, so that such a row is a mistake whatever its
        class (all rows are at first, with weights of zero); 1, for the second class, so that it
        is a mistake for the first class only.

    Attributes
    ----------
    coef_ : array of shape (1, n_features) or (n_classes, n_features)
        Weights.
    intercept_ : array of shape (1,) or (n_classes,)
        Intercepts.
    classes_ : array of shape (n_classes,)
        Labels.
    history_ : UpdateHistory, or a list of one per class
        Every update: step, row, margin before and weights after it. Of at most 100,000 updates, and
        their weights only while these are at most a million numbers.
    mistakes_ : array of shape (n_iter_,), or a list of one per class
        Updates in each epoch.
    n_iter_ : int
        Epochs made (the most of any class).
    t_ : float
        Number of the next step.
    certificate_ : Certificate
        Of the mean perceptron loss: the optimum 0 is reached where the classes are separated.
    trace_ : Trace
        The mean loss met in each epoch.
    validation_scores_ : array of shape (n_iter_,), or a list of one per class
        The accuracy on the rows held out, after each epoch, with `early_stopping`.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> X = [[2.0, 1.0], [1.0, 3.0], [-1.0, 2.0], [-2.0, 0.5]]
    >>> model = Perceptron(shuffle=False).fit(X, [1, 1, -1, -1])
    >>> model.history_.row, model.mistakes_
    (array([0, 2, 1, 2]), array([2, 2, 0, 0, 0, 0, 0, 0]))
    >>> model.history_.weights
    array([[ 2.,  1.],
           [ 3., -1.],
           [ 4.,  2.],
           [ 5.,  0.]])
    >>> model.score(X, [1, 1, -1, -1])
    1.0
    >>> Perceptron(shuffle=False, sign_of_zero=1).fit(X, [1, 1, -1, -1]).history_.row
    array([2, 0])

    References
    ----------
    Rosenblatt (1958), The perceptron, Psychological Review 65. Novikoff (1962), On convergence
    proofs on perceptrons.
    """

    loss = "perceptron"
    learning_rate = "constant"
    epsilon = 0.1
    power_t = 0.5
    average = False
    batch_size = 1
    _record = (100_000, 1_000_000)

    def __init__(
        self,
        *,
        penalty: Annotated[str, Options(*PENALTIES)] | None = None,
        alpha: Annotated[float, Interval(0, inf)] = 0.0001,
        l1_ratio: Annotated[float, Interval(0, 1, "both")] | None = 0.15,
        fit_intercept: bool = True,
        max_iter: Annotated[int, Interval(1, inf)] = 1000,
        tol: Annotated[float, Interval(0, inf)] | None = 1e-3,
        shuffle: bool = True,
        verbose: Annotated[int, Interval(0, inf)] | bool = 0,
        eta0: Annotated[float, Interval(0, inf, "neither")] = 1.0,
        n_jobs: int | None = None,
        random_state: RandomState = 0,
        early_stopping: bool = False,
        validation_fraction: Annotated[float, Interval(0, 1, "neither")] = 0.1,
        n_iter_no_change: Annotated[int, Interval(1, inf)] = 5,
        class_weight: Annotated[str, Options("balanced")] | dict[Any, float] | None = None,
        warm_start: bool = False,
        sign_of_zero: Annotated[int, Options(0, 1)] = 0,
    ) -> None:
        self.penalty = penalty
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.shuffle = shuffle
        self.verbose = verbose
        self.eta0 = eta0
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.sign_of_zero = sign_of_zero

    @property
    def _zero_is_positive(self) -> bool:  # type: ignore[override]
        return bool(self.sign_of_zero)

    def _tell(self, reports: list[dict[str, Any]]) -> None:
        super()._tell(reports)
        histories = [UpdateHistory.of(report) for report in reports]
        mistakes = [np.asarray(report["mistakes"]).astype(np.int64) for report in reports]
        alone = len(reports) == 1
        self.history_: Any = histories[0] if alone else histories
        self.mistakes_: Any = mistakes[0] if alone else mistakes
