"""`OneVsRestClassifier`: each class against all others."""

from __future__ import annotations

from functools import partial
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import HasMethods, Interval, Tags, clone
from stylobate.base.availability import available_if
from stylobate.base.delegation import remember_inner, tags_of
from stylobate.base.jobs import finished_jobs, run_jobs
from stylobate.data import read_weights
from stylobate.data.indexing import indexable
from stylobate.data.target import refuse_missing_target
from stylobate.data.words import Input, refuse_length
from stylobate.model_selection.fits.progress import progress_of
from stylobate.multiclass.binary import (
    fit_binary,
    models_have,
    partial_fit_binary,
    score_of,
    threshold_of,
)
from stylobate.multiclass.many_models import ManyModels
from stylobate.splits.splitter import count_rows

if TYPE_CHECKING:
    from stylobate.preprocessing import LabelBinarizer

_INSIDE = "as the estimator inside has none"


class OneVsRestClassifier(ManyModels):
    """A model for each class, of that class against all others; the largest score wins.

    Rows may have several labels at once: y is then a matrix of zeros and ones, and each column has
    a model of its own. Costs of mistakes and thresholds go around it, for its probabilities are as
    good as any: see `stylobate.decision.CostSensitiveClassifier`.

    Parameters
    ----------
    estimator : classifier, or regressor, with `fit`
        A clone is fitted for each class.
    n_jobs : int or None, default=None
        Models fitted at once.
    verbose : int in [0, inf) or bool, default=0
        Whether to show progress.

    Attributes
    ----------
    estimators_ : list of estimators
        One for each class; one in all for two classes.
    classes_ : array of shape (n_classes,)
        The labels, sorted.
    n_classes_ : int
        How many.
    label_binarizer_ : LabelBinarizer
        From labels to columns of zeros and ones.
    multilabel_ : bool
        Whether rows have several labels.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from stylobate.datasets import load_iris
    >>> from stylobate.linear_model import LogisticRegression
    >>> from stylobate.multiclass import OneVsRestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = OneVsRestClassifier(LogisticRegression()).fit(X, y)
    >>> len(model.estimators_), model.predict(X[:2])
    (3, array([0, 0]))

    References
    ----------
    Rifkin & Klautau (2004), In defense of one-vs-all classification, JMLR 5.
    """

    if TYPE_CHECKING:
        label_binarizer_: LabelBinarizer

    def __init__(
        self,
        estimator: Annotated[Any, HasMethods("fit")],
        *,
        n_jobs: int | None = None,
        verbose: Annotated[int, Interval(0, inf)] | bool = 0,
    ) -> None:
        self.estimator = estimator
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _tags(self) -> Tags:
        pairwise = tags_of(self.estimator).pairwise
        return super()._tags().but(multi_output=True, multi_label=True, pairwise=pairwise)

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Fit a model for each class.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,), or matrix of zeros and ones of shape (n, n_classes)
            Labels; a matrix (dense or sparse) where rows have several.
        **fit_params : object
            More arguments for the `fit` of every model, such as ``sample_weight``.

        Returns
        -------
        self
        """
        from stylobate.preprocessing import LabelBinarizer

        self._check_parameters()
        labels = self._labels(X, y, fit_params)
        self.label_binarizer_ = LabelBinarizer(sparse_output=True)
        columns = self.label_binarizer_.fit_transform(labels).tocsc()
        self.classes_ = self.label_binarizer_.classes_
        calls = [
            partial(self._fit_one, X, columns[:, [k]], k, fit_params)
            for k in range(columns.shape[1])
        ]
        found: dict[int, Any] = {}
        title = f"{type(self).__name__}: {type(self.estimator).__name__}"
        with progress_of(title, len(calls), verbose=int(self.verbose), progress=None) as progress:
            for number, model in finished_jobs(calls, self.n_jobs, self.estimator, "2*n_jobs"):
                found[number] = model
                progress.advance()
        self.estimators_ = [found[number] for number in range(len(calls))]
        remember_inner(self, self.estimators_[0])
        return self

    def _labels(self, X: Any, y: Any, fit_params: dict[str, Any]) -> Any:
        """The labels as a vector, or the matrix of zeros and ones as it came."""
        owner = type(self).__name__
        if y is None:
            refuse_missing_target(owner)
        if not _is_table(y):
            classes, codes = self._read_labels(X, y, fit_params)
            return classes[codes]
        n, given = count_rows(indexable(X)), count_rows(indexable(y))
        if n != given:
            refuse_length(Input(owner, "y"), n, given)
        read_weights(fit_params.get("sample_weight"), n, owner=owner)
        return y

    def _fit_one(self, X: Any, column: Any, k: int, fit_params: dict[str, Any]) -> Any:
        name = self.classes_[k] if k < len(self.classes_) else self.classes_[-1]
        y = column.toarray().ravel()
        return fit_binary(self.estimator, X, y, fit_params, [f"not {name}", name])

    @available_if(models_have("partial_fit"), _INSIDE)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, **partial_fit_params: Any) -> Self:
        """Let every model learn from more rows.

        Parameters
        ----------
        X, y
            As for `fit`.
        classes : array-like of shape (n_classes,), optional
            All labels there will be; needed in the first call.
        **partial_fit_params : object
            More arguments for the `partial_fit` of every model.

        Returns
        -------
        self
        """
        from stylobate.preprocessing import LabelBinarizer

        self._check_parameters()
        if self._is_first_call(classes):
            self.label_binarizer_ = LabelBinarizer(sparse_output=True).fit(self.classes_)
            count = 1 if len(self.classes_) == 2 else len(self.classes_)
            self.estimators_ = [clone(self.estimator) for _ in range(count)]
        self._check_known(np.asarray(y))
        columns = self.label_binarizer_.transform(y).tocsc()
        calls = [
            partial(
                partial_fit_binary, model, X, columns[:, [k]].toarray().ravel(), partial_fit_params
            )
            for k, model in enumerate(self.estimators_)
        ]
        self.estimators_ = run_jobs(calls, self.n_jobs, self.estimator, "2*n_jobs")
        remember_inner(self, self.estimators_[0])
        return self

    def predict(self, X: Any) -> Any:
        """The label of each row: that of the largest score, or all whose score is high enough.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,), or matrix of zeros and ones of shape (n, n_classes)
        """
        self._check_fitted()
        if self.label_binarizer_.y_type_ == "multiclass":
            best, place = score_of(self.estimators_[0], X), None
            place = np.zeros(len(best), dtype=np.intp)
            for k, model in enumerate(self.estimators_[1:], 1):
                score = score_of(model, X)
                better = score > best  # the first of equal ones stays
                best, place = np.where(better, score, best), np.where(better, k, place)
            return self.classes_[place]
        threshold = threshold_of(self.estimators_[0])
        above = np.column_stack([score_of(each, X) > threshold for each in self.estimators_])
        return self.label_binarizer_.inverse_transform(above.astype(np.int64))

    @available_if(models_have("predict_proba"), _INSIDE)
    def predict_proba(self, X: Any) -> Array:
        """The probability of each class, divided by their sum; of several labels, of each alone.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes)
        """
        self._check_fitted()
        found = np.column_stack(
            [np.asarray(each.predict_proba(X))[:, 1] for each in self.estimators_]
        )
        if len(self.estimators_) == 1:
            found = np.hstack([1.0 - found, found])
        if not self.multilabel_:
            total = found.sum(axis=1, keepdims=True)
            np.divide(found, total, out=found, where=total != 0)
        return found

    @available_if(models_have("decision_function"), _INSIDE)
    def decision_function(self, X: Any) -> NDArray[Any]:
        """The margin of each class against the rest.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes), or (n,) for two classes
        """
        self._check_fitted()
        if len(self.estimators_) == 1:
            return np.asarray(self.estimators_[0].decision_function(X))
        return np.column_stack([np.ravel(each.decision_function(X)) for each in self.estimators_])

    @property
    def multilabel_(self) -> bool:
        """Whether rows have several labels."""
        return str(self.label_binarizer_.y_type_).startswith("multilabel")

    @property
    def n_classes_(self) -> int:
        """How many labels there are."""
        return len(self.classes_)

    def _expected_models(self) -> int | None:
        several = self.multilabel_ or len(self.classes_) > 2
        return len(self.classes_) if several else 1


def _is_table(y: Any) -> bool:
    """Whether labels come as a matrix of several columns, or as lists of labels."""
    if isinstance(y, list | tuple):
        return bool(len(y)) and isinstance(y[0], list | tuple | np.ndarray)
    shape: tuple[int, ...] = getattr(y, "shape", ())
    return len(shape) == 2 and shape[1] > 1
