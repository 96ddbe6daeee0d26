"""Any smooth loss with any penalty over rows that are not in memory: one pass per Newton step.

The steps are those of `solve_penalized`: the loss is replaced by its second-order model, the
intercept eliminated, and the model is minimised with the penalty. A pass tells the loss, its
gradient and its Hessian at the end of a step; a step that went up is taken again with larger
curvatures, which takes one more pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf
from typing import ClassVar, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.losses import HalfSquared, Huber, Loss
from stylobate.optimize.linear_gap import Bounds, LinearObjective
from stylobate.optimize.linear_gap_passes import LinearAnswer, bounds_by_passes
from stylobate.optimize.penalized import PenalizedProblem, PenalizedSolution, slope_sizes
from stylobate.optimize.structured import Structured
from stylobate.optimize.trace import Trace
from stylobate.parallel import one_blas_thread
from stylobate.penalties import Penalty
from stylobate.penalties.sparse_group import SparseGroup
from stylobate.penalties.weighted import Weighted
from stylobate.statistics import LossAt, LossStep, Moments, Source
from stylobate.statistics.rows import counted

_INNER = 0.01  # violation left by the model's minimum, of the loss's own
_BENDS = (0.02, 0.1, 0.5, 1.0, 4.0, 16.0)  # of the largest curvature a loss can have
_GROWTH, _ATTEMPTS = 4.0, 20  # of curvatures without such a bound
_ROUNDING = 1e-14  # of the objective: a rise that is none
_PATIENCE = 3  # steps that change nothing before we give up
_TINY_ROOT = 1e-14  # of the largest eigenvalue: what rounding leaves of a zero one
_NULL_STEPS, _NULL_ACCURACY = 20, 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A point (its intercept that of centred columns), the objective and the loss's derivatives."""

    coef: Array
    intercept: float
    objective: float
    gradient: Array
    hessian: Array


