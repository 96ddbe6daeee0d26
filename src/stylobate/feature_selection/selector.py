"""What every selector of features has in common."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Mask
from stylobate.base import BaseEstimator, Tags, TransformerMixin
from stylobate.base.delegation import tags_of
from stylobate.base.validation import compare_features, input_names
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidDataError, NotFittedError, StylobateWarning, joined
from stylobate.feature_selection.targets import read_any_target

if TYPE_CHECKING:
    from stylobate.data import Table
    from stylobate.formula.expressions import Expression


def tags_around(own: Tags, estimator: Any) -> Tags:
    """Tags of a selector that reads its columns as the estimator inside does."""
    inner = tags_of(estimator)
    return own.but(
        sparse=inner.sparse, allow_nan=inner.allow_nan, preserves_dtype=("float64", "float32")
    )


class SelectorMixin(TransformerMixin, ABC):
    """For transformers that keep some of the columns as they are.

    Subclasses say which in `_get_support_mask`.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.base import BaseEstimator
    >>> class FirstTwo(SelectorMixin, BaseEstimator):
    ...     def fit(self, X, y=None):
    ...         self.width_ = self._read(X, reset=True).n_features
    ...         return self
    ...     def _get_support_mask(self):
    ...         return np.arange(self.width_) < 2
    >>> FirstTwo().fit_transform(np.ones((4, 3))).shape
    (4, 2)
    """

    if TYPE_CHECKING:
        n_features_in_: int
        _read: Any  # BaseEstimator's

    @abstractmethod
    def _get_support_mask(self) -> Mask:
        """Whether each input column is kept."""

    @overload
    def get_support(self, indices: Literal[False] = False) -> Mask: ...

    @overload
    def get_support(self, indices: Literal[True]) -> NDArray[np.intp]: ...

    def get_support(self, indices: bool = False) -> Mask | NDArray[np.intp]:
        """Which columns are kept.

        Parameters
        ----------
        indices : bool, default=False
            Whether to give their numbers instead of a mask.

        Returns
        -------
        array of bool of shape (n_features,), or of int of shape (n_selected,)
        """
        mask = self._get_support_mask()
        return np.flatnonzero(mask) if indices else mask

    def transform(self, X: Any) -> Any:
        """The selected columns of X.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array, sparse array or frame of shape (n, n_selected)
        """
        return self._wrap(*self._reduced(X))

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        return [columns[j] for j in np.flatnonzero(self._get_support_mask())]

    def _reduced(self, X: Any) -> tuple[Any, Table]:
        """The selected columns as an array, and all of X as it was read."""
        _check_fitted(self)
        mask = self._get_support_mask()
        table = _read(self, X)
        if mask.any():
            # whole numbers stay what they are
            whole = isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in "iub"
            return (X if whole else table.x)[:, np.flatnonzero(mask)], table
        warnings.warn(
            f"{type(self).__name__}: No features were selected: either the data is too noisy or "
            "the selection test too strict.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
        return np.empty((table.n_rows, 0), dtype=table.x.dtype), table

    def inverse_transform(self, X: Any) -> Any:
        """X with columns of zeros where features were left out.

        Parameters
        ----------
        X : array-like or sparse of shape (n, n_selected)
            Selected columns.

        Returns
        -------
        array or sparse array of shape (n, n_features)
        """
        from stylobate.data import read_table

        _check_fitted(self)
        mask = self._get_support_mask()
        kept = np.flatnonzero(mask)
        table = read_table(X, owner=type(self).__name__, check_finite="deferred", min_features=0)
        if table.n_features != len(kept):
            raise InvalidDataError(
                f"{type(self).__name__}.inverse_transform: X has a different shape than during "
                f"fitting: {table.n_features} columns, where {len(kept)} were selected."
            )
        shape = (table.n_rows, len(mask))
        if table.is_sparse:
            from scipy.sparse import csc_array

            x = table.x.tocsc()
            counts = np.zeros(shape[1], dtype=x.indptr.dtype)
            counts[kept] = np.diff(x.indptr)
            offsets = np.concatenate([[0], np.cumsum(counts)])
            return csc_array((x.data, x.indices, offsets), shape=shape)
        whole = np.zeros(shape, dtype=table.x.dtype)
        whole[:, kept] = table.x
        return whole

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the selected columns.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the input columns; by default those seen at `fit`, else ``x0``, ``x1``, …

        Returns
        -------
        ndarray of str objects
        """
        _check_fitted(self)
        return input_names(self, input_features)[self._get_support_mask()]


def _check_fitted(selector: Any) -> None:
    """As the estimator has it; a selector with another library's base is asked what it knows."""
    if isinstance(selector, BaseEstimator):
        selector._check_fitted()
    elif not hasattr(selector, "n_features_in_"):
        raise joined(NotFittedError)(
            f"This {type(selector).__name__} instance is not fitted yet. Call 'fit' first."
        )


def _read(selector: Any, X: Any) -> Table:
    """Rows to select columns of; where the model inside takes gaps, none are looked for."""
    if isinstance(selector, BaseEstimator):
        lenient = selector._passes_gaps if isinstance(selector, FeatureSelector) else False
        return selector._read(X, reset=False, **({"check_finite": "deferred"} if lenient else {}))
    from stylobate.data import read_table

    table = read_table(X, owner=type(selector).__name__, check_finite="deferred")
    compare_features(selector, table)
    return table


class FeatureSelector(SelectorMixin, BaseEstimator):
    """A selector whose `fit` sets ``support_``, the mask of what is kept."""

    if TYPE_CHECKING:
        support_: Mask

    @property
    def _passes_gaps(self) -> bool:
        """Whether rows are handed on whatever they hold, because the model inside takes gaps."""
        return False

    def _get_support_mask(self) -> Mask:
        self._check_fitted()
        return self.support_

    def _read_with_target(self, X: Any, y: Any, **options: Any) -> tuple[Table, Any]:
        """X through the door, and y as whoever scores takes it: numbers, labels or None."""
        required = y is None and self._tags().requires_y
        table = self._read(X, reset=True, y_required=required, **options)
        if y is None:
            return table, None
        return table, read_any_target(y, table.n_rows, owner=type(self).__name__)
