"""Vectorisers: input of every kind, refusals, statistics that merge, real texts."""

from __future__ import annotations

import io
import os
import pickle
from pathlib import Path

import numpy as np
import pytest

from stylobate.base import clone
from stylobate.data import read_table
from stylobate.exceptions import NotFittedError, StylobateError
from stylobate.feature_extraction.text import (
    ENGLISH_STOP_WORDS,
    CountVectorizer,
    DocumentFrequencies,
    HashingVectorizer,
    TfidfTransformer,
    TfidfVectorizer,
    strip_html,
)
from stylobate.testing import check_merge_laws

TEXTS = ["the cat sat", "the dog sat down", "a cat and a dog"]


def test_files_names_and_bytes(tmp_path):
    expected = CountVectorizer().fit_transform(TEXTS).toarray()
    paths = [tmp_path / f"{k}.txt" for k in range(3)]
    for path, text in zip(paths, TEXTS, strict=True):
        path.write_text(text)
    by_name = CountVectorizer(input="filename").fit_transform(map(str, paths))
    by_file = CountVectorizer(input="file").fit_transform([io.StringIO(text) for text in TEXTS])
    by_bytes = CountVectorizer().fit_transform([text.encode() for text in TEXTS])
    for found in (by_name, by_file, by_bytes):
        assert np.array_equal(found.toarray(), expected)


def test_bytes_that_are_no_text():
    broken = [b"caf\xe9 noir", b"plain"]
    for kind in (CountVectorizer, TfidfVectorizer, HashingVectorizer):
        with pytest.raises(UnicodeDecodeError) as refused:  # what scikit-learn's users catch
            kind().fit_transform(broken)
        assert isinstance(refused.value, StylobateError)
        assert all(each in str(refused.value) for each in (kind.__name__, "caf", "decode_error"))
        again = pickle.loads(pickle.dumps(refused.value))  # as it comes from another process
        assert str(again) == str(refused.value)
    assert "café" in CountVectorizer(encoding="latin-1").fit(broken).vocabulary_
    assert "caf" in CountVectorizer(decode_error="ignore").fit(broken).vocabulary_


@pytest.mark.parametrize(
    "wrong",
    [
        "one string",
        b"bytes",
        [1, 2],
        ["text", None],
        ["text", np.nan],
        np.array([["two", "columns"]]),
        7,
        {"a": "dict"},
    ],
)
@pytest.mark.parametrize("kind", [CountVectorizer, TfidfVectorizer, HashingVectorizer])
@pytest.mark.parametrize("pattern", [r"(?u)\b\w\w+\b", "[a-z]+"])
def test_what_is_no_column_of_texts_is_refused(kind, wrong, pattern):
    with pytest.raises(StylobateError) as refused:
        kind(token_pattern=pattern).fit_transform(wrong)
    assert len(str(refused.value).split()) > 5


def test_frames():
    pd, pl, pa = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    expected = CountVectorizer().fit_transform(TEXTS).toarray()
    for column in (pd.Series(TEXTS), pl.Series(TEXTS), pa.array(TEXTS), np.array(TEXTS)):
        assert np.array_equal(CountVectorizer().fit_transform(column).toarray(), expected)
    columns = {"text": TEXTS}
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns), pa.table(columns)):
        assert np.array_equal(CountVectorizer().fit_transform(frame).toarray(), expected)
    with pytest.raises(StylobateError, match="one column"):
        CountVectorizer().fit(pd.DataFrame(columns | {"other": TEXTS}))
    missing = pd.Series(["text", None])
    with pytest.raises(StylobateError, match=r"document 1|nan"):
        CountVectorizer().fit(missing)


