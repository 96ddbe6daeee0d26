"""Filters against scikit-learn and SciPy, on dense, sparse and awkward data."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.feature_selection as theirs
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse, stats
from sklearn.utils.estimator_checks import check_estimator

import stylobate.feature_selection as ours
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 130)) * rng.lognormal(size=130) + 3.0
    y = X[:, 0] - 2 * X[:, 5] + rng.normal(size=90)
    return X, y


@pytest.fixture
def counts():
    rng = np.random.default_rng(1)
    X = rng.poisson(1.0, size=(80, 60)).astype(float)
    return X, np.array(["a", "b", "c"])[rng.integers(0, 3, 80)]


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array, sparse.csc_matrix])
def test_correlation_and_f_test(data, center, container):
    X, y = data
    X = container(X)
    expected = theirs.f_regression(X, y, center=center)
    found = ours.f_regression(X, y, center=center)
    r = ours.r_regression(X, y, center=center)
    np.testing.assert_allclose(r, theirs.r_regression(X, y, center=center), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-8)
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-7)


def test_correlation_keeps_digits_far_from_zero():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = X[:, 0] + rng.normal(size=200)
    expected = ours.r_regression(X, y)
    np.testing.assert_allclose(ours.r_regression(X + 1e7, y), expected, rtol=1e-6)


def test_constant_and_perfect_features():
    x = np.arange(8.0)
    X = np.column_stack([x, np.full(8, 0.1), -x])
    np.testing.assert_allclose(ours.r_regression(X, x), [1.0, 0.0, -1.0], atol=1e-15)
    assert np.isnan(ours.r_regression(X, x, force_finite=False)[1])
    f, p = ours.f_regression(X, x)
    assert f[1] == 0.0
    assert p[1] == 1.0
    assert f[0] > 1e10
    assert p[0] < 1e-10
    f, p = ours.f_regression(X, np.ones(8))  # a constant target
    assert (f == 0).all()
    assert (p == 1).all()


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_analysis_of_variance(counts, container):
    X, y = counts
    expected = theirs.f_classif(container(X), y)
    for found in (
        ours.f_classif(container(X), y),
        ours.f_oneway(*[container(X)[y == label] for label in np.unique(y)]),
    ):
        np.testing.assert_allclose(found[0], expected[0], rtol=1e-9)
        np.testing.assert_allclose(found[1], expected[1], rtol=1e-9)


def test_analysis_of_variance_is_scipys():
    a, b, c = [1.0, 2.0, 4.0], [2.0, 5.0, 7.0, 7.5], [0.5, 0.1]
    found = ours.f_oneway(a, b, c)
    expected = stats.f_oneway(a, b, c)
    np.testing.assert_allclose([found[0][0], found[1][0]], [expected.statistic, expected.pvalue])


def test_analysis_of_variance_says_what_is_constant(counts):
    X, y = counts
    X[:, 3] = 1.0
    with pytest.warns(StylobateWarning, match=r"Features \[3\] are constant"):
        f, _ = ours.f_classif(X, y)
    assert np.isnan(f[3])
    assert np.isfinite(np.delete(f, 3)).all()


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array, sparse.csc_array])
def test_chi2(counts, container):
    X, y = counts
    found, expected = ours.chi2(container(X), y), theirs.chi2(container(X), y)
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-10)
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-10)


def test_chi2_refuses_negative_numbers():
    with pytest.raises(InvalidDataError, match="non-negative"):
        ours.chi2([[1.0], [-1.0]], [0, 1])


def test_refusals():
    with pytest.raises(InvalidParameterError, match="at least two samples"):
        ours.f_oneway([1.0, 2.0])
    with pytest.raises(InvalidDataError, match="columns"):
        ours.f_oneway([[1.0], [2.0]], [[1.0, 2.0]])
    with pytest.raises(InvalidDataError, match="NaN"):
        ours.f_regression([[1.0], [np.nan]], [1.0, 2.0])


SELECTORS = [
    ("SelectKBest", {"k": 3}),
    ("SelectKBest", {"k": "all"}),
    ("SelectKBest", {"k": 0}),
    ("SelectPercentile", {"percentile": 7}),
    ("SelectPercentile", {"percentile": 0}),
    ("SelectPercentile", {"percentile": 100}),
    ("SelectFpr", {"alpha": 0.1}),
    ("SelectFdr", {"alpha": 0.1}),
    ("SelectFwe", {"alpha": 0.3}),
    ("GenericUnivariateSelect", {"mode": "k_best", "param": 4}),
    ("GenericUnivariateSelect", {"mode": "fdr", "param": 0.2}),
    ("GenericUnivariateSelect", {"mode": "percentile", "param": 20}),
]


@pytest.mark.parametrize(("name", "params"), SELECTORS)
def test_selectors_choose_as_scikit_learn(data, name, params):
    X, y = data
    found = getattr(ours, name)(ours.f_regression, **params).fit(X, y)
    expected = getattr(theirs, name)(theirs.f_regression, **params).fit(X, y)
    np.testing.assert_array_equal(found.get_support(), expected.get_support())
    if found.get_support().any():
        np.testing.assert_array_equal(found.transform(X), expected.transform(X))
        part = found.transform(X)
        np.testing.assert_array_equal(
            found.inverse_transform(part), expected.inverse_transform(part)
        )
    assert list(found.get_feature_names_out()) == list(expected.get_feature_names_out())
    step = found.history_[0]
    assert step.n_features == found.get_support().sum()
    np.testing.assert_array_equal(step.candidate_scores, found.scores_)


@settings(max_examples=40)
@given(
    scores=st.lists(st.sampled_from([0.0, 1.0, 2.0, float("nan")]), min_size=2, max_size=12),
    percentile=st.integers(0, 100),
    k=st.integers(0, 12),
)
def test_ties_and_missing_scores(scores, percentile, k):
    X = np.ones((3, len(scores)))
    k = min(k, len(scores))
    fixed = np.array(scores)
    for name, params in (
        ("SelectPercentile", {"percentile": percentile}),
        ("SelectKBest", {"k": k}),
    ):
        found = getattr(ours, name)(lambda X, y: fixed, **params).fit(X, [1, 2, 3])
        expected = getattr(theirs, name)(lambda X, y: fixed, **params).fit(X, [1, 2, 3])
        np.testing.assert_array_equal(found.get_support(), expected.get_support())


def test_unsupervised_scores_need_no_target():
    X = np.arange(12.0).reshape(4, 3) * [1, 3, 2]
    assert ours.SelectKBest(lambda X, y: X.var(axis=0), k=1).fit(X).get_support(indices=True) == [1]


def test_scores_without_p_values_cannot_be_tested(data):
    X, y = data
    selector = ours.SelectFpr(ours.r_regression).fit(X, y)
    with pytest.raises(InvalidParameterError, match="p-values"):
        selector.get_support()


def test_too_many_wanted(data):
    X, y = data
    with pytest.warns(StylobateWarning, match="All the features will be returned"):
        ours.SelectKBest(ours.f_regression, k=500).fit(X, y)


@pytest.mark.parametrize("threshold", [0.0, 1.5])
@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array, sparse.csc_array])
def test_variances(threshold, container):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 60)) * np.linspace(0, 3, 60) + 0.1
    X[:, 7] = 0.1
    found = ours.VarianceThreshold(threshold).fit(container(X))
    expected = theirs.VarianceThreshold(threshold).fit(container(X))
    np.testing.assert_allclose(found.variances_, expected.variances_, rtol=1e-12, atol=1e-30)
    np.testing.assert_array_equal(found.get_support(), expected.get_support())


def test_variances_without_the_missing():
    X = np.array([[1.0, np.nan, 5.0], [2.0, 4.0, 5.0], [4.0, 7.0, 5.0]])
    found, expected = ours.VarianceThreshold().fit(X), theirs.VarianceThreshold().fit(X)
    np.testing.assert_allclose(found.variances_, expected.variances_)
    np.testing.assert_array_equal(found.get_support(), [True, True, False])


def test_nothing_varies():
    with pytest.raises(InvalidDataError, match="No feature in X meets"):
        ours.VarianceThreshold().fit(np.ones((3, 2)))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["SelectPercentile", "SelectFpr", "GenericUnivariateSelect"])
def test_defaults_keep_scikit_learns_contract(name):
    """The classes' own default score, f_classif; the common checks use f_regression."""
    check_estimator(getattr(ours, name)())


