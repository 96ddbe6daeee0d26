"""Stopping: when to end, and which test said so."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.state import State, norm

REASONS = {
    "iterations": "the largest number of iterations was reached",
    "value": "the objective changed by no more than asked",
    "change": "the point moved by no more than asked",
    "gradient": "the gradient (or proximal step) is as small as asked",
    "stalled": "no step lowers the objective beyond rounding",
    "diverged": "the objective is no longer finite",
    "unbounded": "the objective fell below −1e100 and seems to have no minimum",
    "callback": "the callback asked to stop",
}


@dataclass(frozen=True, slots=True)
class Stopping:
    r"""The tests of convergence, each with its name; the first that holds ends the run.

    Parameters
    ----------
    max_iter : int in [0, inf), default=1000
        "iterations": stop at t = T.
    value : float in [0, inf), default=0.0
        "value": stop if :math:`|f(x_{t+1}) - f(x_t)| \le \epsilon_1`; 0 switches it off.
    change : float in [0, inf), default=0.0
        "change": stop if :math:`\|x_{t+1} - x_t\|_2 \le \epsilon_2`; 0 switches it off.
    gradient : float in [0, inf), default=1e-8
        "gradient": stop if ‖∇f‖₂ (with a simple part: ‖x − prox(x − η∇f)‖₂/η) is at most this; 0
        switches it off.

    Examples
    --------
    >>> Stopping(value=1e-3).reason(3, State([0.0], 1.0), State([0.0], 0.9999))
    'value'
    """

    max_iter: int = 1000
    value: float = 0.0
    change: float = 0.0
    gradient: float = 1e-8

    def __post_init__(self) -> None:
        for name in ("max_iter", "value", "change", "gradient"):
            given: float = getattr(self, name)
            if not given >= 0:
                raise InvalidParameterError(
                    f"Stopping: {name} must be a number in [0, inf), got {given!r}."
                )

    def reason(self, t: int, before: State | None, now: State) -> str | None:
        """The name of the test that ends the run after iteration t, if one does."""
        if not np.isfinite(now.value) or not np.isfinite(now.x).all():
            return "diverged"
        if now.value < -1e100:
            return "unbounded"
        if now.optimality <= self.gradient and self.gradient > 0.0:
            return "gradient"
        if now.stalled:
            return "stalled"
        if before is not None:
            if self.value > 0.0 and abs(now.value - before.value) <= self.value:
                return "value"
            if self.change > 0.0 and norm(now.x - before.x) <= self.change:
                return "change"
        return "iterations" if t >= self.max_iter else None
