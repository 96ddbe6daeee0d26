"""GradientHistogram: laws of merging, and sums by hand."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.data import read_table
from stylobate.exceptions import InvalidDataError
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
