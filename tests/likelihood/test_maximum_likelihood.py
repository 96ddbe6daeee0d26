"""Maximum likelihood of user-given densities: closed forms, bounds, identification, intervals."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from stylobate.exceptions import (
    ConvergenceWarning,
    InferenceWarning,
    InvalidDataError,
    InvalidParameterError,
    NotFittedError,
)
from stylobate.inference import likelihood_ratio_test
from stylobate.likelihood import MaximumLikelihood


def normal(x, theta):
    return -0.5 * ((x - theta[0]) / theta[1]) ** 2 - np.log(theta[1]) - 0.5 * np.log(2 * np.pi)


def normal_gradient(x, theta):
    z = (x - theta[0]) / theta[1]
    return np.column_stack([z / theta[1], (z * z - 1) / theta[1]])


def exponential(x, theta):
    return np.log(theta[0]) - theta[0] * x


def four_points(x, theta):
    p = np.array([2 * theta[0], theta[0], 2 * (1 - theta[0]), 1 - theta[0]]) / 3
    return np.log(p[x.astype(int)])


def test_the_notes_four_point_distribution():
    model = MaximumLikelihood(four_points, [0.2], bounds=[(0, 1)], names=["theta"])
    model.fit([3, 0, 2, 1, 3, 2, 1, 0, 2, 1])
    assert model.params_[0] == pytest.approx(0.5, abs=1e-10)
    assert model.std_error_[0] == pytest.approx(np.sqrt(0.25 / 10), rel=1e-8)
    # log L(½) = 10 log ½ − 10 log 3, and each of the five 0s and 2s a factor of 2
    expected = 10 * np.log(0.5) - 10 * np.log(3) + 5 * np.log(2)
    assert model.log_likelihood_ == pytest.approx(expected)


@settings(max_examples=20)
@given(
    seed=st.integers(0, 1000),
    n=st.integers(5, 200),
    location=st.floats(-1e3, 1e3),
    scale=st.sampled_from([1e-6, 1e-2, 1.0, 1e5]),
    weighted=st.booleans(),
    given_gradient=st.booleans(),
)
def test_normal_has_its_closed_form(seed, n, location, scale, weighted, given_gradient):
    rng = np.random.default_rng(seed)
    x = (location + rng.normal(size=n)) * scale
    w = rng.integers(1, 4, n).astype(float) if weighted else None
    mean = np.average(x, weights=w)
    sigma = np.sqrt(np.average((x - mean) ** 2, weights=w))
    model = MaximumLikelihood(
        normal,
        {"mu": float(np.median(x)), "sigma": float(np.ptp(x))},
        gradient=normal_gradient if given_gradient else None,
        bounds={"sigma": (0, None)},
    ).fit(x, sample_weight=w)
    total = n if w is None else w.sum()
    assert model.converged_
    np.testing.assert_allclose(model.params_, [mean, sigma], rtol=1e-7, atol=1e-7 * sigma)
    errors = sigma / np.sqrt([total, 2 * total])
    np.testing.assert_allclose(model.std_error_, errors, rtol=1e-5)
    ll = -total / 2 * (np.log(2 * np.pi * sigma**2) + 1)
    assert model.log_likelihood_ == pytest.approx(ll, rel=1e-9, abs=1e-6)
    assert model.score(x, sample_weight=w) == pytest.approx(ll, rel=1e-9, abs=1e-6)


@pytest.mark.parametrize("start", [1e-6, 1e-3, 1.0])
def test_exponential_rate_and_its_information(start):
    x = np.random.default_rng(0).exponential(1e3, 50)
    model = MaximumLikelihood(exponential, [start], bounds=[(0, None)]).fit(x)
    assert model.params_[0] == pytest.approx(1 / x.mean(), rel=1e-7)
    assert model.std_error_[0] == pytest.approx(1 / x.mean() / np.sqrt(50), rel=1e-6)


def test_bernoulli_and_the_sandwich():
    x = np.array([1.0] * 7 + [0.0] * 13)
    model = MaximumLikelihood(
        lambda x, t: x * np.log(t[0]) + (1 - x) * np.log1p(-t[0]), [0.5], bounds=[(0, 1)]
    ).fit(x)
    expected = np.sqrt(0.35 * 0.65 / 20)
    assert model.params_[0] == pytest.approx(0.35, abs=1e-9)
    assert model.std_error_[0] == pytest.approx(expected, rel=1e-7)
    robust = model.summary(covariance="HC0").coefficients.std_error[0]
    assert robust == pytest.approx(expected, rel=1e-6)  # the information identity holds exactly


def test_regression_with_y_equals_least_squares():
    rng = np.random.default_rng(2)
    X = pd.DataFrame({"a": rng.normal(size=60), "b": rng.normal(size=60)})
    y = 1 + X["a"] - 2 * X["b"] + rng.normal(size=60)

    def density(x, y, theta):
        return stats.norm.logpdf(y, theta[0] + x @ theta[1:3], theta[3])

    model = MaximumLikelihood(
        density, {"b0": 0.0, "a": 0.0, "b": 0.0, "sigma": 2.0}, bounds={"sigma": (1e-9, None)}
    ).fit(X, y)
    design = np.column_stack([np.ones(60), X])
    best, rss = np.linalg.lstsq(design, y, rcond=None)[:2]
    np.testing.assert_allclose(model.params_[:3], best, atol=1e-8)
    assert model.params_[3] == pytest.approx(np.sqrt(rss[0] / 60), rel=1e-8)
    cov = np.linalg.inv(design.T @ design) * rss[0] / 60
    np.testing.assert_allclose(model.covariance_[:3, :3], cov, rtol=1e-6, atol=1e-10)


def test_laplace_has_its_median():
    x = np.random.default_rng(3).laplace(2.0, 1.5, 101)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a kink has no curvature: said in words
        model = MaximumLikelihood(
            lambda x, t: -np.abs(x - t[0]) / t[1] - np.log(2 * t[1]),
            [0.0, 1.0],
            bounds=[(None, None), (1e-9, None)],
        ).fit(x)
    at_median = -101 * np.log(2 * np.mean(np.abs(x - np.median(x)))) - 101
    assert model.log_likelihood_ == pytest.approx(at_median, rel=1e-4)


def test_a_parameter_at_its_bound_is_said():
    x = np.random.default_rng(0).normal(3.0, 1.0, 100)
    with pytest.warns(InferenceWarning, match="mu ended at a bound"):
        model = MaximumLikelihood(
            normal, {"mu": 0.0, "sigma": 1.0}, bounds={"mu": (None, 1.0), "sigma": (0, None)}
        ).fit(x)
    assert model.params_[0] == 1.0
    assert model.at_bound_.tolist() == [True, False]
    assert np.isnan(model.std_error_[0])
    assert model.params_[1] == pytest.approx(np.sqrt(np.mean((x - 1.0) ** 2)), rel=1e-7)
    assert model.summary().n_params == 1


def test_parameters_that_are_not_identified_are_named():
    x = np.random.default_rng(0).normal(3.0, 1.0, 100)
    with pytest.warns(InferenceWarning, match="do not determine a, b"):
        model = MaximumLikelihood(
            lambda x, t: normal(x, [t[0] + t[1], t[2]]),
            {"a": 0.0, "b": 0.0, "sigma": 1.0},
            bounds={"sigma": (1e-6, None)},
        ).fit(x)
    assert np.isnan(model.std_error_).tolist() == [True, True, False]
    assert model.params_[:2].sum() == pytest.approx(x.mean(), abs=1e-6)
    assert model.std_error_[2] == pytest.approx(x.std() / np.sqrt(200), rel=1e-5)


def test_unbounded_likelihoods_are_not_called_converged():
    with pytest.warns((ConvergenceWarning, InferenceWarning)):
        model = MaximumLikelihood(lambda x, t: t[0] * np.ones_like(x), [1.0], max_iter=5).fit(
            np.ones(5)
        )
    assert not model.converged_ or np.isnan(model.std_error_).any()


def test_profile_intervals_against_a_root():
    x = np.random.default_rng(4).exponential(2.0, 15)
    model = MaximumLikelihood(exponential, [1.0], bounds=[(0, None)]).fit(x)
    low, high = model.confidence_interval(0.95, "profile")[0]
    drop = stats.chi2.ppf(0.95, 1) / 2

    def fallen(rate):
        return model.log_likelihood_ - exponential(x, [rate]).sum() - drop

    assert low == pytest.approx(optimize.brentq(fallen, 1e-6, 1 / x.mean()), rel=1e-6)
    assert high == pytest.approx(optimize.brentq(fallen, 1 / x.mean(), 10.0), rel=1e-6)
    wald = model.confidence_interval()[0]
    np.testing.assert_allclose(wald.mean(), model.params_[0])
    assert high - model.params_[0] > model.params_[0] - low  # skewed, unlike Wald's


def test_profile_of_the_normal_mean_is_students():
    x = np.random.default_rng(5).normal(1.0, 2.0, 20)
    model = MaximumLikelihood(normal, [0.0, 1.0], bounds=[(None, None), (1e-9, None)]).fit(x)
    low, high = model.confidence_interval(0.9, "profile")[0]
    drop = stats.chi2.ppf(0.9, 1)
    half = x.std() * np.sqrt(np.exp(drop / 20) - 1)  # 2 Δℓ = n log(1 + d²/σ̂²)
    np.testing.assert_allclose([low, high], x.mean() + half * np.array([-1, 1]), rtol=1e-6)


def test_several_starts_find_the_better_hill():
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(-3, 0.5, 150), rng.normal(2, 0.5, 50)])

    def narrow(x, theta):  # one normal of known spread and a floor: two hills
        return np.logaddexp(normal(x, [theta[0], 0.5]), np.log(1e-3))

    options = {"bounds": [(-6, 6)], "random_state": 0}
    stuck = MaximumLikelihood(narrow, [2.5], **options).fit(x)
    best = MaximumLikelihood(narrow, [2.5], n_starts=6, **options).fit(x)
    assert stuck.params_[0] == pytest.approx(2.0, abs=0.2)
    assert best.params_[0] == pytest.approx(-3.0, abs=0.2)
    assert best.log_likelihood_ == best.starts_.max()


def test_summary_and_likelihood_ratio():
    x = np.random.default_rng(6).gamma(2.0, 1.0, 80)
    gamma = MaximumLikelihood(
        lambda x, t: stats.gamma.logpdf(x, t[0], scale=1 / t[1]),
        {"shape": 1.0, "rate": 1.0},
        bounds={"shape": (0, None), "rate": (0, None)},
    ).fit(x)
    single = MaximumLikelihood(exponential, {"rate": 1.0}, bounds={"rate": (0, None)}).fit(x)
    shape, _, scale = stats.gamma.fit(x, floc=0)
    np.testing.assert_allclose(gamma.params_, [shape, 1 / scale], rtol=1e-5)
    found = gamma.summary()
    assert found.aic == pytest.approx(4 - 2 * gamma.log_likelihood_)
    assert found.bic == pytest.approx(2 * np.log(80) - 2 * gamma.log_likelihood_)
    assert "log-likelihood" in str(found)
    assert "<table>" in found._repr_html_()
    test = likelihood_ratio_test(single, gamma)
    ratio = 2 * (gamma.log_likelihood_ - single.log_likelihood_)
    assert test.statistic == pytest.approx(ratio)
    assert test.p == pytest.approx(stats.chi2.sf(ratio, 1))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"start": []}, "start must be"),
        ({"start": [np.nan]}, "start must be"),
        ({"start": ["one"]}, "start must be"),
        ({"start": [0.0, 1.0], "names": ["a"]}, "2 different names"),
        ({"start": [0.0, 1.0], "bounds": [(0, 1)]}, "2 pairs"),
        ({"start": [0.0, 1.0], "bounds": [(1, 2), None]}, "within its bounds"),
        ({"start": {"a": 0.0, "b": 1.0}, "bounds": {"c": (0, 1)}}, "bounds name 'c'"),
        ({"start": [0.0, 1.0], "n_starts": 0}, "n_starts"),
        ({"start": [0.0, 1.0], "tol": -1.0}, "tol"),
        ({"start": [0.0, 1.0], "log_density": 3}, "log_density"),
        ({"start": [0.0, 1.0], "gradient": 3}, "gradient"),
    ],
)
def test_bad_parameters_are_refused(options, words):
    with pytest.raises(InvalidParameterError, match=words):
        MaximumLikelihood(**{"log_density": normal} | options).fit([1.0, 2.0])


def test_bad_data_are_refused():
    model = MaximumLikelihood(normal, [0.0, 1.0])
    for bad in ([np.nan, 1.0], [], ["a", "b"]):
        with pytest.raises((InvalidDataError, ValueError), match=r".{10,}"):
            model.fit(bad)
    with pytest.raises(InvalidDataError, match="row 1 is -inf"):
        MaximumLikelihood(lambda x, t: np.where(x > t[0], -np.inf, 0.0), [1.0]).fit([0.0, 2.0])
    with pytest.raises(InvalidDataError, match="one number per row"):
        MaximumLikelihood(lambda x, t: 0.0, [1.0]).fit([0.0, 2.0])
    with pytest.raises(InvalidDataError, match="derivatives per row"):
        MaximumLikelihood(normal, [0.0, 1.0], gradient=lambda x, t: np.zeros(3)).fit([0.0, 2.0])
    with pytest.raises(NotFittedError):
        model.summary()


def test_rows_of_zero_weight_are_no_rows():
    x = np.array([1.0, 2.0, 4.0, np.pi])
    whole = MaximumLikelihood(normal, [0.0, 1.0], bounds=[None, (0, None)])
    part = whole.fit(x[:3]).params_.copy()
    weighted = whole.fit(x, sample_weight=[1.0, 1.0, 1.0, 0.0]).params_
    np.testing.assert_allclose(part, weighted)
