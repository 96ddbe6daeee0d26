"""Densities by the tree of boxes: against brute force, and within the errors allowed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import logsumexp

from stylobate import _core
from stylobate.neighbors import KernelDensity

KERNELS = ["gaussian", "tophat", "epanechnikov", "exponential", "linear", "cosine"]
SMOOTH = ["gaussian", "exponential"]


def brute(queries, points, kernel, width, weights=None):
    """Log Σ w K, from the whole matrix of distances."""
    u = np.sqrt(((queries[:, None, :] - points[None]) ** 2).sum(axis=2)) / width
    if kernel in SMOOTH:
        return logsumexp(-0.5 * u**2 if kernel == "gaussian" else -u, axis=1, b=weights)
    heights = {
        "tophat": np.ones_like(u),
        "epanechnikov": 1.0 - u**2,
        "linear": 1.0 - u,
        "cosine": np.cos(0.5 * np.pi * u),
    }[kernel]
    inside = np.where(u < 1.0, heights, 0.0) * (1.0 if weights is None else weights)
    with np.errstate(divide="ignore"):
        return np.log(inside.sum(axis=1))


def clustered(seed, n=900, m=150, columns=2):
    """Two clusters of very different width, copies of points, queries near and far."""
    random = np.random.default_rng(seed)
    points = random.normal(size=(n, columns))
    points[::3] = 3.0 + 0.01 * points[::3]
    points[::10] = points[1]
    queries = random.normal(size=(m, columns)) * 2.0
    queries[::4] = points[: len(queries[::4])]
    queries[5::20] += 50.0
    return points, queries, random.random(n) * (random.random(n) < 0.8)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("columns", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
def test_as_brute_force(kernel, columns, weighted):
    points, queries, weights = clustered(columns, columns=columns)
    weights = weights if weighted else None
    for width in (1e-4, 0.03, 0.6, 5.0, 1e4):
        mine = _core.log_bump_sums(queries, points, kernel, width, weights)
        expected = brute(queries, points, kernel, width, weights)
        finite = np.isfinite(expected)
        assert_array_equal(np.isfinite(mine), finite)
        # the exponent of a far query is large, and so is what rounding does to it
        assert_allclose(mine[finite], expected[finite], rtol=1e-12, atol=1e-12)


@given(
    seed=st.integers(0, 10_000),
    kernel=st.sampled_from(KERNELS),
    columns=st.integers(1, 4),
    log_width=st.floats(-2.0, 1.5),
    log_rtol=st.floats(-9.0, -1.0),
)
def test_the_relative_error_allowed_is_kept(seed, kernel, columns, log_width, log_rtol):
    points, queries, weights = clustered(seed, n=400, m=40, columns=columns)
    width, rtol = 10.0**log_width, 10.0**log_rtol
    mine = _core.log_bump_sums(queries, points, kernel, width, weights, rtol)
    expected = brute(queries, points, kernel, width, weights)
    finite = np.isfinite(expected)
    assert_array_equal(np.isfinite(mine), finite)
    errors = np.abs(np.expm1(mine[finite] - expected[finite]))
    rounding = 1e-13 * (10.0 + np.abs(expected[finite]))
    assert (errors <= rtol + rounding).all()


@pytest.mark.parametrize("kernel", SMOOTH)
def test_the_error_allowed_is_used(kernel):
    """Else the test above would hold of anything exact."""
    points, queries, _ = clustered(0)
    expected = brute(queries, points, kernel, 2.0)
    errors = [
        np.abs(np.expm1(_core.log_bump_sums(queries, points, kernel, 2.0, None, rtol) - expected))
        for rtol in (0.0, 0.05)
    ]
    assert errors[0].max() < 1e-12
    assert 1e-6 < errors[1].max() <= 0.05


@given(seed=st.integers(0, 10_000), kernel=st.sampled_from(KERNELS), log_atol=st.floats(-8.0, 0.0))
def test_the_absolute_error_allowed_is_kept(seed, kernel, log_atol):
    points, queries, _ = clustered(seed, n=600, m=40)
    atol = 10.0**log_atol
    exact, loose = (
        np.exp(
            KernelDensity(kernel=kernel, bandwidth=0.5, algorithm="kd_tree", atol=allowed)
            .fit(points)
            .score_samples(queries)
        )
        for allowed in (0.0, atol)
    )
    assert np.abs(loose - exact).max() <= atol * (1.0 + 1e-9)


def test_a_density_far_from_all_points_keeps_its_digits():
    points, queries, _ = clustered(1)
    queries = queries + 1e4
    model = KernelDensity(algorithm="kd_tree", bandwidth=0.1).fit(points)
    expected = brute(queries, points, "gaussian", 0.1)
    assert expected.max() < -1e9
    scale = np.log(len(points)) + np.log(2.0 * np.pi * 0.01)
    assert_allclose(model.score_samples(queries), expected - scale, rtol=1e-14)


@pytest.mark.parametrize("kernel", SMOOTH)
@pytest.mark.parametrize("algorithm", ["brute", "kd_tree"])
def test_left_out_densities_of_lonely_points(kernel, algorithm):
    """All but nothing is left when the own bump is taken away: it must not be a difference."""
    points, _, weights = clustered(3, n=300)
    model = KernelDensity(kernel=kernel, algorithm=algorithm).fit(points, sample_weight=weights)
    assert len(model._sums.points) == (weights > 0.0).sum()
    points, weights = model._sums.points, model._sums.weights  # in the order of the tree
    apart = ~np.eye(len(points), dtype=bool)
    for width in (1e-3, 0.05, 1.0):
        expected = [
            brute(points[i : i + 1], points[apart[i]], kernel, width, weights[apart[i]])[0]
            for i in range(len(points))
        ]
        assert_allclose(model._sums.logs_of_others(width), expected, rtol=1e-8, atol=1e-8)


def test_points_of_weight_zero_do_not_matter():
    points, queries, _ = clustered(4)
    weights = np.ones(len(points))
    weights[:400] = 0.0
    for algorithm in ("brute", "kd_tree"):
        model = KernelDensity(algorithm=algorithm, bandwidth=1e-3)
        given = model.fit(points, sample_weight=weights).score_samples(queries)
        assert_allclose(given, model.fit(points[400:]).score_samples(queries), rtol=1e-12)


def test_points_on_the_rim_do_not_count():
    """A grid, where distances equal to h are exact."""
    grid = np.stack(np.meshgrid(np.arange(30.0), np.arange(30.0)), axis=-1).reshape(-1, 2)
    inner = grid[((grid > 5) & (grid < 24)).all(axis=1)]
    counts = np.exp(_core.log_bump_sums(inner, grid, "tophat", 5.0))
    assert_allclose(counts, 69.0)  # x² + y² < 25


@pytest.mark.parametrize("algorithm", ["auto", "brute", "kd_tree", "ball_tree"])
def test_every_algorithm_gives_the_same(algorithm):
    points, queries, weights = clustered(2)
    model = KernelDensity(algorithm=algorithm, bandwidth=0.3).fit(points, sample_weight=weights)
    expected = brute(queries, points, "gaussian", 0.3, weights)
    expected -= np.log(weights.sum()) + np.log(2.0 * np.pi * 0.09)
    assert_allclose(model.score_samples(queries), expected, rtol=1e-11, atol=1e-11)
    assert model.algorithm_reason_.startswith("tiles" if algorithm == "brute" else "tree")


@pytest.mark.parametrize(
    ("points", "weights", "arguments", "reason"),
    [
        (np.zeros((600, 6)), None, {}, "6 columns"),
        (np.zeros((20, 2)), None, {}, "20 points are few"),
        (np.zeros((600, 2)), None, {"metric": "manhattan"}, "not 'manhattan'"),
        (np.full((600, 2), 1e150), None, {}, "values above"),
        (np.zeros((600, 2)), np.geomspace(1e-40, 1.0, 600), {}, "1e30"),
    ],
)
def test_tiles_where_the_tree_would_not_do(points, weights, arguments, reason):
    model = KernelDensity(**arguments).fit(points, sample_weight=weights)
    assert model.algorithm_reason_.startswith("tiles")
    assert reason in model.algorithm_reason_


def test_what_the_core_refuses():
    points = np.zeros((3, 2))
    for arguments, words in [
        ((np.zeros((2, 3)), points, "gaussian", 1.0), "as many columns"),
        ((points, points, "triangle", 1.0), "no kernel 'triangle'"),
        ((points, points, "gaussian", 0.0), "positive"),
        ((points, points, "gaussian", 1.0, np.ones(2)), "one weight"),
        ((points, points, "gaussian", 1.0, np.zeros(3)), "some weight"),
        ((np.zeros((2, 17)), np.zeros((2, 17)), "gaussian", 1.0), "columns"),
    ]:
        with pytest.raises(ValueError, match=words):
            _core.log_bump_sums(*arguments)
