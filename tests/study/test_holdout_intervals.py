"""Intervals and sets of labels from the locked rows: ranks written out, and how often they hold."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from stylobate import Study
from stylobate.exceptions import InvalidParameterError
from stylobate.study.holdout.conformity import conformity_of


def numbers(n, seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(n, 3)), columns=list("abc"))
    return frame.assign(y=2 * frame.a - frame.b + rng.normal(size=n))


@pytest.fixture(scope="module")
def regression():
    return Study(numbers(600, 0), "y", models=["linear"], time=20).run()


def test_intervals_hold_new_rows(regression):
    new = numbers(4000, 1)
    for level in (0.5, 0.9, 0.95):
        told = regression.predict_interval(new, level=level)
        held = np.mean((told.lower <= new.y) & (new.y <= told.upper))
        assert held == pytest.approx(level, abs=0.06)
        np.testing.assert_array_equal(told.mean, regression.predict(new))
    assert told.upper[0] - told.mean[0] == dict(regression.holdout.conformity.margins)[0.95]


def test_the_margin_is_an_order_statistic():
    class Zero:
        classes_ = np.array([0, 1])

        def predict(self, table):
            return np.zeros(19)

        def predict_proba(self, table):
            return np.column_stack([np.arange(19), 19 - np.arange(19)]) / 19

    y = np.random.default_rng(0).permutation(np.arange(1.0, 20.0))
    found = conformity_of("regression", Zero(), None, y, None)
    assert dict(found.margins)[0.9] == 18.0  # of rank ⌈20 · 0.9⌉
    assert found.margins[-1] == (0.95, 19.0)  # 19 rows cannot promise more
    with pytest.raises(InvalidParameterError, match="19 locked rows can promise 95 % at most"):
        found.margin(0.99)
    grouped = conformity_of("regression", Zero(), None, y, np.arange(19) // 2)
    assert (grouped.rows, grouped.grouped) == (10, True)
    sets = conformity_of("binary", Zero(), None, np.zeros(19, dtype=int), None)
    assert dict(sets.margins)[0.9] == pytest.approx(1 - 1 / 19)


def test_words_page_and_plain_values(regression):
    margin = dict(regression.holdout.conformity.margins)[0.9]
    words = regression.holdout.conformity.words
    assert words.startswith("For 90 % of new rows like these the truth is within ±")
    assert margin == pytest.approx(1.645, abs=0.35)
    assert words in repr(regression)
    assert "the truth is within ±" in regression.to_html()
    told = json.loads(json.dumps(regression.to_dict()))["holdout"]["conformity"]
    assert told["kind"] == "interval"
    with pytest.raises(InvalidParameterError, match="predict_sets is for classes"):
        regression.predict_sets(numbers(5, 2))


def test_sets_hold_new_rows():
    def classes(n, seed):
        frame = numbers(n, seed)
        return frame.assign(y=np.digitize(frame.y, [-1, 1]).astype(str))

    result = Study(classes(600, 0), "y", models=["lda"], time=20).run()
    new = classes(4000, 1)
    told = result.predict_sets(new, level=0.9)
    assert told.coverage(new.y) == pytest.approx(0.9, abs=0.06)
    assert 1.0 < told.sizes.mean() < 2.5
    assert "among the labels with a probability" in result.holdout.conformity.words
    with pytest.raises(InvalidParameterError, match="predict_interval is for numbers"):
        result.predict_interval(new)
