"""Epochs of a network for tables: the schedule, held-out rows, the best epoch kept."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array, Integers
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import ConvergenceWarning, NumericalError, joined
from stylobate.neural_network.engine import Targets
from stylobate.neural_network.tabular.shape import NetShape

# Parameters that move at other rates than the weights, and Adam's two memories.
RATES = {"wave_rate": 0.3, "table_rate": 1.0, "factor_rate": 1.0, "bias_rate": 0.1}
BETAS = (0.9, 0.95)


@dataclass(frozen=True, slots=True, eq=False)
class NetRows:
    """Rows as the network takes them, with what the outputs should be."""

    numbers: NDArray[Any]
    codes: NDArray[np.int32]
    targets: Targets

    def __len__(self) -> int:
        return len(self.numbers)

    def take(self, rows: Integers) -> NetRows:
        """Some of the rows."""
        y = self.targets
        values = None if y.values is None else y.values[rows]
        codes = None if y.codes is None else y.codes[rows]
        weights = None if y.weights is None else y.weights[rows]
        return NetRows(self.numbers[rows], self.codes[rows], Targets(values, codes, weights))


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How long and how fast to train.

    Parameters
    ----------
    epochs, batch : int
        Passes over the rows, and rows of a step.
    rate : float
        Of the first step; it falls to 0 along half a wave of a cosine.
    dropout, decay : float
        Share of hidden units left out of a step; what weights shrink by, times the rate.
    patience : int
        Epochs without a better one on held-out rows after which training ends.
    """

    epochs: int
    batch: int
    rate: float
    dropout: float
    decay: float
    patience: int

    def rates(self, epoch: int, steps: int) -> Array:
        """Of the steps of an epoch.

        >>> TrainingPlan(2, 1, 1.0, 0.0, 0.0, 1).rates(1, 2).round(3).tolist()
        [0.309, 0.038]
        """
        share = (epoch * steps + np.arange(steps) + 0.5) / (self.epochs * steps)
        return np.asarray(self.rate * 0.5 * (1.0 + np.cos(np.pi * share)))


@dataclass(slots=True, eq=False)
class MemberNetwork:
    """Parameters and the optimiser's memory of them."""

    shape: NetShape
    parameters: NDArray[Any]
    seed: int = 0
    steps: int = 0
    first: NDArray[Any] = field(init=False)
    second: NDArray[Any] = field(init=False)

    def __post_init__(self) -> None:
        self.first = np.zeros_like(self.parameters)
        self.second = np.zeros_like(self.parameters)

    def epoch(self, rows: NetRows, order: Integers, rates: Array, plan: TrainingPlan) -> float:
        """Steps along all rows in an order; the mean loss met."""
        y = rows.targets
        options = RATES | {
            "dropout": plan.dropout, "decay": plan.decay, "seed": self.seed,
            "beta_1": BETAS[0], "beta_2": BETAS[1], "steps": self.steps,
        }  # fmt: skip
        loss, self.steps = _core.tabular_epoch(
            self.shape.as_dict(), self.parameters, rows.numbers, rows.codes, y.values, y.codes,
            y.weights, order, rates, self.first, self.second, options,
        )  # fmt: skip
        return float(loss)

    @property
    def memory(self) -> dict[str, Any]:
        """What steps to come need beside the parameters."""
        return {"seed": self.seed, "steps": self.steps, "first": self.first, "second": self.second}

    def go_on(self, memory: dict[str, Any] | None) -> None:
        """Take up where another left off; None: the optimiser remembers nothing."""
        if memory is not None:
            self.seed, self.steps = memory["seed"], memory["steps"]
            self.first, self.second = memory["first"].copy(), memory["second"].copy()

    def outputs(self, numbers: NDArray[Any], codes: NDArray[np.int32]) -> Array:
        """Outputs of rows, averaged over members: an array of shape (n, outputs)."""
        return np.asarray(
            _core.tabular_outputs(self.shape.as_dict(), self.parameters, numbers, codes)
        )

    def loss(self, rows: NetRows) -> float:
        """The weighted mean loss of the averaged outputs: log-loss, or half the squared error."""
        outputs, y = self.outputs(rows.numbers, rows.codes), rows.targets
        if y.codes is None:
            assert y.values is not None
            losses = 0.5 * ((outputs - y.values) ** 2).sum(axis=1)
        else:
            chances = np.hstack([1.0 - outputs, outputs]) if outputs.shape[1] == 1 else outputs
            tiny = float(np.finfo(np.float32).eps)
            losses = -np.log(np.maximum(chances[np.arange(len(rows)), y.codes], tiny))
        return float(np.average(losses, weights=y.weights))


