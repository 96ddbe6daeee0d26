"""Linear models of any smooth loss whose penalty differs from column to column, or joins them.

Proximal Newton steps on working sets, as for one penalty of all columns (`optimize.penalized`,
whose solver in the core knows no factors and no groups): the loss is replaced by its second-order
model in the columns of the working set, the intercept and the columns without a penalty are
eliminated, and what is left is minimised by covariances alone. A step that does not lower the
objective is shortened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from math import inf, nan
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.losses import HalfSquared, Huber
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.linear_gap import Bounds, balanced, certify
from stylobate.optimize.structured_models import model_minimum
from stylobate.optimize.trace import Trace
from stylobate.parallel import one_blas_thread
from stylobate.penalties.sparse_group import SparseGroup
from stylobate.penalties.weighted import Weighted

if TYPE_CHECKING:
    from stylobate.optimize.penalized import PenalizedProblem, PenalizedSolution

Structured: TypeAlias = "Weighted | SparseGroup"

_INNER = 0.01  # violation left by the model's minimum, of the loss's own
_MANY = 4  # a share of the columns whose copy costs as much as all of them
_SMALL = 1 << 17  # numbers of sparse rows that are as cheap dense (1 MiB)
_LEAST = 32  # blocks a working set may always have
_PATIENCE = 3  # steps that change nothing before we give up
_ROUNDING = 1e-14  # of the objective: a rise that is none
_HALVINGS = 40


@dataclass(slots=True, eq=False)
class Place:
    """A point, the objective there and the loss's first derivatives."""

    coef: Array
    intercept: float
    z: Array  # margins, intercept included
    objective: float
    u: Array  # shares · ℓ′
    gradient: Array


@dataclass(frozen=True, slots=True, eq=False)
class StructuredRows:
    """A problem with its rows as this solver reads them."""

    problem: PenalizedProblem
    x: Any
    y: Array
    shares: Array
    penalty: Structured
    known: KnownColumns

    @classmethod
    def of(cls, problem: PenalizedProblem) -> StructuredRows:
        w = np.ones(len(problem.y)) if problem.weights is None else problem.weights
        x = problem.x
        if not isinstance(x, np.ndarray):
            x = x.toarray() if x.shape[0] * x.shape[1] <= _SMALL else x.tocsc()
        if isinstance(x, np.ndarray):
            x = np.asarray(x, dtype=np.float64)
        y = np.ascontiguousarray(problem.y, dtype=np.float64)
        penalty: Any = problem.penalty
        return cls(problem, x, y, np.asarray(w / w.sum()), penalty, KnownColumns())

    def place(self, coef: Array, intercept: float, z: Array | None = None) -> Place:
        z = self.margins(coef) + intercept if z is None else z
        value = self.value(coef, z)
        with np.errstate(over="ignore", invalid="ignore"):
            u = self.shares * self.problem.loss.gradient(self.y, z)
        if value == inf:
            return Place(coef, intercept, z, inf, u, np.zeros_like(coef))
        return Place(coef, intercept, z, value, u, np.asarray(self.x.T @ u))

    def value(self, coef: Array, z: Array) -> float:
        """The objective alone."""
        with np.errstate(over="ignore", invalid="ignore"):
            loss = float(self.shares @ self.problem.loss.value(self.y, z))
        found = loss + float(self.penalty.value(coef).sum())
        return found if np.isfinite(found) else inf

    def margins(self, coef: Array) -> Array:
        """Xw, of the columns that count."""
        support = np.flatnonzero(coef)
        if not len(support):
            return np.zeros(len(self.y))
        return self.product(support, coef[support])

    def product(self, columns: Indices, change: Array) -> Array:
        """The columns' X times a change of theirs; all of X where copying them would cost more."""
        if isinstance(self.x, np.ndarray) and _MANY * len(columns) >= self.x.shape[1]:
            full = np.zeros(self.x.shape[1])
            full[columns] = change
            return self.x @ full
        return np.asarray(self.x[:, columns] @ change)

    def curvatures(self, here: Place) -> Array:
        """Of the rows; of Huber's loss those of a parabola that bounds it from above."""
        loss = self.problem.loss
        if isinstance(loss, Huber):
            off = here.z - self.y
            slope = loss.gradient(self.y, here.z)
            far = off != 0.0
            bends = np.asarray(loss.curvature(self.y, self.y), dtype=np.float64) * np.ones(len(off))
            bends[far] = slope[far] / off[far]
            return np.asarray(self.shares * bends)
        return np.asarray(self.shares * np.maximum(loss.curvature(self.y, here.z), 0.0))

    def model(self, columns: Indices, d: Array) -> tuple[Array, Array]:
        """(Hessian, means) of the columns, the intercept eliminated."""
        if isinstance(self.problem.loss, HalfSquared) and isinstance(self.x, np.ndarray):
            return self.known.of(self, columns, d)
        part = self.x[:, columns]
        total = float(d.sum())
        if isinstance(part, np.ndarray):
            centred, means = self.centred(part, d)
            return centred.T @ centred, means
        means = np.asarray(part.T @ d) / total
        products = (part.T @ part.multiply(d[:, None])).toarray()
        if not self.problem.fit_intercept:
            means = np.zeros(len(columns))
        return products - total * np.outer(means, means), means

    def centred(self, part: Array, d: Array) -> tuple[Array, Array]:
        """√d (x − mean) of columns, and their means, where there is an intercept."""
        if not self.problem.fit_intercept:
            return part * np.sqrt(d)[:, None], np.zeros(part.shape[1])
        means = d @ part / float(d.sum())
        part = part - means
        part *= np.sqrt(d)[:, None]
        return part, means


