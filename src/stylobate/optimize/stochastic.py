"""SAGA and SAG: incremental gradients that remember the last one of every row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.base.randomness import seed_of
from stylobate.losses import Multinomial
from stylobate.optimize.sgd import row_major
from stylobate.optimize.softmax_gap import Losses, SagaLoss, duality_gap
from stylobate.optimize.trace import Trace
from stylobate.statistics.rows import csr_parts

_FINE = 1e-11  # relative gaps below leave digits of small weights open
_ROUNDING = 1e-13  # relative gaps below are rounding of the two objectives
_EPOCHS_PER_CHECK = 4  # a gap costs about as much as one epoch


@dataclass(frozen=True, slots=True)
class StochasticSolution:
    """What the method found.

    Parameters
    ----------
    coef : array of shape (k, p)
        k = 1 but for the multinomial loss.
    intercept : array of shape (k,)
    iterations : int
        Epochs of n steps.
    converged : bool
        Whether the relative gap asked for was reached.
    trace : Trace
        Objective, and gap in place of a gradient's norm, whenever they were computed.
    primal, gap : float
        The objective at the answer, and a bound of how far it is above the minimum (inf where there
        is no penalty to give one).
    """

    coef: Array
    intercept: Array
    iterations: int
    converged: bool
    trace: Trace = field(repr=False)
    primal: float
    gap: float


def saga(
    x: Any,
    y_or_codes: NDArray[Any],
    weights: Array | None,
    *,
    loss: SagaLoss,
    n_classes: int = 2,
    l1: float = 0.0,
    l2: float = 0.0,
    fit_intercept: bool = True,
    tol: float = 1e-6,
    max_iter: int = 1000,
    random_state: Any = None,
    start: tuple[Array, Array] | None = None,
    averaged_gradient_only: bool = False,
) -> StochasticSolution:
    r"""Minimise :math:`\sum_i ω_i ℓ(y_i, x_i w + b) + l_1 \|w\|_1 + \tfrac{l_2}2 \|w\|^2`.

    Each step draws a row, replaces its gradient in a table of all rows' last gradients, and goes
    against new − old + mean of the table (SAGA), or against the mean alone (SAG), with the
    step 1/(2L + min(2 n μ, L)), L the steepest row's curvature and μ = l2/n (SAG: 1/L). Dense
    rows are centred on the way; compressed rows are not, and columns they miss catch up in closed
    form.

    Parameters
    ----------
    x : ndarray or sparse array of shape (n, p)
    y_or_codes : array of shape (n,)
        Targets of the squared loss ½(y − z)²; numbers of classes of the others.
    weights : array of shape (n,) or None
    loss : HalfSquared, Logistic or Multinomial
    n_classes : int
        Rows of weights of the multinomial loss.
    l1, l2 : float >= 0
    fit_intercept : bool
    tol : float
        Relative duality gap asked for; without any penalty, relative change of the weights in an
        epoch.
    max_iter : int
        Epochs at most.
    random_state : int, generator or None
    start : (coef, intercept) or None
    averaged_gradient_only : bool
        SAG instead of SAGA; only with l1 = 0.

    Returns
    -------
    StochasticSolution

    Examples
    --------
    >>> from stylobate.losses import HalfSquared
    >>> x = np.array([[0.0], [1.0], [2.0]])
    >>> found = saga(x, np.array([0.0, 1.0, 2.0]), None, loss=HalfSquared(), l2=2.0, random_state=0)
    >>> found.coef.round(3), found.converged
    (array([[0.5]]), True)

    References
    ----------
    Defazio, Bach & Lacoste-Julien (2014), SAGA. Schmidt, Le Roux & Bach (2017), Minimizing finite
    sums with the stochastic average gradient.
    """
    if averaged_gradient_only and l1 > 0.0:
        raise ValueError("SAG has no step for an ℓ1 penalty; use SAGA.")
    problem = Losses(row_major(x), np.ascontiguousarray(y_or_codes, dtype=np.float64), weights,
                     loss, n_classes if isinstance(loss, Multinomial) else 1, l1, l2,
                     fit_intercept)  # fmt: skip
    state = _State.of(problem, start)
    options = _options(problem, state, averaged_gradient_only, seed_of(random_state))
    return _iterate(problem, state, options, tol, max_iter)


def saga_points(
    x: Array, y: Array, *, loss: SagaLoss, l1: float, l2: float, step: float | None, start: Array,
    seed: int,
) -> Iterator[tuple[Array, float]]:  # fmt: skip
    """The weights after every epoch of SAGA on a mean of losses without intercept, and the step.

    Parameters
    ----------
    x, y, loss, seed
        As of `saga`.
    l1, l2 : float >= 0
        Of the mean loss.
    step : float, optional
        1/(2L + min(2nμ, L)) by default.
    start : array (p,)
    """
    n = len(y)
    problem = Losses(row_major(x), y, None, loss, 1, n * l1, n * l2, False)
    state = _State.of(problem, (start, np.zeros(1)))
    options = _options(problem, state, False, seed)
    if step is not None:
        options["step"] = step
    for epoch in count():
        _epochs(problem, state, options | {"first_epoch": epoch, "epochs": 1})
        yield state.coef[0].copy(), float(options["step"])


@dataclass(slots=True)
class _State:
    """The arrays the compiled epochs change in place."""

    center: Array
    coef: Array
    intercept: Array
    table: Array
    mean: Array
    mean_intercept: Array

    @classmethod
    def of(cls, problem: Losses, start: tuple[Array, Array] | None) -> _State:
        """At `start` or zero, with the table of gradients there."""
        n, p = problem.x.shape
        center = problem.center()
        coef, intercept = np.zeros((problem.outputs, p)), np.zeros(problem.outputs)
        if start is not None:
            coef = np.array(start[0], dtype=np.float64, order="C").reshape(coef.shape)
            intercept = np.array(start[1], dtype=np.float64).reshape(-1) + coef @ center
        table = np.ascontiguousarray(problem.slopes(coef, intercept - coef @ center))
        mean = problem.transposed_times(table) - np.outer(table.sum(axis=0), center)
        return cls(center, coef, intercept, table, np.ascontiguousarray(mean / n),
                   table.sum(axis=0) / n)  # fmt: skip

    def line(self) -> tuple[Array, Array]:
        """Weights and intercepts of rows that are not centred."""
        return self.coef, self.intercept - self.coef @ self.center


def _options(
    problem: Losses, state: _State, averaged_gradient_only: bool, seed: int
) -> dict[str, Any]:
    n = problem.x.shape[0]
    rows = (problem.weights, state.center, problem.intercept)
    if isinstance(problem.x, np.ndarray):
        steepest = _core.steepest_row(problem.x, *rows)
    else:
        steepest = _core.steepest_row_csr(*csr_parts(problem.x), *rows)
    l1, l2 = problem.l1 / n, problem.l2 / n
    largest = problem.loss.steepest * steepest + l2
    slow = largest if averaged_gradient_only else 2.0 * largest + min(2.0 * n * l2, largest)
    return {
        "loss": problem.loss.name,
        "l1": l1,
        "l2": l2,
        "step": 1.0 / max(slow, float(np.finfo(float).tiny)),
        "intercept": problem.intercept,
        "averaged_gradient_only": averaged_gradient_only,
        "seed": seed,
    }


def _iterate(
    problem: Losses, state: _State, options: dict[str, Any], tol: float, max_iter: int
) -> StochasticSolution:
    trace, done, converged = Trace(), 0, False
    primal = gap = np.inf
    while done < max_iter and not converged:
        before = state.coef.copy()
        count = min(_EPOCHS_PER_CHECK if done else 1, max_iter - done)
        _epochs(problem, state, options | {"first_epoch": done, "epochs": count})
        done += count
        primal, gap = duality_gap(problem, *state.line())
        if not np.isfinite(primal):
            break
        largest = float(np.abs(state.coef).max(initial=0.0))
        moved = float(np.abs(state.coef - before).max(initial=0.0)) / count
        if problem.l1 == problem.l2 == 0.0:
            converged = moved <= tol * largest
        elif tol >= _FINE:
            converged = gap <= tol * primal
        else:  # the gap drowns in rounding while the weights still gain digits
            small = gap <= max(tol, _ROUNDING) * primal
            converged = small and moved <= 1e-3 * np.sqrt(tol) * largest
        trace.record(objective=primal, gradient_norm=gap, step=options["step"])
    coef, intercept = state.line()
    if not problem.intercept:
        intercept = np.zeros_like(intercept)
    return StochasticSolution(coef, intercept, done, bool(converged), trace, primal, gap)


def _epochs(problem: Losses, state: _State, options: dict[str, Any]) -> None:
    rest = (
        problem.y, problem.weights, state.center, state.coef, state.intercept, state.table,
        state.mean, state.mean_intercept, options,
    )  # fmt: skip
    if isinstance(problem.x, np.ndarray):
        _core.saga(problem.x, *rest)
    else:
        engine: Any = _core.saga_csr  # one overload per kind of number
        engine(*csr_parts(problem.x), *rest)
