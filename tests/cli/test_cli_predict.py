"""`stylobate predict`: model files applied to sources of every kind, bad rows told and left out."""

from __future__ import annotations

import csv
import io
import sqlite3

import numpy as np
import pandas as pd
import pytest

import stylobate
from stylobate.compose import ColumnTransformer
from stylobate.ensemble import HistGradientBoostingRegressor
from stylobate.linear_model import LinearRegression, LogisticRegression, Ridge
from stylobate.model_selection import GridSearchCV
from stylobate.pipeline import make_pipeline
from stylobate.preprocessing import OneHotEncoder, StandardScaler, TableEncoder
from stylobate.tree import DecisionTreeRegressor

FRAME = stylobate.read("titanic").to_frame("pandas")
TARGET = FRAME.pop("survived").map({0: "no", 1: "yes"}).to_numpy()


@pytest.fixture(scope="module")
def model():
    return make_pipeline(TableEncoder(), LogisticRegression(max_iter=3000)).fit(FRAME, TARGET)


@pytest.fixture
def place(model, tmp_path):
    return model.save(tmp_path / "model.stylobate")


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_predictions_and_probabilities_are_the_models(run, place, model, tmp_path):
    FRAME.to_csv(tmp_path / "t.csv", index=False)
    for source in (tmp_path / "t.csv", "titanic"):
        result = run("predict", place, source, "--proba", "--keep", "name")
        assert result.exit_code == 0, result.stderr
        rows = rows_of(result.stdout)
        assert [row["prediction"] for row in rows] == list(model.predict(FRAME))
        chances = [[float(row["probability_no"]), float(row["probability_yes"])] for row in rows]
        np.testing.assert_array_equal(chances, model.predict_proba(FRAME))
        assert [row["name"] for row in rows] == list(FRAME["name"])
        assert [int(row["row"]) for row in rows] == list(range(1, len(rows) + 1))


def test_parquet_and_databases_in_and_out(run, place, model, tmp_path):
    FRAME.to_parquet(tmp_path / "t.parquet")
    with sqlite3.connect(tmp_path / "t.db") as connection:
        FRAME.to_sql("people", connection, index=False)
    sources = [
        (tmp_path / "t.parquet",),
        (tmp_path / "t.db",),
        (tmp_path / "t.db", "--query", "SELECT * FROM people"),
    ]
    for source in sources:
        for name in ("out.csv", "out.parquet"):
            out = tmp_path / name
            arguments = ("--out", out, "--proba", "--keep", "*")
            result = run("predict", place, *source, *arguments)
            assert result.exit_code == 0, result.stderr
            assert result.stdout == ""
            found = pd.read_csv(out) if name.endswith("csv") else pd.read_parquet(out)
            assert list(found["prediction"]) == list(model.predict(FRAME))
            chances = found[["probability_no", "probability_yes"]].to_numpy()
            np.testing.assert_array_equal(chances, model.predict_proba(FRAME))
            assert found["age"].isna().sum() == FRAME["age"].isna().sum()
            assert list(found["name"]) == list(FRAME["name"])
    assert not [each for each in tmp_path.iterdir() if each.name.endswith(".part")]


@pytest.fixture
def line(tmp_path):
    """A line y = 1 + 2a − b, saved."""
    X = pd.DataFrame({"a": [0.0, 1.0, 2.0, 5.0], "b": [1.0, 0.0, 3.0, 1.0]})
    return LinearRegression().fit(X, 1 + 2 * X["a"] - X["b"]).save(tmp_path / "line.stylobate")


def test_bad_rows_are_told_with_their_line_and_left_out(run, line, table):
    text = 'note,b,a\n"two\nlines",1,1\n\nx,abc,2\ny,2,\nz,0,3\n"=1+1",1e999,3\n'
    result = run("predict", line, table(text), "--keep", "note")
    assert result.exit_code == 1
    rows = rows_of(result.stdout)
    assert [(row["row"], row["note"], float(row["prediction"])) for row in rows] == [
        ("1", "two\nlines", pytest.approx(2.0)),
        ("4", "z", pytest.approx(7.0)),
    ]
    told = result.stderr
    assert "row 2: line 5: column 'b' holds 'abc', which is not a number" in told
    assert "row 3: line 6: column 'a' is empty, and the model needs a value" in told
    assert "row 5: line 8:" in told
    assert "2 rows predicted, 3 left out." in told


def test_rows_the_model_refuses_are_found(run, table, tmp_path):
    X = pd.DataFrame({"colour": ["red", "blue"] * 5, "size": np.arange(10.0)})
    model = make_pipeline(
        ColumnTransformer([("c", OneHotEncoder(), ["colour"])], remainder=StandardScaler()), Ridge()
    ).fit(X, np.arange(10.0))
    place = model.save(tmp_path / "m")
    result = run("predict", place, table("size,colour\n1,red\n2,green\n3,blue\nx,blue\n"))
    assert result.exit_code == 1
    assert [row["row"] for row in rows_of(result.stdout)] == ["1", "3"]
    assert "row 2: line 3:" in result.stderr
    assert "unknown categories ['green']" in result.stderr
    assert "row 4: line 5: column 'size' holds 'x', which is not a number" in result.stderr


