"""Decomposition: working sets solved on their own block of the kernel, the others held.

Few large sets compute far fewer kernel values than many small ones, so a set takes all free
variables and the worst violators that fit into the memory (T. Joachims, Making large-scale SVM
learning practical, 1999; sets larger than the number of free variables need only a few rounds).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.svm.duals.duality import DualProblem, Optimality, may_fall, may_rise
from stylobate.svm.duals.pair_solver import Descent, descend
from stylobate.svm.kernel_matrix.kernel_source import KernelSource, optimality_of

Places = NDArray[np.int64]

LEAST_SET = 64
USUAL_SET = 4096
COPIES = 1 << 26  # bytes at most for the copies of parts of a set that its descent makes
ROUNDS = 500
NEARBY = 0.5  # of the violation, by which a bounded variable may miss being a violator
NEAR = 50.0  # times the tolerance: a violation that may be settled in one round
SETTLED = 0.005  # of the tolerance, for sets that leave no violator out
ROUGHLY = 0.1  # of the violation, for sets that leave violators out
GAP_EFFORT = 2  # times the pairs that met the tolerance
RELATIVE_GAP = 5e-7  # cheap once the sets are known, and half of what is promised
TRUSTED = 1e-5  # doubt about the scores of an answer, relative to the tolerance
UNSURE = 1e-6  # error of a score for each unit of Σ|β| at most, in single precision
SINGLE_STEP = 2e-7  # error of a score for each unit that β moved in single precision


@dataclass(frozen=True)
class Limits:
    """When to stop, and how much memory to use."""

    tol: float
    max_iter: int
    memory: int
    relative_gap: float = RELATIVE_GAP

    def left(self, done: int) -> int:
        """Iterations that may still be made, -1 for any number."""
        return -1 if self.max_iter < 0 else max(self.max_iter - done, 0)


@dataclass
class Search:
    """β and its scores while they are improved."""

    source: KernelSource
    problem: DualProblem
    beta: Array
    scores: Array
    doubt: float = 0.0  # about the scores, from moves in single precision
    went: Descent = field(default_factory=lambda: Descent(0, np.inf, False, 0))
    last: tuple[Places, NDArray[Any]] | None = None

    @property
    def residual(self) -> Array:
        """What the scores leave of the targets."""
        return self.problem.target - self.scores[self.problem.rows]

    def optimality(self) -> Optimality:
        """What is known of β."""
        return optimality_of(self.source, self.problem, self.beta, self.residual)

    def refresh(self, offsets: Array) -> None:
        """Compute the scores anew in double precision, where they matter.

        A row without weight whose variables are surely beyond their margins adds nothing to the gap
        and violates nothing: its score may keep the precision it has.
        """
        problem, source = self.problem, self.source
        by_row = problem.by_row(self.beta, source.n)
        near = (
            np.abs(self.residual - offsets[problem.group]) <= 1e-3 + UNSURE * np.abs(by_row).sum()
        )
        used = np.flatnonzero(by_row)
        others = np.setdiff1d(problem.rows[near | (self.beta != 0.0)], used)
        self.scores[used] = source.symmetric_product(used, by_row[used])
        self.scores[others] = source.product(others, used, by_row[used], exact=True)
        self.doubt = 0.0


def scores_of(
    source: KernelSource,
    problem: DualProblem,
    beta: Array,
    queries: Places | None = None,
    *,
    exact: bool = False,
) -> Array:
    """Kβ on all rows, or on some."""
    by_row = problem.by_row(beta, source.n)
    used = np.flatnonzero(by_row)
    wanted = np.arange(source.n) if queries is None else queries
    if not len(used):
        return np.zeros(len(wanted))
    return source.product(wanted, used, by_row[used], exact=exact)


def largest_set(source: KernelSource, memory: int) -> int:
    """Variables whose block fits into the memory."""
    left = memory - min(memory // 2, COPIES)
    return max(LEAST_SET, int(np.sqrt(left / (8 if source.exact else 4))))


def search_by_sets(search: Search, limits: Limits, *, rough: bool = False) -> Optimality:
    """Rounds of working sets until the conditions hold; the search changes in place.

    `rough`: scores of single precision are good enough.
    """
    most = -1  # pairs after which the gap may stay as it is: an optimum of 0 has no relative one
    for _ in range(ROUNDS):
        found = search.optimality()
        held = found.violation <= limits.tol
        if held and most < 0:
            most = GAP_EFFORT * (search.went.iterations + search.problem.size)
        enough = search.went.clipped or 0 <= most <= search.went.iterations
        if held and (enough or found.relative_gap <= limits.relative_gap):
            if rough or search.doubt <= TRUSTED * min(limits.tol, 1.0):
                return found
            search.refresh(found.offsets)
            continue
        if not rough and search.doubt > 0.1 * found.violation:
            search.refresh(found.offsets)
            continue
        left = limits.left(search.went.iterations)
        if held:
            rest = most - search.went.iterations
            left = rest if left < 0 else min(left, rest)
        if left == 0 or search.went.end == 2:
            break
        which, all_in = working_set(search, found, limits.memory)
        if not improve(search, which, _inner_tolerance(found, limits, all_in and not rough), left):
            break
    else:
        found = search.optimality()
    if not rough and search.doubt > 0.0:
        search.refresh(found.offsets)
    return search.optimality()


def sharper_tolerance(found: Optimality, limits: Limits) -> float:
    """The violation at which the gap, which shrinks with it, should be small enough."""
    return 0.3 * found.violation * max(min(1.0, limits.relative_gap / found.relative_gap), 1e-3)


def _inner_tolerance(found: Optimality, limits: Limits, all_in: bool) -> float:
    """How well to solve the next set; `all_in`: no violator is left out of it."""
    if found.violation <= limits.tol:  # what is left is the gap
        sharper = sharper_tolerance(found, limits)
        return sharper if all_in else max(sharper, ROUGHLY * found.violation)
    if all_in and found.violation <= NEAR * limits.tol:  # more pairs are cheaper than a round
        return SETTLED * limits.tol
    return max(ROUGHLY * found.violation, 0.3 * limits.tol)


def working_set(search: Search, found: Optimality, memory: int) -> tuple[Places, bool]:
    """All free variables and the worst violators; whether no violator is left out."""
    problem, beta, residual = search.problem, search.beta, search.residual
    most = largest_set(search.source, memory)
    rise, fall = may_rise(problem, beta), may_fall(problem, beta)
    free = np.flatnonzero(rise & fall)
    if problem.size <= most:  # one block for all rounds
        return np.arange(problem.size), True
    size = min(most, max(USUAL_SET, 2 * len(free)), problem.size)
    off = residual - found.offsets[problem.group]
    pairs = 2 * len(problem.totals)  # beside the others, see below
    room = max(size - len(free) - pairs, size // 2 - pairs)
    near = -NEARBY * found.violation  # those further off their margins have no reason to move
    low, high = (
        np.where(only & (gain >= near), gain, -np.inf)
        for only, gain in ((rise & ~fall, off), (fall & ~rise, -off))
    )
    violators = max(int((low > 0.0).sum()), int((high > 0.0).sum()))
    wanted = [_worst(low, room // 2), _worst(high, room // 2)]
    # the worst pair of each group is in, free or not, so that every round improves
    for g in range(len(problem.totals)):
        own = problem.group == g
        for can, sign in ((rise, 1.0), (fall, -1.0)):
            wanted.append(_worst(np.where(own & can, sign * off, -np.inf), 1))
    taken = np.unique(np.concatenate(wanted))
    left = size - len(taken)
    chosen = free
    if len(free) > left:
        chosen = free[_worst(np.abs(off[free]), max(left, 0))]
    return np.union1d(taken, chosen), violators <= room // 2 and len(free) <= left


def _worst(key: Array, count: int) -> Places:
    """Places of the largest finite keys."""
    count = min(count, len(key))
    if count == 0:
        return np.empty(0, dtype=np.int64)
    found = np.argpartition(-key, count - 1)[:count]
    return found[np.isfinite(key[found])]


def improve(search: Search, which: Places, tol: float, max_iter: int) -> bool:
    """Solve for the variables of a set and update all scores; False where nothing moved."""
    change = _solve_set(search, which, search.residual[which], tol, max_iter)
    source = search.source
    moved = np.zeros(search.problem.size)
    moved[which] = change
    by_row = search.problem.by_row(moved, source.n)
    used = np.flatnonzero(by_row)
    if len(used) == 0:
        return False
    search.scores += source.product(np.arange(source.n), used, by_row[used])
    if not source.exact:
        search.doubt += SINGLE_STEP * _length(by_row)
    return True


def improve_unscored(search: Search, which: Places, limits: Limits) -> None:
    """Solve for the variables of a set before the scores are known; they are computed after it."""
    problem = search.problem
    rows, inner = np.unique(problem.rows[which], return_inverse=True)
    scores = scores_of(search.source, problem, search.beta, rows)
    residual = problem.target[which] - scores[inner.reshape(-1)]
    _solve_set(search, which, residual, limits.tol, limits.left(search.went.iterations))
    search.scores = scores_of(search.source, problem, search.beta)
    if not search.source.exact:
        search.doubt = SINGLE_STEP * _length(search.beta)


def _length(v: Array) -> float:
    return float(np.sqrt(np.square(v).sum()))  # threads of a BLAS would cost more than they save


def _solve_set(search: Search, which: Places, residual: Array, tol: float, max_iter: int) -> Array:
    """What became of the variables of a set, the others held."""
    problem, source = search.problem, search.source
    rows, inner = np.unique(problem.rows[which], return_inverse=True)
    if search.last is None or not np.array_equal(search.last[0], rows):
        search.last = None  # the old block goes before the new one comes
        search.last = rows, source.block(rows, rows)
    part = problem.some(which, inner.reshape(-1), problem.totals)
    beta = search.beta[which].copy()
    went = descend(
        search.last[1], source.diagonal[rows], part, beta, residual, tol=tol, max_iter=max_iter
    )
    total = search.went.iterations + went.iterations
    end = 0 if went.end == 1 else went.end
    search.went = Descent(total, went.violation, search.went.clipped or went.clipped, end)
    change: Array = beta - search.beta[which]
    search.beta[which] = beta
    return change
