"""Trees give what looking at every row gives, with the methods of scikit-learn."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest
import sklearn.neighbors as theirs
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from stylobate.base import clone
from stylobate.distances import metric_of
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.neighbors import (
    BallTree,
    HNSWIndex,
    KDTree,
    KNeighborsClassifier,
    NearestNeighbors,
)
from stylobate.neighbors.indexes.brute import BruteIndex
from stylobate.neighbors.indexes.choosing import choose_index, rows_needed, tree_index

RANDOM = np.random.default_rng(0)
NORMAL = RANDOM.normal(size=(300, 3))
TABLES = {
    "normal": NORMAL,
    "clusters": np.repeat(RANDOM.normal(size=(5, 3)), 50, axis=0)
    + 1e-3 * RANDOM.normal(size=(250, 3)),
    "duplicates": RANDOM.integers(0, 3, size=(200, 2)).astype(float),
    "line": np.outer(np.arange(100.0), [1.0, 2.0, -1.0]),
    "constant": np.ones((90, 2)),
    "one column": RANDOM.normal(size=(150, 1)),
    "one row": np.array([[1.0, 2.0]]),
    "far away": 1e8 + RANDOM.normal(size=(120, 3)),
    "wide": RANDOM.normal(size=(100, 40)),
    "single precision": RANDOM.normal(size=(200, 4)).astype(np.float32),
}
METRICS = [
    ("euclidean", {}),
    ("manhattan", {}),
    ("chebyshev", {}),
    ("minkowski", {"p": 3, "w": None}),
    ("minkowski", {"p": 1.5, "w": None}),
    ("canberra", {}),
    ("hamming", {}),
]


def queries_near(x):
    return np.vstack([x[::7], x[::5] + 0.1]).astype(x.dtype)


def same(index, brute, x, k, radius):
    for queries in (x, None):
        d, rows = index.query(queries, k)
        expected_d, expected = brute.query(queries, k)
        assert_array_equal(rows, expected)
        assert_allclose(d, expected_d, rtol=1e-13, atol=0)
        for mine, his in zip(
            index.within(queries, radius), brute.within(queries, radius), strict=True
        ):
            assert_array_equal(mine, his)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    ("name", "metric", "params"),
    [("ball_tree", *each) for each in METRICS] + [("kd_tree", *each) for each in METRICS[:5]],
)
def test_trees_equal_brute(name, table, metric, params):
    x = TABLES[table]
    made = metric_of(metric, params)
    index, brute = tree_index(x, made, name), BruteIndex(x, made)
    radius = float(np.median(brute.query(x[:20], min(5, len(x)))[0][:, -1]))
    if len(x) == 1:
        assert_array_equal(index.query(x, 1)[1], [[0]])
        return
    for k in {1, min(7, len(x) - 1), min(60, len(x) - 1)}:
        same(index, brute, queries_near(x), k, radius)


@given(
    st.integers(0, 2**32 - 1),
    st.integers(2, 70),
    st.integers(1, 6),
    st.sampled_from([0.0, 1.0, 0.1, 1e-300]),
    st.sampled_from(METRICS[:4]),
    st.sampled_from([1.0, 1e-160, 1e100, 1e300]),
)
def test_any_table(seed, n, columns, step, metric, size):
    random = np.random.default_rng(seed)
    x = random.normal(size=(n, columns))
    x = (np.round(x / step) * step if step > 1e-200 else x) * size
    x[random.integers(n)] = x[0]
    if metric[0] == "minkowski" and size != 1.0:
        metric = METRICS[0]
    q = x[random.integers(0, n, 5)] + size * random.normal(size=(5, columns)).round(1)
    k = int(random.integers(1, n))
    for name in ("kd_tree", "ball_tree"):
        with np.errstate(over="ignore", invalid="ignore"):
            made = metric_of(*metric)
            same(tree_index(x, made, name), BruteIndex(x, made), q, k, size)


@pytest.mark.parametrize(
    ("metric", "params"),
    [
        ("minkowski", {"p": 2, "w": [1.0, 2.0, 0.0]}),
        ("minkowski", {"p": 3, "w": [1.0, 2.0, 0.5]}),
        ("seuclidean", {"V": [1.0, 4.0, 0.25]}),
        ("mahalanobis", {"VI": np.linalg.inv(np.cov(NORMAL.T))}),
        ("canberra", {"w": [1.0, 2.0, 3.0]}),
        ("hamming", {"w": [1.0, 2.0, 3.0]}),
        ("haversine", {}),
        ("jaccard", {}),
        ("braycurtis", {}),
    ],
)
def test_metrics_with_parameters(metric, params):
    x = NORMAL[:, :2] / 3 if metric == "haversine" else NORMAL.round(1)
    x = (x > 0).astype(float) if metric == "jaccard" else x
    made = metric_of(metric, params)
    index, brute = tree_index(x, made, "ball_tree"), BruteIndex(x, made)
    d, rows = index.query(queries_near(x), 4)
    expected_d, expected = brute.query(queries_near(x), 4)
    assert_allclose(d, expected_d, rtol=1e-12, atol=1e-15)
    assert np.mean(rows == expected) > 0.9  # rounding of scaled columns may break ties
    counts = np.diff(index.within(x, 0.3).offsets)
    assert_array_equal(counts, np.diff(brute.within(x, 0.3).offsets))


SETS = ("jaccard", "dice", "sokalsneath", "rogerstanimoto", "sokalmichener", "russellrao")


@pytest.mark.parametrize("metric", [*SETS, "braycurtis"])
@given(seed=st.integers(0, 10**6))
def test_balls_of_sets(metric, seed):
    random = np.random.default_rng(seed)
    n, columns = int(random.integers(2, 400)), int(random.integers(1, 9))
    x = random.integers(0, 2, (n, columns)).astype(float)
    x = x * random.integers(1, 4, x.shape) if metric == "braycurtis" else x
    x[0] = 1.0
    q = x[random.integers(0, n, 6)]
    if metric == "braycurtis":
        x, q = x + 0.5, q + random.uniform(size=q.shape)  # 0 / 0 is no number in the tiles
    k = int(random.integers(1, n))
    tree, brute = tree_index(x, metric_of(metric), "ball_tree"), BruteIndex(x, metric_of(metric))
    assert tree.name == ("brute" if metric == "russellrao" else "ball_tree")
    for mine, exact in zip(tree.query(q, k), brute.query(q, k), strict=True):
        assert_array_equal(mine, exact)
    for mine, exact in zip(tree.query(None, k), brute.query(None, k), strict=True):
        assert_array_equal(mine, exact)
    radius = float(random.choice(brute.query(q, k)[0].ravel()))  # exactly at the border
    assert_array_equal(tree.within(q, radius).rows, brute.within(q, radius).rows)
    assert_array_equal(tree.count(q, radius), brute.count(q, radius))


@pytest.mark.parametrize("metric", [*SETS, "braycurtis"])
def test_balls_of_sets_are_scikit_learn_s(metric):
    random = np.random.default_rng(4)
    x = random.integers(0, 3, (300, 12)).astype(float)
    expected, _ = theirs.BallTree(x, metric=metric).query(x[:40], 5)
    assert_allclose(BallTree(x, metric=metric).query(x[:40], 5)[0], expected, rtol=1e-14)


def test_braycurtis_of_negative_numbers_looks_at_all_rows():
    x = np.abs(NORMAL)
    assert "negative" in tree_index(NORMAL, metric_of("braycurtis"), "ball_tree").reason
    made = metric_of("braycurtis")
    tree, brute = tree_index(x, made, "ball_tree"), BruteIndex(x, made)
    assert tree.name == "ball_tree"
    for q in (NORMAL[:20], x[:20]):
        assert_array_equal(tree.query(q, 3)[1], brute.query(q, 3)[1])
        assert_array_equal(tree.count(q, 0.4), brute.count(q, 0.4))


def test_small_powers_in_cells():
    index, brute = (
        make(NORMAL, metric_of("minkowski", {"p": 0.5}), *more)
        for make, more in ((tree_index, ("kd_tree",)), (BruteIndex, ()))
    )
    assert_array_equal(index.query(None, 5)[1], brute.query(None, 5)[1])
    with pytest.raises(InvalidParameterError, match="triangle inequality"):
        tree_index(NORMAL, metric_of("minkowski", {"p": 0.5}), "ball_tree")


def test_functions_in_balls():
    calls = 0

    def far(a, b, scale=1.0):
        nonlocal calls
        calls += 1
        return scale * float(np.abs(a - b).sum())

    x = RANDOM.normal(size=(400, 2)).round(1)
    index = tree_index(x, metric_of(far, {"scale": 2.0}), "ball_tree")
    brute = BruteIndex(x, metric_of("manhattan"))
    calls = 0
    d, rows = index.query(x[:10] + 0.01, 3)
    assert calls < 10 * 200
    expected_d, expected = brute.query(x[:10] + 0.01, 3)
    assert_array_equal(rows, expected)
    assert_allclose(d, 2 * expected_d, rtol=1e-12)
    for mine, his in zip(index.within(x[:5], 1.0)[:2], brute.within(x[:5], 0.5)[:2], strict=True):
        assert_array_equal(mine, his)
    assert_array_equal(index.query(None, 2)[1], brute.query(None, 2)[1])


TREES = [(KDTree, theirs.KDTree), (BallTree, theirs.BallTree)]


@pytest.mark.parametrize(("ours", "sklearn"), TREES)
def test_methods_of_scikit_learn(ours, sklearn):
    q = RANDOM.normal(size=(20, 3))
    mine, his = ours(NORMAL), sklearn(NORMAL)
    d, i = mine.query(q, k=3)
    expected_d, expected = his.query(q, k=3)
    assert_array_equal(i, expected)
    assert_allclose(d, expected_d, rtol=1e-12)
    assert_array_equal(mine.query(q, k=3, return_distance=False), expected)
    assert_array_equal(
        mine.query_radius(q, 0.7, count_only=True), his.query_radius(q, 0.7, count_only=True)
    )
    r = np.linspace(0.1, 1, 20)
    rows, away = mine.query_radius(q, r, return_distance=True, sort_results=True)
    his_rows, his_away = his.query_radius(q, r, return_distance=True, sort_results=True)
    for a, b, c, e in zip(rows, his_rows, away, his_away, strict=True):
        assert_array_equal(a, b)
        assert_allclose(c, e, rtol=1e-12)
    assert_array_equal(mine.query_radius(q, 0.5)[3], np.sort(his.query_radius(q, 0.5)[3]))
    assert_array_equal(
        mine.two_point_correlation(q, [0.1, 0.5, 2.0]), his.two_point_correlation(q, [0.1, 0.5, 2])
    )
    assert_array_equal(mine.data, np.asarray(his.data))
    assert set(ours.valid_metrics) >= set(sklearn.valid_metrics) - {"sokalmichener"}


@pytest.mark.parametrize(
    "kernel", ["gaussian", "tophat", "epanechnikov", "exponential", "linear", "cosine"]
)
@pytest.mark.parametrize(("ours", "sklearn"), TREES)
def test_kernel_density(ours, sklearn, kernel):
    for columns, metric in ((1, "euclidean"), (3, "manhattan"), (2, "euclidean")):
        if kernel == "cosine" and columns == 2:
            continue  # scikit-learn's constant loses a term in even dimensions
        x, q = NORMAL[:, :columns], RANDOM.normal(size=(15, columns))
        expected = sklearn(x, metric=metric).kernel_density(q, 0.6, kernel, rtol=1e-10)
        got = ours(x, metric=metric).kernel_density(q, 0.6, kernel)
        assert_allclose(got, expected, rtol=1e-8, atol=1e-12)
    w = RANDOM.uniform(1, 2, 300)
    assert_allclose(
        ours(NORMAL, sample_weight=w).kernel_density(NORMAL[:5], 0.6, kernel, return_log=True),
        sklearn(NORMAL, sample_weight=w).kernel_density(
            NORMAL[:5], 0.6, kernel, return_log=True, rtol=1e-10
        ),
        rtol=1e-8,
    )


def test_the_cosine_kernel_has_integral_1_in_the_plane():
    side = np.linspace(-1, 1, 201)
    q = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    density = KDTree([[0.0, 0.0]]).kernel_density(q, 1.0, "cosine")
    assert density.sum() * (side[1] - side[0]) ** 2 == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: KDTree([[np.nan]]), InvalidDataError, "NaN"),
        (lambda: KDTree([[1.0]], leaf_size=0), InvalidParameterError, "leaf_size"),
        (lambda: KDTree([[1.0]], metric="cosine"), InvalidParameterError, "takes euclidean"),
        (lambda: KDTree([[1.0]], metric=max), InvalidParameterError, "a function not valid"),
        (lambda: BallTree([[1.0]], metric="cosine"), InvalidParameterError, "triangle"),
        (lambda: BallTree([[1.0]], metric="seuclidean"), InvalidParameterError, "give V"),
        (lambda: BallTree([[1.0]], metric="mahalanobis"), InvalidParameterError, "give V"),
        (lambda: BallTree([[1.0]], metric="haversine"), InvalidDataError, "latitude"),
        (lambda: KDTree([[1.0]], metric="manhattan", z=1), InvalidParameterError, "takes w; got z"),
        (lambda: KDTree(np.empty((0, 2))), InvalidDataError, "0 sample"),
        (lambda: KDTree([[1.0]]).query([[1.0]], k=2), InvalidDataError, "training points"),
        (lambda: KDTree([[1.0]]).query([[1.0]], k=0), InvalidDataError, "at least 1"),
        (lambda: KDTree(NORMAL).query(NORMAL, k=2.5), TypeError, "must be an integer, got 2.5"),
        (lambda: BallTree(NORMAL).query(NORMAL, k=True), TypeError, "must be an integer"),
        (lambda: HNSWIndex(NORMAL).query(NORMAL, k=2.5), TypeError, "must be an integer"),
        (lambda: KDTree([[1.0]]).query([[1.0, 2.0]]), InvalidDataError, "dimension"),
        (lambda: KDTree([[1.0]]).query([1.0]), InvalidDataError, "2D"),
        (
            lambda: KDTree([[1.0]]).query_radius([[1.0]], 1.0, sort_results=True),
            InvalidParameterError,
            "return_distance must be True",
        ),
        (lambda: KDTree([[1.0]]).query_radius([[1.0]], [1.0, 2.0]), InvalidDataError, "one for"),
        (lambda: KDTree([[1.0]]).kernel_density([[1.0]], -1.0), InvalidParameterError, "bandwidth"),
        (lambda: KDTree([[1.0]]).kernel_density([[1.0]], 1, "x"), InvalidParameterError, "kernel"),
        (lambda: KDTree([[1.0]], sample_weight=[-1]), InvalidDataError, "positive"),
        (
            lambda: NearestNeighbors(algorithm="kd_tree", metric="cosine").fit(NORMAL),
            InvalidParameterError,
            "algorithm='brute' takes every metric",
        ),
    ],
)
def test_bad_input_gets_a_sentence_from_trees(make, error, words):
    with pytest.raises(error, match=words):
        make()


@pytest.mark.parametrize("algorithm", ["kd_tree", "ball_tree"])
def test_estimators_with_a_tree_can_be_stored(algorithm):
    y = NORMAL[:, 0] > 0
    model = KNeighborsClassifier(algorithm=algorithm).fit(NORMAL, y)
    assert model.algorithm_ == algorithm
    assert model.algorithm_reason_ == "asked for"
    q = RANDOM.normal(size=(20, 3))
    for other in (
        pickle.loads(pickle.dumps(model)),
        copy.deepcopy(model),
        clone(model).fit(NORMAL, y),
    ):
        assert_array_equal(other.kneighbors(q)[1], model.kneighbors(q)[1])
        assert_array_equal(other.predict(q), model.predict(q))
    tree = {"kd_tree": KDTree, "ball_tree": BallTree}[algorithm](NORMAL)
    assert_array_equal(pickle.loads(pickle.dumps(tree)).query(q)[0], tree.query(q)[0])


def test_sparse_rows_go_without_a_tree():
    rows = sparse.csr_array(NORMAL.round(0))
    with pytest.warns(StylobateWarning, match="cannot use tree with sparse input"):
        model = NearestNeighbors(algorithm="kd_tree").fit(rows)
    assert model.algorithm_ == "brute"
    assert model.algorithm_reason_ == "rows are sparse, which trees do not take"
    dense = NearestNeighbors(algorithm="kd_tree").fit(rows.toarray())
    assert_array_equal(model.kneighbors()[1], dense.kneighbors()[1])


def test_the_choice_and_its_words():
    many = RANDOM.normal(size=(rows_needed(2), 2))
    chosen = choose_index(many, metric_of("euclidean"))
    assert chosen.name == "kd_tree"
    assert chosen.reason == f"{len(many)} rows of 2 columns: a kd-tree looks at few of them"
    assert choose_index(many, metric_of("haversine")).name == "ball_tree"
    assert choose_index(many, metric_of("cosine")).name == "brute"
    assert "triangle" in choose_index(many, metric_of(lambda a, b: 0.0)).reason
    assert "only 200 rows" in choose_index(NORMAL[:200], metric_of("euclidean")).reason
    wide = choose_index(RANDOM.normal(size=(2000, 64)), metric_of("euclidean"))
    assert wide.name == "brute"
    assert "64 columns" in wide.reason


def test_interrupts_are_answered():
    script = """
