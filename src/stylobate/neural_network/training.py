"""Training a network by the methods of `stylobate.optimize`."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.words import user_stacklevel
from stylobate.exceptions import ConvergenceWarning, InvalidParameterError
from stylobate.neural_network.batches import Examples, RowBatches, StreamBatches, read_examples
from stylobate.neural_network.checkpoints import Checkpoint
from stylobate.neural_network.epochs import Run, run_epochs
from stylobate.neural_network.layers.activation import Dropout
from stylobate.neural_network.layers.normalization import BatchNorm
from stylobate.neural_network.layout import walk
from stylobate.neural_network.passes import stages_of
from stylobate.neural_network.training_loss import TrainingLoss, loss_and_slopes
from stylobate.neural_network.updates import BY_BATCHES, decay_segments
from stylobate.neural_network.validation import Validation, held_out
from stylobate.optimize.methods.adaptive import Adam
from stylobate.optimize.methods.method import Method

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from stylobate.neural_network.diagnosis import Diagnosis
    from stylobate.neural_network.network import Network


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How to train: the arguments of `Network.train`, checked."""

    method: Any = None
    epochs: int = 10
    weight_decay: float = 0.0
    sample_weight: Any = None
    class_weight: Any = None
    validation: Any = None
    scoring: Any = None
    patience: int | None = None
    tol: float = 0.0
    augment: Any = None
    checkpoint: Any = None
    after: Training | None = None
    target: Any = None
    progress: Any = None
    diagnose: bool = False

    def __post_init__(self) -> None:
        if self.method is None:
            object.__setattr__(self, "method", Adam(0.001, batch=32))
        if not isinstance(self.method, Method):
            raise InvalidParameterError(
                "Network: method must be one of stylobate.optimize, such as Adam(0.001, batch=32) "
                f"or LBFGS(), got {self.method!r}."
            )
        if not (int(self.epochs) == self.epochs and self.epochs >= 1):
            raise InvalidParameterError(
                f"Network: epochs must be a whole number in [1, inf), got {self.epochs!r}."
            )
        if not (0.0 <= self.weight_decay < np.inf and 0.0 <= self.tol < np.inf):
            raise InvalidParameterError(
                "Network: weight_decay and tol must be numbers in [0, inf), got "
                f"{self.weight_decay!r} and {self.tol!r}."
            )
        if self.patience is not None and not self.patience >= 1:
            raise InvalidParameterError(
                f"Network: patience must be a whole number in [1, inf) or None, got "
                f"{self.patience!r}."
            )
        if self.scoring is not None and self.validation is None:
            raise InvalidParameterError(
                "Network: scoring is asked of held-out rows; give validation=0.1 or (x, y)."
            )


