"""PCA on tables of all kinds: residuals, bounds that hold, weights, threads, streams, files."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stylobate
from stylobate.decomposition import PCA, ComponentCertificate, pca_solvers
from stylobate.exceptions import InvalidDataError, NumericalError, UnsupportedDataError
from stylobate.statistics import Moments

SOLVERS = ["auto", "full", "covariance_eigh", "arpack", "randomized"]


def exact_parts(x):
    centred = x - x.mean(axis=0)
    _, sizes, vt = np.linalg.svd(centred, full_matrices=False)
    return sizes**2 / (len(x) - 1), vt, centred.T @ centred / (len(x) - 1)


@st.composite
def nasty_tables(draw):
    n, p = draw(st.integers(2, 24)), draw(st.integers(1, 12))
    rank = draw(st.integers(0, min(n, p)))
    draws = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    x = draws.normal(size=(n, rank)) @ draws.normal(size=(rank, p))
    x *= 10.0 ** draw(st.integers(-8, 8))
    if draw(st.booleans()):  # a constant column
        x[:, draw(st.integers(0, p - 1))] = 3.0
    if draw(st.booleans()):  # duplicates of the first row
        x[n // 2 :] = x[0]
    return x + draw(st.sampled_from([0.0, 1.0, 1e4])) * max(float(np.abs(x).max()), 1.0)


@settings(max_examples=60, deadline=None)
@given(nasty_tables(), st.sampled_from(["auto", "full", "covariance_eigh"]))
def test_eigenpairs_have_small_residuals_on_any_table(x, solver):
    model = PCA(svd_solver=solver).fit(x)
    variances, _, covariance = exact_parts(x)
    vt = model.components_
    scale = max(float(variances.max(initial=0.0)), 1e-300)
    # what rounding of the rows themselves does to the covariance
    blur = 1e-12 * scale + 64 * (np.finfo(float).eps * np.abs(x).max()) ** 2 * x.size
    blur += 64 * np.finfo(float).eps * np.abs(x).max() * np.sqrt(scale * x.size)
    assert np.isfinite(vt).all()
    np.testing.assert_allclose(vt @ vt.T, np.eye(len(vt)), atol=1e-10)
    residual = covariance @ vt.T - vt.T * model.explained_variance_
    assert np.abs(residual).max(initial=0.0) <= blur
    assert np.abs(model.explained_variance_ - variances).max(initial=0.0) <= blur
    largest = np.abs(vt).argmax(axis=1)
    assert (vt[np.arange(len(vt)), largest] > 0).all()
    assert np.isfinite(model.transform(x)).all()


@settings(max_examples=25, deadline=None)
@given(nasty_tables(), st.integers(1, 4), st.sampled_from(["arpack", "randomized"]))
def test_iterations_on_any_table(x, k, solver):
    if k >= min(x.shape):
        return
    model = PCA(k, svd_solver=solver, random_state=0).fit(x)
    variances, _, _ = exact_parts(x)
    vt = model.components_
    np.testing.assert_allclose(vt @ vt.T, np.eye(k), atol=1e-8)
    scale = max(float(variances.max()), np.finfo(float).eps * float((x**2).max()))
    tolerance = 1e-3 if solver == "randomized" else 1e-9
    assert np.abs(model.explained_variance_ - variances[:k]).max() <= tolerance * scale


@pytest.mark.parametrize("solver", SOLVERS)
def test_bounds_of_the_certificate_hold(solver):
    draws = np.random.default_rng(3)
    x = draws.normal(size=(400, 30)) * np.linspace(3.0, 1.0, 30)
    model = PCA(5, svd_solver=solver, random_state=0, iterated_power=4).fit(x)
    variances, vt, _ = exact_parts(x)
    proof = model.certificate_
    assert isinstance(proof, ComponentCertificate)
    cosine = np.sum(model.components_ * vt[:5], axis=1)[:, np.newaxis]
    sine = np.linalg.norm(model.components_ - cosine * vt[:5], axis=1)
    slack = 1e-13 / np.maximum(proof.gaps, 1e-13)
    assert (sine <= proof.angles + slack).all()  # NumPy's own are off as well
    assert (np.abs(model.explained_variance_ - variances[:5]) <= proof.residuals + 1e-13).all()
    assert "components" in proof.verdict


def test_equal_variances_are_named():
    corners = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
    proof = PCA(svd_solver="full").fit(corners * [1.0, 1.0, 3.0]).certificate_
    assert proof.angles[0] < 1e-12
    assert (proof.angles[1:] == 1.0).all()
    assert "2, 3 cannot be told" in proof.verdict


def test_digits_where_a_large_mean_costs_them():
    from sklearn.decomposition import PCA as Theirs

    draws = np.random.default_rng(0)
    x = draws.normal(size=(500, 5)) * [4.0, 3.0, 2.0, 1.0, 0.5] + 1e7
    exact = np.linalg.eigvalsh(np.cov((x - 1e7).T))[::-1]
    for solver in SOLVERS:
        k = 4 if solver == "arpack" else 5
        found = PCA(k, svd_solver=solver, random_state=0).fit(x).explained_variance_
        np.testing.assert_allclose(found, exact[:k], rtol=1e-8)
    theirs = Theirs(svd_solver="covariance_eigh").fit(x).explained_variance_
    assert np.abs(theirs / exact - 1.0).max() > 1e-4
    scores = PCA(2).fit(x).transform(x)
    np.testing.assert_allclose(scores.var(axis=0, ddof=1), exact[:2], rtol=1e-8)


def test_wide_rows_by_their_products():
    draws = np.random.default_rng(0)
    x = draws.normal(size=(30, 800)) * np.linspace(3.0, 0.1, 800) + 1.0
    model = PCA().fit(x)
    assert "products of rows" in model.solver_reason_
    full = PCA(svd_solver="full").fit(x)
    np.testing.assert_allclose(model.components_[:29], full.components_[:29], atol=1e-10)
    np.testing.assert_allclose(model.explained_variance_[:29], full.explained_variance_[:29])
    np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(30), atol=1e-10)
    small = x.copy()
    small[:, 1:] *= 1e-9  # squares would lose them
    assert "products" not in PCA().fit(small).solver_reason_


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("shape", [(40, 6), (12, 30)])
def test_weights_are_repetitions(solver, shape):
    draws = np.random.default_rng(0)
    x = draws.normal(size=shape) * np.linspace(3, 1, shape[1])
    weights = draws.integers(0, 4, shape[0])
    k = 4
    weighted = PCA(k, svd_solver=solver, random_state=0).fit(x, sample_weight=weights)
    repeated = PCA(k, svd_solver=solver, random_state=0).fit(np.repeat(x, weights, axis=0))
    tolerance = 1e-3 if solver == "randomized" else 1e-9
    np.testing.assert_allclose(weighted.mean_, repeated.mean_, atol=1e-12)
    for name in ("explained_variance_", "explained_variance_ratio_", "components_"):
        found, expected = getattr(weighted, name), getattr(repeated, name)
        np.testing.assert_allclose(found, expected, atol=tolerance)
    assert weighted.n_samples_ == weights.sum()


def test_weights_that_sum_to_one_are_refused():
    with pytest.raises(UnsupportedDataError, match="counts rows"):
        PCA().fit(np.eye(4), sample_weight=np.full(4, 0.25))


@pytest.mark.parametrize("solver", SOLVERS)
def test_same_bits_for_any_number_of_threads(solver):
    x = np.random.default_rng(0).normal(size=(2000, 40)) * np.linspace(3, 1, 40)
    found = []
    for count in (1, 2, 7):
        with stylobate.threads(count):
            model = PCA(4, svd_solver=solver, random_state=0).fit(x)
            found.append((model.components_, model.explained_variance_, model.transform(x)))
    for other in found[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(found[0], other, strict=True))


@pytest.mark.parametrize("solver", ["auto", "covariance_eigh", "arpack", "randomized"])
def test_streams_have_the_bits_of_memory(solver):
    x = np.random.default_rng(0).normal(size=(900, 7)) * np.arange(1.0, 8.0) + 3.0
    weights = np.random.default_rng(1).integers(1, 3, 900).astype(float)
    parts = [(x[a : a + 100], None, weights[a : a + 100]) for a in range(0, 900, 100)]
    memory = PCA(3, svd_solver=solver, random_state=0).fit(x, sample_weight=weights)
    stream = PCA(3, svd_solver=solver, random_state=0).fit_batches(parts)
    for name in ("components_", "explained_variance_", "mean_", "explained_variance_ratio_"):
        assert np.array_equal(getattr(memory, name), getattr(stream, name)), name


def test_batches_and_merged_parts_are_the_whole():
    x = np.random.default_rng(0).normal(size=(300, 6)) * np.arange(1.0, 7.0)
    whole = PCA(svd_solver="covariance_eigh").fit(x)
    grown = PCA(svd_solver="covariance_eigh").partial_fit(x[:3]).partial_fit(x[3:])
    np.testing.assert_allclose(grown.components_, whole.components_, atol=1e-11)
    left, right = (PCA(svd_solver="covariance_eigh").fit(part) for part in (x[:120], x[120:]))
    merged = PCA().fit_statistic(left.statistic_.merge(right.statistic_))
    np.testing.assert_allclose(merged.explained_variance_, whole.explained_variance_, rtol=1e-12)
    assert merged.n_samples_ == 300
    assert isinstance(merged.statistic_, Moments)
    with pytest.raises(InvalidDataError, match="partial_fit"):
        PCA().fit(x[:20]).partial_fit(x)
    assert not hasattr(PCA(svd_solver="full"), "partial_fit")


def test_what_is_lost_is_the_sum_of_the_variances_left_out():
    x = np.random.default_rng(0).normal(size=(80, 6)) * np.arange(1.0, 7.0)
    for k in range(1, 7):
        model = PCA(k).fit(x)
        back = model.inverse_transform(model.transform(x))
        lost = ((x - back) ** 2).sum() / (len(x) - 1)
        assert model.reconstruction_error_ == pytest.approx(lost, abs=1e-10)
        variances = exact_parts(x)[0]
        assert model.reconstruction_error_ == pytest.approx(variances[k:].sum(), abs=1e-10)


def test_correlations_of_columns_with_scores():
    x = np.random.default_rng(0).normal(size=(80, 4)) @ np.random.default_rng(1).normal(size=(4, 4))
    x[:, 3] = 2.0
    model = PCA(3).fit(x)
    scores = model.transform(x)
    expected = np.corrcoef(x[:, :3].T, scores.T)[:3, 3:]
    np.testing.assert_allclose(model.correlations()[:3], expected, atol=1e-10)
    assert np.isnan(model.correlations()[3]).all()


def test_odd_tables():
    one = PCA().fit([[1.0, 2.0]])
    assert one.explained_variance_.tolist() == [0.0]
    assert one.transform([[1.0, 2.0]]) == [[0.0]]
    same = PCA().fit(np.ones((5, 3)))
    assert same.explained_variance_ratio_.tolist() == [0.0, 0.0, 0.0]
    with pytest.raises(NumericalError, match="density"):
        same.score_samples(np.ones((2, 3)))


def test_whitened_scores_have_unit_variance_and_come_back(tmp_path):
    x = np.random.default_rng(0).normal(size=(80, 4)) * [1.0, 10.0, 3.0, 0.1]
    model = PCA(whiten=True).fit(x)
    np.testing.assert_allclose(np.cov(model.transform(x).T), np.eye(4), atol=1e-10)
    np.testing.assert_allclose(model.inverse_transform(model.transform(x)), x, atol=1e-10)
    loaded = stylobate.load(model.save(tmp_path / "model.zip"))
    assert np.array_equal(loaded.transform(x), model.transform(x))
    assert loaded.certificate_.verdict == model.certificate_.verdict


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("shape", [(60, 8), (8, 20)])
def test_missing_values_are_refused_in_words(solver, bad, shape):
    x = np.random.default_rng(0).normal(size=shape)
    x[3, 2] = bad
    with pytest.raises(InvalidDataError, match="row 3, column 2"):
        PCA(3, svd_solver=solver).fit(x)


def test_long_tables_start_from_a_sample(monkeypatch):
    monkeypatch.setattr(pca_solvers, "_LONG", 500)
    draws = np.random.default_rng(0)
    x = (draws.normal(size=(800, 8)) * 2.0 ** -np.arange(8)) @ draws.normal(size=(8, 100))
    x += 0.01 * draws.normal(size=x.shape) + 1.0
    model = PCA(3, random_state=0).fit(x)
    exact = PCA(3, svd_solver="full").fit(x)
    np.testing.assert_allclose(model.components_, exact.components_, atol=1e-6)
    assert model.n_passes_ <= 4
    assert model.certificate_.angles.max() < 1e-5
