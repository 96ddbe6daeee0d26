"""Elastic nets of several targets that choose their columns together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.optimize.block_newton import newton_on_support
from stylobate.optimize.elastic_net import ElasticNetProblem, ElasticNetSolution
from stylobate.parallel import blas_for
from stylobate.statistics import Moments

OBJECTIVE = "‖Y − XW − b‖²/(2n) + α·(ρ Σⱼ‖wⱼ‖ + ½(1 − ρ)‖W‖²)"
_FIRST = 20  # columns of the first working set beyond the support
_SWEEPS = 50  # between two attempts of Newton's method
_INNER = 0.3  # share of the asked gap to which a working set is solved


class JointProblem(ElasticNetProblem):
    """An elastic net whose targets share the penalty of a column."""

    __slots__ = ()

    def largest_alpha(self) -> float:
        """The smallest penalty at which all coefficients are zero (``inf`` for ρ = 0)."""
        size = float(np.linalg.norm(self.products(), axis=0).max(initial=0.0))
        if size == 0.0:
            return 0.0
        return size / (self.weight * self.l1_ratio) if self.l1_ratio > 0 else np.inf


class _Answer(NamedTuple):
    w: Array  # (p, t)
    epochs: int
    primal: float
    gap: float
    kkt: float


def solve_multi_task(problem: JointProblem) -> ElasticNetSolution:
    r"""Block coordinate descent at every penalty, each from the answer before.

    .. math:: \min_{W} \; \tfrac12 \|Y - XW\|_F^2 + l_1 \sum_j \|w_j\| + \tfrac12 l_2 \|W\|_F^2

    From moments on the Gram of all columns; from rows on the Gram of a working set, which grows by
    the columns that violate their optimality condition most.

    Parameters
    ----------
    problem : JointProblem
        The answer has one entry of primal, gap, kkt and iterations per penalty for all targets
        together.

    References
    ----------
    Obozinski, Taskar & Jordan (2010), Joint covariate selection and joint subspace selection for
    multiple classification problems, Stat. Comput. 20; Massias, Gramfort & Salmon (2018), Celer: a
    fast solver for the lasso with dual extrapolation, ICML.
    """
    known = problem.table if problem.moments is None else problem.moments
    assert known is not None
    with blas_for(known.n_features, of_numpy=True):
        design = _of_moments(problem) if problem.moments is not None else _of_rows(problem)
        p, t = design.products.shape
        w = np.zeros((p, t)) if problem.start is None else np.ascontiguousarray(problem.start.T)
        answers = []
        for l1, l2 in zip(*problem.penalties(), strict=True):
            answers.append(design.solve(w, float(l1), float(l2), problem.tol, problem.max_iter))
            w = answers[-1].w
    n = problem.weight
    coef = np.stack([each.w.T for each in answers], axis=1)
    shift = design.y_mean[:, None] - coef @ design.x_mean
    l1s = problem.penalties()[0]
    return ElasticNetSolution(
        coef,
        shift if problem.intercept else np.zeros_like(shift),
        np.array([[each.primal / n for each in answers]]),
        np.array([[each.gap / n for each in answers]]),
        np.array([[a.kkt / (l1 if l1 > 0 else 1.0) for a, l1 in zip(answers, l1s, strict=True)]]),
        np.array([[each.epochs for each in answers]], dtype=np.int64),
        np.ones((1, len(answers))),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Gram:
    """All columns' Gram is known."""

    gram: Array
    products: Array
    squares: float
    x_mean: Array
    y_mean: Array

    def solve(self, w: Array, l1: float, l2: float, tol: float, max_iter: int) -> _Answer:
        """Sweeps; whenever many did not close the gap, Newton's method on the rows in use."""
        epochs = 0
        while True:
            w, _, sweeps, primal, gap, kkt = _core.descend_blocks(
                self.gram, self.products, self.squares, w, l1, l2, tol, min(_SWEEPS, max_iter)
            )
            epochs += sweeps
            if gap <= tol * primal or epochs >= max_iter:
                return _Answer(w, epochs, primal, gap, kkt)
            w = newton_on_support(self.gram, self.products, w, l1, l2)


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """The rows, √ω-weighted and centred (x, y)."""

    x: Array
    y: Array
    products: Array
    squares: float
    x_mean: Array
    y_mean: Array

    def solve(self, w: Array, l1: float, l2: float, tol: float, max_iter: int) -> _Answer:
        """Working sets until the gap of all columns is closed, or `max_iter` sweeps are made."""
        epochs, size = 0, _FIRST
        while True:
            c = np.ascontiguousarray(self.x.T @ (self.y - self.x @ w))
            primal, gap, kkt = _core.prove_blocks(self.products, self.squares, w, c, l1, l2)
            if gap <= tol * primal or epochs >= max_iter:
                return _Answer(w, max(epochs, 1), primal, gap, kkt)
            chosen = self._working_set(w, c, l2, size)
            columns = np.ascontiguousarray(self.x[:, chosen])
            known = _Gram(
                columns.T @ columns,
                np.ascontiguousarray(self.products[chosen]),
                self.squares,
                self.x_mean,
                self.y_mean,
            )
            start = np.ascontiguousarray(w[chosen])
            part = known.solve(start, l1, l2, _INNER * tol, max_iter - epochs)
            w = np.zeros_like(w)
            w[chosen] = part.w
            epochs += part.epochs
            size = max(2 * size, 2 * int(np.count_nonzero(w.any(axis=1))))

    def _working_set(self, w: Array, c: Array, l2: float, size: int) -> NDArray[np.intp]:
        """The support, and the columns with the largest correlations beside it."""
        score = np.linalg.norm(c - l2 * w, axis=1)
        score[w.any(axis=1)] = np.inf
        count = min(len(score), size + int(np.isinf(score).sum()))
        return np.sort(np.argpartition(-score, count - 1)[:count])


def _of_moments(problem: ElasticNetProblem) -> _Gram:
    moments = problem.moments
    assert moments is not None
    about: Moments = moments if problem.intercept else moments.about_zero()
    return _Gram(
        np.ascontiguousarray(about.xx),
        np.ascontiguousarray(about.xy),
        float(np.trace(about.yy)),
        moments.x_mean,
        moments.y_mean,
    )


def _of_rows(problem: ElasticNetProblem) -> _Rows:
    table = problem.table
    assert isinstance(table, Table)
    assert table.y is not None
    weights = np.ones(table.n_rows) if table.weights is None else table.weights
    share = weights / weights.sum()
    dense = table.x.toarray() if table.is_sparse else np.asarray(table.x)
    x_mean = share @ dense if problem.intercept else np.zeros(table.n_features)
    y_mean = share @ table.y if problem.intercept else np.zeros(table.y.shape[1])
    root = np.sqrt(weights)[:, None]
    x = np.asfortranarray(root * (dense - x_mean))
    y = root * (table.y - y_mean)
    return _Rows(x, y, np.ascontiguousarray(x.T @ y), float((y * y).sum()), x_mean, y_mean)
