"""`CalibratedClassifierCV`: probabilities calibrated on rows the classifier has not seen."""

from __future__ import annotations

import warnings
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import (
    BaseEstimator,
    ClassifierMixin,
    HasMethods,
    Interval,
    Options,
    Tags,
    clone,
)
from stylobate.base.delegation import fitted_clone, remember_inner, tags_of, takes_weights
from stylobate.base.jobs import run_jobs
from stylobate.calibration.calibrated_classifier import (
    SCORES,
    CalibratedClassifier,
    Method,
    as_columns,
    scores_of,
)
from stylobate.data import read_weights
from stylobate.data.indexing import take_rows
from stylobate.data.words import user_stacklevel
from stylobate.decision.around import read_rows
from stylobate.exceptions import (
    InvalidDataError,
    InvalidParameterError,
    ModelFileError,
    StylobateWarning,
)
from stylobate.metrics.scoring.responses import chosen_method
from stylobate.model_selection.validation.data import Data, chooser
from stylobate.model_selection.validation.predictions import cross_val_predict
from stylobate.splits import LeaveOneOut, Split, check_cv

Classifier = (
    Annotated[Any, HasMethods("fit", "predict_proba")]
    | Annotated[Any, HasMethods("fit", "decision_function")]
    | None
)


class CalibratedClassifierCV(ClassifierMixin, BaseEstimator):
    r"""A classifier whose probabilities are calibrated on rows that it has not seen.

    A score s of a row becomes a probability by

    - "sigmoid" (Platt): :math:`1 / (1 + e^{as + b})`, two numbers for each class;
    - "isotonic": the increasing function nearest to the events, for a thousand rows or more;
    - "temperature": :math:`softmax(\beta z)`, one number for all classes, which never changes the
      class predicted.

    The order of things: scores come from rows outside the fold; the calibration turns them into
    probabilities; `predict` is the class of the largest one. So `predict` and `predict_proba` never
    contradict each other (of equal ones the first class wins), while both may differ from the
    uncalibrated classifier's `predict`, whose threshold calibration moves.

    Parameters
    ----------
    estimator : classifier with `decision_function` or `predict_proba`, or None, default=None
        What is calibrated; margins are preferred. None is a linear support vector machine. One that
        is fitted already goes into a `stylobate.frozen.FrozenEstimator`.
    method : {"sigmoid", "isotonic", "temperature"}, default="sigmoid"
        How.
    cv : int in [2, inf), splitter, iterable or None, default=None
        Folds; None is 5, stratified.
    n_jobs : int or None, default=None
        Folds at the same time.
    ensemble : bool or "auto", default="auto"
        True: keep the classifier of each fold with its calibration, and average their
        probabilities. False: one classifier fitted to all rows, calibrated by the scores of all
        folds together. "auto" is True but for frozen estimators.

    Attributes
    ----------
    calibrated_classifiers_ : list of CalibratedClassifier
        One for each fold, or one.
    classes_ : array of shape (n_classes,)
        The labels, sorted.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.calibration import CalibratedClassifierCV
    >>> from stylobate.metrics import brier_score_loss
    >>> from stylobate.naive_bayes import GaussianNB
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 400)
    >>> x = np.repeat(rng.normal(size=(400, 1)) + y[:, None], 5, axis=1)  # one column, five times
    >>> sure, calm = GaussianNB().fit(x, y), CalibratedClassifierCV(GaussianNB()).fit(x, y)
    >>> losses = [brier_score_loss(y, each.predict_proba(x)[:, 1]) for each in (sure, calm)]
    >>> np.round(losses, 2)
    array([0.23, 0.19])

    References
    ----------
    Zadrozny & Elkan (2002), Transforming classifier scores into accurate multiclass probability
    estimates, KDD; Niculescu-Mizil & Caruana (2005), Predicting good probabilities with supervised
    learning, ICML.
    """

    if TYPE_CHECKING:
        calibrated_classifiers_: list[CalibratedClassifier]
        classes_: NDArray[Any]

    def __init__(
        self,
        estimator: Classifier = None,
        *,
        method: Method = "sigmoid",
        cv: Annotated[int, Interval(2, inf)]
        | Annotated[Any, HasMethods("split")]
        | Annotated[Any, HasMethods("__iter__")]
        | None = None,
        n_jobs: int | None = None,
        ensemble: bool | Annotated[Any, Options("auto")] = "auto",
    ) -> None:
        self.estimator = estimator
        self.method = method
        self.cv = cv
        self.n_jobs = n_jobs
        self.ensemble = ensemble

    def _tags(self) -> Tags:
        inner = tags_of(self._inner())
        return super()._tags().but(sparse=inner.sparse, allow_nan=inner.allow_nan)

    def _inner(self) -> Any:
        return _default_classifier() if self.estimator is None else self.estimator

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Fit the classifier and calibrate its scores of rows it has not seen.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            Labels.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights, of the calibration and, where it takes them, of the classifier.
        **fit_params : object
            More arguments for the classifier's `fit`; those with an entry for each row are split.

        Returns
        -------
        self
        """
        self._check_parameters()
        owner, inner = type(self).__name__, self._inner()
        params = dict(fit_params)
        rows, labels = read_rows(X, y, owner, {"sample_weight": sample_weight})
        weights = read_weights(sample_weight, len(labels), owner=owner)
        if weights is not None and self._weighs_rows(inner):
            params["sample_weight"] = weights
        classes, codes = np.unique(labels, return_inverse=True)
        data = Data.of(rows, labels, None, params)
        self._check_folds(codes)
        cv = check_cv(self.cv, labels, classifier=True)
        known = (classes, codes.reshape(-1), weights)
        if self._is_ensemble(inner):
            calls = [partial(self._fold, inner, data, split, *known) for split in data.splits(cv)]
            found = run_jobs(calls, self.n_jobs, inner, "2*n_jobs")
        else:
            found = [self._whole(inner, data, cv, *known)]
        self.calibrated_classifiers_ = found
        self.classes_ = classes
        remember_inner(self, found[0].estimator)
        return self

    def _is_ensemble(self, inner: Any) -> bool:
        if isinstance(self.ensemble, str):
            return type(inner).__name__ != "FrozenEstimator"  # ours or scikit-learn's
        return bool(self.ensemble)

    def _weighs_rows(self, inner: Any) -> bool:
        """Whether the classifier weighs rows; tells if it does not."""
        if takes_weights(inner):
            return True
        warnings.warn(
            f"Since {type(inner).__name__} does not appear to accept sample_weight, sample weights "
            "will only be used for the calibration itself.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
        return False

    def _check_folds(self, codes: NDArray[np.intp]) -> None:
        """Refuse folds that cannot each have rows of every class."""
        if isinstance(self.cv, LeaveOneOut) or type(self.cv).__name__ == "LeaveOneOut":
            raise InvalidParameterError(
                "LeaveOneOut cross-validation does not allow all classes to be present in test "
                "splits. Please use a cross-validation generator that allows all classes to appear "
                "in every test and train split."
            )
        folds = self.cv if isinstance(self.cv, int) else getattr(self.cv, "n_splits", None)
        if folds is not None and (np.bincount(codes.reshape(-1)) < folds).any():
            raise InvalidDataError(
                f"Requesting {folds}-fold cross-validation but provided less than {folds} examples "
                "for at least one class."
            )

    def _fold(
        self,
        inner: Any,
        data: Data,
        split: Split,
        classes: NDArray[Any],
        codes: NDArray[np.intp],
        weights: Array | None,
    ) -> CalibratedClassifier:
        """The classifier of the training part, calibrated by the test part."""
        train, test = chooser(inner)(split[0]), split[1]
        x, y = take_rows(data.x, train), take_rows(data.y, train)
        model = fitted_clone(inner, x, y, data.chosen_params(train))
        scores = scores_of(model, take_rows(data.x, test))
        chosen = None if weights is None else weights[test]
        return CalibratedClassifier.fit(model, scores, codes[test], classes, self.method, chosen)

    def _whole(
        self,
        inner: Any,
        data: Data,
        cv: Any,
        classes: NDArray[Any],
        codes: NDArray[np.intp],
        weights: Array | None,
    ) -> CalibratedClassifier:
        """The classifier of all rows, calibrated by the scores of all test parts."""
        model = clone(inner)
        method = chosen_method(model, SCORES)
        scores = cross_val_predict(
            model, data.x, data.y, cv=cv, method=method, n_jobs=self.n_jobs, params=data.params
        )
        if method == "predict_proba" and len(classes) == 2:
            scores = np.asarray(scores)[:, 1]
        model.fit(data.x, data.y, **data.params)
        columns = as_columns(scores, model)
        return CalibratedClassifier.fit(model, columns, codes, classes, self.method, weights)

    def predict_proba(self, X: Any) -> Array:
        """The calibrated probability of each class (column) for each row.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes)
        """
        self._check_fitted()
        total: Any = 0.0
        for each in self.calibrated_classifiers_:
            total = total + each.predict_proba(X).astype(np.float64, copy=False)
        return np.asarray(total / len(self.calibrated_classifiers_))

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of the largest calibrated probability; the first of equal ones.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        places = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[places])

    def _check_loaded(self) -> None:
        """Refuse a file whose calibrated classifiers are none of its classes."""
        if "calibrated_classifiers_" not in vars(self):
            return
        found = self.calibrated_classifiers_
        if (
            not isinstance(found, list)
            or not found
            or not all(isinstance(each, CalibratedClassifier) for each in found)
            or any(len(each.classes) != len(self.classes_) for each in found)
        ):
            raise ModelFileError(
                f"The {type(self).__name__} of the file has no calibrated classifiers of its "
                "classes."
            )


def _default_classifier() -> Any:
    """A linear support vector machine, as in scikit-learn."""
    from stylobate.svm import LinearSVC

    return LinearSVC(random_state=0)
