"""What encoders of categories share: reading columns, finding categories, looking them up."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Indices, Integers
from stylobate.base import BaseEstimator, Tags, TransformerMixin
from stylobate.base.batches import first_batch
from stylobate.base.validation import compare_features, compare_frame_names, remember_features
from stylobate.data.coding import Coded, code_column, is_nan, positions
from stylobate.data.mixed_columns import MixedColumns, read_mixed_columns, refuse_infinite
from stylobate.data.streams import Batch, Stream
from stylobate.exceptions import InvalidDataError
from stylobate.preprocessing.encoding.infrequent import infrequent_positions
from stylobate.statistics.columns.value_counts import ValueCounts


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
        return self._settle_categories(coded, unknown_allowed=unknown_allowed)

    def _settle_categories(self, coded: list[Coded], *, unknown_allowed: bool) -> list[Coded]:
        """The same from columns whose values are numbered."""
        if isinstance(self.categories, str):
            coded = [each.sorted() for each in coded]
            self.categories_ = [each.values for each in coded]
            return coded
        if len(self.categories) != len(coded):
            raise InvalidDataError(
                "Shape mismatch: if categories is an array, it has to be of shape (n_features,). "
                f"{type(self).__name__} got {len(self.categories)} for {len(coded)} columns."
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

    def _tallied(self, stream: Stream) -> tuple[list[ValueCounts], int]:
        """The values of each column of a stream with their counts, and its rows, by one pass."""
        owner = type(self).__name__
        self._read_columns(first_batch(stream, owner).x, reset=True)

        def tallied(batch: Batch, first: int) -> tuple[list[ValueCounts], int]:
            columns = self._read_columns(batch.x, reset=False)
            return [ValueCounts.of(column) for column in columns.values], columns.n_rows

        found = stream.reduced(tallied, _both_tallies)
        assert found is not None  # there is a first batch
        return found

    def _fit_infrequent(
        self, coded: list[Coded], n_rows: int, counts: list[Integers] | None = None
    ) -> None:
        """Set ``_infrequent``: the rare categories of each column, or None.

        `counts`: how often each code stands for a row, if not once.
        """
        least = getattr(self, "min_frequency", None)
        most = getattr(self, "max_categories", None)
        self._infrequent: list[NDArray[np.intp] | None] = [None] * len(coded)
        if least is None and most is None:
            return
        for j, each in enumerate(coded):
            known = each.codes >= 0
            times = None if counts is None else counts[j][known]
            found = np.bincount(each.codes[known], times, minlength=len(each.values))
            self._infrequent[j] = infrequent_positions(found, n_rows, least, most)

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


def _both_tallies(
    one: tuple[list[ValueCounts], int], other: tuple[list[ValueCounts], int]
) -> tuple[list[ValueCounts], int]:
    pairs = zip(one[0], other[0], strict=True)
    return [known.merge(new) for known, new in pairs], one[1] + other[1]


class OneReading(CategoryEncoder):
    """Encoders whose `fit_transform` need not look the categories up again."""

    handle_unknown: str

    def _fit(self, X: Any) -> tuple[MixedColumns, list[Coded]]:
        """What `fit` does; returns the columns and their codes, -1 for what is not listed."""
        self._check_parameters()
        columns = self._read_columns(X, reset=True)
        coded = self._fit_categories(columns, unknown_allowed=self.handle_unknown != "error")
        self._settle(coded, columns.n_rows)
        return columns, coded

    def _settle(
        self, coded: list[Coded], n_rows: int, counts: list[Integers] | None = None
    ) -> None:
        """Learn from columns coded by ``categories_``; `counts` as for `_fit_infrequent`."""
        raise NotImplementedError

    def _tags(self) -> Tags:
        return super()._tags().but(tier="one pass")

    def _fit_stream(self, stream: Stream) -> Self:
        """Categories and their counts settle everything: one pass."""
        self._check_parameters()
        tally, n_rows = self._tallied(stream)
        coded = [Coded(each.values, np.arange(len(each.values))) for each in tally]
        coded = self._settle_categories(coded, unknown_allowed=self.handle_unknown != "error")
        self._settle(coded, n_rows, [each.counts for each in tally])
        return self

    def _encode(self, columns: MixedColumns, found: list[tuple[Indices, Indices]]) -> Any:
        """The result for columns whose categories have been looked up."""
        raise NotImplementedError

    def fit_transform(self, X: Any, y: Any = None) -> Any:
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
