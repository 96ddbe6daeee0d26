"""Linear support vector regression."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any, Self

from stylobate.base import Interval, Options, RandomState, RegressorMixin, Tags
from stylobate.base.randomness import seed_of
from stylobate.linear_model.shared.predictions import LinearPredictions
from stylobate.losses.named import loss_named
from stylobate.optimize.certificate import Certificate
from stylobate.statistics import Source
from stylobate.svm.linear.choice import SOLVERS, MarginRequest, refuse_combination, solve_margins
from stylobate.svm.linear.fit import store
from stylobate.svm.linear.problem import LinearMachines, MarginObjective


class LinearSVR(LinearPredictions, RegressorMixin):
    r"""Linear support vector regression.

    .. math:: \min_{w, b} \; \tfrac12 \|w\|^2 + \tfrac12 (b/s)^2
              + C \sum_i \omega_i\,\ell(|y_i - x_i^\top w - b|)

    with :math:`\ell(r) = \max(0, r - \varepsilon)` or its square: errors up to ε cost nothing. The
    intercept is penalised, as a weight of one more column of the constant value s
    (`intercept_scaling`).

    The squared loss is solved by semismooth Newton steps, each one pass over the rows, so that rows
    may also be read from a stream; the other by a quadratic program of the rows near the edge of
    the tube, exactly. ``certificate_`` bounds how far the objective may be from its minimum.

    Parameters
    ----------
    epsilon : float in [0, inf), default=0.0
        Half the width of the tube, in units of y.
    tol : float in (0, inf), default=1e-4
        The relative gap to be proved is 0.01·tol; most methods reach far less.
    C : float in (0, inf), default=1.0
        Weight of the losses; small values mean a strong penalty.
    loss : {"epsilon_insensitive", "squared_epsilon_insensitive"}, default="epsilon_insensitive"
        ℓ.
    fit_intercept : bool, default=True
        Whether there is b.
    intercept_scaling : float in (0, inf), default=1.0
        s; the larger, the less b is penalised.
    dual : {"auto"} or bool, default="auto"
        For compatibility: combinations that LIBLINEAR has no method for are refused as in
        scikit-learn; which form is solved does not change the answer.
    verbose : int in [0, inf), default=0
        For compatibility; nothing is printed.
    random_state : int, RandomState or None, default=None
        Seed of the orders of rows in "dual" and "pegasos".
    max_iter : int in [0, inf), default=1000
        Steps, or passes over the rows, at most.
    solver : {"auto", "newton", "dual", "pegasos"}, default="auto"
        As of `LinearSVC`.

    Attributes
    ----------
    coef_ : array of shape (n_features,)
        Weights.
    intercept_ : array of shape (1,), or 0.0
        b.
    n_iter_ : int
        Steps or passes made.
    solver_, solver_reason_ : str
        The method, and why.
    certificate_ : Certificate
        Primal and dual value, and the gap between them.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> model = LinearSVR(C=100.0, epsilon=0.1).fit([[0.0], [1.0], [2.0]], [0.1, 1.1, 2.1])
    >>> [round(float(value), 6) for value in model.predict([[0.0], [2.0]])]
    [0.2, 2.0]
    >>> model.certificate_.optimal
    True

    References
    ----------
    Drucker, Burges, Kaufman, Smola & Vapnik (1996), Support vector regression machines, NIPS. Ho &
    Lin (2012), Large-scale linear support vector regression, JMLR 13.
    """

    certificate_: Certificate
    n_iter_: int

    def __init__(
        self,
        *,
        epsilon: Annotated[float, Interval(0, inf)] = 0.0,
        tol: Annotated[float, Interval(0, inf, "neither")] = 1e-4,
        C: Annotated[float, Interval(0, inf, "neither")] = 1.0,
        loss: Annotated[
            str, Options("epsilon_insensitive", "squared_epsilon_insensitive")
        ] = "epsilon_insensitive",
        fit_intercept: bool = True,
        intercept_scaling: Annotated[float, Interval(0, inf, "neither")] = 1.0,
        dual: bool | Annotated[str, Options("auto")] = "auto",
        verbose: Annotated[int, Interval(0, inf)] | bool = 0,
        random_state: RandomState = None,
        max_iter: Annotated[int, Interval(0, inf)] = 1000,
        solver: Annotated[str, Options(*SOLVERS)] = "auto",
    ) -> None:
        self.epsilon = epsilon
        self.tol = tol
        self.C = C
        self.loss = loss
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.dual = dual
        self.verbose = verbose
        self.random_state = random_state
        self.max_iter = max_iter
        self.solver = solver

    def _tags(self) -> Tags:
        tier = "all rows" if self._needs_rows else "one pass per iteration"
        return super()._tags().but(sparse=True, tier=tier)

    @property
    def _needs_rows(self) -> bool:
        smooth = self.loss == "squared_epsilon_insensitive"
        return not smooth or self.solver not in ("auto", "newton")

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit to rows in memory.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows of numbers.
        y : array-like of shape (n,)
            Targets.
        sample_weight : array-like of shape (n,) or float, optional
            Non-negative factors of the rows' losses; a row of weight 0 is no row.

        Returns
        -------
        self
        """
        return super().fit(X, y, sample_weight)

    def _learn(self, source: Source) -> None:
        name = type(self).__name__
        refuse_combination(name, self.loss, "l2", self.dual)
        scaling = float(self.intercept_scaling) if self.fit_intercept else 0.0
        loss = loss_named(self.loss, float(self.epsilon))
        objective = MarginObjective(loss, float(self.C), scaling)
        request = MarginRequest(
            name,
            self.loss,
            "l2",
            self.solver,
            float(self.tol),
            self.max_iter,
            seed_of(self.random_state),
        )
        found, solver, reason = solve_margins(source, objective, [None], request)
        store(self, LinearMachines.of(objective, found), solver, reason, request)
        self.coef_ = self.coef_.ravel()
