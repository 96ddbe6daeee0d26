"""Trace: what an iterative solver did, step by step."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter


@dataclass(slots=True)
class Trace:
    """Objective, gradient norm, step length, evaluations and seconds, one entry per iteration.

    Parameters
    ----------
    objective, gradient_norm, step : list of float
        After each iteration.
    gap : list of float
        Proved bounds of the distance from the optimum; empty where they were not asked for.
    evaluations : list of float
        Calls of the function and its derivatives so far; empty where the solver does not count.
    seconds : list of float
        Since the start.

    Examples
    --------
    >>> trace = Trace()
    >>> trace.record(objective=4.0, gradient_norm=2.0, step=0.5)
    >>> len(trace), trace.objective
    (1, [4.0])
    """

    objective: list[float] = field(default_factory=list)
    gradient_norm: list[float] = field(default_factory=list)
    step: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    evaluations: list[float] = field(default_factory=list)
    gap: list[float] = field(default_factory=list)
    _start: float = field(default_factory=perf_counter, repr=False)

    def record(
        self,
        *,
        objective: float,
        gradient_norm: float,
        step: float,
        evaluations: float | None = None,
        gap: float | None = None,
    ) -> None:
        """Append one iteration."""
        self.objective.append(objective)
        self.gradient_norm.append(gradient_norm)
        self.step.append(step)
        self.seconds.append(perf_counter() - self._start)
        if evaluations is not None:
            self.evaluations.append(evaluations)
        if gap is not None:
            self.gap.append(gap)

    def __len__(self) -> int:
        return len(self.objective)
