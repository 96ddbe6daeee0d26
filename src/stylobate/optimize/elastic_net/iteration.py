"""Running a study solver over targets and penalties, and keeping its books."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stylobate.optimize.elastic_net.problem import Problem
from stylobate.optimize.elastic_net.proof import Proof, prove
from stylobate.optimize.elastic_net.smooth import Smooth, smooth_parts
from stylobate.optimize.elastic_net.solution import ElasticNetSolution
from stylobate.optimize.trace import Trace

Array = NDArray[np.float64]

_ROUNDING = 2e-12  # of ‖y‖²: what these steps can tell of a perfect fit
_CHECK_EVERY = 10  # iterations between two looks at the gap, and two entries of the trace


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """One target at one penalty: min ½‖y − Xw‖² + l1‖w‖₁ + ½l2‖w‖² (w ≥ 0 where asked)."""

    smooth: Smooth
    l1: float
    l2: float
    positive: bool
    start: Array

    def prove(self, w: Array) -> Proof:
        """Objective and gap at w."""
        c, squares = self.smooth.correlations(w)
        return prove(w, c, squares, l1=self.l1, l2=self.l2, positive=self.positive)

    def smooth_value(self, w: Array) -> float:
        """½‖y − Xw‖²."""
        return 0.5 * self.smooth.correlations(w)[1]

    def gradient(self, w: Array) -> Array:
        """−Xᵀ(y − Xw)."""
        return -self.smooth.correlations(w)[0]

    def prox(self, v: Array, step: float) -> Array:
        """Argmin over w of step·penalty(w) + ½‖w − v‖²."""
        from stylobate.penalties import ElasticNet

        w: Array = ElasticNet(self.l1, self.l2).prox(v, step)
        return np.maximum(w, 0.0) if self.positive else w


# A method yields its coefficients and the step it took, iteration after iteration.
Method = Callable[[Task], Iterator[tuple[Array, float]]]


def run(problem: Problem, method: Method, make: Callable[..., Task] = Task) -> ElasticNetSolution:
    """Solve every target at every penalty by one method, each from the answer before.

    Parameters
    ----------
    problem : Problem
        What is asked.
    method : callable
        From a task to its iterates.
    make : callable
        Makes the tasks: another form of the problem may have bounds of its own.
    """
    l1s, l2s = problem.penalties()
    parts = smooth_parts(problem)
    p = len(parts[0].products)
    t, a = len(parts), len(l1s)
    coef, intercept = np.zeros((t, a, p)), np.zeros((t, a))
    primal, gap, kkt = np.zeros((t, a)), np.zeros((t, a)), np.zeros((t, a))
    iterations = np.ones((t, a), dtype=np.int64)
    trace = Trace()
    for k, smooth in enumerate(parts):
        w = np.zeros(p) if problem.start is None else problem.start[k]
        for j, (l1, l2) in enumerate(zip(l1s, l2s, strict=True)):
            task = make(smooth, float(l1), float(l2), problem.positive, w)
            w, proof, iterations[k, j] = _iterate(task, method, problem, trace)
            coef[k, j], intercept[k, j] = w, smooth.intercept(w)
            primal[k, j], gap[k, j] = proof.primal, proof.gap
            kkt[k, j] = proof.kkt / (l1 if l1 > 0 else 1.0)
    n = problem.weight
    if not problem.intercept:
        intercept[:] = 0.0
    condition = np.ones((t, a))
    return ElasticNetSolution(
        coef, intercept, primal / n, gap / n, kkt, iterations, condition, trace, _ROUNDING
    )


def _iterate(
    task: Task, method: Method, problem: Problem, trace: Trace
) -> tuple[Array, Proof, int]:
    """The best coefficients seen until the gap is closed or the iterations are used up."""
    best, proof = task.start, task.prove(task.start)
    dual = proof.primal - proof.gap
    rounding = 0.5 * _ROUNDING * task.smooth.squares
    count = 0
    for count, (w, step) in enumerate(method(task), 1):
        last = count >= problem.max_iter
        if count % _CHECK_EVERY and not last:
            continue
        found = task.prove(w)
        dual = max(dual, found.primal - found.gap)
        if found.primal <= proof.primal:
            best, proof = w, found
        n = problem.weight
        trace.record(objective=found.primal / n, gradient_norm=found.kkt / n, step=step)
        if last or proof.primal - dual <= problem.tol * proof.primal + rounding:
            break
    gap = max(proof.primal - dual, 0.0)
    return best, proof._replace(gap=gap), max(count, 1)
