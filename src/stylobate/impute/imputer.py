"""What all imputers share: the mask, the indicator, columns without a value."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator, Tags, TransformerMixin
from stylobate.base.validation import input_names
from stylobate.data import Table
from stylobate.data.sparse import is_sparse
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import StylobateWarning
from stylobate.impute.cells import marks_nan
from stylobate.impute.indicator import MissingIndicator, _mask_of


class BaseImputer(TransformerMixin, BaseEstimator):
    """Replace what is missing; subclasses say by what."""

    missing_values: Any
    add_indicator: bool
    keep_empty_features: bool
    indicator_: MissingIndicator | None

    def _tags(self) -> Tags:
        nan = marks_nan(self.missing_values)
        return super()._tags().but(allow_nan=nan, preserves_dtype=("float64", "float32"))

    def _fit_indicator(self, x: Any) -> None:
        self.indicator_ = None
        if self.add_indicator:
            self.indicator_ = self._indicator()._fit_mask(_mask_of(x, self.missing_values))

    def _indicator(self) -> MissingIndicator:
        return MissingIndicator(missing_values=self.missing_values, error_on_new=False)

    def _with_indicator(self, filled: Any, table: Table) -> Any:
        """`filled` and, if asked for, the columns that say where X was missing."""
        if self.indicator_ is None:
            return self._wrap(filled, table)
        mask: Any = _mask_of(table.x, self.missing_values)[:, self.indicator_.features_]
        if is_sparse(filled):
            from scipy import sparse

            return sparse.hstack([filled, mask.astype(filled.dtype)], format=filled.format)
        return self._wrap(np.hstack([filled, mask.astype(filled.dtype)]), table)

    @property
    def _kept(self) -> NDArray[np.intp]:
        """The columns that are given back."""
        raise NotImplementedError

    def _warn_of_empty(self, reason: str) -> None:
        left_out = np.setdiff1d(np.arange(self.n_features_in_), self._kept)
        if len(left_out) == 0:
            return
        names = getattr(self, "feature_names_in_", None)
        shown = left_out if names is None else names[left_out]
        warnings.warn(
            f"Skipping features without any observed values: {shown}. At least one non-missing "
            f"value is needed for imputation with {reason}.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns kept, then of the indicator's.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the input columns; by default those seen at `fit`, else ``x0``, ``x1``, …

        Returns
        -------
        array of str objects
        """
        self._check_fitted()
        names = input_names(self, input_features)
        kept = names[self._kept]
        if self.indicator_ is None:
            return kept
        return np.concatenate([kept, self.indicator_.get_feature_names_out(names)])
