"""Epochs of training: the loop, its books, and what ends it."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.neural_network.passes import Stage, stages_of
from stylobate.neural_network.training_loss import loss_and_slopes
from stylobate.neural_network.training_progress import EpochProgress
from stylobate.neural_network.updates import Updates

if TYPE_CHECKING:
    from stylobate.neural_network.checkpoints import Checkpoint
    from stylobate.neural_network.diagnosis import Diagnosis
    from stylobate.neural_network.network import Network
    from stylobate.neural_network.training import Task, TrainingPlan

LOST = 1e12  # times the first epoch's loss: this run does not come back
WATCHED_ROWS = 256  # of the last batch, looked at after an epoch


@dataclass(slots=True)
class Run:
    """All that changes while a network is trained; what a checkpoint holds.

    Parameters
    ----------
    parameters, gradient, state : array
        Of now; changed in place by every step.
    updates : Updates
        What the optimiser remembers.
    draw : numpy Generator
        Orders of rows, what is dropped, augmentation.
    """

    parameters: NDArray[Any]
    gradient: NDArray[Any]
    state: Array
    updates: Updates
    draw: np.random.Generator
    losses: list[float] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    best_parameters: NDArray[Any] | None = None
    best_state: Array | None = None
    best_epoch: int = 1
    best_score: float = -np.inf
    waited: int = 0  # epochs without progress
    trace: list[Diagnosis] = field(default_factory=list)
    troubled: bool = False
    advice: str = ""

    @classmethod
    def of(cls, network: Network, plan: TrainingPlan) -> Run:
        """At the beginning."""
        parameters = network.parameters.copy()
        updates = Updates(plan.method, parameters, network._places, plan.weight_decay)
        draw = np.random.default_rng(plan.method.random_state)
        return cls(parameters, np.zeros_like(parameters), network.state.copy(), updates, draw)

    def copy(self, network: Network, plan: TrainingPlan) -> Run:
        """To go on from, with another plan perhaps."""
        other = Run.of(network, plan)
        other.parameters[:], other.state[:] = self.parameters, self.state
        other.draw = deepcopy(self.draw)
        if type(self.updates.method) is type(plan.method):
            other.updates.first[:], other.updates.second[:] = (
                self.updates.first,
                self.updates.second,
            )
            other.updates.count = self.updates.count
        other.losses, other.scores = list(self.losses), list(self.scores)
        other.best_parameters, other.best_state = self.best_parameters, self.best_state
        other.best_epoch, other.best_score = self.best_epoch, self.best_score
        other.trace, other.waited = list(self.trace), self.waited
        return other

    def note(self, loss: float, score: float | None, tol: float) -> None:
        """The books of an epoch."""
        self.losses.append(loss)
        if score is not None:
            self.scores.append(score)
        now = -loss if score is None else score
        self.waited = 0 if now > self.best_score + tol else self.waited + 1
        even = now == self.best_score and loss < self.losses[self.best_epoch - 1]
        if now > self.best_score or even:
            self.best_score, self.best_epoch = now, len(self.losses)
            self.best_parameters, self.best_state = self.parameters.copy(), self.state.copy()


def run_epochs(task: Task, run: Run, until: int, file: Checkpoint | None) -> str:
    """Train until so many epochs were made, or something ends it; says what."""
    plan = task.plan
    stages = stages_of(task.network._places, run.parameters, run.state, run.gradient)
    ended = "all epochs were made"
    try:
        with EpochProgress(plan.progress, until) as progress:
            while len(run.losses) < until:
                if plan.patience is not None and run.waited >= plan.patience:
                    ended = f"nothing improved for {plan.patience} epochs"
                    break
                with np.errstate(over="ignore", invalid="ignore"):  # a lost run is told of below
                    loss, seen = _epoch(task, run, stages)
                trouble = _trouble(run, loss)
                if trouble:
                    run.troubled, ended = True, trouble
                    run.advice = _advice(task, run, stages, seen)
                    break
                score = None if task.validation is None else task.validation.score(stages)
                run.note(loss, score, plan.tol)
                if plan.diagnose:
                    run.trace.append(_look(task, stages, seen))
                if file is not None:
                    file.write(run)
                progress.advance(run.losses, run.scores)
    except KeyboardInterrupt:
        run.troubled, ended = True, "training was interrupted"
    return ended


def _epoch(task: Task, run: Run, stages: list[Stage]) -> tuple[float, Any]:
    """Steps along all batches: the mean loss met, and the last batch."""
    total = weight = 0.0
    seen: Any = None
    for x, y, weights in task.batches.epoch(run.draw):
        if task.plan.augment is not None:
            x = _augmented(task, run, x, y)
        value, _ = loss_and_slopes(stages, x, y, task.loss, run.draw, weights=weights)
        value += run.updates.step(run.parameters, run.gradient)
        share = float(len(x)) if weights is None else float(weights.sum())
        total, weight, seen = total + value * share, weight + share, (x, y, weights)
        if not np.isfinite(value):
            break
    return (total / weight if weight > 0.0 else 0.0), seen


def _augmented(task: Task, run: Run, x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    """The batch as the caller's function changes it, checked again."""
    augment, shape = task.plan.augment, task.network.input_shape
    examples = x.reshape(len(x), *shape).copy()  # the function may write into it
    if getattr(augment, "sees_network", False):
        network = task.network.with_parameters(run.parameters, run.state)
        return task.network._rows(augment(examples, run.draw, y, network))
    return task.network._rows(augment(examples, run.draw))


def _trouble(run: Run, loss: float) -> str:
    """Why training cannot go on; empty if it can."""
    epoch = len(run.losses) + 1
    if not (np.isfinite(loss) and np.isfinite(run.parameters).all()):
        return f"the loss left the range of numbers in epoch {epoch}"
    if run.losses and loss > LOST * max(abs(run.losses[0]), 1e-300):
        return f"the loss exploded in epoch {epoch}, to {loss:.3g} from {run.losses[0]:.3g}"
    return ""


def _look(task: Task, stages: list[Stage], seen: Any) -> Diagnosis:
    from stylobate.neural_network.diagnosis import diagnose_stages

    x, y, weights = seen
    x, y = x[:WATCHED_ROWS], y[:WATCHED_ROWS]
    weights = None if weights is None else weights[:WATCHED_ROWS]
    return diagnose_stages(stages, x, y, task.loss, weights)


def _advice(task: Task, run: Run, stages: list[Stage], seen: Any) -> str:
    """What to change, after a loss that exploded."""
    largest = float(np.abs(seen[0]).max())
    if largest > 100.0:
        return (
            f" Entries of x reach {largest:.3g}: bring columns to mean 0 and variance 1 "
            "(StandardScaler)."
        )
    rate = run.updates.rule.rate(max(run.updates.count, 1))
    return (
        f" Steps of {rate:.3g} are too long: try {rate / 10:.3g}, or put BatchNorm() or "
        "LayerNorm() between layers."
    )
