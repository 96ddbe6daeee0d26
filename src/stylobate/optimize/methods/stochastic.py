"""Stochastic methods for means of many terms; an iteration is one pass over the terms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.functions.risk import EmpiricalRisk
from stylobate.optimize.methods.composite import proximal_residual
from stylobate.optimize.methods.gradient import require_momentum
from stylobate.optimize.methods.method import Method, Rate
from stylobate.optimize.objective import Objective
from stylobate.optimize.problem import Problem, strengths
from stylobate.optimize.sgd import (
    SgdOptions,
    SgdProblem,
    SgdState,
    descend,
    schedule_of,
)
from stylobate.optimize.state import State
from stylobate.optimize.steps import Decaying, StepRule, step_rule
from stylobate.optimize.stopping import Stopping

# (gradient of the batch, step number from 1) → the change of x before the proximal step
Update = Callable[[Array, int], Array]
_LOST = 1e20  # times the first value: this run does not come back


class StochasticMethod(Method):
    """Epochs of steps on batches, in a new random order each; proximal with a simple part."""

    takes_simple: ClassVar[bool] = True
    needs_sum: ClassVar[bool] = True
    batch: int
    random_state: int
    shuffle: bool = True
    every_step: bool = False

    def __post_init__(self) -> None:
        if not (self.batch >= 1 and int(self.batch) == self.batch):
            raise InvalidParameterError(
                f"{type(self).__name__}: batch must be an integer in [1, inf), got {self.batch!r}."
            )

    def update(self, objective: Objective, start: Array) -> tuple[Update, Callable[[int], float]]:
        """A new update rule with its own memory, and the step's length for proximal points."""
        raise NotImplementedError

    def states(self, objective: Objective, start: Array, stop: Stopping) -> Iterator[State]:
        n = objective.problem.smooth.n_terms
        random = np.random.default_rng(self.random_state)
        move, length = self.update(objective, start)
        x = mean = objective.prox(start, 1.0) if objective.problem.is_constrained else start
        yield self._look(objective, x, 0.0)
        t, average = 0, bool(getattr(self, "average", False))
        while True:
            order = random.permutation(n) if self.shuffle else np.arange(n)
            for first in range(0, n, self.batch):
                t += 1
                g = objective.batch_gradient(x, order[first : first + self.batch])
                x = objective.prox(x + move(g, t), length(t))
                if average:
                    mean = mean + (x - mean) / t
                if self.every_step:
                    yield self._look(objective, mean if average else x, length(t))
            if self.every_step:
                continue
            yield self._look(objective, mean if average else x, length(t))

    @staticmethod
    def _look(objective: Objective, x: Array, length: float) -> State:
        """The whole objective after an epoch: one pass more, for the trace and the tests."""
        value = objective.value(x)
        L = objective.problem.lipschitz
        residual = proximal_residual(objective, x, 1.0 / L if L else 1e-3)
        return State(x, value, residual, length)


