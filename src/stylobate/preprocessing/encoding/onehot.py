"""One column of zeros and ones for each category."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Indices, Integers
from stylobate.base import BaseEstimator, Interval, Options, Tags
from stylobate.base.validation import input_names
from stylobate.data.coding import Coded
from stylobate.data.mixed_columns import MixedColumns
from stylobate.data.streams import Stream
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import (
    InvalidDataError,
    InvalidParameterError,
    ModelFileError,
    StylobateWarning,
)
from stylobate.preprocessing.encoding.allowed import Entries, NumberType
from stylobate.preprocessing.encoding.categories import OneReading
from stylobate.preprocessing.encoding.dropped_categories import choose_dropped, dropped_from_kept
from stylobate.preprocessing.encoding.infrequent import group_labels, merged
from stylobate.preprocessing.encoding.onehot_matrix import (
    dense_ones,
    invert_block,
    invert_dependent,
    sparse_ones,
)

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression


class OneHotEncoder(OneReading):
    r"""Categories as columns of zeros and ones.

    .. math:: \varphi_{jk}(x) = [x_j = c_{jk}]

    Missing values are a category of their own. With ``drop="rank"`` the columns kept are linearly
    independent of each other and of a constant column, even where features determine each other.

    Parameters
    ----------
    categories : "auto" or list of array-like, default="auto"
        The categories of each column: those seen, in order, or as given.
    drop : {"first", "if_binary", "rank"}, array-like of shape (n_features,) or None, default=None
        Which category of each column gets no column: the first, the first of two, as many as it
        takes for a design of full rank (of each column the most frequent first), or those given.
    sparse_output : bool, default=True
        Whether to return a sparse array.
    dtype : dtype of numbers, default=numpy.float64
        Of the output.
    handle_unknown : {"error", "ignore", "infrequent_if_exist", "warn"}, default="error"
        For categories not seen: refuse, zeros, the merged rare category, or that with a warning.
    min_frequency : int in [1, inf), float in (0, 1) or None, default=None
        Categories of fewer rows (or a smaller share of them) are merged into one.
    max_categories : int in [1, inf) or None, default=None
        At most that many columns for each feature; the rarest categories are merged.
    feature_name_combiner : "concat" or callable, default="concat"
        Makes the name of a column from feature and category; "concat" joins them with "_".

    Attributes
    ----------
    categories_ : list of arrays
        Categories of each column.
    drop_idx_ : array of shape (n_features,) or None
        Place of the dropped category in ``categories_``, None where none is; with ``drop="rank"``
        an array of places for each column.
    infrequent_categories_ : list of arrays or None
        The merged categories of each column.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> encoder = OneHotEncoder(sparse_output=False, handle_unknown="ignore")
    >>> encoder.fit_transform([["red"], ["blue"], ["red"]])
    array([[0., 1.],
           [1., 0.],
           [0., 1.]])
    >>> encoder.get_feature_names_out(["colour"]).tolist()
    ['colour_blue', 'colour_red']
    >>> encoder.transform([["green"]])
    array([[0., 0.]])
    """

    def __init__(
        self,
        *,
        categories: Annotated[str, Options("auto")] | Annotated[Any, Entries()] = "auto",
        drop: Annotated[str, Options("first", "if_binary", "rank")]
        | Annotated[Any, Entries()]
        | None = None,
        sparse_output: bool = True,
        dtype: Annotated[Any, NumberType()] = np.float64,
        handle_unknown: Annotated[
            str, Options("error", "ignore", "infrequent_if_exist", "warn")
        ] = "error",
        min_frequency: Annotated[int, Interval(1, inf)]
        | Annotated[float, Interval(0, 1, closed="neither")]
        | None = None,
        max_categories: Annotated[int, Interval(1, inf)] | None = None,
        feature_name_combiner: Annotated[str, Options("concat")]
        | Callable[[Any, Any], str] = "concat",
    ) -> None:
        self.categories = categories
        self.drop = drop
        self.sparse_output = sparse_output
        self.dtype = dtype
        self.handle_unknown = handle_unknown
        self.min_frequency = min_frequency
        self.max_categories = max_categories
        self.feature_name_combiner = feature_name_combiner

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the categories.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Text, numbers, categories; missing values allowed.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._fit(X)
        return self

    def _tags(self) -> Tags:
        compared = isinstance(self.drop, str) and self.drop == "rank"
        return super()._tags().but(tier="all rows" if compared else "one pass")

    def _fit_stream(self, stream: Stream) -> Self:
        return (
            BaseEstimator._fit_stream(self, stream)
            if self._needs_rows
            else super()._fit_stream(stream)
        )

    def _settle(
        self, coded: list[Coded], n_rows: int, counts: list[Integers] | None = None
    ) -> None:
        self._fit_infrequent(coded, n_rows, counts)
        groups = [
            merged(len(known), rare)
            for known, rare in zip(self.categories_, self._infrequent, strict=True)
        ]
        self.drop_idx_, dropped = choose_dropped(
            self.drop, self.categories_, groups, self._infrequent, coded
        )
        self._set_blocks(groups, dropped)
        if isinstance(self.drop, str) and self.drop == "rank":
            self._dropped_from_kept = dropped_from_kept(coded, groups, dropped)

    def _set_blocks(self, groups: list[Any], dropped: list[NDArray[np.intp]]) -> None:
        """Which column of its block each category has, and the labels of the columns."""
        self._kept_labels, self._dropped_labels, self._block = [], [], []
        self._unknown = np.full(len(groups), -1)
        for j, (group, gone) in enumerate(zip(groups, dropped, strict=True)):
            labels = group_labels(self.categories_[j], self._infrequent[j])
            kept = np.ones(len(labels), dtype=bool)
            kept[gone] = False
            place = np.where(kept, np.cumsum(kept) - 1, -1)
            self._kept_labels.append(labels[kept])
            self._dropped_labels.append(labels[~kept])
            self._block.append(place[group])
            if self._infrequent[j] is not None and self.handle_unknown in (
                "infrequent_if_exist",
                "warn",
            ):
                self._unknown[j] = place[-1]
        widths = [len(labels) for labels in self._kept_labels]
        self._start = np.concatenate([[0], np.cumsum(widths)]).astype(np.intp)

    def transform(self, X: Any) -> Any:
        """The zeros and ones of each row.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        sparse array, array or frame of shape (n, n_columns)
        """
        self._check_fitted()
        columns = self._read_columns(X, reset=False)
        return self._encode(columns, self._look_up(columns, refuse=self.handle_unknown == "error"))

    def _encode(self, columns: MixedColumns, found: list[tuple[Indices, Indices]]) -> Any:
        at = self._places(columns, found)
        shape = (columns.n_rows, int(self._start[-1]))
        if self.sparse_output:
            return self._wrap(sparse_ones(at, shape, np.dtype(self.dtype)), columns)  # type: ignore[arg-type]
        return self._wrap(dense_ones(at, shape, np.dtype(self.dtype)), columns)  # type: ignore[arg-type]

    def _places(
        self, columns: MixedColumns, found: list[tuple[Indices, Indices]]
    ) -> NDArray[np.intp]:
        """The column of the one of each row and feature; -1 for none. Shape (n, n_features)."""
        at = np.empty((columns.n_rows, columns.n_features), dtype=np.intp)
        strange = []
        for j, (place, codes) in enumerate(found):
            block = np.append(self._block[j], self._unknown[j])  # -1 takes the last
            column = block[place]
            at[:, j] = np.where(column < 0, -1, column + self._start[j])[codes]
            if (place < 0).any():
                strange.append(j)
        if strange and (self.handle_unknown == "warn" or self.drop is not None):
            self._tell_unknown(strange)
        return at

    def _check_loaded(self) -> None:
        """Refuse blocks of a file that are not those of the categories."""
        if "_block" not in vars(self):
            return
        start, known, count = self._start, self.categories_, self.n_features_in_
        sound = (
            len(start) == count + 1
            and start[0] == 0
            and bool((np.diff(start) >= 0).all())
            and isinstance(self._kept_labels, list)
            and [np.size(each) for each in self._kept_labels] == np.diff(start).tolist()
            and all(len(own) == len(all_) for own, all_ in zip(self._block, known, strict=True))
        )
        widths = np.diff(start)[:, None] if sound else None
        blocks = zip(self._block, self._unknown, strict=True)
        if widths is None or not all(
            bool((np.append(own, other) >= -1).all() and (np.append(own, other) < width).all())
            for (own, other), width in zip(blocks, widths, strict=True)
        ):
            raise ModelFileError("The OneHotEncoder of the file has columns of no category.")
        sums, dropped = getattr(self, "_dropped_from_kept", None), self._dropped_labels
        gone = sum(np.size(each) for each in dropped) if isinstance(dropped, list) else -1
        shape = (int(start[-1]) + 1, gone)
        if gone < 0 or (sums is not None and getattr(sums, "shape", None) != shape):
            raise ModelFileError("The OneHotEncoder of the file dropped columns of no category.")

    def _tell_unknown(self, strange: list[int]) -> None:
        merged_too = self.handle_unknown == "warn" and any(self._unknown[j] >= 0 for j in strange)
        become = "the infrequent category" if merged_too else "all zeros"
        warnings.warn(
            f"Found unknown categories in columns {strange} during transform. These unknown "
            f"categories will be encoded as {become}",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.pieces import indicators

        made: list[Expression] = []
        for j, (column, known) in enumerate(zip(columns, self.categories_, strict=True)):
            # what is not known is refused by `transform`: then nothing can be said of the row
            other = None if self.handle_unknown == "error" else int(self._unknown[j])
            width = len(self._kept_labels[j])
            made += indicators(column, known, self._block[j], width, unknown=other)
        return made

    def inverse_transform(self, X: Any) -> NDArray[Any]:
        """The categories that give such rows.

        Rows of zeros give the dropped category where there is exactly one; None where unknown
        categories were allowed. With ``drop="rank"`` the dropped columns are computed from the
        kept ones, on which they depended in the rows of the fit; None where no category follows.

        Parameters
        ----------
        X : array-like or sparse array of shape (n, n_columns)
            Zeros and ones.

        Returns
        -------
        array of shape (n, n_features)
        """
        from stylobate.data import read_table

        self._check_fitted()
        x = read_table(X, owner=type(self).__name__, min_features=0).x
        if x.shape[1] != self._start[-1]:
            raise InvalidDataError(
                f"Shape of the passed X data is not correct. Expected {self._start[-1]} columns, "
                f"got {x.shape[1]}."
            )
        x = x.tocsc() if hasattr(x, "tocsc") else x
        again = getattr(self, "_dropped_from_kept", None)  # files of earlier versions have none
        ends = np.cumsum([len(gone) for gone in self._dropped_labels])
        out = []
        for j, labels in enumerate(self._kept_labels):
            block = x[:, self._start[j] : self._start[j + 1]]
            block = block.toarray() if hasattr(block, "toarray") else block
            gone = self._dropped_labels[j]
            if len(gone) > 1 and again is not None:
                sums = again[:, ends[j] - len(gone) : ends[j]]
                out.append(invert_dependent(block, x, sums, np.append(labels, gone)))
                continue
            tolerant = self.handle_unknown != "error" or len(gone) > 1
            out.append(invert_block(block, labels, gone, tolerant=tolerant))
        return np.column_stack(out)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names such as ``"colour_red"``.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the input columns; by default those seen at `fit`, else ``x0``, ``x1``, …

        Returns
        -------
        array of str objects
        """
        self._check_fitted()
        combine = self.feature_name_combiner
        names: list[str] = []
        for feature, labels in zip(
            input_names(self, input_features), self._kept_labels, strict=True
        ):
            for label in labels:
                name = f"{feature}_{label}" if isinstance(combine, str) else combine(feature, label)
                if not isinstance(name, str):
                    raise InvalidParameterError(
                        "When `feature_name_combiner` is a callable, it should return a Python "
                        f"string. Got {type(name)} instead."
                    )
                names.append(name)
        return np.array(names, dtype=object)
