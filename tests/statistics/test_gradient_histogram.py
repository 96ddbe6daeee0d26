"""GradientHistogram: laws of merging, and sums by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stylobate.data import read_table
from stylobate.ensemble import HistGradientBoostingRegressor
from stylobate.ensemble.boosting.binning import Binning
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.statistics import GradientHistogram, HistogramIn
from stylobate.testing import check_merge_laws


def parts(n=300, seed=0):
    draw = np.random.default_rng(seed)
    x = draw.standard_normal((n, 3))
    x[draw.random((n, 3)) < 0.1] = np.nan
    pairs = np.column_stack([draw.standard_normal(n), draw.uniform(0.0, 2.0, n)])
    recipe = HistogramIn(
        tuple(np.quantile(np.nan_to_num(x[:, j]), [0.2, 0.5, 0.9]) for j in range(3))
    )
    pieces = [
        read_table(x[part], pairs[part], owner="test", check_finite="allow-nan")
        for part in (slice(0, 90), slice(90, 200), slice(200, n))
    ]
    return x, pairs, recipe, pieces


def test_laws_of_merging():
    _, _, recipe, pieces = parts()

    class Histogram(GradientHistogram):
        of = recipe.of

    check_merge_laws(Histogram, pieces)


def test_sums_by_hand():
    x, pairs, recipe, pieces = parts(seed=1)
    whole = pieces[0].__class__
    found = recipe.of(whole(x, y=pairs))
    for j in range(3):
        bins = np.searchsorted(recipe.edges[j], x[:, j])
        bins[np.isnan(x[:, j])] = 255
        for name, values in (("gradient", pairs[:, 0]), ("hessian", pairs[:, 1]), ("count", None)):
            expected = np.bincount(bins, values, minlength=256)
            np.testing.assert_allclose(getattr(found, name)[j], expected, rtol=1e-6, atol=1e-5)
    np.testing.assert_array_equal(found.count.sum(axis=1), [300.0] * 3)


def test_what_does_not_fit_is_refused():
    _, _, recipe, pieces = parts()
    with pytest.raises(InvalidDataError, match="two columns"):
        recipe.of(read_table([[1.0, 2.0, 3.0]], [1.0], owner="test"))
    other = HistogramIn(recipe.edges[:1]).of(read_table([[1.0]], [[1.0, 1.0]], owner="test"))
    with pytest.raises(InvalidDataError, match="same columns"):
        recipe.of(pieces[0]).merge(other)
    with pytest.raises(InvalidDataError, match="1 features"):
        recipe.of(read_table([[1.0]], [[1.0, 1.0]], owner="test"))
    with pytest.raises(InvalidParameterError, match="column 1"):
        HistogramIn((np.array([1.0]), np.array([2.0, 2.0])))


@given(st.integers(0, 10**6), st.integers(1, 60), st.integers(1, 6))
def test_any_parts_in_any_order_are_the_whole(seed, n, count):
    draw = np.random.default_rng(seed)
    x = np.where(draw.random((n, 2)) < 0.1, np.nan, draw.standard_normal((n, 2)))
    pairs = np.column_stack([draw.standard_normal(n), draw.uniform(0.0, 2.0, n)])
    recipe = HistogramIn((np.array([-0.5, 0.0, 1.0]), np.empty(0)))
    whole = recipe.of(read_table(x, pairs, owner="test", check_finite="allow-nan"))
    owner = draw.integers(0, count, n)
    pieces = [
        recipe.of(read_table(x[rows], pairs[rows], owner="test", check_finite="allow-nan"))
        for rows in (np.flatnonzero(owner == k) for k in draw.permutation(count))
        if len(rows)
    ]
    merged = pieces[0]
    for piece in pieces[1:]:
        merged = merged.merge(piece)
    np.testing.assert_array_equal(merged.count, whole.count)
    np.testing.assert_allclose(merged.gradient, whole.gradient, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(merged.hessian, whole.hessian, rtol=1e-9, atol=1e-9)
    rest = whole.subtract(pieces[0])
    np.testing.assert_array_equal(rest.count, whole.count - pieces[0].count)
    one, other = merged.best_split(l2=0.5), whole.best_split(l2=0.5)
    assert (one is None) == (other is None)
    if one is not None:
        assert one.gain == pytest.approx(other.gain, rel=1e-6)


def test_best_split_against_all_of_them():
    x, pairs, recipe, pieces = parts(seed=3)
    found = recipe.of(pieces[0].__class__(x, y=pairs)).best_split(l2=0.7, min_rows=12)

    def worth(rows):
        return pairs[rows, 0].sum() ** 2 / (pairs[rows, 1].sum() + 0.7)

    best = 0.0
    for j in range(3):
        for edge in [*recipe.edges[j], np.inf]:
            for gaps in (False, True):
                left = np.where(np.isnan(x[:, j]), gaps, x[:, j] <= edge)
                if 12 <= left.sum() <= len(x) - 12:
                    gain = 0.5 * (worth(left) + worth(~left) - worth(left | True))
                    best = max(best, gain)
                    if (j, gaps) == (found.feature, found.missing_left):
                        assert edge != recipe.threshold(found) or gain == pytest.approx(found.gain)
    assert found.gain == pytest.approx(best, rel=1e-6)


def test_the_root_of_a_boosted_tree_is_the_split_of_merged_parts():
    draw = np.random.default_rng(0)
    x = draw.standard_normal((600, 3))
    y = np.sin(2.0 * x[:, 1]) + 0.1 * draw.standard_normal(600)
    model = HistGradientBoostingRegressor(max_iter=1, max_leaf_nodes=2).fit(x, y)
    root = model.trees_[0][0]
    recipe = HistogramIn(Binning.of(x, categories=[0, 0, 0]).edges)
    pairs = np.column_stack([y.mean() - y, np.ones(600)])
    pieces = [
        recipe.of(read_table(x[k::3], pairs[k::3], owner="test", check_finite="allow-nan"))
        for k in range(3)
    ]
    split = pieces[0].merge(pieces[1]).merge(pieces[2]).best_split(min_rows=20)
    assert (split.feature, recipe.threshold(split)) == (root.feature[0], root.threshold[0])


def test_nothing_to_split():
    _, _, recipe, pieces = parts()
    assert recipe.of(pieces[0]).best_split(min_rows=80) is None
    constant = HistogramIn((np.array([5.0]),))
    rows = read_table([[1.0], [2.0]], [[1.0, 1.0], [1.0, 1.0]], owner="test")
    assert constant.of(rows).best_split() is None
