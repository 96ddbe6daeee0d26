"""Linear classifiers by stochastic gradient descent."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from stylobate.base import Interval, Options, RandomState
from stylobate.base.availability import available_if
from stylobate.linear_model.stochastic.classifier import StochasticClassifier
from stylobate.linear_model.stochastic.model import LOSSES, PENALTIES, SCHEDULES

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer, Expression

_with_probabilities = available_if(
    lambda self: self.loss in ("log_loss", "modified_huber"),
    "as only the losses 'log_loss' and 'modified_huber' estimate probabilities",
)


class SGDClassifier(StochasticClassifier):
    r"""Linear classifiers (SVM, logistic regression, …) fitted row by row.

    .. math:: \min_{w, b} \; \frac1n \sum_i \omega_i\,\ell(y_i, x_i^\top w + b)
              + \alpha \left( \rho \|w\|_1 + \tfrac{1 - \rho}{2} \|w\|^2 \right)

    with ρ = 0 for ``penalty="l2"``, 1 for "l1" and `l1_ratio` for "elasticnet". Each step takes one
    row (or `batch_size` rows) and goes against the gradient of its loss. Two classes are one such
    problem, more are one against the rest each, solved side by side.

    It is a method for many rows: a few passes give a good answer, not the best one.
    `certificate_` bounds how far it is from the best. Columns should have mean 0 and variance 1.

    Parameters
    ----------
    loss : {"hinge", "log_loss", "modified_huber", "squared_hinge", "perceptron", \
"squared_error", "huber", "epsilon_insensitive", "squared_epsilon_insensitive"}, default="hinge"
        "hinge" is the linear support vector machine, "log_loss" logistic regression; the last four
        are those of `SGDRegressor` with targets ±1.
    penalty : {"l2", "l1", "elasticnet"} or None, default="l2"
        What keeps the weights small.
    alpha : float in [0, inf), default=0.0001
        Strength of the penalty, and of the schedule "optimal".
    l1_ratio : float in [0, 1] or None, default=0.15
        Share ρ of the ℓ1 norm in "elasticnet".
    fit_intercept : bool, default=True
        Whether to fit b, which is not penalised.
    max_iter : int in [1, inf), default=1000
        Passes over the rows at most.
    tol : float in [0, inf) or None, default=1e-3
        Stop once the objective (or, with `early_stopping`, the score) has not improved by this much
        in `n_iter_no_change` epochs; None: make `max_iter` passes.
    shuffle : bool, default=True
        Whether to take the rows in a new random order each epoch.
    verbose : int in [0, inf), default=0
        For compatibility; nothing is printed.
    epsilon : float in [0, inf), default=0.1
        Threshold of "huber" and of the insensitive losses.
    n_jobs : int or None, default=None
        For compatibility; see `stylobate.set_threads`.
    random_state : int, RandomState or None, default=None
        Seed of the orders. The same seed gives the same bits with any number of threads.
    learning_rate : {"constant", "optimal", "invscaling", "adaptive", "pa1", "pa2"}, \
