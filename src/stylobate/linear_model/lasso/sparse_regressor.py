"""What the lasso and the elastic net share: fitting, storing, and what can be said of the fit."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base.validation import input_names
from stylobate.data import Table
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import NumericalError, StylobateWarning
from stylobate.linear_model.lasso.selection_summary import AFTER_SELECTION, SelectionSummary
from stylobate.linear_model.shared.regressor import LinearRegressor
from stylobate.optimize import elastic_net as en
from stylobate.statistics import Moments, Source, refuse_out_of_range, rows_at_hand
from stylobate.statistics.rows import counted

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from stylobate.inference import LinearFit


SOLVERS = ("auto", *en.SOLVERS)
EXACT = 1e-7  # relative gap the default solver goes down to: it costs an epoch or two more
_NEARLY_PERFECT = 1e-8  # 1 − R² below which residuals from moments have lost their digits


class SparseLinearRegressor(LinearRegressor):
    """Squared error with an ℓ1 or elastic-net penalty: some coefficients are exactly zero."""

    _flat_single_target = True
    _easier = "larger alpha"  # what makes the problem easier to solve, in words
    positive: bool
    penalty_factor: Any = None
    tol: float
    max_iter: int
    selection: str
    random_state: Any
    n_iter_: Any

    @property
    def _statistic(self) -> type[Any]:
        return Moments

    @property
    def _needs_rows(self) -> bool:
        if self.penalty_factor is not None:
            return True
        solver = getattr(self, "solver", "auto")
        return solver != "auto" and solver not in en.FROM_MOMENTS

    # --- solving ----------------------------------------------------------------------------------

    def _seed(self) -> int | None:
        """The seed of the order of coordinates; None for one after the other."""
        if self.selection == "cyclic":
            return None
        state = self.random_state
        if isinstance(state, np.random.Generator):
            return int(state.integers(2**32))
        if not isinstance(state, np.random.RandomState):
            state = np.random.RandomState(state)
        return int(state.randint(2**32, dtype=np.uint64))

    def _fit_at(
        self, source: Source, alpha: float, l1_ratio: float, moments: Moments | None = None
    ) -> None:
        """Solve at one penalty and store the answer."""
        if self.penalty_factor is not None:
            from stylobate.linear_model.lasso.column_factors import fit_with_factors

            fit_with_factors(self, source, alpha, l1_ratio)
            return
        if alpha == 0.0 or l1_ratio == 0.0:
            self._fit_without_selection(source, alpha, moments)
            return
        asked = getattr(self, "solver", "auto")
        name, reason = (asked, "asked for") if asked != "auto" else self._choose(source)
        problem = en.ElasticNetProblem(
            np.array([alpha], dtype=np.float64),
            float(l1_ratio),
            intercept=self.fit_intercept,
            positive=self.positive,
            tol=min(self.tol, EXACT) if asked == "auto" else self.tol,
            max_iter=self.max_iter,
            start=getattr(self, "_start", None),
            seed=self._seed(),
        )
        if name in en.FROM_MOMENTS:
            moments = source.compute(Moments) if moments is None else moments
            self.statistic_ = moments
            problem = replace(problem, moments=moments)
            solution = en.solve(problem, name)
            if (
                asked == "auto"
                and source.capabilities.rows_in_memory
                and _nearly_perfect(problem, solution)
            ):
                name, reason = "coordinate_descent", "a nearly perfect fit: back to the rows"
        if name not in en.FROM_MOMENTS:
            table, measures = measured(source.rows(), intercept=self.fit_intercept)
            problem = replace(problem, table=table, moments=None, measures=measures)
            solution = en.solve(problem, name)
        self._keep(solution, problem, source.y_is_vector)
        self.solver_, self.solver_reason_ = name, reason
        if not solution.converged(replace(problem, tol=self.tol)):
            self._warn_unfinished()

    def _choose(self, source: Source) -> tuple[str, str]:
        precompute = getattr(self, "precompute", False)
        gram_wanted = precompute is True or isinstance(precompute, np.ndarray)
        if gram_wanted and source.capabilities.rows_in_memory:
            return "gram", "precompute asks for the Gram"
        return en.choose(rows_at_hand(source))

    def _fit_without_selection(
        self, source: Source, alpha: float, moments: Moments | None = None
    ) -> None:
        """Least squares or ridge regression, which is what no ℓ1 penalty means."""
        from stylobate.linear_model.least_squares.request import LinearRequest
        from stylobate.linear_model.least_squares.solution import solve

        name = type(self).__name__
        if alpha == 0.0:
            warnings.warn(
                f"{name}: with alpha=0 there is no penalty and no coefficient is set to zero; the "
                "answer is that of least squares, which LinearRegression gives with standard "
                "errors.",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )
        if not source.capabilities.rows_in_memory and moments is None:
            moments = source.compute(Moments)
        n = _weight(source, moments)
        request = LinearRequest(name, n * alpha, self.fit_intercept, positive=self.positive)
        solved = solve(source, request, moments)
        coef = np.ascontiguousarray(solved.solution.coef.T)
        if solved.moments is not None:
            self.statistic_ = solved.moments
        self._shape(coef, np.asarray(solved.intercept), source.y_is_vector)
        proof = solved.solution.certificate
        self.certificate_ = replace(
            proof,
            objective=en.OBJECTIVE,
            primal=proof.primal / (2 * n),
            dual=proof.dual / (2 * n),
            gap=proof.gap / (2 * n),
        )
        self.dual_gap_ = _per_target(np.full(len(coef), self.certificate_.gap / len(coef)))
        self.n_iter_ = 1 if len(coef) == 1 else [1] * len(coef)
        self.trace_, self.solver_ = None, solved.solver
        self.solver_reason_ = f"no ℓ1 penalty: {'ridge' if alpha > 0.0 else 'least squares'}"

    # --- storing ----------------------------------------------------------------------------------

    def _keep(
        self,
        solution: en.ElasticNetSolution,
        problem: en.ElasticNetProblem,
        is_vector: bool,
        step: int = 0,
    ) -> None:
        """Store the answer at one penalty of a path."""
        self._shape(solution.coef[:, step], solution.intercept[:, step], is_vector)
        self.certificate_ = solution.certificate(problem, step)
        self.dual_gap_ = _per_target(solution.gap[:, step])
        counts = solution.iterations[:, step].tolist()
        self.n_iter_ = counts[0] if len(counts) == 1 else counts
        self.trace_ = solution.trace

    def _shape(self, coef: Array, intercept: Array, is_vector: bool) -> None:
        self.coef_ = coef[0].copy() if len(coef) == 1 else coef.copy()
        self.intercept_ = np.float64(intercept[0]) if is_vector else intercept
        if not self.fit_intercept:
            self.intercept_ = 0.0

    def _warn_unfinished(self) -> None:
        from stylobate.linear_model.shared.convergence import warn_not_converged

        count = self.n_iter_ if isinstance(self.n_iter_, int) else max(self.n_iter_)
        warn_not_converged(
            type(self).__name__,
            self.solver_,
            count,
            self.certificate_,
            tol=self.tol,
            advice=f"Raise max_iter, scale the columns to one size, or use a {self._easier}.",
        )

    def _start_afresh(self) -> None:
        """Drop what an earlier fit learnt, but remember where to start if asked to."""
        before = getattr(self, "coef_", None) if getattr(self, "warm_start", False) else None
        super()._start_afresh()
        vars(self).pop("_start", None)
        if before is not None:
            self._start = np.atleast_2d(np.asarray(before, dtype=np.float64))

    def _forget_start(self) -> Self:
        vars(self).pop("_start", None)
        return self

    # --- what can be said -------------------------------------------------------------------------

    @property
    def sparse_coef_(self) -> csr_array[Any]:
        """Coefficients as a sparse array of shape (1, p) or (n_targets, p)."""
        from scipy.sparse import csr_array

        self._check_fitted()
        return csr_array(np.atleast_2d(self.coef_))

    def summary(self, *args: Any, target: int = 0, **kwargs: Any) -> SelectionSummary:  # type: ignore[override]
        """The selected coefficients, the objective and its certificate; print it for a table.

        There are no standard errors and no p values: the data chose the columns and shrank their
        coefficients, so that the usual ones would be too small.

        Parameters
        ----------
        *args, **kwargs
            Accepted for the sake of `LinearRegression.summary`; there is no covariance to choose.
        target : int, default=0
            Which target, if there are several.

        Returns
        -------
        SelectionSummary
        """
        self._check_fitted()
        coef, intercept = np.atleast_2d(self.coef_), np.atleast_1d(self.intercept_)
        return SelectionSummary(
            model=type(self).__name__,
            names=tuple(map(str, input_names(self))),
            coef=coef[target],
            intercept=float(intercept[min(target, len(intercept) - 1)]),
            has_intercept=self.fit_intercept,
            certificate=self.certificate_,
        )

    def linear_fit(self, target: int = 0) -> LinearFit:
        """Refused: see `summary`."""
        raise NumericalError(f"{type(self).__name__}: {AFTER_SELECTION}")

    def leverages(self, X: Any, sample_weight: Any = None, *, target: int = 0) -> Array:
        """Refused: see `summary`."""
        raise NumericalError(f"{type(self).__name__}: {AFTER_SELECTION}")


def readable(table: Table) -> Table:
    """The rows as solvers on rows take them: finite, in range, none of weight zero."""
    if not table.finite:
        table.refuse_nonfinite()
    table = counted(table)
    refuse_out_of_range(table)
    return table


def measured(table: Table, *, intercept: bool) -> tuple[Table, en.Measures | None]:
    """The same as `readable`; of dense rows by one reading, which gives their sums too."""
    if table.is_sparse or table.n_rows == 0:
        return readable(table), None
    table = counted(table)
    measures = en.Measures.of(table, intercept=intercept)
    if not measures.is_finite:  # a NaN is to be named, and so is a column that cannot be squared
        return readable(table), None
    refuse_out_of_range(table, measures.lengths())
    return table, measures


def _nearly_perfect(problem: en.ElasticNetProblem, solution: en.ElasticNetSolution) -> bool:
    """Whether what is left of the target is too small to be a difference of moments."""
    squares = problem.squares() / (2.0 * problem.weight)
    return bool((solution.primal[:, 0] <= _NEARLY_PERFECT * squares).any())


def _weight(source: Source, moments: Moments | None) -> float:
    if moments is not None:
        return moments.weight
    weights = source.rows().weights
    return float(source.rows().n_rows if weights is None else weights.sum())


def _per_target(values: Array) -> Any:
    return float(values[0]) if len(values) == 1 else values
