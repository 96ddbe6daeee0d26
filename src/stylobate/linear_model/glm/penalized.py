"""Linear regression with any smooth loss and any penalty of each coefficient."""

from __future__ import annotations

import warnings
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator, HasMethods, Interval, Options, RegressorMixin, Tags
from stylobate.base.constraints import Instance
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import ConvergenceWarning, InvalidParameterError, joined
from stylobate.losses import Gamma, HalfSquared, Huber, Logistic, Loss, Poisson, Tweedie
from stylobate.losses.domain import NONNEGATIVE, POSITIVE
from stylobate.losses.named import loss_named
from stylobate.penalties import L1, L2, MCP, SCAD, ElasticNet, Penalty
from stylobate.penalties.weighted import Weighted, read_factors
from stylobate.statistics import Moments, TriangularFactor

if TYPE_CHECKING:
    from stylobate.data import Table
    from stylobate.data.streams import Batch, Stream
    from stylobate.formula.expressions import Answer, Expression
    from stylobate.optimize.penalized import PenalizedProblem, PenalizedSolution, Problem
    from stylobate.optimize.penalized_passes import PenalizedPasses
    from stylobate.optimize.structured import Structured

LOSSES = ("squared_error", "huber", "poisson", "gamma", "log_loss")
PENALTIES: dict[str, Penalty] = {
    "l1": L1(), "l2": L2(), "elasticnet": ElasticNet(0.5, 0.5), "mcp": MCP(), "scad": SCAD(),
}  # fmt: skip
LossArgument = (
    Annotated[str, Options(*LOSSES)]
    | Annotated[Any, Instance(HalfSquared)]
    | Annotated[Any, Instance(Huber)]
    | Annotated[Any, Instance(Poisson)]
    | Annotated[Any, Instance(Gamma)]
    | Annotated[Any, Instance(Tweedie)]
    | Annotated[Any, Instance(Logistic)]
)
PenaltyArgument = (
    Annotated[str, Options(*PENALTIES)]
    | Annotated[Any, Instance(L1)]  # L2 is one
    | Annotated[Any, Instance(ElasticNet)]
    | Annotated[Any, Instance(MCP)]
    | Annotated[Any, Instance(SCAD)]
)