@dataclass(slots=True, eq=False)
class KnownColumns:
    """The Gram of the columns that have been in a working set, for a loss whose bend is constant.

    Parameters
    ----------
    place : dict
        Where a column is among them.
    rows : array (n, k)
        √d (x − mean).
    gram : array (k, k)
    means : array (k,)
    """

    place: dict[int, int] = field(default_factory=dict)
    rows: Array = field(default_factory=lambda: np.zeros((0, 0)))
    gram: Array = field(default_factory=lambda: np.zeros((0, 0)))
    means: Array = field(default_factory=lambda: np.zeros(0))

    def of(self, problem: StructuredRows, columns: Indices, d: Array) -> tuple[Array, Array]:
        """(Hessian, means) of these columns."""
        new = np.array([j for j in columns.tolist() if j not in self.place], dtype=np.intp)
        if len(new):
            fresh, means = problem.centred(problem.x[:, new], d)
            old = self.rows.reshape(len(fresh), -1)
            mixed, own = old.T @ fresh, fresh.T @ fresh
            self.gram = np.block([[self.gram, mixed], [mixed.T, own]])
            self.rows = np.hstack([old, fresh])
            self.means = np.concatenate([self.means, means])
            self.place |= {j: len(self.place) + k for k, j in enumerate(new.tolist())}
        at = np.array([self.place[j] for j in columns.tolist()], dtype=np.intp)
        return self.gram[np.ix_(at, at)], self.means[at]


def solve_structured(
    problem: PenalizedProblem, start: Array | None = None, intercept: float = 0.0
) -> PenalizedSolution:
    """Solve from `start`, or from the best model of the columns that are not penalised.

    Parameters
    ----------
    problem : PenalizedProblem
        Whose penalty is `Weighted` or `SparseGroup`.
    start : array of shape (p,), optional
    intercept : float, default=0.0
        To start from.

    Examples
    --------
    >>> from stylobate.losses import HalfSquared
    >>> from stylobate.optimize.penalized import PenalizedProblem
    >>> from stylobate.penalties import L1
    >>> x = np.array([[2.0, 0.0], [-2.0, 0.0], [0.0, 2.0], [0.0, -2.0]])
    >>> penalty = Weighted(L1(0.5), np.array([1.0, 0.0]))
    >>> solve_structured(PenalizedProblem(x, x @ [3.0, 0.1], None, HalfSquared(), penalty)).coef
    array([2.75, 0.1 ])
    """
    with one_blas_thread():  # many small products: a second thread would only wait
        rows = StructuredRows.of(problem)
        null, steepest = null_place(rows)
        here = null
        if start is not None:
            begun = rows.place(np.array(start, dtype=np.float64), intercept)
            here = begun if begun.objective <= null.objective else null
        return _descend(rows, here, steepest)


def structured_solutions(
    problem: PenalizedProblem, factors: Iterable[float]
) -> Iterator[PenalizedSolution]:
    """Solve with the penalty times one factor after the other, each from the last answer."""
    with one_blas_thread():
        rows = StructuredRows.of(problem)
        null, steepest = null_place(rows)
    here = null
    for factor in factors:
        penalty = rows.penalty.scaled(float(factor))
        part = replace(rows, penalty=penalty, problem=replace(problem, penalty=penalty))
        with one_blas_thread():
            # what the last penalty made of the point is not what this one does
            here = replace(here, objective=part.value(here.coef, here.z))
            found = _descend(part, min(here, null, key=lambda place: place.objective), steepest)
            here = part.place(found.coef, found.intercept)
        yield found


