"""`stylobate explain`: models and rows in words, refusals in sentences."""

from __future__ import annotations

import io
import json

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from stylobate.cli.app import app
from stylobate.linear_model import LinearRegression, LogisticRegression
from stylobate.neighbors import KNeighborsRegressor
from stylobate.pipeline import make_pipeline
from stylobate.preprocessing import StandardScaler, TableEncoder
from stylobate.storage import save


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with models and a table."""
    folder = tmp_path_factory.mktemp("explain")
    rng = np.random.default_rng(0)
    rows = pd.DataFrame(
        {
            "age": rng.normal(40, 10, 120).round(1),
            "sex": rng.choice(["male", "female"], 120),
            "fare": rng.exponential(20, 120).round(2),
        }
    )
    rows.loc[5, "age"] = np.nan
    saved = np.where((rows["sex"] == "female") + rng.normal(0, 0.4, 120) > 0.5, "yes", "no")
    rows.to_csv(folder / "rows.csv", index=False)
    model = make_pipeline(TableEncoder(scale=True), LogisticRegression()).fit(rows, saved)
    save(model, folder / "classes.stylobate", about={"target": "saved", "command": "made by hand"})
    numbers = rows[["age", "fare"]].fillna(40.0)
    save(LinearRegression().fit(numbers, numbers["age"] * 2), folder / "line.stylobate")
    save(KNeighborsRegressor(3).fit(numbers, numbers["age"]), folder / "near.stylobate")
    save(StandardScaler().fit(numbers), folder / "scaler.stylobate")
    return folder


def run(place, *arguments):
    given = [str(place / each) if "." in each and "=" not in each else each for each in arguments]
    return CliRunner().invoke(app, ["explain", *given])


def test_a_model_in_words(place):
    done = run(place, "classes.stylobate")
    assert done.exit_code == 0
    for part in (
        "LogisticRegression predicts saved, one of 2 classes (no, yes), from 3 columns: age",
        "log odds of saved = yes =",
        "Coefficients",
        "Certificate. Optimal",
        "Solver:",
        "made by hand",
    ):
        assert part in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 100


def test_a_row_of_a_source(place):
    done = run(place, "classes.stylobate", "rows.csv", "--row", "6")
    assert done.exit_code == 0, done.output
    assert "age missing" in done.stdout
    assert "Exact: the model adds up" in done.stdout
    assert "Warning" not in done.output
    told = json.loads(run(place, "classes.stylobate", "rows.csv", "--row", "6", "--json").stdout)
    total = told["base"] + sum(each["contribution"] for each in told["contributions"])
    assert total == pytest.approx(told["value"])
    assert told["explained"] == "yes"


def test_values_of_a_row(place):
    alone = run(place, "classes.stylobate", "sex=female", "age=30")
    assert "A typical row (age " in alone.stdout
    assert "nothing from sex, fare" in alone.stdout
    compared = run(place, "classes.stylobate", "rows.csv", "sex=female", "age=30", "--output", "no")
    assert "The mean of 100 rows" in compared.stdout
    assert "no)" in compared.stdout
    line = run(place, "line.stylobate", "age=10", "fare=1")
    assert "Predicted: 20" in line.stdout


def test_rows_have_the_numbers_predict_gives_them(place):
    done = CliRunner().invoke(
        app, ["predict", str(place / "line.stylobate"), str(place / "rows.csv")]
    )
    told = pd.read_csv(io.StringIO(done.stdout), index_col="row")["prediction"]
    for row in (1, 3, 120):
        why = run(place, "line.stylobate", "rows.csv", "--row", str(row), "--json")
        assert json.loads(why.stdout)["predicted"] == pytest.approx(told[row])


def test_few_rows_are_compared_with_a_typical_one(place):
    rows = pd.read_csv(place / "rows.csv")
    for count in (1, 5, 20):
        rows.head(count).to_csv(place / "few.csv", index=False)
        done = run(place, "classes.stylobate", "few.csv", "--row", "1")
        assert done.exit_code == 0, done.output
        typical = f"A typical row (age {rows['age'].median():.4g}, sex"
        assert (typical if count < 20 else "The mean of 20 rows") in done.stdout
    rows[["age", "fare"]].head(1).to_csv(place / "one.csv", index=False)
    alone = run(place, "near.stylobate", "one.csv", "--row", "1")
    assert alone.exit_code == 2
    assert "name a source of rows to compare with, more than one" in " ".join(alone.output.split())


def test_values_never_seen_are_told(place):
    rows = pd.read_csv(place / "rows.csv")
    commonest = rows["sex"].value_counts().index[0]
    done = run(place, "classes.stylobate", "sex=femal", "age=30")
    assert f"sex: 'femal' was never seen, taken as {commonest}." in done.stdout
    told, known = (
        json.loads(run(place, "classes.stylobate", f"sex={sex}", "age=30", "--json").stdout)
        for sex in ("femal", commonest)
    )
    assert told["value"] == pytest.approx(known["value"])
    assert len(told["notes"]) == 1
    assert known["notes"] == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["classes.stylobate", "rows.csv", "--row", "121"], "has 120 rows, numbered from 1"),
        (["classes.stylobate", "rows.csv", "--row", "0"], "numbered from 1"),
        (["classes.stylobate", "--row", "1"], "--row needs a source"),
        (["classes.stylobate", "rows.csv", "age=3", "--row", "1"], "not by both"),
        (["classes.stylobate", "agee=3"], "Did you mean 'age'?"),
        (["classes.stylobate", "age=old"], "'age' holds numbers, got 'old'"),
        (["classes.stylobate", "sex=male", "--output", "maybe"], "one of the classes"),
        (["classes.stylobate", "a", "b"], "One source of rows at most"),
        (["classes.stylobate", "none.csv"], "There is no file"),
        (["none.stylobate"], "There is no file"),
        (["rows.csv"], "rows.csv"),
        (["near.stylobate", "age=3"], "name a source of rows to compare with"),
        (["scaler.stylobate", "age=3"], "predicts nothing"),
        (["classes.stylobate", "sex=male", "--most", "0"], "--most must be"),
    ],
)
def test_refusals_are_sentences(place, arguments, message):
    done = run(place, *arguments)
    assert done.exit_code == 2
    assert message in " ".join(done.output.split())
    assert "Traceback" not in done.output


def test_a_model_that_is_no_sum(place):
    text = run(place, "near.stylobate").stdout
    assert "KNeighborsRegressor predicts y, a number, from 2 columns" in text
    assert "No certificate" in text
    done = run(place, "near.stylobate", "rows.csv", "--row", "1")
    assert "Shapley values" in done.stdout