@dataclass(frozen=True, slots=True)
class Training:
    """How training went.

    Parameters
    ----------
    network : Network
        That of the best epoch.
    losses : list of float
        The mean penalised loss met in every epoch (after the steps of a method on all rows).
    best_epoch : int
        Of the best validation score (of even ones that of the least loss), or without one of the
        least loss; from 1.
    ended : str
        Why training ended.
    scores : list of float
        Of the held-out rows after every epoch, if there are any; more is better.
    trace : list of Diagnosis
        What the layers did after every epoch, where ``diagnose=True``.
    """

    network: Network
    losses: list[float]
    best_epoch: int
    ended: str
    scores: list[float] = field(default_factory=list)
    trace: list[Diagnosis] = field(default_factory=list)
    _run: Run | None = field(default=None, repr=False)

    def findings(self) -> list[str]:
        """Sentences on what layers did wrong and what to change; none if nothing was seen."""
        from stylobate.neural_network.diagnosis import training_findings

        return training_findings(self.losses, self.scores, self.trace)

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Losses and scores of the epochs, the best one marked.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        """
        from stylobate.plot.networks.layers import plot_training

        return plot_training(self, ax=ax)


@dataclass(frozen=True, slots=True)
class Task:
    """What is minimised, on which batches, and what is held out."""

    network: Network
    loss: TrainingLoss
    batches: Any
    validation: Validation | None
    plan: TrainingPlan


def train(network: Network, x: Any, y: Any, loss: Any, plan: TrainingPlan) -> Training:
    """As `Network.train`."""
    chosen = TrainingLoss.of(loss, network._places)
    if not isinstance(plan.method, BY_BATCHES):
        return _on_all_rows(network, chosen, x, y, plan)
    batches: Any
    if y is None:
        batches, validation = _of_stream(network, chosen, x, plan)
    else:
        examples = read_examples(network, chosen, x, y, plan.sample_weight, plan.class_weight)
        examples, validation = _divided(network, chosen, examples, plan)
        batches = RowBatches(examples, int(plan.method.batch))
    task = Task(network, chosen, batches, validation, plan)
    file = None
    if plan.checkpoint is not None:
        file = Checkpoint.of(plan.checkpoint, network, loss, plan, batches.fingerprint())
    return _finished(task, _started(task, file), file)


def _of_stream(
    network: Network, loss: TrainingLoss, x: Any, plan: TrainingPlan
) -> tuple[StreamBatches, Validation | None]:
    if plan.sample_weight is not None or isinstance(plan.validation, float):
        raise InvalidParameterError(
            "Network: a stream of batches brings its weights as (x, y, sample_weight), and its "
            "validation rows are given as (x, y)."
        )
    held = None
    if plan.validation is not None:
        held = Validation.of(network, loss, plan.validation, plan.scoring)
    batch = int(plan.method.batch)
    return StreamBatches(network, loss, x, batch, plan.target, plan.class_weight), held


def _divided(
    network: Network, loss: TrainingLoss, examples: Examples, plan: TrainingPlan
) -> tuple[Examples, Validation | None]:
    """Rows to learn from, and those held out."""
    share = plan.validation
    if share is None:
        return examples, None
    if not isinstance(share, float):
        return examples, Validation.of(network, loss, share, plan.scoring)
    if not 0.0 < share < 1.0:
        raise InvalidParameterError(
            f"Network: validation must be a share in (0, 1) or (x, y), got {share!r}."
        )
    draw = np.random.default_rng([int(plan.method.random_state), 1])
    learnt, held = held_out(len(examples[0]), share, draw)
    x, y, weights = examples
    rows = x[held].reshape(len(held), *network.input_shape)
    given = (rows, y[held]) if weights is None else (rows, y[held], weights[held])
    validation = Validation.of(network, loss, given, plan.scoring)
    return (x[learnt], y[learnt], None if weights is None else weights[learnt]), validation


def _started(task: Task, file: Checkpoint | None) -> Run:
    """A run at its beginning, or where an earlier one stopped."""
    plan = task.plan
    if plan.after is not None:
        if not isinstance(plan.after, Training):
            raise InvalidParameterError(
                "Network: after must be a Training (what train returned), got "
                f"{type(plan.after).__name__}."
            )
        if plan.after._run is None or plan.after.network.layers != task.network.layers:
            raise InvalidParameterError(
                "Network: after must be a Training by batches of a network with the same layers."
            )
        return plan.after._run.copy(task.network, plan)
    run = Run.of(task.network, plan)
    if file is not None:
        file.restore(run)
    return run


def _finished(task: Task, run: Run, file: Checkpoint | None) -> Training:
    made = len(run.losses)
    until = task.plan.epochs + (made if task.plan.after is not None else 0)
    ended = run_epochs(task, run, until, file)
    if run.troubled:
        warnings.warn(
            f"Network: {ended}; the best epoch so far is kept.{run.advice}",
            ConvergenceWarning,
            stacklevel=user_stacklevel(),
        )
    best = task.network
    if run.best_parameters is not None:
        best = task.network.with_parameters(run.best_parameters, run.best_state)
    return Training(best, list(run.losses), run.best_epoch, ended, list(run.scores),
                    list(run.trace), run)  # fmt: skip


def _on_all_rows(
    network: Network, loss: TrainingLoss, x: Any, y: Any, plan: TrainingPlan
) -> Training:
    from stylobate.optimize.functions.smooth import Smooth
    from stylobate.optimize.minimization import minimize

    name, batch_wise = type(plan.method).__name__, Dropout | BatchNorm
    if any(isinstance(place.layer, batch_wise) for place in walk(network._places)):
        raise InvalidParameterError(
            f"Network: {name} looks at all rows at once, but Dropout and BatchNorm need batches; "
            "use Adam, RMSProp, AdaGrad or SGD."
        )
    for option in ("validation", "patience", "augment", "checkpoint", "after", "diagnose"):
        if getattr(plan, option):
            raise InvalidParameterError(
                f"Network: {option} goes with batches; use Adam, RMSProp, AdaGrad or SGD in place "
                f"of {name}."
            )
    if y is None:
        raise InvalidParameterError(f"Network: {name} needs all rows at once: give x and y.")
    rows, targets, weights = read_examples(
        network, loss, x, y, plan.sample_weight, plan.class_weight
    )
    dtype, n = network.parameters.dtype, network.n_parameters
    ends, decays = decay_segments(network._places, n, plan.weight_decay)
    pulls = np.repeat(decays, np.diff(ends, prepend=0))

    def at(theta: Any) -> tuple[float, NDArray[np.float64]]:
        point, gradient = np.asarray(theta, dtype=dtype), np.zeros(n, dtype=dtype)
        stages = stages_of(network._places, point, network.state, gradient)
        value, _ = loss_and_slopes(stages, rows, targets, loss, None, weights=weights)
        pull = pulls * theta
        return value + 0.5 * float(pull @ theta), gradient.astype(np.float64) + pull

    function = Smooth(lambda t: at(t)[0], lambda t: at(t)[1])
    start = network.parameters.astype(np.float64)
    found = minimize(function, start, method=plan.method, max_iter=plan.epochs)
    losses = [float(value) for value in found.trace.objective[1:]]
    best = network.with_parameters(found.x.astype(dtype))
    return Training(best, losses, max(len(losses), 1), str(found.reason))
