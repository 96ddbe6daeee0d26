"""Texts on a cluster: the vocabulary and the weights of memory, and pipelines that stay sparse."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from stylobate.exceptions import UnsupportedDataError
from stylobate.feature_extraction.text import (
    CountVectorizer,
    HashingVectorizer,
    TfidfVectorizer,
    count_vectorizer,
)
from stylobate.feature_extraction.text.counters import TermTally
from stylobate.linear_model import LogisticRegression
from stylobate.pipeline import make_pipeline
from stylobate.sources.clusters import messages

pd = pytest.importorskip("pandas")

TEXTS = ["red fish", "blue fish", "one fish two fish", "", "cat häts \U0001f408", "red cat"] * 5


def frame():
    return pd.DataFrame({"text": TEXTS, "size": 1.0, "y": [0, 1, 0, 1, 0, 1] * 5})


def rows(engine, ends=(0, 3, 3, 20, 30)):
    return engine.rows([frame().iloc[a:b] for a, b in pairwise(ends)])


def test_weights_are_those_of_memory_on_every_engine(engine):
    found = TfidfVectorizer(max_features=5).fit(rows(engine), features=["text"])
    expected = TfidfVectorizer(max_features=5).fit(TEXTS)
    assert found.vocabulary_ == expected.vocabulary_
    assert (found.idf_ == expected.idf_).all()


def test_a_pipeline_is_that_of_memory(dask_engine):
    table = frame()
    made = make_pipeline(TfidfVectorizer(max_features=5, ngram_range=(1, 2)), LogisticRegression())
    found = made.fit(rows(dask_engine), target="y", features=["text"])
    expected = make_pipeline(TfidfVectorizer(**made[0].get_params()), LogisticRegression())
    expected.fit(table["text"], table["y"])
    assert found[0].vocabulary_ == expected[0].vocabulary_
    assert (found[0].idf_ == expected[0].idf_).all()
    np.testing.assert_allclose(found[1].coef_, expected[1].coef_, rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize(
    "model",
    [
        CountVectorizer(min_df=2, max_df=0.5),
        TfidfVectorizer(vocabulary=["red", "cat"]),
        TfidfVectorizer(analyzer="char", ngram_range=(2, 2)),
        HashingVectorizer(n_features=16),
    ],
)
def test_counts_and_weights(dask_engine, model):
    held = rows(dask_engine)[["text"]]
    found = type(model)(**model.get_params()).fit(held)
    expected = type(model)(**model.get_params()).fit(TEXTS)
    assert getattr(found, "vocabulary_", None) == getattr(expected, "vocabulary_", None)
    given = expected.transform(TEXTS).toarray()
    assert (found.transform(held).compute().to_numpy() == given).all()


def test_what_would_be_too_much_is_refused(dask_engine, monkeypatch):
    with pytest.raises(UnsupportedDataError, match=r"one column of texts.*partition 0"):
        TfidfVectorizer().fit(rows(dask_engine), features=["text", "size"])
    wide = HashingVectorizer().fit(rows(dask_engine)[["text"]])
    with pytest.raises(UnsupportedDataError, match="put it into a pipeline"):
        wide.transform(rows(dask_engine)[["text"]])
    monkeypatch.setattr(count_vectorizer, "_MOST_TERMS", 3)
    one, other = TermTally(), TermTally()
    one.add(["a", "b"], np.ones(2, int), np.ones(2, int))
    other.add(["c", "d"], np.ones(2, int), np.ones(2, int))
    with pytest.raises(UnsupportedDataError, match="more than 3 different terms"):
        count_vectorizer._both_capped((one, 1), (other, 1))


@pytest.mark.parametrize("terms", [["a", "", "ä\0b", "\udcff"], [("a", 1), ("b", 2)]])
def test_tallies_travel_as_arrays(terms):
    tally = TermTally()
    tally.add(terms, np.arange(1, len(terms) + 1), np.arange(2, len(terms) + 2))
    found = messages.decode(messages.encode(tally))
    ours, theirs = found.sorted(), tally.sorted()
    assert ours[0] == theirs[0]
    assert (ours[1] == theirs[1]).all()
    assert (ours[2] == theirs[2]).all()
