"""RidgeCV where errors are hard to get or not defined: near singularity, saturation, few rows."""

from __future__ import annotations

import weakref

import numpy as np
import pytest
from sklearn import linear_model as peer
from sklearn.metrics import mean_squared_error, r2_score
from sklearn.model_selection import KFold

from stylobate.data import read_table
from stylobate.exceptions import StylobateError
from stylobate.linear_model import RidgeCV
from stylobate.sources.memory import MemorySource
from stylobate.statistics import Moments

INTERCEPT = pytest.mark.parametrize("intercept", [True, False], ids=["intercept", "origin"])
WEIGHTED = pytest.mark.parametrize("weighted", [False, True], ids=["unweighted", "weighted"])


def design(n, p, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, X @ rng.normal(size=p) + 0.3 * rng.normal(size=n)


def predicted(X, y, w, alpha, rows, intercept):
    """Predictions for `rows` by least squares on the rows and √α I below them; of least norm.

    scikit-learn's singular value solver drops singular values below an absolute 1e-15, and so
    at times takes the rounding that centring a wide design leaves for a direction of its own.
    """
    w = np.ones(len(y)) if w is None else w
    x_mean = np.average(X, axis=0, weights=w) * intercept
    y_mean = np.average(y, weights=w) * intercept
    root = np.sqrt(w)
    below = np.sqrt(alpha) * np.eye(X.shape[1])
    left = np.vstack([(X - x_mean) * root[:, None], below])
    right = np.concatenate([(y - y_mean) * root, np.zeros(len(below))])
    return (rows - x_mean) @ np.linalg.lstsq(left, right, rcond=1e-13)[0] + y_mean


def refitted(X, y, w, alphas, splits, intercept=True, score=r2_score):
    """Scores of a fit from the rows for every penalty and split."""
    scores = np.empty((len(alphas), len(splits)))
    for k, (train, test) in enumerate(splits):
        for a, alpha in enumerate(alphas):
            weights = [None, None] if w is None else [w[train], w[test]]
            guess = predicted(X[train], y[train], weights[0], alpha, X[test], intercept)
            scores[a, k] = score(y[test], guess, sample_weight=weights[1])
    return scores


# --- folds near singularity -----------------------------------------------------------------------


@INTERCEPT
@WEIGHTED
def test_folds_with_fewer_rows_than_columns(intercept, weighted):
    X, y = design(22, 20)
    w = np.random.default_rng(1).uniform(0.5, 2.0, 22) if weighted else None
    alphas = [0.0, 1e-9, 1.0]
    expected = refitted(X, y, w, alphas, list(KFold(5).split(X)), intercept)
    ours = RidgeCV(alphas, cv=5, fit_intercept=intercept).fit(X, y, w)
    assert ours.cv_scores_ == pytest.approx(expected, rel=1e-6)


@INTERCEPT
@pytest.mark.parametrize("scoring", ["r2", "neg_mean_squared_error"])
def test_rows_of_one_fold_far_away(scoring, intercept):
    X, y = design(100, 4)
    X[40:60] += 1e7
    alphas = [0.0, 0.1, 10.0]
    score = {
        "r2": r2_score,
        "neg_mean_squared_error": lambda *a, **k: -mean_squared_error(*a, **k),
    }[scoring]
    expected = refitted(X, y, None, alphas, list(KFold(5).split(X)), intercept, score)
    ours = RidgeCV(alphas, cv=5, scoring=scoring, fit_intercept=intercept).fit(X, y)
    assert ours.cv_scores_ == pytest.approx(expected, rel=1e-6)


def test_nearly_dependent_columns_of_different_units():
    X, y = design(60, 3)
    X = np.column_stack([X, X[:, 0] + 1e-7 * np.random.default_rng(5).normal(size=60)])
    alphas = [0.0, 1e-12, 1.0]
    expected = refitted(X, y, None, alphas, list(KFold(4).split(X)))
    plain = RidgeCV(alphas, cv=4).fit(X, y)
    assert plain.cv_scores_ == pytest.approx(expected, rel=1e-6)
    units = np.array([1e-6, 1.0, 1e6, 1e3])
    other = RidgeCV([0.0], cv=4).fit(X * units, y)
    assert other.cv_scores_[0] == pytest.approx(expected[0], rel=1e-6)


def test_errors_tiny_next_to_the_targets():
    X, _ = design(60, 3)
    y = X @ [1.0, 2.0, -1.0] + 1e-9 * np.random.default_rng(2).normal(size=60)
    loss = RidgeCV([0.0, 1e-12], cv=4, scoring="neg_mean_squared_error").fit(X, y).cv_scores_

    def score(truth, guess, sample_weight=None):
        return -mean_squared_error(truth, guess)

    expected = refitted(X, y, None, [0.0, 1e-12], list(KFold(4).split(X)), score=score)
    assert loss == pytest.approx(expected, rel=1e-4)


# --- rows met whatever the target -----------------------------------------------------------------


@INTERCEPT
@WEIGHTED
@pytest.mark.parametrize("scoring", [None, "r2", "neg_mean_absolute_error", r2_score])
def test_leaving_one_out_of_wide_rows_without_penalty(scoring, intercept, weighted):
    X, y = design(10, 30)
    w = np.random.default_rng(1).uniform(0.5, 2.0, 10) if weighted else None
    if callable(scoring):

        def scoring(estimator, X, y):
            return r2_score(y, estimator.predict(X))

    settings = {"scoring": scoring, "fit_intercept": intercept}
    model = RidgeCV([0.0, 1.0], **settings).fit(X, y, w)
    assert model.alpha_ == 1.0
    assert model.cv_scores_[0] == -np.inf
    assert np.isfinite(model.cv_scores_[1])
    with pytest.raises(StylobateError, match="leverage 1"):
        RidgeCV([0.0], **settings).fit(X, y, w)


@INTERCEPT
@pytest.mark.parametrize("shape", [(10, 30), (12, 11), (12, 12)], ids=str)
def test_leaving_one_out_under_a_tiny_penalty_is_every_refit(shape, intercept):
    X, y = design(*shape)
    alphas = np.array([1e-9, 1e-5])
    errors = np.empty((len(y), 2))
    for a, alpha in enumerate(alphas):
        for i in range(len(y)):
            keep = np.arange(len(y)) != i
            guess = predicted(X[keep], y[keep], None, alpha, X[[i]], intercept)
            errors[i, a] = (y[i] - guess[0]) ** 2
    ours = RidgeCV(alphas, fit_intercept=intercept, store_cv_results=True).fit(X, y)
    assert ours.cv_results_ == pytest.approx(errors, rel=1e-4)


@pytest.mark.parametrize("units", [1.0, 1e-9], ids=["even", "uneven"])
def test_a_row_alone_in_its_category(units):
    X, y = design(40, 3)
    X = np.column_stack([X, np.arange(40) == 17])
    X[:, 0] *= units
    model = RidgeCV([0.0, 1e-3], store_cv_results=True).fit(X, y)
    assert model.alpha_ == 1e-3
    assert np.flatnonzero(np.isinf(model.cv_results_[:, 0])).tolist() == [17]
    assert np.isfinite(model.cv_results_[:, 1]).all()
    with pytest.raises(StylobateError, match="leverage 1"):
        RidgeCV(0.0).fit(X, y)


def test_rows_of_weight_zero_are_predicted_by_the_others():
    X, y = design(10, 30)
    w = np.where(np.arange(10) == 4, 0.0, 1.0)
    keep = w > 0
    model = RidgeCV([1e-6, 1.0], scoring="r2", store_cv_results=True).fit(X, y, w)
    for a, alpha in enumerate([1e-6, 1.0]):
        other = peer.Ridge(alpha, solver="svd").fit(X[keep], y[keep])
        assert model.cv_results_[4, a] == pytest.approx(other.predict(X[[4]])[0], rel=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_generalised_cross_validation_at_saturation(seed):
    X, y = design(12, 11, seed)
    alphas = np.array([0.0, 1e-8, 1.0])
    model = RidgeCV(alphas, cv="gcv").fit(X, y)
    assert model.cv_scores_[0] == -np.inf
    assert model.alpha_ > 0.0
    u, s, _ = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    turned = u.T @ (y - y.mean())
    for a in (1, 2):  # all twelve dimensions are reached: residuals and n − df are all penalty
        kept = alphas[a] / (s**2 + alphas[a])
        expected = -12 * ((kept * turned) ** 2).sum() / kept.sum() ** 2
        assert model.cv_scores_[a] == pytest.approx(expected, rel=1e-5)
    with pytest.raises(StylobateError, match="leverage 1"):
        RidgeCV(0.0, cv="gcv").fit(X, y)


def test_generalised_cross_validation_at_saturation_in_different_units():
    X, y = design(12, 11)
    X[:, 3] *= 1e-9
    model = RidgeCV([0.0, 1.0], cv="gcv").fit(X, y)
    assert model.cv_scores_[0] == -np.inf
    assert model.alpha_ == 1.0


def test_the_first_of_rows_that_come_one_by_one():
    """With an intercept all penalties give one and the same fit: there is no choice yet."""
    X, y = design(30, 3)
    model = RidgeCV([0.0, 1.0], cv="gcv").partial_fit(X[:1], y[:1])
    assert not model.coef_.any()
    assert model.predict(X[:1]) == pytest.approx(y[:1])
    model.partial_fit(X[1:], y[1:])
    whole = RidgeCV([0.0, 1.0], cv="gcv").fit(X, y)
    assert model.cv_scores_ == pytest.approx(whole.cv_scores_, rel=1e-9)


def test_leaving_out_the_only_row():
    X, y = design(1, 3)
    with pytest.raises(StylobateError, match="only row"):
        RidgeCV([0.0, 1.0]).fit(X, y)
    for cv in (None, "gcv"):
        assert RidgeCV([0.0, 1.0], cv=cv, fit_intercept=False).fit(X, y).alpha_ == 1.0
        with pytest.raises(StylobateError, match="only row"):
            RidgeCV(0.0, cv=cv, fit_intercept=False).fit(X, y)


# --- splits ---------------------------------------------------------------------------------------


def test_r2_of_a_single_row_is_refused():
    X, y = design(12, 3)
    with pytest.raises(StylobateError, match=r"neg_mean_squared_error.*cv=None"):
        RidgeCV(cv=12).fit(X, y)
    folds = RidgeCV([0.1, 1.0], cv=12, scoring="neg_mean_squared_error").fit(X, y)
    left_out = RidgeCV([0.1, 1.0]).fit(X, y)
    assert folds.cv_scores_.mean(axis=1) == pytest.approx(left_out.cv_scores_, rel=1e-8)


@pytest.mark.parametrize(
    "cv",
    [[], (), [([], [0, 1, 2])], [([0, 1, 2], [])], [(np.zeros(12, dtype=bool), [0, 1])]],
    ids=["list", "tuple", "train", "test", "mask"],
)
def test_empty_splits_are_refused(cv):
    X, y = design(12, 3)
    with pytest.raises(StylobateError, match=r"no splits|no row"):
        RidgeCV(cv=cv).fit(X, y)


# --- scorers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("cv", [None, 4])
@pytest.mark.parametrize("shape", [(24, 3), (24, 40)], ids=["tall", "wide"])
def test_a_scorer_sees_the_rows_left_out(cv, shape):
    X, y = design(*shape)
    alphas = [0.5, 5.0]
    seen = []

    def scorer(estimator, rows, truth):
        seen.append((rows.copy(), truth.copy()))
        return -np.average((truth - estimator.predict(rows)) ** 2, weights=rows[:, 0] ** 2)

    ours = RidgeCV(alphas, cv=cv, scoring=scorer).fit(X, y)
    splits = list(KFold(24 if cv is None else cv).split(X))
    tests = [np.arange(24)] if cv is None else [test for _, test in splits]
    expected = np.empty((2, len(tests)))
    for a, alpha in enumerate(alphas):
        guess = np.empty(24)
        for train, test in splits:
            model = peer.Ridge(alpha, solver="svd").fit(X[train], y[train])
            guess[test] = model.predict(X[test])
        for k, test in enumerate(tests):
            squares = (y[test] - guess[test]) ** 2
            expected[a, k] = -np.average(squares, weights=X[test, 0] ** 2)
    assert ours.cv_scores_.reshape(2, -1) == pytest.approx(expected, rel=1e-7)
    assert len(seen) == expected.size
    for number, (rows, truth) in enumerate(seen):
        test = tests[number // 2 if cv else 0]
        assert np.array_equal(rows, X[test])
        assert np.array_equal(truth, y[test])


@pytest.mark.parametrize("cv", [None, 4])
def test_weights_go_to_scorers_that_take_them(cv):
    X, y = design(24, 3)
    w = np.random.default_rng(3).uniform(0.5, 2.0, 24)

    def without(estimator, X, y):
        return -mean_squared_error(y, estimator.predict(X))

    def by_name(estimator, X, y, sample_weight=None):
        return -mean_squared_error(y, estimator.predict(X), sample_weight=sample_weight)

    def by_any_name(estimator, X, y, **more):
        return -mean_squared_error(y, estimator.predict(X), **more)

    plain, named, any_name = (
        RidgeCV([0.5, 5.0], cv=cv, scoring=s).fit(X, y, w).cv_scores_
        for s in (without, by_name, by_any_name)
    )
    assert np.array_equal(named, any_name)
    assert not np.allclose(plain, named, rtol=1e-6)
    weighted = RidgeCV([0.5, 5.0], cv=cv, scoring="neg_mean_squared_error").fit(X, y, w)
    assert named == pytest.approx(weighted.cv_scores_, rel=1e-9)


def test_a_scorer_cannot_ask_about_other_rows():
    X, y = design(24, 3)
    with pytest.raises(StylobateError, match="of no others"):
        RidgeCV(cv=4, scoring=lambda model, X, y: model.predict(X[:2]).sum()).fit(X, y)


# --- memory, and what a fit leaves ----------------------------------------------------------------


def test_one_part_in_memory_at_a_time():
    X, y = design(12, 3)
    copies, alive = [], []

    class Watched:
        @staticmethod
        def of(table):
            alive.append(sum(copy() is not None for copy in copies))
            copies.append(weakref.ref(table.x))
            return Moments.of(table)

    parts = [np.array([0, 5, 7]), np.array([1, 2, 9]), np.array([3, 4, 8])]
    found = MemorySource(read_table(X, y, owner="test")).compute_parts(Watched, parts)
    assert alive == [0, 0, 0]
    for part, moments in zip(parts, found, strict=True):
        assert moments.x_mean == pytest.approx(X[part].mean(axis=0), rel=1e-12)


def test_errors_of_an_earlier_fit_are_gone():
    X, y = design(24, 3)
    model = RidgeCV(store_cv_results=True).fit(X, y)
    assert model.cv_results_.shape == (24, 3)
    model.set_params(store_cv_results=False).fit(X, y)
    assert not hasattr(model, "cv_results_")
    assert not hasattr(model, "_best")
