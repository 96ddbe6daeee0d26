"""Windows of files that are kept for later passes: fewer readings, the same bits, a limit."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import polars
import pytest

import stylobate
from stylobate.data.streams import Stream
from stylobate.data.streams.columns import ColumnRoles
from stylobate.engines import windows
from stylobate.exceptions import InvalidDataError
from stylobate.linear_model import LogisticRegression, PoissonRegressor
from stylobate.pipeline import make_pipeline
from stylobate.preprocessing import StandardScaler
from stylobate.sources import StreamSource
from stylobate.statistics import Moments

RNG = np.random.default_rng(5)
ROWS = 400
X = RNG.normal(size=(ROWS, 3))
FRAME = polars.DataFrame(
    {"a": X[:, 0], "b": X[:, 1], "c": X[:, 2], "y": RNG.integers(0, 2, ROWS).astype(float)}
)


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setattr(windows, "MOST_ROWS", 64)
    monkeypatch.setattr(windows, "UNIT_ROWS", 64)
    FRAME.write_parquet(tmp_path / "rows.parquet", row_group_size=50)
    return tmp_path / "rows.parquet"


def stream_of(path):
    return stylobate.read(path).__stylobate_stream__(ColumnRoles.of("test", "y", None, None))


@pytest.mark.parametrize("model", [LogisticRegression(), PoissonRegressor()])
def test_files_are_read_once_where_they_fit(model, path):
    stream, again = stream_of(path), stream_of(path)
    kept = model.fit(stream).coef_
    with stylobate.config_context(collect_limit=1000):
        reread = model.fit(again).coef_
    assert stream.passes == 1
    assert again.passes > 2
    assert (kept == reread).all()
    assert np.allclose(kept, model.fit(FRAME.drop("y"), FRAME["y"]).coef_, rtol=1e-6)


def test_streams_made_of_files_are_kept_too(path):
    stream = stream_of(path)
    make_pipeline(StandardScaler(), LogisticRegression()).fit(stream)
    assert stream.passes == 2


def test_other_streams_are_passed_over_again():
    parts = list(stream_of_frame())
    stream = Stream(lambda: iter(parts), "batches")
    LogisticRegression().fit(stream)
    assert stream.passes > 2


def stream_of_frame():
    from stylobate.data.streams import Batch

    yield Batch(X[:100], FRAME["y"].to_numpy()[:100])
    yield Batch(X[100:], FRAME["y"].to_numpy()[100:])


def source_of(path):
    from stylobate.data import read_table

    def read(batch):
        return read_table(batch.x, batch.y, owner="test")

    return StreamSource(stream_of(path), read, "test")


def test_a_change_is_noticed_although_windows_are_kept(path):
    source = source_of(path).keep_windows()
    first = source.compute(Moments)
    assert (source.compute(Moments).scatter == first.scatter).all()
    assert source.stream.passes == 1
    FRAME.write_parquet(path, row_group_size=20)
    with pytest.raises(InvalidDataError, match="changed while it was being read"):
        source.compute(Moments)


def test_a_pass_that_is_left_keeps_nothing(path):
    source = source_of(path).keep_windows()
    next(source.windows())
    assert source.compute(Moments).n_rows == ROWS
    assert source.stream.passes == 2
    assert source.compute(Moments).n_rows == ROWS
    assert source.stream.passes == 2


def test_no_more_is_kept_than_allowed(path):
    size = FRAME.height * 4 * 8
    with stylobate.config_context(collect_limit=4 * size - 4):
        source = source_of(path).keep_windows()
    with stylobate.config_context(collect_limit=4 * size):
        roomy = source_of(path).keep_windows()
    for each, passes in ((source, 3), (roomy, 1)):
        for _ in range(3):
            each.compute(Moments)
        assert each.stream.passes == passes


def test_windows_of_rows_known_to_be_too_many_are_not_held(path):
    """Not even until there are too many: that would take the room for nothing."""
    with stylobate.config_context(collect_limit=4 * FRAME.height * 4 * 8 - 4):
        source = source_of(path).keep_windows()
    assert source.capabilities.length == ROWS
    passing = source.windows()
    next(passing)
    second = weakref.ref(next(passing).x)
    next(passing)
    gc.collect()
    assert second() is None


def test_many_rows_start_from_a_sample(tmp_path):
    """As in memory, so that few steps over all rows are left and the answer is that of memory."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(60_000, 3)) + 5.0
    y = rng.random(60_000) < 1.0 / (1.0 + np.exp(-(x - 5.0) @ [1.0, -2.0, 0.5] - 0.3))
    frame = polars.DataFrame({"a": x[:, 0], "b": x[:, 1], "c": x[:, 2], "y": y})
    frame.write_parquet(tmp_path / "rows.parquet")
    found = LogisticRegression().fit(stylobate.read(tmp_path / "rows.parquet"), target="y")
    memory = LogisticRegression().fit(x, y)
    assert found.n_iter_[0] <= 3
    assert np.allclose(found.coef_, memory.coef_, rtol=1e-6)
    assert np.allclose(found.intercept_, memory.intercept_, rtol=1e-6)
    assert found.certificate_.optimal
