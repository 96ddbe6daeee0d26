"""Every penalty obeys its mathematics."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate import penalties
from stylobate.exceptions import InvalidParameterError
from stylobate.penalties import MCP, SCAD, Group

EVERY = [
    penalties.L1(0.7),
    penalties.L1(0.0),
    penalties.L2(0.7),
    penalties.ElasticNet(0.5, 0.8),
    penalties.ElasticNet(0.5, 0.0),
    penalties.Box(-0.5, 1.5),
    penalties.Box(0.0, 0.0),
    penalties.Positive(),
    MCP(0.8, 3.0),
    MCP(0.8, 0.5),
    SCAD(0.8, 3.7),
    SCAD(0.8, 1.5),
]
POINTS = np.array([-4.1, -1.3, -0.45, -0.02, 0.31, 0.9, 2.2, 3.7])
GRID = np.linspace(-12, 12, 240001)


def test_every_penalty_is_here():
    kinds = {type(each).__name__ for each in EVERY} | {"Penalty", "Group"}
    assert kinds == set(penalties.__all__)


@pytest.mark.parametrize("penalty", EVERY, ids=str)
def test_gradient_and_curvature_are_derivatives(penalty):
    h = 1e-6
    w = POINTS[np.isfinite(penalty.value(POINTS))]
    slope = (penalty.value(w + h) - penalty.value(w - h)) / (2 * h)
    np.testing.assert_allclose(penalty.gradient(w), slope, atol=1e-7)
    bend = (penalty.gradient(w + h) - penalty.gradient(w - h)) / (2 * h)
    np.testing.assert_allclose(penalty.curvature(w), bend, atol=1e-5)


@pytest.mark.parametrize("penalty", EVERY, ids=str)
@pytest.mark.parametrize("step", [0.05, 0.9, 1.1, 5.0])
def test_prox_is_the_global_minimum(penalty, step):
    w = penalty.prox(POINTS, step)
    values = penalty.value(GRID)
    for v, each in zip(POINTS, w, strict=True):
        best = np.min(step * values + 0.5 * (GRID - v) ** 2)
        ours = step * penalty.value(each) + 0.5 * (each - v) ** 2
        assert ours <= best + 1e-12
    np.testing.assert_array_equal(penalty.prox(np.zeros(1), step), 0.0)


@pytest.mark.parametrize("penalty", EVERY, ids=str)
def test_convex_says_whether_it_is(penalty):
    inside = GRID[::1000][np.isfinite(penalty.value(GRID[::1000]))]
    a, b = np.meshgrid(inside, inside)
    chord = 0.5 * (penalty.value(a) + penalty.value(b))
    assert np.all(penalty.value(0.5 * (a + b)) <= chord + 1e-12) == penalty.convex


@pytest.mark.parametrize("penalty", EVERY, ids=str)
def test_conjugate_is_the_supremum(penalty):
    values = penalty.value(GRID)
    for u in (-0.6, -0.2, 0.0, 0.3, 0.65):
        found, best = penalty.conjugate(u), np.max(u * GRID - values)
        if np.isfinite(found):
            assert best == pytest.approx(found, abs=1e-7)
        else:
            assert best > np.max(u * GRID[50000:-50000] - values[50000:-50000]) + 0.1


@pytest.mark.parametrize("penalty", [each for each in EVERY if each.convex], ids=str)
@pytest.mark.parametrize("step", [0.05, 0.9, 5.0])
def test_moreaus_identity(penalty, step):
    w = penalty.prox(POINTS, step)
    u = (POINTS - w) / step
    total = penalty.value(w) + penalty.conjugate(u * (1 - 1e-13))
    np.testing.assert_allclose(total, u * w, atol=1e-9)


def test_one_coefficient_is_a_group_of_one():
    group, one = Group(0.7), penalties.L1(0.7)
    column = POINTS[:, None]
    np.testing.assert_allclose(group.value(column), one.value(POINTS), rtol=1e-14)
    np.testing.assert_allclose(group.prox(column, 0.6)[:, 0], one.prox(POINTS, 0.6), atol=1e-14)
    np.testing.assert_allclose(group.gradient(column)[:, 0], one.gradient(POINTS), rtol=1e-14)
    np.testing.assert_array_equal(group.conjugate(column), one.conjugate(POINTS))


def test_groups():
    rng = np.random.default_rng(0)
    v, penalty, h = rng.standard_normal((20, 3)), Group(0.9), 1e-6
    w = penalty.prox(v, 1.3)
    u = (v - w) / 1.3
    assert np.all(np.linalg.norm(u, axis=1) <= 0.9 + 1e-12)
    np.testing.assert_allclose((u * w).sum(axis=1), penalty.value(w), atol=1e-12)
    assert 0 < np.count_nonzero(~w.any(axis=1)) < 20
    for j, e in enumerate(h * np.eye(3)):
        slope = (penalty.value(v + e) - penalty.value(v - e)) / (2 * h)
        np.testing.assert_allclose(penalty.gradient(v)[:, j], slope, atol=1e-8)
        bend = (penalty.gradient(v + e) - penalty.gradient(v - e)) / (2 * h)
        np.testing.assert_allclose(penalty.curvature(v)[:, j], bend, atol=1e-7)
    np.testing.assert_array_equal(penalty.curvature(np.zeros((1, 2))), 0.0)


def test_large_groups_do_not_overflow():
    assert Group(1.0).value([[3e200, 4e200]])[0] == pytest.approx(5e200)


@pytest.mark.parametrize(
    "make",
    [
        lambda: penalties.L1(-1.0),
        lambda: penalties.L2(float("nan")),
        lambda: penalties.ElasticNet(1.0, -1.0),
        lambda: MCP(1.0, 0.0),
        lambda: SCAD(1.0, 1.0),
        lambda: Group(-1.0),
        lambda: penalties.L1(1.0).prox(0.0, step=-1.0),
    ],
)
def test_parameters_out_of_range_are_refused(make):
    with pytest.raises(InvalidParameterError, match="must be a number in"):
        make()


def test_an_empty_box_is_refused():
    with pytest.raises(InvalidParameterError, match="low must not exceed high"):
        penalties.Box(1.0, 0.0)


@pytest.mark.parametrize("penalty", [each for each in EVERY if each.strengths], ids=str)
def test_kink_is_the_largest_slope_that_zero_stands(penalty):
    h = 1e-9
    assert penalty.kink == pytest.approx(float(penalty.value(h)) / h, rel=1e-6, abs=1e-8)
    assert penalty.prox(0.999 * 1e-3 * penalty.kink, 1e-3) == 0.0
    assert penalty.kink == 0.0 or penalty.prox(1.001 * 1e-3 * penalty.kink, 1e-3) != 0.0


@pytest.mark.parametrize("penalty", [each for each in EVERY if each.strengths], ids=str)
def test_scaled(penalty):
    twice = penalty.scaled(2.0)
    assert twice.kink == pytest.approx(2.0 * penalty.kink)
    if penalty.convex:
        np.testing.assert_allclose(twice.value(POINTS), 2.0 * penalty.value(POINTS), rtol=1e-14)
    else:  # λ grows, the point where the penalty turns flat with it
        np.testing.assert_allclose(twice.value(2 * POINTS), 4 * penalty.value(POINTS), rtol=1e-13)
