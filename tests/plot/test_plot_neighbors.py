"""Pictures of numbers of neighbours and of distances: what is drawn is what was computed."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.exceptions import InvalidParameterError
from stylobate.exploration import dimensionality
from stylobate.neighbors import KNeighborsClassifier, KNeighborsRegressor, leave_one_out_curve
from stylobate.plot import plot_distances, plot_neighbors_curve, style

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 3))


def test_neighbors_curve_draws_scores_and_marks():
    right = leave_one_out_curve(KNeighborsClassifier(), X, X[:, 0] > 0, max_neighbors=20)
    ax = right.plot()
    np.testing.assert_array_equal(ax.lines[0].get_xydata()[:, 1], right.scores)
    assert ax.lines[1].get_xdata()[0] == right.best
    off = leave_one_out_curve(KNeighborsRegressor(), X, X[:, 0], max_neighbors=50)
    ax = plot_neighbors_curve(off)
    np.testing.assert_array_equal(ax.lines[0].get_xydata()[:, 1], -off.scores)
    assert ax.get_ylabel() == "mean squared error (lower is better)"
    with pytest.raises(InvalidParameterError, match="leave_one_out_curve"):
        plot_neighbors_curve(X)


def test_distances_are_those_of_all_pairs():
    from scipy.spatial.distance import pdist, squareform

    report = dimensionality(X, scale=False)
    all_pairs = pdist(X)
    edges = np.asarray(report.distance_edges) * all_pairs.mean()
    expected = np.histogram(all_pairs, edges)[0] / len(all_pairs)
    np.testing.assert_allclose(report.distance_shares, expected, atol=1e-12)
    assert sum(report.distance_shares) == pytest.approx(1.0)
    square = squareform(all_pairs) / all_pairs.mean()
    assert report.farthest == pytest.approx(np.median(square.max(axis=1)))
    np.fill_diagonal(square, np.inf)
    assert report.nearest == pytest.approx(np.median(square.min(axis=1)))
    with style("dark"):
        ax = report.plot()
    assert [line.get_xdata()[0] for line in ax.lines] == [report.nearest, report.farthest]
    with pytest.raises(InvalidParameterError, match="pass what dimensionality returned"):
        plot_distances(X)
