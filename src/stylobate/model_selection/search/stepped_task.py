"""Fits made and scored step by step, and given up where a score is not good enough."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any

from stylobate.model_selection.fits.task import ONE, Outcome, Task
from stylobate.model_selection.search.growth import Growth
from stylobate.splits import Split


@dataclass(frozen=True)
class SteppedTask(Task):
    """A task whose models grow; see `Growth`.

    Parameters
    ----------
    growth : Growth
    least : tuple of float
        The score a model needs at each step but the last to go on.
    guide : str
        The name of that score.
    """

    growth: Growth | None = None
    least: tuple[float, ...] = ()
    guide: str = ONE

    in_steps = True

    @property
    def about(self) -> tuple[Any, ...]:
        """Steps and thresholds: with others the same fit ends elsewhere."""
        return (self.growth, self.least, self.guide)

    def _run(self, estimator: Any, split: Split) -> Outcome:
        assert self.growth is not None
        parts = self.parts(estimator, split)
        model, outcome = self.growth.begun(estimator), Outcome(way="steps")
        for step in range(len(self.growth.amounts)):
            started = perf_counter()
            try:
                model = self.growth.grown(model, step, parts.fitted, parts.params)
            except Exception:
                failure = self.failed(started)
                failure.fit_time += outcome.fit_time
                return failure
            outcome.fit_time += perf_counter() - started
            if step == len(self.least):
                break
            outcome.test = self.scores(model, parts.test, outcome)
            outcome.steps.append(outcome.test[self.guide])
            if not outcome.steps[-1] >= self.least[step]:  # NaN is not enough either
                outcome.stopped = True
                return outcome
        self.score(outcome, model, parts.test, parts.train)
        outcome.steps.append(outcome.test[self.guide])
        return outcome
