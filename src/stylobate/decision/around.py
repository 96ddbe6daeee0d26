"""What classifiers share that only decide otherwise than the one they are built around."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator, ClassifierMixin, Tags
from stylobate.base.availability import available_if
from stylobate.base.delegation import inner_has, is_fitted, remember_inner, tags_of
from stylobate.data.indexing import indexable
from stylobate.exceptions import InvalidDataError, NotFittedError, joined
from stylobate.splits.splitter import count_rows


class ClassifierAround(ClassifierMixin, BaseEstimator):
    """A classifier whose probabilities and margins are those of another, ``estimator_``."""

    if TYPE_CHECKING:
        estimator: Any
        estimator_: Any
        feature_names_in_: NDArray[Any]

    def _tags(self) -> Tags:
        inner = tags_of(self.estimator)
        return super()._tags().but(sparse=inner.sparse, allow_nan=inner.allow_nan)

    @property
    def classes_(self) -> NDArray[Any]:
        """The labels."""
        found: NDArray[Any] = self._inner().classes_
        return found

    @available_if(inner_has("predict_proba"), "as the estimator inside has none")
    def predict_proba(self, X: Any) -> Any:
        """The estimator's probability of each class (column) for each row."""
        return self._inner().predict_proba(X)

    @available_if(inner_has("predict_log_proba"), "as the estimator inside has none")
    def predict_log_proba(self, X: Any) -> Any:
        """Logarithms of the estimator's probabilities."""
        return self._inner().predict_log_proba(X)

    @available_if(inner_has("decision_function"), "as the estimator inside has none")
    def decision_function(self, X: Any) -> Any:
        """The estimator's margins."""
        return self._inner().decision_function(X)

    def __sklearn_is_fitted__(self) -> bool:
        return "estimator_" in vars(self)

    def _inner(self) -> Any:
        """The fitted estimator."""
        if "estimator_" in vars(self):
            return self.estimator_
        name = type(self).__name__
        raise joined(NotFittedError)(
            f"This {name} instance is not fitted yet. Call 'fit' with appropriate arguments before "
            "using this estimator."
        )

    def _remember_inner(self) -> None:
        """The number and the names of the columns, from the fitted estimator."""
        remember_inner(self, self.estimator_)


class MayBeFittedBefore(ClassifierAround):
    """A classifier that also works around an estimator that was fitted before."""

    def __sklearn_is_fitted__(self) -> bool:
        return super().__sklearn_is_fitted__() or is_fitted(self.estimator)

    def _inner(self) -> Any:
        if "estimator_" not in vars(self) and is_fitted(self.estimator):
            return self.estimator
        return super()._inner()


def read_rows(X: Any, y: Any, owner: str, fit_params: dict[str, Any]) -> tuple[Any, NDArray[Any]]:
    """Rows that can be chosen from and their labels, of at least two classes that count."""
    from stylobate.base.classes import read_classes, refuse_one_weighted_class
    from stylobate.data import read_weights

    rows = indexable(X)
    if rows is None or not (hasattr(rows, "__len__") or hasattr(rows, "shape")):
        raise InvalidDataError(f"{owner}: X must be a table of rows, got {X!r}.")
    classes, codes = read_classes(y, owner=owner, n_rows=count_rows(rows))
    weights = read_weights(fit_params.get("sample_weight"), len(codes), owner=owner)
    refuse_one_weighted_class(codes, weights, owner)
    return rows, np.asarray(classes[codes])