import _thread, threading, time
import numpy as np
from stylobate.neighbors import KDTree
x = np.random.default_rng(0).normal(size=(100_000, 9))
tree = KDTree(x)
threading.Timer(0.3, _thread.interrupt_main).start()
try:
    tree.query(x, k=20)
except KeyboardInterrupt:
    print("stopped")
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "stopped\n"


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda a, b: float(((a - b) ** 2).sum()), "detour is shorter"),
        (lambda a, b: float((a - b).sum()), "negative"),
        (lambda a, b: float("nan"), "not a finite number"),
    ],
)
def test_functions_that_are_no_metric_get_no_balls(function, words):
    with pytest.raises(InvalidParameterError, match=words):
        NearestNeighbors(algorithm="ball_tree", metric=function).fit(NORMAL)


def test_functions_that_give_no_number_are_named():
    model = NearestNeighbors(metric=lambda a, b: np.nan if a[0] != b[0] else 0.0).fit(NORMAL)
    with pytest.raises(InvalidDataError, match="NaN for query 0 and row 1"):
        model.kneighbors(NORMAL[:3])
    with pytest.raises(InvalidDataError, match="must return one number, got 'near'"):
        NearestNeighbors(metric=lambda a, b: "near").fit(NORMAL).kneighbors(NORMAL[:3])


def test_valid_metrics_are_scikit_learn_s_and_more():
    from stylobate.neighbors import VALID_METRICS, VALID_METRICS_SPARSE

    for name, known in theirs.VALID_METRICS.items():
        assert set(known) - {"pyfunc"} <= set(VALID_METRICS[name])
    for name, known in theirs.VALID_METRICS_SPARSE.items():
        assert set(known) <= set(VALID_METRICS_SPARSE[name])
