"""Truncated singular value decompositions against NumPy and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.decomposition import TruncatedSVD as Theirs

from stylobate.decomposition import TruncatedSVD
from stylobate.exceptions import InvalidDataError, InvalidParameterError


@pytest.fixture(scope="module", params=["tall", "wide"])
def counts(request):
    shape = (120, 50) if request.param == "tall" else (40, 90)
    x = sparse.random(*shape, density=0.2, format="csr", random_state=0)
    return sparse.csr_array(x @ sparse.diags(0.9 ** np.arange(shape[1])))


@pytest.mark.parametrize("algorithm", ["arpack", "randomized"])
@pytest.mark.parametrize("form", ["csr", "csc", "dense"])
def test_agrees_with_numpy_and_scikit_learn(counts, algorithm, form):
    x = counts.toarray() if form == "dense" else counts.asformat(form)
    ours = TruncatedSVD(5, algorithm=algorithm, random_state=0)
    theirs = Theirs(5, algorithm=algorithm, random_state=0)
    found, expected = ours.fit_transform(x), theirs.fit_transform(x)
    tolerance = 1e-9 if algorithm == "arpack" else 2e-2
    np.testing.assert_allclose(found, expected, atol=tolerance)
    for name in ("components_", "singular_values_", "explained_variance_ratio_"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), atol=tolerance)
    exact = np.linalg.svd(counts.toarray(), compute_uv=False)[:5]
    np.testing.assert_allclose(ours.singular_values_, exact, rtol=1e-3)
    np.testing.assert_allclose(ours.transform(x), found, atol=1e-10)


def test_the_way_back_is_the_nearest_matrix_of_its_rank(counts):
    dense = counts.toarray()
    model = TruncatedSVD(6, algorithm="arpack", random_state=0)
    back = model.inverse_transform(model.fit_transform(counts))
    sizes = np.linalg.svd(dense, compute_uv=False)
    assert np.linalg.norm(dense - back) == pytest.approx(np.sqrt((sizes[6:] ** 2).sum()))


def test_more_components_than_the_rank():
    x = np.outer(np.arange(1.0, 9.0), [1.0, 2.0, 3.0, 4.0])
    for algorithm, k in (("arpack", 3), ("randomized", 4)):
        model = TruncatedSVD(k, algorithm=algorithm, random_state=0).fit(x)
        assert model.singular_values_[0] == pytest.approx(np.linalg.norm(x))
        rounding = 4.0 * np.sqrt(np.finfo(float).eps)  # of roots of eigenvalues
        assert model.singular_values_[1:].max() <= rounding * model.singular_values_[0]
        np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(k), atol=1e-9)


def test_what_is_refused():
    with pytest.raises(InvalidParameterError, match="n_features"):
        TruncatedSVD(4).fit(np.eye(3))
    with pytest.raises(InvalidParameterError, match="min"):
        TruncatedSVD(3, algorithm="arpack").fit(np.eye(3))
    with pytest.raises(InvalidDataError, match="minimum of 2"):
        TruncatedSVD(1).fit(np.ones((3, 1)))
