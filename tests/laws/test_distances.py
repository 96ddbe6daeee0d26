"""Every metric obeys what it says of itself: axioms, bounds of boxes, forms of the core, names."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial import distance as scipy_distance

from stylobate.distances import (
    METRICS,
    Euclidean,
    Function,
    Gower,
    Hamming,
    Inner,
    Mahalanobis,
    Manhattan,
    Minkowski,
    measured,
    metric_of,
)
from stylobate.distances.maps import Increasing
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics import check_metric

RANDOM = np.random.default_rng(7)
PARAMETERS = {
    "minkowski": {"p": 3},
    "p": {"p": 1.5, "w": [1.0, 0.5, 2.0, 1.0]},
    "seuclidean": {"V": [1.0, 2.0, 0.5, 4.0]},
    "mahalanobis": {"V": np.cov(RANDOM.normal(size=(4, 30)))},
}
NAMES = sorted(set(METRICS) - {"inner", "precomputed", "gower"})


def made(name):
    return metric_of(name, PARAMETERS.get(name))


def rows_for(metric, n, seed=0):
    random = np.random.default_rng(seed)
    if metric.domain == "sphere":
        return random.uniform(-1.5, 1.5, (n, 2))
    if metric.domain == "booleans" or isinstance(metric, Hamming):
        return random.integers(0, 2, (n, 4)).astype(float)
    if metric.allow_nan:
        x = random.integers(0, 3, (n, 4)).astype(float)
        x[random.random(x.shape) < 0.3] = np.nan
        return x[~np.isnan(x).all(axis=1)]
    return random.normal(size=(n, 4)) + (2.0 if metric.name == "braycurtis" else 0.0)


@pytest.mark.parametrize("name", NAMES)
def test_the_triangle_holds_exactly_where_it_is_claimed(name):
    metric = made(name)
    broken = False
    for seed in range(6):
        x = rows_for(metric, 60, seed)
        with np.errstate(invalid="ignore"):
            d = metric.matrix(x, x)
        keep = np.isfinite(d).all(axis=1)
        broken |= "triangle" in check_metric(d[np.ix_(keep, keep)]).broken
    if metric.allow_nan:  # rows without common columns drop out above; three rows show it
        d = metric.matrix(*[np.array([[0.0, 0.0], [np.nan, 0.0], [5.0, 0.0]])] * 2)
        broken = d[0, 2] > d[0, 1] + d[1, 2]
    if metric.name == "russellrao":  # its triangle holds; a row's distance to itself does not
        x = rows_for(metric, 60)
        assert metric(x[0], 0 * x[0]) == metric(0 * x[0], 0 * x[0]) == 1.0
        return
    assert broken != metric.triangle


@pytest.mark.parametrize("name", [name for name in NAMES if made(name).boxes])
def test_the_nearest_point_of_a_box_bounds_the_distance(name):
    metric = made(name)
    for _ in range(50):
        corner, other, query = RANDOM.normal(size=(3, 4))
        low, high = np.minimum(corner, other), np.maximum(corner, other)
        inside = RANDOM.uniform(low, high)
        nearest = np.clip(query, low, high)
        assert metric(query, nearest) <= metric(query, inside) * (1 + 1e-12)


@pytest.mark.parametrize("name", [name for name in METRICS if METRICS[name]().graph])
def test_points_of_graphs_have_the_order_of_the_metric(name):
    x, q = RANDOM.normal(size=(40, 4)), RANDOM.normal(size=(9, 4))
    x[3] = q[2] = 0.0
    metric = metric_of(name).graph_metric(x)
    rows, queries = metric.graph_rows(x), metric.graph_queries(q)
    absolute = metric.form(4).measure == "manhattan"
    values = scipy_distance.cdist(queries, rows, "cityblock" if absolute else "sqeuclidean")
    assert_allclose(
        metric.graph_distances(values.copy(), q), metric.matrix(q, x), rtol=1e-9, atol=1e-12
    )


@pytest.mark.parametrize("name", [name for name in NAMES if made(name).balls])
def test_balls_and_tiles_measure_the_same(name):
    from stylobate.neighbors import BallTree

    metric = made(name)
    x = np.abs(rows_for(metric, 90)) + (0.1 if metric.domain == "numbers" else 0.0)
    far, _ = BallTree(x, metric=metric).query(x[:20], 5)
    assert_allclose(far, measured(x[:20], x, metric).nearest(5)[0], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_two_rows_as_scipy_has_them(name):
    reference = {
        "l2": "euclidean", "l1": "cityblock", "manhattan": "cityblock", "infinity": "chebyshev",
        "matching": "hamming", "p": "minkowski",
    }.get(name, name)  # fmt: skip
    if not hasattr(scipy_distance, reference):
        pytest.skip("SciPy does not have it")
    metric = made(name)
    a, b = rows_for(metric, 2, seed=3)
    if metric.domain == "booleans":
        want = getattr(scipy_distance, reference)(a.astype(bool), b.astype(bool))
    else:
        given_ = dict(PARAMETERS.get(name, {}))
        if name == "mahalanobis":
            given_ = {"VI": np.linalg.inv(given_["V"])}
        want = getattr(scipy_distance, reference)(a, b, **given_)
    assert metric(a, b) == pytest.approx(want, rel=1e-12)


def test_metrics_are_values():
    for name in METRICS:
        metric = made(name)
        assert metric == made(name)
        assert hash(metric) == hash(made(name))
        assert pickle.loads(pickle.dumps(metric)) == metric
        assert name in metric.names
    assert Minkowski(3) != Minkowski(4)
    assert Minkowski(3, w=[1.0, 2.0]) == Minkowski(3, w=np.array([1.0, 2.0]))
    assert Euclidean() != Manhattan()
    assert metric_of(Minkowski(3), {"p": 4}) == Minkowski(4)
    assert isinstance(metric_of(max, {"key": abs}), Function)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Minkowski(0), "above 0"),
        (lambda: Manhattan([-1.0]), "none negative"),
        (lambda: Manhattan([1.0])([1.0, 2.0], [3.0, 4.0]), "2 weights"),
        (lambda: metric_of("euclidean", {"z": 1}), "takes w, squared; got z"),
        (lambda: metric_of("nonsense", None, "me"), "me: metric must be"),
        (lambda: metric_of("inner", {"reach": 1}), "no parameters; got reach"),
        (lambda: Mahalanobis(VI=[[1.0, 2.0]])([1.0], [2.0]), "square matrix"),
        (lambda: Mahalanobis(V=np.zeros((2, 2)))([1.0, 1.0], [2.0, 1.0]), "no inverse"),
        (lambda: metric_of("seuclidean", {"V": [0.0]})([1.0], [2.0]), "constant column"),
        (lambda: metric_of("precomputed").form(1), "takes distances"),
        (lambda: Gower()([1], [2]), "learnt"),
    ],
)
def test_refusals(make, words):
    with pytest.raises((InvalidParameterError, InvalidDataError), match=words):
        make()


@given(st.lists(st.floats(0, 100), min_size=1, max_size=9), st.sampled_from([0.3, 1.0, 7.0]))
def test_the_inverse_of_an_increasing_function_is_the_last_double(radii, scale):
    for function in (np.sqrt, np.log1p, np.square, np.floor):
        made = Increasing(function, scale)
        wanted = np.array(radii)
        last = made.inverse(wanted)
        assert (made(last) <= wanted).all()
        assert (made(np.nextafter(last, np.inf)) > wanted).all()
    assert Increasing(lambda s: 1.0 + s).inverse(np.array(0.5)) == -1.0


def test_similarities_are_no_distances():
    from stylobate.metrics.pairwise import pairwise_distances

    assert Inner().similarity
    with pytest.raises(InvalidParameterError, match="must be a distance"):
        pairwise_distances(np.eye(2), metric="inner")
