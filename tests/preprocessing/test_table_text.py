"""Texts, many-valued categories and times of day in tables, against scikit-learn and by hand."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import TargetEncoder

import stylobate
from stylobate.exceptions import FormulaError, InvalidDataError
from stylobate.linear_model import LogisticRegression
from stylobate.pipeline import make_pipeline
from stylobate.preprocessing import TableEncoder
from stylobate.preprocessing.table.text import singular_directions

TEXTS = [
    "the cat sat on the mat with another cat",
    "a dog sat on the log, said the cat",
    "dogs and cats are animals that sit",
    None,
    "the mat was red and the log was brown",
    "nothing here is like anything over there",
] * 5
FRAME = pd.DataFrame({"said": TEXTS, "size": 1.5 * np.arange(30.0)})
TEXT = {"said": "text"}


def weights(texts, **options):
    return TfidfVectorizer(sublinear_tf=True, min_df=2, **options).fit_transform(texts)


def test_words_and_letters_are_those_of_scikit_learn():
    made = TableEncoder(kinds=TEXT, text="tfidf").fit_transform(FRAME)
    assert sparse.issparse(made)
    texts = [text or "" for text in TEXTS]
    words = weights(texts, ngram_range=(1, 2))
    letters = weights(texts, analyzer="char_wb", ngram_range=(3, 5))
    expected = sparse.hstack([words, letters, 1.5 * np.arange(30.0)[:, None]]).toarray()
    np.testing.assert_allclose(made.toarray(), expected, atol=1e-14)


def test_no_more_terms_than_asked_for():
    encoder = TableEncoder(kinds=TEXT, text="tfidf", max_terms=7).fit(FRAME)
    assert len(encoder.get_feature_names_out()) == 7 + 7 + 1


def test_directions_hold_nearly_what_the_best_ones_hold():
    draw = np.random.default_rng(0)
    for shape in ((200, 60), (60, 200)):
        x = sparse.random_array(shape, density=0.2, rng=draw, format="csr")
        found = singular_directions(x, 5)
        exact = np.linalg.svd(x.toarray(), compute_uv=False)[:5]
        np.testing.assert_allclose(found.T @ found, np.eye(5), atol=1e-8)
        held = np.linalg.norm(x @ found) ** 2
        assert 0.97 * (exact**2).sum() <= held <= (exact**2).sum() * (1 + 1e-12)


def test_directions_are_scaled_and_repeat():
    encoder = TableEncoder(kinds=TEXT, text="svd", n_directions=3, scale=True)
    made = encoder.fit_transform(FRAME)
    block = made[["said_svd0", "said_svd1", "said_svd2"]].to_numpy()
    np.testing.assert_allclose(block.mean(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(block.std(axis=0), 1.0)
    np.testing.assert_allclose(encoder.transform(FRAME), made)
    np.testing.assert_allclose(encoder.transform(FRAME[:4]), made[:4])


def test_texts_without_words_give_no_columns():
    frame = pd.DataFrame({"said": ["!", "?!", ".", "…"] * 9, "size": np.arange(36.0)})
    for text in ("tfidf", "svd"):
        made = TableEncoder(kinds=TEXT, text=text).fit_transform(frame)
        assert made.shape[0] == 36


def test_means_are_those_of_target_encoder_whatever_the_target_looks_like():
    draw = np.random.default_rng(1)
    group = draw.integers(0, 30, 300)
    frame = pd.DataFrame({"g": [f"g{k}" for k in group]})
    whole = np.round(100 * draw.normal(size=30)[group]) + draw.integers(0, 9, 300).astype(float)
    made = TableEncoder(many="target", target_type="continuous").fit(frame, whole).transform(frame)
    expected = TargetEncoder(target_type="continuous").fit(frame, whole).transform(frame)
    np.testing.assert_allclose(made, expected)
    scaled = TableEncoder(many="target", target_type="continuous", scale=True)
    crossed = np.asarray(scaled.fit_transform(frame, whole))
    assert crossed.shape == (300, 1)
    assert crossed.std() == pytest.approx(1.0)
    with pytest.raises(InvalidDataError, match="many='both' needs y"):
        TableEncoder(many="both").fit(frame)


def test_likeness_is_the_cosine_of_letters():
    names = [f"{what} officer {rank}" for what in ("police", "fire", "parks") for rank in
             ("one", "two", "three", "four", "five", "six", "seven", "eight")] * 2  # fmt: skip
    frame = pd.DataFrame({"title": [*names, "police officer one"]})
    encoder = TableEncoder(many="similar").fit(frame)
    made = encoder.transform(pd.DataFrame({"title": ["police officer one", "polise oficer", None]}))
    assert made.shape == (3, 20)
    assert encoder.get_feature_names_out()[0] == "title_like_police officer one"
    letters = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4)).fit(sorted(set(names)))
    both = letters.transform(["police officer one", "polise oficer"])
    expected = (both @ both[:1].T).toarray().ravel()
    np.testing.assert_allclose(made.iloc[:, 0], [*expected, 0.0], atol=1e-12)


def test_both_adds_likeness_where_names_resemble_each_other():
    y = np.arange(48) % 2
    titles = [f"{a} manager of {b}" for a in ("senior", "junior", "chief", "deputy")
              for b in ("roads", "parks", "schools", "health", "police", "taxes")] * 2  # fmt: skip
    codes = [f"{k:03d}-X{k * 7 % 24}" for k in range(24)] * 2
    frame = pd.DataFrame({"title": titles, "code": codes})
    names = TableEncoder(many="both").fit(frame, y).get_feature_names_out()
    assert sum(name.startswith("title_like_") for name in names) == 20
    assert [name for name in names if name.startswith("code")] == ["code_mean"]


def test_models_of_texts_are_kept_in_files(tmp_path):
    y = np.arange(30) % 6 < 3
    for text in ("tfidf", "svd"):
        model = make_pipeline(
            TableEncoder(kinds=TEXT, text=text, n_directions=4), LogisticRegression()
        ).fit(FRAME, y)
        stylobate.save(model, tmp_path / "model.stylobate")
        again = stylobate.load(tmp_path / "model.stylobate")
        np.testing.assert_array_equal(again.predict_proba(FRAME), model.predict_proba(FRAME))
        with pytest.raises((FormulaError, AttributeError), match="tf-idf"):
            model.to_sql()


def test_times_of_day_and_durations_become_what_they_are():
    frame = pd.DataFrame({
        "at": [f"{k % 24:02d}:{k % 60:02d}" for k in range(48)],
        "took": pd.to_timedelta(np.arange(48), unit="min"),
        "start": pd.to_datetime(np.arange(48) * 1.7e12).time,
    })  # fmt: skip
    encoder = TableEncoder().fit(frame)
    made = encoder.transform(frame)
    assert [column.kind for column in encoder.schema_] == ["datetime", "numeric", "datetime"]
    np.testing.assert_array_equal(made["took"], 60.0 * np.arange(48))
    hours = np.arange(48) % 24 + np.arange(48) % 60 / 60
    np.testing.assert_allclose(made["at_hour_sin"], np.sin(2 * np.pi * hours / 24), atol=1e-11)
    assert not [name for name in made if "year" in name or "month" in name]
