"""Leave-one-out by brute force, folds by hand, and the choice among penalties and widths."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.kernel_ridge import KernelRidge as Reference
from sklearn.model_selection import GridSearchCV, KFold

from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.kernel_ridge import KernelRidge, KernelRidgeCV

ALPHAS = [0.01, 0.3, 5.0]


def brute_force(x, y, weights, alpha, **kernel):
    """Predictions of each row by a refit without it."""
    found = np.empty_like(y)
    for i in range(len(x)):
        kept = np.arange(len(x)) != i
        w = None if weights is None else weights[kept]
        found[i] = Reference(alpha, **kernel).fit(x[kept], y[kept], w).predict(x[i : i + 1])[0]
    return found


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kernel", ["rbf", "poly", "linear"])
def test_leave_one_out_is_that_of_refits(rows, targets, weights, kernel, weighted):
    x, y, w = rows[:40], targets[:40], weights[:40] if weighted else None
    model = KernelRidgeCV(ALPHAS, kernel=kernel, store_cv_results=True).fit(x, y, w)
    assert_allclose(
        model.loo_predictions_, brute_force(x, y, w, model.alpha_, kernel=kernel), atol=1e-8
    )
    for place, alpha in enumerate(ALPHAS):
        squares = (y - brute_force(x, y, w, alpha, kernel=kernel)) ** 2
        if w is not None:
            squares *= w[:, None]
        assert_allclose(model.cv_results_[:, :, place], squares, atol=1e-7)
        assert_allclose(model.cv_scores_[place], -squares.mean(), rtol=1e-7)
    assert model.best_score_ == model.cv_scores_.max()
    want = KernelRidge(model.alpha_, kernel=kernel).fit(x, y, w)
    assert_allclose(model.dual_coef_, want.dual_coef_, atol=1e-8)
    assert model.certificate_.optimal


def test_widths_and_penalties_by_folds_as_a_grid_search_finds_them(rows, targets):
    widths = [0.05, 0.5, 3.0]
    folds = KFold(4)
    search = GridSearchCV(
        Reference(kernel="rbf"), {"gamma": widths, "alpha": ALPHAS}, cv=folds, scoring="r2"
    ).fit(rows, targets)
    model = KernelRidgeCV(ALPHAS, kernel="rbf", gamma=widths, cv=folds).fit(rows, targets)
    assert (model.alpha_, model.gamma_) == (
        search.best_params_["alpha"],
        search.best_params_["gamma"],
    )
    assert_allclose(model.best_score_, search.best_score_, rtol=1e-9)
    assert model.cv_scores_.shape == (3, 3, 4)
    assert_allclose(model.predict(rows[:7]), search.predict(rows[:7]), atol=1e-8)


def test_a_penalty_for_each_target_is_that_of_each_alone(rows, targets):
    both = KernelRidgeCV(ALPHAS, kernel="rbf", gamma=1.0, alpha_per_target=True)
    both.fit(rows, targets)
    for t in range(2):
        alone = KernelRidgeCV(ALPHAS, kernel="rbf", gamma=1.0).fit(rows, targets[:, t])
        assert both.alpha_[t] == alone.alpha_
        assert_allclose(both.dual_coef_[:, t], alone.dual_coef_, atol=1e-10)
        assert_allclose(both.loo_predictions_[:, t], alone.loo_predictions_, atol=1e-10)


def test_given_matrices_and_scorers(rows, targets, weights):
    y = targets[:, 0]
    gram = np.exp(-0.3 * ((rows[:, None] - rows[None]) ** 2).sum(axis=2))
    given = KernelRidgeCV(ALPHAS, kernel="precomputed", scoring="neg_mean_absolute_error")
    named = KernelRidgeCV(ALPHAS, kernel="rbf", gamma=0.3, scoring="neg_mean_absolute_error")
    given.fit(gram, y, weights)
    named.fit(rows, y, weights)
    assert given.alpha_ == named.alpha_
    assert_allclose(given.best_score_, named.best_score_, rtol=1e-10)
    want = -np.average(np.abs(y - named.loo_predictions_), weights=weights)
    assert_allclose(named.best_score_, want, rtol=1e-10)
    assert_allclose(given.predict(gram), named.predict(rows), atol=1e-10)


def test_indefinite_matrices_are_told(rows, targets):
    gram = rows @ rows.T - 5.0 * np.eye(len(rows))
    for cv in (None, 3):
        with pytest.warns(StylobateWarning, match=r"K \+ αI has the eigenvalue -4\. Its"):
            KernelRidgeCV([1.0], kernel="precomputed", cv=cv).fit(gram, targets)


def test_refusals(rows, targets):
    twice = np.vstack([rows, rows])
    with pytest.raises(InvalidDataError, match="singular"):
        KernelRidgeCV([0.0]).fit(twice, np.vstack([targets, targets]))
    assert KernelRidgeCV([0.0, 1.0]).fit(rows, targets).alpha_ == 1.0
    with pytest.raises(InvalidParameterError, match="leave-one-out"):
        KernelRidgeCV(cv=3, store_cv_results=True).fit(rows, targets)
