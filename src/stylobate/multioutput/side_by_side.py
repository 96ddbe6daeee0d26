"""`MultiOutputRegressor` and `MultiOutputClassifier`: a model for each target."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, ClassifierMixin, HasMethods, RegressorMixin, Tags, clone
from stylobate.base.availability import available_if
from stylobate.base.delegation import (
    fitted_clone,
    refuse_unknown_arguments,
    remember_inner,
    tags_of,
    takes_weights,
)
from stylobate.base.jobs import run_jobs
from stylobate.data import read_weights
from stylobate.data.indexing import indexable
from stylobate.exceptions import InvalidDataError, InvalidParameterError, ModelFileError
from stylobate.multioutput.targets import read_label_table, read_numbers
from stylobate.splits.splitter import count_rows

_INSIDE = "as the estimator inside has none"


def models_have(method: str) -> Callable[[Any], bool]:
    """Whether all models (the one to be cloned, before) have a method."""
    return lambda self: all(
        hasattr(each, method) for each in vars(self).get("estimators_") or [self.estimator]
    )


class SideBySide(BaseEstimator):
    """A clone of an estimator for each column of the target."""

    if TYPE_CHECKING:
        estimators_: list[Any]

    def __init__(
        self, estimator: Annotated[Any, HasMethods("fit", "predict")], *, n_jobs: int | None = None
    ) -> None:
        self.estimator = estimator
        self.n_jobs = n_jobs

    @abstractmethod
    def _read_targets(self, y: Any, n_rows: int) -> NDArray[Any]:
        """The table of targets."""

    def _tags(self) -> Tags:
        inner = tags_of(self.estimator)
        taken = {"sparse": inner.sparse, "allow_nan": inner.allow_nan}
        return super()._tags().but(multi_output=True, single_output=False, **taken)

    def _fit_all(self, X: Any, y: Any, sample_weight: Any, fit_params: dict[str, Any]) -> Self:
        self._check_parameters()
        refuse_unknown_arguments(type(self).__name__, self.estimator, "fit", fit_params)
        n = count_rows(indexable(X))
        targets = self._read_targets(y, n)
        params = self._with_weights(sample_weight, n, fit_params)
        calls = [partial(fitted_clone, self.estimator, X, column, params) for column in targets.T]
        self.estimators_ = run_jobs(calls, self.n_jobs, self.estimator, "2*n_jobs")
        remember_inner(self, self.estimators_[0])
        return self

    def _with_weights(self, weights: Any, n: int, params: dict[str, Any]) -> dict[str, Any]:
        if weights is None:
            return params
        if not takes_weights(self.estimator):
            raise InvalidParameterError(
                f"{type(self).__name__}: Underlying estimator does not support sample weights: "
                f"{type(self.estimator).__name__}."
            )
        read_weights(weights, n, owner=type(self).__name__)
        return params | {"sample_weight": weights}

    def _partial_fit_all(self, X: Any, y: Any, each_params: list[dict[str, Any]], n: int) -> Self:
        """Let the models learn from more rows; the first call makes them."""
        for params in each_params:
            refuse_unknown_arguments(type(self).__name__, self.estimator, "partial_fit", params)
        targets = self._read_targets(y, n)
        known = vars(self).get("estimators_")
        models = known or [clone(self.estimator) for _ in range(targets.shape[1])]
        if len(models) != targets.shape[1]:
            raise InvalidDataError(
                f"{type(self).__name__}: y has {targets.shape[1]} outputs, and the calls before "
                f"had {len(models)}."
            )
        calls = [
            partial(_learn_more, model, X, column, params)
            for model, column, params in zip(models, targets.T, each_params, strict=True)
        ]
        self.estimators_ = run_jobs(calls, self.n_jobs, self.estimator, "2*n_jobs")
        remember_inner(self, self.estimators_[0])
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The prediction of each model, a column each.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_outputs)
        """
        self._check_fitted()
        calls = [partial(each.predict, X) for each in self.estimators_]
        return np.asarray(run_jobs(calls, self.n_jobs, self.estimator, "2*n_jobs")).T

    def _check_loaded(self) -> None:
        """Refuse a file whose list of models is none."""
        models = vars(self).get("estimators_", [self.estimator])
        if not isinstance(models, list) or not all(hasattr(each, "predict") for each in models):
            raise ModelFileError(f"The {type(self).__name__} of the file has no list of models.")


def _learn_more(model: Any, X: Any, column: NDArray[Any], params: dict[str, Any]) -> Any:
    model.partial_fit(X, column, **params)
    return model


