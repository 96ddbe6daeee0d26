"""`StackingClassifier` and `StackingRegressor`."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import (
    ClassifierMixin,
    Interval,
    RegressorMixin,
    is_classifier,
    is_regressor,
    read_classes,
)
from stylobate.base.availability import available_if
from stylobate.ensemble.members import read_rows
from stylobate.ensemble.named import Estimators
from stylobate.ensemble.stacking import FinalEstimator, Folds, StackingBase, final_has
from stylobate.ensemble.targets import (
    read_one_target,
    refuse_one_weighted_class,
    refuse_several_labels,
)
from stylobate.exceptions import InvalidParameterError

Verbose = Annotated[int, Interval(0, inf)] | bool


class StackingClassifier(ClassifierMixin, StackingBase):
    """A classifier that learns from what other models say about rows they have not seen.

    Each model is cross-validated; its predictions of the test parts are the columns the final
    estimator learns from. The models then learn all rows.

    Parameters
    ----------
    estimators : list of (str, estimator)
        Clones of them are fitted; "drop" leaves one out.
    final_estimator : classifier or None, default=None
        What learns from the predictions; None is a `LogisticRegression`.
    cv : int in [2, inf), splitter, iterable, "prefit" or None, default=None
        How rows are split; None is 5 folds, stratified. "prefit": the estimators are fitted
        already, and the final estimator learns from their predictions of X, which must not be the
        rows they were fitted to.
    stack_method : {"auto", "predict_proba", "decision_function", "predict"}, default="auto"
        What is asked of each; "auto" takes the first they have, in this order. Of two
        probabilities the second is kept.
    n_jobs : int or None, default=None
        Estimators fitted at once.
    passthrough : bool, default=False
        Whether the final estimator sees X as well.
    verbose : int in [0, inf) or bool, default=0
        Whether to print how long each fit took.

    Attributes
    ----------
    estimators_ : list of estimators
        The fitted ones, without those dropped, fitted to class numbers 0, 1, …
    named_estimators_ : Bunch
        The same by name.
    final_estimator_ : classifier
        The one fitted to their predictions.
    stack_method_ : list of str
        What is asked of each.
    classes_ : array of shape (n_classes,)
        The labels, sorted.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from stylobate.datasets import load_penguins
    >>> from stylobate.ensemble import StackingClassifier
    >>> from stylobate.naive_bayes import GaussianNB
    >>> from stylobate.neighbors import KNeighborsClassifier
    >>> X, y = load_penguins(return_X_y=True, as_frame=True)
    >>> X = X[["bill_length_mm", "bill_depth_mm"]].fillna(0)
    >>> models = [("bayes", GaussianNB()), ("nearest", KNeighborsClassifier())]
    >>> bool(StackingClassifier(models).fit(X, y).score(X, y) > 0.95)
    True

    References
    ----------
    Wolpert (1992), Stacked generalization, Neural Networks 5.
    """

    def __init__(
        self,
        estimators: Estimators,
        final_estimator: FinalEstimator = None,
        *,
        cv: Folds = None,
        stack_method: Literal["auto", "predict_proba", "decision_function", "predict"] = "auto",
        n_jobs: int | None = None,
        passthrough: bool = False,
        verbose: Verbose = 0,
    ) -> None:
        self.estimators = estimators
        self.final_estimator = final_estimator
        self.cv = cv
        self.stack_method = stack_method
        self.n_jobs = n_jobs
        self.passthrough = passthrough
        self.verbose = verbose

    def _final(self) -> Any:
        if self.final_estimator is not None:
            return self.final_estimator
        from stylobate.linear_model import LogisticRegression

        return LogisticRegression()

    def _drops_first(self, method: str) -> bool:
        return method == "predict_proba" and len(self.classes_) == 2

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Fit the estimators, then the final one to their predictions of unseen rows.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            Labels.
        **fit_params : object
            ``sample_weight`` alone: weights of the rows, for all estimators.

        Returns
        -------
        self
        """
        self._check_parameters()
        kept = self._kept(None)
        if not is_classifier(self._final()):
            raise InvalidParameterError(
                f"{type(self).__name__}: 'final_estimator' parameter should be a classifier. Got "
                f"{self._final()}"
            )
        refuse_several_labels(y, type(self).__name__)
        columns = read_rows(self, X, reset=True)
        owner = type(self).__name__
        self.classes_, codes = read_classes(y, owner=owner, n_rows=columns.n_rows)
        given = self._weights(fit_params, columns.n_rows)
        refuse_one_weighted_class(codes, given.weights.get("sample_weight"), owner)
        return self._fit_stack(columns, codes, kept, given)

    @available_if(final_has("predict"), "whose final estimator has none")
    def predict(self, X: Any, **predict_params: Any) -> NDArray[Any]:
        """The label of each row, as the final estimator sees it.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        **predict_params : object
            More arguments for the `predict` of the final estimator.

        Returns
        -------
        array of shape (n,)
        """
        codes = np.asarray(self._ask_final(X, "predict", **self._predict_arguments(predict_params)))
        return np.asarray(self.classes_[codes.astype(np.intp)])

    @available_if(final_has("predict_proba"), "whose final estimator has none")
    def predict_proba(self, X: Any) -> Array:
        """The final estimator's probabilities.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes)
        """
        return np.asarray(self._ask_final(X, "predict_proba"))

    @available_if(final_has("decision_function"), "whose final estimator has none")
    def decision_function(self, X: Any) -> Array:
        """The final estimator's margins.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,) or (n, n_classes)
        """
        return np.asarray(self._ask_final(X, "decision_function"))


