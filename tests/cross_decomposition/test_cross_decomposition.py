"""Partial least squares and canonical correlations against scikit-learn, closed forms and laws."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import linalg, stats
from sklearn import cross_decomposition as theirs
from sklearn.model_selection import KFold

import stylobate
from stylobate.cross_decomposition import CCA, PLSSVD, PLSCanonical, PLSRegression
from stylobate.exceptions import ConvergenceWarning, InvalidDataError, StylobateWarning
from stylobate.linear_model import LinearRegression
from stylobate.model_selection import GridSearchCV

LEARNT = (
    "x_weights_",
    "y_weights_",
    "x_loadings_",
    "y_loadings_",
    "x_rotations_",
    "y_rotations_",
    "coef_",
    "intercept_",
    "x_scores_",
    "y_scores_",
)
SHAPES = [(100, 6, 3), (300, 20, 5), (30, 60, 4), (40, 5, 1), (12, 9, 4)]


def blocks(n=100, p=6, q=3, seed=0):
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=(n, 3))
    X = shared @ rng.normal(size=(3, p)) + rng.normal(size=(n, p)) + 10.0 * rng.uniform(size=p)
    return X * rng.uniform(0.1, 9.0, p), shared @ rng.normal(size=(3, q)) + rng.normal(size=(n, q))


def assert_same(ours, expected, tolerance=1e-8):
    for name in LEARNT:
        if hasattr(expected, name):
            value = getattr(expected, name)
            error = np.abs(getattr(ours, name) - value).max()
            assert error <= tolerance * np.abs(value).max(), name


@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_partial_least_squares_are_those_of_scikit_learn(shape, scale):
    X, y = blocks(*shape)
    ours = PLSRegression(3, scale=scale).fit(X, y)
    expected = theirs.PLSRegression(3, scale=scale).fit(X, y)
    assert_same(ours, expected)
    assert ours.n_iter_ == expected.n_iter_
    np.testing.assert_allclose(ours.predict(X), expected.predict(X))
    k = min(3, shape[2])
    for algorithm in ("nipals", "svd"):
        settings = {"n_components": k, "scale": scale, "algorithm": algorithm}
        ours, expected = PLSCanonical(**settings).fit(X, y), theirs.PLSCanonical(**settings)
        assert_same(ours, expected.fit(X, y))
        assert ours.n_iter_ == expected.n_iter_
        for one, other in zip(ours.transform(X, y), expected.transform(X, y), strict=True):
            np.testing.assert_allclose(one, other, atol=1e-8)
    assert_same(PLSSVD(k, scale=scale).fit(X, y), theirs.PLSSVD(k, scale=scale).fit(X, y))


@pytest.mark.parametrize("shape", [(100, 6, 3), (300, 20, 5), (40, 5, 1)], ids=str)
def test_canonical_correlations_are_what_the_power_method_tends_to(shape):
    X, y = blocks(*shape)
    k = min(3, shape[2])
    ours = CCA(k).fit(X, y)
    assert_same(ours, theirs.CCA(k, tol=1e-28, max_iter=10**5).fit(X, y), 1e-7)
    t, u = ours.transform(X, y)
    found = [stats.pearsonr(t[:, j], u[:, j])[0] for j in range(k)]
    np.testing.assert_allclose(ours.correlations_[:k], found)
    np.testing.assert_allclose(t.T @ t, np.diag(np.diag(t.T @ t)), atol=1e-9)


def test_canonical_correlations_are_cosines_of_angles_between_subspaces():
    X, y = blocks(50, 4, 3)
    centred = [each - each.mean(axis=0) for each in (X, y)]
    angles = linalg.subspace_angles(*centred)
    np.testing.assert_allclose(CCA(1).fit(X, y).correlations_, np.sort(np.cos(angles))[::-1])


def test_one_target_correlates_as_least_squares_does():
    X, y = blocks(60, 4, 1)
    model = CCA(1).fit(X, y[:, 0])
    assert model.correlations_[0] ** 2 == pytest.approx(LinearRegression().fit(X, y).score(X, y))
    summary = model.summary()
    assert summary.wilks[0] == pytest.approx(1.0 - model.correlations_[0] ** 2)


def test_the_test_of_no_correlation_has_its_size():
    """Of independent blocks, p values are uniform (a Kolmogorov-Smirnov test of 200 of them)."""
    rng = np.random.default_rng(0)
    draws = [
        CCA(1).fit(rng.normal(size=(80, 3)), rng.normal(size=(80, 2))).summary().p_values[0]
        for _ in range(200)
    ]
    assert stats.kstest(draws, "uniform").pvalue > 0.01


def test_dependent_columns_leave_the_correlations_as_they_are():
    X, y = blocks(80, 4, 3)
    plain = CCA(2).fit(X, y)
    wider = np.hstack([X, X[:, :2] @ [[1.0], [2.0]], np.ones((80, 1))])
    doubled = CCA(2).fit(wider, y)
    assert (doubled.x_rank_, doubled.y_rank_) == (4, 3)
    np.testing.assert_allclose(doubled.correlations_, plain.correlations_)
    one, other = doubled.transform(wider), plain.transform(X)
    np.testing.assert_allclose(np.abs(np.corrcoef(one[:, 0], other[:, 0])), 1.0)


def test_fewer_rows_than_columns_correlate_perfectly_and_the_summary_says_so():
    X, y = blocks(6, 9, 2)
    model = CCA(2).fit(X, y)
    np.testing.assert_allclose(model.correlations_, 1.0)
    assert np.isnan(model.summary().p_values).all()
    assert "whatever the data" in str(model.summary())


def test_more_components_than_ranks_are_zero_and_said():
    X, y = blocks(60, 4, 3)
    y[:, 2] = y[:, 0] + y[:, 1]
    with pytest.warns(StylobateWarning, match="no more than 2 canonical pairs"):
        model = CCA(3).fit(X, y)
    assert not model.x_rotations_[:, 2].any()


def test_all_components_are_least_squares():
    X, y = blocks(200, 6, 3)
    model = PLSRegression(6).fit(X, y)
    np.testing.assert_allclose(model.coef_, LinearRegression().fit(X, y).coef_, rtol=1e-7)
    assert model.x_explained_variance_ratio_.sum() == pytest.approx(1.0)
    assert model.y_explained_variance_ratio_.sum() < 1.0
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X)
    assert (model.vip_**2).mean() == pytest.approx(1.0)


def test_explained_variances_are_those_of_the_rows():
    X, y = blocks(90, 8, 2)
    model = PLSRegression(3).fit(X, y)
    left = X - model.inverse_transform(model.transform(X))
    lost = (left**2 / X.var(axis=0)).sum() / X.size
    assert model.x_explained_variance_ratio_.sum() == pytest.approx(1.0 - lost)
    assert model.y_explained_variance_ratio_.sum() == pytest.approx(model.score(X, y))


def test_nearly_dependent_columns_are_read_as_a_triangular_factor():
    rng = np.random.default_rng(3)
    base = rng.normal(size=(300, 5))
    X = np.hstack([base, base[:, :2] + 1e-6 * rng.normal(size=(300, 2))])
    y = X @ rng.normal(size=(7, 2)) + 1e-3 * rng.normal(size=(300, 2))
    ours = PLSRegression(7, tol=1e-20).fit(X, y)
    assert "triangular factor" in ours.solver_reason_
    expected = theirs.PLSRegression(7, tol=1e-20).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), expected.predict(X), atol=1e-8)


def test_targets_that_are_explained_end_the_components():
    X, _ = blocks(50, 4, 1)
    with pytest.warns(StylobateWarning, match="at iteration"):
        model = PLSRegression(3).fit(X, np.ones(50))
    assert not model.coef_.any()
    np.testing.assert_array_equal(model.predict(X), np.ones(50))
    with pytest.warns(StylobateWarning, match="at iteration 1"):
        model = PLSRegression(2).fit(X[:, [0, 0]], 2.0 * X[:, 0])
    np.testing.assert_allclose(model.predict(X[:, [0, 0]]), 2.0 * X[:, 0])


def test_too_few_iterations_are_told():
    X, y = blocks(60, 8, 4)
    with pytest.warns(ConvergenceWarning, match="Maximum number of iterations"):
        PLSCanonical(3, max_iter=2).fit(X, y)


def test_a_search_over_components_needs_no_refits():
    X, y = blocks(400, 10, 2)
    grid = {"n_components": [1, 2, 3, 5]}
    ours = GridSearchCV(PLSRegression(), grid, cv=KFold(4)).fit(X, y)
    from sklearn.model_selection import GridSearchCV as Theirs

    expected = Theirs(theirs.PLSRegression(), grid, cv=KFold(4)).fit(X, y)
    np.testing.assert_allclose(
        ours.cv_results_["mean_test_score"], expected.cv_results_["mean_test_score"], rtol=1e-9
    )
    assert ours.best_params_ == expected.best_params_


@pytest.mark.parametrize("kind", [PLSRegression, PLSCanonical, CCA, PLSSVD])
def test_threads_and_weights(kind):
    X, y = blocks(3000, 8, 3)
    before = stylobate.get_threads()
    try:
        found = []
        for threads in (1, 2, 7):
            stylobate.set_threads(threads)
            found.append(kind(2).fit(X, y).x_weights_)
    finally:
        stylobate.set_threads(before)
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])
    times = np.random.default_rng(0).integers(0, 3, 60)
    repeated = kind(2).fit(X[:60].repeat(times, axis=0), y[:60].repeat(times, axis=0))
    weighted = kind(2).fit(X[:60], y[:60], sample_weight=times)
    np.testing.assert_allclose(weighted.x_weights_, repeated.x_weights_, atol=1e-9)


@pytest.mark.parametrize("kind", [PLSRegression, PLSCanonical, CCA, PLSSVD])
def test_wrong_input_is_refused_in_a_sentence(kind):
    X, y = blocks(20, 4, 2)
    with pytest.raises(ValueError, match="`n_components` upper bound is"):
        kind(5).fit(X, y)
    with pytest.raises(InvalidDataError, match="requires y"):
        kind(1).fit(X)
    model = kind(1).fit(X, y)
    with pytest.raises(InvalidDataError, match="y has 3 columns; the model has 2"):
        model.transform(X, np.ones((20, 3)))
    X[3, 1] = np.nan
    with pytest.raises(InvalidDataError, match="NaN"):
        kind(1).fit(X, y)
    with pytest.raises(InvalidDataError, match="NaN"):
        kind(1).fit(X[:5], y[:5])


@pytest.mark.parametrize("kind", [PLSRegression, PLSCanonical, CCA, PLSSVD])
@pytest.mark.parametrize("size", [1e-70, 1e-8, 1e8, 1e70])
def test_units_do_not_matter(kind, size):
    X, y = blocks(50, 4, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plain, scaled = kind(2).fit(X, y), kind(2).fit(X * size, y)
    np.testing.assert_allclose(scaled.x_weights_, plain.x_weights_, atol=1e-9)


def test_scores_of_rows_are_kept_by_fits_to_memory_alone():
    X, y = blocks(50, 4, 2)
    model = PLSRegression(2).fit(X, y)
    np.testing.assert_allclose(model.x_scores_, model.transform(X), atol=1e-12)
    model.partial_fit(X, y)
    with pytest.raises(AttributeError, match="memory alone"):
        _ = model.x_scores_
