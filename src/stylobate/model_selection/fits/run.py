"""Many fits: from a store, from statistics of the folds, and on the rows, in that order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from stylobate.base.jobs import finished_jobs
from stylobate.data.indexing import as_slice, take_rows
from stylobate.model_selection.fits.fold_statistics import FoldStatistics
from stylobate.model_selection.fits.progress import Progress, progress_of
from stylobate.model_selection.fits.task import Outcome, Task
from stylobate.model_selection.fits.together import may_share, run_together
from stylobate.model_selection.validation.leave_one_out import left_out_scores
from stylobate.splits import Split

if TYPE_CHECKING:
    from stylobate.model_selection.fits.store import FitStore


@dataclass(frozen=True)
class Running:
    """How fits are run: how many at once, what is shown, what is kept on disk."""

    name: str
    n_jobs: int | None = None
    pre_dispatch: Any = "2*n_jobs"
    verbose: int = 0
    progress: bool | None = None
    store: Any = None


class FitRun:
    """Every model on every split.

    Parameters
    ----------
    estimator : object
        What is asked whether statistics of the folds are enough.
    models : sequence of estimators
        It with several settings of its parameters.
    task : Task
        What to do with each.
    splits : sequence of (train, test)
    how : Running
    left_out : bool, default=False
        Whether the splits leave out each row, in order.

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
        splits: Sequence[Split],
        how: Running,
        *,
        left_out: bool = False,
    ) -> None:
        self.estimator, self.models, self.task = estimator, models, task
        self.splits, self.how, self.left_out = list(splits), how, left_out
        self.outcomes: list[Outcome | None] = [None] * (len(models) * len(self.splits))
        self.keys: dict[int, str] = {}

    def all(self) -> list[Outcome]:
        """The outcomes of all fits. What is finished stays in the store, whatever happens."""
        store = self._store()
        title = f"{self.how.name}: {type(self.estimator).__name__}"
        options = {"verbose": self.how.verbose, "progress": self.how.progress}
        with progress_of(title, len(self.outcomes), **options) as progress:  # type: ignore[arg-type]
            if store is not None:
                self._read(store, progress)
            for number, outcome in self._made():
                self.outcomes[number] = outcome
                if store is not None:
                    store.write(self.keys[number], outcome)
                progress.advance()
        return [outcome for outcome in self.outcomes if outcome is not None]

    def finished(self) -> list[int]:
        """The models that have been fitted to every split."""
        n = len(self.splits)
        return [
            k for k in range(len(self.models)) if None not in self.outcomes[k * n : (k + 1) * n]
        ]

    def _store(self) -> FitStore | None:
        if self.how.store is None:
            return None
        from stylobate.model_selection.fits.store import open_store

        return open_store(self.how.store, self.task, self.splits)

    def _read(self, store: FitStore, progress: Progress) -> None:
        """Take what an earlier run has finished."""
        self.keys = dict(enumerate(store.keys(self.models)))
        if not self.task.keep_estimator:
            for number, key in self.keys.items():
                self.outcomes[number] = store.read(key)
        store.tell()
        found = sum(outcome is not None for outcome in self.outcomes)
        if found:
            progress.advance(found)

    def _missing(self) -> list[int]:
        return [number for number, outcome in enumerate(self.outcomes) if outcome is None]

    def _made(self) -> Iterator[tuple[int, Outcome]]:
        if self.left_out:
            yield from self._without_fits()
        missing = self._missing()
        if missing and not self.task.in_steps:
            yield from self._from_statistics(missing)
            yield from self._sharing_work()
        n = len(self.splits)
        missing = self._missing()
        calls = [partial(self.task.run, self.models[k // n], self.splits[k % n]) for k in missing]
        how = self.how
        for place, outcome in finished_jobs(calls, how.n_jobs, self.estimator, how.pre_dispatch):
            yield missing[place], outcome

    def _sharing_work(self) -> Iterator[tuple[int, Outcome]]:
        """All models on a split at once, where they share work: penalties along one path.

        With a store they do not: what is left to fit depends on what was finished, and so would
        the last digits of the fits.
        """
        n, how = len(self.splits), self.how
        free = [k for k in range(n) if all(each is None for each in self.outcomes[k::n])]
        if how.store is not None or not free or not may_share(self.models, self.task):
            return
        calls = [partial(run_together, self.task, self.models, self.splits[k]) for k in free]
        for place, found in finished_jobs(calls, how.n_jobs, self.estimator, how.pre_dispatch):
            yield from ((m * n + free[place], outcome) for m, outcome in enumerate(found))

    def _without_fits(self) -> Iterator[tuple[int, Outcome]]:
        """Models that tell the residual of each row against a fit to all others."""
        n = len(self.splits)
        for k, model in enumerate(self.models):
            if None in self.outcomes[k * n : (k + 1) * n]:
                found = left_out_scores(model, self.task)
                if found is not None:
                    yield from enumerate(found.outcomes(), k * n)

    def _from_statistics(self, numbers: Sequence[int]) -> Iterator[tuple[int, Outcome]]:
        """Those whose models learn from statistics of the folds; the estimator says so."""
        task = self.task
        if task.judges_get_arguments:  # such as weights of the rows
            return
        asked = replace(task, keep_estimator=True, predictions=None) if task.predictions else task
        known = FoldStatistics.of(self.estimator, asked, self.splits)
        if known is None:
            return
        n = len(self.splits)
        wanted = sorted({number // n for number in numbers})
        found = known.run_all([self.models[k] for k in wanted])
        cells = dict(zip(((k, split) for k in wanted for split in range(n)), found, strict=True))
        known.report(self.how.name, self.estimator)
        for number in numbers:
            outcome = cells[divmod(number, n)]
            if outcome is not None:
                outcome.way = "statistics"
                yield number, self._with_predictions(outcome, number % n)

    def _with_predictions(self, outcome: Outcome, split: int) -> Outcome:
        if self.task.predictions is None:
            return outcome
        rows = take_rows(self.task.data.x, as_slice(self.splits[split][1]))
        outcome.predictions = self.task.predicted(outcome.estimator, rows)
        if not self.task.keep_estimator:
            outcome.estimator = None
        return outcome