@dataclass(frozen=True)
class SGD(StochasticMethod):
    r""":math:`x \leftarrow x - \eta_t \nabla f_B(x)` on random batches B of the terms.

    On an `EmpiricalRisk` with an ℓ2 penalty or none, with `Constant` or `Decaying` steps and no
    momentum, this is the compiled engine of `SGDClassifier` and `SGDRegressor`; elsewhere it is
    Python's.

    Parameters
    ----------
    step : StepRule or float, default=Decaying(1.0, 0.5)
        η of step t (a batch, not an epoch): `Constant`, `Decaying(c)`, `Decaying(c, 0.5)`,
        `StepDecay`, `ExponentialDecay`, `CosineDecay`.
    batch : int in [1, inf), default=1
        Terms in a batch.
    momentum : float in [0, 1), default=0.0
    average : bool, default=False
        Whether the answer is the mean of all points so far (Polyak and Ruppert).
    random_state : int, default=0
    nesterov : bool, default=False
        Whether momentum looks ahead: :math:`v \leftarrow m v - \eta g`, then x moves by
        :math:`m v - \eta g` in place of v.
    shuffle : bool, default=True
        Whether the terms are taken in a new random order each epoch; else in their own.
    every_step : bool, default=False
        Whether an iteration is a step on one batch, not an epoch: the trace, the path and the
        callback then see every step (and each costs a look at all terms).

    References
    ----------
    Robbins & Monro (1951), A stochastic approximation method; Polyak & Juditsky (1992),
    Acceleration of stochastic approximation by averaging.

    Examples
    --------
    >>> from stylobate.losses import HalfSquared
    >>> from stylobate.optimize import Constant, EmpiricalRisk, minimize
    >>> line = EmpiricalRisk(HalfSquared(), [[1.0], [2.0], [3.0]], [2.0, 4.0, 6.0])
    >>> minimize(line, [0.0], method=SGD(Constant(0.1)), max_iter=60).x.round(6)
    array([2.])

    One epoch, step by step and row by row:

    >>> method = SGD(Constant(0.1), shuffle=False, every_step=True)
    >>> minimize(line, [0.0], method=method, max_iter=3, keep_path=True).path.ravel().round(3)
    array([0.   , 0.2  , 0.92 , 1.892])
    """

    step: StepRule = field(default_factory=lambda: Decaying(1.0, 0.5))
    batch: int = 1
    momentum: float = 0.0
    average: bool = False
    random_state: int = 0
    nesterov: bool = False
    shuffle: bool = True
    every_step: bool = False
    name: ClassVar[str] = "SGD"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_momentum("SGD", self.momentum)
        object.__setattr__(self, "step", step_rule("SGD", self.step))

    def update(self, objective: Objective, start: Array) -> tuple[Update, Callable[[int], float]]:
        speed = np.zeros_like(start)

        def move(g: Array, t: int) -> Array:
            nonlocal speed
            down = self.step.rate(t) * g
            speed = self.momentum * speed - down
            return self.momentum * speed - down if self.nesterov else speed

        return move, self.step.rate

    def states(self, objective: Objective, start: Array, stop: Stopping) -> Iterator[State]:
        options = self._options(objective.problem)
        if options is None:
            yield from super().states(objective, start, stop)
        else:
            yield from self._compiled(objective, start, options)

    def _options(self, problem: Problem) -> SgdOptions | None:
        """How the compiled engine does the same; None where it cannot."""
        risk, penalty, schedule = problem.smooth, strengths(problem.simple), schedule_of(self.step)
        if not isinstance(risk, EmpiricalRisk) or schedule is None or self.momentum > 0.0:
            return None
        if self.every_step:
            return None
        if penalty is None or penalty[0] > 0.0:
            return None
        return SgdOptions(
            loss=risk.loss.core, l2=risk.l2 + penalty[1],
            intercept=False, shuffle=bool(self.shuffle), max_epochs=1, stops=False,
            batch=int(self.batch),
            average_from=float(self.average), seed=int(self.random_state), **schedule,
        )  # fmt: skip

    def _compiled(self, objective: Objective, start: Array, options: SgdOptions) -> Iterator[State]:
        risk = objective.problem.smooth
        rows = SgdProblem(risk.X, risk.y, None, None, np.arange(risk.n_terms))
        state = SgdState.at(start[np.newaxis], np.zeros(1))
        first = self._look(objective, start, 0.0)
        yield first
        while True:
            reports = descend(rows, replace(options, first_epoch=state.epochs), state)
            objective.evaluations["gradient"] += 1
            x = (state.mean_coef if self.average else state.coef)[0].copy()
            now = self._look(objective, x, float(reports[0]["eta"]))
            # the engine clips slopes, so that numbers may stay finite where a run is lost
            if reports[0]["failed_epoch"] or now.value > _LOST * (1.0 + abs(first.value)):
                now.value = np.inf
            yield now

    def rate(self, problem: Problem) -> Rate | None:
        return Rate(power=0.5, words="1/√t, t steps") if problem.convex else None
