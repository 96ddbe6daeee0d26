"""Values and how often they occur: all of them while few, else the frequent ones with a bound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.statistics.sketches.sketch_keys import values_of
from stylobate.statistics.sketches.sketching import (
    VALUE_LIMIT,
    common_kind,
    names_as_numbers,
    names_from,
    sketched,
)

_STATE = ("hashes", "keys", "counts", "lates", "sizes", "bytes")
_KEPT = 256  # bytes of a text that are kept


class ValueCount(NamedTuple):
    """A value and how often it was seen: at least `count`, at most `count + error` times."""

    value: Any
    count: int  # type: ignore[assignment]  # hides a method of tuples that nobody misses here
    error: int


@dataclass(frozen=True, slots=True, eq=False)
class FrequentValues:
    """Counts of the values of a column, of any type.

    Exact while at most `limit` values differ. Beyond, values that occur twice within a block of
    4096 rows come in and the rarer half leaves when 2·`limit` are kept: a value that is not kept
    occurred at most `error` times, and each value that is kept says how many it may lack (lossy
    counting). Of texts longer than 256 bytes the beginning is kept, with an ellipsis.

    Parameters
    ----------
    core : _core.Frequent
        The counts.
    kind, form : str
        What the keys stand for.

    Examples
    --------
    >>> counts = FrequentValues.of(["b", "a", "b", None])
    >>> [(each.value, each.count) for each in counts.most_common()]
    [('b', 2), ('a', 1)]
    >>> counts.total, counts.is_exact, counts.error
    (3, True, 0)

    References
    ----------
    Manku & Motwani (2002), Approximate frequency counts over data streams, VLDB.
    """

    core: _core.Frequent
    kind: str
    form: str

    subtractable: ClassVar[bool] = False

    @classmethod
    def of(cls, values: Any, *, limit: int = VALUE_LIMIT) -> Self:
        """Of a column; missing cells are not counted.

        Parameters
        ----------
        values : array, list, series or ArrowColumn
        limit : int in [1, 2**24], default=10000
            Most different values counted exactly.
        """
        column, found = sketched(values, limit=limit, want=("values",))
        return cls(found.frequent, found.kind, column.cells.value_format)

    def merge(self, other: Self) -> Self:
        """The counts of both parts."""
        ours, theirs = (self.kind, self.form), (other.kind, other.form)
        return type(self)(
            self.core.merged(other.core), *common_kind("FrequentValues", ours, theirs)
        )

    @property
    def total(self) -> int:
        """Values counted, missing ones left out."""
        return self.core.total

    @property
    def is_exact(self) -> bool:
        return self.core.is_exact

    @property
    def error(self) -> int:
        """A value that is not listed occurred at most so often; 0 while exact."""
        return self.core.error

    def most_common(self, n: int | None = None) -> list[ValueCount]:
        """The n values seen most often (all by default); of equals, the first seen first."""
        counts, lates = self._counts()
        order = np.argsort(-counts, kind="stable")[:n]
        return self._listed(order, counts, lates)

    def in_order(self, n: int | None = None) -> list[ValueCount]:
        """The values in the order in which they were first seen."""
        counts, lates = self._counts()
        return self._listed(np.arange(len(counts))[:n], counts, lates)

    def _counts(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        state = self.core.state()
        return np.asarray(state[2]), np.asarray(state[3])

    def _listed(
        self, order: NDArray[Any], counts: NDArray[Any], lates: NDArray[Any]
    ) -> list[ValueCount]:
        if self.kind == "text":
            values = self._texts(order.astype(np.int64))
        else:
            keys = np.asarray(self.core.state()[1])[order]
            values = values_of(keys, self.kind, self.form).tolist()
        found = zip(values, counts[order].tolist(), lates[order].tolist(), strict=True)
        return [ValueCount(*each) for each in found]

    def _texts(self, order: NDArray[np.int64]) -> list[Any]:
        texts: list[bytes] = self.core.texts(order)
        if self.form in ("z", "Z", "vz") or self.form.startswith("w:"):
            return texts
        sizes = np.asarray(self.core.state()[4])[order].tolist()
        return [
            text.decode("utf-8", "replace")
            if size <= _KEPT
            else text.decode("utf-8", "ignore") + "…"
            for text, size in zip(texts, sizes, strict=True)
        ]

    def is_finite(self) -> bool:
        return True

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        core = self.core
        state = dict(zip(_STATE, map(np.asarray, core.state()), strict=True))
        sizes = [core.limit, core.is_text, core.total, core.error, core.is_exact]
        names = names_as_numbers(self.kind, self.form)
        return state | {"totals": np.array(sizes, np.int64), "names": names}

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> Self:
        limit, is_text, total, error, exact = arrays["totals"].tolist()
        parts = [np.ascontiguousarray(arrays[name]) for name in _STATE]
        core = _core.Frequent.restored(limit, bool(is_text), total, error, bool(exact), *parts)
        return cls(core, *names_from(arrays["names"]))
