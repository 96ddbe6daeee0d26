"""Fitting and scoring families on the folds within a time budget.

First every family is looked at with its first setting (with all of them, where they come at the
price of one); then the other settings are tried, those of the families that did best first. What is
tried depends on recorded scores and recorded times alone, never on the clock, so that a study that
was killed and goes on decides as one that was not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stylobate.base.learning import LearnsFromStatistic
from stylobate.exceptions import StylobateError
from stylobate.model_selection.fitting import Outcome, Task
from stylobate.model_selection.rows import Data
from stylobate.model_selection.running import FitRun, Running
from stylobate.neighbors.base import KNeighborsMixin
from stylobate.study.encoding import EncodedFold, FoldEncodings
from stylobate.study.families import BASELINE, Family, Setting
from stylobate.study.question import Asked
from stylobate.study.sharing import neighbour_outcomes, share_neighbours
from stylobate.study.store import FoldScore, StudyStore

Told = Callable[[Family, int, int], None]  # family, folds done, of how many
_WARNINGS = 3  # kept of a fit
_OVER = "the time was over before its turn"


@dataclass
class Search:
    """The fits of a study.

    Parameters
    ----------
    asked : Asked
    families : list of Family
    encodings : FoldEncodings
    store : StudyStore
    budget : float
        Seconds of fits that may be recorded.
    tell : callable
        Called after each fold of a family.
    """

    asked: Asked
    families: list[Family]
    encodings: FoldEncodings
    store: StudyStore
    budget: float
    tell: Told
    too_slow: dict[str, str] = field(default_factory=dict)  # settings given up, and why
    spent: float = 0.0  # recorded seconds of the fits come to so far, in their order

    @property
    def n_folds(self) -> int:
        """Number of folds."""
        return len(self.encodings.folds)

    @property
    def left(self) -> float:
        """Seconds that may still be used."""
        return max(self.budget - self.spent, 0.0)

    def first_look(self) -> None:
        """Every family with its first settings; slow ones are given up."""
        for family in self.families:
            first = list(family.settings if _together(family) else family.settings[:1])
            if family.name != BASELINE and self.left <= 0:
                self.too_slow |= dict.fromkeys((each.key for each in first), _OVER)
                continue
            self._all_folds(family, first, self.left)

    def tune(self) -> None:
        """The other settings, of the families that did best first."""
        waiting = self.waiting()
        for place, family in enumerate(waiting):
            rest = list(family.settings[1:])
            share = self.left / (len(waiting) - place)
            if share > 0:
                self._all_folds(family, rest, share)
            else:
                self.too_slow |= dict.fromkeys((each.key for each in rest), _OVER)

    def waiting(self) -> list[Family]:
        """Families with settings that were not looked at first, the best ones first."""
        return [each for each in self.by_score() if len(each.settings) > 1 and not _together(each)]

    def by_score(self) -> list[Family]:
        """Families by the score of their first setting, the best first; failed ones are not in."""
        means = {f.name: self._mean(f.settings[0]) for f in self.families}
        known = [f for f in self.families if means[f.name] is not None]
        return sorted(known, key=lambda f: (-float(means[f.name] or 0.0), f.role.simplicity))

    def _mean(self, setting: Setting) -> float | None:
        scores = [self.store.scores.get((setting.key, k)) for k in range(self.n_folds)]
        known = [each.score for each in scores if each is not None and each.score is not None]
        return float(np.mean(known)) if len(known) == self.n_folds else None

    def _all_folds(self, family: Family, settings: list[Setting], allowed: float) -> None:
        """Settings of a family on every fold, as many of them as the time allows."""
        for number in range(self.n_folds):
            done = self._fold(family, settings, number, allowed if number == 0 else None)
            self.tell(family, number + 1, self.n_folds)
            if number == 0:
                settings = self._affordable(family, settings, done, allowed)
            elif number == 1 and family.name != BASELINE:
                settings = self._still_affordable(settings, allowed)
            if not settings:
                return

    def _affordable(
        self, family: Family, settings: list[Setting], done: list[Setting], allowed: float
    ) -> list[Setting]:
        """The settings that all folds can be paid for, judged by the time of the first one."""
        if family.name == BASELINE:
            return settings
        kept: list[Setting] = []
        cost = 0.0
        for setting in done:
            seconds = self.store.scores[setting.key, 0].seconds
            cost += seconds * self.n_folds
            # the first fit of all may have waited for code to be loaded: it gets a second chance
            again = not kept and 2 * seconds < allowed
            if cost > allowed and not again:
                self.too_slow[setting.key] = (
                    f"a fold took {seconds:.2g} s, too long for all {self.n_folds}"
                )
            else:
                kept.append(setting)
        for setting in settings:
            if setting not in done:
                self.too_slow[setting.key] = _OVER
        return [s for s in kept if self.store.scores[s.key, 0].failure is None]

    def _still_affordable(self, settings: list[Setting], allowed: float) -> list[Setting]:
        """The settings whose other folds can be paid for, by the faster of the first two."""
        kept: list[Setting] = []
        cost = 0.0
        for setting in settings:
            both = [self.store.scores[setting.key, k].seconds for k in (0, 1)]
            cost += min(both) * self.n_folds
            if cost > allowed:
                self.too_slow[setting.key] = f"a fold took {min(both):.2g} s, too long for all"
            else:
                kept.append(setting)
        return kept

    def _fold(
        self, family: Family, settings: list[Setting], number: int, allowed: float | None
    ) -> list[Setting]:
        """Fit and score what is not recorded yet; returns the settings that were come to."""
        done: list[Setting] = []
        before = self.spent
        for group in self._groups(family, settings):
            if allowed is not None and done and self.spent - before > allowed:
                break
            missing = [s for s in group if (s.key, number) not in self.store.scores]
            if missing:
                self._fit(family, missing, number)
            done += group
            self.spent += sum(self.store.scores[s.key, number].seconds for s in group)
        return done

    def _groups(self, family: Family, settings: list[Setting]) -> list[list[Setting]]:
        """Settings fitted together, from the same statistics of the rows; others one by one."""
        if not settings:
            return []
        return [settings] if _together(family) else [[each] for each in settings]

    def _fit(self, family: Family, settings: list[Setting], number: int) -> None:
        fold = self.encodings.fold(family.encoding, number)
        outcomes = run_fold(self.asked, family, settings, fold)
        share = fold.seconds / max(len(family.settings), 1)
        scores = {
            setting.key: _scored(outcome, share)
            for setting, outcome in zip(settings, outcomes, strict=True)
        }
        self.store.add(number, scores)


def _together(family: Family) -> bool:
    """Whether all settings of a family cost about as much as one: from the same statistic."""
    return issubclass(family.kind, LearnsFromStatistic | KNeighborsMixin)


def run_fold(
    asked: Asked, family: Family, settings: Sequence[Setting], fold: EncodedFold
) -> list[Outcome]:
    """The outcomes of some settings on one fold."""
    models = [decided(family.model(each, **fold.extra), asked) for each in settings]
    if share_neighbours(models):
        try:
            return neighbour_outcomes(models, fold, asked.scorer)
        except StylobateError:  # one by one, each setting says what is wrong with it
            pass
    task = Task(Data(fold.x, fold.y), asked.scorer, error_score=np.nan)
    run = FitRun(models[0], models, task, [fold.split], Running("study", progress=False))
    return run.all()


def decided(model: Any, asked: Asked) -> Any:
    """The model, deciding by costs where there are any; classes are 0 and 1."""
    costs = asked.question.costs
    if costs is None:
        return model
    from stylobate.decision import CostSensitiveClassifier

    matrix = [[0.0, costs.false_positive], [costs.false_negative, 0.0]]
    return CostSensitiveClassifier(model, cost=matrix)


def _scored(outcome: Outcome, share: float) -> FoldScore:
    failure = outcome.failure or outcome.scoring_failure
    seconds = outcome.fit_time + outcome.score_time + share
    warnings = tuple(dict.fromkeys(outcome.warnings))[:_WARNINGS]
    if failure is None:
        score = float(next(iter(outcome.test.values())))
        if np.isfinite(score):
            return FoldScore(score, seconds, warnings)
        failure = f"the score is {score}"
    said = str(failure).strip().splitlines()[-1]
    return FoldScore(None, seconds, warnings, said)
