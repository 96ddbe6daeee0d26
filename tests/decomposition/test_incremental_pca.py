"""Incremental PCA against scikit-learn and the components of all rows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.decomposition import IncrementalPCA as Theirs

from stylobate.decomposition import PCA, IncrementalPCA
from stylobate.exceptions import InvalidParameterError

NAMES = [
    "components_",
    "explained_variance_",
    "explained_variance_ratio_",
    "singular_values_",
    "mean_",
    "var_",
    "noise_variance_",
]


def rows(n=130, p=7):
    return np.random.default_rng(0).normal(size=(n, p)) * np.linspace(5, 1, p) + 3.0


@pytest.mark.parametrize(("k", "size"), [(3, 20), (None, 33), (7, None), (2, 64)])
@pytest.mark.parametrize("whiten", [False, True])
def test_agrees_with_scikit_learn(k, size, whiten):
    x = rows()
    ours = IncrementalPCA(k, batch_size=size, whiten=whiten).fit(x)
    theirs = Theirs(k, batch_size=size, whiten=whiten).fit(x)
    for name in NAMES:
        found, expected = getattr(ours, name), getattr(theirs, name)
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-10, err_msg=name)
    assert ours.n_samples_seen_ == theirs.n_samples_seen_
    np.testing.assert_allclose(ours.transform(x), theirs.transform(x), atol=1e-9)
    np.testing.assert_allclose(ours.get_covariance(), theirs.get_covariance(), atol=1e-9)


def test_nothing_is_lost_with_all_components():
    x = rows() + 1e6
    found, exact = IncrementalPCA(batch_size=30).fit(x), PCA(svd_solver="full").fit(x)
    np.testing.assert_allclose(found.components_, exact.components_, atol=1e-7)
    np.testing.assert_allclose(found.explained_variance_, exact.explained_variance_, rtol=1e-9)


def test_streams_are_cut_into_the_same_batches():
    x = rows()
    memory = IncrementalPCA(3, batch_size=40).fit(x)
    for size in (1, 17, 130):
        parts = [x[a : a + size] for a in range(0, len(x), size)]
        stream = IncrementalPCA(3, batch_size=40).fit_batches(parts)
        assert np.array_equal(stream.components_, memory.components_)


def test_partial_fit_sparse_and_refusals():
    x = rows()
    grown = IncrementalPCA(3).partial_fit(x[:50]).partial_fit(x[50:])
    theirs = Theirs(3).partial_fit(x[:50]).partial_fit(x[50:])
    np.testing.assert_allclose(grown.components_, theirs.components_, atol=1e-10)
    matrix = sparse.csr_array(x)
    fitted = IncrementalPCA(3, batch_size=40).fit(matrix)
    dense = IncrementalPCA(3, batch_size=40).fit(x)
    np.testing.assert_allclose(fitted.transform(matrix), dense.transform(x), atol=1e-12)
    with pytest.raises(TypeError, match="sparse"):
        IncrementalPCA(3).partial_fit(matrix)
    with pytest.raises(InvalidParameterError, match="first partial_fit"):
        IncrementalPCA(5).partial_fit(x[:3])
    with pytest.raises(InvalidParameterError, match="invalid for n_features"):
        IncrementalPCA(9).fit(x)
    with pytest.raises(InvalidParameterError, match="has changed"):
        grown.set_params(n_components=2).partial_fit(x)
