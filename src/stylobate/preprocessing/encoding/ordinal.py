"""Categories as whole numbers."""

from __future__ import annotations

from math import inf, nan
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Indices, Integers
from stylobate.base import Interval, Options
from stylobate.base.constraints import is_number
from stylobate.data.coding import Coded, has_nan, is_nan
from stylobate.data.mixed_columns import MixedColumns
from stylobate.exceptions import InvalidDataError, InvalidParameterError, ModelFileError
from stylobate.preprocessing.encoding.allowed import Entries, MissingNumber, NumberType
from stylobate.preprocessing.encoding.categories import OneReading
from stylobate.preprocessing.encoding.infrequent import group_labels, merged

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression


class OrdinalEncoder(OneReading):
    """Each category as its number in order: 0, 1, 2, …

    Parameters
    ----------
    categories : "auto" or list of array-like, default="auto"
        The categories of each column: those seen, sorted, or as given, in the order they mean.
    dtype : dtype of numbers, default=numpy.float64
        Of the output.
    handle_unknown : {"error", "use_encoded_value"}, default="error"
        For categories not seen: refuse, or `unknown_value`.
    unknown_value : int, NaN or None, default=None
        The number of unknown categories, one that no category has.
    encoded_missing_value : int or NaN, default=NaN
        The number of missing values.
    min_frequency : int in [1, inf), float in (0, 1) or None, default=None
        Categories of fewer rows (or a smaller share of them) get one number, the last.
    max_categories : int in [1, inf) or None, default=None
        At most that many numbers for each feature, missing and unknown values not counted.

    Attributes
    ----------
    categories_ : list of arrays
        Categories of each column.
    infrequent_categories_ : list of arrays or None
        The merged categories of each column.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> encoder = OrdinalEncoder(categories=[["low", "middle", "high"]])
    >>> encoder.fit_transform([["high"], ["low"]])
    array([[2.],
           [0.]])
    """

    _answers_may_be_missing = True  # unknown and missing categories may be told by NaN

    def __init__(
        self,
        *,
        categories: Annotated[str, Options("auto")] | Annotated[Any, Entries()] = "auto",
        dtype: Annotated[Any, NumberType()] = np.float64,
        handle_unknown: Annotated[str, Options("error", "use_encoded_value")] = "error",
        unknown_value: int | Annotated[float, MissingNumber()] | None = None,
        encoded_missing_value: int | Annotated[float, MissingNumber()] = nan,
        min_frequency: Annotated[int, Interval(1, inf)]
        | Annotated[float, Interval(0, 1, closed="neither")]
        | None = None,
        max_categories: Annotated[int, Interval(1, inf)] | None = None,
    ) -> None:
        self.categories = categories
        self.dtype = dtype
        self.handle_unknown = handle_unknown
        self.unknown_value = unknown_value
        self.encoded_missing_value = encoded_missing_value
        self.min_frequency = min_frequency
        self.max_categories = max_categories

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

    def _check_parameters(self) -> None:
        super()._check_parameters()
        self._check_unknown_value()

    def _settle(
        self, coded: list[Coded], n_rows: int, counts: list[Integers] | None = None
    ) -> None:
        present = [_without_missing(each) for each in coded]
        self._fit_infrequent(present, n_rows, counts)
        self._numbers = []
        for j, each in enumerate(present):
            groups = merged(len(each.values), self._infrequent[j])
            missing = [self.encoded_missing_value] * (len(self.categories_[j]) - len(groups))
            self._numbers.append(np.append(groups.astype(float), np.array(missing, dtype=float)))
        self._check_numbers()

    def _check_unknown_value(self) -> None:
        value = self.unknown_value
        if self.handle_unknown == "error":
            if value is not None:
                raise InvalidParameterError(
                    "OrdinalEncoder: unknown_value should only be set when handle_unknown is "
                    f"'use_encoded_value', got {value}."
                )
        elif value is None:
            raise InvalidParameterError(
                "OrdinalEncoder: unknown_value should be an integer or np.nan when handle_unknown "
                f"is 'use_encoded_value', got {value}."
            )
        elif not is_number(value) or (value != value and np.dtype(self.dtype).kind != "f"):
            raise InvalidParameterError(
                "OrdinalEncoder: When unknown_value is np.nan, the dtype parameter should be a "
                f"float dtype. Got {self.dtype}."
            )

    def _check_numbers(self) -> None:
        """The numbers of missing and unknown values must be nobody else's."""
        sizes = [
            len(group_labels(known[: _size(known)], rare))
            for known, rare in zip(self.categories_, self._infrequent, strict=True)
        ]
        unknown, missing = self.unknown_value, self.encoded_missing_value
        if unknown is not None and any(0 <= unknown < size for size in sizes):
            raise InvalidDataError(
                f"The used value for unknown_value {unknown} is one of the values already used "
                "for encoding the seen categories."
            )
        lacking = [j for j, known in enumerate(self.categories_) if has_nan(known)]
        if lacking and np.dtype(self.dtype).kind != "f" and missing != missing:
            raise InvalidDataError(
                f"There are missing values in features {self._named(lacking)}. For OrdinalEncoder "
                f"to encode missing values with dtype: {self.dtype}, set encoded_missing_value to "
                "a non-nan value, or set dtype to a float dtype"
            )
        taken = [j for j in lacking if 0 <= missing < sizes[j]]
        if taken:
            raise InvalidDataError(
                f"encoded_missing_value ({missing}) is already used to encode a known category in "
                f"features: {self._named(taken)}"
            )

    def _named(self, places: list[int]) -> list[Any]:
        names = getattr(self, "feature_names_in_", None)
        return places if names is None else [str(names[j]) for j in places]

    def transform(self, X: Any) -> Any:
        """The numbers of the categories.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array or frame of shape (n, n_features)
        """
        self._check_fitted()
        columns = self._read_columns(X, reset=False)
        return self._encode(columns, self._look_up(columns, refuse=self.handle_unknown == "error"))

    def _check_loaded(self) -> None:
        """Refuse numbers of a file that are not those of the categories."""
        if "_numbers" in vars(self) and [len(each) for each in self._numbers] != [
            len(each) for each in self.categories_
        ]:
            raise ModelFileError(
                "The OrdinalEncoder of the file has no number for each of its categories."
            )

    def _encode(self, columns: MixedColumns, found: list[tuple[Indices, Indices]]) -> Any:
        out = np.empty((columns.n_rows, columns.n_features), dtype=self.dtype)
        unknown = nan if self.unknown_value is None else float(self.unknown_value)
        for j, (place, codes) in enumerate(found):
            numbers = np.append(self._numbers[j], unknown)[place]  # -1 takes the last
            out[:, j] = numbers.astype(self.dtype)[codes]
        return self._wrap(out, columns)  # type: ignore[arg-type]

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.expressions import known_number, lookup

        other = None if self.unknown_value is None else known_number(self.unknown_value)
        return [
            lookup(
                column,
                [(key, known_number(n)) for key, n in zip(known, numbers, strict=True)],
                default=other,
                missing=other,
            )
            for column, known, numbers in zip(columns, self.categories_, self._numbers, strict=True)
        ]

    def inverse_transform(self, X: Any) -> NDArray[Any]:
        """The categories of such numbers; unknown ones are None.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Numbers `transform` gives.

        Returns
        -------
        array of shape (n, n_features)
        """
        from stylobate.data import read_table

        self._check_fitted()
        table = read_table(X, owner=type(self).__name__, check_finite="allow-nan")
        if table.n_features != len(self.categories_):
            raise InvalidDataError(
                f"Shape of the passed X data is not correct. Expected {len(self.categories_)} "
                f"columns, got {table.n_features}."
            )
        out = [self._invert(np.asarray(column), j) for j, column in enumerate(table.x.T)]
        return np.column_stack(out)

    def _invert(self, numbers: NDArray[Any], j: int) -> NDArray[Any]:
        known = self.categories_[j]
        labels = group_labels(known[: _size(known)], self._infrequent[j])
        missing = _equal(numbers, self.encoded_missing_value) & has_nan(known)
        unknown = np.zeros(len(numbers), dtype=bool)
        if self.unknown_value is not None:
            unknown = _equal(numbers, self.unknown_value) & ~missing
        ordinary = ~(missing | unknown)
        code = np.where(ordinary, numbers, 0)
        wrong = ordinary & ~((code >= 0) & (code < len(labels)))
        if wrong.any():
            row = int(np.argmax(wrong))
            raise InvalidDataError(
                f"OrdinalEncoder: X holds {numbers[row]:g} at row {row}, column {j}, which is the "
                f"number of no category; there are {len(labels)}."
            )
        out = np.full(len(numbers), nan, dtype=known.dtype if known.dtype.kind in "fO" else object)
        if len(labels):
            found = labels[code.astype(np.intp)]
            out = np.where(missing, nan, found) if missing.any() else found
            if known.dtype.kind == "O" or labels.dtype.kind == "O":
                out = found.astype(object)
                out[missing] = nan
        if unknown.any():
            out = out.astype(object)
            out[unknown] = None
        return out


def _without_missing(coded: Coded) -> Coded:
    """The column with -1 for missing values, which are not counted among the categories."""
    size = _size(coded.values)
    if size == len(coded.values):
        return coded
    return Coded(coded.values[:size], np.where(coded.codes >= size, -1, coded.codes))


def _size(known: NDArray[Any]) -> int:
    """How many categories there are besides NaN."""
    return len(known) - has_nan(known)


def _equal(numbers: NDArray[Any], value: Any) -> NDArray[np.bool_]:
    return np.asarray(np.isnan(numbers) if is_nan(float(value)) else numbers == value)
