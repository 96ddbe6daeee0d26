"""Mutual information against scikit-learn, closed forms and brute force."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.feature_selection as theirs
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.special import digamma

import stylobate.feature_selection as ours
from stylobate.exceptions import InvalidDataError, InvalidParameterError


def awkward(n, seed=0):
    """Smooth, discrete, heavy-tailed, nearly equal and constant columns."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    X[:, 1] = np.round(X[:, 1])
    X[:, 2] = np.exp(4 * X[:, 2])
    X[:, 3] = X[:, 0] + 1e-6 * X[:, 3]
    X[:, 4] = 7.0
    return X, X[:, 0] + 0.3 * rng.normal(size=n)


@pytest.mark.parametrize("n", [30, 700])
@pytest.mark.parametrize("k", [1, 3, 8])
def test_continuous_is_scikit_learns(n, k):
    X, y = awkward(n)
    options = {"n_neighbors": k, "random_state": 3}
    found = ours.mutual_info_regression(X, y, **options)
    np.testing.assert_allclose(found, theirs.mutual_info_regression(X, y, **options), atol=1e-9)


@pytest.mark.parametrize(
    "discrete", [False, True, [1, 4], [False, True, False, False, True, False]]
)
def test_discrete_features_are_scikit_learns(discrete):
    X, y = awkward(300)
    # scikit-learn's neighbours within very small classes are not exact: let classes be large
    X = np.clip(np.round(X), -1, 1) if discrete is True else X
    options = {"discrete_features": discrete, "random_state": 3}
    found = ours.mutual_info_regression(X, y, **options)
    np.testing.assert_allclose(found, theirs.mutual_info_regression(X, y, **options), atol=1e-9)
    classes = np.digitize(y, [-1, 0, 1])
    classes[0] = 9  # a class of one row
    found = ours.mutual_info_classif(X, classes, **options)
    np.testing.assert_allclose(found, theirs.mutual_info_classif(X, classes, **options), atol=1e-9)


def test_sparse_features_are_discrete():
    rng = np.random.default_rng(0)
    X = sparse.csr_array(rng.poisson(0.5, size=(200, 5)).astype(float))
    y = np.array(["no", "yes"])[(X.toarray()[:, 0] > 0).astype(int)]
    found = ours.mutual_info_classif(X, y)
    np.testing.assert_allclose(found, theirs.mutual_info_classif(X, y), atol=1e-12)
    with pytest.raises(InvalidDataError, match="continuous features"):
        ours.mutual_info_classif(X, y, discrete_features=False)


def test_gaussian_information():
    """I = −½ log(1 − ρ²) of a bivariate normal."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=5000)
    y = 0.8 * x + 0.6 * rng.normal(size=5000)
    truth = -0.5 * np.log(1 - 0.64)
    assert abs(ours.mutual_info_regression(x[:, None], y)[0] - truth) < 0.05
    assert abs(ours.binned_mutual_information(x[:, None], y)[0] - truth) < 0.1
    assert ours.binned_mutual_information(rng.normal(size=(5000, 1)), y)[0] < 0.01


def brute(x, y, k):
    distance = np.maximum(np.abs(x[:, None] - x), np.abs(y[:, None] - y))
    np.fill_diagonal(distance, np.inf)
    radius = np.nextafter(np.sort(distance, axis=1)[:, k - 1], 0)
    nx = (np.abs(x[:, None] - x) <= radius[:, None]).sum(axis=1)
    ny = (np.abs(y[:, None] - y) <= radius[:, None]).sum(axis=1)
    return np.mean(digamma(nx) + digamma(ny))


@given(
    n=st.integers(2, 90), k=st.integers(1, 5), seed=st.integers(0, 99), levels=st.integers(1, 50)
)
def test_neighbour_counts_by_brute_force(n, k, seed, levels):
    from stylobate import _core

    k = min(k, n - 1)
    rng = np.random.default_rng(seed)
    x = rng.integers(0, levels, n) * 10.0 ** rng.integers(-9, 9) + 1e-10 * rng.normal(size=n)
    y = rng.integers(0, levels, n) + 1e-10 * rng.normal(size=n)
    psi = digamma(np.maximum(np.arange(n + 1.0), 1))
    found = _core.joint_neighbour_counts(np.column_stack([x, y]), y, k, psi)
    np.testing.assert_allclose(found, [brute(x, y, k), brute(y, y, k)], rtol=1e-12)


def test_seeds_repeat_and_threads_do_not_matter():
    from stylobate import threads

    X, y = awkward(200)
    results = []
    for count in (1, 2, 5):
        with threads(count):
            results.append(ours.mutual_info_regression(X, y, random_state=1))
    assert (results[0] == results[1]).all()
    assert (results[0] == results[2]).all()


def test_bins_of_classes_and_few_values():
    a = np.repeat([0, 1, 2, 3], 50)
    X = np.column_stack([a, a // 2, np.tile([0, 1], 100)]).astype(float)
    found = ours.binned_mutual_information(X, a, discrete_target=True, correct=False)
    np.testing.assert_allclose(found, [np.log(4), np.log(2), 0.0], atol=1e-12)
    uniform = ours.binned_mutual_information(X, a, strategy="uniform", bins=4, correct=False)
    np.testing.assert_allclose(uniform, found, atol=1e-12)


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda X, y: ours.mutual_info_regression(X, y, n_neighbors=0), "n_neighbors"),
        (lambda X, y: ours.mutual_info_regression(X, y, n_neighbors=99), "rows"),
        (lambda X, y: ours.mutual_info_regression(X, y, discrete_features="no"), "discrete"),
        (lambda X, y: ours.mutual_info_regression(X, y, discrete_features=[99]), "discrete"),
        (lambda X, y: ours.mutual_info_regression(X, y, random_state=-1), "random_state"),
        (lambda X, y: ours.binned_mutual_information(X, y, bins=1), "bins"),
        (lambda X, y: ours.binned_mutual_information(X, y, strategy="no"), "strategy"),
    ],
)
def test_refusals(call, word):
    X, y = awkward(20)
    with pytest.raises((InvalidParameterError, InvalidDataError), match=word):
        call(X, y)
