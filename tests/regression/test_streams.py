"""Formulas on rows that are read on request: the bits of memory, and none of the rows kept."""

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import stylobate
from stylobate import model
from stylobate.data.streams import Batch, Stream
from stylobate.linear_model import Lasso

FORMULAS = [
    "y ~ a * x + log(z)",
    "y ~ C(g, Sum) + bs(x, df=5) + scale(z) + poly(t, 2)",
    "y ~ I(a == 'q') + ns(x, df=3):b",
    "y ~ x + offset(z) - 1",
    "y ~ 1",
]


def batched(table, size=37):
    """The table in small batches, with a count of its passes."""
    parts = [table.iloc[i : i + size].reset_index(drop=True) for i in range(0, len(table), size)]
    return Stream(lambda: (Batch(part) for part in parts), "parts")


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("weights", [None, "t"])
def test_passes_give_the_bits_of_memory(table, formula, weights):
    rows = batched(table)
    streamed, whole = (model(formula, data, weights=weights) for data in (rows, table))
    passes = rows.passes
    assert passes in (2, 3)  # what the design learns, its moments, and residuals where that pays
    assert "_rows_kept" not in vars(streamed)
    assert streamed.names_ == whole.names_
    np.testing.assert_array_equal(streamed.coef_, whole.coef_)
    assert str(streamed.summary()) == str(whole.summary())
    assert str(streamed.anova(2)) == str(whole.anova(2))
    for name, value in whole.typical_.items():
        found = streamed.typical_[name]
        assert found == value if isinstance(value, str) else np.isclose(found, value, rtol=1e-12)
    assert rows.passes == passes
    # what looks at rows collects them then
    found = streamed.estimates(covariance="cluster", groups="h").covariance
    expected = whole.estimates(covariance="cluster", groups="h").covariance
    np.testing.assert_array_equal(found, expected)


def test_files_and_databases(table, tmp_path):
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.Table.from_pandas(table), path, row_group_size=100)
    con = duckdb.connect()
    con.register("t", table)
    whole = model("y ~ a * x + b", table)
    for data in (path, str(path), stylobate.read(path), con.sql("from t")):
        found = model("y ~ a * x + b", data)
        np.testing.assert_array_equal(found.coef_, whole.coef_)
        np.testing.assert_array_equal(found.predict(table.head(3)), whole.predict(table.head(3)))
    again = stylobate.load(found.save(tmp_path / "fit.stylobate"))
    assert str(again.summary()) == str(whole.summary())
    lasso = (model("y ~ a * x", data, estimator=Lasso(alpha=0.01)) for data in (path, table))
    np.testing.assert_allclose(*(each.coef_ for each in lasso), atol=1e-12)
    counts = (model("count ~ x", data, "poisson").coef_ for data in (path, table))
    np.testing.assert_array_equal(*counts)


def test_arrow_readers_and_datasets(table, tmp_path):
    """Those that can be read once are collected, others are passed over."""
    import pyarrow.dataset as ds

    path = tmp_path / "rows.parquet"
    pq.write_table(pa.Table.from_pandas(table), path, row_group_size=100)
    whole = model("y ~ a * x", table)
    reader = pa.Table.from_pandas(table).to_reader(max_chunksize=50)
    for data in (reader, ds.dataset(path)):
        np.testing.assert_array_equal(model("y ~ a * x", data).coef_, whole.coef_)


def test_rows_on_a_cluster(table):
    """What the design learns, and its moments, are computed where the partitions are."""
    dd = pytest.importorskip("dask.dataframe")
    rows = dd.from_pandas(table, npartitions=4)
    formula = "y ~ a * x + C(g, Sum) + bs(z, df=4) + I(b == 'u')"
    streamed, whole = (model(formula, data) for data in (rows, table))
    assert streamed.names_ == whole.names_
    np.testing.assert_allclose(streamed.coef_, whole.coef_, atol=1e-12)
    assert streamed.data_notes_ == whole.data_notes_
    predicted = np.asarray(streamed.predict(rows).compute())
    np.testing.assert_allclose(predicted, whole.predict(table), atol=1e-11)
    with pytest.raises(ValueError, match="stays on its cluster"):
        streamed.estimates(covariance="HC3")


def test_missing_rows_of_streams(table):
    holes = table.assign(x=table.x.where(table.index != 5), a=table.a.where(table.index != 190))
    dropped, plain = (model("y ~ a + x", d, missing="drop") for d in (batched(holes), holes))
    np.testing.assert_array_equal(dropped.coef_, plain.coef_)
    assert dropped.n_dropped_ == plain.n_dropped_ == 2
    assert str(dropped.summary()) == str(plain.summary())
    with pytest.raises(ValueError, match="column 'x' is missing in row 5; fill it in"):
        model("y ~ a + x", batched(holes))


def test_levels_that_come_late(table):
    late = table.sort_values("a").reset_index(drop=True)
    late.loc[399, "a"] = "solo"
    streamed, whole = (model("y ~ a + x", d) for d in (batched(late), late))
    assert streamed.names_ == whole.names_
    assert streamed.data_notes_ == whole.data_notes_
    with pytest.raises(ValueError, match="no column 'xx'; did you mean 'x'"):
        model("y ~ xx", batched(late))
    with pytest.raises(ValueError, match="factor 'b' has one level"):
        model("y ~ b", batched(late.assign(b="u")))
    with pytest.warns(UserWarning, match="cannot be told apart"):
        model("y ~ x + I(2 * x)", batched(late))


def test_values_of_curves_are_limited(table):
    limit = stylobate.get_config()["collect_limit"]
    try:
        stylobate.set_config(collect_limit=1000)
        with pytest.raises(ValueError, match=r"values of bs\(x, df=4\) take more than"):
            model("y ~ bs(x, df=4)", batched(table))
        model("y ~ x + a", batched(table))
    finally:
        stylobate.set_config(collect_limit=limit)
