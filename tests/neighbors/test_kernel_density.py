"""Kernel densities against scikit-learn, closed forms, and the rule that they integrate to 1."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad
from sklearn.neighbors import KernelDensity as Theirs

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.neighbors import KernelDensity

RANDOM = np.random.default_rng(0)
# log of the mass that scikit-learn's cosine kernel has in two dimensions: 1 − 2/π
THEIR_ERROR = {("cosine", 2): np.log(1.0 - 2.0 / np.pi)}
KERNELS = ["gaussian", "tophat", "epanechnikov", "exponential", "linear", "cosine"]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("dimension", [1, 2, 3, 7])
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
def test_same_densities_as_scikit_learn(kernel, dimension, weighted):
    points = RANDOM.normal(size=(80, dimension))
    new = RANDOM.normal(size=(20, dimension))
    weights = RANDOM.random(80) if weighted else None
    mine, other = (
        kind(kernel=kernel, bandwidth=1.3).fit(points, sample_weight=weights)
        for kind in (KernelDensity, Theirs)
    )
    expected = other.score_samples(new) - THEIR_ERROR.get((kernel, dimension), 0.0)
    assert_allclose(mine.score_samples(new), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("metric", ["manhattan", "chebyshev"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_other_metrics(kernel, metric):
    points, new = RANDOM.normal(size=(40, 2)), RANDOM.normal(size=(9, 2))
    mine, other = (k(kernel=kernel, metric=metric).fit(points) for k in (KernelDensity, Theirs))
    expected = other.score_samples(new) - THEIR_ERROR.get((kernel, 2), 0.0)
    assert_allclose(mine.score_samples(new), expected, rtol=1e-9, atol=1e-9)


def test_the_cosine_in_the_plane_integrates_to_one():
    """scikit-learn's has a mass of 0.363 there."""
    steps = np.linspace(-1.05, 1.05, 301)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    cell = (steps[1] - steps[0]) ** 2
    masses = [
        np.exp(kind(kernel="cosine").fit([[0.0, 0.0]]).score_samples(grid)).sum() * cell
        for kind in (KernelDensity, Theirs)
    ]
    assert masses[0] == pytest.approx(1.0, abs=1e-4)
    assert np.log(masses[1]) == pytest.approx(THEIR_ERROR["cosine", 2], abs=1e-3)


@pytest.mark.parametrize("rule", ["scott", "silverman"])
def test_rules_of_bandwidth(rule):
    points = RANDOM.normal(size=(50, 3))
    mine, other = (k(bandwidth=rule).fit(points) for k in (KernelDensity, Theirs))
    assert mine.bandwidth_ == pytest.approx(other.bandwidth_)


@pytest.mark.parametrize("kernel", KERNELS)
def test_densities_integrate_to_one(kernel):
    model = KernelDensity(kernel=kernel, bandwidth=0.7).fit([[0.0], [1.0], [5.0]])
    total, _ = quad(
        lambda x: float(np.exp(model.score_samples([[x]])[0])), -40, 45, limit=400,
        points=[-0.7, 0, 0.3, 0.7, 1, 1.7, 4.3, 5, 5.7],
    )  # fmt: skip
    assert total == pytest.approx(1.0, abs=1e-6)


def test_far_away_keeps_its_digits():
    model = KernelDensity(bandwidth=1.0).fit([[0.0], [1.0]])
    expected = -0.5 * 99.0**2 - 0.5 * np.log(2 * np.pi) + np.log1p(np.exp(-0.5 * (100**2 - 99**2)))
    assert_allclose(model.score_samples([[100.0]]), [expected - np.log(2)], rtol=1e-14)
    assert KernelDensity(kernel="tophat").fit([[0.0]]).score_samples([[9.0]])[0] == -np.inf


def test_the_likeliest_bandwidth_is_a_maximum():
    points = RANDOM.normal(size=(60, 2))
    width = KernelDensity(bandwidth="cv").fit(points).bandwidth_

    def left_out(h):
        total = 0.0
        for i in range(60):
            rest = np.delete(points, i, axis=0)
            total += KernelDensity(bandwidth=h).fit(rest).score(points[i : i + 1])
        return total

    best = left_out(width)
    assert best >= left_out(width * 1.05)
    assert best >= left_out(width / 1.05)


@pytest.mark.parametrize("kernel", ["gaussian", "tophat"])
def test_the_same_draws_as_scikit_learn(kernel):
    points = RANDOM.normal(size=(30, 2))
    weights = RANDOM.random(30)
    for w in (None, weights):
        mine, other = (
            k(kernel=kernel, bandwidth=0.3).fit(points, sample_weight=w)
            for k in (KernelDensity, Theirs)
        )
        assert_allclose(mine.sample(50, random_state=4), other.sample(50, random_state=4))


@pytest.mark.parametrize("kernel", KERNELS)
def test_draws_follow_the_density(kernel):
    model = KernelDensity(kernel=kernel, bandwidth=1.0).fit([[0.0, 0.0]])
    radius = np.sqrt((model.sample(4000, random_state=0) ** 2).sum(axis=1))
    share, _ = quad(
        lambda r: 2 * np.pi * r * float(np.exp(model.score_samples([[r, 0.0]])[0])), 0.0, 0.5
    )
    assert np.mean(radius < 0.5) == pytest.approx(share, abs=4 * np.sqrt(share / 4000))


