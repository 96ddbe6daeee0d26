"""The bench of studies: its measures against scikit-learn's, its verdicts, one small bout."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

from race.study_quality.__main__ import bout
from race.study_quality.catalogue import FIXED, Asked
from race.study_quality.drawn import copies
from race.study_quality.judging import Bout, Entry, noise_of, score, set_apart
from race.study_quality.summary import line, summary

RNG = np.random.default_rng(0)


def small(folder):
    x = RNG.normal(size=(90, 2))
    y = 2 * x[:, 0] + 0.3 * RNG.normal(size=90)
    return pd.DataFrame({"a": x[:, 0], "b": x[:, 1], "who": np.arange(90) // 3, "y": y})


def test_there_are_enough_tables_of_every_kind():
    assert len(FIXED) >= 25
    traits = " ".join(each.traits for each in FIXED)
    for trait in ("text", "dates", "wide", "imbalanced", "many-valued", "duplicated", "grouped",
                  "forecasting", "tiny", "larger", "nothing to learn"):  # fmt: skip
        assert trait in traits


def test_the_area_is_scikit_learns():
    y = RNG.integers(0, 2, 200)
    p = np.round(RNG.random(200) + 0.2 * y, 1)  # with ties
    assert score("auc", y, np.column_stack([1 - p, p])) == pytest.approx(roc_auc_score(y, p))


def test_the_noise_is_that_of_a_mean():
    y = np.zeros(4000)
    first, second = RNG.normal(size=(2, 4000))
    given = np.eye(2)[[(first > 0).astype(int), (second > 0).astype(int)]]
    differences = (given[0].argmax(1) == 0) * 1.0 - (given[1].argmax(1) == 0)
    found = noise_of("accuracy", y, given[0], given[1], np.arange(4000))
    assert found == pytest.approx(differences.std() / 4000**0.5, rel=0.15)


@pytest.mark.parametrize("split", ["random", "time", "group"])
def test_rows_set_apart(split):
    asked = Asked("small", "", small, "y", split, "who" if split == "group" else None)
    frame = small(None).assign(place=np.arange(90))
    train, test = set_apart(frame, asked)
    assert sorted([*train["place"], *test["place"]]) == list(range(90))
    if split == "time":
        assert train["place"].max() < test["place"].min()
    if split == "group":
        assert not set(train["who"]) & set(test["who"])


def judged(said, *, null=False, clear=True, below=False):
    entry = Entry(0.9, 1.0, 0.01, {"verdict": said})
    made = Bout("t", "", "auc", 10, 2, {"study": entry}, 0.5, null)
    made.clear_signal, made.below = clear, below
    return made


def test_wrong_verdicts():
    assert judged("yes").wrong_verdict == ""
    assert judged("hardly").wrong_verdict
    assert judged("hardly", clear=False).wrong_verdict == ""
    assert judged("yes", null=True).wrong_verdict
    assert judged("hardly", null=True, clear=False).wrong_verdict == ""
    assert judged("yes", below=True).wrong_verdict


def test_one_bout(tmp_path):
    asked = Asked("small", "grouped", small, "y", "group", "who")
    made = bout(asked, tmp_path, 1.0, ["study", "tuned scikit-learn"])
    assert [each.failure for each in made.entries.values()] == ["", ""]
    assert made.clear_signal
    assert all(each.score > made.baseline for each in made.entries.values())
    assert "first or within noise" in line(made)
    assert "1 of 1 tables" in summary([made])


def test_the_answer_under_another_name_is_no_feature():
    frame = pd.DataFrame({
        "class": ["first", "third", None, "third", "second", "first"],
        "pclass": [1, 3, 3, 3, 2, 1],
        "coarse": ["high", "low", "low", "low", "low", "high"],
        "fare": [70.0, 8.0, 7.0, 9.0, 20.0, 80.0],
    })  # fmt: skip
    assert copies(frame, "class") == ("pclass",)
    assert copies(frame, "fare") == ()
