"""Profiles of tables on a cluster are those of the same rows in memory."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from stylobate import explore
from stylobate.data.arrow import column_batches
from stylobate.exceptions import InvalidDataError
from stylobate.exploration.correlation import PairMoments
from stylobate.exploration.partitions import PartScan

pd = pytest.importorskip("pandas")

NAMED_BY_LIBRARY = {"source", "seconds", "type"}


def frame(n=600):
    rng = np.random.default_rng(0)
    made = pd.DataFrame(rng.normal(size=(n, 3)), columns=list("abc"))
    made["b"] += made["a"]
    made["colour"] = rng.choice(["red", "green", "blue"], n)
    made["k"] = rng.integers(0, 4, n)
    made.loc[rng.random(n) < 0.1, "b"] = np.nan
    made.iloc[50:60] = made.iloc[40:50].to_numpy()
    made[["a", "b", "c"]] = made[["a", "b", "c"]].astype(float)
    made["k"] = made["k"].astype(int)
    made["when"] = pd.date_range("2020-01-01", periods=n)
    return made


def parts(table, ends=(0, 10, 10, 350, 600)):
    return [table.iloc[a:b] for a, b in pairwise(ends)]


def same(ours, theirs, path=""):
    """All that a profile says; sums of other parts have other last digits."""
    if isinstance(ours, dict):
        assert ours.keys() == theirs.keys(), path
        for key in ours.keys() - NAMED_BY_LIBRARY:
            same(ours[key], theirs[key], f"{path}/{key}")
    elif isinstance(ours, list | tuple):
        assert len(ours) == len(theirs), path
        for k, pair in enumerate(zip(ours, theirs, strict=True)):
            same(*pair, f"{path}/{k}")
    elif isinstance(ours, float) and isinstance(theirs, float):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12, err_msg=path)
    else:
        assert ours == theirs, path


def test_a_profile_is_that_of_memory_on_every_engine(engine):
    table = frame().drop(columns="when")  # Spark's moments are in microseconds
    found = explore(engine.rows(parts(table)), "k", sample=200)
    assert found.source == engine.frame
    same(found.to_dict(), explore(table, "k", sample=200, progress=False).to_dict())


@pytest.mark.parametrize("sample", [250, 100_000])
def test_all_columns(dask_engine, sample):
    table = frame()
    found = explore(dask_engine.rows(parts(table)), sample=sample)
    expected = explore(table, sample=sample, progress=False)
    same(found.to_dict(), expected.to_dict())
    assert found.duplicates.rows == expected.duplicates.rows


def test_columns_that_differ_by_partition_and_no_rows(dask_engine):
    import dask
    import dask.dataframe as dd

    table = frame()
    for other in (table.rename(columns={"b": "q"}), table.assign(b="text")):
        rows = dd.from_delayed(
            [dask.delayed(table), dask.delayed(other)], meta=table[:0], verify_meta=False
        )
        with pytest.raises(InvalidDataError, match=r"partitions have|differ|text"):
            explore(rows)
    with pytest.raises(InvalidDataError, match="has no rows"):
        explore(dask_engine.rows([table[:0], table[:0]]))


def test_nested_columns_are_left_out_and_told():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"a": [1.0, 2.0], "list": [[1], [2, 3]]})
    (batch,) = column_batches(table)
    found = PartScan.of(batch, 10, 0)
    assert found.nested == ("list",)
    assert [each.name for each in found.columns] == ["a"]


def test_products_of_parts_are_those_of_the_whole():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(400, 3)) * [1, 1e6, 1e-6] + [1e3, -1e8, 0]
    x[rng.random(x.shape) < 0.2] = np.nan
    table = dict(zip("abc", x.T, strict=True))
    (whole,) = column_batches(table)
    pairs = PairMoments()
    pairs.absorb(whole)
    merged = PairMoments()
    for batch in column_batches(table, rows=90):
        part = PairMoments()
        part.absorb(batch)
        merged = merged.merge(part)
    ours, theirs = merged.finish("abc"), pairs.finish("abc")
    np.testing.assert_allclose(ours.r, theirs.r, atol=1e-12)
    expected = pd.DataFrame(table).corr().to_numpy()
    np.testing.assert_allclose(ours.r, expected, atol=1e-9)
    assert (ours.n == theirs.n).all()
    words = PairMoments()
    words.absorb(*column_batches({"a": ["x"], "b": np.ones(1), "c": np.ones(1)}))
    assert merged.merge(words).finish("abc") is None
