"""Linear regression by stochastic gradient descent."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import Interval, Options, RandomState, RegressorMixin
from stylobate.linear_model.stochastic.model import (
    LOSSES,
    PENALTIES,
    REGRESSION_LOSSES,
    SCHEDULES,
    StochasticLinear,
    formula_of,
)

if TYPE_CHECKING:
    from stylobate.data import Table
    from stylobate.data.streams import Stream
    from stylobate.formula.expressions import Answer, Expression
    from stylobate.optimize.sgd import SgdProblem


class SGDRegressor(RegressorMixin, StochasticLinear):
    r"""Linear regression with any of several losses, fitted row by row.

    .. math:: \min_{w, b} \; \frac1n \sum_i \omega_i\,\ell(y_i, x_i^\top w + b)
              + \alpha \left( \rho \|w\|_1 + \tfrac{1 - \rho}{2} \|w\|^2 \right)

    with ρ = 0 for ``penalty="l2"``, 1 for "l1" and `l1_ratio` for "elasticnet". A method for many
    rows: a few passes give a good answer, not the best one; `certificate_` bounds how far it is
    from the best. Columns should have mean 0 and variance 1.

    Parameters
    ----------
    loss : {"squared_error", "huber", "epsilon_insensitive", "squared_epsilon_insensitive"}, \
default="squared_error"
        ½(y − z)²; the same up to `epsilon` and linear beyond; max(|y − z| − epsilon, 0), or its
        square.
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
        Threshold of the losses but the first.
    random_state : int, RandomState or None, default=None
        Seed of the orders. The same seed gives the same bits with any number of threads.
    learning_rate : {"constant", "optimal", "invscaling", "adaptive", "pa1", "pa2"}, \
