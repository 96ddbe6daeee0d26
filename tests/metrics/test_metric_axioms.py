"""Each axiom broken on purpose, and metrics that break none."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist, chebyshev, cityblock, euclidean

from stylobate.distances import metric_of
from stylobate.exceptions import InvalidDataError
from stylobate.metrics import check_metric

POINTS = np.random.default_rng(0).normal(size=(30, 3))


@pytest.mark.parametrize("metric", [euclidean, cityblock, chebyshev])
def test_metrics_pass(metric):
    report = check_metric(metric, POINTS)
    assert report.holds
    assert "Nothing against" in str(report)


@pytest.mark.parametrize(
    ("distance", "axiom"),
    [
        (lambda x, y: -euclidean(x, y), "not negative"),
        (lambda x, y: euclidean(x, y) + 1.0, "identity"),
        (lambda x, y: euclidean(x, y) * (1 + (x[0] > y[0])), "symmetry"),
        (lambda x, y: euclidean(x, y) ** 2, "triangle"),
        (lambda x, y: np.nan, "finite"),
    ],
    ids=["negative", "identity", "symmetry", "triangle", "finite"],
)
def test_each_axiom_is_found_broken(distance, axiom):
    report = check_metric(distance, POINTS)
    assert not report.holds
    assert axiom in report.broken


def test_the_triangle_named_is_one():
    d = cdist(POINTS, POINTS) ** 2
    words = check_metric(d).broken["triangle"]
    i, j = map(int, words.split("d(")[1].split(")")[0].split(", "))
    _, middle = map(int, words.split("d(")[2].split(")")[0].split(", "))
    assert d[i, j] > d[i, middle] + d[middle, j]


def test_pseudometrics():
    report = check_metric(lambda x, y: abs(x[0] - y[0]), [[0.0, 1.0], [0.0, 2.0], [1.0, 0.0]])
    assert not report.broken
    assert report.indistinct == ((0, 1),)
    assert "pseudometric" in str(report)


def test_many_points_and_wrong_shapes():
    assert check_metric(lambda x, y: abs(x - y), np.arange(1000.0)).n == 400
    assert check_metric(lambda x, y: abs(len(x) - len(y)), ["a", "bb"]).holds
    with pytest.raises(InvalidDataError, match="square"):
        check_metric([[0.0, 1.0]])


def test_metrics_by_name():
    assert check_metric("euclidean", POINTS).holds
    assert "triangle" in check_metric("cosine", POINTS).broken
    assert check_metric(metric_of("minkowski", {"p": 3}), POINTS).holds
    assert check_metric("hamming", ["GATTACA", "GACTATA", "GATTATA"]).holds
    with pytest.raises(InvalidDataError, match="give points"):
        check_metric("cosine")
