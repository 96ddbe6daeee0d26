"""Best subsets against brute force, stepwise against a naive loop over statsmodels."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.feature_selection import BestSubsetSelector, StepwiseSelector
from stylobate.feature_selection.history import CAVEAT
from stylobate.linear_model import LinearRegression
from stylobate.splits import KFold


def problem(n=60, p=7, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) @ (np.eye(p) + 0.4 * rng.normal(size=(p, p))) + 2
    return X, X[:, : p // 2].sum(axis=1) + 2 * rng.normal(size=n)


def squares(X, y, columns, intercept):
    A = np.column_stack([X[:, list(columns)], np.ones((len(y), int(intercept)))])
    return np.sum((y - A @ np.linalg.lstsq(A, y, rcond=None)[0]) ** 2)


@settings(max_examples=30)
@given(
    seed=st.integers(0, 10_000),
    p=st.integers(1, 7),
    intercept=st.booleans(),
    dependent=st.booleans(),
)
def test_best_subsets_by_brute_force(seed, p, intercept, dependent):
    X, y = problem(25, p, seed)
    if dependent and p > 2:
        X[:, 2] = X[:, 0] - X[:, 1]
    found = BestSubsetSelector(fit_intercept=intercept).fit(X, y)
    assert len(found.subsets_) == p + 1
    for m, subset in enumerate(found.subsets_):
        best = min(squares(X, y, c, intercept) for c in combinations(range(p), m))
        assert found.rss_[m] == pytest.approx(best, rel=1e-8)
        assert len(subset) == m
        assert squares(X, y, subset, intercept) == pytest.approx(best, rel=1e-8)


def test_criteria_are_statsmodels():
    X, y = problem()
    found = BestSubsetSelector().fit(X, y)
    full = sm.OLS(y, sm.add_constant(X)).fit()
    for m, subset in enumerate(found.subsets_):
        fit = sm.OLS(y, sm.add_constant(X[:, subset]) if m else np.ones(len(y))).fit()
        for name, value in {
            "aic": fit.aic,
            "bic": fit.bic,
            "adjusted_r2": fit.rsquared_adj,
        }.items():
            assert found.criteria_[name][m] == pytest.approx(value, abs=1e-9)
        cp = fit.ssr / full.mse_resid - len(y) + 2 * (m + 1)
        assert found.criteria_["cp"][m] == pytest.approx(cp)


@pytest.mark.parametrize("criterion", ["aic", "bic", "cp", "adjusted_r2"])
def test_the_best_of_all_subsets(criterion):
    X, y = problem(seed=3)
    found = BestSubsetSelector(criterion=criterion).fit(X, y)
    values = found.criteria_[criterion]
    best = np.argmax(values) if criterion == "adjusted_r2" else np.argmin(values)
    assert found.support_.sum() == best
    assert found.caveat_ == CAVEAT
    assert found.history_[int(best)].action == "choose"


def test_folds_repeat_the_search():
    X, y = problem(40, 5)
    found = BestSubsetSelector(criterion="cv", cv=4).fit(X, y)
    scores = np.empty((6, 4))
    for f, (train, test) in enumerate(KFold(4).split(X)):
        for m in range(6):
            subsets = combinations(range(5), m)
            best = list(min(subsets, key=lambda c: squares(X[train], y[train], c, True)))
            A = np.column_stack([X[:, best], np.ones(len(y))])
            coef = np.linalg.lstsq(A[train], y[train], rcond=None)[0]
            scores[m, f] = -np.mean((y[test] - A[test] @ coef) ** 2)
    np.testing.assert_allclose(found.criteria_["cv"], scores.mean(axis=1))
    np.testing.assert_allclose([s.fold_scores for s in found.history_], scores)
    assert found.support_.sum() == np.argmax(scores.mean(axis=1))


def test_many_columns_few_systems():
    X, y = problem(200, 25)
    found = BestSubsetSelector(max_features=6).fit(X, y)
    assert found.n_nodes_ < 2**25 / 1000
    assert len(found.rss_) == 7
    assert (np.diff(found.rss_) <= 1e-9).all()
    rng = np.random.default_rng(0)
    for m in range(1, 7):
        for _ in range(50):
            columns = rng.choice(25, m, replace=False)
            assert squares(X, y, columns, True) >= found.rss_[m] * (1 - 1e-9)


def test_units_do_not_matter():
    X, y = problem()
    plain = BestSubsetSelector().fit(X, y)
    scaled = BestSubsetSelector().fit(X * 10.0 ** np.arange(-8, 6, 2), y * 1e6)
    for a, b in zip(plain.subsets_, scaled.subsets_, strict=True):
        np.testing.assert_array_equal(a, b)


def test_more_columns_than_rows():
    X, y = problem(8, 12)
    found = BestSubsetSelector(criterion="bic").fit(X, y)
    assert len(found.subsets_) == 7
    with pytest.raises(InvalidDataError, match="Cp"):
        BestSubsetSelector(criterion="cp").fit(X, y)


def test_refusals():
    X, y = problem()
    with pytest.raises(InvalidParameterError, match="63"):
        BestSubsetSelector().fit(np.random.default_rng(0).normal(size=(9, 64)), np.arange(9.0))
    with pytest.raises(InvalidDataError, match="targets"):
        BestSubsetSelector().fit(X, np.column_stack([y, y]))
    with pytest.raises(InvalidDataError, match="labels"):
        StepwiseSelector().fit(X, ["a", "b"] * 30)
    with pytest.raises(InvalidParameterError, match="p_enter"):
        StepwiseSelector(p_enter=0.2, p_remove=0.1).fit(X, y)


# --- stepwise -------------------------------------------------------------------------------------


def criterion_of(X, y, columns, criterion):
    A = sm.add_constant(X[:, sorted(columns)]) if columns else np.ones(len(y))
    return getattr(sm.OLS(y, A).fit(), criterion)


def naive(X, y, criterion, direction, full):
    """R's step: of all models one column away the best, as long as it is better."""
    chosen = set(range(X.shape[1])) if full else set()
    now = criterion_of(X, y, chosen, criterion)
    while True:
        moves = [chosen | {k} for k in set(range(X.shape[1])) - chosen if direction != "backward"]
        moves += [chosen - {k} for k in chosen if direction != "forward"]
        values = [criterion_of(X, y, each, criterion) for each in moves]
        if not values or min(values) >= now:
            return chosen, now
        now, chosen = min(values), moves[int(np.argmin(values))]


