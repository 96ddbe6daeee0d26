"""The estimator t-SNE: against scikit-learn, laws of maps, nasty rows."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.manifold import TSNE
from stylobate.metrics import pairwise_distances
from stylobate.parallel import threads


@pytest.fixture(scope="module")
def digits():
    x, y = pytest.importorskip("sklearn.datasets").load_digits(return_X_y=True)
    return x[:500], y[:500]


def groups(n_each=25, seed=0):
    rng = np.random.default_rng(seed)
    centres = 12 * rng.standard_normal((4, 6))
    labels = np.repeat(np.arange(4), n_each)
    return centres[labels] + rng.standard_normal((len(labels), 6)), labels


def same_group(embedding, labels, places, expected):
    nearest = pairwise_distances(places, embedding).argmin(axis=1)
    return float((labels[nearest] == expected).mean())


def test_the_divergence_is_not_above_that_of_scikit_learn(digits):
    manifold = pytest.importorskip("sklearn.manifold")
    x, _ = digits
    ours = TSNE(max_iter=500, random_state=0).fit(x)
    theirs = manifold.TSNE(max_iter=500, random_state=0).fit(x)
    assert ours.kl_divergence_ <= 1.02 * theirs.kl_divergence_
    assert ours.learning_rate_ == theirs.learning_rate_
    assert ours.embedding_.dtype == theirs.embedding_.dtype


@pytest.mark.parametrize("method", ["exact", "barnes_hut", "fft", "auto"])
def test_separate_groups_stay_separate(method):
    x, labels = groups()
    model = TSNE(perplexity=8, max_iter=300, method=method, random_state=0).fit(x)
    assert model.method_ == ("exact" if method == "auto" else method)
    off = pairwise_distances(model.embedding_) + np.diag(np.full(100, np.inf))
    assert (labels[off.argmin(axis=1)] == labels).all()


@pytest.mark.parametrize("method", ["exact", "barnes_hut", "fft"])
def test_the_same_bits_on_any_number_of_threads(method):
    x, _ = groups(150)
    maps = []
    for count in (1, 2, 7):
        with threads(count):
            maps.append(TSNE(max_iter=260, method=method, random_state=0).fit_transform(x))
    assert (maps[0] == maps[1]).all()
    assert (maps[0] == maps[2]).all()


def test_new_rows_come_near_their_group(digits):
    x, y = digits
    model = TSNE(max_iter=400, random_state=0).fit(x[:400])
    places = model.transform(x[400:])
    assert same_group(model.embedding_, y[:400], places, y[400:]) >= 0.85
    one_by_one = np.vstack([model.transform(row[None]) for row in x[400:405]])
    np.testing.assert_array_equal(one_by_one, places[:5])


def test_rows_of_the_fit_keep_their_place():
    x, _ = groups()
    model = TSNE(perplexity=8, max_iter=250, random_state=0).fit(x)
    np.testing.assert_array_equal(model.transform(x), model.embedding_)


def test_given_distances_are_those_of_the_metric():
    x, _ = groups()
    options = {"perplexity": 8, "max_iter": 260, "init": "random", "random_state": 0}
    by_rows = TSNE(metric="manhattan", **options).fit_transform(x)
    given = TSNE(metric="precomputed", **options).fit(pairwise_distances(x, metric="manhattan"))
    np.testing.assert_allclose(given.embedding_, by_rows, atol=1e-3)
    new = given.transform(pairwise_distances(x[:3] + 0.1, x, metric="manhattan"))
    assert np.isfinite(new).all()


def test_a_warm_start_goes_on():
    x, _ = groups()
    model = TSNE(perplexity=8, max_iter=250, warm_start=True, random_state=0).fit(x)
    first = model.kl_divergence_
    assert model.fit(x).kl_divergence_ <= first
    again = TSNE(perplexity=8, max_iter=250, init=model.embedding_, early_exaggeration=1.0)
    assert again.fit(x).kl_divergence_ <= first


def test_callbacks_see_frames_and_may_stop():
    x, _ = groups()
    seen = []

    def look(iteration, embedding, divergence):
        seen.append((iteration, embedding.shape, divergence))
        return iteration >= 90

    model = TSNE(perplexity=8, callback=look, callback_every=30, random_state=0).fit(x)
    assert [each[0] for each in seen] == [30, 60, 90]
    assert seen[0][1] == (100, 2)
    assert model.n_iter_ == 89


def test_uniform_affinities_and_degrees_of_freedom():
    x, labels = groups()
    for options in ({"affinities": "uniform"}, {"dof": 0.6}, {"perplexity": [4, 12]}):
        model = TSNE(**({"perplexity": 8} | options), max_iter=300, random_state=0).fit(x)
        off = pairwise_distances(model.embedding_) + np.diag(np.full(100, np.inf))
        assert (labels[off.argmin(axis=1)] == labels).mean() > 0.98


@pytest.mark.parametrize("d", [1, 3, 5])
def test_other_dimensions(d):
    x, _ = groups()
    model = TSNE(d, perplexity=8, max_iter=260, random_state=0).fit(x)
    assert model.embedding_.shape == (100, d)
    assert np.isfinite(model.embedding_).all()
    assert list(model.get_feature_names_out()) == [f"tsne{i}" for i in range(d)]


def test_large_maps_go_by_the_grid():
    x, labels = groups(800)
    model = TSNE(max_iter=250, random_state=0).fit(x)
    assert model.method_ == "fft"
    exact = TSNE(max_iter=250, random_state=0, init=model.embedding_, method="fft")
    assert exact.fit(x).kl_divergence_ < model.kl_divergence_ * 1.1
    near = pairwise_distances(model.embedding_[::20], model.embedding_).argsort(axis=1)[:, 1]
    assert (labels[near] == labels[::20]).mean() > 0.98


@pytest.mark.parametrize(
    "x",
    [
        np.ones((12, 3)),
        np.repeat(np.random.default_rng(0).normal(size=(4, 3)), 5, axis=0),
        np.random.default_rng(0).normal(size=(12, 3)) * 1e-150,
        np.column_stack([np.arange(12.0), np.zeros(12)]),
        np.random.default_rng(0).normal(size=(9, 20)).astype(np.float32),
    ],
    ids=["equal", "repeated", "tiny", "constant column", "wide float32"],
)
@pytest.mark.parametrize("method", ["exact", "fft", "barnes_hut"])
def test_odd_rows_get_a_finite_map(x, method):
    x.flags.writeable = False
    model = TSNE(perplexity=3, max_iter=250, method=method, random_state=0).fit(x)
    assert np.isfinite(model.embedding_).all()
    assert np.isfinite(model.kl_divergence_)


def test_refusals():
    x, _ = groups(5)
    with pytest.raises(ValueError, match=r"perplexity \(30.0\) must be less than n_samples \(20\)"):
        TSNE().fit(x)
    with pytest.raises(ValueError, match="must be less than n_samples"):
        TSNE(perplexity=[3, 20]).fit(x)
    with pytest.raises(ValueError, match="cannot be used with metric"):
        TSNE(metric="precomputed", perplexity=3).fit(pairwise_distances(x))
    with pytest.raises(ValueError, match="square"):
        TSNE(metric="precomputed", init="random", perplexity=3).fit(np.ones((5, 4)))
    with pytest.raises(ValueError, match="inferior to 4"):
        TSNE(4, method="barnes_hut", perplexity=3).fit(x)
    with pytest.raises(ValueError, match="20 points in 2 dimensions"):
        TSNE(init=np.zeros((3, 2)), perplexity=3).fit(x)
    x[2, 1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        TSNE(perplexity=3).fit(x)


def test_trust_and_stability():
    x, _ = groups()
    model = TSNE(perplexity=8, max_iter=500, random_state=0).fit(x)
    assert model.quality().trustworthiness > 0.9
    found = model.stability(2, n_neighbors=10)
    assert found.overlap > 2 * found.by_chance
