"""Recursive feature elimination that chooses how many features to keep by cross-validation."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.base import HasMethods, Interval, is_classifier
from stylobate.base.validation import input_names
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import StylobateWarning
from stylobate.feature_selection.elimination import RecursiveElimination
from stylobate.feature_selection.elimination_course import Elimination, eliminate
from stylobate.feature_selection.fold_fits import Scorer
from stylobate.feature_selection.history import SelectionHistory, SelectionStep
from stylobate.splits import Split, splits_of


class RFECV(RecursiveElimination):
    """Eliminate features within every fold, and keep as many as scored best on average.

    The elimination is repeated inside each fold, so the scores are those of the whole procedure
    and not flattered by the choice of features.

    Parameters
    ----------
    estimator : estimator
        With ``coef_`` or ``feature_importances_`` once fitted.
    step : int in [1, inf) or float in (0, 1), default=1
        How many, or which share of all, to drop at a time.
    min_features_to_select : int in [1, inf), default=1
        Fewest features to keep.
    cv : int in [2, inf), splitter, iterable or None, default=None
        Folds; 5 by default, stratified for classifiers.
    scoring : str, callable or None, default=None
        Name of a score, scorer of (estimator, X, y), or the estimator's own score.
    verbose : int in [0, inf), default=0
        Whether to print how many features are left.
    n_jobs : int or None, default=None
        Folds at the same time.
    importance_getter : str or callable, default="auto"
        Attribute that holds the importances, or a function of the fitted model.

    Attributes
    ----------
    support_, ranking_, n_features_, estimator_
        As of `RFE`.
    cv_results_ : dict of arrays
        ``n_features``, ``mean_test_score``, ``std_test_score`` and each split's
        ``split0_test_score``, ``split0_ranking``, ``split0_support`` …, by number of features.
    history_ : SelectionHistory
        The scores by number of features, as data for a picture.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.feature_selection import RFECV
    >>> from stylobate.linear_model import LinearRegression
    >>> X, y = load_diabetes(return_X_y=True)
    >>> RFECV(LinearRegression()).fit(X, y).n_features_
    6
    """

    def __init__(
        self,
        estimator: Annotated[Any, HasMethods("fit")],
        *,
        step: Annotated[int, Interval(1, inf)]
        | Annotated[float, Interval(0, 1, closed="neither")] = 1,
        min_features_to_select: Annotated[int, Interval(1, inf)] = 1,
        cv: Annotated[int, Interval(2, inf)]
        | Annotated[Any, HasMethods("split")]
        | Annotated[Any, HasMethods("__iter__")]
        | None = None,
        scoring: str | Callable[..., Any] | None = None,
        verbose: Annotated[int, Interval(0, inf)] | bool = 0,
        n_jobs: int | None = None,
        importance_getter: str | Callable[..., Any] = "auto",
    ) -> None:
        self.estimator = estimator
        self.step = step
        self.min_features_to_select = min_features_to_select
        self.cv = cv
        self.scoring = scoring
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.importance_getter = importance_getter

    def fit(self, X: Any, y: Any, *, groups: Any = None) -> Self:
        """Eliminate on every fold, choose the number of features, and eliminate on all rows.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows, of at least two features.
        y : array-like of shape (n,) or (n, n_outputs)
            Target.
        groups : array-like of shape (n,), optional
            Groups of rows, for splitters that keep them together.

        Returns
        -------
        self
        """
        from stylobate.base.jobs import run_jobs
        from stylobate.metrics import check_scoring

        self._check_parameters()
        table, y = self._read_with_target(X, y, min_rows=2, min_features=2, check_finite="deferred")
        p = table.n_features
        self._warn_few(p)
        scorer = check_scoring(self.estimator, self.scoring)
        classifier = is_classifier(self.estimator)
        splits = splits_of(self.cv, table.x, y, groups, classifier=classifier)
        job = _Fold(self, scorer, table.x, y, min(self.min_features_to_select, p))
        calls = [partial(job, split) for split in splits]
        folds = run_jobs(calls, self.n_jobs, self.estimator, "2*n_jobs")
        self._store_results(folds)
        found = self._eliminate(table.x, y, self._best_size(), names=list(input_names(self)))
        self._keep(found, table.x, y, {})
        return self

    def _eliminate(self, x: Any, y: Any, target: int, **options: Any) -> Elimination:
        return eliminate(
            self.estimator,
            x,
            y,
            target,
            step=self.step,
            getter=self.importance_getter,
            fit_params={},
            verbose=bool(self.verbose),
            **options,
        )

    def _best_size(self) -> int:
        """The fewest features of the highest mean score."""
        results = self.cv_results_
        return int(results["n_features"][np.argmax(results["mean_test_score"])])

    def _store_results(self, folds: list[Elimination]) -> None:
        """Everything by number of features, ascending."""
        scores = np.array([each.stage_scores[::-1] for each in folds])
        sizes = np.array(folds[0].stage_sizes[::-1])
        self.cv_results_ = {
            "mean_test_score": scores.mean(axis=0),
            "std_test_score": scores.std(axis=0),
            **{f"split{i}_test_score": row for i, row in enumerate(scores)},
            **{
                f"split{i}_ranking": np.array(each.stage_rankings[::-1])
                for i, each in enumerate(folds)
            },
            **{
                f"split{i}_support": np.array(each.stage_supports[::-1])
                for i, each in enumerate(folds)
            },
            "n_features": sizes,
        }
        steps = [
            SelectionStep(i, "remove" if i else "start", None, None, int(m), float(s.mean()), s)
            for i, (m, s) in enumerate(zip(sizes[::-1], scores.T[::-1], strict=True))
        ]
        self.history_ = SelectionHistory(tuple(steps), "score")

    def _warn_few(self, n_features: int) -> None:
        if self.min_features_to_select > n_features:
            warnings.warn(
                f"{type(self).__name__}: Found min_features_to_select="
                f"{self.min_features_to_select} > n_features={n_features}. There will be no "
                "feature selection and all features will be kept.",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )


@dataclass(slots=True)
class _Fold:
    """The elimination on one fold."""

    selector: RFECV
    scorer: Scorer
    x: Any
    y: Any
    target: int

    def __call__(self, split: Split) -> Elimination:
        train, test = split
        x_test, y_test = self.x[test], self.y[test]

        def score(model: Any, columns: Any) -> float:
            return float(self.scorer(model, x_test[:, columns], y_test))

        return self.selector._eliminate(self.x[train], self.y[train], self.target, score=score)
