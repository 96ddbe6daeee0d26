"""Scans of tables: repeated rows, missing patterns, samples; the same however rows are cut."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from stylobate import parallel
from stylobate.data.arrow import column_batches
from stylobate.exceptions import InvalidDataError
from stylobate.statistics import RowSampler, TableScan


def table(n=5000):
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "a": rng.integers(0, 30, n),
            "b": rng.integers(0, 20, n).astype(str),
            "c": np.round(rng.normal(size=n), 1),
        }
    )
    gaps = rng.random(n) < 0.1
    return frame.with_columns(
        pl.when(pl.Series(gaps)).then(None).otherwise(pl.col("b")).alias("b"),
        pl.when(pl.Series(gaps | (rng.random(n) < 0.2)))
        .then(None)
        .otherwise(pl.col("c"))
        .alias("c"),
    )


@pytest.mark.parametrize("rows", [65_536, 700, 64])
def test_repeated_rows_and_patterns_against_polars(rows):
    frame = table()
    scan = TableScan().run(frame, rows=rows)
    assert scan.n_rows == frame.height
    found = scan.duplicates
    assert found.exact
    assert found.rows == frame.height - frame.unique().height
    kept = frame.select(pl.struct(pl.all()).is_first_distinct()).to_series().to_numpy()
    first_repeats = np.flatnonzero(~kept)
    assert list(found.examples) == first_repeats[:10].tolist()
    missing = frame.select(pl.all().is_null())
    expected = missing.group_by(pl.all()).len().rows()
    complete = sum(r[-1] for r in expected if not any(r[:-1]))
    assert scan.complete_rows == complete
    patterns = {tuple(np.flatnonzero(r[:-1])): r[-1] for r in expected if any(r[:-1])}
    assert dict(scan.patterns) == patterns
    assert scan.other_patterns == 0


def test_rows_that_swap_their_cells_differ():
    scan = TableScan().run({"a": np.array([1, 2, 1, 0]), "b": np.array([2, 1, 2, 0])})
    assert scan.duplicates.rows == 1
    gaps = TableScan().run({"a": np.array([np.nan, 1.0]), "b": np.array([1.0, np.nan])})
    assert gaps.duplicates.rows == 0


def test_too_many_rows_are_estimated_with_an_error():
    n = 40_000
    values = np.concatenate([np.arange(n), np.arange(n // 2)])
    scan = TableScan(exact_rows=1000).run({"x": values}, rows=3000)
    found = scan.duplicates
    assert not found.exact
    assert found.error > 0
    assert abs(found.rows - n // 2) <= found.error


def test_patterns_beyond_the_limit_are_counted_together():
    x = np.where(np.eye(8, dtype=bool), np.nan, 1.0)
    scan = TableScan(most_patterns=3).run(x)
    assert len(scan.patterns) == 3
    assert scan.other_patterns == 5
    assert scan.complete_rows == 0
    wide = np.ones((4, 130))
    wide[2, [0, 64, 129]] = np.nan
    assert TableScan().run(wide).patterns == [((0, 64, 129), 1)]


def test_samples_do_not_depend_on_batches_or_order():
    frame = table()
    whole = TableScan(sample=50, seed=4).run(frame).sample
    cut = TableScan(sample=50, seed=4).run(frame, rows=33).sample
    assert np.array_equal(whole.rows, cut.rows)
    assert len(whole.rows) == 50
    for j, name in enumerate(frame.columns):
        expected = frame[name].gather(whole.rows).to_list()
        found = [None if v != v else v for v in whole.columns[j].tolist()]
        assert found == expected
        assert [None if v != v else v for v in cut.columns[j]] == expected
    other = TableScan(sample=50, seed=5).run(frame).sample
    assert not np.array_equal(other.rows, whole.rows)
    few = RowSampler(size=10)
    few.absorb(next(column_batches(frame.head(4))))
    assert few.sample().rows.tolist() == [0, 1, 2, 3]


def test_scans_merge():
    frame = table()
    batches = list(column_batches(frame, rows=1000))
    left, right = TableScan(sample=20), TableScan(sample=20)
    left.absorb_all(batches[:2])
    right.absorb_all(batches[2:])
    merged, whole = left.merge(right), TableScan(sample=20).run(frame)
    assert merged.duplicates == whole.duplicates
    assert merged.patterns == whole.patterns
    assert np.array_equal(merged.sample.rows, whole.sample.rows)
    for ours, theirs in zip(merged.columns, whole.columns, strict=True):
        assert ours.frequent.most_common() == theirs.frequent.most_common()
        assert ours.moments.mean == pytest.approx(theirs.moments.mean, nan_ok=True)
    assert left.n_rows == 2000  # merging changes neither


def test_threads_change_no_bit():
    frame = table()
    seen = []
    for count in (1, 3):
        with parallel.threads(count):
            scan = TableScan(sample=9).run(frame, rows=501)
        seen.append([column.to_arrays() for column in scan.columns])
        assert scan.duplicates.rows == frame.height - frame.unique().height
    for a, b in zip(*seen, strict=True):
        assert all(np.array_equal(a[key], b[key], equal_nan=a[key].dtype.kind == "f") for key in a)


def test_batches_of_another_table_are_refused():
    scan = TableScan().run({"a": np.arange(3)})
    with pytest.raises(InvalidDataError, match="same"):
        scan.run({"b": np.arange(3)})
    with pytest.raises(InvalidDataError, match="sample"):
        _ = scan.sample
    with pytest.raises(ValueError, match="changes its type"):
        scan.run({"a": np.array(["x"], dtype=object)})
    empty = TableScan().run({"a": np.empty(0), "b": []})
    assert empty.n_rows == 0
    assert empty.duplicates.rows == 0
    assert len(empty.columns) == 2
