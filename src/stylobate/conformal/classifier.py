"""Sets of labels around any classifier."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import (
    BaseEstimator,
    ClassifierMixin,
    HasMethods,
    Interval,
    Options,
    RandomState,
    Tags,
)
from stylobate.base.delegation import fitted_clone, remember_inner, tags_of
from stylobate.conformal.prediction_sets import PredictionSets
from stylobate.conformal.ranks import check_level
from stylobate.conformal.rows import fitted_folds, held_out_split, is_frozen, read_fit_data
from stylobate.data.indexing import take_rows
from stylobate.decision.around import read_rows
from stylobate.exceptions import InvalidDataError
from stylobate.model_selection.validation.data import Data, splitter_of

Classifier = Annotated[Any, HasMethods("fit", "predict_proba")] | None


class ConformalClassifier(ClassifierMixin, BaseEstimator):
    r"""Sets of labels that hold the true one as often as promised, around any classifier.

    Rows the model has not seen give scores s of their true labels: "lac" 1 − p(y), "aps" the
    probabilities of all labels that are more probable than y, and of y, added up. A label c belongs
    to the set of a row x where

    .. math:: \frac{1 + \#\{i : s_i \ge s(x, c)\}}{n + 1} > 1 - \text{level}.

    With "split" the set holds the label with probability of at least the level, whatever the
    classifier, as long as rows are exchangeable; with "cv+", each row compared by the model of the
    fold that left it out, all rows are used, with the promise 1 − 2(1−level) and about the level in
    practice. "lac" gives the smallest sets, which may be empty; "aps" adapts to hard rows.

    Parameters
    ----------
    estimator : classifier with `predict_proba`, or None, default=None
        None is `LogisticRegression`. One in a `FrozenEstimator` stays as it is, and all rows given
        to `fit` calibrate it.
    method : {"cv+", "split"}, default="cv+"
        Which rows give scores.
    conformity_score : {"lac", "aps"}, default="lac"
        What a score is.
    class_conditional : bool, default=False
        Whether the promise is kept for each class: a label is compared with rows of its own class.
    cv : int in [2, inf), splitter, iterable or None, default=None
        Folds of "cv+"; None is 5, stratified.
    test_size : float in (0, 1), default=0.25
        Share of the rows that "split" calibrates on.
    n_jobs : int or None, default=None
        Folds at the same time.
    random_state : int, RandomState or None, default=None
        Draws the rows of "split".

    Attributes
    ----------
    estimator_ : classifier
        What `predict` asks: fitted to all rows ("split": to those it was not calibrated on).
    classes_ : array of shape (n_classes,)
        The labels, sorted.
    estimators_ : list of classifiers
        One for each fold.
    conformity_scores_, score_labels_ : arrays of shape (n,)
        Scores of the true labels, fold by fold, and the numbers of those labels.
    score_ends_ : array of int of shape (n_folds,)
        Where the scores of each fold end.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from stylobate.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = ConformalClassifier().fit(X[::2], y[::2])
    >>> sets = model.predict_set(X[1::2], level=0.9)
    >>> bool(sets.coverage(y[1::2]) > 0.85), int(sets.sizes.max()) <= 3
    (True, True)

    References
    ----------
    Sadinle, Lei & Wasserman (2019), Least ambiguous set-valued classifiers, JASA 114. Romano,
    Sesia & Candès (2020), Classification with valid and adaptive coverage, NeurIPS 33.
    """

    def __init__(
        self,
        estimator: Classifier = None,
        *,
        method: Annotated[str, Options("cv+", "split")] = "cv+",
        conformity_score: Annotated[str, Options("lac", "aps")] = "lac",
        class_conditional: bool = False,
        cv: Annotated[int, Interval(2, inf)]
        | Annotated[Any, HasMethods("split")]
        | Annotated[Any, HasMethods("__iter__")]
        | None = None,
        test_size: Annotated[float, Interval(0, 1, closed="neither")] = 0.25,
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.estimator = estimator
        self.method = method
        self.conformity_score = conformity_score
        self.class_conditional = class_conditional
        self.cv = cv
        self.test_size = test_size
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _tags(self) -> Tags:
        inner = tags_of(self._inner())
        drawn = self.method == "split" or inner.non_deterministic
        return (
            super()
            ._tags()
            .but(sparse=inner.sparse, allow_nan=inner.allow_nan, non_deterministic=drawn)
        )

    def _inner(self) -> Any:
        if self.estimator is not None:
            return self.estimator
        from stylobate.linear_model import LogisticRegression

        return LogisticRegression()

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the model, and score the labels of rows it has not seen.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            Labels.
        sample_weight : array-like of shape (n,), optional
            Weights of the rows in the model's fit; scores count alike.

        Returns
        -------
        self
        """
        self._check_parameters()
        owner, inner = type(self).__name__, self._inner()
        rows, labels = read_rows(X, y, owner, {"sample_weight": sample_weight})
        data = read_fit_data(owner, inner, rows, labels, sample_weight)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        folds = fitted_folds(inner, data, self._splits(inner, data, labels), self.n_jobs)
        self.estimators_ = [model for model, _ in folds]
        scores, own = [], []
        for model, test in folds:
            table = self._scores(model, take_rows(data.x, test))
            scores.append(table[np.arange(len(test)), codes[test]])
            own.append(codes[test])
        self.conformity_scores_ = np.concatenate(scores)
        self.score_ends_ = np.cumsum([len(each) for each in scores])
        self.score_labels_ = np.concatenate(own)
        single = len(folds) == 1
        self.estimator_ = (
            folds[0][0] if single else fitted_clone(inner, data.x, data.y, data.params)
        )
        remember_inner(self, self.estimator_)
        return self

    def _splits(self, inner: Any, data: Data, labels: NDArray[Any]) -> list[Any]:
        if is_frozen(inner):
            every = np.arange(data.n_rows)
            return [(every, every)]
        if self.method == "split":
            return [held_out_split(data, self.test_size, self.random_state, labels)]
        return data.splits(splitter_of(self.cv, inner, data.y))

    def _scores(self, model: Any, x: Any) -> Array:
        """The score of each label (column) for each row; a class the model never saw scores 1."""
        told = np.asarray(model.predict_proba(x), dtype=np.float64)
        share = np.zeros((len(told), len(self.classes_)))
        places = np.searchsorted(self.classes_, model.classes_)
        if not np.array_equal(self.classes_[np.minimum(places, len(share.T) - 1)], model.classes_):
            raise InvalidDataError(
                f"{type(self).__name__}: the classifier knows labels that y does not hold: "
                f"{model.classes_!r} and {self.classes_!r}."
            )
        share[:, places] = told
        if self.conformity_score == "lac":
            return 1.0 - share
        order = np.argsort(-share, axis=1, kind="stable")
        sums = np.cumsum(np.take_along_axis(share, order, axis=1), axis=1)
        scores = np.empty_like(share)
        np.put_along_axis(scores, order, sums, axis=1)
        return scores

    def predict(self, X: Any) -> NDArray[Any]:
        """The label predicted for each row.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        self._check_fitted()
        return np.asarray(self.estimator_.predict(X))

    def predict_proba(self, X: Any) -> Array:
        """The classifier's probability of each class (column) for each row.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes)
        """
        self._check_fitted()
        return np.asarray(self.estimator_.predict_proba(X))

    def predict_set(self, X: Any, *, level: float = 0.9) -> PredictionSets:
        """The set of labels of each row.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        level : float in (0, 1), default=0.9
            Share of new rows whose set holds their label.

        Returns
        -------
        PredictionSets
        """
        self._check_fitted()
        asked = check_level(level, f"{type(self).__name__}.predict_set")
        at_least: Any = 0
        begin = 0
        for model, end in zip(self.estimators_, self.score_ends_, strict=True):
            part = slice(begin, int(end))
            at_least = at_least + self._counts(self._scores(model, X), part)
            begin = int(end)
        n = self._n_compared()
        contains = 1 + at_least > (1.0 - asked) * (n + 1) + _SLACK
        return PredictionSets(contains, self.classes_, asked, self._notes(n, asked))

    def _counts(self, scores: Array, part: slice) -> NDArray[np.intp]:
        """How many of a fold's scores are at least as large as those of each row and label."""
        known, codes = self.conformity_scores_[part], self.score_labels_[part]
        counts = np.empty(scores.shape, dtype=np.intp)
        for c in range(len(self.classes_)):
            compared = np.sort(known[codes == c] if self.class_conditional else known)
            counts[:, c] = len(compared) - np.searchsorted(compared, scores[:, c], side="left")
        return counts

    def _n_compared(self) -> NDArray[np.intp]:
        """Scores that each label is compared with."""
        k = len(self.classes_)
        if self.class_conditional:
            return np.bincount(self.score_labels_, minlength=k)
        return np.full(k, len(self.score_labels_))

    def _notes(self, n: NDArray[np.intp], level: float) -> tuple[str, ...]:
        few = n + 1 < 1.0 / (1.0 - level) - _SLACK
        if not few.any():
            return ()
        named = ", ".join(map(str, self.classes_[few][:5]))
        return (f"Too few rows for level {level:g} to leave these labels out of any set: {named}.",)


_SLACK = 1e-9  # products that should be whole are off by rounding alone