@pytest.mark.parametrize(
    ("options", "documents", "message"),
    [
        ({}, [], "empty vocabulary"),
        ({}, ["", "a"], "empty vocabulary"),
        ({"stop_words": "english"}, ["the of and"], "only contain stop words"),
        ({"min_df": 3}, TEXTS[:2], "max_df corresponds to"),
        ({"min_df": 1, "max_df": 1}, ["cat", "cat"], "no terms remain"),
        ({"ngram_range": (2, 1)}, TEXTS, "lower boundary"),
        ({"vocabulary": []}, TEXTS, "empty vocabulary"),
        ({"vocabulary": ["a", "a"]}, TEXTS, "Duplicate term"),
        ({"vocabulary": {"a": 0, "b": 0}}, TEXTS, "repeated indices"),
        ({"vocabulary": {"a": 0, "b": 2}}, TEXTS, "doesn't contain index 1"),
        ({"token_pattern": "(a)(b)"}, TEXTS, "More than 1 capturing group"),
        ({"token_pattern": None}, TEXTS, "token_pattern"),
        ({"stop_words": "french"}, TEXTS, "stop_words"),
        ({"token_pattern": "("}, TEXTS, "no regular expression"),
        ({"encoding": "klingon"}, [b"cat"], "none that Python knows"),
    ],
)
def test_refusals_are_sentences(options, documents, message):
    with pytest.raises(ValueError, match=message):
        CountVectorizer(**options).fit(documents)


def test_unfitted():
    for kind in (CountVectorizer, TfidfVectorizer):
        with pytest.raises(NotFittedError):
            kind().transform(TEXTS)
    with pytest.raises(NotFittedError):
        _ = TfidfVectorizer().idf_
    assert CountVectorizer(vocabulary=["cat"]).transform(TEXTS).toarray().ravel().tolist() == [
        1,
        0,
        1,
    ]


def test_idf_can_be_set():
    model = TfidfVectorizer(vocabulary=["cat", "dog"], norm=None)
    model.idf_ = [2.0, 3.0]
    assert model.transform(["cat dog dog"]).toarray().tolist() == [[2.0, 6.0]]
    with pytest.raises(ValueError, match="vocabulary size"):
        model.idf_ = [1.0]


def test_stored_and_cloned():
    model = TfidfVectorizer(ngram_range=(1, 2)).fit(TEXTS)
    expected = model.transform(TEXTS)
    assert np.array_equal(pickle.loads(pickle.dumps(model)).transform(TEXTS).data, expected.data)
    assert not hasattr(clone(model), "vocabulary_")
    model.vocabulary_ = {term: k for k, term in enumerate(reversed(list(model.vocabulary_)))}
    assert np.array_equal(
        np.sort(model.transform(TEXTS).indices), np.sort(model.transform(TEXTS).indices)
    )
    assert model.transform(["cat"]).indices.tolist() == [model.vocabulary_["cat"]]


def test_own_analyzer_of_a_subclass_is_used():
    class Stemmed(CountVectorizer):
        def build_analyzer(self):
            words = super().build_analyzer()
            return lambda document: [word[:2] for word in words(document)]

    assert set(Stemmed().fit(TEXTS).vocabulary_) == {"th", "ca", "sa", "do", "an"}


def test_terms_of_any_kind():
    counted = CountVectorizer(analyzer=lambda numbers: numbers)
    assert counted.fit_transform([[3, 1, 3], [2]]).toarray().tolist() == [[1, 0, 2], [0, 1, 0]]
    assert counted.transform([[3, 9]]).toarray().tolist() == [[0, 0, 1]]


def test_hard_texts():
    huge = "word " * 300_000 + "x" * 2_000_000
    vectorizer = CountVectorizer()
    counts = vectorizer.fit_transform([huge, "", "\x00", "lone \ud800\udc00 surrogate"])
    assert counts[0, vectorizer.vocabulary_["word"]] == 300_000
    assert counts.sum(axis=1).A1.tolist() == [300_001, 0, 0, 2]
    surrogates = CountVectorizer(analyzer="char").fit(["a\ud800b"])
    assert set(surrogates.vocabulary_) == {"a", "b", "\ud800"}
    many = CountVectorizer().fit(f"{k:x}x {k + 1:x}x" for k in range(200_000))
    assert len(many.vocabulary_) == 200_001


def test_document_frequencies_merge():
    from scipy import sparse

    rng = np.random.default_rng(1)
    parts = [rng.poisson(0.5, size=(n, 6)).astype(float) for n in (4, 9, 5)]
    for build in (np.asarray, sparse.csr_array, sparse.csc_array):
        tables = [read_table(build(p), owner="test", accept_sparse=True) for p in parts]
        check_merge_laws(DocumentFrequencies, tables)


