"""What `stylobate predict` says of rows it did answer: categories not seen, ragged lines; JSON."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from stylobate.compose import ColumnTransformer
from stylobate.ensemble import RandomForestRegressor
from stylobate.linear_model import Ridge
from stylobate.pipeline import make_pipeline
from stylobate.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler, TableEncoder
from stylobate.tree import DecisionTreeRegressor

DRAW = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "colour": DRAW.choice(["red", "blue", "grey"], 90),
        "sex": DRAW.choice(["male", "female"], 90),
        "size": DRAW.normal(size=90),
    }
)
Y = DRAW.normal(size=90)
ASKED = (
    "size,colour,sex\n1,green,male\n2,red,femal\n3,,female\n4,violet,\n5, blue,male\n6,green,male\n"
)


def by_columns(encoder):
    return make_pipeline(
        ColumnTransformer([("c", encoder, ["colour", "sex"])], remainder=StandardScaler()), Ridge()
    )


MODELS = {
    "table": (make_pipeline(TableEncoder(), Ridge()), "none of those known"),
    "codes": (
        make_pipeline(TableEncoder(categories="codes"), RandomForestRegressor(5)),
        "missing",
    ),
    "tree": (DecisionTreeRegressor(), "missing"),
    "one-hot": (by_columns(OneHotEncoder(handle_unknown="ignore")), "none of those known"),
    "rare": (
        by_columns(OneHotEncoder(handle_unknown="infrequent_if_exist", max_categories=2)),
        "one of the rare ones",
    ),
    "ordinal": (
        by_columns(OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)),
        "the code -1",
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_categories_not_seen_are_counted(run, table, tmp_path, name):
    model, treated = MODELS[name]
    place = model.fit(FRAME, Y).save(tmp_path / "m")
    out = tmp_path / "o.csv"
    result = run("predict", place, table(ASKED), "--out", out)
    assert result.exit_code == 0, result.stderr
    assert (
        "3 rows held categories of 'colour' that the model has not seen ('green', 'violet'); "
        f"treated as {treated}.\n" in result.stderr
    )
    assert "1 row held a category of 'sex' that the model has not seen ('femal'); " in result.stderr
    assert "size" not in result.stderr
    told = json.loads(run("predict", place, table(ASKED), "--out", out, "--json").stdout)
    assert (told["rows"], told["predicted"], told["left_out"]) == (6, 6, 0)
    assert [(each["column"], each["rows"]) for each in told["unseen"]] in (
        [("colour", 3), ("sex", 1)],
        [("sex", 1), ("colour", 3)],
    )
    assert told["unseen"][0]["values"] == ["green", "violet"]


@pytest.mark.parametrize("column", ["colour", "sex"])
@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("name", ["table", "codes", "tree"])
def test_what_is_said_of_them_is_true(run, tmp_path, name, gaps, column):
    """Treated as missing: predicted as an empty cell is; treated as a value: as that value is."""
    frame = FRAME.copy()
    if gaps:
        frame.loc[::7, ["colour", "sex"]] = None
    model = MODELS[name][0].fit(frame, Y)
    place = model.save(tmp_path / "m")
    new = FRAME.assign(**{column: "unheard"})
    new.to_csv(tmp_path / "t.csv", index=False)
    told = run("predict", place, tmp_path / "t.csv", "--out", tmp_path / "o.csv", "--json").stdout
    (unseen,) = json.loads(told)["unseen"]
    assert (unseen["column"], unseen["rows"]) == (column, 90)
    treated = unseen["treated_as"]
    if treated != "none of those known":
        same = FRAME.assign(**{column: None if treated == "missing" else treated})
        np.testing.assert_array_equal(model.predict(new), model.predict(same))
    assert treated in {"missing", "none of those known", "male", "female"}


def test_means_of_the_target_take_new_ones_for_average(run, table, tmp_path):
    names = [f"n{k}" for k in range(60)]
    frame = pd.DataFrame({"town": names * 20, "size": DRAW.normal(size=1200)})
    encoder = TableEncoder(many="target")
    model = make_pipeline(encoder, Ridge()).fit(frame, DRAW.normal(size=1200))
    assert next(type(part).__name__ for part, _ in encoder._parts) == "TargetPart"
    place = model.save(tmp_path / "m")
    result = run("predict", place, table("town,size\nn1,1\nx,1\n"))
    assert "1 row held a category of 'town' that the model has not seen ('x'); " in result.stderr
    assert "treated as an average one." in result.stderr


def test_nothing_is_said_when_all_is_known(run, tmp_path):
    FRAME.to_csv(tmp_path / "t.csv", index=False)
    place = MODELS["table"][0].fit(FRAME, Y).save(tmp_path / "m")
    assert run("predict", place, tmp_path / "t.csv").stderr == ""


RAGGED = 'size,colour,sex\n1,"two\nlines",male\n2\n3,red,male,extra\n4,red,male\n\nx,red\n'


def test_ragged_lines_are_named(run, table, tmp_path):
    place = MODELS["table"][0].fit(FRAME, Y).save(tmp_path / "m")
    result = run("predict", place, table(RAGGED))
    assert result.exit_code == 1
    assert (
        "3 rows have not 3 cells (lines 4, 5, 8); missing cells are empty, cells beyond the "
        "header are in beyond_1.\n" in result.stderr
    )
    assert "row 5: line 8: column 'size' holds 'x', which is not a number" in result.stderr
    assert result.stderr.endswith("4 rows predicted, 1 left out.\n")


def test_json_is_one_line_of_the_same_keys(run, table, tmp_path):
    place = MODELS["table"][0].fit(FRAME, Y).save(tmp_path / "m")
    out = tmp_path / "o.csv"
    bad = run("predict", place, table(RAGGED), "--out", out, "--json")
    assert (bad.exit_code, bad.stderr) == (1, "")
    told = json.loads(bad.stdout)
    assert told["reasons"] == [
        {"row": 5, "line": 8, "reason": "column 'size' holds 'x', which is not a number"}
    ]
    assert told["out"] == str(out)
    assert "(lines 4, 5, 8)" in told["notes"][0]
    good = run("predict", place, table("size,colour,sex\n1,red,male\n"), "--out", out, "--json")
    assert (good.exit_code, good.stderr) == (0, "")
    assert list(json.loads(good.stdout)) == list(told)
    refused = run("predict", place, table(RAGGED), "--json")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "--json needs --out" in refused.stderr
