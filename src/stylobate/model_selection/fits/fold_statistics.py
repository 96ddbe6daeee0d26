"""Fits and scores from statistics of the parts, where the estimator and the scorer allow it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import clone
from stylobate.base.learning import LearnsFromStatistic, defined_below
from stylobate.base.residuals import ResidualSums
from stylobate.config import get_config
from stylobate.data import Table
from stylobate.data.indexing import as_slice, take_rows
from stylobate.exceptions import StylobateError
from stylobate.metrics.regression.from_sums import ScoreSums, score_from_sums
from stylobate.metrics.scoring.scorers import ManyScorers
from stylobate.model_selection.fits.task import ONE, Outcome, Task
from stylobate.model_selection.validation.data import Data
from stylobate.sources import MemorySource
from stylobate.splits import Split
from stylobate.statistics.parts import PartStatistics

logger = logging.getLogger("stylobate.model_selection")

_MOST_NUMBERS = 1e8  # that the statistics of all parts may hold together


class FoldStatistics:
    """The statistics of nested training parts and of the test part of each split.

    `of` reads the rows once; `run` then fits and scores without them, or with them where digits
    would be lost or the score needs the rows.
    """

    def __init__(
        self,
        task: Task,
        table: Table,
        splits: Sequence[Split],
        sizes: Sequence[int] | None,
        recipe: Any,
    ) -> None:
        self.task, self.table, self.splits, self.recipe = task, table, splits, recipe
        self.refits = self.fits = 0
        self.accepted: Any = None
        started = perf_counter()
        # trainings[split][size], each the one before merged with the next block
        self.trainings, self.tests, self.scored = self._collected(sizes)
        count = sum(map(len, self.trainings))
        self.share = (perf_counter() - started) / count  # of the pass, for each fit

    def _collected(self, sizes: Sequence[int] | None) -> tuple[Any, Any, Any]:
        """Statistics of the training parts and of the test parts; unweighted, of training parts."""
        table, recipe = self.table, self.recipe
        divisions = [(*_blocks(train, sizes), test) for train, test in self.splits]
        known = PartStatistics.of(MemorySource(table), recipe, divisions, table.n_rows)
        trainings, tests = known.growing()
        if table.weights is None:
            return trainings, tests, trainings
        # `fit` takes the weights, scores do not
        plain = MemorySource(replace(table, weights=None))
        counted = PartStatistics.of(plain, recipe, divisions, table.n_rows)
        scored, tests = counted.growing()
        return trainings, tests, scored

    @classmethod
    def of(
        cls, estimator: Any, task: Task, splits: Sequence[Split], sizes: Sequence[int] | None = None
    ) -> Self | None:
        """The statistics, or None where the estimator has to be refitted."""
        prepared = read_for_statistics(estimator, task.data)
        if prepared is None:
            return None
        table, recipe = prepared
        columns = table.n_features + (0 if table.y is None else table.y.shape[1])
        if columns**2 * len(splits) * (len(sizes or [1]) + 1) > _MOST_NUMBERS:
            return None
        try:
            return cls(task, table, splits, sizes, recipe)
        except (StylobateError, IndexError):  # refits tell which split it is, and go on
            return None

    def run_all(self, estimators: Sequence[Any]) -> list[Outcome | None]:
        """The outcomes of several estimators on every split (and size of the training part).

        The estimators may differ from the one these statistics were collected for in their
        parameters, as the candidates of a search do; all fits are made together. The statistics
        know nothing of an estimator after that: call this as often as there are new candidates.

        Parameters
        ----------
        estimators : sequence of estimators
            Not changed; fits are made to clones, or to none at all where only scores are asked.

        Returns
        -------
        list of Outcome or None
            ``outcomes[(e * n_splits + split) * n_sizes + size]``; without sizes, an estimator's
            splits one after the other. None where the fit has to be made on the rows
            (``task.run(estimators[e], splits[split])``).
        """
        outcomes = self._run_together(estimators)
        places = [
            (estimator, split, size)
            for estimator in estimators
            for split, parts in enumerate(self.trainings)
            for size in range(len(parts))
        ]
        if outcomes is None:
            return [self.run(*place) for place in places]
        self.fits += sum(outcome is not None for outcome in outcomes)
        return [
            self.run(*place) if outcome is None else outcome
            for place, outcome in zip(places, outcomes, strict=True)
        ]

    def _run_together(self, estimators: Sequence[Any]) -> list[Outcome | None] | None:
        """The outcomes of fits nobody receives, made at once; None where that is not possible."""
        kind = type(estimators[0])
        scores = sum_scores(self.task.scorer, estimators[0])
        alike = all(type(estimator) is kind for estimator in estimators)
        if scores is None or self.task.keep_estimator or not alike:
            return None
        started = perf_counter()
        try:
            if not all(self._accepts(estimator) for estimator in estimators):
                return None
        except StylobateError:
            return None
        parts = [[[test] for test in self.tests]]
        parts += [self.scored] if self.task.train_score else []
        found = kind._sums_of_fits(estimators, self.trainings, parts)
        if found is None:
            return None
        safe = found[0].reshape(-1)
        fitted = perf_counter()
        made = _scored(scores, [each.chosen(safe) for each in found[1]])
        count = max(len(made), 1)
        for outcome in made:
            outcome.fit_time = (fitted - started) / count + self.share
            outcome.score_time = (perf_counter() - fitted) / count
        rest = iter(made)
        return [next(rest) if is_safe else None for is_safe in safe.tolist()]

    def run(self, estimator: Any, split: int, size: int = 0) -> Outcome | None:
        """The outcome of one fit; None where it has to be made on the rows."""
        started = perf_counter()
        model = self.fitted(estimator, split, size)
        if model is None:
            return None
        outcome = Outcome(fit_time=perf_counter() - started + self.share)
        if not self._score_sums(outcome, model, split, size):
            self._score_rows(outcome, model, split, size)
        return outcome

    def fitted(self, estimator: Any, split: int, size: int = 0) -> Any:
        """The estimator fitted to a training part; None where the rows have to be used.

        Its parameters may differ from those the statistics were collected for.
        """
        model = None
        try:
            if self._accepts(estimator):
                model = estimator._learnt_from(self.trainings[split][size], self.table)
        except StylobateError:  # the refit will say so, or go on
            model = None
        self.fits += 1
        self.refits += model is None
        return model

    def _accepts(self, estimator: Any) -> bool:
        """Whether these statistics are enough for an estimator; asked once for many fits."""
        if estimator is not self.accepted:
            estimator._check_parameters()
            if estimator._part_recipe(self.table) is not self.recipe:
                return False
            self.accepted = estimator
        return True

    def report(self, name: str, estimator: Any) -> None:
        """Log how the fits were made."""
        logger.info(
            "%s: %s fitted %d times, %d of them from statistics of the folds, %d on the rows",
            name,
            type(estimator).__name__,
            self.fits,
            self.fits - self.refits,
            self.refits,
        )

    def _score_sums(self, outcome: Outcome, model: Any, split: int, size: int) -> bool:
        """Score from sums over the residuals; False where that is not enough."""
        scores = sum_scores(self.task.scorer, model)
        if scores is None:
            return False
        started = perf_counter()
        parts = [self.tests[split]]
        if self.task.train_score:
            parts.append(self.scored[split][size])
        sums = [model._residual_sums(part) for part in parts]
        if any(each is None for each in sums):
            return False
        (found,) = _scored(scores, sums)
        outcome.test, outcome.train = found.test, found.train
        outcome.score_time = perf_counter() - started
        if self.task.keep_estimator:
            outcome.estimator = model
        return True

    def _score_rows(self, outcome: Outcome, model: Any, split: int, size: int) -> None:
        data = self.task.data
        train, test = self.splits[split]
        count = int(np.sum(self.scored[split][size].n_rows))  # of all classes, if it has some
        parts = [as_slice(test)]
        if self.task.train_score:
            parts.append(as_slice(train[:count] if train.dtype != bool else train))
        rows = [(take_rows(data.x, part), take_rows(data.y, part)) for part in parts]
        self.task.score(outcome, model, *rows)


def read_for_statistics(estimator: Any, data: Data) -> tuple[Table, Any] | None:
    """The rows as a table and the statistic that fits need of its parts; None: refit.

    The estimator says which statistic; there is no list of names here.
    """
    if get_config()["cross_validation"] == "refit" or data.y is None:
        return None
    if not isinstance(estimator, LearnsFromStatistic) or set(data.params) - {"sample_weight"}:
        return None
    if defined_below(type(estimator), "fit", "_learn"):  # a subclass that does something else
        return None
    try:
        twin = clone(estimator)
        twin._check_parameters()
        weights = data.params.get("sample_weight")
        table = twin._read(data.x, data.y, weights, reset=True, check_finite="deferred")
    except StylobateError:
        return None
    recipe = twin._part_recipe(table)
    return None if recipe is None else (table, recipe)


def sum_scores(
    scorer: Any, estimator: Any, *, single_rows: bool = False
) -> dict[str, ScoreSums] | None:
    """How each score follows from sums over residuals; None if one of them does not."""
    if defined_below(type(estimator), "predict", "_residual_sums"):
        return None
    named = scorer.scorers if isinstance(scorer, ManyScorers) else {ONE: scorer}
    found = {
        name: score_from_sums(each, estimator, single_rows=single_rows)
        for name, each in named.items()
    }
    known = {name: score for name, score in found.items() if score is not None}
    return known if len(known) == len(found) else None


def _scored(scores: dict[str, ScoreSums], sums: Sequence[ResidualSums]) -> list[Outcome]:
    """Outcomes of fits from their sums over the test rows and, if given, the training rows."""
    outcomes = [Outcome() for _ in sums[0].n_rows]
    for which, each in zip(("test", "train"), sums, strict=False):
        for name, score in scores.items():
            for outcome, value in zip(outcomes, score(each).tolist(), strict=True):
                getattr(outcome, which)[name] = value
    return outcomes


def left_out_residuals(estimator: Any, data: Data) -> tuple[Table, Array] | None:
    """Residuals of each row against the fit to all others, without refits; None: refit."""
    prepared = read_for_statistics(estimator, data)
    if prepared is None or defined_below(type(estimator), "predict", "_left_out_residuals"):
        return None
    try:
        residuals = estimator._left_out_residuals(prepared[0])
    except StylobateError:
        return None
    if residuals is None or not np.isfinite(residuals).all():
        return None
    logger.info("%s: left out each row by the leverages, without refits", type(estimator).__name__)
    return prepared[0], residuals


def _blocks(train: Any, sizes: Sequence[int] | None) -> list[Any]:
    """The training rows, or the blocks that each size adds to the one before."""
    if sizes is None:
        return [train]
    return np.split(train[: sizes[-1]], list(sizes[:-1]))