@pytest.mark.parametrize("criterion", ["aic", "bic"])
@pytest.mark.parametrize(
    ("direction", "start"),
    [("forward", "empty"), ("backward", "full"), ("both", "empty"), ("both", "full")],
)
def test_stepwise_is_the_naive_loop(criterion, direction, start):
    for seed in range(2):
        X, y = problem(p=5, seed=seed)
        params = {"criterion": criterion, "direction": direction, "start": start}
        found = StepwiseSelector(**params).fit(X, y)
        expected, value = naive(X, y, criterion, direction, start == "full")
        assert set(found.get_support(indices=True)) == expected
        assert found.criterion_ == pytest.approx(value)
        assert found.history_[-1].score == pytest.approx(value)
        assert not found.history_.higher_is_better
        by_fits = StepwiseSelector(LinearRegression(), **params).fit(X, y)
        if expected:
            np.testing.assert_array_equal(by_fits.support_, found.support_)


def test_p_values_are_those_of_the_regression():
    X, y = problem(seed=1)
    found = StepwiseSelector(criterion="p-value", direction="backward").fit(X, y)
    for step in found.history_[1:]:
        before = sorted(set(step.support) | {step.feature})
        fit = sm.OLS(y, sm.add_constant(X[:, before])).fit()
        np.testing.assert_allclose(step.candidate_scores, fit.pvalues[1:], rtol=1e-8)
        assert step.score > 0.1
    chosen = found.get_support(indices=True)
    assert (sm.OLS(y, sm.add_constant(X[:, chosen])).fit().pvalues[1:] <= 0.1).all()


def test_p_values_let_the_significant_in():
    X, y = problem(seed=1)
    found = StepwiseSelector(criterion="p-value").fit(X, y)
    first = found.history_[1]
    p = [sm.OLS(y, sm.add_constant(X[:, [k]])).fit().pvalues[1] for k in range(X.shape[1])]
    np.testing.assert_allclose(first.candidate_scores, p, rtol=1e-8)
    assert first.feature == int(np.argmin(p))


def test_dependent_columns_stay_out():
    X, y = problem()
    X[:, 5] = X[:, 0] + X[:, 1]
    found = StepwiseSelector(direction="backward").fit(X, y)
    assert not found.support_[5]
    forward = StepwiseSelector(direction="forward", criterion="aic").fit(X, y)
    assert np.isfinite(forward.criterion_)
    assert not {0, 1, 5} <= set(forward.get_support(indices=True))


def test_noise_selects_nothing_and_steps_are_limited():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(200, 4)), rng.normal(size=200)
    assert not StepwiseSelector(criterion="bic").fit(X, y).support_.any()
    X, y = problem()
    assert StepwiseSelector(max_steps=1).fit(X, y).support_.sum() == 1


def test_more_columns_than_rows_ends():
    X, y = problem(6, 20)
    found = StepwiseSelector(direction="forward").fit(X, y)
    assert found.support_.sum() <= 5


def test_history_is_data():
    import pandas

    X, y = problem()
    frame = pandas.DataFrame(X, columns=list("abcdefg"))
    found = StepwiseSelector().fit(frame, y)
    table = pandas.DataFrame(found.history_.to_dict())
    assert list(table["action"])[:2] == ["start", "add"]
    assert table["name"][1] in frame.columns
    assert found.history_[1:] == found.history_.steps[1:]
    assert list(found.transform(frame).columns) == list(found.get_feature_names_out())
    assert "aic" in repr(found.history_)
