"""Linkage matrices, cuts and cophenetic distances against SciPy; minimax by brute force."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy.cluster import hierarchy
from scipy.spatial.distance import pdist, squareform

from stylobate import _core
from stylobate.cluster import (
    Dendrogram,
    cophenet,
    cut_tree,
    fcluster,
    inconsistent,
    linkage,
    node_stability,
)
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.parallel import threads

METHODS = ["single", "complete", "average", "weighted", "centroid", "median", "ward"]
RISING = ["single", "complete", "average", "weighted", "ward", "minimax"]
METRICS = [
    "euclidean", "cityblock", "chebyshev", "sqeuclidean", "cosine", "correlation", "canberra",
    "braycurtis",
]  # fmt: skip


def rows_of(seed: int, n: int, columns: int, apart: bool = False) -> np.ndarray:
    x = np.random.default_rng(seed).normal(size=(n, columns))
    if apart:
        x[: n // 2] += 6.0
    return x


def assert_same(ours: np.ndarray, theirs: np.ndarray) -> None:
    assert np.array_equal(ours[:, [0, 1, 3]], theirs[:, [0, 1, 3]])
    np.testing.assert_allclose(ours[:, 2], theirs[:, 2], rtol=1e-9, atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(
    method=st.sampled_from(METHODS),
    n=st.integers(2, 120),
    columns=st.integers(1, 12),
    apart=st.booleans(),
    rest=st.sampled_from([0, 1, 3, 20]),
    seed=st.integers(0, 2**32 - 1),
)
def test_points_give_scipys_matrix(method, n, columns, apart, rest, seed):
    """Through rounds of nearest pairs, chains and any change from one to the other."""
    x = rows_of(seed, n, columns, apart)
    expected = hierarchy.linkage(x, method)
    assert_same(linkage(x, method), expected)
    assert_same(linkage(pdist(x), method), expected)
    if method != "single":
        assert_same(np.asarray(_core.point_linkage(x, method, rest)), expected)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("method", ["single", "complete", "average", "weighted"])
def test_every_metric_gives_scipys_matrix(method, metric):
    x = np.abs(rows_of(3, 60, 5))
    assert_same(linkage(x, method, metric), hierarchy.linkage(x, method, metric))


@pytest.mark.parametrize("method", METHODS)
def test_many_rows_give_scipys_matrix(method):
    x = rows_of(1, 1500, 7, apart=True)
    assert_same(linkage(x, method), hierarchy.linkage(x, method))


@pytest.mark.parametrize("method", ["ward", "average", "complete"])
def test_equal_rows_join_at_height_zero_and_the_rest_as_if_they_were_once(method):
    x = np.repeat(rows_of(5, 40, 3), 4, axis=0)
    heights = np.asarray(_core.point_linkage(x, method, 5))[:, 2]
    assert np.all(heights[:120] == 0.0)
    np.testing.assert_allclose(heights, hierarchy.linkage(x, method)[:, 2], atol=1e-7)
    assert np.all(np.asarray(_core.point_linkage(np.ones((50, 2)), method, 5))[:, 2] == 0.0)


@pytest.mark.parametrize("method", ["ward", "average", "complete"])
def test_grids_full_of_ties_are_joined_to_the_end(method):
    grid = np.array(list(itertools.product(range(12), repeat=2)), dtype=np.float64)
    ours = np.asarray(_core.point_linkage(grid, method, 4))
    assert ours[-1, 3] == len(grid)
    assert Dendrogram(ours).is_monotone


@pytest.mark.parametrize("method", [*METHODS, "minimax"])
def test_threads_do_not_matter(method):
    x = rows_of(8, 700, 6, apart=True)
    answers = []
    for count in (1, 2, 7):
        with threads(count):
            answers.append(
                linkage(x, method)
                if method in ("single", "minimax")
                else np.asarray(_core.point_linkage(x, method, 30))
            )
    assert np.array_equal(answers[0], answers[1])
    assert np.array_equal(answers[0], answers[2])


@pytest.mark.parametrize("method", RISING)
def test_heights_rise(method):
    assert Dendrogram(linkage(rows_of(2, 200, 4), method)).is_monotone


def brute_minimax(distances):
    """By the definition, all pairs of clusters anew at every merge."""
    clusters = [frozenset([i]) for i in range(len(distances))]
    steps = []
    while len(clusters) > 1:
        best = None
        for a, b in itertools.combinations(clusters, 2):
            union = sorted(a | b)
            radii = distances[np.ix_(union, union)].max(axis=1)
            height = radii.min()
            assume(best is None or abs(height - best[0]) > 1e-12 * height)  # ties: any order
            if best is None or height < best[0]:
                best = (height, a, b, union[int(np.argmin(radii))])
        height, a, b, prototype = best
        clusters = [c for c in clusters if c not in (a, b)] + [a | b]
        steps.append((height, a | b, prototype))
    return steps


@settings(max_examples=15, deadline=None)
@given(n=st.integers(2, 14), columns=st.integers(1, 3), seed=st.integers(0, 2**32 - 1))
def test_minimax_follows_its_definition(n, columns, seed):
    x = rows_of(seed, n, columns)
    matrix, prototypes = linkage(x, "minimax", return_prototypes=True)
    tree = Dendrogram(matrix)
    for k, (height, members, prototype) in enumerate(brute_minimax(squareform(pdist(x)))):
        assert matrix[k, 2] == pytest.approx(height, rel=1e-12)
        assert set(tree.members(n + k)) == members
        if n > 2 and len(members) > 2:  # of two rows either is a centre
            assert prototypes[k] == prototype


@settings(max_examples=25, deadline=None)
@example(n=3, method="single", seed=1, share=1.0, depth=1)
@given(
    n=st.integers(2, 60),
    method=st.sampled_from(["single", "average", "ward", "centroid"]),
    seed=st.integers(0, 2**32 - 1),
    share=st.floats(0.0, 1.0),
    depth=st.integers(1, 4),
)
def test_cuts_are_scipys(n, method, seed, share, depth):
    z = hierarchy.linkage(rows_of(seed, n, 2), method)
    np.testing.assert_allclose(inconsistent(z, depth), hierarchy.inconsistent(z, depth), atol=1e-9)
    t = share * z[-1, 2] * 1.1
    assert np.array_equal(fcluster(z, t, "distance"), hierarchy.fcluster(z, t, "distance"))
    found = fcluster(z, 2 * share, depth=depth)
    assert np.array_equal(found, hierarchy.fcluster(z, 2 * share, depth=depth))
    count = 1 + int(share * (n - 1))
    if method != "centroid":
        expected = hierarchy.fcluster(z, count, "maxclust")
        assert np.array_equal(fcluster(z, count, "maxclust"), expected)
        assert len(np.unique(cut_tree(z, n_clusters=count))) == count


@settings(max_examples=20, deadline=None)
@given(n=st.integers(3, 60), seed=st.integers(0, 2**32 - 1))
def test_cophenetic_distances_are_scipys(n, seed):
    x = rows_of(seed, n, 2)
    z = linkage(x, "average")
    np.testing.assert_allclose(cophenet(z), hierarchy.cophenet(z))
    ours, theirs = cophenet(z, pdist(x)), hierarchy.cophenet(z, pdist(x))
    np.testing.assert_allclose(ours[1], theirs[1])
    assert ours[0] == pytest.approx(theirs[0])


def test_leaves_and_optimal_ordering_are_scipys():
    x = rows_of(4, 40, 2)
    assert np.array_equal(Dendrogram.of(x).leaves, hierarchy.leaves_list(linkage(x, "ward")))
    assert_same(
        linkage(x, "ward", optimal_ordering=True), hierarchy.linkage(x, "ward", "euclidean", True)
    )


def test_precomputed_squares_and_refusals():
    x = rows_of(6, 30, 3)
    square = squareform(pdist(x))
    assert_same(linkage(square, "average", "precomputed"), hierarchy.linkage(x, "average"))
    with pytest.warns(StylobateWarning, match="looks like a matrix of distances"):
        linkage(square, "single")
    with pytest.raises(InvalidParameterError, match="takes Euclidean distances"):
        linkage(x, "ward", "cityblock")
    with pytest.raises(InvalidParameterError, match="method must be one of"):
        linkage(x, "wards")
    with pytest.raises(InvalidDataError, match=r"n\(n − 1\)/2"):
        linkage([1.0, 2.0, 3.0, 4.0])
    with pytest.raises(InvalidDataError, match="finite"):
        linkage([1.0, np.nan, 3.0])
    with pytest.raises(InvalidParameterError, match="exactly one"):
        cut_tree(linkage(x))
    with pytest.raises(InvalidDataError, match="joined twice"):
        fcluster([[0, 1, 1.0, 2], [0, 3, 2.0, 3]], 1)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("scale", [2.0**900, 2.0**-900])
def test_huge_and_tiny_rows_scale_the_heights(method, scale):
    x = rows_of(9, 25, 3)
    plain, scaled = linkage(x, method), linkage(x * scale, method)
    assert np.array_equal(plain[:, [0, 1, 3]], scaled[:, [0, 1, 3]])
    np.testing.assert_allclose(scaled[:, 2] / scale, plain[:, 2], rtol=1e-12)


def test_the_notes_definitions_of_linkages_by_hand():
    """min, max and mean distance of the pairs of {0, 1} and {5, 7}: 4, 7 and 5.5."""
    x = [[0.0], [1.0], [5.0], [7.0]]
    last = {method: linkage(x, method)[-1, 2] for method in ("single", "complete", "average")}
    assert last == {"single": 4.0, "complete": 7.0, "average": 5.5}


def test_stable_nodes_are_told_from_others():
    rng = np.random.default_rng(0)
    x = np.r_[rng.normal(size=(40, 2)), rng.normal(size=(40, 2)) + 9.0]
    found = node_stability(x, n_nodes=8, n_resamples=30, random_state=1)
    assert set(found.sizes[:2]) == {40}
    assert (found.jaccard[:2] > 0.99).all()
    assert (found.jaccard[2:] < 0.97).all()
    assert np.all((found.lower <= found.jaccard) & (found.jaccard <= found.upper + 1e-12))
    assert "found again" in str(found)
