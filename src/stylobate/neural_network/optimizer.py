"""What the stochastic optimisers remember between steps, and how their rate changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

SMALLEST_RATE = 1e-6  # below which "adaptive" gives up


@dataclass(slots=True)
class OptimizerState:
    """Momentum or Adam, between two epochs.

    Parameters
    ----------
    method : {"adam", "sgd"}
    learning_rate_init, learning_rate : float
        At the start, and now.
    schedule : {"constant", "invscaling", "adaptive"}
        Of "sgd".
    power_t : float
        Of "invscaling".
    beta_1, beta_2, epsilon : float
        Of Adam; `beta_1` is the momentum of "sgd".
    nesterov : bool
    first, second : array
        Running means of gradients and of their squares (Adam), or the velocities.
    steps : int
        Made so far.

    Examples
    --------
    >>> state = OptimizerState.of("sgd", np.zeros(3), learning_rate_init=0.5, schedule="adaptive")
    >>> state.slow_down(), state.learning_rate
    (True, 0.1)
    """

    method: str
    learning_rate_init: float
    learning_rate: float
    schedule: str
    power_t: float
    beta_1: float
    beta_2: float
    epsilon: float
    nesterov: bool
    first: NDArray[Any]
    second: NDArray[Any]
    steps: int = 0

    @classmethod
    def of(
        cls,
        method: str,
        parameters: NDArray[Any],
        *,
        learning_rate_init: float,
        schedule: str = "constant",
        power_t: float = 0.5,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-8,
        nesterov: bool = True,
    ) -> OptimizerState:
        """At rest."""
        rate = float(learning_rate_init)
        second = np.zeros_like(parameters) if method == "adam" else parameters[:0].copy()
        return cls(method, rate, rate, schedule, power_t, beta_1, beta_2, epsilon, nesterov,
                   np.zeros_like(parameters), second)  # fmt: skip

    def options(self, alpha: float) -> dict[str, Any]:
        """As the core takes them; Adam's rate follows from the number of the step."""
        rate = self.learning_rate_init if self.method == "adam" else self.learning_rate
        return {
            "method": self.method,
            "rate": rate,
            "first": float(self.beta_1),
            "second": float(self.beta_2),
            "epsilon": float(self.epsilon),
            "nesterov": bool(self.nesterov),
            "decay": float(alpha),
            "steps": int(self.steps),
        }

    def end_epoch(self, rows_seen: int) -> None:
        """The rate of the next epoch."""
        if self.method == "adam":
            seen = self.steps
            self.learning_rate = (
                self.learning_rate_init * (1 - self.beta_2**seen) ** 0.5 / (1 - self.beta_1**seen)
            )
        elif self.schedule == "invscaling":
            self.learning_rate = self.learning_rate_init / (rows_seen + 1) ** self.power_t

    def slow_down(self) -> bool:
        """Whether to go on, more slowly, though there was no progress."""
        if self.method == "adam" or self.schedule != "adaptive":
            return False
        if self.learning_rate <= SMALLEST_RATE:
            return False
        self.learning_rate /= 5.0
        return True
