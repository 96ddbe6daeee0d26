"""Tables on a cluster: every partition is summarised where it is, and the summaries merge.

What comes here is what a profile is made of: a summary of each column, patterns of missing cells,
sums of products, and a uniform sample of the rows, drawn by their numbers.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.data.arrow import ColumnBatch, column_batches
from stylobate.data.arrow_types import type_of
from stylobate.data.mixed_columns import MixedColumns
from stylobate.data.streams import Batch, Stream
from stylobate.exceptions import InvalidDataError
from stylobate.exploration.correlation import PairMoments
from stylobate.exploration.readable import nested_notes
from stylobate.exploration.rows import Scanned, unique
from stylobate.splits.hashed import stirred
from stylobate.statistics.columns.column_summary import ColumnSummary
from stylobate.statistics.columns.table_summary import (
    MOST_PATTERNS,
    DuplicateRows,
    MissingPattern,
    TableScan,
)
from stylobate.statistics.sketches.distinct_count import DistinctCount
from stylobate.statistics.sketches.row_sample import RowSample
from stylobate.statistics.sketches.sketching import DISTINCT_BITS

_EXACT_ROWS = 1 << 18  # different rows told apart exactly: messages of 2 MiB
_NESTED = ("list", "struct", "map", "union", "interval", "run ends", "unknown")
_GAP = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True, eq=False)
class PartScan:
    """What one pass tells of some rows; answers as `TableScan` does.

    Parameters
    ----------
    names : tuple of str
        Of the columns.
    nested : tuple of str
        Of columns that hold no single values, which are left out.
    columns : list of ColumnSummary
    sample : RowSample
    pairs : PairMoments
    counts : dict from tuple of int to int
        Rows with each set of missing columns, complete rows aside.
    complete_rows, other_patterns, n_rows : int
    different : DistinctCount
        Of whole rows.
    """

    names: tuple[str, ...]
    nested: tuple[str, ...]
    columns: list[ColumnSummary]
    sample: RowSample
    pairs: PairMoments
    counts: dict[tuple[int, ...], int]
    complete_rows: int
    other_patterns: int
    n_rows: int
    different: DistinctCount

    @classmethod
    def of(cls, batch: ColumnBatch, size: int, seed: int) -> PartScan:
        """Of some rows."""
        forms = [type_of(column.cells.value_format) for column in batch.columns]
        kept = [j for j, form in enumerate(forms) if not form.startswith(_NESTED)]
        nested = tuple(name for j, name in enumerate(batch.names) if j not in kept)
        batch = replace(batch, columns=tuple(batch.columns[j] for j in kept))
        scan = TableScan(sample=size, seed=seed).absorb_all([batch])
        pairs = PairMoments()
        pairs.absorb(batch)
        return cls(
            batch.names, nested, scan.columns, scan.sample, pairs,
            {each.columns: each.rows for each in scan.patterns}, scan.complete_rows,
            scan.other_patterns, batch.n_rows, _different(batch),
        )  # fmt: skip

    def merge(self, other: PartScan) -> PartScan:
        """Of both parts, which are rows of one table."""
        names = (self.names, self.nested)
        if names != (other.names, other.nested):
            raise InvalidDataError(
                f"explore: some partitions have the columns {list(self.names)[:5]}, others "
                f"{list(other.names)[:5]}; all must have the same, of the same types."
            )
        counts = dict(self.counts)
        for missing, rows in other.counts.items():
            counts[missing] = counts.get(missing, 0) + rows
        most = sorted(counts, key=lambda key: (-counts[key], key))
        rest = sum(counts.pop(key) for key in most[MOST_PATTERNS:])
        columns = [a.merge(b) for a, b in zip(self.columns, other.columns, strict=True)]
        return PartScan(
            *names, columns, self.sample.merge(other.sample), self.pairs.merge(other.pairs), counts,
            self.complete_rows + other.complete_rows,
            self.other_patterns + other.other_patterns + rest, self.n_rows + other.n_rows,
            self.different.merge(other.different),
        )  # fmt: skip

    @property
    def patterns(self) -> list[MissingPattern]:
        """Sets of columns missing together, the most frequent first."""
        most = sorted(self.counts, key=lambda key: (-self.counts[key], key))
        return [MissingPattern(columns, self.counts[columns]) for columns in most]

    @property
    def duplicates(self) -> DuplicateRows:
        """How many rows repeat another one."""
        distinct = min(self.different.estimate, float(self.n_rows))
        error = self.different.relative_error() * distinct
        exact = self.different.is_exact
        return DuplicateRows(round(self.n_rows - distinct), exact, round(error), ())


def scan_partitions(stream: Stream, size: int, seed: int) -> Scanned:
    """One pass over rows that stay where they are, and one that counts them."""
    found = stream.reduced(_ScanOf(size, seed), PartScan.merge, numbered=True)
    if found is None:
        raise InvalidDataError(f"explore: {stream.name} has no rows.")
    names, notes = unique(found.names)
    types = tuple(each.type for each in found.columns)
    sample = MixedColumns(found.sample.columns, len(found.sample.rows), names)
    notes = (*notes, *nested_notes(found.nested))
    known = Scanned(stream.name, names, types, found.n_rows, notes, sample)
    if len(found.sample.rows) == found.n_rows:
        return known
    return replace(known, summary=found, correlations=found.pairs.finish(names))


@dataclass(frozen=True, slots=True)
class _ScanOf:
    """The scan of a batch, which is sent to the workers."""

    size: int
    seed: int

    def __call__(self, batch: Batch, first: int) -> PartScan:
        parts = (
            PartScan.of(replace(part, start=first + part.start), self.size, self.seed)
            for part in column_batches(batch.x)
            if part.n_rows
        )
        return reduce(PartScan.merge, parts)


# --- whole rows -----------------------------------------------------------------------------------


def _different(batch: ColumnBatch) -> DistinctCount:
    """How many rows differ, by 64 bits of each."""
    keys = np.zeros(batch.n_rows, dtype=np.uint64)
    for column in batch.columns:
        cells = _plain(column.numbers()) if column.is_number else _bits_of(column.take())
        keys = stirred((keys + _GAP) ^ cells)
    found = np.unique(keys)
    if len(found) <= _EXACT_ROWS:
        return DistinctCount(found, None, DISTINCT_BITS, _EXACT_ROWS)
    registers = np.asarray(_core.distinct_registers(DISTINCT_BITS, found))
    return DistinctCount(None, registers, DISTINCT_BITS, _EXACT_ROWS)


def _plain(numbers: NDArray[Any]) -> NDArray[np.uint64]:
    """Bits of numbers; equal ones, and missing ones, have the same."""
    values = np.where(np.isnan(numbers), np.nan, numbers + 0.0).astype(np.float64)
    return stirred(values.view(np.uint64))


def _bits_of(cells: NDArray[Any]) -> NDArray[np.uint64]:
    """Bits of cells of any other type, by the text of each different one."""
    texts = np.array([repr(cell) for cell in cells.tolist()], dtype=object)
    known: dict[str, int] = {}
    for text in texts:
        if text not in known:
            digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
            known[text] = int.from_bytes(digest, "little")
    return np.array([known[text] for text in texts], dtype=np.uint64)
