"""What encoders of categories share: reading columns, finding categories, looking them up."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Indices
from stylobate.base import BaseEstimator, Tags, TransformerMixin
from stylobate.base.validation import compare_features, compare_frame_names, remember_features
from stylobate.data.coding import Coded, code_column, is_nan, positions
from stylobate.data.mixed_columns import MixedColumns, read_mixed_columns, refuse_infinite
from stylobate.exceptions import InvalidDataError
from stylobate.preprocessing.infrequent import infrequent_positions


class ColumnEncoder(TransformerMixin, BaseEstimator):
    """Root of the encoders of columns that may hold anything."""

    def _tags(self) -> Tags:
        return super()._tags().but(categorical=True, allow_nan=True)

    def _read_columns(self, X: Any, *, reset: bool) -> MixedColumns:
        if not reset:
            compare_frame_names(self, X)
        columns = read_mixed_columns(X, owner=type(self).__name__)
        if reset:
            remember_features(self, columns)  # type: ignore[arg-type]
        else:
            compare_features(self, columns)  # type: ignore[arg-type]
        refuse_infinite(columns, type(self).__name__)
        return columns


class CategoryEncoder(ColumnEncoder):
    """Root of the encoders of categories, column by column."""

    categories: Any
    categories_: list[NDArray[Any]]

    def _fit_categories(self, columns: MixedColumns, *, unknown_allowed: bool) -> list[Coded]:
        """Set ``categories_``; returns the columns coded by them, -1 for what is not listed."""
        coded = [code_column(column) for column in columns.values]
        if isinstance(self.categories, str):
            coded = [each.sorted() for each in coded]
            self.categories_ = [each.values for each in coded]
            return coded
        if len(self.categories) != columns.n_features:
            raise InvalidDataError(
                "Shape mismatch: if categories is an array, it has to be of shape (n_features,). "
                f"{type(self).__name__} got {len(self.categories)} for {columns.n_features} "
                "columns."
            )
        self.categories_ = [
            _given_categories(list(given), each, j)
            for j, (given, each) in enumerate(zip(self.categories, coded, strict=True))
        ]
        found = []
        for j, (each, known) in enumerate(zip(coded, self.categories_, strict=True)):
            place = positions(each.values, known)
            if not unknown_allowed:
                _refuse_unknown(each.values[place < 0], j, "fit")
            found.append(Coded(known, place[each.codes]))
        return found

    def _fit_infrequent(self, coded: list[Coded], n_rows: int) -> None:
        """Set ``_infrequent``: the rare categories of each column, or None."""
        least = getattr(self, "min_frequency", None)
        most = getattr(self, "max_categories", None)
        self._infrequent: list[NDArray[np.intp] | None] = [None] * len(coded)
        if least is None and most is None:
            return
        for j, each in enumerate(coded):
            known = each.codes[each.codes >= 0]
            counts = np.bincount(known, minlength=len(each.values))
            self._infrequent[j] = infrequent_positions(counts, n_rows, least, most)

    @property
    def infrequent_categories_(self) -> list[NDArray[Any] | None]:
        """The merged categories of each column; None where there are none."""
        self._check_fitted()
        return [
            None if rare is None else known[rare]
            for known, rare in zip(self.categories_, self._infrequent, strict=True)
        ]

    def _look_up(self, columns: MixedColumns, *, refuse: bool) -> list[tuple[Indices, Indices]]:
        """For each column the place of its distinct values (-1: unknown), and the rows' values."""
        found = []
        for j, (column, known) in enumerate(zip(columns.values, self.categories_, strict=True)):
            coded = code_column(column)
            place = positions(coded.values, known)
            if refuse:
                _refuse_unknown(coded.values[place < 0], j, "transform")
            found.append((place, coded.codes))
        return found


class OneReading(CategoryEncoder):
    """Encoders whose `fit_transform` need not look the categories up again."""

    def _fit(self, X: Any) -> tuple[MixedColumns, list[Coded]]:
        """What `fit` does; returns the columns and their codes, -1 for what is not listed."""
        raise NotImplementedError

    def _encode(self, columns: MixedColumns, found: list[tuple[Indices, Indices]]) -> Any:
        """The result for columns whose categories have been looked up."""
        raise NotImplementedError

    def fit_transform(self, X: Any, y: Any = None) -> Any:  # type: ignore[override]
        """Find the categories and encode the rows, which are read once.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        y : ignored
            For compatibility.

        Returns
        -------
        as `transform`
        """
        columns, coded = self._fit(X)
        return self._encode(columns, [_own(each) for each in coded])


def _own(coded: Coded) -> tuple[Indices, Indices]:
    """The column of the fit as `_look_up` would give it."""
    place = np.arange(len(coded.values))
    if (coded.codes < 0).any():
        place = np.append(place, -1)
    return place, coded.codes


def _refuse_unknown(unknown: NDArray[Any], column: int, when: str) -> None:
    if len(unknown):
        shown = ", ".join(map(repr, unknown[:5].tolist())) + (", …" if len(unknown) > 5 else "")
        raise InvalidDataError(
            f"Found unknown categories [{shown}] in column {column} during {when}; add them to "
            "categories, or choose another handle_unknown than 'error'."
        )


def _given_categories(given: list[Any], coded: Coded, column: int) -> NDArray[Any]:
    """The user's categories of one column as an array, checked."""
    numeric = all(isinstance(v, int | float | np.number | np.bool_) for v in given)
    known = np.array(given) if numeric and given else np.empty(len(given), dtype=object)
    if known.dtype == object:
        known[:] = given
    if len(np.unique(positions(known, known))) < len(known):
        raise InvalidDataError(
            f"In column {column}, the predefined categories contain duplicate elements."
        )
    if any(is_nan(value) for value in given[:-1]):
        raise InvalidDataError(
            "Nan should be the last element in user provided categories, see categories "
            f"{known} in column #{column}"
        )
    if numeric:
        rest = known[:-1] if given and is_nan(given[-1]) else known
        if (rest[1:] < rest[:-1]).any():
            raise InvalidDataError(
                "Unsorted categories are not supported for numerical categories; sort those of "
                f"column {column}."
            )
    return known
