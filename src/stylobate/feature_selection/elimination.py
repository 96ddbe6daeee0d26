"""Recursive feature elimination."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from math import inf
from numbers import Integral
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Mask
from stylobate.base import HasMethods, Interval, Tags, clone
from stylobate.base.availability import available_if
from stylobate.base.constraints import is_number
from stylobate.base.delegation import inner_has, tags_of
from stylobate.base.validation import input_names
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import StylobateWarning
from stylobate.feature_selection.elimination_course import Elimination, eliminate
from stylobate.feature_selection.history import SelectionHistory
from stylobate.feature_selection.selector import FeatureSelector, tags_around


class RecursiveElimination(FeatureSelector):
    """A selector that predicts with the model of what it kept; subclasses choose how many."""

    if TYPE_CHECKING:
        estimator: Any
        estimator_: Any

    def _tags(self) -> Tags:
        inner = tags_of(self.estimator)
        return tags_around(super()._tags(), self.estimator).but(
            estimator_type=inner.estimator_type,
            poor_score=True,
            requires_y=True,
            multi_output=inner.multi_output,
        )

    @property
    def classes_(self) -> NDArray[Any]:
        """Classes of the model, if it is a classifier."""
        return np.asarray(self.estimator_.classes_)

    @available_if(inner_has("predict"))
    def predict(self, X: Any) -> Any:
        """Predictions of the model for the selected columns of X."""
        return self._inner("predict")(self._reduced(X)[0])

    @available_if(inner_has("score"))
    def score(self, X: Any, y: Any, **score_params: Any) -> float:
        """The model's score on the selected columns of X."""
        return float(self._inner("score")(self._reduced(X)[0], y, **score_params))

    @available_if(inner_has("decision_function"))
    def decision_function(self, X: Any) -> Any:
        """The model's decision function of the selected columns of X."""
        return self._inner("decision_function")(self._reduced(X)[0])

    @available_if(inner_has("predict_proba"))
    def predict_proba(self, X: Any) -> Any:
        """The model's class probabilities for the selected columns of X."""
        return self._inner("predict_proba")(self._reduced(X)[0])

    @available_if(inner_has("predict_log_proba"))
    def predict_log_proba(self, X: Any) -> Any:
        """The logarithms of the model's class probabilities for the selected columns of X."""
        return self._inner("predict_log_proba")(self._reduced(X)[0])

    @property
    def _passes_gaps(self) -> bool:
        return self._tags().allow_nan

    def _inner(self, method: str) -> Callable[..., Any]:
        self._check_fitted()
        found: Callable[..., Any] = getattr(self.estimator_, method)
        return found

    def _keep(self, found: Elimination, x: Any, y: Any, fit_params: dict[str, Any]) -> None:
        """Store what an elimination left, and fit the model to it."""
        self.support_: Mask = found.support
        self.ranking_ = found.ranking
        self.n_features_ = int(found.support.sum())
        self.estimator_ = clone(self.estimator)
        self.estimator_.fit(x[:, np.flatnonzero(found.support)], y, **fit_params)


class RFE(RecursiveElimination):
    """Fit, drop the least important features, fit again, until enough are gone.

    Parameters
    ----------
    estimator : estimator
        With ``coef_`` or ``feature_importances_`` once fitted.
    n_features_to_select : int in [1, inf), float in (0, 1] or None, default=None
        How many, or which share, to keep; half by default.
    step : int in [1, inf) or float in (0, 1), default=1
        How many, or which share of all, to drop at a time.
    verbose : int in [0, inf), default=0
        Whether to print how many features are left.
    importance_getter : str or callable, default="auto"
        Attribute that holds the importances, or a function of the fitted model.

    Attributes
    ----------
    support_ : array of bool of shape (n_features,)
        Which features are kept.
    ranking_ : array of int of shape (n_features,)
        1 for those, 2 for the last dropped, and so on.
    n_features_ : int
        How many are kept.
    estimator_ : estimator
        The model fitted to them.
    history_ : SelectionHistory
        Every feature dropped, with the importances at that time.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.feature_selection import RFE
    >>> from stylobate.linear_model import LinearRegression
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> RFE(LinearRegression(), n_features_to_select=4).fit(X, y).get_feature_names_out()
    array(['bmi', 's1', 's2', 's5'], dtype=object)

    References
    ----------
    Guyon, Weston, Barnhill & Vapnik (2002), Gene selection for cancer classification using support
    vector machines, Machine Learning 46.
    """

    def __init__(
        self,
        estimator: Annotated[Any, HasMethods("fit")],
        *,
        n_features_to_select: Annotated[int, Interval(1, inf)]
        | Annotated[float, Interval(0, 1, closed="neither")]
        | Literal[1.0]  # type: ignore[valid-type]
        | None = None,
        step: Annotated[int, Interval(1, inf)]
        | Annotated[float, Interval(0, 1, closed="neither")] = 1,
        verbose: Annotated[int, Interval(0, inf)] | bool = 0,
        importance_getter: str | Callable[..., Any] = "auto",
    ) -> None:
        self.estimator = estimator
        self.n_features_to_select = n_features_to_select
        self.step = step
        self.verbose = verbose
        self.importance_getter = importance_getter

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Eliminate features and fit the model to the rest.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows, of at least two features.
        y : array-like of shape (n,) or (n, n_outputs)
            Target.
        **fit_params : object
            More arguments for the model's `fit`.

        Returns
        -------
        self
        """
        self._check_parameters()
        table, y = self._read_with_target(X, y, min_features=2, check_finite="deferred")
        found = eliminate(
            self.estimator,
            table.x,
            y,
            self._target(table.n_features),
            step=self.step,
            getter=self.importance_getter,
            fit_params=fit_params,
            verbose=bool(self.verbose),
            names=list(input_names(self)),
        )
        self._keep(found, table.x, y, fit_params)
        self.history_ = SelectionHistory(tuple(found.steps), "importance")
        return self

    def _target(self, n_features: int) -> int:
        wanted = self.n_features_to_select
        if wanted is None:
            return n_features // 2
        if not is_number(wanted, Integral):
            return int(n_features * wanted)
        if wanted > n_features:
            warnings.warn(
                f"{type(self).__name__}: Found n_features_to_select={wanted} > "
                f"n_features={n_features}. There will be no feature selection and all features "
                "will be kept.",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )
        return int(wanted)
