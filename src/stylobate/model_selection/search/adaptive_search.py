"""Adaptive search: what was learnt from the settings so far says what to try next."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from os import PathLike
from typing import Annotated, Any, Literal

import numpy as np

from stylobate.base import HasMethods, Interval, RandomState
from stylobate.exceptions import InvalidParameterError
from stylobate.metrics.scoring.scorers import ManyScorers
from stylobate.model_selection.fits.task import ONE
from stylobate.model_selection.search.base import BaseSearchCV, Score
from stylobate.model_selection.search.evaluation import Evaluation
from stylobate.model_selection.search.growth import Growth, growth_of
from stylobate.model_selection.search.in_turn import InTurn, Merit
from stylobate.model_selection.search.proposer import Proposer
from stylobate.model_selection.search.pruning import Pruning
from stylobate.model_selection.validation.data import Data
from stylobate.model_selection.validation.stream_data import StreamData
from stylobate.splits.splitter import generator, is_integer


class AdaptiveSearchCV(BaseSearchCV):
    r"""Cross-validate settings that are proposed by what was learnt from those before (TPE).

    The first settings are drawn at random. Then tree-structured Parzen estimators propose: with
    :math:`\ell` the density of the best tenth of the settings so far and :math:`g` that of the
    others, of settings drawn from :math:`\ell` the one of the largest :math:`\ell/g` is tried next.
    Hopeless settings can be given up before all splits (or all trees, or all passes) are made.

    The same seed gives the same settings and the same bits for any number of jobs, and also where
    a search is stopped, or killed, and goes on from its ``store``.

    Parameters
    ----------
    estimator : estimator
        Ours, or any that follows scikit-learn's protocol; ``name__parameter`` reaches into the
        steps of a pipeline.
    param_distributions : dict or list
        The values of each parameter: a distribution with ``rvs`` and ``ppf`` (SciPy's frozen ones:
        ``loguniform``, ``uniform``, ``randint`` …); a range or a list of numbers, whose order
        counts; or a list of anything else. A list holds several such dicts.
    n_iter : int in [1, inf), default=50
        How many settings to try, those that are given up included.
    scoring : str, callable, list, tuple, set, dict or None, default=None
        One scorer or several; None is the estimator's own `score`. With several, ``refit`` names
        the one that counts.
    n_jobs : int or None, default=None
        Fits at a time, through joblib and whatever backend of it is in force (Dask, Ray …).
    refit : bool, str or callable, default=True
        Whether to fit the best setting to all rows; the name of the score to go by; or a function
        of ``cv_results_`` that returns the place of the setting to take.
    cv : int in [2, inf), splitter, iterable or None, default=None
        Splits; None is 5 folds, stratified for classifiers.
    verbose : int, default=0
        From 1 on a bar shows the progress, in terminals and notebooks.
    pre_dispatch : int or str, default="2*n_jobs"
        joblib's.
    random_state : int, RandomState or None, default=None
        Seed of the proposals; a store needs an int.
    error_score : "raise" or number, default=nan
        The score of a fit that fails, or whether to raise its error.
    return_train_score : bool, default=False
        Whether to score the training parts as well.
    rule : {"best", "one_standard_error"}, default="best"
        Which setting is chosen: that of the best mean score, or the simplest of those whose mean is
        within one standard error of the best.
    simplicity : callable or None, default=None
        A number for a setting, smaller is simpler; for the one-standard-error rule. By default
        the parameters' names decide: larger ``alpha``, ``min_samples_leaf``, ``n_neighbors`` … and
        smaller ``C``, ``max_depth``, ``n_components`` … are simpler, an estimator may say more in
        ``_simpler_with``, and of settings of which nothing is known the first is simplest.
    store : str, path or None, default=None
        A directory that keeps every finished fit, written so that a killed process leaves it
        whole; the same search then goes on where it was, with the same results. See
        `cross_validate`.
    progress : bool or None, default=None
        Whether to show the progress of each batch; None goes by ``verbose``.
    n_initial : int in [1, inf), default=10
        Settings drawn at random before anything is learnt; under the median rule also those that
        are finished before one may be given up.
    batch_size : int in [1, inf), default=4
        Settings proposed together, from what is known of those before. So many times the number of
        splits can be fitted at once; with pruning, so many. It does not follow ``n_jobs``, so that
        results do not.
    pruning : {"median", "halving"} or None, default=None
        Whether splits come one after the other, and a setting is given up as soon as its score so
        far is below the median of those finished ("median"), or not among the best of ``factor``
        that came as far ("halving", asynchronous successive halving). Scores on the way compare
        settings on the same splits. Not for rows that are read in batches.
    resource : str or None, default=None
        With pruning, also look at models on their way: a parameter of which more is better and
        dearer ("n_estimators", "max_iter"), or "partial_fit" for passes over the rows. Where the
        estimator has ``warm_start`` (or `partial_fit`) it goes on from step to step; others are
        fitted anew.
    min_resources, max_resources : int or None, default=None
        The resource of the first step and of a whole model; None is the estimator's own value, and
        a ninth of it.
    factor : number in (1, inf), default=3
        How much more of the resource each step has, and of how many settings one goes on.

    Attributes
    ----------
    cv_results_ : dict of arrays
        Settings, times, scores of every split, means, standard deviations and ranks. With pruning
        also "pruned" (whether a setting was given up; it then has no mean, and NaN for the splits
        it did not come to), "n_splits_done", and "last_score": the score at the last checkpoint.
    best_index_, best_params_, best_score_
        The chosen setting: its place in ``cv_results_``, its values, its mean score.
    best_estimator_ : estimator
        Fitted to all rows; `predict` and other methods are its own.
    scorer_ : callable or dict of callables
        What the models were scored with.
    n_splits_ : int
        Number of splits.
    refit_time_ : float
        Seconds that the refit took.
    multimetric_ : bool
        Whether there are several scores.
    records_ : list of FitRecord
        All about every fit: sizes, scores, times, warnings, failures.
    interrupted_ : bool
        Whether Ctrl-C ended the search early.
    n_features_in_, feature_names_in_, classes_
        Of the best estimator.

    Examples
    --------
    >>> from scipy.stats import loguniform
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import ElasticNet
    >>> from stylobate.model_selection import AdaptiveSearchCV
    >>> X, y = load_diabetes(return_X_y=True)
    >>> space = {"alpha": loguniform(1e-4, 1e2), "l1_ratio": [0.1, 0.5, 0.9, 1.0]}
    >>> search = AdaptiveSearchCV(
    ...     ElasticNet(), space, n_iter=40, pruning="median", random_state=0
    ... ).fit(X, y)
    >>> round(float(search.best_score_), 3), bool(search.cv_results_["pruned"].any())
    (0.483, True)

    References
    ----------
    Bergstra, Bardenet, Bengio & Kégl (2011), Algorithms for hyper-parameter optimization, NeurIPS;
    Golovin et al. (2017), Google Vizier, KDD (the median rule); Li et al. (2020), A system for
    massively parallel hyperparameter tuning, MLSys (asynchronous halving).
    """

    def __init__(
        self,
        estimator: Annotated[Any, HasMethods("fit")],
        param_distributions: dict[str, Any] | list[Any],
        *,
        n_iter: Annotated[int, Interval(1, inf)] = 50,
        scoring: str
        | Callable[..., Any]
        | list[Any]
        | tuple[Any, ...]
        | set[Any]
        | dict[str, Any]
        | None = None,
        n_jobs: int | None = None,
        refit: bool | str | Callable[..., Any] = True,
        cv: Annotated[int, Interval(2, inf)]
        | Annotated[Any, HasMethods("split")]
        | Annotated[Any, HasMethods("__iter__")]
        | None = None,
        verbose: int | bool = 0,
        pre_dispatch: int | str = "2*n_jobs",
        random_state: RandomState = None,
        error_score: Literal["raise"] | Annotated[Any, Score()] = np.nan,
        return_train_score: bool = False,
        rule: Literal["best", "one_standard_error"] = "best",
        simplicity: Callable[..., Any] | None = None,
        store: str | PathLike[str] | None = None,
        progress: bool | None = None,
        n_initial: Annotated[int, Interval(1, inf)] = 10,
        batch_size: Annotated[int, Interval(1, inf)] = 4,
        pruning: Literal["median", "halving"] | None = None,
        resource: str | None = None,
        min_resources: Annotated[int, Interval(1, inf)] | None = None,
        max_resources: Annotated[int, Interval(1, inf)] | None = None,
        factor: Annotated[float, Interval(1, inf, closed="neither")] = 3,
    ) -> None:
        self.estimator = estimator
        self.param_distributions = param_distributions
        self.n_iter = n_iter
        self.scoring = scoring
        self.n_jobs = n_jobs
        self.refit = refit
        self.cv = cv
        self.verbose = verbose
        self.pre_dispatch = pre_dispatch
        self.random_state = random_state
        self.error_score = error_score
        self.return_train_score = return_train_score
        self.rule = rule
        self.simplicity = simplicity
        self.store = store
        self.progress = progress
        self.n_initial = n_initial
        self.batch_size = batch_size
        self.pruning = pruning
        self.resource = resource
        self.min_resources = min_resources
        self.max_resources = max_resources
        self.factor = factor

    def _run_search(self, evaluate_candidates: Evaluation) -> None:
        proposer = Proposer(self.param_distributions, self.n_initial, generator(self.random_state))
        most = proposer.most(self.n_iter)
        growth = self._growth(evaluate_candidates.task.data)
        if growth is not None and any(growth.resource in each.axes for each in proposer.spaces):
            raise InvalidParameterError(
                f"AdaptiveSearchCV: {growth.resource!r} is the resource and cannot be searched "
                "too; leave it out of param_distributions."
            )
        in_turn = self._in_turn(evaluate_candidates, growth)
        while len(proposer.asked) < most:
            settings = proposer.ask(min(self.batch_size, most - len(proposer.asked)))
            if in_turn is not None:
                proposer.tell(in_turn(settings))
                continue
            results = evaluate_candidates(settings)
            guide = self._guide(evaluate_candidates)
            proposer.tell(_merits(results[f"mean_test_{guide}"][-len(settings) :]))

    def _in_turn(self, evaluation: Evaluation, growth: Growth | None) -> InTurn | None:
        """How settings are evaluated if they may be given up."""
        if self.pruning is None:
            return None
        pruning = Pruning(self.pruning, float(self.factor), self.n_initial)
        return InTurn(evaluation, self._guide(evaluation), pruning, growth)

    def _guide(self, evaluation: Evaluation) -> str:
        """The name of the score that says what is good."""
        several = isinstance(evaluation.task.scorer, ManyScorers)
        names = evaluation.names if evaluation.outcomes else evaluation.task.score_names
        if isinstance(self.refit, str) and (self.refit in names or not several):
            return self.refit
        if several or names != [ONE]:
            raise InvalidParameterError(
                "AdaptiveSearchCV: of several scores refit must name the one to go by: "
                f"{', '.join(map(repr, names))}; got refit={self.refit!r}."
            )
        return ONE

    def _growth(self, data: Data | StreamData) -> Growth | None:
        if self.resource is None:
            return None
        return growth_of(
            self.estimator,
            data.y,
            self.resource,
            self.min_resources,
            self.max_resources,
            float(self.factor),
            type(self).__name__,
        )

    def _prepare(self, evaluation: Evaluation) -> None:
        owner = type(self).__name__
        if self.store is not None and not is_integer(self.random_state):
            raise InvalidParameterError(
                f"{owner}: a search with a store goes on with the same settings only if "
                f"random_state is an int, got {self.random_state!r}."
            )
        if self.resource is not None and self.pruning is None:
            raise InvalidParameterError(
                f"{owner}: resource={self.resource!r} is looked at by pruning; say which rule, "
                "pruning='median' or 'halving'."
            )
        if self.pruning is not None and isinstance(evaluation.task.data, StreamData):
            raise InvalidParameterError(
                f"{owner}: rows that are read in batches are read once for all splits, so that "
                f"pruning={self.pruning!r} would save nothing; pass pruning=None."
            )

    def _finalists(self, results: Any) -> Any:
        every = np.arange(len(results["params"]))
        finished = every[~results["pruned"]] if "pruned" in results else every
        return finished if len(finished) else every

    def _fitted_best(self, best: Any, data: Data | StreamData) -> Any:
        growth = None if self.pruning is None else self._growth(data)
        if growth is None or isinstance(data, StreamData):
            return super()._fitted_best(best, data)
        fitted = (data.x,) if data.y is None else (data.x, data.y)
        return growth.whole(best, fitted, data.params)


def _merits(means: Any) -> list[Merit]:
    """Means as they compare; NaN is the worst."""
    return [(-np.inf if np.isnan(mean) else float(mean),) for mean in means]