default="optimal"
        Length η of step t: eta0; 1/(alpha·(t₀ + t)) with Bottou's t₀; eta0/t^power_t; eta0, divided
        by 5 whenever progress stops; or the passive-aggressive steps of Crammer et al., with eta0
        as their C.
    eta0 : float in (0, inf), default=0.01
        See `learning_rate`.
    power_t : float in [0, inf), default=0.5
        See `learning_rate`.
    early_stopping : bool, default=False
        Whether to hold rows out, stratified by class, and stop when accuracy on them no longer
        improves.
    validation_fraction : float in (0, 1), default=0.1
        Share of the rows held out.
    n_iter_no_change : int in [1, inf), default=5
        See `tol`.
    class_weight : mapping, "balanced" or None, default=None
        Factors of the classes' losses.
    warm_start : bool, default=False
        Whether `fit` starts from the last answer.
    average : bool or int in [1, inf), default=False
        Whether `coef_` is the mean of the weights over all steps, or from that step on.
    batch_size : int in [1, inf), default=1
        Rows per step, whose gradients are averaged.

    Attributes
    ----------
    coef_ : array of shape (1, n_features) or (n_classes, n_features)
        Weights.
    intercept_ : array of shape (1,) or (n_classes,)
        Intercepts.
    classes_ : array of shape (n_classes,)
        Labels.
    n_iter_ : int
        Epochs made (the most of any class).
    t_ : float
        Number of the next step.
    certificate_ : Certificate
        How far the objective may be from its minimum, after `fit`.
    trace_ : Trace
        The objective met in each epoch.
    validation_scores_ : array of shape (n_iter_,), or a list of one per class
        The accuracy on the rows held out, after each epoch, with `early_stopping`.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> X = [[-1.0, -1.0], [-2.0, -1.0], [1.0, 1.0], [2.0, 1.0]]
    >>> model = SGDClassifier(random_state=0).fit(X, ["a", "a", "b", "b"])
    >>> model.predict([[-0.8, -1.0], [1.5, 0.5]])
    array(['a', 'b'], dtype='<U1')

    References
    ----------
    Bottou (2012), Stochastic gradient descent tricks. Tsuruoka, Tsujii & Ananiadou (2009), on the
    ℓ1 penalty. Crammer et al. (2006), Online passive-aggressive algorithms, JMLR 7.
    """

    loss_functions: ClassVar[dict[str, str]] = dict(LOSSES)

    def __init__(
        self,
        loss: Annotated[str, Options(*LOSSES)] = "hinge",
        *,
        penalty: Annotated[str, Options(*PENALTIES)] | None = "l2",
        alpha: Annotated[float, Interval(0, inf)] = 0.0001,
        l1_ratio: Annotated[float, Interval(0, 1, "both")] | None = 0.15,
        fit_intercept: bool = True,
        max_iter: Annotated[int, Interval(1, inf)] = 1000,
        tol: Annotated[float, Interval(0, inf)] | None = 1e-3,
        shuffle: bool = True,
        verbose: Annotated[int, Interval(0, inf)] | bool = 0,
        epsilon: Annotated[float, Interval(0, inf)] = 0.1,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        learning_rate: Annotated[str, Options(*SCHEDULES)] = "optimal",
        eta0: Annotated[float, Interval(0, inf, "neither")] = 0.01,
        power_t: Annotated[float, Interval(0, inf)] = 0.5,
        early_stopping: bool = False,
        validation_fraction: Annotated[float, Interval(0, 1, "neither")] = 0.1,
        n_iter_no_change: Annotated[int, Interval(1, inf)] = 5,
        class_weight: Annotated[str, Options("balanced")] | dict[Any, float] | None = None,
        warm_start: bool = False,
        average: bool | Annotated[int, Interval(1, inf)] = False,
        batch_size: Annotated[int, Interval(1, inf)] = 1,
    ) -> None:
        self.loss = loss
        self.penalty = penalty
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.shuffle = shuffle
        self.verbose = verbose
        self.epsilon = epsilon
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.learning_rate = learning_rate
        self.eta0 = eta0
        self.power_t = power_t
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.average = average
        self.batch_size = batch_size

    @_with_probabilities
    def predict_proba(self, X: Any) -> NDArray[Any]:
        """Probabilities of the classes, for the losses "log_loss" and "modified_huber".

        Of each class against the rest, the logistic function of the margin m or (m + 1)/2 cut off
        at 0 and 1; with more than two classes divided by their sum.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes)
        """
        margins = self.decision_function(X)
        if self.loss == "log_loss":
            chance = _logistic(margins)
        else:
            chance = np.clip((margins + 1.0) / 2.0, 0.0, 1.0)
        if chance.ndim == 1:
            return np.column_stack([1.0 - chance, chance])
        total = chance.sum(axis=1, keepdims=True)
        none = total[:, 0] == 0.0
        chance[none], total[none] = 1.0, chance.shape[1]
        return np.asarray(chance / total)

    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.formula.pieces import one_against_rest

        found = super()._formula(columns)
        if not hasattr(self, "predict_proba"):
            return found
        return one_against_rest(found, columns, self.coef_, self.intercept_, self.loss)

    @_with_probabilities
    def predict_log_proba(self, X: Any) -> NDArray[Any]:
        """Logarithms of `predict_proba`.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes)
        """
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))


def _logistic(margins: NDArray[Any]) -> NDArray[Any]:
    small = np.exp(-np.abs(margins))
    return np.asarray(np.where(margins >= 0, 1.0, small) / (1.0 + small))
