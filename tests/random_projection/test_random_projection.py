"""Random projections: distances kept, draws as they should be, the way back."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import pdist
from sklearn.random_projection import GaussianRandomProjection as TheirGaussian
from sklearn.random_projection import johnson_lindenstrauss_min_dim as their_bound

from stylobate.exceptions import DataDimensionalityWarning, InvalidParameterError
from stylobate.random_projection import (
    GaussianRandomProjection,
    SparseRandomProjection,
    johnson_lindenstrauss_min_dim,
)

BOTH = [GaussianRandomProjection, SparseRandomProjection]


@pytest.mark.parametrize("kind", BOTH)
def test_distances_are_kept_as_promised(kind):
    x = np.random.default_rng(3).normal(size=(25, 2000)) * np.linspace(0.1, 3, 2000)
    k = johnson_lindenstrauss_min_dim(25, eps=0.4)
    ratios = []
    for seed in range(8):
        z = kind(eps=0.4, random_state=seed).fit_transform(x)
        assert z.shape == (25, k)
        ratios.append((pdist(z) / pdist(x)) ** 2)
    errors = np.array(ratios) - 1.0
    # all pairs at once, with good probability: here in seven of eight draws at least
    assert np.count_nonzero((np.abs(errors) < 0.4).all(axis=1)) >= 7
    assert errors.std() == pytest.approx(np.sqrt(2.0 / k), rel=0.12)
    assert abs(errors.mean()) < 0.03


def test_the_bound_and_the_gaussian_draws_are_scikit_learns():
    for n, eps in ((10, 0.1), ([1e3, 1e6], 0.5), (1e6, [0.1, 0.01])):
        found = johnson_lindenstrauss_min_dim(n, eps=eps)
        assert np.array_equal(found, their_bound(n, eps=eps))
    x = np.ones((4, 30))
    ours = GaussianRandomProjection(5, random_state=7).fit(x)
    assert np.array_equal(ours.components_, TheirGaussian(5, random_state=7).fit(x).components_)
    for n, eps in ((0, 0.1), (10, 0.0), (10, 1.0)):
        with pytest.raises(InvalidParameterError, match="JL bound"):
            johnson_lindenstrauss_min_dim(n, eps=eps)


@pytest.mark.parametrize("density", [0.01, 0.3, 1.0])
def test_sparse_directions_have_the_right_entries(density):
    k, p = 60, 900
    model = SparseRandomProjection(k, density=density, random_state=0).fit(np.ones((2, p)))
    dense = model.components_ if density == 1.0 else model.components_.toarray()
    value = np.sqrt(1.0 / density) / np.sqrt(k)
    assert set(np.unique(np.abs(dense)).round(12)) <= {0.0, round(value, 12)}
    share = np.count_nonzero(dense) / dense.size
    spread = np.sqrt(density * (1 - density) / dense.size)
    assert abs(share - density) <= 4 * spread
    assert abs((dense > 0).sum() / (dense != 0).sum() - 0.5) < 4 * 0.5 / np.sqrt((dense != 0).sum())
    columns = np.count_nonzero(dense, axis=0)  # cells are chosen independently
    assert columns.var() == pytest.approx(k * density * (1 - density), rel=0.25, abs=1e-9)


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("kept", [True, False])
def test_the_way_back_and_sparse_rows(kind, kept):
    x = np.random.default_rng(0).normal(size=(6, 40))
    model = kind(10, compute_inverse_components=kept, random_state=0).fit(x)
    z = model.transform(x)
    np.testing.assert_allclose(model.transform(model.inverse_transform(z)), z, atol=1e-10)
    assert hasattr(model, "inverse_components_") == kept
    of_sparse = model.transform(sparse.csr_array(x))
    if kind is SparseRandomProjection:
        assert sparse.issparse(of_sparse)
        of_sparse = model.set_params(dense_output=True).transform(sparse.csr_array(x))
    np.testing.assert_allclose(of_sparse, z, atol=1e-12)


def test_more_dimensions_than_columns():
    from sklearn.exceptions import DataDimensionalityWarning as Theirs

    with pytest.warns(Theirs, match="higher than the number of features") as told:
        GaussianRandomProjection(9).fit(np.ones((3, 4)))
    assert issubclass(told[0].category, DataDimensionalityWarning)
    with pytest.raises(InvalidParameterError, match="larger than the original space"):
        SparseRandomProjection().fit(np.ones((30, 4)))
