"""A classifier of two classes whose threshold is chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import HasMethods, Interval, Numbers, Options, RandomState, Tags, clone
from stylobate.base.delegation import is_fitted
from stylobate.base.jobs import run_jobs
from stylobate.data.indexing import take_rows
from stylobate.decision.around import ClassifierAround
from stylobate.exceptions import (
    InvalidDataError,
    InvalidParameterError,
    NotFittedError,
    joined,
)
from stylobate.metrics import check_scoring
from stylobate.metrics.scoring.responses import chosen_method, response
from stylobate.model_selection.threshold.fixed_threshold import (
    ResponseMethod,
    formula_at,
    methods_of,
    read_two_classes,
)
from stylobate.model_selection.threshold.scores import labels_at, positive_label, scores_at
from stylobate.model_selection.validation.data import Data, chooser
from stylobate.splits import Split, StratifiedShuffleSplit, check_cv

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer, Expression


class TunedThresholdClassifierCV(ClassifierAround):
    """A classifier of two classes that decides by the threshold that scored best on unseen rows.

    The classifier is fitted on each training part and scored on the test part at many thresholds;
    the scores are averaged over the parts and the threshold of the best mean is kept.

    Parameters
    ----------
    estimator : classifier with `predict_proba` or `decision_function`
        Fitted or not.
    scoring : str or callable, default="balanced_accuracy"
        What the threshold is chosen by: a name, a scorer, or a function of (estimator, X, y).
    response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
        The score; "auto": probabilities if the estimator has them.
    thresholds : int in [1, inf) or array-like, default=100
        How many evenly spaced thresholds to try, or which.
    cv : int in [2, inf), float in (0, 1), splitter, iterable, "prefit" or None, default=None
        Folds (5 if None, stratified); the share of rows for a single test part; or "prefit": the
        estimator is fitted already, on other rows.
    refit : bool, default=True
        Whether to fit the classifier to all rows in the end; must be False with "prefit".
    n_jobs : int or None, default=None
        Folds at the same time.
    random_state : int, RandomState or None, default=None
        Seed of the split, if cv is a share.
    store_cv_results : bool, default=False
        Whether to keep all scores and thresholds.
    cost : CostMatrix, array-like of shape (2, 2) or None, default=None
        Choose by the mean cost of the decisions instead of `scoring`; ``cost[i, j]`` is that of
        deciding j when the truth is i.

    Attributes
    ----------
    estimator_ : classifier
        The fitted one.
    best_threshold_ : float
        The threshold kept.
    best_score_ : float
        Its mean score; the negative mean cost, if chosen by cost.
    cv_results_ : dict
        "thresholds" and "scores", if kept.
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.linear_model import LogisticRegression
    >>> from stylobate.model_selection import TunedThresholdClassifierCV
    >>> rng = np.random.default_rng(0)
    >>> y = (rng.random(400) < 0.1).astype(int)
    >>> x = rng.normal(size=(400, 2)) + y[:, None]
    >>> careful = TunedThresholdClassifierCV(LogisticRegression(), cost=[[0, 1], [10, 0]])
    >>> bool(careful.fit(x, y).best_threshold_ < 0.3)
    True
    """

    if TYPE_CHECKING:
        cv_results_: dict[str, Array]

    def __init__(
        self,
        estimator: Annotated[Any, HasMethods("fit", "predict_proba")]
        | Annotated[Any, HasMethods("fit", "decision_function")],
        *,
        scoring: str | Callable[..., Any] = "balanced_accuracy",
        response_method: ResponseMethod = "auto",
        thresholds: Annotated[int, Interval(1, inf)] | Annotated[Any, Numbers()] = 100,
        cv: Annotated[int, Interval(2, inf)]
        | Annotated[float, Interval(0, 1, closed="neither")]
        | Annotated[Any, HasMethods("split")]
        | Annotated[Any, HasMethods("__iter__")]
        | Annotated[Any, Options("prefit")]
        | None = None,
        refit: bool = True,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        store_cv_results: bool = False,
        cost: Annotated[Any, Numbers(ndim=2)] | None = None,
    ) -> None:
        self.estimator = estimator
        self.scoring = scoring
        self.response_method = response_method
        self.thresholds = thresholds
        self.cv = cv
        self.refit = refit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.store_cv_results = store_cv_results
        self.cost = cost

    def _tags(self) -> Tags:
        return super()._tags().but(multi_class=False)

    def fit(self, X: Any, y: Any, *, groups: Any = None, **fit_params: Any) -> Self:
        """Fit the estimator and choose the threshold.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            Labels of two classes.
        groups : array-like of shape (n,), optional
            Groups of rows, for splitters that keep them together.
        **fit_params : object
            More arguments for the estimator's `fit`; those with an entry for each row are split.

        Returns
        -------
        self
        """
        self._check_parameters()
        name = type(self).__name__
        rows, labels = read_two_classes(X, y, name, fit_params)
        data = Data.of(rows, labels, groups, fit_params)
        scorer = check_scoring(self.estimator, self.scoring) if self.cost is None else None
        splits = self._splits(data)
        if splits is None:
            self.estimator_ = self.estimator
            curves = [self._scores(self.estimator_, data.x, data.y, scorer)]
        else:
            calls = [partial(self._fold, data, split, scorer) for split in splits]
            curves = run_jobs(calls, self.n_jobs, self.estimator, "2*n_jobs")
            self._fit_last(X, y, data, splits)
        self._choose(curves)
        self._positive = None if scorer is None else positive_label(scorer)
        self._remember_inner()
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of every row.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        inner = self._inner()
        scores = response(inner, X, methods_of(self.response_method), self._positive)
        return labels_at(scores, self.best_threshold_, self.classes_, self._positive)

    def _formula(self, columns: list[Expression]) -> Answer:
        inner = self._inner()
        method = chosen_method(inner, methods_of(self.response_method))
        start = float(self.best_threshold_)
        return formula_at(inner, columns, method, start, self.classes_, self._positive)

    def _splits(self, data: Data) -> list[Split] | None:
        """The splits; None if the estimator is fitted already."""
        name = type(self).__name__
        cv = self.cv
        if isinstance(cv, str):
            if self.refit:
                raise InvalidParameterError(
                    f"{name}: When cv='prefit', refit cannot be True; set refit=False."
                )
            if not is_fitted(self.estimator):
                raise joined(NotFittedError)(
                    f"{name}: When cv='prefit', `estimator` must be fitted; "
                    f"{type(self.estimator).__name__} is not."
                )
            return None
        if isinstance(cv, float):
            cv = StratifiedShuffleSplit(1, test_size=cv, random_state=self.random_state)
        splits = data.splits(check_cv(cv, data.y, classifier=True))
        if not self.refit and len(splits) > 1:
            raise InvalidParameterError(
                f"{name}: When cv has several folds, refit cannot be False; there are "
                f"{len(splits)}."
            )
        return splits

    def _fold(self, data: Data, split: Split, scorer: Any) -> tuple[Array, Array]:
        choose = chooser(self.estimator)
        train, test = choose(split[0]), choose(split[1])
        model = clone(self.estimator)
        model.fit(take_rows(data.x, train), take_rows(data.y, train), **data.chosen_params(train))
        return self._scores(model, take_rows(data.x, test), take_rows(data.y, test), scorer)

    def _scores(self, model: Any, x: Any, y: Any, scorer: Any) -> tuple[Array, Array]:
        methods = methods_of(self.response_method)
        return scores_at(model, x, y, methods, scorer, self.cost, self.thresholds)

    def _fit_last(self, X: Any, y: Any, data: Data, splits: list[Split]) -> None:
        self.estimator_ = clone(self.estimator)
        if self.refit:
            self.estimator_.fit(X, y, **data.params)
        else:
            train = np.asarray(splits[0][0])
            part = (take_rows(data.x, train), take_rows(data.y, train))
            self.estimator_.fit(*part, **data.chosen_params(train))

    def _choose(self, curves: list[tuple[Array, Array]]) -> None:
        if any(np.isclose(places[0], places[-1]) for places, _ in curves) and (
            len(curves[0][0]) > 1
        ):
            raise InvalidDataError(
                f"{type(self).__name__}: The provided estimator makes constant predictions. "
                "Therefore, it is impossible to optimize the decision threshold."
            )
        if np.ndim(self.thresholds) == 0:
            ends = (min(c[0].min() for c in curves), max(c[0].max() for c in curves))
            places = np.linspace(*ends, num=int(self.thresholds))
        else:
            places = np.asarray(self.thresholds, dtype=np.float64)
        scores = np.mean([np.interp(places, *curve) for curve in curves], axis=0)
        best = int(scores.argmax())
        self.best_threshold_ = places[best]
        self.best_score_ = scores[best]
        vars(self).pop("cv_results_", None)
        if self.store_cv_results:
            self.cv_results_ = {"thresholds": places, "scores": scores}
