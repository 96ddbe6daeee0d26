"""Studies of tables on a cluster, and files opened on an engine."""

from __future__ import annotations

import sys
from itertools import pairwise

import numpy as np
import pytest
from typer.testing import CliRunner

from stylobate import Study, load
from stylobate.cli.app import app
from stylobate.ensemble import RandomForestClassifier
from stylobate.exceptions import InvalidDataError, InvalidParameterError, UnsupportedDataError
from stylobate.linear_model import LinearRegression
from stylobate.model_selection import HashKFold, cross_val_score
from stylobate.sources.clusters.sessions import rows_on
from stylobate.study.table.table import read_study_table

pd = pytest.importorskip("pandas")
pytest.importorskip("pyarrow")

FEATURES = ["a", "b", "c"]


def frame(n=500):
    rng = np.random.default_rng(0)
    made = pd.DataFrame(rng.normal(size=(n, 3)), columns=FEATURES)
    made["colour"] = rng.choice(["red", "green", "blue"], n)
    score = made["a"] + (made["colour"] == "red") + 0.5 * rng.normal(size=n)
    made["y"] = np.where(score > 0.3, "yes", "no")
    made.loc[:2, "y"] = None
    return made


def rows(engine, table, ends=(0, 10, 10, 350, 500)):
    return engine.rows([table.iloc[a:b] for a, b in pairwise(ends)])


def test_a_study_fits_to_all_rows_where_they_are(dask_engine):
    held = rows(dask_engine, frame())
    found = Study(held, "y", models=["logistic"], time=3, memory=0.1).run()
    assert found.status == "complete"
    assert found.reading.rows == 500
    assert found.reading.sampled < 300
    assert found.reading.fitted_rows == 497  # those that have a target
    assert found.reading.passes > 3
    assert "where they are" in " ".join(found.reading.words)
    assert len(found.pipeline.predict(frame()[[*FEATURES, "colour"]])) == 500


def test_partitions_make_no_difference_to_the_sample(dask_engine):
    one, other = (
        read_study_table(rows(dask_engine, frame(), ends), 1e5)
        for ends in ((0, 10, 10, 350, 500), (0, 250, 500))
    )
    assert one.columns.columns == other.columns.columns
    for ours, theirs in zip(one.columns.values(), other.columns.values(), strict=True):
        assert ours.tolist() == theirs.tolist()
    assert (one.large.locked_in_sample == other.large.locked_in_sample).all()
    assert one.large.locked_in_sample.any()


def test_the_command_line_opens_a_file_on_an_engine(dask_engine, tmp_path):
    file = tmp_path / "table.parquet"
    frame().to_parquet(file)
    out = tmp_path / "out"
    options = ["--engine", "dask", "--models", "forest", "--time", "3", "--out", str(out), "-q"]
    done = CliRunner().invoke(app, ["study", str(file), "--target", "y", *options])
    assert done.exit_code == 0, done.output
    model = load(out / "model.stylobate")
    assert set(model.predict(frame()[[*FEATURES, "colour"]])) == {"yes", "no"}
    done = CliRunner().invoke(app, ["study", str(file), "--target", "y", "--engine", "flink"])
    assert done.exit_code == 2
    assert "must be 'dask', 'ray' or 'spark'" in " ".join(done.output.split())


def test_what_a_study_there_cannot_do_is_refused(dask_engine):
    table = frame()
    with pytest.raises(InvalidParameterError, match="takes all rows in memory"):
        Study(rows(dask_engine, table), "y", group="colour").run()
    with pytest.raises(InvalidDataError, match="has no rows"):
        Study(dask_engine.rows([table[:0], table[:0]]), "y").run()
    with pytest.raises(InvalidParameterError, match="'flink'"):
        Study(table, "y", engine="flink")


def test_files_and_frames_on_every_engine(engine, tmp_path):
    table = frame()[FEATURES].assign(y=lambda t: t["a"] - 2 * t["b"])
    file = tmp_path / "table.parquet"
    table.to_parquet(file)
    expected = LinearRegression().fit(table[FEATURES], table["y"])
    for source in (file, table) if engine.name == "dask" else (file,):
        held = rows_on(engine.name, source, "test")
        assert rows_on(engine.name, held, "test") is held
        found = LinearRegression().fit(held, target="y", features=FEATURES)
        np.testing.assert_allclose(found.coef_, expected.coef_, rtol=1e-9)


@pytest.mark.parametrize(
    ("name", "module"), [("dask", "distributed"), ("ray", "ray.data"), ("spark", "pyspark.sql")]
)
def test_an_engine_that_is_not_installed_is_named_with_its_extra(name, module, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=rf'pip install "stylobate\[{name}\]"'):
        Study(frame(), "y", engine=name)


def test_another_engines_rows_are_refused(dask_engine):
    pytest.importorskip("ray")
    with pytest.raises(UnsupportedDataError, match="belong to another engine"):
        rows_on("ray", rows(dask_engine, frame()), "test")


def test_forests_are_cross_validated_where_the_rows_are(dask_engine):
    table = frame().dropna()
    model = RandomForestClassifier(3, random_state=0)
    names = {"target": "y", "features": FEATURES}
    found = cross_val_score(
        model, rows(dask_engine, table), cv=HashKFold(3), scoring="accuracy", **names
    )
    expected = cross_val_score(model, table[FEATURES], table["y"], cv=HashKFold(3))
    np.testing.assert_allclose(found, expected, rtol=1e-12)
