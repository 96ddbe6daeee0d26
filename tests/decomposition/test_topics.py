"""Topics: parity with scikit-learn, digamma against SciPy, the evidence bound, threads."""

import numpy as np
import polars
import pytest
from scipy import sparse, special
from sklearn.decomposition import LatentDirichletAllocation as TheirTopics

import stylobate
from stylobate import _core, set_threads
from stylobate.base import clone
from stylobate.data.streams import Batch, Stream
from stylobate.decomposition import LatentDirichletAllocation, top_words
from stylobate.exceptions import InvalidDataError, NumericalError
from stylobate.feature_extraction.text import CountVectorizer
from stylobate.pipeline import make_pipeline


def documents(n=80, p=40, seed=0):
    return np.random.default_rng(seed).poisson(0.6, size=(n, p)).astype(float)


def test_digamma_as_scipy():
    rng = np.random.default_rng(0)
    x = np.exp(rng.uniform(np.log(1e-4), np.log(1e9), size=(40, 37)))
    expected = special.psi(x) - special.psi(x.sum(axis=1, keepdims=True))
    np.testing.assert_allclose(
        _core.dirichlet_expectation(x, False), expected, rtol=2e-14, atol=2e-14
    )
    moderate = rng.uniform(0.05, 20.0, size=(5, 19))
    expected = np.exp(special.psi(moderate) - special.psi(moderate.sum(axis=1, keepdims=True)))
    np.testing.assert_allclose(_core.dirichlet_expectation(moderate, True), expected, rtol=1e-13)
    assert _core.dirichlet_expectation(np.array([[1e-9, 1.0]]), True)[0, 0] == 0.0


