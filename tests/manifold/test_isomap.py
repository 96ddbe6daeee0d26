"""Isomap against scikit-learn, SciPy's shortest paths and rows whose surface is known."""

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import shortest_path
from scipy.spatial.distance import cdist
from sklearn import manifold as sklearn_manifold
from sklearn.datasets import make_swiss_roll

from stylobate import _core
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.manifold import Isomap
from stylobate.manifold.graphs.geodesics import graph_of_edges
from stylobate.parallel import set_threads

_ROLL = make_swiss_roll(400, random_state=0)[0]
_RNG = np.random.default_rng(0)


@pytest.mark.parametrize(
    "options",
    [
        {"n_neighbors": 8},
        {"n_neighbors": 8, "eigen_solver": "dense", "n_components": 3},
        {"n_neighbors": None, "radius": 5.0},
        {"n_neighbors": 9, "metric": "manhattan"},
        {"n_neighbors": 9, "p": 1, "neighbors_algorithm": "brute"},
    ],
)
def test_is_scikit_learns(options):
    ours = Isomap(**options).fit(_ROLL)
    theirs = sklearn_manifold.Isomap(**options).fit(_ROLL)
    np.testing.assert_allclose(ours.dist_matrix_, theirs.dist_matrix_, rtol=1e-12)
    scale = np.abs(theirs.embedding_).max()
    np.testing.assert_allclose(ours.embedding_, theirs.embedding_, atol=1e-7 * scale)
    error = theirs.reconstruction_error()
    assert ours.reconstruction_error() == pytest.approx(error, rel=1e-8)
    new = _ROLL[:40] + 0.05
    np.testing.assert_allclose(ours.transform(new), theirs.transform(new), atol=1e-7 * scale)


def test_rows_of_the_fit_keep_their_place():
    model = Isomap(n_neighbors=8).fit(_ROLL)
    np.testing.assert_allclose(model.transform(_ROLL), model.embedding_, atol=1e-6)
    assert model.kernel_pca_.eigenvalues_[0] > model.kernel_pca_.eigenvalues_[1]
    assert list(model.get_feature_names_out()) == ["isomap0", "isomap1"]


def test_a_plane_comes_back():
    plane = _RNG.uniform(size=(150, 2)) @ np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 1.0]])
    found = Isomap(n_neighbors=149, n_components=2).fit_transform(plane)
    np.testing.assert_allclose(cdist(found, found), cdist(plane, plane), atol=1e-9)


def test_given_distances():
    distances = cdist(_ROLL, _ROLL)
    given = Isomap(n_neighbors=8, metric="precomputed").fit(distances)
    wanted = Isomap(n_neighbors=8).fit(_ROLL)
    np.testing.assert_allclose(given.embedding_, wanted.embedding_, atol=1e-6)
    new = cdist(_ROLL[:5] + 0.1, _ROLL)
    np.testing.assert_allclose(given.transform(new), wanted.transform(_ROLL[:5] + 0.1), atol=1e-6)


def test_components_are_joined_as_in_scikit_learn():
    rows = np.vstack([_RNG.normal(size=(30, 3)) + shift for shift in (0.0, 20.0, 50.0)])
    with pytest.warns(StylobateWarning, match="components of the neighbors graph is 3 > 1"):
        ours = Isomap(n_neighbors=4).fit(rows)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = sklearn_manifold.Isomap(n_neighbors=4).fit(rows)
    assert ours.n_connected_components_ == 3
    np.testing.assert_allclose(ours.dist_matrix_, theirs.dist_matrix_, rtol=1e-10)
    np.testing.assert_allclose(ours.embedding_, theirs.embedding_, atol=1e-6)
    with pytest.warns(StylobateWarning):
        given = Isomap(n_neighbors=4, metric="precomputed").fit(cdist(rows, rows))
    np.testing.assert_allclose(given.dist_matrix_, theirs.dist_matrix_, rtol=1e-10)
    graph = csr_array(np.where(cdist(rows, rows) < 8.0, cdist(rows, rows), 0.0))
    for caught in (InvalidDataError, RuntimeError):  # the lengths that would join are not known
        with pytest.raises(caught, match="components of the neighbors graph is 3 > 1"):
            Isomap(n_neighbors=4, metric="precomputed").fit(graph)


def test_equal_rows_and_few():
    rows = np.repeat(_RNG.normal(size=(12, 2)), 3, axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StylobateWarning)
        model = Isomap(n_neighbors=4).fit(rows)
        same = Isomap(n_neighbors=2).fit(np.ones((6, 2)))
    assert np.isfinite(model.embedding_).all()
    np.testing.assert_array_equal(model.dist_matrix_[0, 1:3], 0.0)
    np.testing.assert_array_equal(same.embedding_, 0.0)
    with pytest.raises(InvalidDataError, match="n_neighbors"):
        Isomap(n_neighbors=3).fit([[0.0, 1.0]])


def test_single_precision_stays():
    model = Isomap(n_neighbors=8).fit(_ROLL.astype(np.float32))
    assert model.embedding_.dtype == model.dist_matrix_.dtype == np.float32
    assert model.transform(_ROLL[:3].astype(np.float32)).dtype == np.float32


def test_refusals():
    with pytest.raises(InvalidParameterError, match="Both n_neighbors and radius"):
        Isomap(n_neighbors=5, radius=1.0).fit(_ROLL)
    with pytest.raises(InvalidParameterError, match="Neither n_neighbors"):
        Isomap(n_neighbors=None).fit(_ROLL)
    model = Isomap(n_neighbors=None, radius=5.0).fit(_ROLL)
    with pytest.raises(InvalidParameterError, match="within the radius"):
        model.transform([[1e6, 0.0, 0.0]])


def random_graph(n, edges, seed):
    draws = np.random.default_rng(seed)
    a, b = draws.integers(0, n, size=(2, edges))
    lengths = draws.uniform(size=edges) ** 4 * 10.0 ** draws.integers(-3, 4)
    lengths[draws.uniform(size=edges) < 0.1] = 0.0
    return a, b, lengths


@pytest.mark.parametrize("seed", range(6))
def test_paths_are_scipys(seed):
    n = 80
    a, b, lengths = random_graph(n, 160, seed)
    graph = graph_of_edges(n, a, b, lengths)
    matrix = csr_array((graph.lengths, graph.columns, graph.offsets), shape=(n, n))
    wanted = shortest_path(matrix, method="D", directed=False)
    np.testing.assert_allclose(graph.distances(), wanted, rtol=1e-13)


def test_paths_any_number_of_threads():
    graph = graph_of_edges(300, *random_graph(300, 900, 9))
    found = []
    for count in (1, 2, 7):
        before = set_threads(count)
        try:
            found.append(graph.distances().tobytes())
        finally:
            set_threads(before)
    assert len(set(found)) == 1


def test_paths_refuse_what_is_not_a_graph():
    good = np.array([0, 1, 2]), np.array([1, 0]), np.array([1.0, 1.0])
    out, sources = np.empty((2, 2)), np.arange(2)
    wrong = [
        (np.array([0, 1, 3]), good[1], good[2], sources),
        (np.array([0, 2, 1]), good[1], good[2], sources),
        (good[0], np.array([1, 2]), good[2], sources),
        (good[0], good[1], np.array([1.0, -1.0]), sources),
        (good[0], good[1], np.array([1.0, np.nan]), sources),
        (good[0], good[1], good[2], np.array([0, 2])),
    ]
    for case in wrong:
        with pytest.raises(ValueError, match=r"\w"):
            _core.geodesics(*case, out)