@dataclass(slots=True, eq=False)
class TrainingHistory:
    """What happened: losses by epoch, of training and of held-out rows, and the best epoch."""

    losses: list[float] = field(default_factory=list)
    held_out: list[float] = field(default_factory=list)
    best: int = 0
    interrupted: bool = False


def train(
    network: MemberNetwork,
    rows: NetRows,
    held: NetRows | None,
    plan: TrainingPlan,
    random: np.random.RandomState,
    tell: Callable[[int, float, float | None], None],
    owner: str,
) -> TrainingHistory:
    """Epochs by plan; leaves the parameters of the best epoch on held-out rows, else the last.

    `tell` hears of every epoch: its number, the loss, and that of held-out rows.
    """
    history, steps = TrainingHistory(), max(1, round(len(rows) / plan.batch))
    best, kept = np.inf, network.parameters.copy()
    try:
        for epoch in range(plan.epochs):
            order = random.permutation(len(rows)).astype(np.int64)
            loss = network.epoch(rows, order, plan.rates(epoch, steps), plan)
            if not np.isfinite(loss) or not np.isfinite(network.parameters).all():
                _say_exploded(history, owner)
                break
            history.losses.append(loss)
            judged = loss if held is None else network.loss(held)
            if held is not None:
                history.held_out.append(judged)
            tell(epoch + 1, loss, None if held is None else judged)
            if held is None or judged < best:
                best, kept, history.best = judged, network.parameters.copy(), epoch + 1
            elif epoch + 1 - history.best >= plan.patience:
                break
    except KeyboardInterrupt:
        history.interrupted = True
        warnings.warn(
            f"{owner}: training was interrupted after {len(history.losses)} of {plan.epochs} "
            "epochs; the best so far is kept.",
            stacklevel=user_stacklevel(),
        )
    network.parameters[:] = kept
    return history


def further_epoch(network: MemberNetwork, rows: NetRows, plan: TrainingPlan) -> float | None:
    """One epoch of a training without an end: the mean loss met; None if that is not finite.

    The rate is half of the first one, the mean of what a whole training goes through.
    """
    random = np.random.RandomState((network.seed + network.steps) % 2**32)
    order = random.permutation(len(rows)).astype(np.int64)
    steps = max(1, round(len(rows) / plan.batch))
    loss = network.epoch(rows, order, np.full(steps, 0.5 * plan.rate), plan)
    sound = np.isfinite(loss) and np.isfinite(network.parameters).all()
    return loss if sound else None


def sound_memory(memory: Any, n_parameters: int) -> bool:
    """Whether a file's memory is one: of an optimiser of so many parameters, or none at all."""
    if memory is None:
        return True
    if not isinstance(memory, dict) or set(memory) != {"seed", "steps", "first", "second"}:
        return False
    parts = [np.asarray(memory[name]) for name in ("first", "second")]
    whole = all(
        type(memory[name]) is int and 0 <= memory[name] < 2**31 for name in ("seed", "steps")
    )
    return (
        whole
        and all(
            each.shape == (n_parameters,) and each.dtype == np.float32 and np.isfinite(each).all()
            for each in parts
        )
        and bool((parts[1] >= 0.0).all())
    )


def _say_exploded(history: TrainingHistory, owner: str) -> None:
    what = (
        f"{owner}: the loss is no longer a finite number in epoch {len(history.losses) + 1}; "
        "lower learning_rate_init."
    )
    if not history.losses:
        raise NumericalError(what)
    warnings.warn(
        f"{what} The best epoch before is kept.",
        joined(ConvergenceWarning),
        stacklevel=user_stacklevel(),
    )