def test_trees_take_tables_as_they_are(run, table, tmp_path):
    X = pd.DataFrame({"colour": ["red", "blue"] * 10, "size": np.arange(20.0)})
    for kind in (DecisionTreeRegressor, HistGradientBoostingRegressor):
        model = kind().fit(X, np.arange(20.0))
        place = model.save(tmp_path / "m")
        result = run("predict", place, table("size,colour\n1,red\nabc,red\n,green\n"))
        assert result.exit_code == 1
        rows = rows_of(result.stdout)
        assert [row["row"] for row in rows] == ["1", "3"]
        asked = pd.DataFrame({"colour": ["red", "green"], "size": [1.0, np.nan]})
        assert [float(row["prediction"]) for row in rows] == list(model.predict(asked))
        assert "row 2: line 3: column 'size' holds 'abc', which is not a number" in result.stderr


def test_when_no_row_is_good_nothing_is_written(run, line, table, tmp_path):
    out = tmp_path / "out.csv"
    result = run("predict", line, table("a,b\nx,1\ny,2\n"), "--out", out)
    assert result.exit_code == 2
    assert "None of the 2 rows can be predicted; the first: row 1: column 'a'" in result.stderr
    assert not out.exists()
    assert run("predict", line, table("a,b\n")).exit_code == 2


def test_cells_that_look_like_formulas_stay_texts(run, line, table, tmp_path):
    """In Parquet as they are; in CSV, which spreadsheets open, behind an apostrophe."""
    formulas = ["=1+1", "+A1", "-2+3", "@SUM(A1)", '=cmd|"/c calc"!A1', "\t=1", "\r=1"]
    others = ["\\N", "", "'quoted'", "-5", "+1e3", "a=b"]
    notes = formulas + others
    frame = pd.DataFrame({"note": notes, "a": 1.0, "b": 0.0})
    frame.to_parquet(tmp_path / "t.parquet")
    for name in ("out.csv", "out.parquet"):
        result = run(
            "predict", line, tmp_path / "t.parquet", "--keep", "note", "--out", tmp_path / name
        )
        assert result.exit_code == 0, result.stderr
    found = pd.read_parquet(tmp_path / "out.parquet")
    assert list(found["note"]) == notes
    text = pd.read_csv(tmp_path / "out.csv", keep_default_na=False)
    assert list(text["note"]) == ["'" + each for each in formulas] + others
    assert list(text["prediction"]) == pytest.approx(list(found["prediction"]))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("{table}",), "needs: 'b' (did you mean 'B'?)"),
        (("{table}", "--proba"), "gives no probabilities"),
        (("{table}", "--keep", "colour"), "no column 'colour'. Did you mean 'colours'?"),
        (("{table}", "--out", "x.xlsx"), "must end in .csv or .parquet"),
        (("{table}", "--out", "{table}"), "is the source itself"),
        (("nowhere.csv",), "There is no file 'nowhere.csv'"),
        (("{table}", "--out", "/nowhere/x.csv"), "lacks columns"),
    ],
)
def test_refusals_in_a_sentence(run, line, table, arguments, words):
    path = table("a,B,colours\n1,2,red\n")
    given = [str(path) if each == "{table}" else each for each in arguments]
    result = run("predict", line, *given)
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stdout == ""


def test_files_that_are_no_models(run, table, tmp_path):
    rows = table("a,b\n1,2\n")
    for model, words in [
        (tmp_path / "missing", "There is no file"),
        (rows, "not a model file"),
        (StandardScaler().fit([[1.0], [2.0]]).save(tmp_path / "s"), "predicts nothing"),
        (Ridge().save(tmp_path / "r"), "before it was fitted"),
    ]:
        result = run("predict", model, rows)
        assert result.exit_code == 2
        assert words in result.stderr
    result = run("predict", Ridge().fit([[1.0], [2.0]], [1.0, 2.0]).save(tmp_path / "n"), rows)
    assert "fitted to 1 columns without names" in result.stderr


def test_many_batches_and_a_search(run, tmp_path):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.standard_normal((40_000, 2)), columns=["a", "b"])
    X.loc[[3, 20_000, 39_999], "a"] = np.nan
    model = GridSearchCV(Ridge(), {"alpha": [0.1, 1.0]}, cv=2).fit(X[10:1000], X["b"][10:1000])
    X.to_parquet(tmp_path / "t.parquet")
    place = model.save(tmp_path / "m")
    result = run("predict", place, tmp_path / "t.parquet", "--out", tmp_path / "o.parquet")
    assert result.exit_code == 1
    assert "39997 rows predicted, 3 left out." in result.stderr
    found = pd.read_parquet(tmp_path / "o.parquet")
    expected = model.predict(X.dropna())
    np.testing.assert_allclose(found["prediction"], expected, rtol=1e-13)
    assert found["row"].iloc[-1] == 39_999
