"""The graph and the curve of UMAP against formulas written out and SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq, curve_fit
from scipy.sparse import csr_array

import stylobate
from stylobate import _core
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.manifold import UMAP
from stylobate.manifold.umap.component_places import classical_scaling, component_places
from stylobate.manifold.umap.fuzzy_graph import neighbourhoods
from stylobate.manifold.umap.membership_curve import membership_curve
from stylobate.manifold.umap.target_graph import class_codes, target_numbers, with_classes


@pytest.fixture(scope="module")
def rows():
    return np.random.default_rng(0).normal(size=(80, 4))


@pytest.mark.parametrize(("min_dist", "spread"), [(0.1, 1.0), (0.0, 1.0), (0.5, 0.7), (0.9, 3.0)])
def test_curve_is_the_least_squares_fit(min_dist, spread):
    d = np.linspace(0.0, 3.0 * spread, 300)
    wanted = np.where(d <= min_dist, 1.0, np.exp(-(d - min_dist) / spread))
    expected = curve_fit(lambda d, a, b: 1.0 / (1.0 + a * d ** (2.0 * b)), d, wanted)[0]
    np.testing.assert_allclose(membership_curve(min_dist, spread), expected, rtol=1e-5)


def test_curve_wants_min_dist_within_spread(rows):
    with pytest.raises(InvalidParameterError, match="min_dist must be at least 0 and at most"):
        UMAP(min_dist=2.0).fit(rows)
    with pytest.raises(InvalidParameterError, match="a and b go together"):
        UMAP(a=1.0).fit(rows)


@pytest.mark.parametrize("k", [2, 5, 15, 40])
def test_memberships_sum_to_the_logarithm(rows, k):
    distances = np.sort(np.linalg.norm(rows[:, None] - rows, axis=2), axis=1)[:, 1:k]
    found = neighbourhoods(distances, np.zeros(distances.shape, dtype=np.intp), 1.0, 1.0)
    np.testing.assert_allclose(found.memberships().sum(axis=1), np.log2(k), rtol=1e-9)
    np.testing.assert_array_equal(found.rho, distances[:, 0])


@pytest.mark.parametrize(
    ("connectivity", "expected"), [(0.0, 0.0), (0.5, 1.0), (1.0, 2.0), (1.5, 3.0), (9.0, 7.0)]
)
def test_local_connectivity_interpolates(connectivity, expected):
    distances = np.array([[0.0, 2.0, 4.0, 7.0]])
    assert _core.neighbour_scales(distances, connectivity, 2.0, 1.0)[0][0] == expected


def dense_graph(x: np.ndarray, k: int, mix: float) -> np.ndarray:
    """The paper's formulas, one row after the other."""
    apart = np.linalg.norm(x[:, None] - x, axis=2)
    np.fill_diagonal(apart, np.inf)
    members = np.zeros(apart.shape)
    for i, d in enumerate(apart):
        nearest = np.argsort(d, kind="stable")[: k - 1]
        rho = d[nearest[0]]

        def excess(sigma, d=d[nearest], rho=rho):
            return np.exp(-(d - rho) / sigma).sum() - np.log2(k)

        sigma = brentq(excess, 1e-6, 1e6, xtol=1e-14, rtol=1e-14)
        members[i, nearest] = np.exp(-(d[nearest] - rho) / sigma)
    both = members * members.T
    return mix * (members + members.T - both) + (1.0 - mix) * both


@pytest.mark.parametrize("mix", [1.0, 0.0, 0.3])
def test_graph_is_the_formula(rows, mix):
    model = UMAP(n_neighbors=8, n_epochs=0, init="random", set_op_mix_ratio=mix).fit(rows)
    np.testing.assert_allclose(model.graph_.toarray(), dense_graph(rows, 8, mix), atol=1e-9)


def test_scales_of_rows_that_tell_nothing():
    distances = np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [0.0, 0.0, 5.0]])
    found = neighbourhoods(distances, np.zeros((3, 3), dtype=np.intp), 1.0, 2.0)
    np.testing.assert_array_equal(found.memberships()[:2], 1.0)
    assert np.isfinite(found.sigma).all()


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.floats(0.0, 1e12), min_size=1, max_size=12).map(sorted),
    st.floats(0.0, 20.0),
)
def test_scales_are_always_numbers(distances, connectivity):
    mean = float(np.mean(distances))
    row = np.array([distances])
    found = neighbourhoods(row, np.zeros(row.shape, dtype=np.intp), connectivity, mean)
    members = found.memberships()
    assert np.isfinite(members).all()
    assert ((members >= 0.0) & (members <= 1.0)).all()


def test_scales_do_not_depend_on_threads():
    distances = np.sort(np.random.default_rng(1).uniform(size=(2000, 14)), axis=1)
    answers = []
    for count in (1, 2, 7):
        with stylobate.threads(count):
            answers.append(_core.neighbour_scales(distances, 1.0, 3.9, 0.5))
    for other in answers[1:]:
        np.testing.assert_array_equal(answers[0], other)


def test_classes_cut_edges_between_them():
    graph = csr_array(np.array([[0.0, 0.5, 0.5], [0.5, 0.0, 0.2], [0.5, 0.2, 0.0]]))
    cut = with_classes(graph, np.array([0, 0, 1]), 1.0).toarray()
    np.testing.assert_array_equal(cut, [[0, 1, 0], [1, 0, 0], [0, 0, 0]])
    far = np.exp(-5.0)
    half = with_classes(graph, np.array([0, 0, 1]), 0.5).toarray()
    assert half[0, 1] == 1.0
    # row 2 has edges to the other class alone: scaled to 1, they are joined with those of row 0
    np.testing.assert_allclose(half[0, 2], far + 1.0 - far)
    np.testing.assert_array_equal(half, half.T)
    assert with_classes(graph, np.array([0, 1, -1]), 0.0) is graph


@pytest.mark.parametrize(
    "y", [[1, -1, 2], [1.0, np.nan, 2.0], ["a", None, "b"], np.array(["a", np.nan, "b"], dtype="O")]
)
def test_classes_that_are_not_known(y):
    assert class_codes(y, 3).tolist() == [0, -1, 1]


def test_targets_are_checked():
    with pytest.raises(InvalidDataError, match="inconsistent numbers of samples"):
        class_codes([1, 2], 3)
    with pytest.raises(InvalidDataError, match="y must be numbers"):
        target_numbers(["a", "b"], 2)
    with pytest.raises(InvalidDataError, match="infinity"):
        target_numbers([1.0, np.inf], 2)
    with pytest.warns(StylobateWarning, match="not whole"):
        class_codes([0.5, 1.0], 2)


def test_places_keep_distances_of_components():
    points = np.random.default_rng(2).normal(size=(6, 2))
    apart = np.linalg.norm(points[:, None] - points, axis=2)
    again = classical_scaling(apart, 2)
    np.testing.assert_allclose(np.linalg.norm(again[:, None] - again, axis=2), apart, atol=1e-9)


def test_places_part_components_that_are_one_point():
    from stylobate.cluster.spectral.graph import Graph

    graph = Graph(csr_array(np.kron(np.eye(3), 1.0 - np.eye(2))))
    centres, radii = component_places(graph, 2, 0, lambda rows: np.zeros((3, 3)))
    assert len(np.unique(centres, axis=0)) == 3
    assert (radii > 0.0).all()
