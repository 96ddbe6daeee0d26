"""Settings evaluated split after split, and given up where they fall behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from stylobate.model_selection.fits.run import FitRun
from stylobate.model_selection.fits.task import Outcome, Task, not_made
from stylobate.model_selection.search.evaluation import Evaluation, Interrupted
from stylobate.model_selection.search.growth import Growth
from stylobate.model_selection.search.pruning import Place, Pruning
from stylobate.model_selection.search.stepped_task import SteppedTask

Merit = tuple[float, ...]


@dataclass
class _Course:
    """A setting on its way through the splits."""

    params: dict[str, Any]
    model: Any
    outcomes: list[Outcome] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)  # of whole splits
    at: dict[Place, float] = field(default_factory=dict)
    pruned: bool = False

    @property
    def last(self) -> float:
        """The score at the last checkpoint."""
        return list(self.at.values())[-1]

    def merit(self) -> Merit:
        """Finished before given up, then how far it came, then the score; NaN is the worst."""
        last = self.last
        known = -np.inf if np.isnan(last) else last
        return (not self.pruned, len(self.at) * self.pruned, known)


@dataclass
class InTurn:
    """What an adaptive search calls with settings; results go to the evaluation.

    What a setting needs at its checkpoints depends on settings of earlier calls alone, so that the
    number of jobs does not matter.

    Parameters
    ----------
    evaluation : Evaluation
        Of rows in memory.
    guide : str
        The name of the score to go by.
    pruning : Pruning or None
        Without it every setting is evaluated on every split.
    growth : Growth or None
        Steps of each fit.
    """

    evaluation: Evaluation
    guide: str
    pruning: Pruning | None
    growth: Growth | None

    def __call__(self, settings: Sequence[Mapping[str, Any]]) -> list[Merit]:
        """Evaluate settings; how good each is."""
        evaluation = self.evaluation
        courses = [_Course(dict(each), evaluation.model(each)) for each in settings]
        try:
            for number, split in enumerate(evaluation.splits):
                self._split(number, split, [each for each in courses if not each.pruned])
        except KeyboardInterrupt as error:
            if not evaluation.candidates:
                raise
            raise Interrupted(0, len(settings)) from error
        self._put(courses)
        if self.pruning is not None:
            for each in courses:
                self.pruning.add(each.at, finished=not each.pruned)
        return [each.merit() for each in courses]

    def _split(self, number: int, split: Any, courses: Sequence[_Course]) -> None:
        """Fit the settings that are left to one split."""
        if not courses:
            return
        evaluation = self.evaluation
        run = FitRun(
            evaluation.estimator,
            [each.model for each in courses],
            self._task(number),
            [split],
            evaluation.how,
        )
        needed = self._needed(number, self._last)
        for each, outcome in zip(courses, run.all(), strict=True):
            self._judge(each, number, outcome)
            ahead = number + 1 < len(evaluation.splits)
            if self.pruning is not None and ahead and not each.last >= needed:
                each.pruned = True

    def _judge(self, course: _Course, number: int, outcome: Outcome) -> None:
        course.outcomes.append(outcome)
        for step, score in enumerate(outcome.steps[: self._last]):
            course.at[number, step] = float(score)
        if outcome.stopped:
            course.pruned = True
            return
        course.scores.append(self._score(outcome))
        course.at[number, self._last] = float(np.mean(course.scores))

    def _score(self, outcome: Outcome) -> float:
        if outcome.failure is None:
            return float(outcome.test[self.guide])
        return float(self.evaluation.task.error_score)

    @property
    def _last(self) -> int:
        """The number of the last step of a fit."""
        return len(self.growth.amounts) - 1 if self.growth else 0

    def _needed(self, number: int, step: int) -> float:
        return self.pruning.needed((number, step)) if self.pruning else -np.inf

    def _task(self, number: int) -> Task:
        task = self.evaluation.task
        if self.growth is None:
            return task
        given = {each.name: getattr(task, each.name) for each in fields(Task)}
        least = tuple(self._needed(number, step) for step in range(self._last))
        return SteppedTask(**given, growth=self.growth, least=least, guide=self.guide)

    def _put(self, courses: Sequence[_Course]) -> None:
        """Hand the results on, with gaps where a setting was given up."""
        evaluation = self.evaluation
        n = len(evaluation.splits)
        made = [o for each in courses for o in each.outcomes if o.failure is None]
        names = list(made[0].test) if made else evaluation.task.score_names
        for each in courses:
            if each.outcomes[-1].stopped:  # a score on the way is none of the split
                each.outcomes[-1].test = dict.fromkeys(names, float("nan"))
                each.outcomes[-1].train = dict.fromkeys(names, float("nan"))
            each.outcomes += [not_made(names) for _ in range(n - len(each.outcomes))]
        evaluation.put(
            [each.params for each in courses],
            [outcome for each in courses for outcome in each.outcomes],
            evaluation.splits,
            {
                "pruned": [each.pruned for each in courses],
                "n_splits_done": [len(each.scores) for each in courses],
                "last_score": [each.last for each in courses],
            },
        )
