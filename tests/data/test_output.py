"""What goes in comes out: containers, names, index, and the styles that override them."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from stylobate.data import Origin, read_table, wrap_output
from stylobate.exceptions import InvalidDataError, InvalidParameterError

DATA = {"a": [1.0, 2.0, 3.0], "b": [4.0, 5.0, 6.0]}
RESULT = np.arange(6.0).reshape(3, 2)
SOURCES = {
    "pandas": (pd.DataFrame(DATA, index=["x", "y", "z"]), pd.DataFrame, pd.Series),
    "polars": (pl.DataFrame(DATA), pl.DataFrame, pl.Series),
    "polars-lazy": (pl.LazyFrame(DATA), pl.DataFrame, pl.Series),
    "pyarrow": (pa.table(DATA), pa.Table, pa.Array),
    "pyarrow-batch": (pa.RecordBatch.from_pydict(DATA), pa.RecordBatch, pa.Array),
    "numpy": (RESULT, np.ndarray, np.ndarray),
    "list": (RESULT.tolist(), np.ndarray, np.ndarray),
    "sparse": (sparse.csr_array(RESULT), np.ndarray, np.ndarray),
}


def values(container):
    if isinstance(container, pa.RecordBatch):
        container = pa.Table.from_batches([container])
    return (
        container.to_pandas().to_numpy()
        if isinstance(container, pa.Table)
        else np.asarray(container)
    )


@pytest.mark.parametrize("style", [None, "same", "input"])
@pytest.mark.parametrize("source", sorted(SOURCES))
def test_results_come_in_the_container_of_the_input(source, style):
    x, frame, series = SOURCES[source]
    origin = read_table(x, owner="Scaler").origin
    out = wrap_output(RESULT, origin=origin, columns=["p", "q"], style=style)
    assert type(out) is frame
    assert_array_equal(values(out), RESULT)
    vector = wrap_output(RESULT[:, 1], origin=origin, columns=["p"], style=style)
    assert isinstance(vector, series)
    assert_array_equal(np.asarray(vector), RESULT[:, 1])


@pytest.mark.parametrize("source", sorted(SOURCES))
@pytest.mark.parametrize(
    ("style", "frame"),
    [
        ("default", np.ndarray),
        ("pandas", pd.DataFrame),
        ("polars", pl.DataFrame),
        ("pyarrow", pa.Table),
    ],
)
def test_style_overrides_the_input(source, style, frame):
    origin = read_table(SOURCES[source][0], owner="Scaler").origin
    out = wrap_output(
        RESULT, origin=origin, columns=np.array(["p", "q"], dtype=object), style=style
    )
    assert type(out) is frame
    assert_array_equal(values(out), RESULT)
    if style in ("pandas", "polars"):
        assert list(out.columns) == ["p", "q"]
    if style == "pyarrow":
        assert out.column_names == ["p", "q"]


def test_pandas_index_follows_rows():
    frame = SOURCES["pandas"][0]
    table = read_table(frame, owner="Scaler")
    out = wrap_output(RESULT, origin=table.origin, columns=["p", "q"])
    assert out.index.equals(frame.index)
    part = table.take(np.array([2, 0]))
    assert wrap_output(RESULT[[2, 0]], origin=part.origin).index.tolist() == ["z", "x"]
    part = table.take(slice(1, None))
    assert wrap_output(RESULT[1:], origin=part.origin).index.tolist() == ["y", "z"]
    longer = wrap_output(np.ones((5, 1)), origin=table.origin)
    assert longer.index.tolist() == [0, 1, 2, 3, 4]


def test_without_names_every_library_numbers_its_columns():
    for kind in ("pandas", "polars", "pyarrow", "pyarrow-batch"):
        out = wrap_output(RESULT, origin=Origin(kind))
        assert_array_equal(values(out), RESULT)


def test_pandas_allows_repeated_names():
    out = wrap_output(RESULT, origin=Origin("pandas"), columns=["p", "p"])
    assert list(out.columns) == ["p", "p"]


def test_integers_and_single_floats_keep_their_dtype():
    for dtype in (np.int64, np.float32):
        for kind in ("pandas", "polars", "pyarrow"):
            out = wrap_output(RESULT.astype(dtype), origin=Origin(kind), columns=["p", "q"])
            assert values(out).dtype == dtype


def test_sparse_results():
    result = sparse.csr_array(RESULT)
    assert wrap_output(result, origin=Origin("sparse-array")) is result
    for origin, style in (("pandas", None), ("numpy", "default"), ("sparse", None)):
        out = wrap_output(result, origin=Origin(origin), style=style)
        assert isinstance(out, sparse.csr_matrix)  # as scikit-learn's
        assert_array_equal(out.toarray(), RESULT)
    assert isinstance(
        wrap_output(sparse.csc_array(RESULT), origin=Origin("sparse")), sparse.csc_matrix
    )
    with pytest.raises(InvalidDataError, match=r"scipy sparse matrix.*set_output"):
        wrap_output(result, origin=Origin("numpy"), style="pandas")


def test_bad_requests():
    with pytest.raises(InvalidParameterError, match="got 'excel'"):
        wrap_output(RESULT, origin=Origin(), style="excel")
    with pytest.raises(InvalidDataError, match=r"3 column names were given .* 2 columns"):
        wrap_output(RESULT, origin=Origin("pandas"), columns=["p", "q", "r"])


def test_arrays_load_no_other_library():
    """Reading plain arrays must not cost the import of SciPy, narwhals or a frame library."""
    code = (
        "import sys, numpy as np; from stylobate.data import read_table;"
        "read_table(np.ones((3, 2)), [1, 2, 3], [1, 1, 1], owner='Ridge');"
        "heavy = {'scipy', 'narwhals', 'pandas', 'polars', 'pyarrow', 'sklearn'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
