"""Everything one pass tells about a column: moments, quantiles, values, lengths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.data.arrow_types import type_of
from stylobate.exceptions import InvalidDataError
from stylobate.statistics.columns.text_lengths import TextLengths
from stylobate.statistics.moments.higher_moments import HigherMoments
from stylobate.statistics.sketches.distinct_count import DistinctCount
from stylobate.statistics.sketches.frequent_values import FrequentValues
from stylobate.statistics.sketches.quantile_sketch import QuantileSketch
from stylobate.statistics.sketches.sketching import (
    DISTINCT_BITS,
    QUANTILE_SIZE,
    VALUE_LIMIT,
    common_kind,
    names_as_numbers,
    names_from,
    sketched,
)

_PARTS: dict[str, Any] = {
    "moments": HigherMoments,
    "quantiles": QuantileSketch,
    "distinct": DistinctCount,
    "frequent": FrequentValues,
    "lengths": TextLengths,
}


@dataclass(frozen=True, slots=True, eq=False)
class ColumnSummary:
    """What is known of a column after one pass; parts of it merge.

    Parameters
    ----------
    name : str
        The column's name.
    kind : {"none", "boolean", "whole", "natural", "real", "text"}
        What its cells are; "none" where no cell has a type (null columns, lists, structs).
    form : str
        Arrow's name of the type.
    n_rows, missing : int
        Cells, and those that are missing, NaN included.
    moments : HigherMoments
        Of numbers; dates count units since 1970.
    quantiles : QuantileSketch
        Of numbers and dates.
    distinct : DistinctCount
        Of values of any type.
    frequent : FrequentValues
        Of values of any type.
    lengths : TextLengths
        Of texts.

    Examples
    --------
    >>> summary = ColumnSummary.of(np.array([1.0, 2.0, np.nan, 6.0]), "age")
    >>> summary.type, summary.n_rows, summary.missing, summary.moments.mean
    ('float64', 4, 1, 3.0)
    >>> float(summary.quantiles.quantile(0.5)), summary.distinct.estimate
    (2.0, 3.0)
    """

    name: str
    kind: str
    form: str
    n_rows: int
    missing: int
    moments: HigherMoments
    quantiles: QuantileSketch
    distinct: DistinctCount
    frequent: FrequentValues
    lengths: TextLengths

    subtractable: ClassVar[bool] = False

    @classmethod
    def of(
        cls,
        values: Any,
        name: str = "x0",
        *,
        k: int = QUANTILE_SIZE,
        bits: int = DISTINCT_BITS,
        limit: int = VALUE_LIMIT,
        seed: int = 0,
    ) -> Self:
        """Of a column; sizes as for `QuantileSketch`, `DistinctCount` and `FrequentValues`."""
        want = ("shape", "quantiles", "values")
        column, found = sketched(values, k=k, bits=bits, limit=limit, seed=seed, want=want)
        return cls.from_sketch(found, name, column.cells.value_format, bits, limit)

    @classmethod
    def from_sketch(
        cls, found: _core.ColumnSketch, name: str, form: str, bits: int, limit: int
    ) -> Self:
        """What the core's sketch of a column holds, as values."""
        kind = found.kind
        return cls(
            name,
            kind,
            form,
            found.rows,
            found.missing,
            HigherMoments(np.asarray(found.shape), found.missing),
            QuantileSketch(found.quantiles, kind, form),
            DistinctCount.from_sketch(found, bits, limit),
            FrequentValues(found.frequent, kind, form),
            TextLengths(*np.asarray(found.lengths).tolist()),
        )

    @property
    def type(self) -> str:
        """The type in words."""
        return type_of(self.form)

    @property
    def is_numeric(self) -> bool:
        """Whether moments and quantiles mean something: numbers, booleans and dates."""
        return self.kind not in ("none", "text")

    def merge(self, other: Self) -> Self:
        """The summary of both parts of the column."""
        if self.name != other.name:
            raise InvalidDataError(
                f"ColumnSummary: {self.name!r} and {other.name!r} are not parts of one column."
            )
        ours, theirs = (self.kind, self.form), (other.kind, other.form)
        kind, form = common_kind(f"ColumnSummary of {self.name!r}", ours, theirs)
        parts = (getattr(self, part).merge(getattr(other, part)) for part in _PARTS)
        rows, missing = self.n_rows + other.n_rows, self.missing + other.missing
        return type(self)(self.name, kind, form, rows, missing, *parts)

    def is_finite(self) -> bool:
        return self.moments.is_finite()

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        out = {
            f"{part}.{key}": value
            for part in _PARTS
            for key, value in getattr(self, part).to_arrays().items()
        }
        out["names"] = names_as_numbers(self.kind, self.form, self.name)
        out["counts"] = np.array([self.n_rows, self.missing], np.int64)
        return out

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> Self:
        kind, form, *name = names_from(arrays["names"])
        parts = []
        for part, make in _PARTS.items():
            start = f"{part}."
            own = {k.removeprefix(start): v for k, v in arrays.items() if k.startswith(start)}
            parts.append(make.from_arrays(own))
        return cls("\n".join(name), kind, form, *arrays["counts"].tolist(), *parts)
