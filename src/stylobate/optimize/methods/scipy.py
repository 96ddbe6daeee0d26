"""SciPy's minimisers under the same interface."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.methods.method import Method
from stylobate.optimize.objective import Objective
from stylobate.optimize.problem import Problem
from stylobate.optimize.sets import BoxSet, LInfBall
from stylobate.optimize.state import State, norm
from stylobate.optimize.stopping import Stopping

_WITHOUT_GRADIENT = ("Nelder-Mead", "Powell", "COBYLA", "COBYQA")
_WITH_HESSIAN = ("Newton-CG", "dogleg", "trust-ncg", "trust-krylov", "trust-exact", "trust-constr")
_WITH_BOUNDS = ("L-BFGS-B", "TNC", "SLSQP", "Nelder-Mead", "Powell", "trust-constr", "COBYQA")


@dataclass(frozen=True)
class SciPy(Method):
    """`scipy.optimize.minimize`, traced like the others.

    Parameters
    ----------
    algorithm : str, default="BFGS"
        SciPy's name of the method, e.g. "L-BFGS-B", "Nelder-Mead", "trust-exact".
    options : dict, optional
        Passed on; ``maxiter`` and the gradient's tolerance come from the stopping tests.

    Examples
    --------
    >>> from stylobate.datasets import rosenbrock
    >>> from stylobate.optimize import minimize
    >>> minimize(rosenbrock(), method=SciPy("L-BFGS-B")).x.round(4)
    array([1., 1.])
    """

    algorithm: str = "BFGS"
    options: dict[str, Any] = field(default_factory=dict)
    name: ClassVar[str] = "SciPy"
    takes_simple: ClassVar[bool] = True

    def check(self, problem: Problem) -> None:
        boxed = isinstance(problem.simple, BoxSet | LInfBall) and self.algorithm in _WITH_BOUNDS
        if problem.simple is not None and not boxed:
            raise InvalidParameterError(
                f"SciPy({self.algorithm!r}): of simple parts only BoxSet and LInfBall are taken, "
                f"with one of {', '.join(_WITH_BOUNDS)}; got {problem.simple!r}."
            )

    def states(self, objective: Objective, start: Array, stop: Stopping) -> Iterator[State]:
        from scipy import optimize as scipy_optimize

        scipy: Any = scipy_optimize
        seen = [State(start, objective.value(start), norm(objective.gradient(start)))]
        yield seen[0]
        options = {"maxiter": stop.max_iter} | self.options
        if self.algorithm in ("BFGS", "CG", "L-BFGS-B") and stop.gradient > 0.0:
            options.setdefault("gtol", stop.gradient)
        if self.algorithm == "L-BFGS-B":
            options.setdefault("ftol", 0.0)  # its own test of values would end first

        def look(intermediate_result: Any) -> None:
            x = np.array(intermediate_result.x)
            seen.append(State(x, objective.smooth_value(x), norm(objective.gradient(x)), 1.0))

        simple = objective.problem.simple
        extra: dict[str, Any] = {}
        if simple is not None:
            low, high = (
                (-simple.radius, simple.radius)
                if isinstance(simple, LInfBall) else (simple.low, simple.high)
            )  # fmt: skip
            extra["bounds"] = scipy.Bounds(
                np.broadcast_to(low, start.shape), np.broadcast_to(high, start.shape)
            )
        if self.algorithm not in _WITHOUT_GRADIENT:
            extra["jac"] = objective.gradient
        if self.algorithm in _WITH_HESSIAN:
            extra["hess"] = objective.hessian
        try:
            found = scipy.minimize(
                objective.smooth_value, start, method=self.algorithm, callback=look,
                options=options, **extra,
            )  # fmt: skip
        except ValueError as error:
            raise InvalidParameterError(f"SciPy({self.algorithm!r}): {error}") from error
        yield from seen[1:]
        x = np.array(found.x)
        yield State(
            x, objective.value(x), norm(objective.gradient(x)), 1.0, stalled=bool(found.success)
        )
