"""Settings of an estimator's parameters, cross-validated and put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from stylobate.base import clone
from stylobate.exceptions import InvalidParameterError
from stylobate.metrics.scoring.scorers import ManyScorers
from stylobate.model_selection.fits.captured_warnings import inside_a_fit
from stylobate.model_selection.fits.records import FitRecord, records_of
from stylobate.model_selection.fits.run import FitRun, Running
from stylobate.model_selection.fits.stream_run import StreamRun
from stylobate.model_selection.fits.task import (
    NOT_MADE,
    ONE,
    Outcome,
    Task,
    settle_failures,
)
from stylobate.model_selection.search.results import search_results
from stylobate.model_selection.validation.leave_one_out import leaves_one_out
from stylobate.model_selection.validation.stream_data import StreamData
from stylobate.model_selection.validation.unseen_labels import tell_of_unseen_labels


class Interrupted(Exception):
    """Ctrl-C ended a search that has finished some settings."""

    def __init__(self, finished: int, asked: int) -> None:
        super().__init__(finished, asked)
        self.finished, self.asked = finished, asked


class Evaluation:
    """What a search calls with settings; it keeps all results.

    Parameters
    ----------
    estimator : object
        Whose parameters are set.
    task : Task
        Data and scoring.
    splitter : splitter
        The splits, unless a call has its own.
    how : Running
        How fits are run.
    """

    def __init__(self, estimator: Any, task: Task, splitter: Any, how: Running) -> None:
        self.estimator, self.task, self.splitter, self.how = estimator, task, splitter, how
        data = task.data
        self.n_splits = int(splitter.get_n_splits(data.x, data.y, data.groups))
        self.candidates: list[dict[str, Any]] = []
        self.outcomes: list[Outcome] = []
        self.more: dict[str, list[Any]] = {}
        self.records: list[FitRecord] = []
        self.results: dict[str, Any] = {}

    def __call__(
        self,
        candidate_params: Iterable[Mapping[str, Any]],
        cv: Any = None,
        more_results: Mapping[str, Sequence[Any]] | None = None,
    ) -> dict[str, Any]:
        """Evaluate settings; the results are of all so far.

        Parameters
        ----------
        candidate_params : iterable of dict
            The settings.
        cv : splitter, optional
            Other splits than those of the search.
        more_results : mapping of str to sequence, optional
            Further columns of the results, with an entry for each setting.
        """
        candidates = [dict(params) for params in candidate_params]
        if not candidates:
            raise InvalidParameterError(
                f"{self.how.name}: No fits were performed, for there are no settings to try; give "
                "at least one value for a parameter."
            )
        models = [self.model(params) for params in candidates]
        run = self._run(models, cv)
        finished: Sequence[int] = range(len(candidates))
        interrupted = None
        try:
            run.all()
        except KeyboardInterrupt as error:
            finished, interrupted = run.finished(), error
            if inside_a_fit() or not (finished or self.candidates):
                raise  # within a validation it is that which the user wants to end
        if finished:
            self._add(run, candidates, finished, more_results or {})
        if interrupted is not None:
            raise Interrupted(len(finished), len(candidates)) from interrupted
        return self.results

    def _run(self, models: Sequence[Any], cv: Any) -> FitRun | StreamRun:
        """The fits of some models to all splits, not yet begun."""
        data = self.task.data
        splits = self.splits if cv is None else data.splits(cv)
        if isinstance(data, StreamData):
            return StreamRun(self.estimator, models, self.task, splits, self.how)
        if cv is None and not self.candidates:
            tell_of_unseen_labels(self.estimator, data, self.splitter, splits)
        single = cv is None and leaves_one_out(self.splitter, data.n_rows)
        return FitRun(self.estimator, models, self.task, splits, self.how, left_out=single)

    @property
    def names(self) -> list[str]:
        """Names of the scores."""
        return list(self.outcomes[0].test)

    @property
    def multimetric(self) -> bool:
        """Whether there are several scores, or one with a name of its own."""
        return isinstance(self.task.scorer, ManyScorers) or self.names != [ONE]

    @cached_property
    def splits(self) -> Any:
        """The splits of the search, the same for all settings."""
        return self.task.data.splits(self.splitter)

    def model(self, params: Mapping[str, Any]) -> Any:
        """A clone with these parameters; the values too are cloned, they may be estimators."""
        try:
            return clone(self.estimator).set_params(**clone(dict(params), safe=False))
        except ValueError as error:
            known = list(self.estimator.get_params())
            unknown = [name for name in params if name not in known]
            if not unknown:
                raise
            raise InvalidParameterError(
                f"{self.how.name}: {type(self.estimator).__name__} has no parameter {unknown[0]!r}"
                f"{_hint(unknown[0], known)}. {error}"
            ) from error

    def _add(
        self,
        run: FitRun | StreamRun,
        candidates: Sequence[dict[str, Any]],
        finished: Sequence[int],
        more: Mapping[str, Sequence[Any]],
    ) -> None:
        n = len(run.splits)
        cells = [run.outcomes[k * n + split] for k in finished for split in range(n)]
        outcomes = [outcome for outcome in cells if outcome is not None]
        chosen = [candidates[k] for k in finished]
        self.put(
            chosen, outcomes, run.splits, {k: [v[i] for i in finished] for k, v in more.items()}
        )

    def put(
        self,
        candidates: Sequence[dict[str, Any]],
        outcomes: Sequence[Outcome],
        splits: Any,
        more: Mapping[str, Sequence[Any]],
    ) -> None:
        """Add what became of settings: candidate by candidate and there split by split."""
        made = [outcome for outcome in outcomes if outcome.way != NOT_MADE]
        settle_failures(made, self.task.error_score, before=len(self.outcomes))
        records = records_of(outcomes, splits, candidates, first=len(self.candidates))
        self.records += [record for record in records if record.way != NOT_MADE]
        self.candidates += candidates
        self.outcomes += outcomes
        for name, values in more.items():
            self.more.setdefault(name, []).extend(values)
        self.results = search_results(
            self.candidates, self.outcomes, self.more, train_score=self.task.train_score
        )


def _hint(name: str, known: Sequence[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, known, 3)
    return f"; close: {', '.join(map(repr, close))}" if close else ""