@pytest.mark.parametrize("kind", [np.array, sparse.csr_matrix, sparse.csc_array])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"learning_method": "online", "batch_size": 20},
        {"evaluate_every": 1, "perp_tol": 0.5},
        {"doc_topic_prior": 0.01, "topic_word_prior": 0.001},
    ],
    ids=str,
)
def test_same_topics_as_scikit_learn(settings, kind):
    """Theirs has a digamma function of nine digits: that is how far the two agree."""
    x = kind(documents())
    theirs = TheirTopics(5, random_state=0, max_iter=6, **settings).fit(x)
    ours = LatentDirichletAllocation(5, random_state=0, max_iter=6, **settings).fit(x)
    np.testing.assert_allclose(ours.components_, theirs.components_, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(ours.transform(x), theirs.transform(x), atol=1e-5)
    assert ours.bound_ == pytest.approx(theirs.bound_, rel=1e-7)
    assert ours.score(x) == pytest.approx(theirs.score(x), rel=1e-7)
    sampled = theirs.perplexity(x, sub_sampling=True)
    assert ours.perplexity(x, sub_sampling=True) == pytest.approx(sampled, rel=1e-7)
    assert (ours.n_iter_, ours.n_batch_iter_) == (theirs.n_iter_, theirs.n_batch_iter_)


def test_partial_fits_as_scikit_learn():
    x = documents()
    settings = {"random_state": 0, "total_samples": 80, "batch_size": 16}
    theirs, ours = TheirTopics(4, **settings), LatentDirichletAllocation(4, **settings)
    for part in np.split(x, 2):
        theirs.partial_fit(part)
        ours.partial_fit(part)
    np.testing.assert_allclose(ours.components_, theirs.components_, rtol=1e-6)


def test_the_bound_grows_and_lies_below_the_evidence_of_one_topic():
    """With one topic the words' probability is known: Dirichlet-multinomial, documents joined."""
    x = documents()
    bounds = [
        LatentDirichletAllocation(3, random_state=0, max_iter=m, mean_change_tol=1e-8)
        .fit(x)
        .certificate_.bound
        for m in (1, 3, 6, 12)
    ]
    assert bounds == sorted(bounds)
    single = LatentDirichletAllocation(1, random_state=0, topic_word_prior=0.5).fit(x)
    prior, totals = 0.5, x.sum(axis=0)
    evidence = special.gammaln(prior * 40) - special.gammaln(prior * 40 + totals.sum())
    evidence += (special.gammaln(prior + totals) - special.gammaln(prior)).sum()
    assert single.certificate_.bound <= evidence + 1e-6
    assert single.certificate_.bound == pytest.approx(evidence, rel=1e-9)
    assert "at least" in single.certificate_.verdict


@pytest.mark.parametrize("method", ["batch", "online"])
def test_same_bits_with_any_number_of_threads(method):
    x, found = documents(200, 300), []
    try:
        for count in (1, 2, 7):
            set_threads(count)
            model = LatentDirichletAllocation(
                4, random_state=0, max_iter=2, learning_method=method
            ).fit(x)
            found.append((model.components_, model.bound_))
    finally:
        set_threads(None)
    assert all((c == found[0][0]).all() and b == found[0][1] for c, b in found)


def test_single_precision_and_empty_documents():
    x = documents().astype(np.float32)
    x[3] = 0.0
    model = LatentDirichletAllocation(4, random_state=0, max_iter=3).fit(x)
    shares = model.transform(x)
    assert shares.dtype == model.components_.dtype == np.float32
    np.testing.assert_allclose(shares.sum(axis=1), 1.0, rtol=1e-6)
    np.testing.assert_allclose(shares[3], 0.25)
    blank = LatentDirichletAllocation(4, random_state=0, doc_topic_prior=0.0, max_iter=1).fit(x)
    np.testing.assert_allclose(blank.transform(np.zeros((1, 40), np.float32)), 0.25)
    assert blank.certificate_.bound == -np.inf  # under an improper prior nothing has a probability


def test_rare_words_keep_their_logarithms():
    """A prior so small that exp E[log β] is 0: the bound is still that of logarithms."""
    x = np.array([[3.0, 0.0, 1.0], [0.0, 2.0, 1.0]])
    model = LatentDirichletAllocation(2, random_state=0, topic_word_prior=1e-5).fit(x)
    theirs = TheirTopics(2, random_state=0, topic_word_prior=1e-5).fit(x)
    assert np.isfinite(model.bound_)
    assert model.bound_ == pytest.approx(theirs.bound_, rel=1e-4)


def test_refusals():
    with pytest.raises(InvalidDataError, match="Negative values in data passed to Latent"):
        LatentDirichletAllocation(2).fit([[1.0, -1.0]])
    with pytest.raises(NumericalError, match="divide X by a constant"):
        LatentDirichletAllocation(2).fit([[1e80, 1.0]])


def test_top_words_of_models_and_names():
    x = documents(30, 5)
    model = LatentDirichletAllocation(2, random_state=0).fit(x)
    words = top_words(model, list("abcde"), n=3)
    assert [len(topic) for topic in words] == [3, 3]
    assert words[0][0] == "abcde"[model.components_[0].argmax()]
    assert top_words(model, n=1)[0][0].startswith("x")
    with pytest.raises(InvalidDataError, match="4 names for 5 columns"):
        top_words(model, list("abcd"))


@pytest.mark.parametrize("kind", [np.array, sparse.csr_array])
@pytest.mark.parametrize(
    "settings",
    [{}, {"learning_method": "online", "batch_size": 32}, {"evaluate_every": 2, "perp_tol": 0.5}],
    ids=str,
)
def test_batches_give_the_topics_of_memory(settings, kind):
    x = kind(documents())
    parts = [Batch(x[a : a + 23]) for a in range(0, 80, 23)]
    model = LatentDirichletAllocation(4, random_state=0, max_iter=6, **settings)
    stream = Stream(lambda: iter(parts), "documents")
    found = clone(model).fit(stream)
    memory = model.fit(x)
    np.testing.assert_allclose(found.components_, memory.components_, rtol=1e-9)
    assert found.bound_ == pytest.approx(memory.bound_, rel=1e-11)
    assert (found.n_iter_, found.n_batch_iter_) == (memory.n_iter_, memory.n_batch_iter_)
    with pytest.raises(InvalidDataError, match="read only once"):
        clone(model).fit(Stream(lambda: iter(parts), "a reader", repeatable=False))


def test_texts_of_a_file_to_topics(tmp_path):
    words = ["sun rain wind", "rain cloud sun", "goal match ball", "ball team goal"] * 10
    frame = polars.DataFrame({"text": words})
    frame.write_parquet(tmp_path / "texts.parquet")
    chain = make_pipeline(CountVectorizer(), LatentDirichletAllocation(2, random_state=0))
    chain.fit(stylobate.read(tmp_path / "texts.parquet"), features=["text"])
    memory = make_pipeline(CountVectorizer(), LatentDirichletAllocation(2, random_state=0))
    memory.fit(words)
    np.testing.assert_allclose(chain[-1].components_, memory[-1].components_, rtol=1e-9)
