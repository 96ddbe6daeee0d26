"""Search over every combination of parameter values."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from os import PathLike
from typing import Annotated, Any, Literal

import numpy as np

from stylobate.base import HasMethods, Interval
from stylobate.model_selection.search.base import BaseSearchCV, Score
from stylobate.model_selection.search.evaluation import Evaluation
from stylobate.model_selection.search.parameter_grid import ParameterGrid


class GridSearchCV(BaseSearchCV):
    """Cross-validate every combination of parameter values and keep the best.

    Settings of an estimator that learns from a statistic (`Ridge` …) share one pass over the rows.

    Parameters
    ----------
    estimator : estimator
        Ours, or any that follows scikit-learn's protocol; ``name__parameter`` reaches into the
        steps of a pipeline.
    param_grid : dict or list
        The values of each parameter, a dict of lists; a list holds several such grids.
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
        A directory that keeps finished fits, so that an interrupted search goes on; see
        `cross_validate`.
    progress : bool or None, default=None
        Whether to show the progress; None goes by ``verbose``.

    Attributes
    ----------
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
    >>> import numpy as np
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import Ridge
    >>> from stylobate.model_selection import GridSearchCV
    >>> X, y = load_diabetes(return_X_y=True)
    >>> search = GridSearchCV(Ridge(), {"alpha": [0.001, 0.01, 0.1, 1.0]}, cv=5).fit(X, y)
    >>> search.best_params_, round(float(search.best_score_), 3)
    ({'alpha': 0.001}, 0.482)
    >>> GridSearchCV(
    ...     Ridge(), {"alpha": [0.001, 0.01, 0.1, 1.0]}, cv=5, rule="one_standard_error"
    ... ).fit(X, y).best_params_
    {'alpha': 0.1}

    References
    ----------
    Breiman, Friedman, Olshen & Stone (1984), Classification and Regression Trees, section 3.4.3
    (the one-standard-error rule).
    """

    def __init__(
        self,
        estimator: Annotated[Any, HasMethods("fit")],
        param_grid: dict[str, Any] | list[Any],
        *,
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
        error_score: Literal["raise"] | Annotated[Any, Score()] = np.nan,
        return_train_score: bool = False,
        rule: Literal["best", "one_standard_error"] = "best",
        simplicity: Callable[..., Any] | None = None,
        store: str | PathLike[str] | None = None,
        progress: bool | None = None,
    ) -> None:
        self.estimator = estimator
        self.param_grid = param_grid
        self.scoring = scoring
        self.n_jobs = n_jobs
        self.refit = refit
        self.cv = cv
        self.verbose = verbose
        self.pre_dispatch = pre_dispatch
        self.error_score = error_score
        self.return_train_score = return_train_score
        self.rule = rule
        self.simplicity = simplicity
        self.store = store
        self.progress = progress

    def _run_search(self, evaluate_candidates: Evaluation) -> None:
        evaluate_candidates(ParameterGrid(self.param_grid))
