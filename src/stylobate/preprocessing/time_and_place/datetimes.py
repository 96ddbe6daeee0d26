"""Dates as numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import Options, Tags
from stylobate.base.batches import first_batch
from stylobate.base.validation import input_names
from stylobate.data.coding import code_column
from stylobate.data.kinds.spellings import date_format, is_missing
from stylobate.data.mixed_columns import MixedColumns
from stylobate.data.streams import Batch, Stream
from stylobate.exceptions import InvalidDataError, InvalidParameterError, ModelFileError
from stylobate.preprocessing.encoding.allowed import Entries
from stylobate.preprocessing.encoding.categories import ColumnEncoder
from stylobate.preprocessing.time_and_place.dates import (
    CYCLES,
    PARTS,
    Moments,
    calendar,
    moments_of,
    seconds,
)
from stylobate.splits.value_numbers import numpy_of

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression

Extent = tuple[np.datetime64, bool]  # the first moment, and whether there are times of day
_LOOKED_AT = 200  # dates from which a format is told
_LARGEST = 1e11  # seconds, some three thousand years


class DatetimeEncoder(ColumnEncoder):
    """Columns of dates as calendar, cycles and elapsed time.

    Month, weekday and hour come as sine and cosine, so that December is next to January; `elapsed`
    counts days since the first moment of the fit. Missing dates stay missing (NaN).

    Parameters
    ----------
    parts : "auto" or list of str, default="auto"
        Among "year", "month", "day", "weekday", "hour", "is_weekend" and "elapsed"; "auto" takes
        all, "hour" only where there are times of day.

    Attributes
    ----------
    parts_ : list of tuples of str
        The parts of each column.
    formats_ : list of str or None
        How dates that are text are written.
    start_ : list of datetime64
        The first moment of each column.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> encoder = DatetimeEncoder(parts=["year", "month", "is_weekend"])
    >>> encoder.fit_transform([["2024-01-06"], ["2024-04-01"]]).round(3)
    array([[2.024e+03, 0.000e+00, 1.000e+00, 1.000e+00],
           [2.024e+03, 1.000e+00, 0.000e+00, 0.000e+00]])
    >>> encoder.get_feature_names_out(["day"]).tolist()
    ['day_year', 'day_month_sin', 'day_month_cos', 'day_is_weekend']
    """

    def __init__(
        self, *, parts: Annotated[str, Options("auto")] | Annotated[Any, Entries()] = "auto"
    ) -> None:
        self.parts = parts

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find formats, first moments and parts.

        Parameters
        ----------
        X : data frame or array-like of shape (n, n_features)
            Dates, text that names them, or seconds since 1970.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        chosen = self._chosen()
        columns = self._read_columns(X, reset=True)
        self.formats_ = [date_format(texts) for texts in _texts_of(columns)]
        found = [self._extent(column, j) for j, column in enumerate(columns.values)]
        self._store(chosen, found)
        return self

    def _tags(self) -> Tags:
        return super()._tags().but(tier="several passes")

    def _fit_stream(self, stream: Stream) -> Self:
        """Formats from as many dates as in memory, then the first moments by one pass."""
        self._check_parameters()
        chosen = self._chosen()
        self._read_columns(first_batch(stream, type(self).__name__).x, reset=True)
        texts = stream.reduced(self._texts_of_batch, _first_texts)
        assert texts is not None  # there is a first batch
        self.formats_ = [date_format(known[:_LOOKED_AT]) for known in texts]
        extents = stream.reduced(
            self._extents_of_batch,
            lambda known, new: [_wider(*both) for both in zip(known, new, strict=True)],
        )
        assert extents is not None
        self._store(chosen, extents)
        return self

    def _texts_of_batch(self, batch: Batch, first: int) -> list[list[str]]:
        """Dates that are text, as many of each column as are looked at, each once."""
        found = _texts_of(self._read_columns(batch.x, reset=False))
        return [list(dict.fromkeys(texts))[:_LOOKED_AT] for texts in found]

    def _extents_of_batch(self, batch: Batch, first: int) -> list[Extent]:
        columns = self._read_columns(batch.x, reset=False)
        return [self._extent(column, j) for j, column in enumerate(columns.values)]

    def _chosen(self) -> tuple[str, ...]:
        chosen = PARTS if isinstance(self.parts, str) else tuple(self.parts)
        strange = [part for part in chosen if part not in PARTS]
        if strange or not chosen:
            raise InvalidParameterError(
                f"DatetimeEncoder: parts must be among {', '.join(PARTS)}, got {self.parts!r}."
            )
        return chosen

    def _extent(self, column: Any, j: int) -> Extent:
        """The first moment of a column (NaT: none), and whether any has a time of day."""
        moments = self._moments(column, j)
        present = moments[~np.isnat(moments)]
        if len(present) == 0:
            return np.datetime64("NaT"), False
        return present.min(), bool((present != present.astype("datetime64[D]")).any())

    def _store(self, chosen: tuple[str, ...], found: list[Extent]) -> None:
        self.start_, self.parts_ = [], []
        for j, (start, timed) in enumerate(found):
            if np.isnat(start):
                raise InvalidDataError(
                    f"DatetimeEncoder: column {j} of X holds no date that can be read; write dates "
                    "as 2024-01-31, or convert them to a date type first."
                )
            keep = not isinstance(self.parts, str) or timed
            self.parts_.append(tuple(part for part in chosen if part != "hour" or keep))
            self.start_.append(start)

    def _moments(self, column: Any, j: int) -> Moments:
        if isinstance(column, np.ndarray) and column.dtype == object:
            numbers = [isinstance(v, int | float) for v in code_column(column).values.tolist()]
            column = column.astype(np.float64) if all(numbers) else column
        dtype = column.dtype
        plain = dtype.kind in "fiu" if isinstance(column, np.ndarray) else dtype.is_numeric()
        if not plain:
            return moments_of(column, self.formats_[j])
        counts = np.asarray(numpy_of(column), float)
        if (np.abs(counts) > _LARGEST).any():
            raise InvalidDataError(
                f"DatetimeEncoder: column {j} of X holds {np.nanmax(np.abs(counts)):g}; numbers "
                "are read as seconds since 1970 and must be smaller than 1e11."
            )
        ticks = np.where(np.isnan(counts), 0.0, counts * 1e6).astype(np.int64)
        moments = ticks.astype("datetime64[us]")
        moments[np.isnan(counts)] = np.datetime64("NaT")
        return moments

    def transform(self, X: Any) -> Any:
        """The parts of each date.

        Parameters
        ----------
        X : data frame or array-like of shape (n, n_features)
            Rows.

        Returns
        -------
        array or frame of shape (n, n_columns)
        """
        self._check_fitted()
        columns = self._read_columns(X, reset=False)
        out = []
        for j, column in enumerate(columns.values):
            moments = self._moments(column, j)
            missing = np.isnat(moments)
            filled = np.where(missing, self.start_[j], moments)
            for values in calendar(filled, self.parts_[j], self.start_[j]).values():
                out.append(np.where(missing, np.nan, values))
        return self._wrap(np.column_stack(out), columns)  # type: ignore[arg-type]

    def _check_loaded(self) -> None:
        """Refuse parts of a file that no date has."""
        if "parts_" not in vars(self):
            return
        lists = all(isinstance(each, list) for each in (self.parts_, self.start_, self.formats_))
        if (
            not lists
            or not len(self.parts_) == len(self.start_) == len(self.formats_) == self.n_features_in_
            or not all(isinstance(each, np.datetime64) for each in self.start_)
            or any(part not in PARTS for own in self.parts_ for part in _texts_in(own))
        ):
            raise ModelFileError("The DatetimeEncoder of the file has parts that no date has.")

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.calendar import calendar_parts
        from stylobate.formula.expressions import moment

        made: list[Expression] = []
        for column, form, parts, start in zip(
            columns, self.formats_, self.parts_, self.start_, strict=True
        ):
            made += calendar_parts(moment(column, form), parts, CYCLES, seconds(start))
        return made

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names such as ``"day_month_sin"``.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the input columns; by default those seen at `fit`, else ``x0``, ``x1``, …

        Returns
        -------
        array of str objects
        """
        self._check_fitted()
        none = np.empty(0, dtype="datetime64[us]")
        found = [
            f"{name}_{part}"
            for name, parts, start in zip(
                input_names(self, input_features), self.parts_, self.start_, strict=True
            )
            for part in calendar(none, parts, start)
        ]
        return np.array(found, dtype=object)


def _texts_in(parts: Any) -> list[Any]:
    """The parts of a date; what is no list of texts stands for no part."""
    texts = isinstance(parts, list | tuple) and all(isinstance(each, str) for each in parts)
    return list(parts) if texts else [None]


def _first_texts(one: list[list[str]], other: list[list[str]]) -> list[list[str]]:
    """The different texts of each column, as many as are looked at."""
    return [
        list(dict.fromkeys([*known, *new]))[:_LOOKED_AT]
        for known, new in zip(one, other, strict=True)
    ]


def _wider(one: Extent, other: Extent) -> Extent:
    """The extent of both parts' moments."""
    return np.fmin(one[0], other[0]), one[1] or other[1]


def _texts_of(columns: MixedColumns) -> list[list[str]]:
    """Different texts of each column, from which its format is told; none for dates by type."""
    return [_texts(column) for column in columns.values]


def _texts(column: Any) -> list[str]:
    kind = column.dtype
    if isinstance(column, np.ndarray) and kind.kind not in "OU":
        return []
    if not isinstance(column, np.ndarray) and (kind.is_numeric() or kind.is_temporal()):
        return []
    present = [str(v) for v in code_column(column).values.tolist() if not is_missing(v)]
    return present[:_LOOKED_AT]
