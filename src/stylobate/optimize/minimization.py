"""`minimize`: a problem, a start and a method, to an answer with its proof."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import Any, overload

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError, ObjectiveError
from stylobate.optimize.certification import certify
from stylobate.optimize.constrained.augmented import (
    ConstrainedSolution,
    refuse_other_options,
    solve_constrained,
)
from stylobate.optimize.constrained.problem import ConstrainedProblem
from stylobate.optimize.functions.smooth import Smooth
from stylobate.optimize.methods.method import Method
from stylobate.optimize.objective import Objective
from stylobate.optimize.problem import Problem
from stylobate.optimize.solution import Solution
from stylobate.optimize.state import State
from stylobate.optimize.steps import ROUNDING
from stylobate.optimize.stopping import Stopping
from stylobate.optimize.trace import Trace

_HOMES = {  # name → where the method lives
    "gradient descent": ("gradient", "GradientDescent"),
    "heavy ball": ("gradient", "HeavyBall"),
    "nesterov": ("gradient", "Nesterov"),
    "cg": ("conjugate", "ConjugateGradient"),
    "bfgs": ("quasi_newton", "BFGS"),
    "l-bfgs": ("quasi_newton", "LBFGS"),
    "newton": ("second_order", "Newton"),
    "trust region": ("second_order", "TrustRegion"),
    "proximal gradient": ("composite", "ProximalGradient"),
    "projected gradient": ("composite", "ProjectedGradient"),
    "fista": ("composite", "FISTA"),
    "subgradient": ("subgradient", "Subgradient"),
    "mirror descent": ("subgradient", "MirrorDescent"),
    "coordinate descent": ("coordinate", "CoordinateDescent"),
    "admm": ("splitting", "ADMM"),
    "sgd": ("stochastic", "SGD"),
    "adagrad": ("adaptive", "AdaGrad"),
    "rmsprop": ("adaptive", "RMSProp"),
    "adam": ("adaptive", "Adam"),
    "svrg": ("variance_reduced", "SVRG"),
    "saga": ("variance_reduced", "SAGA"),
}


@overload
def minimize(
    function: Any, start: Any = None, *, inequalities: Any, equalities: Any = ..., **options: Any
) -> ConstrainedSolution: ...
@overload
def minimize(
    function: Any, start: Any = None, *, equalities: Any, **options: Any
) -> ConstrainedSolution: ...
@overload
def minimize(function: Any, start: Any = None, **options: Any) -> Solution: ...
def minimize(  # type: ignore[misc]  # the options are those named here
    function: Any,
    start: Any = None,
    *,
    method: str | Method = "auto",
    gradient: Callable[[Any], Any] | None = None,
    hessian: Callable[[Any], Any] | None = None,
    penalty: Any = None,
    max_iter: int | None = None,
    stop: Stopping | None = None,
    keep_path: bool = False,
    keep_gaps: bool = False,
    callback: Callable[[int, State], Any] | None = None,
    inequalities: Any = (),
    equalities: Any = (),
) -> Solution | ConstrainedSolution:
    r"""Minimise :math:`F(x) = f(x) + g(x)` from a start.

    Parameters
    ----------
    function : callable, or problem
        f, or a `Problem`, a `Quadratic`, an `EmpiricalRisk`, a test problem of
        `stylobate.datasets`.
    start : array (n,), optional
        Where to begin; test problems have one of their own.
    method : str or Method, default="auto"
        "gradient descent", "newton", "l-bfgs", "fista" … or an object such as
        ``GradientDescent(Constant(0.1))``; ``"scipy:BFGS"`` for SciPy's. "auto" takes L-BFGS, and
        FISTA where there is a penalty or a set.
    gradient, hessian : callable, optional
        Of f, where it is a plain function; found by a complex step or differences otherwise.
    penalty : penalty or set, optional
        g, where `function` is not a `Problem`.
    max_iter : int, optional
        Largest number of iterations (epochs of stochastic methods); 1000 by default.
    stop : Stopping, optional
        The tests of convergence.
    keep_path : bool, default=False
        Whether all points are kept, for pictures.
    keep_gaps : bool, default=False
        Whether the proved gap is computed after every iteration, for the trace.
    callback : callable, optional
        Called as ``callback(t, state)`` after every iteration, the last one included; a true
        answer ends the run.
    inequalities : function or sequence of functions, default=()
        Constraints :math:`c(x) \le 0`, each a smooth function that returns a number.
    equalities : function or sequence of functions, default=()
        Constraints :math:`c(x) = 0`. With constraints the method is the augmented Lagrangian;
        `max_iter` counts its rounds, and ``stop.gradient`` (1e-6 by default) is the tolerance of
        the Karush–Kuhn–Tucker conditions.

    Returns
    -------
    Solution, or ConstrainedSolution with constraints

    Raises
    ------
    ObjectiveError
        If the function raises, has no finite value at the start, or the wrong shape; its `solution`
        holds the trace so far.

    Examples
    --------
    >>> found = minimize(lambda x: (x[0] - 1) ** 2 + 10 * (x[1] + 2) ** 2, [0.0, 0.0])
    >>> found.x.round(6), found.stopped_by
    (array([ 1., -2.]), 'gradient')
    >>> found = minimize(lambda x: x @ x, [2.0, 0.0], inequalities=lambda x: 1 - x[0] - x[1])
    >>> found.x.round(6), found.conditions.inequality_multipliers.round(4), found.converged
    (array([0.5, 0.5]), array([1.]), True)

    References
    ----------
    Nocedal & Wright (2006), Numerical Optimization; Beck (2017), First-Order Methods in
    Optimization.
    """
    if _some(inequalities) or _some(equalities):
        refused = {"method": method != "auto" and method, "penalty": penalty is not None,
                   "keep_gaps": keep_gaps}  # fmt: skip
        refuse_other_options(refused)
        smooth = _problem(function, gradient, hessian, None).smooth
        constrained = ConstrainedProblem(smooth, inequalities, equalities)
        return solve_constrained(
            constrained,
            _start(Problem(smooth), start),
            tol=1e-6 if stop is None else stop.gradient,
            max_rounds=max_iter,
            keep_path=keep_path,
            callback=callback,
        )
    problem = _problem(function, gradient, hessian, penalty)
    first = _start(problem, start)
    chosen = _method(method, problem)
    chosen.check(problem)
    tests = stop or Stopping()
    if max_iter is not None:
        tests = Stopping(max_iter, tests.value, tests.change, tests.gradient)
    objective = Objective(problem, len(first))
    _require_finite(objective, first)
    return _Run(problem, chosen, objective, tests, keep_path, keep_gaps, callback).run(first)


def _some(constraints: Any) -> bool:
    return callable(constraints) or len(constraints) > 0


class _Run:
    """The books of one run."""

    def __init__(self, problem: Problem, method: Method, objective: Objective, tests: Stopping,
                 keep_path: bool, keep_gaps: bool,
                 callback: Callable[..., Any] | None) -> None:  # fmt: skip
        self._problem, self._method, self._objective = problem, method, objective
        self._tests, self._callback = tests, callback
        self._trace = Trace()
        self._path: list[Array] | None = [] if keep_path else None
        self._gaps = keep_gaps
        self._best: State | None = None
        self._count = 0

    def run(self, first: Array) -> Solution:
        states = self._method.states(self._objective, first, self._tests)
        try:
            return self._solution(self._follow(states))
        except ObjectiveError as error:
            if self._best is not None:
                error.solution = self._solution("diverged")
            raise

    def _follow(self, states: Iterator[State]) -> str:
        before: State | None = None
        reason: str | None = None
        for t, state in enumerate(states):
            self._count = t
            self._record(state)
            reason = self._tests.reason(t, before, state)
            if t > 0 and self._callback is not None and self._callback(t, state):
                reason = reason or "callback"
            if reason is not None:
                break
            before = state
        return reason or "stalled"

    def _record(self, state: State) -> None:
        self._trace.record(
            objective=state.value,
            gradient_norm=state.optimality,
            step=state.step,
            evaluations=sum(self._objective.evaluations.values()),
            gap=certify(self._problem, state.x, state.value).gap if self._gaps else None,
        )
        if self._path is not None:
            self._path.append(np.array(state.x))
        best = self._best
        # of points that rounding cannot tell apart the later one has the smaller gradient
        if best is None or state.value <= best.value + ROUNDING * abs(best.value):
            self._best = state

    def _solution(self, reason: str) -> Solution:
        best = self._best
        assert best is not None
        return Solution(
            x=np.array(best.x),
            value=best.value,
            stopped_by=reason,
            iterations=self._count,
            trace=self._trace,
            certificate=certify(self._problem, best.x, best.value),
            evaluations=dict(self._objective.evaluations),
            path=None if self._path is None else np.array(self._path),
            problem=self._problem,
            method=self._method,
        )


def _problem(function: Any, gradient: Any, hessian: Any, penalty: Any) -> Problem:
    if isinstance(function, Problem):
        if penalty is not None or gradient is not None or hessian is not None:
            raise InvalidParameterError(
                "minimize: a Problem has its derivatives and its simple part already; leave out "
                "gradient, hessian and penalty."
            )
        return function
    if hasattr(function, "value") and hasattr(function, "gradient"):
        return Problem(function, penalty, getattr(function, "name", ""))
    if not callable(function):
        raise InvalidParameterError(
            f"minimize: function must be a function of an array or a Problem, got {function!r}."
        )
    return Problem(Smooth(function, gradient, hessian), penalty)


def _start(problem: Problem, start: Any) -> Array:
    given = getattr(problem.smooth, "start", None) if start is None else start
    if given is None:
        raise InvalidParameterError("minimize: start is missing; pass the point to begin at.")
    try:
        x = np.array(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidDataError(f"minimize: start must hold numbers, got {given!r}.") from error
    if x.ndim == 0:
        x = x.reshape(1)
    if x.ndim != 1 or not x.size:
        raise InvalidDataError(
            f"minimize: start has shape {x.shape}; it must be a vector of at least one number."
        )
    if not np.isfinite(x).all():
        raise InvalidDataError("minimize: start must be finite; it holds NaN or infinity.")
    return x


def _require_finite(objective: Objective, start: Array) -> None:
    """A start outside a set is moved into it by the methods; what f says there must be a number."""
    x = objective.prox(start, 1.0) if objective.problem.is_constrained else start
    domain = getattr(objective.problem.smooth, "domain", None)
    if domain is not None and not domain(x):
        raise InvalidDataError(
            "minimize: the start lies outside the domain of the function; begin inside it."
        )
    value = objective.smooth_value(x)
    slope = objective.gradient(x)
    if not np.isfinite(value):
        raise ObjectiveError(
            "The objective is NaN or infinite at the start; begin where it is a finite number."
        )
    if not np.isfinite(slope).all():
        bad = int(np.flatnonzero(~np.isfinite(slope))[0])
        raise ObjectiveError(
            f"The gradient's entry {bad} is {slope[bad]} at the start; it must be finite."
        )


def _method(method: str | Method, problem: Problem) -> Method:
    from importlib import import_module

    if isinstance(method, Method):
        return method
    if not isinstance(method, str):
        raise InvalidParameterError(
            f"minimize: method must be a name or a Method such as Newton(), got {method!r}."
        )
    name = method.lower().replace("_", " ")
    if name.startswith("scipy:"):
        from stylobate.optimize.methods.scipy import SciPy

        return SciPy(method[len("scipy:") :])
    if name == "auto":
        name = "l-bfgs" if problem.simple is None else "fista"
    if name not in _HOMES:
        close = get_close_matches(name, _HOMES, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else "."
        raise InvalidParameterError(
            f"minimize: there is no method {method!r}{hint} Known are {', '.join(_HOMES)}, auto "
            "and scipy:NAME."
        )
    module, kind = _HOMES[name]
    made: Method = getattr(import_module(f"stylobate.optimize.methods.{module}"), kind)()
    return made
