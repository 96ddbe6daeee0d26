"""Running a study solver over targets and penalties, and keeping its books."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from stylobate.arrays import Array
from stylobate.optimize.elastic_net.forms import Form
from stylobate.optimize.elastic_net.problem import ElasticNetProblem
from stylobate.optimize.elastic_net.proof import Proof, prove
from stylobate.optimize.elastic_net.smooth import Smooth, smooth_parts
from stylobate.optimize.elastic_net.solution import ElasticNetSolution
from stylobate.optimize.methods.method import Method
from stylobate.optimize.objective import Objective
from stylobate.optimize.stopping import Stopping
from stylobate.optimize.trace import Trace

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


Formulate = Callable[[Task], Form]


def run(
    problem: ElasticNetProblem, method: Method, form: Formulate, make: Callable[..., Task] = Task
) -> ElasticNetSolution:
    """Solve every target at every penalty by one method, each from the answer before.

    Parameters
    ----------
    problem : Problem
        What is asked.
    method : Method
        A public one.
    form : callable
        Makes a problem for it of a task.
    make : callable
        Makes the tasks: another form of the problem may have bounds of its own.
    """

    def course(task: Task) -> Iterator[tuple[Array, float]]:
        made = form(task)
        objective = Objective(made.problem, len(made.start))
        states = method.states(objective, made.start, Stopping(problem.max_iter))
        next(states)  # the start
        return ((made.coefficients(state.x), state.step) for state in states)

    return solve_each(problem, course, make)


# From a task to its iterates: coefficients and the step that led there, one after the other.
Course = Callable[[Task], Iterator[tuple[Array, float]]]


def solve_each(
    problem: ElasticNetProblem, course: Course, make: Callable[..., Task] = Task
) -> ElasticNetSolution:
    """Follow a course for every target at every penalty until its gap is closed."""
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
            w, proof, iterations[k, j] = _iterate(task, course, problem, trace)
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
    task: Task, course: Course, problem: ElasticNetProblem, trace: Trace
) -> tuple[Array, Proof, int]:
    """The best coefficients seen until the gap is closed or the iterations are used up."""
    best, proof = task.start, task.prove(task.start)
    dual = proof.primal - proof.gap
    rounding = 0.5 * _ROUNDING * task.smooth.squares
    count, seen, w, step, points = 0, 0, task.start, 0.0, course(task)
    while True:
        now = next(points, None)  # None: nowhere further to go
        if now is not None:
            (w, step), count = now, count + 1
        last = now is None or count >= problem.max_iter
        if count == seen:
            break
        if count % _CHECK_EVERY and not last:
            continue
        seen = count
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
