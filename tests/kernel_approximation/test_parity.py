"""The approximate maps against scikit-learn's, seed by seed, and against the kernels."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.kernel_approximation as theirs
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.preprocessing import KernelCenterer as TheirCenterer

import stylobate.kernel_approximation as ours
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.kernels import RBF, Linear
from stylobate.preprocessing import KernelCenterer

X = np.random.default_rng(0).random((40, 4))
NEW = np.random.default_rng(1).random((7, 4))

CASES = [
    ("RBFSampler", {"gamma": 0.3, "n_components": 11}),
    ("RBFSampler", {"gamma": "scale"}),
    ("Nystroem", {"n_components": 13}),
    ("Nystroem", {"kernel": "poly", "degree": 3, "coef0": 1.0, "gamma": 0.5, "n_components": 9}),
    ("Nystroem", {"kernel": "laplacian", "n_components": 9}),
    ("Nystroem", {"kernel": "cosine", "n_components": 4}),
    ("Nystroem", {"kernel": "chi2", "gamma": 0.4, "n_components": 9}),
    ("PolynomialCountSketch", {"degree": 3, "coef0": 1.0, "gamma": 0.5, "n_components": 17}),
    ("PolynomialCountSketch", {"degree": 1}),
    ("AdditiveChi2Sampler", {"sample_steps": 1}),
    ("AdditiveChi2Sampler", {}),
    ("AdditiveChi2Sampler", {"sample_steps": 4, "sample_interval": 0.3}),
    ("SkewedChi2Sampler", {"skewedness": 0.2, "n_components": 8}),
]


def pair(name, parameters):
    seed = {} if name == "AdditiveChi2Sampler" else {"random_state": 3}
    return tuple(getattr(m, name)(**parameters, **seed) for m in (ours, theirs))


@pytest.mark.parametrize(("name", "parameters"), CASES)
def test_same_features_as_scikit_learn(name, parameters):
    mine, other = (model.fit(X) for model in pair(name, parameters))
    scale = 1e-7 if name == "Nystroem" else 1e-11  # inverse roots of small eigenvalues
    assert_allclose(mine.transform(NEW), other.transform(NEW), atol=scale)
    assert list(mine.get_feature_names_out()) == list(other.get_feature_names_out())
    for attribute in ("random_weights_", "random_offset_", "component_indices_", "indexHash_"):
        if hasattr(other, attribute):
            assert_allclose(getattr(mine, attribute), getattr(other, attribute), rtol=1e-14)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [case for case in CASES if case[0] != "SkewedChi2Sampler" and case[1].get("kernel") != "chi2"],
)
def test_sparse_rows_give_the_same(name, parameters):
    mine, _ = pair(name, parameters)
    dense = mine.fit(X).transform(NEW)
    made = mine.fit(sparse.csr_matrix(X)).transform(sparse.csr_matrix(NEW))
    made = made.toarray() if sparse.issparse(made) else made
    assert_allclose(made, dense, atol=1e-7)


def test_inner_products_approach_the_kernel():
    kernel = RBF(0.5)(X)
    for count, error in ((200, 0.25), (20_000, 0.03)):
        z = ours.RBFSampler(gamma=0.5, n_components=count, random_state=0).fit_transform(X)
        assert np.abs(z @ z.T - kernel).max() < error
    z = ours.Nystroem(RBF(0.5), n_components=40, random_state=0).fit_transform(X)
    assert_allclose(z @ z.T, kernel, atol=1e-7)


def test_nystroem_is_exact_on_its_points_and_takes_kernels():
    model = ours.Nystroem(Linear() + RBF(1.0), n_components=10, random_state=0).fit(X)
    z = model.transform(model.components_)
    assert_allclose(z @ z.T, (Linear() + RBF(1.0))(model.components_), atol=1e-8)
    function = ours.Nystroem(lambda x, y: float(x @ y), n_components=10, random_state=0).fit(X)
    plain = ours.Nystroem("linear", n_components=10, random_state=0).fit(X)
    assert_allclose(function.transform(NEW), plain.transform(NEW), atol=1e-7)


def test_refusals():
    with pytest.raises(InvalidParameterError, match="parameters already"):
        ours.Nystroem(RBF(1.0), gamma=2.0, n_components=5).fit(X)
    with pytest.warns(StylobateWarning, match="n_components"):
        ours.Nystroem(n_components=50).fit(X)
    with pytest.raises(InvalidDataError, match="Negative values"):
        ours.AdditiveChi2Sampler().fit(-X)
    with pytest.raises(InvalidParameterError, match="sample_interval"):
        ours.AdditiveChi2Sampler(sample_steps=4).fit(X)
    with pytest.raises(InvalidDataError, match="skewedness"):
        ours.SkewedChi2Sampler(skewedness=0.1).fit(X).transform(X - 5)


def test_kernel_centerer():
    gram, new = X @ X.T, NEW @ X.T
    mine, other = KernelCenterer().fit(gram), TheirCenterer().fit(gram)
    assert_allclose(mine.transform(new), other.transform(new), atol=1e-12)
    assert_allclose(mine.K_fit_rows_, other.K_fit_rows_)
    assert mine.K_fit_all_ == pytest.approx(other.K_fit_all_)
    assert_array_equal(new, NEW @ X.T)  # the caller's array is left alone
    with pytest.raises(InvalidDataError, match="square"):
        KernelCenterer().fit(X)
