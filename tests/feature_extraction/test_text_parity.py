"""Vectorisers against scikit-learn's, over their options and over texts of every script."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import sklearn.feature_extraction.text as theirs
from hypothesis import given, settings
from hypothesis import strategies as st

from stylobate import threads
from stylobate.feature_extraction import text as ours

DOCUMENTS = [
    "The cat sat on the mat; the cat's hat!",
    "ΟΔΥΣΣΕΥΣ και Σίσυφος, ΣΑΣ. İstanbul'da Straße ẞ ǅ",
    "",
    "日本語のテキスト  \t two\u2003spaces\n\nnaïve CAFÉ cafe\u0301 x y z",
    "שלום עולם مرحبا بالعالم नमस्ते 👩‍👩‍👧 ½ Ⅷ ² _under_score __ a_b",
    "nul\x00inside \x1c\x1d seps the cat the mat the the",
    " ",
]
OPTIONS = [
    {},
    {"lowercase": False},
    {"binary": True, "dtype": np.float32},
    {"ngram_range": (1, 3)},
    {"ngram_range": (2, 2), "stop_words": ["the", "on"]},
    {"ngram_range": (3, 9)},
    {"analyzer": "char"},
    {"analyzer": "char", "ngram_range": (2, 5)},
    {"analyzer": "char_wb", "ngram_range": (1, 4)},
    {"analyzer": "char_wb", "ngram_range": (4, 9), "lowercase": False},
    {"strip_accents": "unicode"},
    {"strip_accents": "ascii", "ngram_range": (1, 2)},
    {"token_pattern": r"(?u)\b\w+\b"},
    {"token_pattern": r"[a-z]+"},
    {"token_pattern": r"(\w)\w+"},
    {"preprocessor": str.upper},
    {"tokenizer": str.split, "token_pattern": None},
    {"analyzer": str.split},
    {"max_df": 2},
    {"max_df": 0.5, "min_df": 1},
    {"min_df": 2},
    {"max_features": 4},
    {"max_features": 7, "binary": True},
    {"vocabulary": ["cat", "the", "absent"]},
    {"vocabulary": {"the": 1, "mat": 0}},
    {"vocabulary": {"the", "mat"}},
]
WEIGHTS = [
    {},
    {"norm": "l1", "sublinear_tf": True},
    {"norm": None, "smooth_idf": False},
    {"use_idf": False},
    {"dtype": np.float32},
]
nasty = st.text(
    st.one_of(
        st.characters(exclude_categories=()),  # surrogates too
        st.sampled_from("aA sSΣσςİıßẞée\u0301日本😀🏽\u200d\x00\t\u2003_1²١אب"),
    ),
    max_size=40,
)


def vectorized(module, kind, options, documents):
    """Matrix, terms and the matrix of a second reading."""
    vectorizer = getattr(module, kind)(**options)
    first = vectorizer.fit_transform(documents)
    names = list(vectorizer.get_feature_names_out()) if hasattr(vectorizer, "vocabulary_") else []
    return first, names, vectorizer.transform(documents)


def assert_same(kind, options, documents, tolerance=0.0):
    a, names, again = vectorized(ours, kind, options, documents)
    b, expected_names, expected_again = vectorized(theirs, kind, options, documents)
    assert names == expected_names
    for found, expected in ((a, b), (again, expected_again)):
        assert type(found) is type(expected)
        expected.sort_indices()  # ours are
        assert found.dtype == expected.dtype
        assert found.shape == expected.shape
        assert np.array_equal(found.indptr, expected.indptr)
        assert np.array_equal(found.indices, expected.indices)
        assert found.indices.dtype == expected.indices.dtype
        np.testing.assert_allclose(found.data, expected.data, rtol=tolerance, atol=0)


@pytest.mark.parametrize("options", OPTIONS, ids=range(len(OPTIONS)))
def test_counts(options):
    assert_same("CountVectorizer", options, DOCUMENTS)


@pytest.mark.parametrize("options", WEIGHTS)
@pytest.mark.parametrize("analysis", [{}, {"analyzer": "char_wb", "ngram_range": (2, 3)}])
def test_weights(options, analysis):
    tolerance = 1e-5 if options.get("dtype") is np.float32 else 1e-13
    assert_same("TfidfVectorizer", options | analysis, DOCUMENTS, tolerance)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"n_features": 7},
        {"n_features": 1, "norm": None},
        {"n_features": 2**31 - 1, "norm": "l1", "alternate_sign": False},
        {"n_features": 16, "binary": True, "analyzer": "char", "ngram_range": (1, 3)},
        {"n_features": 16, "norm": None, "token_pattern": "[a-z]+"},
    ],
)
def test_hashes(options):
    a = ours.HashingVectorizer(**options).transform(DOCUMENTS)
    b = theirs.HashingVectorizer(**options).transform(DOCUMENTS)
    assert np.array_equal(a.indptr, b.indptr)
    assert np.array_equal(a.indices, b.indices)
    np.testing.assert_allclose(a.data, b.data, rtol=1e-13)


@settings(max_examples=150)
@given(
    st.lists(nasty, min_size=1, max_size=6),
    st.sampled_from(["word", "char", "char_wb"]),
    st.booleans(),
    st.integers(1, 3),
    st.integers(0, 3),
)
def test_any_text_gives_scikit_learns_terms(documents, analyzer, lowercase, least, more):
    options = {"analyzer": analyzer, "lowercase": lowercase, "ngram_range": (least, least + more)}
    try:
        theirs.CountVectorizer(**options).fit(documents)
    except ValueError as error:
        with pytest.raises(ValueError, match=str(error)):
            ours.CountVectorizer(**options).fit(documents)
        return
    assert_same("CountVectorizer", options, documents)


@given(nasty, st.sampled_from(["word", "char", "char_wb"]), st.integers(1, 4))
def test_analyzers_agree(text, analyzer, least):
    options = {"analyzer": analyzer, "ngram_range": (least, least + 2)}
    found = ours.CountVectorizer(**options).build_analyzer()(text)
    assert found == theirs.CountVectorizer(**options).build_analyzer()(text)


def test_every_code_point_is_cut_and_lowered_as_python_does():
    points = [chr(c) for c in range(0x20000)]  # no letters or spaces are beyond
    documents = [f"x{a}y" for a in points[:0x3000]] + [
        "".join(points[c : c + 64]) for c in range(0x3000, 0x20000, 64)
    ]
    for analyzer in ("word", "char_wb"):
        fast = ours.CountVectorizer(analyzer=analyzer)
        plain = ours.CountVectorizer(analyzer=fast.build_analyzer())
        assert np.array_equal(
            fast.fit_transform(documents).data, plain.fit_transform(documents).data
        )
        assert fast.vocabulary_ == plain.vocabulary_


def test_threads_and_blocks_do_not_matter():
    rng = np.random.default_rng(3)
    documents = [" ".join(f"w{k}" for k in rng.integers(0, 3000, 30)) for _ in range(9000)]
    expected = theirs.TfidfVectorizer(max_features=500).fit_transform(documents)
    expected.sort_indices()
    for count in (1, 2, 5):
        with threads(count):
            listed = ours.TfidfVectorizer(max_features=500).fit_transform(documents)
            streamed = ours.TfidfVectorizer(max_features=500).fit_transform(iter(documents))
        assert np.array_equal(listed.indices, expected.indices)
        np.testing.assert_allclose(listed.data, expected.data, rtol=1e-13)
        assert np.array_equal(listed.data, streamed.data)
        assert np.array_equal(listed.indices, streamed.indices)


@pytest.mark.parametrize("name", ["ascii", "unicode"])
@given(text=nasty)
def test_accents(name, text):
    assert getattr(ours, f"strip_accents_{name}")(text) == getattr(theirs, f"strip_accents_{name}")(
        text
    )


@given(st.text("<>a/b ", max_size=20))
def test_tags(text):
    assert ours.strip_tags(text) == theirs.strip_tags(text)


def test_transformer():
    counts = np.random.default_rng(0).poisson(0.6, size=(30, 12))
    for options in WEIGHTS[:4]:
        a = ours.TfidfTransformer(**options).fit(counts)
        b = theirs.TfidfTransformer(**options).fit(counts)
        np.testing.assert_allclose(
            a.transform(counts).toarray(), b.transform(counts).toarray(), rtol=1e-13
        )
        assert hasattr(a, "idf_") == hasattr(b, "idf_")


def test_inverse():
    a, b = ours.TfidfVectorizer().fit(DOCUMENTS), theirs.TfidfVectorizer().fit(DOCUMENTS)
    for found, expected in zip(
        a.inverse_transform(a.transform(DOCUMENTS)),
        b.inverse_transform(b.transform(DOCUMENTS)),
        strict=True,
    ):
        assert sorted(found) == sorted(expected)


@pytest.mark.parametrize(
    "options",
    [
        {"tokenizer": str.split},
        {"analyzer": "char", "stop_words": ["the"]},
        {"analyzer": "char", "token_pattern": "x"},
        {"analyzer": str.split, "ngram_range": (1, 2)},
        {"stop_words": ["don't", "The"]},
        {"vocabulary": ["Cat", "the"]},
    ],
)
def test_warnings(options):
    said = []
    for module in (theirs, ours):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            module.CountVectorizer(**options).fit(DOCUMENTS)
        said.append([str(each.message) for each in caught])
    assert said[0]
    assert said[0] == said[1]