def test_sparse_goes_back(counts):
    X, y = counts
    selector = ours.SelectKBest(ours.chi2, k=5).fit(sparse.csr_array(X), y)
    kept = selector.transform(sparse.csr_array(X))
    back = selector.inverse_transform(kept)
    np.testing.assert_array_equal(back.toarray(), np.where(selector.get_support(), X, 0.0))
    with pytest.raises(InvalidDataError, match="different shape"):
        selector.inverse_transform(np.ones((2, 3)))


def test_a_threshold_of_the_scores():
    from stylobate.feature_selection import SelectByScore, r_regression

    random = np.random.default_rng(0)
    X = random.normal(size=(200, 4))
    y = X[:, 0] - X[:, 1] + 0.1 * random.normal(size=200)
    known = np.array([np.corrcoef(column, y)[0, 1] for column in X.T])
    for threshold in (0.0, 0.05, 0.5, 0.99):
        chosen = SelectByScore(r_regression, threshold=threshold).fit(X, y)
        np.testing.assert_array_equal(chosen.get_support(), np.abs(known) >= threshold)
    signed = SelectByScore(r_regression, threshold=0.5, absolute=False).fit(X, y)
    np.testing.assert_array_equal(signed.get_support(), known >= 0.5)
    constant = SelectByScore(lambda X, y: np.array([np.nan, 1.0, 2.0, -3.0]), threshold=0.0)
    assert constant.fit(X, y).get_support().tolist() == [False, True, True, True]
