"""Every loss obeys its mathematics: derivatives, convexity, conjugacy, proximal points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize, minimize_scalar

from stylobate import losses
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.losses import Multinomial
from stylobate.losses.named import NAMED, loss_named

SIGNS = [-1.0, 1.0]
ANY = [-2.5, 0.0, 0.7]
EVERY = [
    (losses.HalfSquared(), ANY),
    (losses.Absolute(), ANY),
    (losses.Quantile(0.5), ANY),
    (losses.Quantile(0.9), ANY),
    (losses.Quantile(0.0), ANY),
    (losses.Huber(), ANY),
    (losses.Huber(slope=0.7, steepness=2.0), ANY),
    (losses.EpsilonInsensitive(0.3), ANY),
    (losses.EpsilonInsensitive(0.0), ANY),
    (losses.SquaredEpsilonInsensitive(0.3), ANY),
    (losses.Logistic(), [0.0, 0.3, 1.0]),
    (losses.Hinge(), SIGNS),
    (losses.Perceptron(), SIGNS),
    (losses.SquaredHinge(), SIGNS),
    (losses.ModifiedHuber(), SIGNS),
    (losses.Poisson(), [0.0, 1.0, 4.0]),
    (losses.Gamma(), [0.2, 1.0, 4.0]),
    (losses.Tweedie(1.0), [0.0, 2.0]),
    (losses.Tweedie(1.5), [0.0, 0.5, 2.0]),
    (losses.Tweedie(1.9), [0.0, 0.5, 2.0]),
    (losses.Tweedie(2.0), [0.5, 2.0]),
]
CASES = [pytest.param(loss, y, id=f"{loss}-{y}") for loss, ys in EVERY for y in ys]
POINTS = np.array([-3.1, -1.1, -0.42, 0.013, 0.9, 1.7, 2.9])


def test_every_loss_is_here():
    kinds = {type(loss).__name__ for loss, _ in EVERY} | {"Loss", "Multinomial", "ZeroOne"}
    assert kinds == {name for name in losses.__all__ if name[0].isupper()}


def near_kink(loss, y, z, h):
    """Whether the gradient jumps within h of z."""
    return np.abs(loss.gradient(y, z + h) - loss.gradient(y, z - h)) > 100 * h * (
        1 + np.abs(loss.curvature(y, z + h)) + np.abs(loss.curvature(y, z - h))
    )


@pytest.mark.parametrize(("loss", "y"), CASES)
def test_gradient_and_curvature_are_derivatives(loss, y):
    h = 1e-6
    z = POINTS[~near_kink(loss, y, POINTS, h)]
    assert len(z) >= 3
    slope = (loss.value(y, z + h) - loss.value(y, z - h)) / (2 * h)
    np.testing.assert_allclose(loss.gradient(y, z), slope, rtol=1e-6, atol=1e-7)
    # the curvature may jump where pieces meet: compare where both sides agree
    left, right = (loss.curvature(y, z + side * h) for side in (-1, 1))
    same = np.abs(left - right) < 1e-3 * (1 + np.abs(left))
    bend = (loss.gradient(y, z + h) - loss.gradient(y, z - h)) / (2 * h)
    np.testing.assert_allclose(loss.curvature(y, z)[same], bend[same], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("loss", "y"), CASES)
def test_smooth_says_whether_the_gradient_jumps(loss, y):
    z = np.linspace(-6, 6, 240001)
    jump = np.abs(np.diff(loss.gradient(y, z))).max()
    steepest = max(1.0, np.abs(loss.curvature(y, z)).max())
    assert (jump <= 2 * steepest * (z[1] - z[0])) == loss.smooth


@pytest.mark.parametrize(("loss", "y"), CASES)
@given(a=st.floats(-30, 30), b=st.floats(-30, 30), share=st.floats(0, 1))
def test_convex(loss, y, a, b, share):
    middle = share * a + (1 - share) * b
    chord = share * loss.value(y, a) + (1 - share) * loss.value(y, b)
    assert loss.value(y, middle) <= chord + 1e-9 * (1 + abs(chord))


@pytest.mark.parametrize(("loss", "y"), CASES)
def test_conjugate_is_the_supremum(loss, y):
    grid = np.concatenate([np.linspace(-40, 40, 400001), [-700.0, 700.0]])
    values = loss.value(y, grid)
    for u in (-0.95, -0.5, -0.1, 0.0, 0.04, 0.45, 0.9):
        found, best = loss.conjugate(y, u), np.max(u * grid - values)
        if np.isfinite(found):
            assert best == pytest.approx(found, abs=2e-3, rel=1e-3)
            assert best <= found + 1e-9
        else:
            assert best > 20  # it grows without end


@pytest.mark.parametrize(("loss", "y"), CASES)
def test_fenchel_and_young_agree_at_the_gradient(loss, y):
    u = loss.gradient(y, POINTS)
    total = loss.value(y, POINTS) + loss.conjugate(y, u)
    np.testing.assert_allclose(total, u * POINTS, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("loss", "y"), CASES)
@pytest.mark.parametrize("step", [0.01, 1.0, 30.0])
def test_prox_and_moreaus_identity(loss, y, step):
    """u = (v − prox)/step is a subgradient at the proximal point: value + conjugate = u·prox."""
    v = np.array([-8.0, -2.0, -0.3, 0.0, 0.6, 1.5, 9.0])
    z = loss.prox(y, v, step)
    u = (v - z) / step
    # rounding may put u a last place outside the conjugate's domain; pull it in by as much
    inside = u * (1 - 1e-12)
    total = loss.value(y, z) + loss.conjugate(y, inside)
    np.testing.assert_allclose(total, u * z, rtol=1e-6, atol=1e-6)
    for each, target in zip(z, v, strict=True):
        found = minimize_scalar(
            lambda s, target=target: step * loss.value(y, s) + 0.5 * (s - target) ** 2,
            bounds=(min(target, -60.0), max(target, 60.0)),
            method="bounded",
            options={"xatol": 1e-10},
        )
        ours = step * loss.value(y, each) + 0.5 * (each - target) ** 2
        assert ours <= found.fun + 1e-9 * (1 + abs(found.fun))


def test_margins_far_out_stay_finite():
    logistic = losses.Logistic()
    assert logistic.value(0.0, 1e4) == 1e4
    assert logistic.value(1.0, 1e4) == 0.0
    assert logistic.gradient(1.0, 40.0) == pytest.approx(-np.exp(-40.0), rel=1e-12)


def test_the_notes_huber_loss():
    """h_{λ,μ}(z) = λ(|z| − λ/(4μ)) beyond λ/(2μ), μz² within."""
    lam, mu = 1.7, 0.6
    z = np.linspace(-5, 5, 101)
    expected = np.where(np.abs(z) > lam / (2 * mu), lam * (np.abs(z) - lam / (4 * mu)), mu * z**2)
    np.testing.assert_allclose(losses.Huber(lam, mu).value(0.0, z), expected, rtol=1e-14)


@pytest.mark.parametrize(
    "make",
    [
        lambda: losses.Quantile(1.5),
        lambda: losses.Huber(slope=0.0),
        lambda: losses.Huber(steepness=-1.0),
        lambda: losses.EpsilonInsensitive(-1.0),
        lambda: losses.Tweedie(3.0),
        lambda: losses.HalfSquared().prox(0.0, 1.0, step=0.0),
    ],
)
def test_parameters_out_of_range_are_refused(make):
    with pytest.raises(InvalidParameterError, match="must be a number in"):
        make()


def test_shapes_broadcast():
    assert losses.HalfSquared().value(np.zeros((3, 1)), np.ones(4)).shape == (3, 4)
    assert np.ndim(losses.HalfSquared().value(0.0, 1.0)) == 0


class TestMultinomial:
    loss = Multinomial()
    z = np.random.default_rng(0).standard_normal((6, 4)) * 3
    y = np.array([0, 1, 2, 3, 1, 1])

    def test_derivatives(self):
        h, rows = 1e-6, np.arange(6)
        for j in range(4):
            e = h * np.eye(4)[j]
            slope = (self.loss.value(self.y, self.z + e) - self.loss.value(self.y, self.z - e)) / (
                2 * h
            )
            np.testing.assert_allclose(self.loss.gradient(self.y, self.z)[:, j], slope, atol=1e-8)
            bend = (
                self.loss.gradient(self.y, self.z + e) - self.loss.gradient(self.y, self.z - e)
            ) / (2 * h)
            np.testing.assert_allclose(
                self.loss.curvature(self.y, self.z)[rows, j], bend, atol=1e-8
            )

    def test_two_classes_are_logistic(self):
        margin = np.linspace(-5, 5, 11)
        z = np.column_stack([np.zeros(11), margin])
        for y in (0, 1):
            np.testing.assert_allclose(
                self.loss.value(np.full(11, y), z), losses.Logistic().value(y, margin), rtol=1e-13
            )

    def test_fenchel_and_young(self):
        u = self.loss.gradient(self.y, self.z)
        total = self.loss.value(self.y, self.z) + self.loss.conjugate(self.y, u)
        np.testing.assert_allclose(total, (u * self.z).sum(axis=1), rtol=1e-10)
        other = self.loss.gradient(self.y, self.z[::-1].copy())
        bound = self.loss.value(self.y, self.z) + self.loss.conjugate(self.y, other)
        assert np.all(bound >= (other * self.z).sum(axis=1) - 1e-12)
        assert np.all(np.isinf(self.loss.conjugate(self.y, u + 0.1)))

    @pytest.mark.parametrize("step", [0.1, 1.0, 20.0])
    def test_prox(self, step):
        z = self.loss.prox(self.y, self.z, step)
        np.testing.assert_allclose(z + step * self.loss.gradient(self.y, z), self.z, atol=1e-9)
        found = minimize(
            lambda s: step * self.loss.value([2], s)[0] + 0.5 * np.sum((s - self.z[2]) ** 2),
            self.z[2],
        )
        np.testing.assert_allclose(z[2], found.x, atol=1e-4)

    def test_refuses_classes_that_are_no_columns(self):
        with pytest.raises(ValueError, match="numbers of columns"):
            self.loss.value([4], np.zeros((1, 4)))


SAMPLES = [
    pytest.param(loss, np.random.default_rng(5).choice(ys, 41), id=str(loss)) for loss, ys in EVERY
]


@pytest.mark.parametrize(("loss", "y"), SAMPLES)
@pytest.mark.parametrize("weighted", [False, True])
def test_baseline_is_the_best_constant(loss, y, weighted):
    weights = np.random.default_rng(6).uniform(0.1, 2.0, len(y)) if weighted else None
    shares = np.ones(len(y)) if weights is None else weights
    grid = np.linspace(-6.0, 6.0, 24001)[:, None]
    least = (loss.value(y, grid) @ shares).min()
    best = shares @ loss.value(y, loss.baseline(y, weights))
    assert best <= least + 1e-9 * (1.0 + abs(least))


@pytest.mark.parametrize(("loss", "y"), CASES)
def test_deviance_counts_from_the_least_value(loss, y):
    grid = np.append(np.linspace(-40.0, 40.0, 80001), [-400.0, 400.0])
    values = loss.value(y, grid)
    found = loss.deviance(y, POINTS)
    np.testing.assert_allclose(found, 2 * (loss.value(y, POINTS) - values.min()), atol=1e-5)
    assert (found >= 0.0).all()


@pytest.mark.parametrize(("loss", "y"), CASES)
def test_steepest_bounds_the_curvature_and_is_reached(loss, y):
    most = loss.curvature(y, np.linspace(-9.0, 9.0, 18001)).max()
    if loss.steepest is None:
        assert not loss.smooth or loss.curvature(y, np.array([-400.0, 400.0])).max() > 1e3 * most
    else:
        assert most == pytest.approx(loss.steepest, rel=1e-12)


@pytest.mark.parametrize("loss", [loss for loss, _ in EVERY], ids=str)
def test_domain_and_link(loss):
    inside = next(np.array(ys) for each, ys in EVERY if each == loss)
    loss.require_target(inside, "test")
    if loss.targets != "any number":
        with pytest.raises(InvalidDataError, match="takes targets"):
            loss.require_target(np.append(inside, -2.0), "test")
    means = np.array([0.2, 0.5, 0.9])
    there = np.array([loss.link.predictor(each) for each in means])
    np.testing.assert_allclose(loss.link.mean(there), means, rtol=1e-12)
    h = 1e-6
    slope = (loss.link.mean(there + h) - loss.link.mean(there - h)) / (2 * h)
    np.testing.assert_allclose(loss.link.mean_slope(means), slope, rtol=1e-8)
    if loss.link.name != "identity":  # z is the link of the mean: the best constant says so
        y = inside.mean()
        if y > 0.0:
            assert loss.gradient(y, loss.link.predictor(y)) == pytest.approx(0.0, abs=1e-12)


def test_names_of_scikit_learn():
    assert {kind.name for kind in NAMED.values()} <= {loss.name for loss, _ in EVERY}
    assert loss_named("squared_error") == losses.HalfSquared()
    assert loss_named("absolute_error") == losses.Absolute()
    assert loss_named("huber", 2.0) == losses.Huber(2.0)
    for name, kind in NAMED.items():
        assert kind().value(1.0, 0.5) == loss_named(name).value(1.0, 0.5)