def test_batches_give_the_weights_of_all_documents():
    words = ["cat", "dog", "sat"]
    whole = TfidfVectorizer(vocabulary=words).fit(TEXTS)
    parts = TfidfVectorizer(vocabulary=words).fit_batches([TEXTS[:1], TEXTS[1:]])
    assert np.array_equal(whole.idf_, parts.idf_)
    learnt = TfidfVectorizer().fit_batches([TEXTS[:1], TEXTS[1:]])
    assert np.array_equal(learnt.idf_, TfidfVectorizer().fit(TEXTS).idf_)
    with pytest.raises(StylobateError, match="no batch"):
        TfidfTransformer().fit_batches([])
    hashed = HashingVectorizer(n_features=32, norm=None)
    batches = [hashed.transform(TEXTS[:2]), hashed.transform(TEXTS[2:])]
    one = TfidfTransformer().fit(hashed.transform(TEXTS))
    assert np.array_equal(TfidfTransformer().fit_batches(lambda: batches).idf_, one.idf_)


def test_pages():
    page = "<html><head><title>no</title></head><style>p{}</style><p>Fish&nbsp;&lt;3<!-- c --></p>"
    assert strip_html(page).split() == ["Fish", "<3"]
    assert strip_html("a < b & c <unclosed").split()[0] == "a"
    found = CountVectorizer(strip_html=True, preprocessor=str.upper).fit([page]).vocabulary_
    assert list(found) == ["FISH"]


def test_stop_words_are_words_texts_are_cut_into():
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS as THEIRS

    assert ENGLISH_STOP_WORDS == THEIRS  # the same terms are left out here and there
    assert set(CountVectorizer(stop_words="english").fit(TEXTS).vocabulary_) == {
        "cat",
        "dog",
        "sat",
    }


def test_a_vectorizer_tells_whose_vocabulary_it_has():
    model = CountVectorizer()
    with pytest.raises(ValueError, match="fit"):
        model.get_feature_names_out()
    assert not model.fixed_vocabulary_
    given = CountVectorizer(vocabulary=["cat"])
    given.transform(TEXTS)
    assert given.fixed_vocabulary_
    with pytest.raises(ValueError, match="strip_accents"):
        CountVectorizer(strip_accents="all").build_preprocessor()


def test_weights_that_would_not_be_used_are_refused():
    weights = TfidfVectorizer().fit(TEXTS)
    other = TfidfVectorizer(vocabulary=weights.vocabulary_, use_idf=False)
    with pytest.raises(ValueError, match="use_idf"):
        other.idf_ = weights.idf_


def test_pipeline_of_scikit_learn():
    from sklearn.pipeline import make_pipeline

    from stylobate.linear_model import LogisticRegression

    model = make_pipeline(TfidfVectorizer(), LogisticRegression()).fit(TEXTS, [0, 1, 0])
    assert model.predict(["cat"]).tolist() == [0]


def test_real_texts():
    """20 newsgroups, where they are at hand: the same matrix as scikit-learn's."""
    root = Path(__file__).parents[2]
    folder = Path(os.environ.get("STYLOBATE_DATA", root.parent / "shared" / "data"))
    file = folder / "text" / "newsgroups20.parquet"
    if not file.exists():
        pytest.skip("the texts are not here")
    import sklearn.feature_extraction.text as theirs

    pl = pytest.importorskip("polars")
    texts = pl.read_parquet(file).select("text").to_series().to_list()[:500]
    for options in ({"ngram_range": (1, 2), "min_df": 2}, {"analyzer": "char_wb"}):
        a = TfidfVectorizer(**options).fit_transform(texts)
        b = theirs.TfidfVectorizer(**options).fit_transform(texts)
        b.sort_indices()
        assert np.array_equal(a.indices, b.indices)
        assert np.array_equal(a.indptr, b.indptr)
        np.testing.assert_allclose(a.data, b.data, rtol=1e-12)
