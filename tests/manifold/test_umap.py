"""Maps of UMAP: quality, the same bits on any number of threads, new rows, targets, odd rows."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist
from sklearn.datasets import load_digits
from sklearn.manifold import trustworthiness
from sklearn.metrics import silhouette_score

import stylobate
from stylobate import _core
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.manifold import UMAP


@pytest.fixture(scope="module")
def digits():
    x, y = load_digits(return_X_y=True)
    return x[:900], y[:900]


@pytest.fixture(scope="module")
def fitted(digits):
    return UMAP(random_state=0, n_epochs=200).fit(digits[0])


@pytest.fixture(scope="module")
def blobs():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1, 2], 40)
    return 12.0 * np.eye(3, 6)[labels] + rng.normal(size=(120, 6)), labels


def test_digits_as_well_as_umap_learn():
    x, y = load_digits(return_X_y=True)
    places = UMAP(random_state=0).fit_transform(x)
    # umap-learn 0.5 with seeds 0, 1, 2: 0.9872, 0.9871, 0.9869; silhouettes 0.656, 0.650, 0.633
    assert trustworthiness(x, places, n_neighbors=15) > 0.9869 - 0.005
    assert silhouette_score(places, y) > 0.55


@pytest.mark.parametrize("dimensions", [1, 2, 3, 5])
def test_same_bits_on_any_number_of_threads(digits, dimensions):
    maps, moved = [], []
    for count in (1, 2, 7):
        with stylobate.threads(count):
            model = UMAP(n_components=dimensions, n_epochs=20, random_state=3).fit(digits[0])
            maps.append(model.embedding_)
            moved.append(model.transform(digits[0][:50] + 0.5))
    for other, again in zip(maps[1:], moved[1:], strict=True):
        np.testing.assert_array_equal(maps[0], other)
        np.testing.assert_array_equal(moved[0], again)


def test_seeds(blobs):
    x = blobs[0]
    one, two, other = (UMAP(n_epochs=20, random_state=s).fit_transform(x) for s in (1, 1, 2))
    np.testing.assert_array_equal(one, two)
    assert not np.array_equal(one, other)
    drawn = UMAP(n_epochs=20).fit(x)
    again = UMAP(n_epochs=20, random_state=np.random.default_rng(0)).fit(x)
    assert drawn.seed_ != again.seed_


@pytest.mark.parametrize("init", ["spectral", "pca", "random"])
def test_starts_all_find_the_groups(blobs, init):
    x, labels = blobs
    model = UMAP(n_neighbors=10, init=init, random_state=0).fit(x)
    assert silhouette_score(model.embedding_, labels) > 0.6


def test_start_that_is_given(blobs):
    x, _ = blobs
    start = np.random.default_rng(1).normal(size=(120, 2))
    np.testing.assert_array_equal(
        UMAP(init=start, n_epochs=0).fit_transform(x), start.astype(np.float32)
    )
    with pytest.raises(InvalidParameterError, match=r"positions of shape \(120, 2\)"):
        UMAP(init=start[:5]).fit(x)
    with pytest.raises(InvalidParameterError, match="fewer than n_components"):
        UMAP(init="pca", n_components=7).fit(x)


def test_parts_of_the_graph_start_apart(blobs):
    x, labels = blobs
    model = UMAP(n_neighbors=5, n_epochs=0, random_state=0).fit(x)
    centres = np.array([model.embedding_[labels == c].mean(axis=0) for c in range(3)])
    apart = cdist(centres, centres)[np.triu_indices(3, 1)]
    assert apart.min() > 0.5 * apart.max()  # as in the data, where they are equal
    assert np.abs(model.embedding_).max() == pytest.approx(10.0, abs=0.01)


def test_spectral_start_is_the_eigenvectors(digits):
    from scipy.linalg import eigh

    model = UMAP(n_neighbors=40, n_epochs=0, random_state=0).fit(digits[0][:450])
    weights = model.graph_.toarray()
    degrees = weights.sum(axis=1)
    _, vectors = eigh(np.eye(450) - weights / np.sqrt(np.outer(degrees, degrees)))
    walk = vectors[:, 1:3] / np.sqrt(degrees)[:, None]
    for ours, theirs in zip(model.embedding_.T, walk.T, strict=True):
        assert abs(np.corrcoef(ours, theirs)[0, 1]) > 0.99


def test_new_rows_come_to_their_kind(digits):
    x, y = digits
    model = UMAP(random_state=0, n_epochs=200).fit(x[:700])
    placed = model.transform(x[700:])
    nearest = cdist(placed, model.embedding_).argmin(axis=1)
    assert (y[:700][nearest] == y[700:]).mean() > 0.9


def test_place_of_a_row_does_not_depend_on_others(fitted, digits):
    new = digits[0][:40] + np.random.default_rng(0).normal(size=(40, 64))
    together = fitted.transform(new)
    np.testing.assert_array_equal(together[::-1], fitted.transform(new[::-1]))
    np.testing.assert_array_equal(together[5:6], fitted.transform(new[5:6]))
    np.testing.assert_array_equal(fitted.transform(digits[0][:9]), fitted.embedding_[:9])


def test_classes_part_the_map(digits, fitted):
    x, y = digits
    told = UMAP(random_state=0, n_epochs=200).fit(x, y)
    assert silhouette_score(told.embedding_, y) > silhouette_score(fitted.embedding_, y) + 0.1
    partly = np.where(np.arange(len(y)) % 2 == 0, y, -1)
    half = UMAP(random_state=0, n_epochs=200).fit(x, partly)
    assert silhouette_score(half.embedding_, y) > silhouette_score(fitted.embedding_, y)
    names = np.array([f"digit {c}" for c in y])
    named = UMAP(random_state=0, n_epochs=5).fit(x, names)
    numbered = UMAP(random_state=0, n_epochs=5).fit(x, y)
    np.testing.assert_array_equal(named.embedding_, numbered.embedding_)


def test_numbers_order_the_map():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(300, 5)), rng.uniform(size=300)

    def spread(**options):
        """Of y among neighbours in the map."""
        found = UMAP(random_state=0, n_epochs=100, **options)
        places = found.fit_transform(x, y)
        near = np.argsort(cdist(places, places), axis=1)[:, 1:6]
        return np.abs(y[near] - y[:, None]).mean()

    alone = spread(target_metric="euclidean", target_weight=0.0)
    assert spread(target_metric="l1") < 0.7 * alone
    some = np.where(np.arange(300) < 50, np.nan, y)
    model = UMAP(n_epochs=5, target_metric="euclidean", target_n_neighbors=5).fit(x, some)
    assert np.isfinite(model.embedding_).all()


def test_containers_and_metrics_agree(blobs):
    x, _ = blobs
    settings = {"n_neighbors": 8, "n_epochs": 10, "random_state": 0, "init": "random"}
    plain = UMAP(**settings).fit(x)
    given = UMAP(**settings, metric="precomputed").fit(cdist(x, x))
    sparse = UMAP(**settings).fit(csr_array(x))
    called = UMAP(**settings, metric=lambda u, v: np.sqrt(((u - v) ** 2).sum())).fit(x)
    for other in (given, sparse, called):
        np.testing.assert_allclose(other.graph_.toarray(), plain.graph_.toarray(), atol=1e-9)
    new = x[:7] + 0.3
    np.testing.assert_allclose(given.transform(cdist(new, x)), plain.transform(new), atol=1e-3)
    assert UMAP(**settings, metric="minkowski", metric_kwds={"p": 3}).fit(x).graph_.nnz > 0
    assert UMAP(**settings, metric="cosine").fit(csr_array(x)).embedding_.shape == (120, 2)
    assert plain.fit_transform(x.astype(np.float32)).dtype == np.float32
    with pytest.raises(InvalidParameterError, match="needs rows"):
        UMAP(init="pca", metric="precomputed").fit(cdist(x, x))


def test_few_rows():
    with pytest.warns(StylobateWarning, match="larger than the 6 rows"):
        model = UMAP(n_epochs=20).fit(np.random.default_rng(0).normal(size=(6, 3)))
    assert model.n_neighbors_ == 6
    np.testing.assert_array_equal(UMAP().fit_transform([[1.0, 2.0]]), [[0.0, 0.0]])
    assert np.isfinite(UMAP(n_neighbors=2).fit_transform([[0.0], [1.0]])).all()
    assert UMAP(n_neighbors=2).fit([[0.0], [1.0]]).transform([[0.4]]).shape == (1, 2)
    np.testing.assert_array_equal(UMAP().fit([[1.0, 2.0]]).transform([[3.0, 3.0]]), [[0.0, 0.0]])


@pytest.mark.parametrize(
    "x",
    [
        np.zeros((40, 3)),
        np.repeat(np.random.default_rng(0).normal(size=(3, 2)), 20, axis=0),
        np.linspace(0.0, 1.0, 50)[:, None],
        1e-200 * np.random.default_rng(1).normal(size=(40, 3)),
        np.vstack([np.random.default_rng(2).normal(size=(40, 3)), [[1e9, 0.0, 0.0]]]),
    ],
    ids=["constant", "duplicates", "line", "tiny", "outlier"],
)
@pytest.mark.parametrize("init", ["spectral", "random"])
def test_odd_rows_have_places(x, init):
    places = UMAP(n_epochs=50, init=init, random_state=0).fit_transform(x)
    assert np.isfinite(places).all()


def test_impossible_rows_are_refused(blobs):
    x = blobs[0].copy()
    x[3, 2] = np.nan
    with pytest.raises(InvalidDataError, match="NaN"):
        UMAP().fit(x)
    with pytest.raises(InvalidDataError, match="square"):
        UMAP(metric="precomputed").fit(blobs[0])
    with pytest.raises(InvalidDataError, match="Negative"):
        UMAP(metric="precomputed").fit(-np.ones((4, 4)))
    with pytest.raises(InvalidParameterError, match="n_neighbors"):
        UMAP(n_neighbors=1).fit(blobs[0])


def test_quality_is_measured(blobs):
    model = UMAP(n_neighbors=10, n_epochs=50, random_state=0).fit(blobs[0])
    expected = trustworthiness(blobs[0], model.embedding_, n_neighbors=9)
    assert model.quality().trustworthiness == pytest.approx(expected, abs=1e-9)
    given = UMAP(metric="precomputed", n_neighbors=10, n_epochs=5).fit(cdist(blobs[0], blobs[0]))
    assert given.quality(n_neighbors=5).trustworthiness > 0.8


def test_progress_is_printed(blobs, capsys):
    quiet = UMAP(n_epochs=20, random_state=0).fit_transform(blobs[0])
    assert capsys.readouterr().out == ""
    told = UMAP(n_epochs=20, random_state=0, verbose=True).fit_transform(blobs[0])
    assert "20 of 20 epochs" in capsys.readouterr().out
    np.testing.assert_array_equal(quiet, told)


def test_core_refuses_graphs_that_are_none():
    def run(offsets, columns, n=2, draws=16, epochs=5):
        layout = _core.NeighbourLayout(
            np.array(offsets, dtype=np.int64), np.array(columns, dtype=np.int32),
            np.ones(len(columns), dtype=np.float32), np.arange(n, dtype=np.uint64), None,
            a=1.0, b=1.0, learning_rate=1.0, momentum=0.5, repulsion=1.0, draws=draws,
            epochs=epochs, seed=0,
        )  # fmt: skip
        places = np.zeros((2, 2), dtype=np.float32)
        layout.run(places, np.zeros_like(places), 0, 5)

    run([0, 1, 2], [1, 0])
    for broken in (
        {"offsets": [0, 1, 2], "columns": [1, 2]},
        {"offsets": [0, 1, 2], "columns": [-1, 0]},
        {"offsets": [0, 3, 2], "columns": [1, 0]},
        {"offsets": [1, 1, 2], "columns": [1, 0]},
        {"offsets": [0, 1, 3], "columns": [1, 0]},
        {"offsets": [0, 1, 2], "columns": [1, 0], "n": 3},
        {"offsets": [0, 1, 2], "columns": [1, 0], "draws": 8},
        {"offsets": [0, 1, 2], "columns": [1, 0], "epochs": 4},
    ):
        with pytest.raises(ValueError, match=r"must|as many|multiples"):
            run(**broken)


def test_a_layout_can_be_interrupted(blobs):
    sent = []

    def interrupt():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.5, interrupt)
    model = UMAP(n_epochs=2_000_000, init="random")
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        model.fit(blobs[0])
    assert time.perf_counter() - sent[0] < 5.0  # of machines that are busy
    timer.join()


def test_large_neighbourhoods_do_not_fling_rows_away():
    rng = np.random.default_rng(0)
    x = np.vstack([rng.normal(size=(200, 4)), 4.0 + rng.normal(size=(100, 4))])
    places = UMAP(n_neighbors=60, min_dist=0.5, random_state=0).fit_transform(x)
    assert np.abs(places).max() < 40.0
