"""Independent components: sources come back, and steps are those of scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from sklearn import decomposition as peer

from stylobate import _core
from stylobate.decomposition import FastICA, fastica
from stylobate.exceptions import ConvergenceWarning, InvalidParameterError, StylobateWarning
from stylobate.parallel import threads


def mixed(n=800, k=3, p=4, seed=0):
    rng = np.random.default_rng(seed)
    time = np.linspace(0, 8, n)
    waves = [np.sin(2 * time), np.sign(np.sin(3 * time)), rng.laplace(size=n), time % 1.0]
    sources = np.stack(waves[:k], axis=1)
    return sources, sources @ rng.normal(size=(k, p)) + 2.0


def cubes(x):
    return x**3, (3 * x**2).mean(axis=-1)


@pytest.mark.parametrize("algorithm", ["parallel", "deflation"])
@pytest.mark.parametrize("fun", ["logcosh", "exp", "cube", cubes])
@pytest.mark.parametrize("whiten", ["unit-variance", "arbitrary-variance"])
def test_components_of_scikit_learn(algorithm, fun, whiten):
    _, x = mixed()
    options = {"algorithm": algorithm, "fun": fun, "whiten": whiten, "random_state": 0}
    theirs, ours = peer.FastICA(3, **options).fit(x), FastICA(3, **options).fit(x)
    np.testing.assert_allclose(ours.components_, theirs.components_, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(ours.mixing_, theirs.mixing_, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(ours.transform(x), theirs.transform(x), rtol=1e-6, atol=1e-8)
    assert ours.n_iter_ == theirs.n_iter_


@pytest.mark.parametrize("solver", ["eigh", "svd"])
@pytest.mark.parametrize("algorithm", ["parallel", "deflation"])
def test_sources_come_back_up_to_sign_and_order(solver, algorithm):
    sources, x = mixed(3000, 4, 4)
    model = FastICA(4, whiten_solver=solver, algorithm=algorithm, random_state=0)
    found = model.fit_transform(x)
    likeness = np.abs(np.corrcoef(found.T, sources.T)[:4, 4:])
    assert likeness[linear_sum_assignment(-likeness)].min() > 0.99
    np.testing.assert_allclose(np.cov(found.T, bias=True), np.eye(4), atol=1e-8)
    np.testing.assert_allclose(model.inverse_transform(found), x, atol=1e-8)
    assert model.change_ < model.tol


@pytest.mark.parametrize("fun", ["logcosh", "exp", "cube"])
def test_sums_of_the_core_are_those_of_their_formulas(fun):
    rng = np.random.default_rng(0)
    z, w = rng.normal(size=(5, 1003)), rng.normal(size=(3, 5))
    padded = np.zeros((5, 1008))
    padded[:, :1003] = z
    products, slopes = _core.contrast_sums(padded, 1003, w, fun, 1.5)
    y = w @ z
    g, slope = {
        "logcosh": (np.tanh(1.5 * y), 1.5 / np.cosh(1.5 * y) ** 2),
        "exp": (y * np.exp(-(y**2) / 2), (1 - y**2) * np.exp(-(y**2) / 2)),
        "cube": (y**3, 3 * y**2),
    }[fun]
    np.testing.assert_allclose(products, g @ z.T, rtol=1e-11, atol=1e-10)
    np.testing.assert_allclose(slopes, slope.sum(axis=1), rtol=1e-11)


def test_same_bits_whatever_the_threads():
    _, x = mixed(5000)
    found = []
    for count in (1, 2, 7):
        with threads(count):
            found.append(FastICA(3, random_state=0).fit(x).components_.tobytes())
    assert found[0] == found[1] == found[2]


def test_white_rows_as_they_are_and_single_precision():
    _, x = mixed()
    white = FastICA(3, random_state=0).fit_transform(x)
    model = FastICA(whiten=False, random_state=0).fit(white)
    assert not hasattr(model, "mean_")
    np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(3), atol=1e-8)
    with pytest.warns(StylobateWarning, match="Ignoring n_components"):
        FastICA(2, whiten=False, random_state=0).fit(white)
    assert FastICA(3, random_state=0).fit_transform(x.astype(np.float32)).dtype == np.float32


def test_function_returns_what_it_is_asked_for():
    _, x = mixed()
    k, w, s, mean, steps = fastica(x, 3, random_state=0, return_X_mean=True, return_n_iter=True)
    np.testing.assert_allclose((x - mean) @ (w @ k).T, s, atol=1e-10)
    assert steps >= 1
    assert fastica(x, 3, random_state=0, compute_sources=False)[2] is None
    assert fastica(s, whiten=False, random_state=0)[0] is None


def test_warnings_and_refusals():
    _, x = mixed()
    with pytest.warns(ConvergenceWarning, match="did not converge"):
        FastICA(3, tol=0.0, max_iter=1, random_state=0).fit(x)
    with pytest.warns(StylobateWarning, match="n_components is too large"):
        FastICA(9, random_state=0, max_iter=500, tol=0.1).fit(mixed(50, 3, 3)[1])
    with pytest.raises(InvalidParameterError, match=r"alpha must be in \[1,2\]"):
        FastICA(fun_args={"alpha": 3.0}).fit(x)
    with pytest.raises(InvalidParameterError, match="w_init has invalid shape"):
        FastICA(3, w_init=np.eye(2)).fit(x)


@pytest.mark.filterwarnings("ignore::stylobate.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    "x",
    [np.ones((6, 2)), np.repeat(mixed(40, 2, 2)[1], 2, axis=1), mixed(3, 2, 6)[1]],
    ids=["constant", "repeated columns", "wide"],
)
def test_odd_rows_get_finite_answers(x):
    model = FastICA(random_state=0, max_iter=20).fit(x)
    assert np.isfinite(model.components_).all()
    assert np.isfinite(model.transform(x)).all()
