"""Minimum spanning trees against SciPy's single linkage of the matrix of distances."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import pdist, squareform

from stylobate import _core
from stylobate.parallel import threads as using_threads

MEASURES = {"squared": "sqeuclidean", "manhattan": "cityblock", "chebyshev": "chebyshev"}


def heights(matrix: Any) -> Any:
    """Lengths of the edges of a spanning tree, by an algorithm of others."""
    return linkage(squareform(matrix, checks=False), "single")[:, 2]


def assert_spans(rows: int, from_: Any, to: Any) -> None:
    """The edges join all rows: each joins two sets that were apart."""
    owner = list(range(rows))

    def find(i: int) -> int:
        while owner[i] != i:
            i = owner[i]
        return i

    for a, b in zip(from_, to, strict=True):
        assert find(a) != find(b)
        owner[find(a)] = find(b)


@settings(max_examples=40, deadline=None)
@given(
    n=st.integers(2, 200),
    columns=st.integers(1, 12),
    measure=st.sampled_from(sorted(MEASURES)),
    ties=st.booleans(),
    apart=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
)
def test_lengths_are_those_of_single_linkage(n, columns, measure, ties, apart, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, columns))
    if ties:
        x = np.round(x)
    if apart:
        x[: n // 2] += 50.0
    distances = squareform(pdist(x, MEASURES[measure]))
    from_, to, lengths = _core.spanning_tree(x, measure)
    assert_spans(n, from_, to)
    np.testing.assert_allclose(lengths, heights(distances), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(lengths, distances[from_, to], rtol=1e-12, atol=1e-12)
    core = np.sort(distances, axis=1)[:, min(4, n - 1)].copy()
    reach = np.maximum(distances, np.maximum(core[:, None], core[None, :]))
    from_, to, lengths = _core.spanning_tree(x, measure, core=core)
    assert_spans(n, from_, to)
    np.testing.assert_allclose(lengths, heights(reach), rtol=1e-12, atol=1e-12)


def test_lists_somebody_has_change_nothing():
    x = np.random.default_rng(3).normal(size=(300, 4))
    distances = squareform(pdist(x, "sqeuclidean"))
    np.fill_diagonal(distances, np.inf)
    rows = np.argsort(distances, axis=1)[:, :12].copy()
    values = np.take_along_axis(distances, rows, axis=1).copy()
    plain, told = (
        _core.spanning_tree(x, "squared"),
        _core.spanning_tree(x, "squared", values=values, rows=rows),
    )
    np.testing.assert_allclose(plain[2], told[2], rtol=1e-12)
    with pytest.raises(ValueError, match="names a row there is not"):
        _core.spanning_tree(x, "squared", values=values, rows=rows + 300)


@pytest.mark.parametrize("columns", [2, 9])
def test_threads_do_not_matter(columns):
    x = np.random.default_rng(5).normal(size=(3000, columns))
    x[:1000] += 30.0
    trees = []
    for threads in (1, 2, 7):
        with using_threads(threads):
            trees.append(_core.spanning_tree(x, "squared"))
    for other in trees[1:]:
        for one, same in zip(trees[0], other, strict=True):
            assert np.array_equal(one, same)


def test_one_row_has_no_edges_and_overflow_is_refused():
    assert len(_core.spanning_tree(np.zeros((1, 2)), "squared")[0]) == 0
    far = np.array([[1e200, 0.0], [-1e200, 0.0], [0.0, 1e200]])
    with pytest.raises(ValueError, match="finite distances"):
        _core.spanning_tree(far, "squared")
