"""Histograms as densities: heights by hand and by NumPy, integrals, draws, awkward columns."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.neighbors import HistogramDensity, KernelDensity
from stylobate.neighbors.density.box_counts import Boxes

RNG = np.random.default_rng(5)


@pytest.mark.parametrize("bins", [1, 7, 50])
def test_one_column_is_numpy_s_histogram(bins):
    x = RNG.normal(size=400)
    heights, edges = np.histogram(x, bins=bins, density=True)
    model = HistogramDensity(bins).fit(x[:, None])
    middles = (edges[1:] + edges[:-1]) / 2
    np.testing.assert_allclose(np.exp(model.score_samples(middles[:, None])), heights, rtol=1e-12)
    ends = model.score_samples([[x.min()], [x.max()]])
    np.testing.assert_allclose(np.exp(ends), [heights[0], heights[-1]], rtol=1e-12)


def test_two_columns_are_numpy_s_grid():
    x = RNG.normal(size=(500, 2))
    heights, *edges = np.histogram2d(*x.T, bins=6, density=True)
    model = HistogramDensity(6).fit(x)
    middles = [(e[1:] + e[:-1]) / 2 for e in edges]
    places = np.stack(np.meshgrid(*middles, indexing="ij"), axis=-1).reshape(-1, 2)
    np.testing.assert_allclose(np.exp(model.score_samples(places)), heights.ravel(), rtol=1e-12)


def test_rules_are_numpy_s():
    x = RNG.normal(size=(300, 1))
    edges = HistogramDensity("sturges").fit(x).bin_edges_[0]
    np.testing.assert_allclose(edges, np.histogram_bin_edges(x, "sturges"), rtol=1e-12)
    for rule, theirs in (("freedman-diaconis", "fd"), ("scott", "scott")):
        # 3.5 for (24 √π)^(1/3)
        count = len(HistogramDensity(rule).fit(x).bin_edges_[0])
        assert abs(count - len(np.histogram_bin_edges(x, theirs))) <= 1
    mostly_equal = np.r_[np.zeros(90), np.arange(10.0)][:, None]
    assert len(HistogramDensity().fit(mostly_equal).bin_edges_[0]) == 9  # Sturges: 8 bins


@given(st.integers(1, 60), st.integers(1, 3), st.integers(0, 99))
def test_integral_is_one(n, columns, seed):
    x = np.random.default_rng(seed).integers(0, 5, (n, columns)) / 3.0
    model = HistogramDensity().fit(x)
    assert model.heights_ @ Boxes(model.bin_edges_).volumes(model.cells_) == pytest.approx(1.0)
    assert np.isfinite(model.score_samples(x)).all()


def test_draws_follow_the_density():
    x = RNG.normal(size=(2000, 2))
    model = HistogramDensity(8).fit(x)
    drawn = model.sample(4000, random_state=0)
    assert np.isfinite(model.score_samples(drawn)).all()
    np.testing.assert_allclose(drawn.mean(axis=0), x.mean(axis=0), atol=0.1)
    np.testing.assert_array_equal(drawn, model.sample(4000, random_state=0))


def test_awkward_columns():
    assert HistogramDensity().fit([[3.0]]).score_samples([[3.0]]) == pytest.approx(0.0)
    huge = HistogramDensity().fit(np.full((4, 1), 1e300))
    assert np.isfinite(huge.score_samples([[1e300]])).all()
    near = np.array([[1.0], [np.nextafter(1.0, 2.0)]])
    assert np.isfinite(HistogramDensity(50).fit(near).score_samples(near)).all()
    assert np.isneginf(HistogramDensity().fit([[0.0], [1.0]]).score_samples([[2.0], [-1.0]])).all()
    heavy = HistogramDensity().fit(RNG.standard_cauchy((5000, 1)))
    assert len(heavy.bin_edges_[0]) <= 10_001
    with pytest.raises(InvalidDataError, match="farther than doubles"):
        HistogramDensity().fit([[-1e308], [1e308]])
    with pytest.raises(InvalidParameterError, match="bins"):
        HistogramDensity(bins=0).fit([[0.0], [1.0]])


def test_kernel_density_keeps_its_points_in_the_order_of_the_tree():
    x, q, w = RNG.normal(size=(3000, 2)), RNG.normal(size=(50, 2)), RNG.uniform(0, 1, 3000)
    w[::7] = 0.0
    for weights in (None, w):
        model = KernelDensity(bandwidth=0.3).fit(x, sample_weight=weights)
        assert model._sums.held is not None
        exact = KernelDensity(bandwidth=0.3, algorithm="brute").fit(x, sample_weight=weights)
        np.testing.assert_allclose(
            model.score_samples(q), exact.score_samples(q), rtol=1e-12, atol=1e-12
        )
        again = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(again.score_samples(q), model.score_samples(q))
        assert type(model._sums.held[0]) is np.ndarray


@pytest.mark.parametrize("bins", [5, "auto", "scott", "sturges"])
@given(seed=st.integers(0, 99))
def test_weights_are_repeats(bins, seed):
    rng = np.random.default_rng(seed)
    x, counts = rng.normal(size=(40, 2)), rng.integers(0, 4, 40)
    counts[0] = 1
    weighted = HistogramDensity(bins).fit(x, sample_weight=counts)
    repeated = HistogramDensity(bins).fit(np.repeat(x, counts, axis=0))
    for ours, theirs in zip(weighted.bin_edges_, repeated.bin_edges_, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(weighted.heights_, repeated.heights_, rtol=1e-9)


def test_weights_are_numpy_s():
    x, w = RNG.normal(size=500), RNG.uniform(size=500)
    heights, edges = np.histogram(x, bins=9, density=True, weights=w)
    middles = (edges[1:] + edges[:-1]) / 2
    model = HistogramDensity(9).fit(x[:, None], sample_weight=w)
    np.testing.assert_allclose(np.exp(model.score_samples(middles[:, None])), heights, rtol=1e-12)
    # shares as weights: their sum is 1, which stands for one point
    assert np.isfinite(
        HistogramDensity("scott").fit(x[:, None], sample_weight=w / w.sum()).heights_
    ).all()
    with pytest.raises(InvalidDataError, match="zero everywhere"):
        HistogramDensity().fit([[0.0], [1.0]], sample_weight=[0.0, 0.0])


def test_more_rows_than_are_counted_at_once():
    x = RNG.normal(size=(150_000, 2))
    heights, *edges = np.histogram2d(*x.T, bins=300, density=True)  # more boxes than one block
    model = HistogramDensity(300).fit(x)
    middles = [(e[1:] + e[:-1]) / 2 for e in edges]
    places = np.stack(np.meshgrid(*middles, indexing="ij"), axis=-1).reshape(-1, 2)
    np.testing.assert_allclose(np.exp(model.score_samples(places)), heights.ravel(), rtol=1e-12)


def test_boxes_too_many_for_one_number():
    x = RNG.normal(size=(50, 6))
    model = HistogramDensity(10_000).fit(x)  # 1e24 boxes
    np.testing.assert_array_equal(model.cells_, np.unique(Boxes(model.bin_edges_).cells(x), axis=0))
    assert np.isfinite(model.score_samples(x)).all()
    assert np.isneginf(model.score_samples(x + 1e-2)).any()
