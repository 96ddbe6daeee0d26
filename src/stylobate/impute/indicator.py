"""Columns that say where values are missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Mask
from stylobate.base import BaseEstimator, Options, Tags, TransformerMixin
from stylobate.base.batches import first_batch
from stylobate.base.validation import input_names
from stylobate.data import Table
from stylobate.data.sparse import is_sparse
from stylobate.data.streams import Batch, Stream
from stylobate.exceptions import InvalidDataError, ModelFileError
from stylobate.impute.cells import (
    MissingMarker,
    marks_nan,
    missing_mask,
    read_cells,
    refuse_marker_without_formula,
    refuse_sparse_zero,
)

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression


class MissingIndicator(TransformerMixin, BaseEstimator):
    """Whether each value is missing, one column of truth values for each column.

    Parameters
    ----------
    missing_values : float, str, None or pandas.NA, default=nan
        What stands for a missing value.
    features : {"missing-only", "all"}, default="missing-only"
        Whether to give columns only for those that had missing values at `fit`, or for all.
    sparse : bool or "auto", default="auto"
        Whether to return a sparse array; "auto": as X came.
    error_on_new : bool, default=True
        Whether `transform` refuses missing values in columns that had none at `fit`.

    Attributes
    ----------
    features_ : array of int
        The columns indicated.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> MissingIndicator().fit_transform([[np.nan, 1.0], [2.0, 3.0]])
    array([[ True],
           [False]])
    """

    def __init__(
        self,
        *,
        missing_values: Annotated[Any, MissingMarker()] = np.nan,
        features: Annotated[str, Options("missing-only", "all")] = "missing-only",
        sparse: bool | Literal["auto"] = "auto",
        error_on_new: bool = True,
    ) -> None:
        self.missing_values = missing_values
        self.features = features
        self.sparse = sparse
        self.error_on_new = error_on_new

    def _tags(self) -> Tags:
        nan = marks_nan(self.missing_values)
        return (
            super()
            ._tags()
            .but(sparse=True, allow_nan=nan, categorical=True, preserves_dtype=(), tier="one pass")
        )

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the columns with missing values.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows of numbers or text.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        table = self._cells(X, reset=True)
        self._fit_mask(_mask_of(table.x, self.missing_values))
        return self

    def _cells(self, X: Any, *, reset: bool) -> Table:
        table = read_cells(self, X, reset=reset, text=True)
        refuse_sparse_zero("MissingIndicator", table.x, self.missing_values)
        return table

    def _fit_stream(self, stream: Stream) -> Self:
        """One pass that counts what is missing."""
        self._check_parameters()
        self._cells(first_batch(stream, type(self).__name__).x, reset=True)

        def lost(batch: Batch, first: int) -> Any:
            return _lost(_mask_of(self._cells(batch.x, reset=False).x, self.missing_values))

        found: Any = stream.reduced(lost, lambda known, new: known + new)
        return self._fit_counts(found)

    def _fit_mask(self, mask: Any) -> Self:
        """`fit`, given what is missing."""
        return self._fit_counts(_lost(mask))

    def _fit_counts(self, missing: NDArray[Any]) -> Self:
        """`fit`, given how many cells of each column are missing."""
        self.n_features_in_ = len(missing)
        everything = self.features == "all"
        self.features_ = np.arange(len(missing)) if everything else np.flatnonzero(missing)
        return self

    def _check_loaded(self) -> None:
        """Refuse marks of columns there are not."""
        marked, count = vars(self).get("features_"), vars(self).get("n_features_in_")
        if marked is None or count is None or not len(marked):
            return
        if marked.min() < 0 or marked.max() >= count:
            raise ModelFileError("The MissingIndicator of the file marks columns there are not.")

    def transform(self, X: Any) -> Any:
        """Where X is missing.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows of numbers or text.

        Returns
        -------
        array, sparse array or frame of bool of shape (n, len(features_))
        """
        self._check_fitted()
        table = self._cells(X, reset=False)
        mask = _mask_of(table.x, self.missing_values)
        if self.features == "missing-only" and self.error_on_new:
            new = np.setdiff1d(np.flatnonzero(np.asarray(mask.sum(axis=0)).ravel()), self.features_)
            if len(new):
                raise InvalidDataError(
                    f"MissingIndicator: The features {new} have missing values in transform but "
                    "have no missing values in fit; pass error_on_new=False to let that pass."
                )
        out = mask[:, self.features_]
        out = self._formed(out, table.is_sparse)
        if out.shape[1] == 0 and self._style() is None:
            return out  # a frame without columns would forget its rows and its dtype
        return self._wrap(out, table)

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.pieces import marked_missing, none_of

        refuse_marker_without_formula("MissingIndicator", self.missing_values)
        marks = [marked_missing(columns[j]) for j in self.features_]
        if self.features == "all" or not self.error_on_new:
            return marks
        others = [columns[j] for j in range(len(columns)) if j not in self.features_]
        return none_of(others, marks)

    def _formed(self, mask: Any, came_sparse: bool) -> Any:
        wanted = came_sparse if self.sparse == "auto" else bool(self.sparse)
        if wanted == is_sparse(mask):
            return mask.tocsc() if wanted else mask
        if not wanted:
            return mask.toarray()
        from scipy import sparse

        return sparse.csc_array(mask)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names such as ``"missingindicator_age"``.

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
        return np.array([f"missingindicator_{names[j]}" for j in self.features_], dtype=object)


def _lost(mask: Any) -> NDArray[Any]:
    """How many cells of each column a mask marks."""
    return np.asarray(mask.sum(axis=0)).ravel()


def _mask_of(x: Any, missing_values: Any) -> Mask | Any:
    """A dense mask, or a sparse one that stores only what is missing."""
    found = missing_mask(x, missing_values)
    if isinstance(x, np.ndarray):
        return found
    mask = x.astype(bool)
    mask.data = found
    mask.eliminate_zeros()
    return mask