def null_place(rows: StructuredRows) -> tuple[Place, float]:
    """The best model with the columns without a penalty alone, and the scale of conditions.

    That is the largest slope of the loss where all coefficients are zero.
    """
    problem, p = rows.problem, rows.x.shape[1]
    b = problem.loss.baseline(rows.y, rows.shares) if problem.fit_intercept else 0.0
    here = rows.place(np.zeros(p), float(b))
    steepest = float(np.abs(here.gradient[~rows.penalty.excluded]).max(initial=0.0))
    free = rows.penalty.free
    if not free.any():
        return here, steepest
    alone = Weighted(_no_penalty(), np.where(free, 0.0, inf))
    part = replace(rows, penalty=alone, known=KnownColumns())
    found = _descend(part, part.place(here.coef, here.intercept), steepest)
    return rows.place(found.coef, found.intercept), steepest


def _no_penalty() -> Any:
    from stylobate.penalties import L1

    return L1(0.0)


def largest_factor(problem: PenalizedProblem) -> float:
    """The least factor of the penalty that leaves no penalised coefficient."""
    rows = StructuredRows.of(problem)
    return rows.penalty.largest(null_place(rows)[0].gradient, problem.positive)


def _descend(rows: StructuredRows, here: Place, steepest: float) -> PenalizedSolution:
    from stylobate.optimize.penalized import PenalizedSolution

    problem = rows.problem
    trace, enough, idle, steps, room = Trace(), problem.tol * steepest, 0, 0, _LEAST
    least = [inf, inf]
    while True:
        off, worst = _violations(rows, here)
        trace.record(objective=here.objective, gradient_norm=worst, step=1.0)
        better = worst < 0.9 * least[0] or (
            here.objective < least[1] - _ROUNDING * abs(here.objective)
        )
        least = [min(least[0], worst), min(least[1], here.objective)]
        idle = 0 if better else idle + 1
        if worst <= enough or steps == problem.max_iter or idle >= _PATIENCE:
            break
        columns = _working_set(rows, here, off, room)
        room = max(room, 2 * len(np.unique(rows.penalty.block_of()[here.coef != 0.0])))
        moved = _advance(rows, here, columns, max(_INNER * worst, 0.1 * enough))
        if moved is None:
            break
        here, steps = moved, steps + 1
    return PenalizedSolution(
        here.coef, here.intercept, here.objective, worst, steepest, steps, worst <= enough, trace
    )


def _violations(rows: StructuredRows, here: Place) -> tuple[Array, float]:
    """Of every block, and the worst of all conditions."""
    off = rows.penalty.violation(here.coef, here.gradient, rows.problem.positive)
    slope = abs(float(here.u.sum())) if rows.problem.fit_intercept else 0.0
    return off, max(float(off.max(initial=0.0)), slope)


def _working_set(rows: StructuredRows, here: Place, off: Array, room: int) -> Indices:
    """Columns of the living blocks, and of the most violated others."""
    block = rows.penalty.block_of()
    alive = np.zeros(rows.penalty.n_blocks, dtype=bool)
    alive[block[here.coef != 0.0]] = True
    alive[block[rows.penalty.free]] = True
    others = np.flatnonzero(~alive & (off > 0.0))
    if len(others) > room:
        others = others[np.argpartition(-off[others], room - 1)[:room]]
    alive[others] = True
    return np.flatnonzero(alive[block] & ~rows.penalty.excluded)


def _advance(rows: StructuredRows, here: Place, columns: Indices, accuracy: float) -> Place | None:
    """The end of one step; None if none lowers the objective."""
    d = rows.curvatures(here)
    total, slope = float(d.sum()), float(here.u.sum())
    if not total > 0.0:
        d = rows.shares * max(rows.problem.loss.steepest or 1.0, 1.0)
        total = float(d.sum())
    hessian, means = rows.model(columns, d)
    gradient = here.gradient[columns] - (means * slope if rows.problem.fit_intercept else 0.0)
    change = _model_step(rows, here, columns, hessian, gradient, accuracy)
    shift = -slope / total - float(means @ change) if rows.problem.fit_intercept else 0.0
    dz = rows.product(columns, change) + shift
    share = 1.0
    for _ in range(_HALVINGS):
        coef = here.coef.copy()
        coef[columns] += share * change
        z = here.z + share * dz
        if rows.value(coef, z) <= here.objective + _ROUNDING * abs(here.objective):
            if not change.any() and shift == 0.0:
                return None
            b = here.intercept + share * shift
            return rows.place(coef, b, z)
        share *= 0.5
    return None


