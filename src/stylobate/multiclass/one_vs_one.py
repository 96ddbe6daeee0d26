"""`OneVsOneClassifier`: each class against each other."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import HasMethods, Tags, clone
from stylobate.base.availability import available_if
from stylobate.base.delegation import tags_of
from stylobate.base.jobs import run_jobs
from stylobate.base.validation import compare_features, compare_frame_names, remember_features
from stylobate.data.indexing import indexable, take_rows
from stylobate.decision.around import read_rows
from stylobate.model_selection.validation.data import Data, pairwise_columns
from stylobate.multiclass.binary import (
    fit_binary,
    models_have,
    partial_fit_binary,
    score_of,
    threshold_of,
)
from stylobate.multiclass.many_models import ManyModels

_INSIDE = "as the estimator inside has none"


class OneVsOneClassifier(ManyModels):
    """A model for each pair of classes, fitted to the rows of the two; most votes win.

    Ties are decided by the sums of the models' confidences. With k classes there are k(k − 1)/2
    models, each of few rows, which suits methods whose cost grows faster than the rows.

    Parameters
    ----------
    estimator : classifier, or regressor, with `fit`
        A clone is fitted for each pair.
    n_jobs : int or None, default=None
        Models fitted at once.

    Attributes
    ----------
    estimators_ : list of k(k − 1)/2 estimators
        For the pairs (0, 1), (0, 2), …, (1, 2), …
    pairwise_indices_ : list of arrays, or None
        The rows of each model, for estimators of precomputed kernels.
    classes_ : array of shape (n_classes,)
        The labels, sorted.
    n_classes_ : int
        How many.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from stylobate.datasets import load_iris
    >>> from stylobate.linear_model import LogisticRegression
    >>> from stylobate.multiclass import OneVsOneClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> OneVsOneClassifier(LogisticRegression()).fit(X, y).predict(X[:2])
    array([0, 0])

    References
    ----------
    Hastie & Tibshirani (1998), Classification by pairwise coupling, Annals of Statistics 26.
    """

    if TYPE_CHECKING:
        pairwise_indices_: list[NDArray[np.intp]] | None

    def __init__(
        self, estimator: Annotated[Any, HasMethods("fit")], *, n_jobs: int | None = None
    ) -> None:
        self.estimator = estimator
        self.n_jobs = n_jobs

    def _tags(self) -> Tags:
        return super()._tags().but(pairwise=tags_of(self.estimator).pairwise)

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Fit a model for each pair of classes.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            Labels.
        **fit_params : object
            More arguments for the `fit` of the models; those with an entry for each row are split.

        Returns
        -------
        self
        """
        self._check_parameters()
        self._look_at(X, reset=True)
        rows, labels = read_rows(X, y, type(self).__name__, fit_params)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        data = Data.of(rows, labels, None, fit_params)
        calls = [partial(self._fit_pair, data, codes, *pair) for pair in self._pairs()]
        found = run_jobs(calls, self.n_jobs, self.estimator, "2*n_jobs")
        self.estimators_ = [model for model, _ in found]
        pairwise = self._tags().pairwise
        self.pairwise_indices_ = [chosen for _, chosen in found] if pairwise else None
        return self

    def _look_at(self, X: Any, *, reset: bool) -> None:
        """Remember or compare the columns; what they hold is the models' business."""
        if not reset:
            compare_frame_names(self, X)
        table = self._read(X, reset=reset, check_finite="deferred", y_required=False)
        (remember_features if reset else compare_features)(self, table)

    def _pairs(self) -> Iterator[tuple[int, int]]:
        return combinations(range(len(self.classes_)), 2)

    def _fit_pair(
        self, data: Data, codes: NDArray[np.intp], i: int, j: int
    ) -> tuple[Any, NDArray[np.intp]]:
        chosen = np.flatnonzero((codes == i) | (codes == j))
        x = take_rows(data.x, chosen)
        columns = pairwise_columns(self.estimator, data.x, chosen)
        x = x if columns is None else x[:, columns]
        second = (codes[chosen] == j).astype(np.int64)
        names = [self.classes_[i], self.classes_[j]]
        params = data.chosen_params(chosen)
        return fit_binary(self.estimator, x, second, params, names), chosen

    @available_if(models_have("partial_fit"), _INSIDE)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, **partial_fit_params: Any) -> Self:
        """Let the models learn from more rows.

        Parameters
        ----------
        X, y
            As for `fit`.
        classes : array-like of shape (n_classes,), optional
            All labels there will be; needed in the first call.
        **partial_fit_params : object
            More arguments for the `partial_fit` of the models; those with an entry for each row
            are split.

        Returns
        -------
        self
        """
        self._check_parameters()
        first = self._is_first_call(classes)
        labels = np.asarray(y)
        self._check_known(labels)
        self._look_at(X, reset=first)
        if first:
            self.estimators_ = [clone(self.estimator) for _ in self._pairs()]
        self.pairwise_indices_ = None
        codes = np.searchsorted(self.classes_, labels)
        data = Data.of(X, labels, None, partial_fit_params)
        calls = [
            partial(self._partial_fit_pair, model, data, codes, *pair)
            for model, pair in zip(self.estimators_, self._pairs(), strict=True)
        ]
        self.estimators_ = run_jobs(calls, self.n_jobs, self.estimator, "2*n_jobs")
        return self

    def _partial_fit_pair(
        self, model: Any, data: Data, codes: NDArray[np.intp], i: int, j: int
    ) -> Any:
        chosen = np.flatnonzero((codes == i) | (codes == j))
        if not len(chosen):
            return model
        second = (codes[chosen] == j).astype(np.int64)
        x = take_rows(data.x, chosen)
        return partial_fit_binary(model, x, second, data.chosen_params(chosen))

    def predict(self, X: Any) -> NDArray[Any]:
        """The label with the most votes, then confidence, for each row.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        scores = self.decision_function(X)
        if len(self.classes_) == 2:
            place = (scores > threshold_of(self.estimators_[0])).astype(np.intp)
            return np.asarray(self.classes_[place])
        return np.asarray(self.classes_[scores.argmax(axis=1)])

    def decision_function(self, X: Any) -> Array:
        """Votes for each class, and a share in (−⅓, ⅓) of the confidences, which decide ties.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes), or (n,) for two classes
        """
        self._check_fitted()
        self._look_at(X, reset=False)
        rows = indexable(X)
        votes: Any = None
        for number, (i, j) in enumerate(self._pairs()):
            choice, confidence = self._answer(number, rows)
            if votes is None:
                votes = np.zeros((len(choice), len(self.classes_)))
                sums = np.zeros_like(votes)
            votes[:, i] += choice == 0
            votes[:, j] += choice == 1
            sums[:, i] -= confidence
            sums[:, j] += confidence
        # monotone in the sums, and too small to outweigh a vote
        scores = votes + sums / (3.0 * (np.abs(sums) + 1.0))
        return np.asarray(scores[:, 1] if len(self.classes_) == 2 else scores)

    def _answer(self, number: int, X: Any) -> tuple[NDArray[Any], Array]:
        """What a model chooses for each row, 0 or 1, and how sure it is of 1."""
        model, kept = self.estimators_[number], self.pairwise_indices_
        x = X if kept is None else np.asarray(X)[:, kept[number]]
        return np.asarray(model.predict(x)), np.asarray(score_of(model, x), dtype=np.float64)

    @property
    def n_classes_(self) -> int:
        """How many labels there are."""
        return len(self.classes_)

    def _expected_models(self) -> int | None:
        return sum(1 for _ in self._pairs())
