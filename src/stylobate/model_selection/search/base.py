"""What all searches have in common: candidates are cross-validated and the best is refitted."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from time import perf_counter
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from stylobate.base import BaseEstimator, Tags, clone
from stylobate.base.constraints import Constraint
from stylobate.base.routing import routing_enabled
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.metrics import check_scoring
from stylobate.metrics.scoring.scorers import BuiltInScore, ManyScorers, takes_weights
from stylobate.model_selection.fits.records import FitRecord
from stylobate.model_selection.fits.run import Running
from stylobate.model_selection.fits.task import ONE, Task
from stylobate.model_selection.search.delegation import inner_tags
from stylobate.model_selection.search.evaluation import Evaluation, Interrupted
from stylobate.model_selection.search.one_standard_error import simplest, within_one_standard_error
from stylobate.model_selection.search.refitted import Refitted
from stylobate.model_selection.search.summary import SearchSummary
from stylobate.model_selection.validation.data import Data
from stylobate.model_selection.validation.requests import handed_out
from stylobate.model_selection.validation.stream_data import (
    StreamData,
    collected_data,
    refuse_few,
    takes_streams,
)

if TYPE_CHECKING:
    from stylobate.data.streams import Stream


class Score(Constraint):
    """Any number, NaN as well."""

    words = "a number"

    def accepts(self, value: Any) -> bool:
        return isinstance(value, Real) and not isinstance(value, bool | np.bool_)

    def suspects(self) -> tuple[Any, ...]:
        return "1", True


class BaseSearchCV(Refitted, BaseEstimator):  # type: ignore[override]  # n_features_in_ is its best's
    """A search; subclasses say in `_run_search` which settings to evaluate."""

    if TYPE_CHECKING:
        estimator: Any
        scoring: Any
        n_jobs: int | None
        refit: Any
        cv: Any
        verbose: int
        error_score: Any
        return_train_score: bool
        rule: str
        simplicity: Any
        store: Any
        progress: bool | None

    def _tags(self) -> Tags:
        return inner_tags(self.estimator)

    def _prepare(self, evaluation: Evaluation) -> None:
        """Look at the data before the search begins."""

    @abstractmethod
    def _run_search(self, evaluate_candidates: Evaluation) -> None:
        """Call ``evaluate_candidates(settings)`` as often as need be; it returns all results."""

    def fit(self, X: Any, y: Any = None, **params: Any) -> Self:
        """Cross-validate every setting and refit the best to all rows.

        Ctrl-C ends the search early: the results of the settings that are finished stay, the best
        of them is refitted, and a warning says so. A search inside a cross-validation of ours lets
        it end that.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features); file, relation or stream
            Rows, in anything the estimator takes. With ``target=`` (``features=``, ``weight=``) the
            names of its columns; of rows that are read in batches a number of folds means
            `HashKFold`.
        y : array-like of shape (n,) or (n, n_outputs), optional
            Targets.
        **params : object
            More arguments for the estimator's `fit`; those with an entry for each row are split
            too, and ``sample_weight`` counts in the scores as well. ``groups`` goes to the
            splitter.

        Returns
        -------
        self
        """
        self._check_parameters()
        self._check_choice()
        self._forget()
        given = dict(params)
        groups = None if routing_enabled() else given.pop("groups", None)
        return self._fit_data(Data.of(X, y, groups, given))

    def _fit_stream(self, stream: Stream) -> Self:
        """Search on rows that are read in batches; a number of folds means `HashKFold`."""
        self._check_parameters()
        self._check_choice()
        self._forget()
        owner = type(self).__name__
        if takes_streams(self.estimator):
            data = StreamData(stream, owner)
            refuse_few(data)
            return self._fit_data(data)
        return self._fit_data(collected_data(stream, owner, self.estimator))

    def _fit_data(self, data: Data | StreamData) -> Self:
        evaluation = self._evaluation(data)
        self.n_splits_ = evaluation.n_splits
        self.interrupted_ = False
        self._prepare(evaluation)
        try:
            self._run_search(evaluation)
        except Interrupted as stop:
            self.interrupted_ = True
            self._tell_of_interruption(stop, evaluation)
        self._choose(evaluation)
        if self.refit:
            self._refit(evaluation.task.data)
        scorer = evaluation.task.scorer
        self.scorer_ = scorer.scorers if isinstance(scorer, ManyScorers) else scorer
        self.cv_results_ = evaluation.results
        return self

    def _evaluation(self, data: Data | StreamData) -> Evaluation:
        streaming = isinstance(data, StreamData)
        if not streaming and data.n_rows < 2:
            raise InvalidDataError(
                f"{type(self).__name__}: n_samples={data.n_rows} is too few to cross-validate; X "
                "needs at least as many rows as there are splits."
            )
        scorer = check_scoring(self.estimator, self.scoring)
        if isinstance(scorer, ManyScorers):
            self._check_refit(scorer.scorers)
        splitter = data.splitter(self.cv, self.estimator)
        weights = data.params.get("sample_weight")
        if not isinstance(data, StreamData):
            data = handed_out(self, data, self.estimator, splitter, scorer)
            weights = data.params.get("sample_weight") if data.scorer_params is None else None
        has_weights = streaming or weights is not None
        weighted = has_weights and self._weighted_scores(scorer, tell=weights is not None)
        task = Task(
            data,
            scorer,
            self.return_train_score,
            error_score=self.error_score,
            score_params={"sample_weight": weights} if weighted and not streaming else {},
            weighted_scores=weighted and streaming,
        )
        ahead = getattr(self, "pre_dispatch", "2*n_jobs")
        name, store = type(self).__name__, self.store
        how = Running(name, self.n_jobs, ahead, int(self.verbose), self.progress, store)
        return Evaluation(clone(self.estimator), task, splitter, how)

    def _weighted_scores(self, scorer: Any, *, tell: bool) -> bool:
        """Whether a scorer takes weights; warns of those that do not, if that is asked."""
        named = scorer.scorers if isinstance(scorer, ManyScorers) else {ONE: scorer}
        taken = False
        for each in named.values():
            judge = self.estimator.score if isinstance(each, BuiltInScore) else each
            if takes_weights(judge):
                taken = True
                continue
            if not tell:
                continue
            warnings.warn(
                f"{type(self).__name__}: the scoring {each!r} does not support sample_weight, so "
                "the settings are compared by unweighted scores of models fitted with weights.",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )
        return taken

    def _check_choice(self) -> None:
        if self.rule != "best" and callable(self.refit):
            raise InvalidParameterError(
                f"{type(self).__name__}: rule={self.rule!r} and a callable refit both choose the "
                "setting; leave one of them out."
            )

    def _check_refit(self, names: Iterable[str]) -> None:
        """Refuse a refit that does not say which of several scores counts."""
        known = list(names)
        named = isinstance(self.refit, str) and self.refit in known
        if self.refit is not False and not named and not callable(self.refit):
            raise InvalidParameterError(
                "For multi-metric scoring, the parameter refit must be set to a scorer key or a "
                f"callable: {type(self).__name__} scores {', '.join(map(repr, known))} and cannot "
                f"tell which of them is to be best. refit=False is possible too, {self.refit!r} "
                "was passed."
            )

    # --- choosing -------------------------------------------------------------------------------

    def _choose(self, evaluation: Evaluation) -> None:
        """Set ``best_index_`` and what follows from it."""
        results = evaluation.results
        self.multimetric_ = evaluation.multimetric
        if self.multimetric_:
            self._check_refit(evaluation.names)
        self.records_: list[FitRecord] = evaluation.records
        if self.multimetric_ and not self.refit:
            return
        metric = self.refit if self.multimetric_ else ONE
        self.best_index_ = self._chosen_index(results, metric)
        if not callable(self.refit):
            self.best_score_ = results[f"mean_test_{metric}"][self.best_index_]
        self.best_params_ = results["params"][self.best_index_]

    def _chosen_index(self, results: dict[str, Any], metric: Any) -> int:
        if callable(self.refit):
            index = self.refit(results)
            if not isinstance(index, Integral):
                raise TypeError(f"best_index_ returned is not an integer: refit returned {index!r}")
            if not 0 <= int(index) < len(results["params"]):
                raise IndexError(
                    f"best_index_ index out of range: refit returned {index}, and there are "
                    f"{len(results['params'])} settings."
                )
            return int(index)
        among = self._finalists(results)
        means = np.asarray(results[f"mean_test_{metric}"])
        finite = np.where(np.isnan(means), -np.inf, means)
        best = int(among[np.argmax(finite[among])])
        if self.rule == "best":
            return best
        close = within_one_standard_error(results, metric, best, among)
        return simplest(results["params"], means, close, self.estimator, self.simplicity)

    def _finalists(self, results: Mapping[str, Any]) -> Any:
        """The settings among which the best is chosen."""
        return np.arange(len(results["params"]))

    def _refit(self, data: Data | StreamData) -> None:
        best = clone(self.estimator).set_params(**clone(self.best_params_, safe=False))
        started = perf_counter()
        best = self._fitted_best(best, data)
        self._refit_time = perf_counter() - started
        self.best_estimator_ = best
        if hasattr(best, "feature_names_in_"):
            self.feature_names_in_ = best.feature_names_in_

    def _fitted_best(self, best: Any, data: Data | StreamData) -> Any:
        """The best setting's estimator, fitted to all rows."""
        if isinstance(data, StreamData):
            return best.fit(data.stream)
        args = (data.x,) if data.y is None else (data.x, data.y)
        return best.fit(*args, **data.params)

    def _forget(self) -> None:
        for name in [name for name in vars(self) if name.endswith("_") or name == "_refit_time"]:
            delattr(self, name)

    def _tell_of_interruption(self, stop: Interrupted, evaluation: Evaluation) -> None:
        done = len(evaluation.candidates)
        refitted = " and the best of them is refitted" if self.refit else ""
        warnings.warn(
            f"{type(self).__name__} was interrupted with {stop.finished} of {stop.asked} settings "
            f"finished; cv_results_ holds {done}{refitted}.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )

    # --- what was found -------------------------------------------------------------------------

    @property
    def refit_time_(self) -> float:
        """Seconds that the refit took."""
        return float(self._of_refit("_refit_time"))

    def summary(self, n_rows: int | None = 10, *, metric: str | None = None) -> SearchSummary:
        """A table of the settings, the best first, with mean score ± standard error.

        Parameters
        ----------
        n_rows : int or None, default=10
            How many settings to show; None is all.
        metric : str, optional
            Which of several scores; that of ``refit`` by default.

        Returns
        -------
        SearchSummary
            Prints as a table.
        """
        self._check_fitted()
        return SearchSummary.of(self, n_rows, metric)
