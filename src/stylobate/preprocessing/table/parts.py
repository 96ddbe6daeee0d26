"""How one column of a table becomes columns of numbers, by kind, and back."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data.coding import Coded, code_column, positions
from stylobate.data.kinds import Column
from stylobate.data.kinds.spellings import (
    COMMA,
    DIGIT_FORMATS,
    POINT,
    WORDS,
    is_clock,
    is_missing,
    missing_texts,
    number_of,
    number_pattern,
)
from stylobate.exceptions import FormulaError
from stylobate.preprocessing.encoding.infrequent import group_labels, infrequent_positions, merged
from stylobate.preprocessing.encoding.onehot_matrix import dense_ones, invert_block
from stylobate.preprocessing.encoding.target import TargetEncoder
from stylobate.preprocessing.table.loaded_parts import check_number, check_places
from stylobate.preprocessing.time_and_place.dates import (
    CYCLES,
    PARTS,
    calendar,
    moments_of,
    seconds,
)
from stylobate.preprocessing.time_and_place.places import EARTH_RADIUS, haversine, unit_sphere
from stylobate.splits import KFold
from stylobate.statistics.columns.value_counts import ValueCounts

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression

_ZERO = np.datetime64(0, "us")


class Part:
    """One column (or pair of coordinates) and the columns made of it."""

    names: list[str]
    n_columns: ClassVar[int] = 1  # of the table, that it reads
    typical: Any = None  # the median or the commonest value, of a pair both; None if not known

    def __init__(self, column: Column) -> None:
        self.column = column

    def fit(self, values: Any, y: Any) -> None:
        """Learn what is needed from the column of the fit."""

    def transform(self, values: Any) -> Array:
        """The columns made, without a missing value."""
        raise NotImplementedError

    def fit_transform(self, values: Any, y: Any) -> Array:
        """Both; means of the target are cross-fitted."""
        self.fit(values, y)
        return self.transform(values)

    def units(self) -> list[tuple[float, float]]:
        """What is subtracted from each of the columns made, and what it is then divided by."""
        return [(0.0, 1.0)] * len(self.names)

    def invert(self, block: Array) -> NDArray[Any] | None:
        """The column that gives such columns; None if that cannot be known."""
        return None

    def formula(self, columns: list[Expression]) -> list[Expression]:
        """The columns made, as formulas."""
        raise FormulaError(
            f"TableEncoder: the column {self.column.name!r} ({self.column.kind}) has no formula in "
            "SQL or ONNX; leave it out, or make numbers of it first."
        )


class NumberPart(Part):
    """Numbers, also those of two values or of steps: the median for missing ones, and a mark."""

    def _check_loaded(self) -> None:
        check_number(self)

    def __init__(self, column: Column, *, scale: bool, mark: bool, keep: bool = False) -> None:
        super().__init__(column)
        self.scale, self.mark, self.keep = scale, mark, keep
        self.steps: NDArray[Any] | None = None

    def fit(self, values: Any, y: Any) -> None:
        self.steps = self._steps_of(values)
        numbers = self._read(values)
        missing = np.isnan(numbers)
        present = numbers[~missing]
        center, spread = 0.0, 1.0
        if self.scaled and len(present):
            center, spread = float(present.mean()), float(present.std())
        middle = float(np.median(present)) if len(present) else 0.0
        self.learn(middle, center, spread, missing=bool(missing.any()))

    @property
    def scaled(self) -> bool:
        return self.scale and self.column.kind != "binary"

    def learn(self, middle: float, center: float, spread: float, *, missing: bool) -> None:
        """Learn from the median of the numbers, their mean and deviation."""
        self.fill = np.nan if self.keep else middle
        self.typical = middle if self.steps is None else self.steps.tolist()[int(middle)]
        self.mark = self.mark and missing
        self.center, self.spread = (center, spread or 1.0) if self.scaled else (0.0, 1.0)
        name = self.column.name
        if self.column.kind == "binary" and self.steps is not None:
            name = f"{name}_{self.steps[-1]}"
        self.names = [name] + [f"{self.column.name}_missing"] * self.mark

    def units(self) -> list[tuple[float, float]]:
        return [(self.center, self.spread)] + [(0.0, 1.0)] * self.mark

    def _steps_of(self, values: Any) -> NDArray[Any] | None:
        """The values in order, if they are not numbers themselves."""
        if self.column.kind == "numeric" or self.column.notation:
            return None
        if self.column.order is not None:
            return np.array(self.column.order, dtype=object)
        coded = _with_nan(code_column(values), self.column)
        known = coded.values
        if known.dtype.kind != "O":
            numeric = self.column.kind == "ordinal" or set(known.tolist()) <= {0, 1}
            return None if numeric else np.sort(known[~_missing(known)])
        known = known[~_missing(known)]
        if all(isinstance(v, int | float) for v in known):
            return None if self.column.kind == "ordinal" else np.sort(known)
        return np.array(sorted(known.tolist(), key=str), dtype=object)

    def _read(self, values: Any) -> Array:
        if self.steps is not None:
            coded = _with_nan(code_column(values), self.column)
            place = positions(coded.values, self.steps).astype(np.float64)
            return np.where(place < 0, np.nan, place)[coded.codes]
        return numbers_of(values, self.column.notation or POINT)

    def transform(self, values: Any) -> Array:
        numbers = self._read(values)
        missing = np.isnan(numbers)
        numbers = np.where(missing, self.fill, numbers)
        out = (numbers - self.center) / self.spread
        return np.column_stack([out, missing] if self.mark else [out])

    def formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.expressions import Filled, Named
        from stylobate.formula.pieces import marked_missing, shifted

        held = Named(f"{self.column.name}_number", self._value(columns))
        present = held if self.keep else Filled(held, self.fill)
        made = [shifted(present, self.center, self.spread)]
        return made + [marked_missing(held)] * self.mark

    def _value(self, columns: list[Expression]) -> Expression:
        """The number, NULL where it is missing."""
        from stylobate.formula.expressions import amount, lookup, number

        if self.steps is not None:
            steps = [(key, float(place)) for place, key in enumerate(self.steps.tolist())]
            return lookup(_cleaned(columns[0], self.column.missing), steps)
        if self.column.notation:
            notation = self.column.notation
            return amount(columns[0], number_pattern(notation), comma=notation == COMMA)
        return number(columns[0])

    def invert(self, block: Array) -> NDArray[Any] | None:
        numbers = block[:, 0] * self.spread + self.center
        missing = block[:, 1] > 0.5 if self.mark else np.isnan(numbers)
        if self.steps is None:
            return np.where(missing, np.nan, numbers)
        place = np.clip(np.rint(np.nan_to_num(numbers)), 0, len(self.steps) - 1).astype(np.intp)
        out = self.steps[place].astype(object)
        out[missing] = np.nan
        return out


class CategoryPart(Part):
    """Zeros and ones for each category; rare ones share a column."""

    def _check_loaded(self) -> None:
        check_places(self, "i", -1, len(self.labels) if "labels" in vars(self) else 0)

    def __init__(self, column: Column, *, max_categories: int) -> None:
        super().__init__(column)
        self.max_categories = max_categories

    def fit(self, values: Any, y: Any) -> None:
        self.learn(Tally.of(values, self.column))

    def learn(self, tally: Tally) -> None:
        """Learn from the values and how often each occurs."""
        self.known = tally.values
        self.typical = tally.commonest()
        most = self.max_categories if len(self.known) > self.max_categories else None
        rare = infrequent_positions(tally.counts, int(tally.counts.sum()), None, most)
        groups = merged(len(self.known), rare)
        self.labels = group_labels(self.known, rare)
        self.place = np.append(groups, -1 if rare is None else groups.max())
        own = "(missing)" if "missing" in self.labels.tolist() else "missing"
        shown = [own if _missing_one(v) else v for v in self.labels]
        if rare is not None:
            shown[-1], self.labels[-1] = "rare", None  # which of them cannot be known again
        self.names = [f"{self.column.name}_{label}" for label in shown]

    def transform(self, values: Any) -> Array:
        coded = _with_nan(code_column(values), self.column)
        at = self.place[positions(coded.values, self.known)][coded.codes]
        return np.asarray(
            dense_ones(at[:, None], (len(at), len(self.labels)), np.dtype(np.float64))
        )

    def formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.pieces import indicators

        places, width, other = self.place[:-1], len(self.labels), int(self.place[-1])
        return indicators(
            _cleaned(columns[0], self.column.missing), self.known, places, width, unknown=other
        )

    def invert(self, block: Array) -> NDArray[Any]:
        return invert_block(block, self.labels, self.labels[:0], tolerant=True)


class CodePart(Part):
    """The number of the category, NaN for what is missing or unseen; rare ones share a number."""

    most = 255  # what a histogram of categories holds

    def _check_loaded(self) -> None:
        check_places(self, "f", -np.inf, np.inf)

    def fit(self, values: Any, y: Any) -> None:
        self.learn(Tally.of(values, self.column))

    def learn(self, tally: Tally) -> None:
        """Learn from the values and how often each occurs."""
        present = ~_missing(tally.values)
        self.known = tally.values[present]
        self.typical = tally.commonest()
        counts = tally.counts[present]
        most = self.most if len(self.known) > self.most else None
        rare = infrequent_positions(counts, int(counts.sum()), None, most)
        # the last place is that of values not seen, which positions() calls -1
        self.place = np.append(merged(len(self.known), rare).astype(np.float64), np.nan)
        self.labels = group_labels(self.known, rare)
        self.names = [self.column.name]

    def transform(self, values: Any) -> Array:
        coded = _with_nan(code_column(values), self.column)
        return self.place[positions(coded.values, self.known)][coded.codes].reshape(-1, 1)

    def formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.expressions import known_number, lookup

        keys, places = self.known.tolist(), self.place[:-1]
        codes = [(key, known_number(n)) for key, n in zip(keys, places, strict=True)]
        return [
            lookup(_cleaned(columns[0], self.column.missing), codes, default=None, missing=None)
        ]

    def invert(self, block: Array) -> NDArray[Any]:
        codes = block[:, 0]
        gone = np.isnan(codes)
        out = np.full(len(codes), None, dtype=object)
        at = np.clip(np.rint(codes[~gone]), 0, len(self.labels) - 1).astype(np.intp)
        out[~gone] = np.asarray(self.labels, dtype=object)[at]
        return out


class TargetPart(Part):
    """The cross-fitted mean of the target for each of many categories."""

    def __init__(self, column: Column, target_type: str = "auto", *, scale: bool = False) -> None:
        super().__init__(column)
        self.target_type, self.scale = target_type, scale

    def fit(self, values: Any, y: Any) -> None:
        self.fit_transform(values, y)

    def fit_transform(self, values: Any, y: Any) -> Array:
        several = self.target_type == "multiclass"  # of which the rarest may have too few rows
        folds: Any = KFold(5, shuffle=True, random_state=0) if several else 5
        self.encoder = TargetEncoder(target_type=self.target_type, cv=folds, random_state=0)
        self.typical = Tally.of(values, self.column).commonest()
        out = np.asarray(self.encoder.fit_transform(self._column(values), y))
        self.names = [f"{n}_mean" for n in self.encoder.get_feature_names_out([self.column.name])]
        self.center, self.spread = _standard(out.T, self.scale)
        return (out - self.center) / self.spread

    def transform(self, values: Any) -> Array:
        means = np.asarray(self.encoder.transform(self._column(values)))
        return (means - self.center) / self.spread

    def units(self) -> list[tuple[float, float]]:
        return [*zip(self.center.tolist(), self.spread.tolist(), strict=True)]

    def formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.pieces import scaled

        made: list[Expression] = self.encoder._formula([_cleaned(columns[0], self.column.missing)])
        return scaled(made, self.center, self.spread)

    def _column(self, values: Any) -> NDArray[Any]:
        coded = _with_nan(code_column(values), self.column)
        return coded.values.astype(object)[coded.codes].reshape(-1, 1)


class DatePart(Part):
    """Calendar, cycles and days since the first moment; scaled as numbers are."""

    def __init__(self, column: Column, *, scale: bool = False) -> None:
        super().__init__(column)
        self.scale = scale

    def fit(self, values: Any, y: Any) -> None:
        moments = moments_of(values, self.column.notation)
        present = np.sort(moments[~np.isnat(moments)])
        ends = (present[0], present[len(present) // 2]) if len(present) else (_ZERO, _ZERO)
        hours = (present - present.astype("datetime64[D]")).astype(np.int64).any()
        self.learn(*ends, hours=bool(hours), missing=bool(np.isnat(moments).any()))
        made = calendar(present, self.parts, self.start)
        self.center, self.spread = _standard(made.values(), self.scale and len(present) > 0)

    def learn(
        self, start: np.datetime64, middle: np.datetime64, *, hours: bool, missing: bool
    ) -> None:
        """Learn from the first and the middle moment; units are left as they are."""
        self.start = start
        self.fill = self.typical = middle
        self.parts = tuple(part for part in PARTS if part != "hour" or hours)
        if is_clock(self.column.notation):  # which has no calendar
            self.parts = ("hour", "elapsed")
        self.mark = missing
        made = calendar(np.array([start]), self.parts, start)
        self.center, self.spread = np.zeros(len(made)), np.ones(len(made))
        self.names = [f"{self.column.name}_{part}" for part in made]
        self.names += [f"{self.column.name}_missing"] * self.mark

    def transform(self, values: Any) -> Array:
        moments = moments_of(values, self.column.notation)
        missing = np.isnat(moments)
        made = calendar(np.where(missing, self.fill, moments), self.parts, self.start)
        scaled = (np.column_stack([*made.values()]) - self.center) / self.spread
        return np.column_stack([scaled] + [missing.astype(float)] * self.mark)

    def units(self) -> list[tuple[float, float]]:
        pairs = zip(self.center.tolist(), self.spread.tolist(), strict=True)
        return [*pairs] + [(0.0, 1.0)] * self.mark

    def formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.calendar import calendar_parts
        from stylobate.formula.expressions import Filled
        from stylobate.formula.pieces import marked_missing, scaled

        held = moment_of(columns[0], self.column)
        filled = Filled(held, seconds(self.fill))
        made = calendar_parts(filled, self.parts, CYCLES, seconds(self.start))
        return [*scaled(made, self.center, self.spread), *[marked_missing(held)] * self.mark]


class PlacePart(Part):
    """A pair of coordinates on the unit sphere, and distances to given points."""

    n_columns = 2

    def __init__(self, column: Column, points: Any, *, scale: bool = False) -> None:
        super().__init__(column)
        self.scale = scale
        self.points = [] if points is None else [(float(a), float(b)) for a, b in points]

    def fit(self, values: Any, y: Any) -> None:
        north, east = (numbers_of(each) for each in values)
        known = ~(np.isnan(north) | np.isnan(east))
        middle = np.median([north[known], east[known]], axis=1) if known.any() else np.zeros(2)
        self.learn(float(middle[0]), float(middle[1]))
        made = self._made(north[known], east[known])
        self.center, self.spread = _standard(made.T, self.scale and bool(known.any()))

    def learn(self, north: float, east: float) -> None:
        """Learn from the middle of the places; units are left as they are."""
        self.fill = self.typical = (north, east)
        stem = f"{self.column.name}_{self.column.partner}"
        self.names = [f"{stem}_{axis}" for axis in "xyz"]
        self.names += [f"{stem}_km_to_{a:g}_{b:g}" for a, b in self.points]
        self.center, self.spread = np.zeros(len(self.names)), np.ones(len(self.names))

    def _made(self, north: Array, east: Array) -> Array:
        distances = [haversine(north, east, point) for point in self.points]
        return np.column_stack([unit_sphere(north, east), *distances])

    def transform(self, values: Any) -> Array:
        north, east = (numbers_of(each) for each in values)
        missing = np.isnan(north) | np.isnan(east)
        north, east = (
            np.where(missing, fill, each)
            for each, fill in zip((north, east), self.fill, strict=True)
        )
        return np.asarray((self._made(north, east) - self.center) / self.spread)

    def units(self) -> list[tuple[float, float]]:
        return [*zip(self.center.tolist(), self.spread.tolist(), strict=True)]

    def formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.pieces import both_or, scaled
        from stylobate.formula.places import on_the_globe

        north, east = both_or(columns[0], columns[1], *self.fill)
        made = on_the_globe(north, east, self.points, EARTH_RADIUS)
        return scaled(made, self.center, self.spread)


class HashPart(Part):
    """How often the words of a text fall into each of a few drawers."""

    def __init__(self, column: Column, n_hashed: int) -> None:
        super().__init__(column)
        self.names = [f"{column.name}_hash{k}" for k in range(n_hashed)]

    def transform(self, values: Any) -> Array:
        coded = code_column(values)
        counts = np.zeros((len(coded.values), len(self.names)))
        for row, text in zip(counts, coded.values.tolist(), strict=True):
            if not is_missing(text, self.column.missing):
                for word in str(text).lower().split():
                    row[zlib.crc32(word.encode()) % len(row)] += 1.0
        return counts[coded.codes]

    def formula(self, columns: list[Expression]) -> list[Expression]:
        raise FormulaError(
            f"TableEncoder: the words of {self.column.name!r} are counted by a hash that neither "
            "databases nor ONNX compute; leave the column out (text='drop') to have a formula."
        )


def _standard(columns: Iterable[Any], scale: bool) -> tuple[Array, Array]:
    """Means and spreads to scale columns by; 0 and 1 where they are left as they are."""
    table = [np.asarray(column, dtype=np.float64) for column in columns]
    if not scale:
        return np.zeros(len(table)), np.ones(len(table))
    spreads = np.array([float(column.std()) for column in table])
    return np.array([float(column.mean()) for column in table]), np.where(spreads > 0, spreads, 1.0)


def _cleaned(column: Expression, words: str) -> Expression:
    """A column of texts without spaces around them, missing in the spellings of the fit."""
    from stylobate.formula.expressions import Column as Input

    if not isinstance(column, Input):
        return column
    return replace(column, absent=missing_texts(words), exact=words != WORDS)


def moment_of(expression: Expression, column: Column) -> Expression:
    """A column of dates as seconds since 1970, as a formula."""
    from stylobate.formula.expressions import Named, moment

    if column.notation in DIGIT_FORMATS:
        raise FormulaError(
            f"TableEncoder: {column.name!r} writes dates as digits without separators "
            f"({column.notation}), which has no formula; store them as dates first."
        )
    read = moment(_cleaned(expression, WORDS), column.notation)
    return Named(f"{column.name}_seconds", read)


def numbers_of(values: Any, notation: str = POINT) -> Array:
    """A column as numbers; NaN for what is missing or none."""
    is_array = isinstance(values, np.ndarray)
    if is_array and values.dtype.kind in "fiub":
        return np.asarray(values, dtype=np.float64)
    coded = code_column(values)
    if coded.values.dtype.kind in "fiub":
        return coded.values.astype(np.float64)[coded.codes]
    found = [
        np.nan if is_missing(value) else number_of(value, notation)
        for value in coded.values.tolist()
    ]
    return np.array(found, dtype=np.float64)[coded.codes]


def _with_nan(coded: Coded, column: Column) -> Coded:
    """Missing values in any spelling of the column as NaN, text without spaces around it."""
    if coded.values.dtype.kind not in "OU":
        return coded
    cleaned = np.empty(len(coded.values), dtype=object)
    cleaned[:] = [
        np.nan if is_missing(v, column.missing) else v.strip() if isinstance(v, str) else v
        for v in coded.values.tolist()
    ]
    again = code_column(cleaned)
    return Coded(again.values, again.codes[coded.codes])


def _ordered(coded: Coded) -> Coded:
    """Sorted; values of several types by their text."""
    if len({type(v) for v in coded.values.tolist() if not _missing_one(v)}) < 2:
        return coded.sorted()
    order = sorted(range(len(coded.values)), key=lambda i: str(coded.values[i]))
    number = np.empty(len(order), dtype=np.intp)
    number[order] = np.arange(len(order))
    return Coded(coded.values[order], number[coded.codes])


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """The values of a column in order, missing ones as NaN, and how often each occurs."""

    values: NDArray[Any]
    counts: NDArray[Any]

    @classmethod
    def of(cls, values: Any, column: Column) -> Tally:
        """Of a column."""
        coded = _ordered(_with_nan(code_column(values), column))
        return cls(coded.values, coded.counts())

    @classmethod
    def of_counts(cls, found: ValueCounts, column: Column) -> Tally:
        """Of different values and their counts."""
        single = Coded(found.values, np.arange(len(found.values)))
        coded = _ordered(_with_nan(single, column))
        counts = np.zeros(len(coded.values), dtype=np.int64)
        np.add.at(counts, coded.codes, found.counts)
        return cls(coded.values, counts)

    def commonest(self) -> Any:
        """The value that occurs most often, the first of several; None where all are missing."""
        counts = np.where(_missing(self.values), 0, self.counts)
        return self.values.tolist()[int(counts.argmax())] if counts.any() else None


def _missing(values: NDArray[Any]) -> NDArray[np.bool_]:
    return np.array([_missing_one(value) for value in values.tolist()], dtype=bool)


def _missing_one(value: Any) -> bool:
    return value is None or bool(value != value)