def _model_step(
    rows: StructuredRows,
    here: Place,
    columns: Indices,
    hessian: Array,
    gradient: Array,
    accuracy: float,
) -> Array:
    """From where we are to the model's minimum, columns without a penalty eliminated."""
    free = rows.penalty.free[columns]
    inside, now = ~free, here.coef[columns]
    s, g = hessian[np.ix_(inside, inside)], gradient[inside]
    back = None
    if free.any():
        own, mixed = hessian[np.ix_(free, free)], hessian[np.ix_(inside, free)]
        known = np.linalg.lstsq(own, np.column_stack([mixed.T, gradient[free]]), rcond=None)[0]
        back, still = known[:, :-1], known[:, -1]
        s, g = s - mixed @ back, g - mixed @ still
    change = np.zeros(len(columns))
    if inside.any():
        part = rows.penalty.of(columns[inside])
        v = now[inside]
        found = model_minimum(s, s @ v - g, v, part, positive=rows.problem.positive, tol=accuracy)
        change[inside] = found - v
    if back is not None:
        change[free] = -still - back @ change[inside]
    return change


# --- certificate ----------------------------------------------------------------------------------


def certify_structured(
    problem: PenalizedProblem, found: PenalizedSolution, formula: str
) -> Certificate:
    """A proved gap where loss and penalty are convex; else the violation alone."""
    relative = found.violation / found.steepest if found.steepest > 0.0 else 0.0
    penalty: Any = problem.penalty
    if not penalty.convex or problem.positive or not problem.loss.convex:
        return Certificate(
            formula, found.objective, -inf, inf, inf, relative, nan, nan, proved=False
        )
    with one_blas_thread():
        part = structured_bounds(problem, found.coef, found.intercept)
    proof = certify(formula, [part], 0.0, found.coef)
    return replace(proof, kkt=relative, proved=bool(np.isfinite(part.dual)))


def structured_bounds(problem: PenalizedProblem, coef: Array, intercept: float) -> Bounds:
    """Primal and dual values of an answer.

    The dual point is the gradient of the losses at the answer, made orthogonal to the columns
    without a penalty (by a step along their curvature, which stays in the conjugates' domain), its
    signs balanced for the intercept, and scaled until the penalty's conjugate is finite.
    """
    rows = StructuredRows.of(problem)
    loss, y, shares, penalty = problem.loss, rows.y, rows.shares, rows.penalty
    here = rows.place(coef, intercept)
    zero = np.zeros(len(y))
    least = -float(shares @ loss.conjugate(y, zero))
    primal, at_zero = here.objective - least, float(shares @ loss.value(y, zero)) - least
    u = loss.gradient(y, here.z)
    u = _orthogonal(rows, here, u)
    v = np.asarray(rows.x.T @ (shares * u))
    v[penalty.free] = 0.0  # to rounding
    share = penalty.feasible_share(v)
    dual = max(_dual(rows, s, u, v) for s in (share, 0.5 * share, 0.0)) - least
    return Bounds(primal, dual, at_zero, 0.0)


def _dual(rows: StructuredRows, share: float, u: Array, v: Array) -> float:
    conjugate = float(rows.shares @ rows.problem.loss.conjugate(rows.y, share * u))
    shrunk = share * (1.0 - 4e-16)
    return -conjugate - rows.penalty.conjugate(shrunk * v)


def _orthogonal(rows: StructuredRows, here: Place, u: Array) -> Array:
    free = np.flatnonzero(rows.penalty.free)
    if not len(free):
        return balanced(u, rows.shares) if rows.problem.fit_intercept else u
    bends = np.asarray(rows.problem.loss.curvature(rows.y, here.z), dtype=np.float64)
    d = rows.shares * bends
    part = rows.x[:, free]
    part = part if isinstance(part, np.ndarray) else part.toarray()
    if rows.problem.fit_intercept:
        part = np.column_stack([part, np.ones(len(u))])
    for _ in range(2):
        left = part.T @ (rows.shares * u)
        step = np.linalg.lstsq((part * d[:, None]).T @ part, left, rcond=None)[0]
        u = u - bends * (part @ step)
    return u
