"""Files that are cut off, replaced, written to or removed while being read: noticed, in words."""

from __future__ import annotations

import os

import duckdb
import numpy as np
import polars
import pytest

import stylobate
from stylobate.data.streams import Stream
from stylobate.exceptions import InvalidDataError
from stylobate.linear_model import PoissonRegressor, Ridge

RNG = np.random.default_rng(3)
X = RNG.normal(size=(600, 3))
Y = X @ [1.0, 2.0, 3.0] + RNG.normal(size=600)
FRAME = polars.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2], "y": Y})


def written(folder, kind, frame=FRAME):
    path = folder / f"rows.{kind}"
    if kind == "parquet":
        frame.write_parquet(path, row_group_size=50)
    elif kind == "csv":
        frame.write_csv(path)
    else:
        with duckdb.connect(str(path)) as connection:
            connection.register("frame", frame)
            connection.execute("CREATE TABLE rows AS SELECT * FROM frame")
    return path


def truncate(path):
    os.truncate(path, path.stat().st_size // 2)


def replace(path):
    other = written(path.parent / "other", path.suffix[1:], FRAME.with_columns(polars.all() * 2))
    os.utime(other, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
    os.replace(other, path)


def append(path):
    with path.open("ab") as file:
        file.write(b"1,2,3,4\n")


def remove(path):
    path.unlink()


CHANGES = [truncate, replace, append, remove]


@pytest.mark.parametrize("change", CHANGES, ids=lambda each: each.__name__)
@pytest.mark.parametrize("kind", ["parquet", "csv", "duckdb"])
def test_a_file_that_changes_between_passes(tmp_path, kind, change):
    (tmp_path / "other").mkdir()
    path = written(tmp_path, kind)
    stream = stylobate.read(path).__stylobate_stream__(roles_of("y"))
    list(stream)
    change(path)
    with pytest.raises(InvalidDataError, match=r"rows\.\w+.*changed while it was being read"):
        list(stream)


@pytest.mark.parametrize("change", CHANGES, ids=lambda each: each.__name__)
@pytest.mark.parametrize("kind", ["parquet", "csv", "duckdb"])
def test_a_file_that_changes_within_a_pass(tmp_path, kind, change):
    (tmp_path / "other").mkdir()
    path = written(tmp_path, kind)
    stream = stylobate.read(path).__stylobate_stream__(roles_of("y"))

    def disturbed():
        for k, batch in enumerate(stream):
            if k == 0:
                change(path)
            yield batch

    with pytest.raises(InvalidDataError, match=r"rows\.\w+.*changed while it was being read"):
        Ridge().fit(Stream(disturbed, "disturbed"))


@pytest.mark.parametrize("change", CHANGES, ids=lambda each: each.__name__)
@pytest.mark.parametrize("kind", ["parquet", "csv", "duckdb"])
def test_a_file_that_changes_between_fits(tmp_path, kind, change):
    (tmp_path / "other").mkdir()
    path = written(tmp_path, kind)
    relation = stylobate.read(path)
    Ridge().fit(relation, target="y")
    change(path)
    with pytest.raises(InvalidDataError, match="since; read it again"):
        Ridge().fit(relation, target="y")


def test_a_large_text_file_cut_off_within_a_pass(tmp_path):
    path = tmp_path / "large.csv"
    with path.open("w") as file:
        file.write("a,y\n")
        file.writelines(f"{k * 0.5},{k % 97}\n" for k in range(3_000_000))
    stream = stylobate.read(path).__stylobate_stream__(roles_of("y"))
    passing = iter(stream)
    next(passing)
    truncate(path)
    with pytest.raises(InvalidDataError, match=r"large\.csv.*changed while it was being read"):
        list(passing)


def test_batches_that_differ_between_passes():
    def batches():
        yield X, RNG.poisson(3.0, 600)

    with pytest.raises(InvalidDataError, match="changed while it was being read: there are other"):
        PoissonRegressor().fit(batches)
    lengths = iter([600, 600, 590, 580])

    def shorter():
        n = next(lengths)
        yield X[:n], np.arange(n) % 5

    with pytest.raises(InvalidDataError, match="there are 590 rows where the first pass gave 600"):
        PoissonRegressor().fit(shorter)


def roles_of(target):
    from stylobate.data.streams.columns import ColumnRoles

    return ColumnRoles.of("Ridge", target, None, None)


def test_an_error_of_the_source_comes_as_it_is():
    def batches():
        yield X, Y
        raise OSError("the network is gone")

    with pytest.raises(OSError, match="the network is gone"):
        Ridge().fit(batches())
