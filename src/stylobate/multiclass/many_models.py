"""What classifiers of many classes by models of two classes share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator, ClassifierMixin, Tags
from stylobate.base.classes import agreed_classes, read_classes, refuse_one_weighted_class
from stylobate.base.delegation import tags_of
from stylobate.data import read_table, read_weights
from stylobate.data.indexing import indexable
from stylobate.exceptions import InvalidDataError, ModelFileError
from stylobate.splits.splitter import count_rows


class ManyModels(ClassifierMixin, BaseEstimator):
    """A classifier with a list of models, each of two classes."""

    if TYPE_CHECKING:
        estimator: Any
        n_jobs: int | None
        estimators_: Any
        classes_: NDArray[Any]

    def _tags(self) -> Tags:
        inner = tags_of(self.estimator)
        return super()._tags().but(sparse=inner.sparse, allow_nan=inner.allow_nan)

    def __sklearn_is_fitted__(self) -> bool:
        return "estimators_" in vars(self)

    def _is_first_call(self, classes: Any) -> bool:
        """Agree on the classes with the calls of `partial_fit` before."""
        known = vars(self).get("classes_")
        self.classes_ = agreed_classes(known, classes, type(self).__name__)
        return known is None

    def _check_known(self, labels: NDArray[Any]) -> None:
        """Refuse a batch with labels that were not announced."""
        if not np.isin(labels, self.classes_).all():
            raise InvalidDataError(
                f"Mini-batch contains {np.unique(labels)} while classes must be subset of "
                f"{self.classes_}"
            )

    def _read_labels(
        self, X: Any, y: Any, fit_params: dict[str, Any]
    ) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """Sorted classes and the class number of each row; weights must leave two classes."""
        owner = type(self).__name__
        n = count_rows(indexable(X))
        if getattr(getattr(X, "dtype", None), "kind", "") == "c":
            read_table(X, owner=owner)  # says that complex numbers are none
        classes, codes = read_classes(y, owner=owner, n_rows=n, least=1)
        weights = read_weights(fit_params.get("sample_weight"), n, owner=owner)
        refuse_one_weighted_class(codes, weights, owner)
        return classes, codes

    def _expected_models(self) -> int | None:
        """How many models there must be, for what is known besides; None: any number."""
        return None

    def _check_loaded(self) -> None:
        """Refuse a file whose models cannot be those of its classes."""
        if "estimators_" not in vars(self):
            return
        models, expected = self.estimators_, self._expected_models()
        if (
            not isinstance(models, list | tuple)
            or not models
            or (expected is not None and len(models) != expected)
            or not all(hasattr(each, "predict") for each in models)
        ):
            raise ModelFileError(
                f"The {type(self).__name__} of the file has models that are not those of its "
                "classes."
            )
