"""PCA against scikit-learn: values, signs, choices of solver and number."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.decomposition import PCA as Theirs

from stylobate.decomposition import PCA
from stylobate.exceptions import InvalidParameterError

SOLVERS = ["auto", "full", "covariance_eigh", "arpack", "randomized"]
LEARNT = [
    "components_",
    "explained_variance_",
    "explained_variance_ratio_",
    "singular_values_",
    "mean_",
    "noise_variance_",
]


def factors(n, p, seed=0, dtype=np.float64):
    draws = np.random.default_rng(seed)
    strength = 5.0 * 0.5 ** np.arange(6)
    x = (draws.normal(size=(n, 6)) * strength) @ draws.normal(size=(6, p))
    return (x + 0.05 * draws.normal(size=(n, p)) + draws.uniform(-2, 2, p)).astype(dtype)


def assert_alike(ours, theirs, tolerance):
    for name in LEARNT:
        found, expected = getattr(ours, name), getattr(theirs, name)
        scale = max(float(np.abs(expected).max()), 1e-300)
        np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * scale, err_msg=name)


@pytest.mark.parametrize("shape", [(200, 10), (60, 40), (40, 60)])
@pytest.mark.parametrize("solver", SOLVERS)
def test_solvers_agree_with_scikit_learn(shape, solver):
    if solver == "covariance_eigh" and shape[0] < shape[1]:
        pytest.skip("scikit-learn divides the noise by p - k there, by min(n, p) - k elsewhere")
    x = factors(*shape)
    theirs = Theirs(4, svd_solver=solver, random_state=0).fit(x)
    ours = PCA(4, svd_solver=solver, random_state=0).fit(x)
    assert ours._fit_svd_solver == theirs._fit_svd_solver
    assert_alike(ours, theirs, 1e-6 if solver == "randomized" else 1e-11)
    np.testing.assert_allclose(ours.fit_transform(x), theirs.fit_transform(x), atol=1e-4)


def test_krylov_is_more_exact_than_the_randomised_answer_of_auto():
    x = factors(560, 120)
    exact = Theirs(4, svd_solver="full").fit(x)
    theirs = Theirs(4, random_state=0).fit(x)
    ours = PCA(4, random_state=0).fit(x)
    assert ours._fit_svd_solver == theirs._fit_svd_solver == "randomized"
    assert ours.n_passes_ < 10  # scikit-learn's takes 16 products
    assert_alike(ours, exact, 1e-7)
    assert (ours.certificate_.angles < 1e-6).all()


@pytest.mark.parametrize("whiten", [False, True])
def test_the_probabilistic_model(whiten):
    x = factors(120, 8)
    ours, theirs = PCA(3, whiten=whiten).fit(x), Theirs(3, whiten=whiten).fit(x)
    np.testing.assert_allclose(ours.get_covariance(), theirs.get_covariance(), rtol=1e-10)
    np.testing.assert_allclose(ours.get_precision(), theirs.get_precision(), rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(ours.score_samples(x), theirs.score_samples(x), rtol=1e-8)
    assert ours.score(x) == pytest.approx(theirs.score(x), rel=1e-9)
    np.testing.assert_allclose(ours.transform(x), theirs.transform(x), atol=1e-10)
    back = ours.inverse_transform(ours.transform(x))
    np.testing.assert_allclose(back, theirs.inverse_transform(theirs.transform(x)), atol=1e-10)


@pytest.mark.parametrize("wanted", ["mle", 0.5, 0.9, 0.999, 0, None])
@pytest.mark.parametrize("shape", [(300, 12), (60, 12)])
def test_how_many(wanted, shape):
    x = factors(*shape) + np.random.default_rng(1).normal(size=shape)
    ours, theirs = PCA(wanted).fit(x), Theirs(wanted).fit(x)
    assert ours.n_components_ == theirs.n_components_
    assert ours.noise_variance_ == pytest.approx(theirs.noise_variance_, rel=1e-9)


@pytest.mark.parametrize("solver", SOLVERS)
def test_what_is_refused(solver):
    x = factors(20, 6)
    for wanted in (7, "mle" if solver in ("arpack", "randomized") else 9):
        with pytest.raises(ValueError, match="n_components"):
            Theirs(wanted, svd_solver=solver).fit(x)
        with pytest.raises(InvalidParameterError, match="n_components"):
            PCA(wanted, svd_solver=solver).fit(x)


def test_sparse_rows_stay_sparse():
    x = sparse.random(600, 520, density=0.02, format="csr", random_state=0)
    x = sparse.csr_matrix(x @ sparse.diags(0.9 ** np.arange(520)))
    ours, theirs = PCA(5, random_state=0).fit(x), Theirs(5, random_state=0).fit(x)
    assert ours._fit_svd_solver == "arpack"
    assert_alike(ours, theirs, 1e-9)
    np.testing.assert_allclose(ours.transform(x), theirs.transform(x), atol=1e-8)
    with pytest.raises(TypeError, match="sparse"):
        PCA(5, svd_solver="full").fit(x)


@pytest.mark.parametrize("solver", SOLVERS)
def test_single_precision_stays(solver):
    x = factors(300, 20, dtype=np.float32)
    model = PCA(3, svd_solver=solver, random_state=0).fit(x)
    for name in LEARNT[:-1]:
        assert getattr(model, name).dtype == np.float32, name
    assert model.transform(x).dtype == np.float32
    wide = PCA(3, svd_solver="full").fit(x.astype(np.float64))
    np.testing.assert_allclose(model.components_, wide.components_, atol=1e-5)
