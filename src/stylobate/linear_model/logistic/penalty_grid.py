"""Logistic regression over folds and a grid of penalties: solve, score, choose."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, replace
from threading import Event

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices
from stylobate.data import Table
from stylobate.linear_model.logistic.request import LogisticRequest
from stylobate.linear_model.logistic.solution import Start, solve_logistic
from stylobate.linear_model.shared.selection_rule import chosen_setting
from stylobate.optimize.logistic import LogisticSolution


@dataclass(frozen=True, slots=True, eq=False)
class GridData:
    """Rows with their class numbers and weights."""

    table: Table
    codes: NDArray[np.int64]
    n_classes: int
    weights: Array | None


@dataclass(frozen=True, slots=True, eq=False)
class GridResult:
    """What cross-validation found.

    Parameters
    ----------
    coefs : array of shape (n_folds, n_l1_ratios, n_cs, k, p)
    intercepts : array of shape (n_folds, n_l1_ratios, n_cs, k)
    scores : array of shape (n_folds, n_l1_ratios, n_cs)
    iterations : array of shape (n_folds, n_l1_ratios, n_cs)
    unfinished : list of LogisticSolution
        Those that did not reach the tolerance.
    """

    coefs: Array
    intercepts: Array
    scores: Array
    iterations: NDArray[np.int32]
    unfinished: list[LogisticSolution]

    def best(self) -> tuple[int, int]:
        """Numbers of the l1_ratio and the C of the best mean score; the first of equals."""
        mean = self.scores.mean(axis=0)
        ratio, c = np.unravel_index(int(mean.argmax()), mean.shape)
        return int(ratio), int(c)

    def chosen(self, cs: Array, rule: str) -> tuple[int, int]:
        """The same by a rule: "1se" is the smallest C within the noise of the best."""
        ratio, c = self.best()
        strengths = -np.log(np.asarray(cs, dtype=np.float64))
        return ratio, chosen_setting(-self.scores[:, ratio].T, strengths, rule, c)

    def best_of_folds(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The same for every fold by itself."""
        flat = self.scores.reshape(len(self.scores), -1).argmax(axis=1)
        ratios, cs = np.unravel_index(flat, self.scores.shape[1:])
        return ratios, cs


def solve_grid(
    data: GridData,
    folds: Sequence[tuple[Indices, Indices]],
    requests: Sequence[Sequence[LogisticRequest]],
    judge: Callable[[Indices], Callable[[Array, Array], float]],
    n_jobs: int | None,
) -> GridResult:
    """Fit every fold's training rows at every penalty, and score the rows left out.

    Parameters
    ----------
    data : GridData
        All rows.
    folds : sequence of (train, test)
        Row numbers.
    requests : for every l1_ratio a sequence, one request for every C
        Penalties and solver; within a sequence each solution starts from that of the next stronger
        penalty.
    judge : callable
        ``judge(rows)(coef, intercept)`` is a model's score on these rows.
    n_jobs : int or None
        Folds at a time, in threads: the compiled core releases Python's lock. None is one, whose
        passes use all threads; -1 one per core.
    """
    k, p = (1 if data.n_classes == 2 else data.n_classes), data.table.n_features
    shape = (len(folds), len(requests), len(requests[0]))
    coefs, intercepts = np.zeros((*shape, k, p)), np.zeros((*shape, k))
    scores, iterations = np.zeros(shape), np.zeros(shape, dtype=np.int32)
    unfinished: list[LogisticSolution] = []
    stop = Event()

    def run(fold: int) -> None:
        train, test = folds[fold]
        part, score = data.table.take(train), judge(test)
        codes = data.codes[train]
        weights = None if data.weights is None else data.weights[train]
        for ratio, line in enumerate(requests):
            start: Start | None = None
            for c in strongest_first(line):
                if stop.is_set():
                    return
                found, _ = solve_logistic(part.x, codes, data.n_classes, weights, line[c], start)
                start = (found.coef, found.intercept)
                at = (fold, ratio, c)
                coefs[at], intercepts[at] = found.coef, found.intercept
                iterations[at] = max(found.iterations, 1)
                scores[at] = score(found.coef, found.intercept)
                if not found.converged:
                    unfinished.append(found)

    _run_all(run, len(folds), n_jobs, stop)
    return GridResult(coefs, intercepts, scores, iterations, unfinished)


def requests_of(
    base: LogisticRequest, ratios: Sequence[float], cs: Sequence[float]
) -> list[list[LogisticRequest]]:
    """`base` with the penalties of every l1_ratio (outer) and C (inner)."""
    strengths = [0.0 if np.isinf(c) else 1.0 / c for c in cs]
    return [[replace(base, l1=r * s, l2=(1.0 - r) * s) for s in strengths] for r in ratios]


def strongest_first(line: Sequence[LogisticRequest]) -> list[int]:
    """Numbers of the requests, in the order to go along them."""
    return sorted(range(len(line)), key=lambda c: -(line[c].l1 + line[c].l2))


def _run_all(run: Callable[[int], None], count: int, n_jobs: int | None, stop: Event) -> None:
    """run(0) … run(count − 1), several at once if asked; Ctrl-C stops all at their next penalty."""
    cores = os.cpu_count() or 1
    wanted = 1 if n_jobs is None else n_jobs if n_jobs > 0 else max(cores + 1 + n_jobs, 1)
    if min(wanted, count) <= 1:
        for fold in range(count):
            run(fold)
        return
    with ThreadPoolExecutor(min(wanted, count)) as pool:
        futures = [pool.submit(copy_context().run, run, fold) for fold in range(count)]
        try:
            for future in futures:
                future.result()
        finally:
            stop.set()
