"""Many fits to folds of a stream: from statistics of one pass where they are enough."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Any

import numpy as np

from stylobate.base import clone
from stylobate.data.streams import Batch, Stream
from stylobate.exceptions import StylobateError
from stylobate.metrics.scoring.accumulation import Judged, score_parts
from stylobate.model_selection.fits.captured_warnings import issue, listening
from stylobate.model_selection.fits.progress import progress_of
from stylobate.model_selection.fits.run import Running
from stylobate.model_selection.fits.stream_statistics import StreamFoldStatistics
from stylobate.model_selection.fits.task import Outcome, Task, checked_scores
from stylobate.model_selection.validation.stream_data import (
    StreamData,
    StreamPart,
    StreamSplit,
    refuse_store,
)


class StreamRun:
    """Every model on every fold of a stream, as `FitRun` is for rows in memory.

    Models that learn from a statistic share one pass over the rows; others are fitted to the
    stream of each training part. Scores that do not follow from the statistics are made in one
    pass for all models. Fits are made one after the other: passes, not cores, are what they cost.

    Parameters
    ----------
    estimator : object
        What is asked whether statistics of the folds are enough.
    models : sequence of estimators
        It with several settings of its parameters.
    task : Task
        What to do with each; its data is a `StreamData`.
    splits : sequence of pairs of StreamPart
    how : Running

    Attributes
    ----------
    outcomes : list of Outcome or None
        Model by model and there split by split; None where the run has not come to it.
    """

    def __init__(
        self,
        estimator: Any,
        models: Sequence[Any],
        task: Task,
        splits: Sequence[StreamSplit],
        how: Running,
    ) -> None:
        self.estimator, self.models, self.task = estimator, models, task
        self.splits, self.how = list(splits), how
        self.outcomes: list[Outcome | None] = [None] * (len(models) * len(self.splits))
        refuse_store(how.store, how.name)

    @property
    def data(self) -> StreamData:
        found = self.task.data
        assert isinstance(found, StreamData)
        return found

    def all(self) -> list[Outcome]:
        """The outcomes of all fits."""
        title = f"{self.how.name}: {type(self.estimator).__name__}"
        options = {"verbose": self.how.verbose, "progress": self.how.progress}
        made: list[Outcome] = []
        with progress_of(title, len(self.outcomes), **options) as progress:  # type: ignore[arg-type]
            for outcome in self.fitted():
                made.append(outcome)
                progress.advance()
            self._score(made)
        self.outcomes = list(made)
        return made

    def finished(self) -> list[int]:
        """The models that have been fitted to every split."""
        return list(range(len(self.models))) if None not in self.outcomes else []

    def fitted(self) -> Iterator[Outcome]:
        """Every model fitted to every split, not all of them scored."""
        cells = self._from_statistics()
        n = len(self.splits)
        for number, outcome in enumerate(cells):
            model, (train, _) = self.models[number // n], self.splits[number % n]
            yield self._fit(model, train) if outcome is None else outcome

    def _from_statistics(self) -> list[Outcome | None]:
        none: list[Outcome | None] = [None] * len(self.outcomes)
        if any(train.stop is not None for train, _ in self.splits):  # parts of folds
            return none
        try:
            known = StreamFoldStatistics.of_stream(
                self.estimator, self.task, self.data, self.splits
            )
        except StylobateError:  # the fits tell which split it is, and go on
            return none
        if known is None:
            return none
        found = known.run_all(self.models)
        known.report(self.how.name, self.estimator)
        for outcome in found:
            if outcome is not None:
                outcome.way = "statistics"
        return found

    def _fit(self, model: Any, train: StreamPart) -> Outcome:
        """A clone fitted to the stream of a training part."""
        started = perf_counter()
        twin = clone(model)
        outcome = Outcome()
        with listening() as heard:
            try:
                twin._fit_stream(self.data.rows_of(train))
                outcome.estimator = twin
            except Exception:
                if self.task.raises:
                    issue(heard, {})
                    raise
                outcome.failure = traceback.format_exc()
        outcome.fit_time = perf_counter() - started
        outcome.heard, outcome.warnings = heard, [each.text for each in heard]
        return outcome

    # --- scores and predictions ------------------------------------------------------------------

    def _score(self, outcomes: Sequence[Outcome]) -> None:
        """Score, in one pass, what no statistic has scored; then predict, if that is asked."""
        n = len(self.splits)
        waiting = [k for k, o in enumerate(outcomes) if not o.test and o.failure is None]
        sides = ("test", "train") if self.task.train_score else ("test",)
        judged = [
            (outcomes[k], side, self.splits[k % n][side == "test"])
            for k in waiting
            for side in sides
        ]
        self._score_parts(judged)
        if self.task.predictions is not None:
            models = [outcome.estimator for outcome in outcomes]
            parts = [test for _ in self.models for _, test in self.splits]
            found = predict_parts(self.data.stream, models, parts, self._answers)
            for outcome, values in zip(outcomes, found, strict=True):
                outcome.predictions = values
        if not self.task.keep_estimator:
            for outcome in outcomes:
                outcome.estimator = None

    def _answers(self, model: Any, x: Any) -> Any:
        return self.task.predicted(model, x)

    def _score_parts(self, asked: Sequence[tuple[Outcome, str, StreamPart]]) -> None:
        if not asked:
            return
        started = perf_counter()
        judged = [self._judged(outcome.estimator, part) for outcome, _, part in asked]
        parts = [part for _, _, part in asked]
        try:
            found = self._scores(judged, parts)
        except Exception:
            if self.task.raises:
                raise
            for each in asked:
                self._score_alone(*each)
            return
        spent = (perf_counter() - started) / len(asked)
        for (outcome, side, _), scores in zip(asked, found, strict=True):
            setattr(outcome, side, checked_scores(scores))
            outcome.score_time += spent

    def _score_alone(self, outcome: Outcome, side: str, part: StreamPart) -> None:
        """One model by itself, so that a failure is its own."""
        judged = self._judged(outcome.estimator, part)
        try:
            (scores,) = self._scores([judged], [part])
            setattr(outcome, side, checked_scores(scores))
        except Exception:
            outcome.scoring_failure = traceback.format_exc()
            setattr(outcome, side, dict.fromkeys(self.task.score_names, self.task.error_score))

    def _judged(self, model: Any, part: StreamPart) -> Judged:
        return Judged(model, self.task.scorer, lambda: self.data.rows_of(part))

    def _scores(self, judged: Sequence[Judged], parts: Sequence[StreamPart]) -> Any:
        weighted = self.task.weighted_scores
        return score_parts(judged, self.data.stream, cutter(parts), weighted=weighted)


def cutter(parts: Sequence[StreamPart]) -> Callable[[int, Batch], list[Batch | None]]:
    """Cuts the rows of each part out of a batch; parts that are asked for twice are cut once."""

    def cut(first: int, batch: Batch) -> list[Batch | None]:
        known: dict[StreamPart, Batch | None] = {}
        for part in parts:
            if part not in known:
                rows = np.flatnonzero(part(first, batch.n_rows))
                known[part] = batch.take(rows) if len(rows) else None
        return [known[part] for part in parts]

    return cut


def predict_parts(
    stream: Stream,
    models: Sequence[Any],
    parts: Sequence[StreamPart],
    answers: Callable[[Any, Any], Any],
) -> list[Any]:
    """What each model answers for its part of the rows, in one pass; None for no model."""
    cut = cutter(parts)

    def answered(batch: Batch, first: int) -> list[list[Any]]:
        pairs = zip(models, cut(first, batch), strict=True)
        return [
            [] if model is None or part is None else [answers(model, part.x)]
            for model, part in pairs
        ]

    found = stream.reduced(
        answered, lambda one, other: [a + b for a, b in zip(one, other, strict=True)], numbered=True
    )
    return [np.concatenate(kept) if kept else None for kept in found or [[] for _ in models]]