@dataclass(frozen=True, slots=True, eq=False)
class PenalizedPasses:
    """A `PenalizedProblem` whose rows are those of a source.

    Parameters
    ----------
    source : Source
        Rows that can be passed over again, with one target.
    moments : Moments
        Of them.
    null : Place, optional
        Of no coefficients and the best intercept, which `begun` finds.
    loss, penalty, positive, fit_intercept, tol, max_iter
        As of `PenalizedProblem`.
    """

    source: Source
    moments: Moments
    loss: Loss
    penalty: Penalty | Structured
    positive: bool = False
    fit_intercept: bool = True
    tol: float = 1e-6
    max_iter: int = 100
    null: Place | None = None

    def begun(self) -> Self:
        """The problem with its answer without coefficients known."""
        return replace(self, null=self._null())

    @property
    def n_features(self) -> int:
        return int(self.source.n_features)

    @property
    def center(self) -> Array:
        """The columns' means; zero without an intercept."""
        mean = np.ascontiguousarray(self.moments.x_mean, dtype=np.float64)
        return mean if self.fit_intercept else np.zeros_like(mean)

    def largest_factor(self) -> float:
        """The least factor of the penalty that leaves no coefficient; inf for one without kink."""
        if isinstance(self.penalty, Weighted | SparseGroup):
            return self.penalty.largest(self._without_coefficients.gradient[:-1], self.positive)
        kink = self.penalty.kink
        return self._steepest() / kink if kink > 0.0 else inf

    def rounding(self, coef: Array, intercept: float) -> float:
        """What rounding may leave of a partial derivative: a pass."""
        found = self.source.compute(SlopeSizes(self.loss, coef, intercept, np.zeros(len(coef))))
        sizes = float(found.sizes.max(initial=0.0)) / self.moments.weight
        return 16.0 * float(np.finfo(np.float64).eps) * sizes

    def bounds(self, objective: LinearObjective, coef: Array, intercept: float) -> Bounds:
        """Primal and dual values of an answer: two passes."""
        answer = LinearAnswer(objective, coef, intercept)
        return bounds_by_passes(answer, self.source, divisor=self.moments.weight)

    def solve(self, start: Array | None = None, intercept: float = 0.0) -> PenalizedSolution:
        """Solve by proximal Newton steps from `start`, or from zero."""
        with one_blas_thread():
            here = self._without_coefficients
            if start is not None:
                begun = self._place(start, intercept + float(self.center @ start))
                here = begun if begun.objective <= here.objective else here
            return self._descend(here, self._steepest())

    # --- passes ---

    def _place(self, coef: Array, intercept: float) -> Place:
        """The objective and its derivatives at a point: one pass."""
        recipe = LossAt.at(self.loss, coef, intercept, self.center, curvature=True)
        with np.errstate(over="ignore", invalid="ignore"):
            step: LossStep = self.source.compute(recipe)
        assert step.hessian is not None
        g, h = step.gradient / step.weight, step.hessian / step.weight
        value = step.value / step.weight + float(np.sum(self.penalty.value(coef)))
        finite = np.isfinite(value) and np.isfinite(g).all() and np.isfinite(h).all()
        return Place(coef, intercept, value if finite else inf, g, h)

    @property
    def _without_coefficients(self) -> Place:
        return self._null() if self.null is None else self.null

    def _null(self) -> Place:
        """The best intercept without coefficients; one pass where it is the mean's."""
        zero = np.zeros(self.n_features)
        if not self.fit_intercept:
            return self._place(zero, 0.0)
        here = self._place(zero, self.loss.baseline(np.array([float(self.moments.y_mean[0])])))
        bend = self.loss.steepest
        for _ in range(_NULL_STEPS):
            slope, own = float(here.gradient[-1]), float(here.hessian[-1, -1])
            if abs(slope) <= _NULL_ACCURACY * max(own, bend or 0.0):
                break
            tried = (self._place(zero, here.intercept - slope / h) for h in (own, bend) if h)
            lower = next((each for each in tried if each.objective < here.objective), None)
            if lower is None:
                break
            here = lower
        return here

    # --- steps ---

    def _descend(self, here: Place, steepest: float) -> PenalizedSolution:
        trace, enough, idle, steps = Trace(), self.tol * steepest, 0, 0
        least = [inf, inf]
        while True:
            off = self._violation(here)
            trace.record(objective=here.objective, gradient_norm=off, step=1.0)
            better = off < 0.9 * least[0] or (
                here.objective < least[1] - _ROUNDING * abs(here.objective)
            )
            least = [min(least[0], off), min(least[1], here.objective)]
            idle = 0 if better else idle + 1
            if off <= enough or steps == self.max_iter or idle >= _PATIENCE:
                break
            moved = self._advance(here, off)
            if moved is None:
                break
            here, steps = moved, steps + 1
        intercept = here.intercept - float(self.center @ here.coef) if self.fit_intercept else 0.0
        return PenalizedSolution(
            here.coef, intercept, here.objective, off, steepest, steps, off <= enough, trace
        )

    def _advance(self, here: Place, off: float) -> Place | None:
        """The end of one step; None if none lowers the objective."""
        most = here.objective + _ROUNDING * abs(here.objective)
        for hessian in self._curvatures(here):
            coef, intercept = self._model_minimum(here, hessian, off)
            if np.array_equal(coef, here.coef) and intercept == here.intercept:
                return None
            there = self._place(coef, intercept)
            if there.objective <= most:
                return there
        return None

    def _curvatures(self, here: Place) -> Iterator[Array]:
        """The loss's own Hessian, then larger ones."""
        if not self.fit_intercept or here.hessian[-1, -1] > 0.0:
            yield here.hessian
        bent, bound = here.hessian, self.loss.steepest
        if isinstance(self.loss, Huber):  # whose curvature vanishes far out: a pass
            raw = here.intercept - float(self.center @ here.coef)
            bent = self._scatter(self.source.compute(TangentMoments(self.loss, here.coef, raw)))
            bent = bent / self.moments.weight
            yield bent
        if bound is None:
            yield from (_GROWTH**k * bent for k in range(1, _ATTEMPTS))
            return
        largest = self._scatter(self.moments) * (bound / self.moments.weight)
        yield from (bent + share * largest for share in _BENDS)

    def _scatter(self, moments: Moments) -> Array:
        """Σ ω z zᵀ with z = (x − c, 1)."""
        k = self.n_features
        off = np.append(moments.x_mean - self.center, 1.0)
        scatter = moments.weight * np.outer(off, off)
        scatter[:k, :k] += moments.xx
        return scatter

    def _model_minimum(self, here: Place, hessian: Array, off: float) -> tuple[Array, float]:
        """Where the second-order model with the penalty is least.

        With H = RᵀR the model is ½‖Ru − (Rw − R⁻ᵀg)‖² but for a constant: squared errors of as many
        rows as there are columns.
        """
        h, g, w = hessian[:-1, :-1], here.gradient[:-1], here.coef
        if self.fit_intercept:
            mixed, own = hessian[:-1, -1], hessian[-1, -1]
            h = h - np.outer(mixed, mixed) / own
            g = g - mixed * (here.gradient[-1] / own)
        roots, vectors = np.linalg.eigh(h)
        largest = float(roots[-1]) if len(roots) else 0.0
        roots = np.sqrt(np.maximum(roots, max(_TINY_ROOT * largest, np.finfo(float).tiny)))
        rows = roots[:, None] * vectors.T
        target = rows @ w - (vectors.T @ g) / roots
        scale = np.sqrt(float(len(roots)))  # means over the rows are sums
        steepest = float(np.abs(rows.T @ target).max(initial=0.0))
        model = PenalizedProblem(
            scale * rows,
            scale * target,
            None,
            HalfSquared(),
            self.penalty,
            positive=self.positive,
            fit_intercept=False,
            tol=max(_INNER * off / steepest, 1e-15) if steepest > 0.0 else 1.0,
        )
        coef = model.solve(w).coef
        if not self.fit_intercept:
            return coef, 0.0
        change = (here.gradient[-1] + mixed @ (coef - w)) / own
        return coef, here.intercept - float(change)

    # --- conditions ---

    def _steepest(self) -> float:
        g = self._without_coefficients.gradient[:-1]
        return float((np.maximum(-g, 0.0) if self.positive else np.abs(g)).max(initial=0.0))

    def _violation(self, here: Place) -> float:
        """The largest distance of 0 from a partial subdifferential of the objective."""
        g, w = here.gradient[:-1], here.coef
        slope = abs(float(here.gradient[-1])) if self.fit_intercept else 0.0
        if isinstance(self.penalty, Weighted | SparseGroup):
            found = self.penalty.violation(w, g, self.positive)
            return max(float(found.max(initial=0.0)), slope)
        pull = -g if self.positive else np.abs(g)
        at_zero = np.maximum(pull - self.penalty.kink, 0.0)
        off = np.where(w != 0.0, np.abs(g + self.penalty.gradient(w)), at_zero)
        return max(float(off.max(initial=0.0)), slope)


