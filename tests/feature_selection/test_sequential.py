"""Sequential selection: moments = fits = scikit-learn; floating; awkward columns."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.feature_selection as theirs
import sklearn.linear_model as their_models
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import get_scorer
from sklearn.neighbors import KNeighborsClassifier

import stylobate.feature_selection.fold_sweeps as fold_sweeps
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.feature_selection import SequentialFeatureSelector
from stylobate.feature_selection.sweeps import Sweeps
from stylobate.linear_model import LinearRegression, Ridge
from stylobate.splits import KFold


def problem(n=60, p=6, targets=None, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) @ rng.normal(size=(p, p)) + 3
    coef = rng.normal(size=(p, targets or 1)) * (np.arange(p) < p // 2)[:, None]
    y = X @ coef + 4 * rng.normal(size=(n, targets or 1))
    return X, y if targets else y[:, 0]


def by_fits(monkeypatch, *args, data, **params):
    """The same selection with the fast path closed."""
    with monkeypatch.context() as patch:
        patch.setattr(fold_sweeps, "why_not_moments", lambda *_: "the test wants fits")
        found = SequentialFeatureSelector(*args, **params).fit(*data)
    assert found.solver_ == "fits"
    return found


def assert_same_course(a, b, rtol=1e-8):
    assert [s.feature for s in a.history_] == [s.feature for s in b.history_]
    for one, other in zip(a.history_, b.history_, strict=True):
        np.testing.assert_allclose(one.candidate_scores, other.candidate_scores, rtol=rtol)
        np.testing.assert_allclose(one.fold_scores, other.fold_scores, rtol=rtol)
    np.testing.assert_array_equal(a.support_, b.support_)


MODELS = [
    (LinearRegression(), their_models.LinearRegression()),
    (LinearRegression(fit_intercept=False), their_models.LinearRegression(fit_intercept=False)),
    (Ridge(alpha=20.0), their_models.Ridge(alpha=20.0)),
]


@pytest.mark.parametrize(("model", "their_model"), MODELS)
@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("count", ["auto", 2, 0.7])
def test_moments_are_scikit_learns(model, their_model, direction, count):
    X, y = problem()
    params = {"n_features_to_select": count, "direction": direction, "cv": 3}
    found = SequentialFeatureSelector(model, **params).fit(X, y)
    expected = theirs.SequentialFeatureSelector(their_model, **params).fit(X, y)
    assert found.solver_ == "moments"
    np.testing.assert_array_equal(found.support_, expected.support_)
    assert found.n_features_to_select_ == expected.n_features_to_select_


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("targets", [None, 2])
def test_moments_are_fits(monkeypatch, direction, floating, targets):
    data = problem(targets=targets, seed=5)
    params = {"direction": direction, "floating": floating, "n_features_to_select": 3, "cv": 3}
    for model, _ in MODELS:
        found = SequentialFeatureSelector(model, **params).fit(*data)
        assert found.solver_ == "moments"
        assert_same_course(found, by_fits(monkeypatch, model, data=data, **params))


@pytest.mark.parametrize("scoring", ["neg_mean_squared_error", "neg_root_mean_squared_error", "r2"])
@pytest.mark.parametrize("cv", [3, KFold(4, shuffle=True, random_state=1)])
def test_scores_and_folds(monkeypatch, scoring, cv):
    data = problem()
    found = SequentialFeatureSelector(LinearRegression(), scoring=scoring, cv=cv).fit(*data)
    scorer = get_scorer(scoring)
    expected = by_fits(monkeypatch, LinearRegression(), data=data, scoring=scorer, cv=cv)
    assert found.solver_ == "moments"
    assert_same_course(found, expected)


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("tol", [0.01, 1e-4])
def test_tolerance(direction, tol):
    X, y = problem(seed=2)
    tol = tol if direction == "forward" else -tol
    params = {"direction": direction, "tol": tol, "cv": 3}
    found = SequentialFeatureSelector(LinearRegression(), **params).fit(X, y)
    model = their_models.LinearRegression()
    expected = theirs.SequentialFeatureSelector(model, **params).fit(X, y)
    np.testing.assert_array_equal(found.support_, expected.support_)


@settings(max_examples=10)
@given(seed=st.integers(0, 10_000), repeated=st.booleans(), constant=st.booleans())
def test_awkward_columns_go_the_honest_way(seed, repeated, constant):
    """Repeated and constant columns: every score is that of fits, as far as it is determined."""
    X, y = problem(n=40, p=5, seed=seed)
    if repeated:
        X[:, 3] = 2 * X[:, 1]
    if constant:
        X[:, 4] = 1.5
    found = SequentialFeatureSelector(LinearRegression(), n_features_to_select=4, cv=3).fit(X, y)
    if constant:  # a candidate from the first step on; a repeated one may be left to the last
        assert found.solver_ == "moments and fits"
    elif not repeated:
        assert found.solver_ == "moments"
    for step in found.history_:
        chosen = np.isin(np.arange(5), step.support)
        for (train, test), score in zip(KFold(3).split(X), step.fold_scores, strict=True):
            model = their_models.LinearRegression().fit(X[train][:, chosen], y[train])
            expected = model.score(X[test][:, chosen], y[test])
            np.testing.assert_allclose(score, expected, rtol=1e-6, atol=1e-8)


def test_perfect_fit_goes_the_honest_way():
    X, _ = problem()
    found = SequentialFeatureSelector(LinearRegression(), n_features_to_select=3)
    found.fit(X, X[:, 1] - X[:, 4])
    assert {1, 4} <= set(found.get_support(indices=True))
    assert "fitted" in found.solver_reason_
    assert found.history_[-1].score == pytest.approx(1.0, abs=1e-12)


def test_floating_can_only_help():
    gains = 0
    for seed in range(12):
        X, y = problem(p=10, seed=seed)
        params = {"n_features_to_select": 5, "cv": 3}
        plain = SequentialFeatureSelector(LinearRegression(), **params).fit(X, y)
        floating = SequentialFeatureSelector(LinearRegression(), floating=True, **params).fit(X, y)
        best = max(s.score for s in floating.history_ if s.n_features == 5)
        assert floating.support_.sum() == 5
        assert best >= plain.history_[-1].score - 1e-12
        gains += any(s.action == "remove" for s in floating.history_)
    assert gains  # it does step back on some of these


def test_any_classifier():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 4))
    y = np.array(["no", "yes"])[(X[:, 2] + 0.3 * rng.normal(size=90) > 0).astype(int)]
    splits = list(KFold(3).split(X))
    model = KNeighborsClassifier(3)
    params = {"n_features_to_select": 2, "cv": splits}
    found = SequentialFeatureSelector(model, **params).fit(X, y)
    expected = theirs.SequentialFeatureSelector(model, **params).fit(X, y)
    np.testing.assert_array_equal(found.support_, expected.support_)
    assert "KNeighborsClassifier" in found.solver_reason_


def test_several_fits_at_once():
    X, y = problem()
    params = {"n_features_to_select": 2, "cv": 3}
    one = SequentialFeatureSelector(Ridge(positive=True), **params).fit(X, y)
    two = SequentialFeatureSelector(Ridge(positive=True), n_jobs=2, **params).fit(X, y)
    assert one.solver_ == two.solver_ == "fits"
    assert_same_course(one, two, rtol=0)


def test_arguments_of_fit_reach_the_model():
    X, y = problem()
    weights = np.random.default_rng(0).integers(0, 3, len(y)).astype(float)
    found = SequentialFeatureSelector(LinearRegression(), n_features_to_select=2)
    found.fit(X, y, sample_weight=weights)
    assert "sample_weight" in found.solver_reason_
    chosen = found.get_support(indices=True)
    scores = []
    for train, test in KFold(5).split(X):
        model = their_models.LinearRegression()
        model.fit(X[train][:, chosen], y[train], sample_weight=weights[train])
        scores.append(model.score(X[test][:, chosen], y[test]))
    np.testing.assert_allclose(found.history_[-1].fold_scores, scores, rtol=1e-9)


@pytest.mark.parametrize(
    ("params", "word"),
    [
        ({"n_features_to_select": 6}, "n_features"),
        ({"n_features_to_select": 0}, "n_features_to_select"),
        ({"n_features_to_select": 1.5}, "n_features_to_select"),
        ({"tol": -0.1}, "tol"),
        ({"direction": "sideways"}, "direction"),
    ],
)
def test_refusals(params, word):
    X, y = problem()
    with pytest.raises(InvalidParameterError, match=word):
        SequentialFeatureSelector(LinearRegression(), **params).fit(X, y)


def test_refuses_one_column_and_nan():
    X, y = problem()
    with pytest.raises(InvalidDataError):
        SequentialFeatureSelector(LinearRegression()).fit(X[:, :1], y)
    X[3, 2] = np.nan
    for model in (LinearRegression(), LinearRegression(positive=True)):
        with pytest.raises(InvalidDataError, match="NaN"):
            SequentialFeatureSelector(model).fit(X, y)


@given(order=st.lists(st.integers(0, 4), max_size=25), seed=st.integers(0, 99))
def test_sweeps_in_any_order(order, seed):
    """Whatever came and went, the state is that of the set itself."""
    rng = np.random.default_rng(seed)
    Z, V = rng.normal(size=(2, 30, 6))
    Z[:, 1] += Z[:, 0]
    state = Sweeps.of((Z.T @ Z)[None], (V.T @ V)[None], 5)
    for k in order:
        state.flip(k)
    inside = np.flatnonzero(state.inside)
    coef = np.linalg.lstsq(Z[:, inside], Z[:, 5], rcond=None)[0]
    residual = V[:, 5] - V[:, inside] @ coef
    np.testing.assert_allclose(state.current_squares()[0, 0], residual @ residual, rtol=1e-7)
    np.testing.assert_allclose(state.a[0, inside, 5], coef, rtol=1e-7, atol=1e-9)
    found = state.squares(np.arange(5))[0, :, 0]
    for k in range(5):
        columns = sorted(set(inside.tolist()) ^ {k})
        coef = np.linalg.lstsq(Z[:, columns], Z[:, 5], rcond=None)[0]
        expected = np.sum((V[:, 5] - V[:, columns] @ coef) ** 2)
        np.testing.assert_allclose(found[k], expected, rtol=1e-6)
