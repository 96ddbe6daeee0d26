"""Successive halving over every combination of parameter values."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from os import PathLike
from typing import Annotated, Any, Literal

import numpy as np

from stylobate.base import HasMethods, Interval, RandomState
from stylobate.model_selection.search.base import Score
from stylobate.model_selection.search.halving import BaseSuccessiveHalving
from stylobate.model_selection.search.parameter_grid import ParameterGrid


class HalvingGridSearchCV(BaseSuccessiveHalving):
    """Try every combination with few resources, and the better ones with more, round by round.

    Parameters
    ----------
    estimator : estimator
        Ours, or any that follows scikit-learn's protocol.
    param_grid : dict or list
        The values of each parameter, a dict of lists; a list holds several such grids.
    factor : number in (1, inf), default=3
        One of so many settings goes on to the next round, which has so many times the resources.
    resource : str, default="n_samples"
        What grows: the rows, or a parameter of the estimator such as "n_estimators".
    max_resources : int in [1, inf) or "auto", default="auto"
        The most of it a setting may get; "auto" is all rows.
    min_resources : int in [1, inf), "exhaust" or "smallest", default="exhaust"
        Resources of the first round: a number; enough for the last round to use them all; or as
        few as can be cross-validated.
    aggressive_elimination : bool, default=False
        Whether to drop settings at the least resources first, where there are too few resources
        to end with at most ``factor`` settings.
    scoring : str, callable or None, default=None
        One scorer; None is the estimator's own `score`.
    n_jobs : int or None, default=None
        Fits at a time, through joblib and whatever backend of it is in force (Dask, Ray …).
    refit : bool, str or callable, default=True
        Whether to fit the best setting to all rows; the name of the score to go by; or a function
        of ``cv_results_`` that returns the place of the setting to take.
    cv : int in [2, inf), splitter, iterable or None, default=5
        Splits; None is 5 folds, stratified for classifiers.
    verbose : int, default=0
        From 1 on a bar shows the progress, in terminals and notebooks.
    error_score : "raise" or number, default=nan
        The score of a fit that fails, or whether to raise its error.
    return_train_score : bool, default=True
        Whether to score the training parts as well.
    random_state : int, RandomState or None, default=None
        Seed of the rows that are drawn.
    rule : {"best", "one_standard_error"}, default="best"
        Which setting is chosen: that of the best mean score, or the simplest of those whose mean is
        within one standard error of the best.
    simplicity : callable or None, default=None
        A number for a setting, smaller is simpler; for the one-standard-error rule. By default
        the parameters' names decide: larger ``alpha``, ``min_samples_leaf``, ``n_neighbors`` … and
        smaller ``C``, ``max_depth``, ``n_components`` … are simpler, an estimator may say more in
        ``_simpler_with``, and of settings of which nothing is known the first is simplest.
    store : str, path or None, default=None
        A directory that keeps finished fits, so that an interrupted search goes on; see
        `cross_validate`.
    progress : bool or None, default=None
        Whether to show the progress; None goes by ``verbose``.

    Attributes
    ----------
    n_resources_, n_candidates_ : list of int
        Resources and settings of each round.
    n_remaining_candidates_, n_iterations_, n_required_iterations_, n_possible_iterations_ : int
        Settings left after the last round; rounds made, needed, and possible.
    min_resources_, max_resources_ : int
        Resources of the first round, and the most there are.
    cv_results_ : dict of arrays
        Settings, times, scores of every split, means, standard deviations and ranks.
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
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import Ridge
    >>> from stylobate.model_selection import HalvingGridSearchCV
    >>> X, y = load_diabetes(return_X_y=True)
    >>> search = HalvingGridSearchCV(
    ...     Ridge(), {"alpha": [10.0**k for k in range(-5, 4)]}, random_state=0
    ... ).fit(X, y)
    >>> search.n_candidates_, search.n_resources_
    ([9, 3, 1], [49, 147, 441])

    References
    ----------
    Jamieson & Talwalkar (2016), Non-stochastic best arm identification and hyperparameter
    optimization, AISTATS.
    """

    def __init__(
        self,
        estimator: Annotated[Any, HasMethods("fit")],
        param_grid: dict[str, Any] | list[Any],
        *,
        factor: Annotated[float, Interval(1, inf, closed="neither")] = 3,
        resource: str = "n_samples",
        max_resources: Annotated[int, Interval(1, inf)] | Literal["auto"] = "auto",
        min_resources: Annotated[int, Interval(1, inf)]
        | Literal["exhaust", "smallest"] = "exhaust",
        aggressive_elimination: bool = False,
        cv: Annotated[int, Interval(2, inf)]
        | Annotated[Any, HasMethods("split")]
        | Annotated[Any, HasMethods("__iter__")]
        | None = 5,
        scoring: str | Callable[..., Any] | None = None,
        refit: bool | str | Callable[..., Any] = True,
        error_score: Literal["raise"] | Annotated[Any, Score()] = np.nan,
        return_train_score: bool = True,
        random_state: RandomState = None,
        n_jobs: int | None = None,
        verbose: int | bool = 0,
        rule: Literal["best", "one_standard_error"] = "best",
        simplicity: Callable[..., Any] | None = None,
        store: str | PathLike[str] | None = None,
        progress: bool | None = None,
    ) -> None:
        self.estimator = estimator
        self.param_grid = param_grid
        self.factor = factor
        self.resource = resource
        self.max_resources = max_resources
        self.min_resources = min_resources
        self.aggressive_elimination = aggressive_elimination
        self.cv = cv
        self.scoring = scoring
        self.refit = refit
        self.error_score = error_score
        self.return_train_score = return_train_score
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.rule = rule
        self.simplicity = simplicity
        self.store = store
        self.progress = progress

    def _settings(self) -> list[dict[str, Any]]:
        return list(ParameterGrid(self.param_grid))
