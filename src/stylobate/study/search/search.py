"""Fitting and scoring families on the folds within a time budget.

First every family is sounded: its first setting, on few rows, which is all that is seen of those
there is no time for. The families are then looked at, the quick ones (and the most flexible one)
first, with their first setting (with all of them, where that is cheap), so that a slow
one cannot use up the time of the others. Families that are known to be slow (those with a limit of
rows) come next, each if it takes no more than half of the time left: a first look at a forest is
worth more than the tenth setting of a line. Then the other settings are tried, those of the
families that did best first, and last the slow families that had to wait. What is tried depends on
recorded scores and recorded times alone, never on the clock, so that a study that was killed and
goes on decides as one that was not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stylobate.base.learning import LearnsFromStatistic
from stylobate.neighbors.base import KNeighborsMixin
from stylobate.study.question.question import Asked
from stylobate.study.search.encoding import FoldEncodings
from stylobate.study.search.families import BASELINE, Family, Setting
from stylobate.study.search.fold_fits import few_rows, run_fold, scored
from stylobate.study.search.store import StudyStore

Told = Callable[[Family, int, int], None]  # family, folds done, of how many
_OVER = "the time was over before its turn"
_TRIAL_ROWS = (100, 400)  # rows of the trial fits that tell how long a family takes
_LOADING = 0.5  # seconds of a first fit that may have gone by while code was loaded


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
    looked: set[str] = field(default_factory=set)  # settings that had their turn
    counted: set[tuple[str, int]] = field(default_factory=set)  # fits that are part of `spent`
    soundings: dict[str, tuple[float, float]] = field(default_factory=dict)  # by family

    @property
    def n_folds(self) -> int:
        """Number of folds."""
        return len(self.encodings.folds)

    @property
    def _sizes(self) -> list[int]:
        """Rows of the training part of each fold."""
        return [max(len(train), 1) for train, _ in self.encodings.folds]

    @property
    def left(self) -> float:
        """Seconds that may still be used."""
        return max(self.budget - self.spent, 0.0)

    def first_look(self) -> None:
        """Every family with its first settings, the quick ones first; slow ones are given up."""
        first, *others = sorted(self.families, key=lambda family: family.name != BASELINE)
        self._all_folds(first, list(first.settings[:1]), self.left)
        self._look_at([each for each in others if not _slow(each)])

    def look_at_slow(self, share: float = 1.0) -> None:
        """The families known to be slow, each with at most a share of the time that is left.

        With a share below 1, those that would take longer wait for another time.
        """
        known = self.looked | set(self.too_slow)
        slow = [f for f in self.families if _slow(f) and f.settings[0].key not in known]
        # one by one, as asking may take long itself; the flexible first, which have more to gain
        for family in reversed(slow):
            self._look_at([family], share)

    def _look_at(self, families: list[Family], most: float = 1.0) -> None:
        expected = {family.name: self._sounded(family) for family in families}
        families = _in_turn(families, expected)
        for place, family in enumerate(families):
            least, seconds = (self.n_folds * each for each in expected[family.name])
            share = self.left / (len(families) - place)
            cheap = _together(family) and seconds * len(family.settings) <= share
            chosen = list(family.settings if cheap else family.settings[:1])
            needed = seconds if _slow(family) else least
            if most * self.left < needed and most < 1.0:
                continue
            # one is tried whatever it takes
            first = seconds > self.left and np.isfinite(seconds) and not self._tried()
            chosen = chosen[:1] if first else chosen
            self.looked |= {each.key for each in chosen}
            if needed <= self.left or first:
                self._all_folds(family, chosen, self.left, first=first)
            else:
                why = f"its {self.n_folds} folds would take about {needed:.2g} s"
                known = np.isfinite(needed) and self.left > 0
                self._give_up(family.settings, why if known else _OVER)

    def tune(self) -> None:
        """The settings that had no turn yet, of the families that did best first."""
        waiting = self.waiting()
        for place, family in enumerate(waiting):
            rest = self._rest(family)
            share = self.left / (len(waiting) - place)
            self.looked |= {each.key for each in rest}
            if share > 0:
                self._all_folds(family, rest, share)
            else:
                self._give_up(rest, _OVER)

    def add(self, family: Family, seconds: float) -> bool:
        """One more family on all folds, if what it is expected to take is left."""
        if seconds > self.left:
            return False
        self.looked |= {each.key for each in family.settings}
        self._all_folds(family, list(family.settings), self.left, first=True)
        return True

    def waiting(self) -> list[Family]:
        """Families with settings that had no turn yet, the best ones first."""
        # scores of an earlier run do not count before a family's turn has come in this one
        seen = [each for each in self.by_score() if each.settings[0].key in self.looked]
        return [each for each in seen if self._rest(each)]

    def _rest(self, family: Family) -> list[Setting]:
        if family.name == BASELINE:
            return []
        return [each for each in family.settings if each.key not in self.looked]

    def _give_up(self, settings: Sequence[Setting], why: str) -> None:
        self.too_slow |= dict.fromkeys((each.key for each in settings), why)

    def _sounded(self, family: Family) -> tuple[float, float]:
        """Seconds a fold of the first setting takes at least, and will take if few rows tell."""
        if self.left <= 0:
            return np.inf, np.inf
        n_train, typical = self._sizes[0], float(np.mean(self._sizes))
        if n_train <= 2 * _TRIAL_ROWS[1]:  # a whole fold is as quick
            key = (family.settings[0].key, 0)
            if key not in self.store.scores:
                self._fit(family, list(family.settings[:1]), 0)
            self._count(*key)
            # its time is judged with the folds'
            return 0.0, self.store.scores[key].seconds * typical / n_train
        if family.name in self.soundings:
            return self.soundings[family.name]
        name = f"sounding of {family.name}"
        if name not in self.store.facts:
            self.store.remember(name, self._sound(family))
        few, *more = self.store.facts[name]["seconds"]
        self.spent += few + sum(more)
        found = (few, few)
        if more:
            slope = max(more[0] - few, 0.0) / (_TRIAL_ROWS[1] - _TRIAL_ROWS[0])
            found = (min(few, more[0]), more[0] + slope * (typical - _TRIAL_ROWS[1]))
        self.soundings[family.name] = found
        return found

    def _sound(self, family: Family) -> dict[str, Any]:
        """Seconds of the first setting on few rows, and on more if there is time for the folds.

        The score on these rows is kept as well: all that is known of a family that gets no turn.
        """
        fold = self.encodings.fold(family.encoding, 0)
        taken: list[float] = []
        score, rows = None, 0
        for count in _TRIAL_ROWS:
            if not taken or taken[0] * self.n_folds <= self.left:
                some = few_rows(fold, count)
                (outcome,) = run_fold(self.asked, family, family.settings[:1], some)
                taken.append(outcome.fit_time + outcome.score_time)
                score, rows = scored(outcome, 0.0).score, some.n_train
        return {"seconds": taken, "score": score, "rows": rows}

    def glance_at_untried(self, allowed: float) -> None:
        """Few rows of a fold for the families that had no turn, in about so many seconds."""
        spent = 0.0
        for family in self.untried:
            name = f"sounding of {family.name}"
            if name not in self.store.facts:
                if spent > allowed:
                    return
                self.store.remember(name, self._sound(family))
            spent += sum(self.store.facts[name]["seconds"])

    def glance(self, name: str) -> tuple[float, int] | None:
        """The score of a family's first setting on few rows of a fold, and how many they were."""
        held = self.store.facts.get(f"sounding of {name}")
        if held is None or held["score"] is None:
            return None
        return float(held["score"]), int(held["rows"])

    @property
    def untried(self) -> list[Family]:
        """Families without a score on all folds, for want of time."""
        known = {each.name for each in self.by_score()}
        return [f for f in self.families if f.name not in known and self._gave_up(f)]

    def _gave_up(self, family: Family) -> bool:
        return family.settings[0].key in self.too_slow

    def by_score(self) -> list[Family]:
        """Families by the score of their first setting, the best first; failed ones are not in."""
        means = {f.name: self._mean(f.settings[0]) for f in self.families}
        known = [f for f in self.families if means[f.name] is not None]
        return sorted(known, key=lambda f: (-float(means[f.name] or 0.0), f.role.simplicity))

    def price(self, family: Family, setting: Setting) -> float:
        """Seconds of a fold of one setting by itself: of all that were fitted together with it."""
        together = family.settings if _together(family) else (setting,)
        known = [self.store.scores.get((each.key, 1)) for each in together]
        return sum(each.seconds for each in known if each is not None)

    def _mean(self, setting: Setting) -> float | None:
        scores = [self.store.scores.get((setting.key, k)) for k in range(self.n_folds)]
        known = [each.score for each in scores if each is not None and each.score is not None]
        return float(np.mean(known)) if len(known) == self.n_folds else None

    def _tried(self) -> bool:
        """Whether a model besides the baseline had its turn and has been scored on all folds."""
        done = [each for each in self.by_score() if each.name != BASELINE]
        return any(each.settings[0].key in self.looked for each in done)

    def _all_folds(
        self, family: Family, settings: list[Setting], allowed: float, *, first: bool = False
    ) -> None:
        """Settings of a family on every fold, as many of them as the time allows."""
        end = np.inf if first else self.spent + allowed
        for number in range(self.n_folds):
            done = self._fold(family, settings, number, allowed if number == 0 else None)
            self.tell(family, number + 1, self.n_folds)
            if number < 2 and family.name != BASELINE:
                self._give_up([each for each in settings if each not in done], _OVER)
                settings = self._affordable(done, number + 1, float(end) - self.spent)
            if not settings:
                return

    def _affordable(self, settings: list[Setting], folds: int, allowed: float) -> list[Setting]:
        """The settings whose other folds can be paid for, by the fastest of the first ones."""
        kept: list[Setting] = []
        cost = 0.0  # of those kept: what is given up leaves its time to the next
        for setting in settings:
            known = [self.store.scores[setting.key, number] for number in range(folds)]
            seconds = min(each.seconds for each in known)
            # folds of a split in time grow: the first tells little of the last
            rate = min(each.seconds / size for each, size in zip(known, self._sizes, strict=False))
            more = rate * sum(self._sizes[folds:])
            if known[-1].failure is not None:
                continue
            again = folds == 1 and not kept and seconds < min(_LOADING, allowed)
            if cost + more > allowed and not again:
                self.too_slow[setting.key] = (
                    f"a fold took {seconds:.2g} s, and the time left was too short for all "
                    f"{self.n_folds}"
                )
            else:
                kept.append(setting)
                cost += more
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
            for setting in group:
                self._count(setting.key, number)
        return done

    def _count(self, key: str, number: int) -> None:
        """Take the time of a fit into account, once."""
        if (key, number) not in self.counted:
            self.counted.add((key, number))
            self.spent += self.store.scores[key, number].seconds

    def _groups(self, family: Family, settings: list[Setting]) -> list[list[Setting]]:
        """Settings fitted together, from the same statistics of the rows; others one by one."""
        if not settings:
            return []
        return [settings] if _together(family) else [[each] for each in settings]

    def _fit(self, family: Family, settings: list[Setting], number: int) -> None:
        if family.name == BASELINE:  # it looks at no column, so none is encoded for it
            fold = self.encodings.blank(number)
        else:
            fold = self.encodings.fold(family.encoding, number)
        outcomes = run_fold(self.asked, family, settings, fold)
        share = self.encodings.seconds_due(family.encoding, number) / len(settings)
        scores = {
            setting.key: scored(outcome, share)
            for setting, outcome in zip(settings, outcomes, strict=True)
        }
        self.store.add(number, scores)


def _in_turn(families: list[Family], expected: dict[str, tuple[float, float]]) -> list[Family]:
    """The quick ones first, but for the most flexible one, which comes second.

    However short the time, a straight line and what bends everywhere are looked at: what lies in
    between seldom does much better than both. Texts are best told by words, so these come first.
    """
    found = sorted(families, key=lambda f: (f.encoding != "words", expected[f.name][1]))
    known = [each for each in found[1:] if np.isfinite(expected[each.name][1])]
    if known:
        flexible = max(known, key=lambda each: each.role.simplicity)
        found.remove(flexible)
        found.insert(1, flexible)
    return found


def _slow(family: Family) -> bool:
    """Whether a family is known to be slow: one that is not used for many rows."""
    return family.role.max_rows is not None


def _together(family: Family) -> bool:
    """Whether all settings of a family cost about as much as one: from the same statistic."""
    return issubclass(family.kind, LearnsFromStatistic | KNeighborsMixin)
