"""AdaBoost: members that learn from the mistakes of those before; what both kinds share."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator, HasMethods, Interval, Tags, clone
from stylobate.base.delegation import tags_of
from stylobate.base.randomness import stream_of
from stylobate.data.columns import Columns
from stylobate.data.weights import read_weights
from stylobate.data.words import user_stacklevel
from stylobate.ensemble.members import read_rows
from stylobate.exceptions import NotFittedError, StylobateWarning, joined

if TYPE_CHECKING:
    Array = NDArray[np.float64]
    Stream = np.random.RandomState

Model = Annotated[Any, HasMethods("fit", "predict")] | None
Count = Annotated[int, Interval(1, inf)]
Rate = Annotated[float, Interval(0, inf, closed="neither")]

_LEAST = float(np.finfo(np.float64).eps)  # weights of rows that all members get right


class Round(NamedTuple):
    """One member: its weight in the answer, its error, and the weights of the rows after it."""

    model: Any
    weight: float
    error: float
    row_weights: Array


class WeightBoostingBase(BaseEstimator):
    """Members fitted one after the other, each to rows weighted by the mistakes so far."""

    if TYPE_CHECKING:
        estimator: Any
        n_estimators: int
        learning_rate: float
        random_state: Any
        estimators_: list[Any]
        estimator_weights_: Array
        estimator_errors_: Array

    @abstractmethod
    def _default(self) -> Any:
        """What is boosted if nothing else is given."""

    @abstractmethod
    def _read_y(self, y: Any, n_rows: int) -> NDArray[Any]:
        """The target the members learn."""

    @abstractmethod
    def _round(
        self, columns: Columns, y: NDArray[Any], weights: Array, stream: Stream, *, last: bool
    ) -> Round | None:
        """One more member; None if it is of no use, which ends the boosting."""

    def _inner(self) -> Any:
        return self._default() if self.estimator is None else self.estimator

    def _tags(self) -> Tags:
        inner = tags_of(self._inner())
        return super()._tags().but(sparse=True, allow_nan=inner.allow_nan)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit members until there are `n_estimators`, one makes no mistake, or one is of no use.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; what they may hold is the members' business.
        y : array-like of shape (n,)
            Target.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights to begin with; 1/n if not given.

        Returns
        -------
        self
        """
        self._check_parameters()
        columns = read_rows(self, X, reset=True)
        y = self._read_y(y, columns.n_rows)
        given = read_weights(sample_weight, columns.n_rows, owner=type(self).__name__)
        weights = np.ones(columns.n_rows) if given is None else given.copy()
        self.estimator_ = clone(self._inner())
        self.estimators_ = []
        self.estimator_weights_ = np.zeros(self.n_estimators)
        self.estimator_errors_ = np.ones(self.n_estimators)
        self._boost(columns, y, weights / weights.sum())
        return self

    def _boost(self, columns: Columns, y: NDArray[Any], weights: Array) -> None:
        stream = stream_of(self.random_state)
        ignored = weights == 0.0
        for number in range(self.n_estimators):
            weights = np.where(ignored, 0.0, np.maximum(weights, _LEAST))
            last = number == self.n_estimators - 1
            made = self._round(columns, y, weights, stream, last=last)
            if made is None:
                return
            self.estimators_.append(made.model)
            self.estimator_weights_[number] = made.weight
            self.estimator_errors_[number] = made.error
            total = made.row_weights.sum()
            if made.error == 0.0 or total <= 0.0:
                return
            if not np.isfinite(total):
                warnings.warn(
                    "Sample weights have reached infinite values, at iteration "
                    f"{number}, causing overflow. Iterations stopped. Try lowering the learning "
                    "rate.",
                    StylobateWarning,
                    stacklevel=user_stacklevel(),
                )
                return
            weights = made.row_weights / total

    def __len__(self) -> int:
        return len(vars(self).get("estimators_", []))

    def __getitem__(self, place: Any) -> Any:
        return self.estimators_[place]

    def __iter__(self) -> Iterator[Any]:
        return iter(vars(self).get("estimators_", []))

    def _pairs(self) -> Iterator[tuple[Any, float]]:
        """Members and their weights."""
        self._check_fitted()
        return zip(self.estimators_, self.estimator_weights_.tolist(), strict=False)

    def _rows(self, X: Any) -> Any:
        self._check_fitted()
        return read_rows(self, X, reset=False).native

    @property
    def feature_importances_(self) -> Array:
        """The members' importances, weighted as they are."""
        if not vars(self).get("estimators_"):
            raise joined(NotFittedError)(
                f"{type(self).__name__}: Estimator not fitted, call `fit` before "
                "`feature_importances_`."
            )
        if not hasattr(self.estimators_[0], "feature_importances_"):
            raise AttributeError(
                f"Unable to compute feature importances since {type(self.estimators_[0]).__name__} "
                "does not have a feature_importances_ attribute"
            )
        total = sum(weight * each.feature_importances_ for each, weight in self._pairs())
        return np.asarray(total / self.estimator_weights_.sum())