def test_bad_input():
    with pytest.raises(InvalidParameterError, match="reaches every point"):
        KernelDensity(bandwidth="cv", kernel="tophat").fit([[0.0], [1.0]])
    with pytest.raises(InvalidDataError, match="two different"):
        KernelDensity(bandwidth="cv").fit([[1.0], [1.0]])
    with pytest.raises(ValueError, match=r"weights|Weights"):
        KernelDensity().fit([[1.0], [2.0]], sample_weight=[0.0, 0.0])
    with pytest.raises(InvalidParameterError, match="bandwidth"):
        KernelDensity(bandwidth=0.0).fit([[1.0]])


def test_rules_that_know_the_scale_are_those_of_r():
    """bw.nrd0 and bw.nrd of R, written out; other units give the same curve."""
    x = np.random.default_rng(3).gamma(2.0, 30.0, size=(120, 1))
    low, high = np.quantile(x, [0.25, 0.75])
    spread = min(x.std(ddof=1), (high - low) / 1.34)
    for rule, factor in [("nrd0", 0.9), ("nrd", 1.06)]:
        model = KernelDensity(bandwidth=rule).fit(x)
        assert model.bandwidth_ == pytest.approx(factor * spread * 120**-0.2)
        other = KernelDensity(bandwidth=rule).fit(1000.0 * x)
        np.testing.assert_allclose(
            other.score_samples(1000.0 * x) + np.log(1000.0), model.score_samples(x), rtol=1e-9
        )
    several = KernelDensity(bandwidth="nrd").fit(np.random.default_rng(0).normal(size=(4000, 3)))
    silverman = KernelDensity(bandwidth="silverman").fit(np.zeros((4000, 3)))
    assert several.bandwidth_ == pytest.approx(silverman.bandwidth_, rel=0.03)
    with pytest.raises(InvalidDataError, match="two different points"):
        KernelDensity(bandwidth="nrd0").fit(np.ones((5, 1)))


def test_ages_on_the_titanic_have_few_humps():
    from stylobate.datasets import load_titanic

    ages = np.asarray(load_titanic(as_frame="pandas")["data"]["age"], dtype=np.float64)
    ages = ages[np.isfinite(ages)].reshape(-1, 1)
    at = np.linspace(0, 80, 400).reshape(-1, 1)
    slope = np.diff(KernelDensity(bandwidth="nrd0").fit(ages).score_samples(at))
    humps = int(np.sum((slope[:-1] > 0) & (slope[1:] <= 0)))
    assert 1 <= humps <= 3


@pytest.mark.parametrize("standardize", ["std", "robust"])
def test_a_width_of_its_own_for_every_axis(standardize):
    """Scott's rule per axis; the density is a mean of products of normal ones."""
    from scipy.stats import norm

    random = np.random.default_rng(0)
    x = random.normal(size=(90, 2)) * [1.0, 1000.0]
    model = KernelDensity(bandwidth="scott", standardize=standardize).fit(x)
    spread = x.std(axis=0, ddof=1)
    if standardize == "robust":
        low, high = np.quantile(x, [0.25, 0.75], axis=0)
        spread = np.minimum(spread, (high - low) / 1.34)
    np.testing.assert_allclose(model.bandwidths_, spread * 90 ** (-1 / 6), rtol=1e-12)
    at = random.normal(size=(7, 2)) * [1.0, 1000.0]
    bumps = norm.pdf(at[:, None], x[None], model.bandwidths_).prod(axis=2)
    np.testing.assert_allclose(np.exp(model.score_samples(at)), bumps.mean(axis=1), rtol=1e-9)
    # other units give the same widths in them, by rule and by the likelihood
    for rule in ("scott", "nrd0", "cv"):
        one, other = (
            KernelDensity(bandwidth=rule, standardize=standardize).fit(x * units).bandwidths_
            for units in ([1.0, 1.0], [50.0, 0.01])
        )
        np.testing.assert_allclose(one * [50.0, 0.01], other, rtol=1e-4)
    drawn = model.sample(4000, random_state=0)
    np.testing.assert_allclose(
        drawn.std(axis=0), np.sqrt(x.var(axis=0) + model.bandwidths_**2), rtol=0.06
    )


def test_the_likeliest_width_per_axis_beats_its_neighbours():
    random = np.random.default_rng(1)
    x = random.gamma(2.0, size=(80, 2)) * [1.0, 40.0]
    model = KernelDensity(bandwidth="cv", standardize="std").fit(x)

    def left_out(width):
        logs = [
            KernelDensity(bandwidth=width)
            .fit(np.delete(x, i, axis=0) / model.scale_)
            .score_samples(x[[i]] / model.scale_)
            for i in range(len(x))
        ]
        return float(np.sum(logs))

    best = left_out(model.bandwidth_)
    assert best > left_out(0.8 * model.bandwidth_)
    assert best > left_out(1.25 * model.bandwidth_)


def test_a_column_that_does_not_vary_has_no_width():
    with pytest.raises(InvalidDataError, match="column 1 does not"):
        KernelDensity(standardize="std").fit([[0.0, 1.0], [1.0, 1.0]])