class PenalizedRegression(RegressorMixin, BaseEstimator):
    r"""Linear regression with any smooth loss ℓ and any penalty g of each coefficient.

    .. math:: \min_{w, b} \; \frac{1}{\sum_i \omega_i} \sum_i \omega_i\,\ell(y_i, x_i^\top w + b)
              + \sum_j g_\alpha(w_j)

    Predictions are means: :math:`e^z` for the losses of counts and amounts, a share for "log_loss",
    z itself for the others. `MCP` and `SCAD` select like the lasso but leave large coefficients
    alone. They are not convex: the fit follows strengths that fall from where all coefficients are
    zero, and ends at a stationary point, which `certificate_` measures by its `kkt`. Columns should
    be of one scale, for the penalty treats all alike.

    Parameters
    ----------
    loss : {"squared_error", "huber", "poisson", "gamma", "log_loss"} or Loss, \
default="squared_error"
        A name, or a value of `stylobate.losses`: `HalfSquared`, `Huber`, `Poisson`, `Gamma`,
        `Tweedie`, `Logistic` (of shares y in [0, 1]).
    penalty : {"l1", "l2", "elasticnet", "mcp", "scad"} or Penalty, default="l1"
        A name (of strength 1), or a value of `stylobate.penalties`: `L1`, `L2`, `ElasticNet`,
        `MCP`, `SCAD`.
    alpha : float in [0, inf), default=1.0
        Factor of the penalty's strengths.
    fit_intercept : bool, default=True
        Whether to fit b, which is not penalised.
    positive : bool, default=False
        Whether to keep the coefficients non-negative.
    max_iter : int in [1, inf), default=100
        Newton steps at most.
    tol : float in [0, inf), default=1e-9
        Violation of the optimality conditions to be left, as a share of the steepest slope of the
        mean loss at zero coefficients.
    warm_start : bool, default=False
        Whether `fit` starts from the coefficients of the fit before.
    penalty_factor : array-like of shape (n_features,) of numbers in [0, inf], optional
        Factors of the penalty's strength, one for each column: 0 leaves a column unpenalised,
        infinity leaves it out. They are taken as given (glmnet divides them by their mean).

    Attributes
    ----------
    coef_ : array of shape (n_features,)
        w.
    intercept_ : float
        b.
    n_iter_ : int
        Newton steps made at the strength asked for.
    certificate_ : Certificate
        How close to the minimum the answer is, proved where loss and penalty are convex and
        coefficients free; else `kkt` is what is known.
    trace_ : Trace
        Objective and violation before each step.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.penalties import MCP
    >>> X = np.random.default_rng(0).normal(size=(100, 20))
    >>> y = 3.0 * X[:, 0] - 2.0 * X[:, 1]
    >>> model = PenalizedRegression(penalty=MCP(concavity=3.0), alpha=0.2).fit(X, y)
    >>> np.flatnonzero(model.coef_), model.coef_[:2].round(6)
    (array([0, 1]), array([ 3., -2.]))
    >>> PenalizedRegression(penalty="l1", alpha=0.2).fit(X, y).coef_[:2].round(1)
    array([ 2.8, -1.8])

    References
    ----------
    Zhang (2010), Nearly unbiased variable selection under minimax concave penalty, Annals of
    Statistics 38. Fan & Li (2001), Variable selection via nonconcave penalized likelihood and its
    oracle properties, JASA 96. Breheny & Huang (2011), Coordinate descent algorithms for nonconvex
    penalized regression, Annals of Applied Statistics 5.
    """

    coef_: NDArray[np.float64]
    intercept_: float

    def __init__(
        self,
        loss: LossArgument = "squared_error",
        *,
        penalty: PenaltyArgument = "l1",
        alpha: Annotated[float, Interval(0, inf)] = 1.0,
        fit_intercept: bool = True,
        positive: bool = False,
        max_iter: Annotated[int, Interval(1, inf)] = 100,
        tol: Annotated[float, Interval(0, inf)] = 1e-9,
        warm_start: bool = False,
        penalty_factor: Annotated[Any, HasMethods("__len__")] | None = None,
    ) -> None:
        self.loss = loss
        self.penalty = penalty
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.positive = positive
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
        self.penalty_factor = penalty_factor

    def _tags(self) -> Tags:
        positive = squared = False
        try:
            loss = self._loss_value()
            positive, squared = loss.domain in (NONNEGATIVE, POSITIVE), type(loss) is HalfSquared
        except (AttributeError, KeyError, TypeError):  # parameters not yet checked
            pass
        # a triangular factor tells all of squared errors
        tier = "one pass" if squared else "one pass per iteration"
        return super()._tags().but(sparse=True, positive_y=positive, tier=tier)

    def _loss_value(self) -> Loss:
        return loss_named(self.loss) if isinstance(self.loss, str) else self.loss

    def _own_penalty(self) -> Penalty:
        return PENALTIES[self.penalty] if isinstance(self.penalty, str) else self.penalty

    def _penalty_of(self, n_features: int) -> Penalty | Structured:
        """The penalty of strength 1 of all columns, with their factors."""
        owner = type(self).__name__
        factors = read_factors(getattr(self, "penalty_factor", None), n_features, owner)
        own = self._own_penalty()
        if factors is None:
            return own
        if self.positive and (factors == 0.0).any():
            raise InvalidParameterError(
                f"{owner}: with positive=True a penalty_factor must not be 0, as for column "
                f"{int(np.argmin(factors))}; a small one leaves a coefficient nearly free."
            )
        return Weighted(own, factors)

    # --- fitting ----------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to rows in memory.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows of numbers.
        y : array-like of shape (n,)
            Target, within the domain of the loss.
        sample_weight : array-like of shape (n,) or float, optional
            Non-negative weights; a row of weight 0 is no row.

        Returns
        -------
        self
        """
        self._check_parameters()
        start = self.coef_ if self.warm_start and hasattr(self, "coef_") else None
        table = self._read(X, y, sample_weight, reset=True)
        self.intercept_ = self._solve(self._problem(table), start)
        return self

    def _fit_stream(self, stream: Stream) -> Self:
        """Squared errors by one pass, other losses by one for every Newton step."""
        self._check_parameters()
        start = self.coef_ if self.warm_start and hasattr(self, "coef_") else None
        if type(self._loss_value()) is not HalfSquared:
            self.intercept_ = self._solve(self._problem_of_stream(stream), start)
            return self
        # as many rows as columns, of one pass, have the same sums
        factor = self._source(stream).compute(TriangularFactor)
        first = factor.r[0]
        self._solve(self._problem_of_factor(factor), start)
        self.intercept_ = 0.0
        if self.fit_intercept:
            self.intercept_ = float((first[-1] - first[1:-1] @ self.coef_) / first[0])
        return self

    def _solve(self, problem: Problem, start: NDArray[np.float64] | None) -> float:
        """Solve and store; returns the intercept."""
        from stylobate.optimize.penalized import certify_penalized, solve_from_afar

        if start is not None and len(start) == problem.n_features:
            found = problem.solve(start, float(self.intercept_))
        else:
            found = solve_from_afar(problem)
        self.coef_ = found.coef
        self.n_iter_ = max(found.iterations, 1)
        self.trace_ = found.trace
        self.certificate_ = certify_penalized(problem, found)
        self._warn_unless_converged(problem, found)
        return float(found.intercept)

    def path(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        alphas: Any = 100,
        eps: float = 1e-3,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Coefficients at many strengths, each from the answer before; the model is not changed.

        Parameters
        ----------
        X, y, sample_weight
            As of `fit`.
        alphas : int or array-like, default=100
            How many factors of the penalty, from where no coefficient is left, or which ones.
        eps : float in (0, 1), default=1e-3
            The smallest factor as a share of the largest.

        Returns
        -------
        alphas : array of shape (k,)
            From large to small.
        coefs : array of shape (n_features, k)
        intercepts : array of shape (k,)

        Examples
        --------
        >>> X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0]])
        >>> model = PenalizedRegression(penalty="mcp")
        >>> alphas, coefs, _ = model.path(X, [0.0, 1.0, 2.0, 3.0], alphas=[2.0, 0.3])
        >>> coefs.round(3)
        array([[0., 1.],
               [0., 0.]])
        """
        from stylobate.optimize.penalized import penalized_path

        self._check_parameters()
        table = type(self)()._read(X, y, sample_weight, reset=True)
        problem = replace(self._problem(table), penalty=self._penalty_of(table.n_features))
        factors = self._factors(problem, alphas, eps)
        coefs, intercepts = penalized_path(problem, factors)
        return factors, np.ascontiguousarray(coefs.T), intercepts

    def _factors(self, problem: PenalizedProblem, alphas: Any, eps: float) -> NDArray[np.float64]:
        if np.ndim(alphas) == 1:
            given = np.sort(np.asarray(alphas, dtype=np.float64))[::-1]
            if not len(given) or not (given >= 0.0).all() or not np.isfinite(given).all():
                raise InvalidParameterError(
                    f"{type(self).__name__}.path: alphas must be finite numbers of at least 0, got "
                    f"{alphas!r}."
                )
            return np.ascontiguousarray(given)
        largest = problem.largest_factor()
        if not 0.0 < largest < inf:
            raise InvalidParameterError(
                f"{type(self).__name__}.path: no strength sets all coefficients of this penalty to "
                "zero, so that no grid can start there; give the alphas."
            )
        return np.geomspace(largest, eps * largest, int(alphas))

    def _problem(self, table: Table) -> PenalizedProblem:
        assert table.y is not None
        target = np.ascontiguousarray(table.y[:, 0], dtype=np.float64)
        self._loss_value().require_target(target, type(self).__name__)
        return self._problem_of(table.x, target, table.weights, intercept=bool(self.fit_intercept))

    def _problem_of_factor(self, factor: TriangularFactor) -> PenalizedProblem:
        """R of the (centred) rows in place of them: ‖R_y − R_x w‖² is their sum of squares."""
        r = factor.r[1:, 1:] if self.fit_intercept else factor.without_ones()[0]
        rows = np.asarray(r) * np.sqrt(len(r) / factor.weight)  # means over them are the rows' own
        return self._problem_of(
            np.ascontiguousarray(rows[:, :-1]), rows[:, -1].copy(), None, intercept=False
        )

    def _problem_of(
        self, x: Any, y: NDArray[np.float64], weights: Any, *, intercept: bool
    ) -> PenalizedProblem:
        from stylobate.optimize.penalized import PenalizedProblem

        return PenalizedProblem(
            x,
            y,
            weights,
            self._loss_value(),
            self._penalty_of(int(x.shape[1])).scaled(float(self.alpha)),
            positive=bool(self.positive),
            fit_intercept=intercept,
            tol=float(self.tol),
            max_iter=int(self.max_iter),
        )

    def _problem_of_stream(self, stream: Stream) -> PenalizedPasses:
        """The problem over passes; one pass tells the means and scatter of the columns."""
        from stylobate.base.batches import refuse_read_once
        from stylobate.optimize.penalized_passes import PenalizedPasses

        owner, loss, read = type(self).__name__, self._loss_value(), self._batch_reader()
        refuse_read_once(stream.repeatable, owner)

        def within_domain(batch: Batch) -> Table:
            table = read(batch)
            assert table.y is not None
            loss.require_target(np.ascontiguousarray(table.y[:, 0], dtype=np.float64), owner)
            return table

        source = self._source(stream, within_domain)
        return PenalizedPasses(
            source,
            source.compute(Moments),
            loss,
            self._penalty_of(source.n_features).scaled(float(self.alpha)),
            positive=bool(self.positive),
            fit_intercept=bool(self.fit_intercept),
            tol=float(self.tol),
            max_iter=int(self.max_iter),
        ).begun()

    def _warn_unless_converged(self, problem: Problem, found: PenalizedSolution) -> None:
        if found.converged or found.violation <= problem.rounding(found.coef, found.intercept):
            return
        warnings.warn(
            f"{type(self).__name__}: stopped after {found.iterations} Newton steps; an optimality "
            f"condition is violated by {self.certificate_.kkt:.2g} of the steepest slope, the "
            f"tolerance asked for was {self.tol:g}. Raise max_iter, scale the columns to one size, "
            "or raise alpha.",
            joined(ConvergenceWarning),
            stacklevel=user_stacklevel(),
        )

    # --- predicting -------------------------------------------------------------------------------

    def predict(self, X: Any) -> NDArray[Any]:
        """Predicted means.

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
        z = np.asarray(table.x @ self.coef_.astype(kind) + kind.type(self.intercept_))
        return np.asarray(self._loss_value().link.mean(z)).astype(kind)

    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.formula.pieces import linear_answer, through_link

        line = linear_answer(columns, self.coef_, self.intercept_)
        return through_link(line, self._loss_value().link.name)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        r"""D², the share of the loss explained; R² for the squared loss.

        .. math:: D^2 = 1 - \frac{\sum_i \omega_i (\ell(y_i, z_i) - \min \ell(y_i, \cdot))}
                  {\sum_i \omega_i (\ell(y_i, \bar z) - \min \ell(y_i, \cdot))}

        with the best constant :math:`\bar z`.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Rows to predict.
        y : array-like of shape (n,)
            What they really are.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights of the rows.

        Returns
        -------
        float
            In (-inf, 1]: 1 is perfect, 0 no better than a constant.
        """
        self._check_fitted()
        table = self._read(X, y, sample_weight, reset=False, y_required=True)
        assert table.y is not None
        loss, target = self._loss_value(), table.y[:, 0]
        loss.require_target(target, f"{type(self).__name__}.score")
        w = np.ones(len(target)) if table.weights is None else table.weights
        z = np.asarray(table.x @ self.coef_ + self.intercept_, dtype=np.float64)
        constant = loss.baseline(target, table.weights)
        unexplained, total = (float(w @ loss.deviance(target, each)) for each in (z, constant))
        if total == 0.0:
            return 1.0 if unexplained == 0.0 else 0.0
        return 1.0 - unexplained / total