class MultiOutputRegressor(RegressorMixin, SideBySide):
    """A regressor for each target, independent of each other.

    Many regressors take several targets themselves, and then share work between them.

    Parameters
    ----------
    estimator : regressor
        A clone is fitted for each target.
    n_jobs : int or None, default=None
        Targets fitted at once.

    Attributes
    ----------
    estimators_ : list of regressors
        One for each target.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.linear_model import Lasso
    >>> from stylobate.multioutput import MultiOutputRegressor
    >>> X = np.arange(6.0)[:, None]
    >>> Y = np.hstack([2 * X, -X])
    >>> MultiOutputRegressor(Lasso(1e-9)).fit(X, Y).predict([[10.0]]).round(6)
    array([[ 20., -10.]])
    """

    def _read_targets(self, y: Any, n_rows: int) -> NDArray[Any]:
        return read_numbers(y, n_rows, type(self).__name__)

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Fit a regressor for each target.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n, n_outputs)
            Targets.
        sample_weight : array-like of shape (n,), optional
            Weights of the rows, for estimators that take them.
        **fit_params : object
            More arguments for the `fit` of every model.

        Returns
        -------
        self
        """
        return self._fit_all(X, y, sample_weight, fit_params)

    @available_if(models_have("partial_fit"), _INSIDE)
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Self:
        """Let every model learn from more rows.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`.
        **params : object
            More arguments for the `partial_fit` of every model.

        Returns
        -------
        self
        """
        self._check_parameters()
        n = count_rows(indexable(X))
        given = self._with_weights(sample_weight, n, params)
        width = np.shape(y)[1] if len(np.shape(y)) == 2 else 1
        return self._partial_fit_all(X, y, [given] * width, n)


class MultiOutputClassifier(ClassifierMixin, SideBySide):
    """A classifier for each target, independent of each other.

    Parameters
    ----------
    estimator : classifier
        A clone is fitted for each target.
    n_jobs : int or None, default=None
        Targets fitted at once.

    Attributes
    ----------
    estimators_ : list of classifiers
        One for each target.
    classes_ : list of arrays
        The labels of each target, sorted.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.linear_model import LogisticRegression
    >>> from stylobate.multioutput import MultiOutputClassifier
    >>> X = np.arange(6.0)[:, None]
    >>> Y = np.array([["low", "a"]] * 3 + [["high", "b"]] * 3)
    >>> MultiOutputClassifier(LogisticRegression()).fit(X, Y).predict([[0.0], [5.0]])
    array([['low', 'a'],
           ['high', 'b']], dtype='<U4')
    """

    if TYPE_CHECKING:
        classes_: list[NDArray[Any]]

    def _tags(self) -> Tags:
        return super()._tags().but(exempt=True)

    def _read_targets(self, y: Any, n_rows: int) -> NDArray[Any]:
        return read_label_table(y, n_rows, type(self).__name__)

    def fit(self, X: Any, Y: Any, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Fit a classifier for each target.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        Y : array-like of shape (n, n_outputs)
            Labels, a column for each target.
        sample_weight : array-like of shape (n,), optional
            Weights of the rows, for estimators that take them.
        **fit_params : object
            More arguments for the `fit` of every model.

        Returns
        -------
        self
        """
        self._fit_all(X, Y, sample_weight, fit_params)
        self.classes_ = [each.classes_ for each in self.estimators_]
        return self

    @available_if(models_have("partial_fit"), _INSIDE)
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None, **params: Any
    ) -> Self:
        """Let every model learn from more rows.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`.
        classes : list of arrays, optional
            All labels of each target; needed in the first call.
        **params : object
            More arguments for the `partial_fit` of every model.

        Returns
        -------
        self
        """
        self._check_parameters()
        n = count_rows(indexable(X))
        given = self._with_weights(sample_weight, n, params)
        width = np.shape(y)[1] if len(np.shape(y)) == 2 else 1
        announced = [None] * width if classes is None else list(classes)
        if len(announced) != width:
            raise InvalidDataError(
                f"{type(self).__name__}: classes must list the labels of each of the {width} "
                f"outputs, got {len(announced)} entries."
            )
        each = [given if one is None else given | {"classes": one} for one in announced]
        self._partial_fit_all(X, y, each, n)
        self.classes_ = [model.classes_ for model in self.estimators_]
        return self

    @available_if(models_have("predict_proba"), _INSIDE)
    def predict_proba(self, X: Any) -> list[Array]:
        """The probabilities of each target's classes.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        list of arrays of shape (n, n_classes of the target)
        """
        self._check_fitted()
        return [each.predict_proba(X) for each in self.estimators_]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows of which all labels are right.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n, n_outputs)
            Their labels.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights of the rows.

        Returns
        -------
        float
            In [0, 1].
        """
        self._check_fitted()
        truth = read_label_table(y, None, type(self).__name__)
        if truth.shape[1] != len(self.estimators_):
            raise InvalidDataError(
                f"The number of outputs of Y for fit {len(self.estimators_)} and score "
                f"{truth.shape[1]} should be same"
            )
        right = np.all(truth == self.predict(X), axis=1)
        return float(np.average(right, weights=sample_weight))
