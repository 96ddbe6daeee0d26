"""The different values of a column, and how often each occurs: what kinds are told from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.coding import code_column
from stylobate.data.kinds.spellings import WORDS, is_missing, missing_words


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """A column as its different values.

    Parameters
    ----------
    name : str
        Of the column.
    n_rows, n_missing : int
        Rows, and rows without a value in any spelling.
    present : list
        Different values; of a large table those of a sample of rows.
    weights : array
        How often each occurs.
    n_distinct : int
        Of all rows.
    temporal : bool
        Whether the type says dates.
    order : list or None
        Categories in the order the type declares.
    exact : bool
        Whether `present` are all different values there are.
    estimated : bool
        Whether `n_distinct` is an estimate.
    missing : str
        Which texts stand for none, see `missing_words`.
    ascending : bool
        Whether `present` are floating-point numbers in order.
    """

    name: str
    n_rows: int
    n_missing: int
    present: list[Any]
    weights: Any
    n_distinct: int
    temporal: bool = False
    order: list[Any] | None = None
    exact: bool = True
    estimated: bool = False
    missing: str = WORDS
    ascending: bool = False

    @property
    def ends(self) -> tuple[Any, Any]:
        """The smallest and the largest of the different values."""
        if self.ascending:
            return self.present[0], self.present[-1]
        return min(self.present), max(self.present)

    @property
    def types(self) -> set[type]:
        """The types of the different values."""
        return {float} if self.ascending else set(map(type, self.present))

    @property
    def n_present(self) -> int:
        """Rows with a value."""
        return self.n_rows - self.n_missing

    @property
    def all_different(self) -> bool:
        """Whether no value occurs twice."""
        return self.n_distinct == self.n_present and not self.estimated


def values_of(name: str, series: Any) -> Values:
    """The different values of a column that is in memory."""
    if isinstance(series, np.ndarray) and series.dtype.kind == "f":  # no row is asked for
        values, counts = np.unique(series, return_counts=True)
        return replace(values_of_counts(name, values, counts, series), ascending=True)
    coded = code_column(series)
    return values_of_counts(name, coded.values, coded.counts(), series)


def values_of_counts(
    name: str, values: NDArray[Any], counts: NDArray[np.int64], series: Any
) -> Values:
    """The same from the different values and their counts; of `series` the type counts."""
    missing, absent = _absent(values, counts)
    present = values[~absent].tolist()
    return Values(
        name,
        n_rows=int(counts.sum()),
        n_missing=int(counts[absent].sum()),
        present=present,
        weights=counts[~absent],
        n_distinct=len(present),
        temporal=getattr(series, "dtype", None) is not None and _is_temporal(series),
        order=declared_order(series),
        missing=missing,
    )


def _absent(values: NDArray[Any], counts: NDArray[np.int64]) -> tuple[str, NDArray[np.bool_]]:
    """Which texts stand for none, and which of the different values do."""
    if values.dtype.kind in "iub":
        return WORDS, np.zeros(len(values), dtype=bool)
    if values.dtype.kind == "f":
        return WORDS, np.asarray(np.isnan(values))
    listed = values.tolist()
    words = missing_words(listed, counts.tolist())
    return words, np.array([is_missing(value, words) for value in listed], dtype=bool)


def declared_order(series: Any) -> list[Any] | None:
    """The categories of a column declared as ordered, the lowest first; None for other columns."""
    if isinstance(series, np.ndarray):
        return None
    import narwhals as nw

    native = series.to_native()
    if hasattr(native, "cat") and getattr(native.cat, "ordered", False) is True:
        return list(native.cat.categories)
    return list(series.dtype.categories) if series.dtype == nw.Enum else None


def _is_temporal(series: Any) -> bool:
    if isinstance(series, np.ndarray):
        return bool(series.dtype.kind == "M")
    import narwhals as nw

    return bool(series.dtype.is_temporal()) and series.dtype != nw.Time
