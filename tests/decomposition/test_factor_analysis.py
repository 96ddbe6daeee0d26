"""Factor analysis: against scikit-learn, closed forms, and the laws of likelihood and rotation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn import decomposition as peer

from stylobate.decomposition import FactorAnalysis, rotated_loadings
from stylobate.exceptions import ConvergenceWarning, InvalidDataError
from stylobate.statistics import Moments


def rows(n=300, p=7, k=2, seed=0):
    rng = np.random.default_rng(seed)
    loadings = rng.normal(size=(k, p))
    noise = rng.normal(size=(n, p)) * rng.uniform(0.5, 2.0, p)
    return rng.normal(size=(n, k)) @ loadings + noise + 5.0


@pytest.mark.parametrize("svd_method", ["lapack", "randomized"])
@pytest.mark.parametrize("rotation", [None, "varimax", "quartimax"])
def test_factors_of_scikit_learn(svd_method, rotation):
    x = rows()
    theirs = peer.FactorAnalysis(2, svd_method="lapack", rotation=rotation).fit(x)
    ours = FactorAnalysis(2, svd_method=svd_method, rotation=rotation).fit(x)
    signs = np.sign((ours.components_ * theirs.components_).sum(axis=1))[:, np.newaxis]
    np.testing.assert_allclose(ours.components_ * signs, theirs.components_, atol=1e-8)
    np.testing.assert_allclose(ours.noise_variance_, theirs.noise_variance_, rtol=1e-8)
    np.testing.assert_allclose(ours.loglike_, theirs.loglike_, rtol=1e-10)
    np.testing.assert_allclose(ours.score_samples(x), theirs.score_samples(x), rtol=1e-8)
    np.testing.assert_allclose(ours.transform(x) * signs.T, theirs.transform(x), atol=1e-8)
    assert ours.n_iter_ == theirs.n_iter_


def test_likelihood_is_that_of_the_normal_distribution():
    x = rows()
    model = FactorAnalysis(2).fit(x)
    normal = stats.multivariate_normal(model.mean_, model.get_covariance())
    np.testing.assert_allclose(model.score_samples(x), normal.logpdf(x), rtol=1e-10)
    assert model.loglike_[-1] == pytest.approx(len(x) * model.score(x), rel=1e-9)
    np.testing.assert_allclose(
        model.get_precision() @ model.get_covariance(), np.eye(7), atol=1e-10
    )


def test_one_factor_of_three_columns_has_a_closed_form():
    """Three covariances and three loadings: w₁w₂ = s₁₂ and so on."""
    x = np.random.default_rng(1).normal(size=(4000, 1)) @ [[2.0, 1.0, 1.5]]
    x += np.random.default_rng(2).normal(size=x.shape)
    s = np.cov(x.T, bias=True)
    expected = [
        np.sqrt(s[0, 1] * s[0, 2] / s[1, 2]),
        np.sqrt(s[0, 1] * s[1, 2] / s[0, 2]),
        np.sqrt(s[0, 2] * s[1, 2] / s[0, 1]),
    ]
    model = FactorAnalysis(1, tol=1e-12, max_iter=5000).fit(x)
    np.testing.assert_allclose(np.abs(model.components_[0]), expected, rtol=1e-5)
    np.testing.assert_allclose(model.get_covariance(), s, rtol=1e-5)


def test_likelihood_never_falls_and_the_end_is_stationary():
    model = FactorAnalysis(2, tol=1e-11, max_iter=20000).fit(rows())
    assert (np.diff(model.loglike_) > -1e-7).all()
    proof = model.certificate_
    assert proof.stationary
    assert proof.residual < 1e-5
    rough = FactorAnalysis(2, tol=50.0).fit(rows()).certificate_
    assert rough.residual > 100 * proof.residual


def test_certificate_is_the_gradient_of_the_likelihood():
    """By differences of the mean log density in log ψ and in the loadings."""
    x = rows(200, 5)
    model = FactorAnalysis(2, tol=1.0).fit(x)
    s, w, psi = np.cov(x.T, bias=True), model.components_, model.noise_variance_

    def density(w, psi):
        covariance = w.T @ w + np.diag(psi)
        _, logdet = np.linalg.slogdet(covariance)
        return -0.5 * (logdet + np.trace(np.linalg.solve(covariance, s)))

    step = 1e-5
    slopes = []
    for j in range(5):
        change = np.zeros(5)
        change[j] = step
        up, down = density(w, psi * np.exp(change)), density(w, psi * np.exp(-change))
        slopes.append(2 * (up - down) / (2 * step))
    assert np.abs(slopes).max() == pytest.approx(model.certificate_.noise_residual, rel=1e-4)
    assert model.certificate_.loading_residual < 1e-6  # loadings are best for the noise


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 4), st.sampled_from(["varimax", "quartimax"]))
def test_rotations_are_orthogonal_and_keep_communalities(seed, k, method):
    loadings = np.random.default_rng(seed).normal(size=(6, k))
    turned, rotation = rotated_loadings(loadings, method)
    np.testing.assert_allclose(rotation.T @ rotation, np.eye(k), atol=1e-12)
    np.testing.assert_allclose(turned, loadings @ rotation, atol=1e-12)
    np.testing.assert_allclose((turned**2).sum(axis=1), (loadings**2).sum(axis=1), rtol=1e-10)
    share = 1.0 if method == "varimax" else 0.0

    def criterion(matrix):
        squares = matrix**2
        return (squares**2).sum() - share / 6 * (squares.sum(axis=0) ** 2).sum()

    assert criterion(turned) >= criterion(loadings) - 1e-9


def test_parts_merge_and_weights_are_repetitions():
    x = rows(90)
    whole = FactorAnalysis(2).fit(x)
    parts = FactorAnalysis(2)
    for part in np.array_split(x, 3):
        parts.partial_fit(part)
    np.testing.assert_allclose(parts.components_, whole.components_, atol=1e-8)
    from stylobate.data import read_table

    told = FactorAnalysis(2).fit_statistic(Moments.of(read_table(x, owner="test")))
    np.testing.assert_allclose(told.noise_variance_, whole.noise_variance_, rtol=1e-10)
    counts = np.random.default_rng(0).integers(1, 4, len(x))
    weighted = FactorAnalysis(2).fit(x, sample_weight=counts)
    repeated = FactorAnalysis(2).fit(np.repeat(x, counts, axis=0))
    np.testing.assert_allclose(weighted.noise_variance_, repeated.noise_variance_, rtol=1e-8)


def test_many_columns_by_subspace_iteration():
    x = rows(500, 240, 3)
    exact = FactorAnalysis(3, svd_method="lapack", tol=1e-3).fit(x)
    quick = FactorAnalysis(3, tol=1e-3).fit(x)
    assert quick.loglike_[-1] == pytest.approx(exact.loglike_[-1], rel=1e-9)
    np.testing.assert_allclose(quick.noise_variance_, exact.noise_variance_, rtol=1e-4)


def test_no_factors_and_all_factors():
    x = rows()
    none = FactorAnalysis(0).fit(x)
    assert none.transform(x).shape == (300, 0)
    np.testing.assert_allclose(none.noise_variance_, x.var(axis=0), rtol=1e-10)
    full = FactorAnalysis().fit(x)
    assert full.components_.shape == (7, 7)
    assert np.isfinite(full.score(x))


def test_warnings_and_refusals():
    with pytest.warns(ConvergenceWarning, match="did not converge"):
        FactorAnalysis(2, tol=0.0, max_iter=2).fit(rows())
    with pytest.raises(InvalidDataError, match="noise_variance_init must be 7"):
        FactorAnalysis(2, noise_variance_init=np.ones(3)).fit(rows())
    start = FactorAnalysis(2, noise_variance_init=rows().var(axis=0)).fit(rows())
    assert start.loglike_[0] > FactorAnalysis(2).fit(rows()).loglike_[0]


@pytest.mark.parametrize(
    "x",
    [np.ones((5, 3)), rows(4, 9), np.repeat(rows(20, 2), 2, axis=1), rows(1, 3)],
    ids=["constant", "wide", "repeated columns", "one row"],
)
def test_odd_rows_get_finite_answers(x):
    model = FactorAnalysis(1, max_iter=20, tol=1.0).fit(x)
    assert np.isfinite(model.transform(x)).all()
    assert np.isfinite(model.certificate_.residual)
    assert model.certificate_.verdict
