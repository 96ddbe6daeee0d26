"""Coordinate descent by the compiled core: on the Gram, or on the rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.optimize.elastic_net.problem import ElasticNetProblem
from stylobate.optimize.elastic_net.solution import ElasticNetSolution
from stylobate.optimize.trace import Trace


def solve_gram(problem: ElasticNetProblem) -> ElasticNetSolution:
    """Covariance updates on XᵀX: no row is read.

    References
    ----------
    Friedman, Hastie & Tibshirani (2010), Regularization paths for generalized linear models via
    coordinate descent, J. Statistical Software 33.
    """
    assert problem.moments is not None
    gram, xy, yy = problem.quadratic()
    t = len(xy)
    l1, l2 = (np.tile(each, (t, 1)) for each in problem.penalties())
    which, single = np.zeros(t, dtype=np.int64), len(problem.alphas) == 1
    answers = descend_grams(gram[None], which, xy, yy, l1, l2, problem, record=single)
    solution = as_solution(answers, np.full((t, 1), problem.weight), l1)
    if problem.intercept:
        mean, y_mean = problem.moments.x_mean, problem.moments.y_mean
        solution.intercept[:] = y_mean[:, None] - solution.coef @ mean
    return solution


def solve_rows(problem: ElasticNetProblem) -> ElasticNetSolution:
    """Coordinate descent on a working set of columns, screened by one reading of X per round.

    The working set's Gram is kept, so that an epoch does not touch the rows; coefficients are
    extrapolated every few epochs and finished by the normal equations of the support. Columns that
    a sphere around a dual point proves to be zero are not read again at that penalty.

    References
    ----------
    Fercoq, Gramfort & Salmon (2015), Mind the duality gap: safer rules for the lasso, ICML;
    Ndiaye et al. (2017), Gap safe screening rules for sparsity enforcing penalties, JMLR 18;
    Massias, Gramfort & Salmon (2018), Celer: a fast solver for the lasso with dual extrapolation,
    ICML; Tibshirani et al. (2012), Strong rules for discarding predictors in lasso-type problems,
    J. Royal Statistical Society B 74.
    """
    table = problem.table
    assert table is not None
    assert table.y is not None
    y = np.ascontiguousarray(table.y.T)
    weights = None if table.weights is None else np.tile(table.weights, (len(y), 1))
    l1, l2 = (np.tile(each, (len(y), 1)) for each in problem.penalties())
    single = len(problem.alphas) == 1
    answers = descend_rows(table, y, weights, l1, l2, problem, _known(problem), record=single)
    return as_solution(answers, np.full((len(y), 1), problem.weight), l1)


def descend_grams(
    grams: Array,
    which: NDArray[np.int64],
    xy: Array,
    yy: Array,
    l1: Array,
    l2: Array,
    problem: ElasticNetProblem,
    *,
    record: bool = False,
) -> tuple[Any, ...]:
    """The core's answers for regressions with Grams of their own; settings are the problem's."""
    rules = _rules(problem)
    rules.record = record
    rules.plain = problem.plain
    return _core.elastic_net_gram(grams, which, xy, yy, l1, l2, problem.start, rules)


def _rules(problem: ElasticNetProblem) -> _core.DescentRules:
    rules = _core.DescentRules()
    for name in ("positive", "seed", "tol", "floor", "max_iter", "polish"):
        setattr(rules, name, getattr(problem, name))
    return rules


def _known(problem: ElasticNetProblem) -> tuple[Array, Array, Array] | None:
    """What a reading of the rows has already told, for regressions weighted as all rows are."""
    found = problem.measures
    if found is None or found.intercept != problem.intercept:
        return None
    if problem.table is not None and problem.table.weights is not None and len(found.products) > 1:
        return None
    return found.sums, found.squares, found.products


def descend_rows(
    table: Table,
    y: Array,
    weights: Array | None,
    l1: Array,
    l2: Array,
    problem: ElasticNetProblem,
    known: tuple[Array, Array, Array] | None = None,
    *,
    record: bool = False,
) -> tuple[Any, ...]:
    """The core's answers for regressions on the same columns; settings are the problem's."""
    rules = _rules(problem)
    rules.record = record
    rules.change = problem.change
    wanted = _core.Regressions(y, weights, l1, l2, problem.start, problem.intercept)
    x = table.x
    if table.is_sparse:
        csc = x.tocsc()
        return _core.elastic_net_csc(csc.data, csc.indices, csc.indptr, csc.shape[0], wanted, rules)
    if x.itemsize not in x.strides:
        x = np.ascontiguousarray(x)
    return _core.elastic_net_rows(x, wanted, rules, known)


def as_solution(answers: tuple[Any, ...], weight: Array, l1: Array) -> ElasticNetSolution:
    """The core's answers in the scale of the estimators: a mean over rows."""
    coef, intercept, primal, gap, kkt, epochs, condition, screened, history = answers
    threshold = np.where(l1 > 0.0, l1, 1.0)
    return ElasticNetSolution(
        coef,
        intercept,
        primal / weight,
        gap / weight,
        kkt / threshold,
        np.maximum(epochs, 1).astype(np.int64),
        condition,
        trace=_trace(history, float(weight.flat[0]), float(threshold.flat[0])),
        screened=screened.astype(np.int64),
    )


def _trace(history: Array, weight: float, threshold: float) -> Trace | None:
    """Of each epoch the objective and the worst violation; None where no epoch was recorded."""
    if not len(history):
        return None
    objective, violation, seconds = history.T
    return Trace(
        objective=(objective / weight).tolist(),
        gradient_norm=(violation / threshold).tolist(),
        step=[1.0] * len(history),  # a sweep takes each coordinate to its own minimum
        seconds=seconds.tolist(),
    )