@dataclass(frozen=True, slots=True, eq=False)
class TangentMoments:
    """A recipe: moments of the rows, weighted by the bends ℓ′(z) / (z − y) of tangent parabolas.

    They bound a loss like Huber's from above and touch it at z, so that a step to the least of them
    never goes up.
    """

    loss: Loss
    coef: Array
    intercept: float

    def of(self, table: Table) -> Moments:
        """The moments of a table."""
        rows = counted(table)
        assert rows.y is not None
        y = rows.y[:, 0]
        z = np.asarray(rows.x @ self.coef, dtype=np.float64) + self.intercept
        at = np.where(z == y, 1.0, z - y)
        bends = np.where(z == y, self.loss.curvature(y, z), self.loss.gradient(y, z) / at)
        weights = bends if rows.weights is None else rows.weights * bends
        return Moments.of(replace(rows, weights=weights))


@dataclass(frozen=True, slots=True, eq=False)
class SlopeSizes:
    """A recipe, and its statistic: Σ ω|ℓ′| |x| of each column."""

    loss: Loss
    coef: Array
    intercept: float
    sizes: Array
    subtractable: ClassVar[bool] = False

    def of(self, table: Table) -> Self:
        """The sums of a table."""
        rows = counted(table)
        assert rows.y is not None
        w = np.ones(rows.n_rows) if rows.weights is None else rows.weights
        sizes = slope_sizes(self.loss, rows.x, rows.y[:, 0], w, self.coef, self.intercept)
        return replace(self, sizes=sizes)

    def merge(self, other: Self) -> Self:
        """Of both parts' rows."""
        return replace(self, sizes=self.sizes + other.sizes)

    def column_lengths(self) -> Array:
        return np.zeros(0)

    def is_finite(self) -> bool:
        return bool(np.isfinite(self.sizes).all())
