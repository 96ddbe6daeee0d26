"""Everything one pass tells about a table: its columns, repeated rows, cells missing together."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from stylobate import _core
from stylobate.data.arrow import ColumnBatch, column_batches
from stylobate.data.arrow_types import type_of
from stylobate.exceptions import InvalidDataError
from stylobate.statistics.columns.column_summary import ColumnSummary
from stylobate.statistics.sketches.row_sample import RowSample, RowSampler
from stylobate.statistics.sketches.sketching import DISTINCT_BITS, QUANTILE_SIZE, VALUE_LIMIT

EXACT_ROWS = 1 << 24  # different rows told apart exactly: 256 MiB
MOST_PATTERNS = 1000


class DuplicateRows(NamedTuple):
    """Rows that repeat an earlier one, by all columns but nested ones (`TableScan.unread`).

    `rows` is exact while at most 2²⁴ rows differ (256 MiB of hashes; two different rows share their
    64 bits with probability n² / 2⁶⁵), else an estimate within ± `error` at 99 %. `examples` are
    numbers of some rows that repeat an earlier one, smallest first.
    """

    rows: int
    exact: bool
    error: int
    examples: tuple[int, ...]


class MissingPattern(NamedTuple):
    """Columns (by position) that are missing together, and in how many rows."""

    columns: tuple[int, ...]
    rows: int


class TableScan:
    """Absorbs batches of a table; gives summaries of what it has seen at any time.

    Parameters
    ----------
    rows : bool, default=True
        Whether to look for repeated rows and for cells missing together.
    sample : int, default=0
        Most rows of a uniform sample to keep.
    k, bits, limit, seed
        As for `QuantileSketch`, `DistinctCount`, `FrequentValues`; the sample has the same seed.
    exact_rows : int, default=2**24
        Most different rows told apart exactly.
    n_rows : int, default=None
        Rows that will come, if that is known: the sample then costs less.
    most_patterns : int, default=1000
        Most sets of columns missing together that are counted; the rest count as `other_patterns`.

    Examples
    --------
    >>> scan = TableScan(sample=2).run({"a": np.array([1.0, 2.0, 1.0]), "b": ["x", None, "x"]})
    >>> [(column.name, column.missing) for column in scan.columns]
    [('a', 0), ('b', 1)]
    >>> scan.duplicates
    DuplicateRows(rows=1, exact=True, error=0, examples=(2,))
    >>> scan.complete_rows, scan.patterns
    (2, [MissingPattern(columns=(1,), rows=1)])
    """

    def __init__(
        self,
        *,
        rows: bool = True,
        sample: int = 0,
        k: int = QUANTILE_SIZE,
        bits: int = DISTINCT_BITS,
        limit: int = VALUE_LIMIT,
        seed: int = 0,
        exact_rows: int = EXACT_ROWS,
        most_patterns: int = MOST_PATTERNS,
        n_rows: int | None = None,
    ) -> None:
        self._sizes = (k, bits, limit, seed)
        self._row_sizes = (rows, exact_rows, most_patterns)
        self._sampler = RowSampler(sample, seed, n_rows) if sample else None
        self._core: Any = None
        self.names: tuple[str, ...] = ()
        self.forms: tuple[str, ...] = ()

    def run(self, source: Any, rows: int = 65_536) -> TableScan:
        """Absorb all batches of a source (as for `column_batches`); gives the scan itself."""
        return self.absorb_all(column_batches(source, rows))

    def absorb_all(self, batches: Iterable[ColumnBatch]) -> TableScan:
        """Absorb batches, one after the other."""
        for batch in batches:
            self.absorb(batch)
        return self

    def absorb(self, batch: ColumnBatch) -> None:
        """Take in the rows of a batch."""
        if self._core is None:
            k, bits, limit, seed = self._sizes
            self._core = _core.TableSketch(
                len(batch.columns), k, bits, limit, seed, *self._row_sizes
            )
            self.names = batch.names
            self.forms = tuple(column.cells.value_format for column in batch.columns)
        elif batch.names != self.names:
            raise InvalidDataError(
                f"TableScan: a batch has the columns {list(batch.names)[:5]}, the first had "
                f"{list(self.names)[:5]}; all batches must have the same."
            )
        self._core.absorb([column.cells for column in batch.columns], batch.start)
        if self._sampler is not None:
            self._sampler.absorb(batch)

    def merge(self, other: TableScan) -> TableScan:
        """A scan of the rows of both, which must be numbered as rows of one table.

        Samples must have been kept with one size and seed.
        """
        out = TableScan()
        out._sizes, out._row_sizes = self._sizes, self._row_sizes
        out.names, out.forms = self.names, self.forms
        out._core = self._core.merged(other._core)
        if self._sampler is not None and other._sampler is not None:
            out._sampler = RowSampler(self._sampler.size, self._sampler.seed)
            out._sampler._parts = [self.sample, other.sample]
        return out

    @property
    def n_rows(self) -> int:
        return 0 if self._core is None else int(self._core.rows)

    def column(self, position: int) -> ColumnSummary:
        """The summary of one column."""
        _, bits, limit, _ = self._sizes
        found = self._core.column(position)
        name, form = self.names[position], self.forms[position]
        return ColumnSummary.from_sketch(found, name, form, bits, limit)

    @property
    def columns(self) -> list[ColumnSummary]:
        return [self.column(position) for position in range(len(self.names))]

    @property
    def unread(self) -> tuple[str, ...]:
        """Columns of nested or unknown types: only their missing cells are counted."""
        nested = ("list", "struct", "map", "union", "interval", "run ends", "unknown")
        pairs = zip(self.names, self.forms, strict=True)
        return tuple(name for name, form in pairs if type_of(form).startswith(nested))

    @property
    def sample(self) -> RowSample:
        """The uniform sample of rows."""
        if self._sampler is None:
            raise InvalidDataError("TableScan: no rows were sampled; pass sample=100_000 first.")
        return self._sampler.sample()

    @property
    def duplicates(self) -> DuplicateRows:
        core = self._core
        if core is None:
            return DuplicateRows(0, True, 0, ())
        distinct = min(float(core.distinct_rows), float(self.n_rows))
        error = 0.0
        if not core.distinct_is_exact:
            deviation = 1.04 / np.sqrt(2.0**DISTINCT_BITS)
            error = NormalDist().inv_cdf(0.995) * deviation * distinct
        repeated = round(self.n_rows - distinct)
        return DuplicateRows(
            repeated, bool(core.distinct_is_exact), round(error), tuple(core.repeated)
        )

    @property
    def complete_rows(self) -> int:
        """Rows without a missing cell."""
        return 0 if self._core is None else int(self._core.complete_rows)

    @property
    def patterns(self) -> list[MissingPattern]:
        """Sets of columns missing together, the most frequent first; complete rows left out."""
        found = [] if self._core is None else self._core.patterns()
        return [MissingPattern(columns, rows) for columns, rows in found]

    @property
    def other_patterns(self) -> int:
        """Rows whose pattern is not listed because there were too many."""
        return 0 if self._core is None else int(self._core.other_patterns)