class StackingRegressor(RegressorMixin, StackingBase):
    """A regression that learns from what other models say about rows they have not seen.

    Each model is cross-validated; its predictions of the test parts are the columns the final
    estimator learns from. The models then learn all rows.

    Parameters
    ----------
    estimators : list of (str, regressor)
        Clones of them are fitted; "drop" leaves one out.
    final_estimator : regressor or None, default=None
        What learns from the predictions; None is a `RidgeCV`.
    cv : int in [2, inf), splitter, iterable, "prefit" or None, default=None
        How rows are split; None is 5 folds. "prefit": the estimators are fitted already, and the
        final estimator learns from their predictions of X, which must not be the rows they were
        fitted to.
    n_jobs : int or None, default=None
        Estimators fitted at once.
    passthrough : bool, default=False
        Whether the final estimator sees X as well.
    verbose : int in [0, inf) or bool, default=0
        Whether to print how long each fit took.

    Attributes
    ----------
    estimators_ : list of regressors
        The fitted ones, without those dropped.
    named_estimators_ : Bunch
        The same by name.
    final_estimator_ : regressor
        The one fitted to their predictions.
    stack_method_ : list of str
        What is asked of each: "predict".
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.ensemble import StackingRegressor
    >>> from stylobate.linear_model import Ridge
    >>> from stylobate.neighbors import KNeighborsRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> models = [("line", Ridge(0.1)), ("nearest", KNeighborsRegressor(20))]
    >>> round(StackingRegressor(models).fit(X, y).score(X, y), 2)
    0.54

    References
    ----------
    Breiman (1996), Stacked regressions, Machine Learning 24.
    """

    stack_method = "predict"

    def __init__(
        self,
        estimators: Estimators,
        final_estimator: FinalEstimator = None,
        *,
        cv: Folds = None,
        n_jobs: int | None = None,
        passthrough: bool = False,
        verbose: Verbose = 0,
    ) -> None:
        self.estimators = estimators
        self.final_estimator = final_estimator
        self.cv = cv
        self.n_jobs = n_jobs
        self.passthrough = passthrough
        self.verbose = verbose

    def _final(self) -> Any:
        if self.final_estimator is not None:
            return self.final_estimator
        from stylobate.linear_model import RidgeCV

        return RidgeCV()

    def _drops_first(self, method: str) -> bool:
        return False

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Fit the estimators, then the final one to their predictions of unseen rows.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            Target.
        **fit_params : object
            ``sample_weight`` alone: weights of the rows, for all estimators.

        Returns
        -------
        self
        """
        self._check_parameters()
        kept = self._kept("regressor")
        if not is_regressor(self._final()):
            raise InvalidParameterError(
                f"{type(self).__name__}: 'final_estimator' parameter should be a regressor. Got "
                f"{self._final()}"
            )
        columns = read_rows(self, X, reset=True)
        target = read_one_target(y, columns.n_rows, type(self).__name__)
        return self._fit_stack(columns, target, kept, self._weights(fit_params, columns.n_rows))