default="invscaling"
        Length η of step t: eta0; 1/(alpha·(t₀ + t)) with Bottou's t₀; eta0/t^power_t; eta0, divided
        by 5 whenever progress stops; or the passive-aggressive steps of Crammer et al., with eta0
        as their C.
    eta0 : float in (0, inf), default=0.01
        See `learning_rate`.
    power_t : float in [0, inf), default=0.25
        See `learning_rate`.
    early_stopping : bool, default=False
        Whether to hold rows out and stop when R² on them no longer improves.
    validation_fraction : float in (0, 1), default=0.1
        Share of the rows held out.
    n_iter_no_change : int in [1, inf), default=5
        See `tol`.
    warm_start : bool, default=False
        Whether `fit` starts from the last answer.
    average : bool or int in [1, inf), default=False
        Whether `coef_` is the mean of the weights over all steps, or from that step on.
    batch_size : int in [1, inf), default=1
        Rows per step, whose gradients are averaged.

    Attributes
    ----------
    coef_ : array of shape (n_features,)
        Weights.
    intercept_ : array of shape (1,)
        Intercept.
    n_iter_ : int
        Epochs made.
    t_ : float
        Number of the next step.
    certificate_ : Certificate
        How far the objective may be from its minimum, after `fit`.
    trace_ : Trace
        The objective met in each epoch.
    validation_scores_ : array of shape (n_iter_,)
        The R² on the rows held out, after each epoch, with `early_stopping`.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(200, 2))
    >>> model = SGDRegressor(random_state=0).fit(X, X @ [1.0, -2.0] + 3.0)
    >>> model.coef_.round(1), model.intercept_.round(1)
    (array([ 1., -2.]), array([3.]))

    References
    ----------
    Bottou (2012), Stochastic gradient descent tricks. Tsuruoka, Tsujii & Ananiadou (2009), on the
    ℓ1 penalty. Crammer et al. (2006), Online passive-aggressive algorithms, JMLR 7.
    """

    loss_functions: ClassVar[dict[str, str]] = {name: LOSSES[name] for name in REGRESSION_LOSSES}
    _passive_aggressive_loss = "epsilon_insensitive"

    def __init__(
        self,
        loss: Annotated[str, Options(*REGRESSION_LOSSES)] = "squared_error",
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
        random_state: RandomState = None,
        learning_rate: Annotated[str, Options(*SCHEDULES)] = "invscaling",
        eta0: Annotated[float, Interval(0, inf, "neither")] = 0.01,
        power_t: Annotated[float, Interval(0, inf)] = 0.25,
        early_stopping: bool = False,
        validation_fraction: Annotated[float, Interval(0, 1, "neither")] = 0.1,
        n_iter_no_change: Annotated[int, Interval(1, inf)] = 5,
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
        self.random_state = random_state
        self.learning_rate = learning_rate
        self.eta0 = eta0
        self.power_t = power_t
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.warm_start = warm_start
        self.average = average
        self.batch_size = batch_size

    def fit(
        self,
        X: Any,
        y: Any,
        coef_init: Any = None,
        intercept_init: Any = None,
        sample_weight: Any = None,
    ) -> Self:
        """Fit by stochastic gradient descent.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows, best with columns of mean 0 and variance 1.
        y : array-like of shape (n,)
            Targets.
        coef_init : array-like of shape (n_features,), optional
            Weights to start from.
        intercept_init : float or array-like of shape (1,), optional
            Intercept to start from.
        sample_weight : array-like of shape (n,), optional
            Factors of the rows' losses; a row of weight 0 is no row.

        Returns
        -------
        self
        """
        self._check_parameters()
        self._refuse_unsuitable(partial=False)
        table = self._read(X, y, sample_weight, reset=True)
        self._start(1, coef_init, intercept_init)
        problem = _problem(table, *self._split(table, None))
        reports = self._descend(problem, partial=False, squared_score=True)
        self._flatten()
        lost = self._certify(problem)
        self._warn_unless_converged(reports, lost=lost)
        return self

    def _fit_stream(self, stream: Stream) -> Self:
        """A pass for every epoch, and two for the certificate."""
        if self._needs_rows:
            return super()._fit_stream(stream)
        self._check_parameters()
        self._refuse_unsuitable(partial=False)
        source = self._windows_of(stream)
        self._start(1, None, None)
        reports = self._descend_passes(source, None)
        lost = self._certify_answers(source, self.coef_, self.intercept_, [None])
        self._flatten()
        self._warn_unless_converged(reports, lost=lost)
        return self

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """One pass over some rows, from where the last call stopped.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            Their targets.
        sample_weight : array-like of shape (n,), optional
            Factors of the rows' losses.

        Returns
        -------
        self
        """
        self._check_parameters()
        self._refuse_unsuitable(partial=True)
        first = not hasattr(self, "coef_")
        table = self._read(X, y, sample_weight, reset=first, y_required=True)
        if first:
            self._start(1, None, None)
        rows = np.arange(table.n_rows) if table.weights is None else np.flatnonzero(table.weights)
        self._descend(_problem(table, rows, rows[:0]), partial=True, squared_score=True)
        self._flatten()
        vars(self).pop("certificate_", None)  # of rows of another fit
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Predicted targets, Xw + b.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        kind = table.x.dtype
        coef = self.coef_.toarray().ravel() if hasattr(self.coef_, "toarray") else self.coef_
        return np.asarray(table.x @ coef.astype(kind) + self.intercept_.astype(kind))

    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.formula.pieces import linear_answer

        return linear_answer(columns, self.coef_, self.intercept_)

    def sparsify(self) -> Self:
        """Hold the coefficients as a SciPy sparse array; worth it when most are zero."""
        from scipy import sparse

        self._check_fitted()
        self.coef_ = sparse.csr_array(np.atleast_2d(self.densify().coef_))
        return self

    def densify(self) -> Self:
        """Undo `sparsify`."""
        self._check_fitted()
        if hasattr(self.coef_, "toarray"):
            self.coef_ = self.coef_.toarray().ravel()
        return self

    def _flatten(self) -> None:
        self.coef_ = self.coef_[0]

    def _certify(self, problem: SgdProblem) -> bool:
        """Set the certificate; true if the answer is far worse than weights of zero."""
        from stylobate.optimize.linear_gap import LinearObjective, bounds, certify, diverged

        l1, l2 = self._penalties()
        objective = LinearObjective(self._loss_value(), l1, l2, bool(self.fit_intercept))
        problem = problem.learnt()
        shares = np.ones(len(problem.y)) if problem.weights is None else problem.weights
        part = bounds(
            objective,
            problem.x,
            problem.y,
            shares / len(problem.y),
            self.coef_,
            float(self.intercept_[0]),
        )
        self.certificate_ = certify(formula_of(self.loss, l1, l2), [part], l2, self.coef_)
        return diverged([part])


def _problem(table: Table, train: Any, held: Any) -> SgdProblem:
    from stylobate.optimize.sgd import SgdProblem

    assert table.y is not None
    return SgdProblem(table.x, table.y[:, 0].copy(), table.weights, None, train, held)
