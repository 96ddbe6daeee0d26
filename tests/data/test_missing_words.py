"""One rule for texts that stand for no value: of files, of frames, of models and of their SQL."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import pytest

import stylobate
from stylobate.data.kinds import infer_schema
from stylobate.data.kinds.spellings import is_missing, missing_words
from stylobate.linear_model import Ridge
from stylobate.naive_bayes import NaiveBayes
from stylobate.pipeline import make_pipeline
from stylobate.preprocessing import TableEncoder

BESIDE_WORDS = ["red", "blue", "None", "unknown", "na", "-", "NA", "missing", "red", "blue"] * 4
BESIDE_NUMBERS = ["1.5", "2.5", "None", "unknown", "na", "-", "NA", "missing", "3.5", "4"] * 4
BESIDE_NUMBERS += [str(k) for k in range(200)]
BESIDE_MARKS = ["+", "-", "*", "NA", "+", "-"] * 7


def read(values, folder):
    place = folder / "table.csv"
    place.write_text("x,other\n" + "".join(f'"{v}",{k}\n' for k, v in enumerate(values)))
    return stylobate.read(place).to_frame("pandas")["x"]


@pytest.mark.parametrize(
    ("values", "words", "gone"),
    [
        (BESIDE_WORDS, "marks", {"-", "NA"}),
        (BESIDE_NUMBERS, "words", {"None", "unknown", "na", "-", "NA", "missing"}),
        (BESIDE_MARKS, "always", {"NA"}),
    ],
    ids=["words", "numbers", "marks"],
)
def test_files_frames_and_schemas_agree(values, words, gone, tmp_path):
    expected = np.array([value in gone for value in values])
    assert np.array_equal(read(values, tmp_path).isna().to_numpy(), expected)
    distinct = list(dict.fromkeys(values))
    assert missing_words(distinct, [values.count(v) for v in distinct]) == words
    assert [is_missing(value, words) for value in values] == expected.tolist()
    column = infer_schema(pd.DataFrame({"x": values}))["x"]
    assert column.missing == words
    assert column.n_missing == expected.sum()


def test_an_encoder_keeps_the_words_of_its_fit(tmp_path):
    frame = pd.DataFrame({"x": BESIDE_WORDS})
    encoder = TableEncoder().fit(frame)
    labels = ["red", "blue", "None", "unknown", "na", "missing", "(missing)"]
    assert sorted(encoder.get_feature_names_out()) == sorted(f"x_{each}" for each in labels)
    made = pd.DataFrame(encoder.transform(frame), columns=encoder.get_feature_names_out())
    from_file = pd.DataFrame({"x": read(BESIDE_WORDS, tmp_path)})
    again = TableEncoder().fit(from_file)
    assert np.array_equal(made, np.asarray(again.transform(from_file)))


def test_words_are_what_they_were_at_the_fit_whatever_comes_later():
    """A model of words takes "unknown" for a word it does not know, one of numbers for none."""
    words = TableEncoder().fit(pd.DataFrame({"x": ["red", "blue", "green"] * 9}))
    assert words.schema_["x"].missing == "marks"
    later = pd.DataFrame({"x": ["unknown", "NA", "-", "red"]})
    found = words.transform(later)
    assert np.asarray(found).sum(axis=1).tolist() == [0.0, 0.0, 0.0, 1.0]
    numbers = TableEncoder().fit(
        pd.DataFrame({"x": [f"${k % 9}.5" for k in range(30)] + ["unknown"]})
    )
    marks = np.asarray(numbers.transform(pd.DataFrame({"x": ["unknown", "$3"]})))
    assert marks[:, 1].tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    "model",
    [make_pipeline(TableEncoder(), Ridge()), NaiveBayes()],
    ids=lambda model: type(model).__name__,
)
@pytest.mark.parametrize("values", [BESIDE_WORDS, BESIDE_MARKS, BESIDE_NUMBERS])
def test_sql_follows_the_rule(model, values):
    frame = pd.DataFrame({"x": values, "z": np.arange(float(len(values)))})
    y = (np.arange(len(values)) % 3).astype(float)
    model.fit(frame, y.astype(int) if isinstance(model, NaiveBayes) else y)
    connection = duckdb.connect()
    connection.register("data", frame)
    found = connection.execute(model.to_sql()).df()["prediction"].to_numpy(dtype=float)
    np.testing.assert_allclose(found, model.predict(frame), rtol=1e-9, atol=1e-9)
