"""RidgeCV: leave-one-out, generalised and K-fold choices against refits and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn import linear_model as peer
from sklearn.metrics import make_scorer, mean_absolute_error
from sklearn.model_selection import GridSearchCV, KFold, ShuffleSplit

from stylobate.linear_model import Ridge, RidgeCV

ALPHAS = np.array([1e-2, 0.3, 5.0, 80.0])
SCORINGS = [
    "r2", "neg_mean_squared_error", "neg_root_mean_squared_error", "neg_mean_absolute_error",
]  # fmt: skip
WEIGHTED = pytest.mark.parametrize("weighted", [False, True], ids=["unweighted", "weighted"])
INTERCEPT = pytest.mark.parametrize("intercept", [True, False], ids=["intercept", "origin"])
SHAPES = pytest.mark.parametrize("shape", [(40, 5), (12, 30)], ids=["tall", "wide"])


def left_out_residuals(X, y, w, alpha, intercept):
    """Every row predicted by a model that never saw it."""
    errors = np.empty_like(y)
    for i in range(len(y)):
        keep = np.arange(len(y)) != i
        weights = None if w is None else w[keep]
        model = peer.Ridge(alpha, fit_intercept=intercept, solver="svd")
        errors[i] = y[i] - model.fit(X[keep], y[keep], weights).predict(X[[i]])[0]
    return errors


@WEIGHTED
@INTERCEPT
@SHAPES
@pytest.mark.parametrize("targets", [1, 2])
def test_leave_one_out_is_every_refit(shape, intercept, weighted, targets, make_data):
    X, y, w = make_data(*shape, targets, weighted)
    model = RidgeCV(ALPHAS, fit_intercept=intercept, store_cv_results=True).fit(X, y, w)
    for a, alpha in enumerate(ALPHAS):
        squares = left_out_residuals(X, y, w, alpha, intercept) ** 2
        squares = squares if w is None else (squares.T * w).T
        assert model.cv_results_[..., a] == pytest.approx(squares, rel=1e-7)
        assert model.cv_scores_[a] == pytest.approx(-squares.mean(), rel=1e-7)
    best = ALPHAS[model.cv_scores_.argmax()]
    assert model.alpha_ == best
    assert model.best_score_ == model.cv_scores_.max()
    final = peer.Ridge(best, fit_intercept=intercept, solver="svd").fit(X, y, w)
    assert model.coef_ == pytest.approx(final.coef_, rel=1e-8)
    plain = RidgeCV(ALPHAS, fit_intercept=intercept).fit(X, y, w)
    assert plain.cv_scores_ == pytest.approx(model.cv_scores_, rel=1e-12)


@WEIGHTED
@INTERCEPT
@SHAPES
@pytest.mark.parametrize(
    ("targets", "per_target"), [(1, False), (3, False), (3, True)], ids=["one", "three", "each"]
)
@pytest.mark.parametrize("scoring", [None, *SCORINGS])
def test_scikit_learn_leave_one_out(
    scoring, per_target, targets, shape, intercept, weighted, make_data
):
    X, y, w = make_data(*shape, targets, weighted, seed=3)
    settings = {
        "alphas": ALPHAS, "fit_intercept": intercept, "scoring": scoring,
        "alpha_per_target": per_target, "store_cv_results": True,
    }  # fmt: skip
    theirs, ours = peer.RidgeCV(**settings).fit(X, y, w), RidgeCV(**settings).fit(X, y, w)
    assert np.array_equal(ours.alpha_, theirs.alpha_)
    assert ours.best_score_ == pytest.approx(theirs.best_score_, rel=1e-7)
    assert ours.coef_ == pytest.approx(theirs.coef_, rel=1e-6, abs=1e-9)
    assert ours.intercept_ == pytest.approx(theirs.intercept_, rel=1e-6, abs=1e-9)
    assert ours.cv_results_.shape == theirs.cv_results_.shape
    assert ours.cv_results_ == pytest.approx(theirs.cv_results_, rel=1e-5, abs=1e-8)


@WEIGHTED
@INTERCEPT
def test_generalised_cross_validation_is_its_formula(intercept, weighted, make_data):
    X, Y, w = make_data(40, 5, 2, weighted)
    design = np.column_stack([np.ones(40), X]) if intercept else X
    weights = np.ones(40) if w is None else w
    scores = np.empty((len(ALPHAS), 2))
    for a, alpha in enumerate(ALPHAS):
        penalty = alpha * np.eye(design.shape[1])
        penalty[0, 0] *= not intercept
        hat = design @ np.linalg.solve((design.T * weights) @ design + penalty, design.T * weights)
        rss = weights @ (Y - hat @ Y) ** 2
        scores[a] = -40 * rss / (40 - np.trace(hat)) ** 2
    together = RidgeCV(ALPHAS, fit_intercept=intercept, cv="gcv").fit(X, Y, w)
    assert together.cv_scores_ == pytest.approx(scores.mean(axis=1), rel=1e-9)
    assert together.alpha_ == ALPHAS[scores.mean(axis=1).argmax()]
    each = RidgeCV(ALPHAS, fit_intercept=intercept, cv="gcv", alpha_per_target=True).fit(X, Y, w)
    assert each.cv_scores_ == pytest.approx(scores, rel=1e-9)
    assert np.array_equal(each.alpha_, ALPHAS[scores.argmax(axis=0)])


SPLITTERS = {
    "five": 5,
    "shuffled": KFold(4, shuffle=True, random_state=0),
    "random": ShuffleSplit(3, test_size=0.3, random_state=0),
    "pairs": [(np.arange(10, 40), np.arange(5)), (np.arange(25), np.arange(20, 40))],
}


@INTERCEPT
@pytest.mark.parametrize("shape", [(40, 5), (40, 60)], ids=["tall", "wide"])
@pytest.mark.parametrize("scoring", [None, *SCORINGS])
@pytest.mark.parametrize("splitter", SPLITTERS)
def test_folds_are_a_grid_search(splitter, scoring, shape, intercept, make_data):
    X, y, _ = make_data(*shape, seed=5)
    cv = SPLITTERS[splitter]
    search = GridSearchCV(
        peer.Ridge(fit_intercept=intercept, solver="svd"), {"alpha": ALPHAS}, cv=cv, scoring=scoring
    ).fit(X, y)
    ours = RidgeCV(ALPHAS, cv=cv, scoring=scoring, fit_intercept=intercept).fit(X, y)
    folds = ours.cv_scores_.shape[1]
    expected = np.column_stack([search.cv_results_[f"split{k}_test_score"] for k in range(folds)])
    assert ours.cv_scores_ == pytest.approx(expected, rel=1e-7, abs=1e-9)
    assert ours.alpha_ == search.best_params_["alpha"]
    assert ours.best_score_ == pytest.approx(search.best_score_, rel=1e-7)
    assert ours.coef_ == pytest.approx(search.best_estimator_.coef_, rel=1e-7)


@pytest.mark.parametrize("targets", [1, 2])
@pytest.mark.parametrize("scoring", SCORINGS)
def test_folds_with_weights_and_sparse_rows(scoring, targets, make_data):
    X, y, w = make_data(40, 5, targets, True, seed=6)
    X = np.where(np.abs(X) < 0.5, 0.0, X)
    splits = list(KFold(4).split(X))
    expected = np.empty((len(ALPHAS), 4))
    for k, (train, test) in enumerate(splits):
        for a, alpha in enumerate(ALPHAS):
            model = peer.Ridge(alpha, solver="svd").fit(X[train], y[train], w[train])
            residual = (y[test] - model.predict(X[test])).reshape(len(test), -1)
            mean = np.average(residual**2, axis=0, weights=w[test])
            spread = y[test] - np.average(y[test], axis=0, weights=w[test])
            variance = np.average(spread.reshape(len(test), -1) ** 2, axis=0, weights=w[test])
            size = np.average(np.abs(residual), axis=0, weights=w[test])
            expected[a, k] = {
                "r2": 1 - (mean / variance).mean(),
                "neg_mean_squared_error": -mean.mean(),
                "neg_root_mean_squared_error": -np.sqrt(mean).mean(),
                "neg_mean_absolute_error": -size.mean(),
            }[scoring]
    for rows in (X, sparse.csr_array(X), sparse.csc_array(X)):
        for cv in (4, splits):
            ours = RidgeCV(ALPHAS, cv=cv, scoring=scoring).fit(rows, y, w)
            assert ours.cv_scores_ == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("cv", [None, "gcv", 4])
@pytest.mark.parametrize("scale", [1.0, 1e6])
def test_dependent_columns_count_once(cv, scale, make_data):
    X, y, _ = make_data(40, 3, seed=7)
    plain = RidgeCV([0.0], cv=cv).fit(X, y)
    twice = RidgeCV([0.0], cv=cv).fit(np.column_stack([X, X[:, 0] + X[:, 1]]) * scale, y)
    assert twice.cv_scores_ == pytest.approx(plain.cv_scores_, rel=1e-7)


@pytest.mark.parametrize("size", [1e6, 1e10])
def test_a_fold_that_holds_all_the_scatter(size, make_data):
    """What is left of the whole less such a fold would be rounding."""
    X, y, _ = make_data(40, 3, seed=7)
    X[33, 1] = size
    search = GridSearchCV(peer.Ridge(solver="svd"), {"alpha": ALPHAS}, cv=4).fit(X, y)
    ours = RidgeCV(ALPHAS, cv=4).fit(X, y)
    expected = np.column_stack([search.cv_results_[f"split{k}_test_score"] for k in range(4)])
    assert ours.cv_scores_ == pytest.approx(expected, rel=1e-6)
    assert ours.alpha_ == search.best_params_["alpha"]


@pytest.mark.parametrize("cv", [None, 4])
def test_a_scorer_of_ones_own(cv, make_data):
    X, y, _ = make_data(40, 5, seed=8)
    scorer = make_scorer(mean_absolute_error, greater_is_better=False)
    named = RidgeCV(ALPHAS, cv=cv, scoring="neg_mean_absolute_error").fit(X, y)
    own = RidgeCV(ALPHAS, cv=cv, scoring=scorer).fit(X, y)
    assert own.cv_scores_ == pytest.approx(named.cv_scores_, rel=1e-12)
    assert own.alpha_ == named.alpha_


@pytest.mark.parametrize("cv", [None, "gcv", 3])
def test_one_penalty_and_no_penalty(cv, make_data):
    X, y, _ = make_data(40, 5)
    one = RidgeCV(2.0, cv=cv).fit(X, y)
    assert one.alpha_ == 2.0
    assert one.coef_ == pytest.approx(Ridge(2.0).fit(X, y).coef_, rel=1e-10)
    with_zero = RidgeCV([0.0, 1e6], cv=cv).fit(X, y)
    assert with_zero.alpha_ == 0.0
    assert with_zero.coef_ == pytest.approx(peer.LinearRegression().fit(X, y).coef_, rel=1e-8)


@pytest.mark.parametrize("cv", [None, "gcv", 3])
def test_columns_of_different_units(cv, make_data):
    X, y, _ = make_data(60, 4, seed=9)
    units = np.array([1e-8, 1e8, 1.0, 1e4])
    model = RidgeCV([0.0], cv=cv).fit(X * units, y)
    expected = peer.LinearRegression().fit(X, y).coef_
    assert model.coef_ * units == pytest.approx(expected, rel=1e-8)
    reference = RidgeCV([0.0], cv=cv).fit(X, y)
    assert model.cv_scores_ == pytest.approx(reference.cv_scores_, rel=1e-8)


@pytest.mark.parametrize(
    "scoring",
    [
        "explained_variance",
        "neg_max_error",
        "neg_median_absolute_error",
        "neg_mean_absolute_percentage_error",
        "d2_absolute_error_score",
    ],
)
@pytest.mark.parametrize("cv", [None, 4])
def test_every_scorer_name_chooses_as_scikit_learn(scoring, cv):
    rng = np.random.default_rng(11)
    X = rng.normal(size=(60, 5))
    y = X @ rng.normal(size=5) + rng.normal(size=60)
    alphas = [0.1, 1.0, 10.0, 100.0]
    ours = RidgeCV(alphas, cv=cv, scoring=scoring).fit(X, y)
    theirs = peer.RidgeCV(alphas, cv=cv, scoring=scoring).fit(X, y)
    assert ours.alpha_ == theirs.alpha_
    assert ours.best_score_ == pytest.approx(theirs.best_score_, rel=1e-8)
