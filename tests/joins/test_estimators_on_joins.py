"""Every estimator learns from a join what it learns from the rows of the join.

The same rows, taken apart into tables and joined again, give the bits of the rows as a stream
(of which `tests/engines` shows that they are those of memory, or how far from them).
"""

from __future__ import annotations

import warnings

import numpy as np
import polars
import pytest

import stylobate
from stylobate.base import clone
from stylobate.decomposition import PCA
from stylobate.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from stylobate.engines import windows
from stylobate.linear_model import (
    ElasticNetCV,
    Lasso,
    LassoCV,
    LinearRegression,
    LogisticRegression,
    LogisticRegressionCV,
    PoissonRegressor,
    Ridge,
)
from stylobate.linear_model.stochastic.model import StochasticLinear
from stylobate.model_selection import GridSearchCV, HashKFold
from stylobate.model_selection.search.base import BaseSearchCV
from stylobate.naive_bayes import CategoricalNB, GaussianNB
from stylobate.preprocessing import StandardScaler
from stylobate.testing import all_estimators
from stylobate.testing.discovery import example_of
from stylobate.testing.problems import answers, problem_for
from stylobate.testing.sameness import assert_same

ROWS = 90
ESTIMATORS = [
    pytest.param(example_of(kind), id=kind.__name__)
    for kind in all_estimators()
    if example_of(kind)._tags().two_d and not example_of(kind)._tags().text
]


def taken_apart(X, y, rng):
    """Tables that join to these rows: all columns but the first are looked up, some twice."""
    n, p = X.shape
    person, house = rng.permutation(n), rng.permutation(n)
    at_person, at_house = np.argsort(person), np.argsort(house)
    facts = {"person": person, "x0": X[:, 0]}
    people = {"person": np.arange(n), "house": house[at_person]}
    houses = {"house": np.arange(n)}
    for j in range(1, p):
        if j % 2:
            people[f"x{j}"] = X[at_person, j]
        else:
            houses[f"x{j}"] = X[at_house, j]
    names = []
    if y is not None:
        targets = y[:, None] if y.ndim == 1 else y
        names = [f"y{j}" for j in range(targets.shape[1])]
        facts |= dict(zip(names, targets.T, strict=True))
    joined = stylobate.join(facts, name="facts")
    joined = joined.with_(people, on="person", how="inner", name="people")
    if len(houses) > 1:
        joined = joined.with_(houses, on="house", name="houses")
    homes = ["facts" if j == 0 else "people" if j % 2 else "houses" for j in range(p)]
    features = [f"{home}.x{j}" for j, home in enumerate(homes)]
    roles = {} if y is None else {"target": names[0] if y.ndim == 1 else names}
    return joined, features, roles


def as_rows(X, y, features):
    columns = dict(zip(features, X.T, strict=True))
    if y is not None:
        targets = y[:, None] if y.ndim == 1 else y
        columns |= {f"y{j}": target for j, target in enumerate(targets.T)}
    return polars.DataFrame(columns).lazy()


def fitted(model, rows, features, roles):
    twin = clone(model)
    if "random_state" in twin.get_params():
        twin.set_params(random_state=0)
    if isinstance(twin, BaseSearchCV | LogisticRegressionCV):
        twin.set_params(cv=HashKFold(5))
    if isinstance(twin, StochasticLinear):
        twin.set_params(shuffle=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return twin.fit(rows, features=features, **roles)


def plain(model, X):
    found = answers(model, X)
    return {k: v.astype(object) if v.dtype.kind in "UO" else v for k, v in found.items()}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("many_windows", [False, True], ids=["one window", "many windows"])
@pytest.mark.parametrize("model", ESTIMATORS)
def test_a_join_gives_the_bits_of_its_rows(model, many_windows, monkeypatch):
    if many_windows:
        monkeypatch.setattr(windows, "MOST_ROWS", 16)
        monkeypatch.setattr(windows, "UNIT_ROWS", 16)
    problem = problem_for(model, n_rows=ROWS)
    joined, features, roles = taken_apart(problem.X, problem.y, np.random.default_rng(1))
    found = fitted(model, joined, features, roles)
    expected = fitted(model, as_rows(problem.X, problem.y, features), features, roles)
    shown = polars.DataFrame(problem.X, schema=features)
    assert_same(plain(expected, shown), plain(found, shown))
    assert found.join_plan_.kind == "lookup"


def multiplied(y):
    """Facts of which each meets several rows of another table, and the rows that makes."""
    rng = np.random.default_rng(5)
    n, m = 120, 60
    facts = {"k": rng.integers(0, 6, n), "a": rng.normal(3.0, 1.0, n), "b": rng.normal(size=n)}
    other = {"k": rng.integers(0, 6, m), "c": rng.normal(size=m), "d": rng.normal(-2.0, 1.0, m)}
    signal = facts["a"] - 3.0 + 0.5 * facts["b"] + rng.normal(size=n)
    facts["y"] = {
        "numbers": signal,
        "labels": np.where(signal > 0.0, "yes", "no"),
        "counts": rng.poisson(np.exp(0.4 * signal)),
    }[y]
    pairs = [(i, j) for i in range(n) for j in range(m) if facts["k"][i] == other["k"][j]]
    left, right = np.array(pairs).T
    rows = {"a": facts["a"][left], "b": facts["b"][left]}
    rows |= {"c": other["c"][right], "d": other["d"][right]}
    joined = stylobate.join(facts, name="facts")
    joined = joined.with_(other, on="k", how="inner", many=True, name="other")
    return joined, rows, facts["y"][left], left


FEATURES = ["facts.a", "facts.b", "other.c", "other.d"]


@pytest.mark.parametrize(
    ("model", "y", "plan", "tolerance"),
    [
        (LinearRegression(), "numbers", "factorised", 1e-10),
        (Ridge(2.0), "numbers", "factorised", 1e-10),
        (Lasso(0.05, tol=1e-13), "numbers", "factorised", 1e-10),
        (PCA(2), "numbers", "factorised", 1e-10),
        (LinearDiscriminantAnalysis(), "labels", "factorised", 1e-10),
        (QuadraticDiscriminantAnalysis(), "labels", "factorised", 1e-10),
        (GaussianNB(), "labels", "factorised", 1e-10),
        (LogisticRegression(), "labels", "lookup", 1e-7),
        (PoissonRegressor(), "counts", "lookup", 1e-7),
        (StandardScaler(), "numbers", "lookup", 1e-10),
    ],
    ids=lambda each: type(each).__name__ if hasattr(each, "fit") else str(each),
)
def test_joins_that_multiply_rows(model, y, plan, tolerance):
    joined, rows, target, _ = multiplied(y)
    roles = {"target": "y"} if model._tags().requires_y else {}
    found = clone(model).fit(joined.select(FEATURES), **roles)
    assert found.join_plan_.kind == plan
    assert found.join_plan_.joined_rows == len(target)
    frame = polars.DataFrame(rows).rename(dict(zip("abcd", FEATURES, strict=True)))
    expected = clone(model).fit(frame, target)
    for method in ("predict_proba", "predict", "transform"):
        if hasattr(expected, method):
            ours, theirs = (np.asarray(getattr(m, method)(frame)) for m in (found, expected))
            if theirs.dtype.kind == "f":
                np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)
            else:
                np.testing.assert_array_equal(ours, theirs)


def test_classes_may_be_a_column_of_a_joined_table():
    rng = np.random.default_rng(3)
    facts = {"k": rng.integers(0, 6, 200), "a": rng.normal(size=200)}
    other = {"k": rng.integers(0, 6, 90), "b": rng.normal(size=90)}
    other["kind"] = np.where(other["b"] + rng.normal(size=90) > 0, "warm", "cold")
    joined = stylobate.join(facts, name="facts")
    joined = joined.with_(other, on="k", how="inner", many=True, name="other")
    left, right = np.nonzero(facts["k"][:, None] == other["k"])
    rows = np.column_stack([facts["a"][left], other["b"][right]])
    for model in (LinearDiscriminantAnalysis(), QuadraticDiscriminantAnalysis(), GaussianNB()):
        found = model.fit(joined.select(["facts.a", "other.b"]), target="other.kind")
        assert found.join_plan_.kind == "factorised"
        frame = polars.DataFrame(rows, schema=["facts.a", "other.b"])
        expected = clone(model).fit(frame, other["kind"][right])
        assert found.classes_.tolist() == ["cold", "warm"]
        np.testing.assert_allclose(
            found.predict_proba(frame), expected.predict_proba(frame), rtol=1e-10, atol=1e-12
        )


@pytest.mark.parametrize("how", ["inner", "left"])
@pytest.mark.parametrize("target", ["facts.y", "other.y"])
def test_categories_are_counted_key_by_key(target, how):
    rng = np.random.default_rng(8)
    facts = {"k": rng.integers(0, 6, 300), "a": rng.integers(0, 4, 300), "w": rng.random(300)}
    facts["y"] = np.where(facts["a"] + rng.integers(0, 3, 300) > 2, "late", "in time")
    other = {"k": rng.integers(0, 6, 120), "b": rng.integers(0, 5, 120)}
    other["y"] = rng.choice(["x", "y", "z"], 120)
    joined = stylobate.join(facts, name="facts")
    joined = joined.with_(other, on="k", how=how, many=True, name="other")
    left, right = np.nonzero(facts["k"][:, None] == other["k"])
    frame = {"facts.a": facts["a"][left], "other.b": other["b"][right]}
    y = facts["y"][left] if target == "facts.y" else other["y"][right]
    for weight in (None, "facts.w"):
        roles = {"target": target, "features": ["facts.a", "other.b"], "weight": weight}
        found = CategoricalNB().fit(joined, **roles)
        assert found.join_plan_.kind == "factorised"
        w = None if weight is None else facts["w"][left]
        expected = CategoricalNB().fit(np.column_stack(list(frame.values())), y, w)
        assert found.classes_.tolist() == expected.classes_.tolist()
        for ours, theirs in zip(found.category_count_, expected.category_count_, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-12)
        np.testing.assert_allclose(found.class_count_, expected.class_count_, rtol=1e-12)


def test_inference_on_a_factorised_join_is_that_of_its_rows():
    joined, rows, target, _ = multiplied("numbers")
    found = LinearRegression().fit(joined.select(FEATURES), target="y").summary()
    expected = LinearRegression().fit(np.column_stack(list(rows.values())), target).summary()
    for name in ("std_error", "p", "ci_low"):
        ours, theirs = (getattr(each.coefficients, name) for each in (found, expected))
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-300)
    assert found.r2 == pytest.approx(expected.r2, rel=1e-11)


@pytest.mark.parametrize("model", [LassoCV(cv=4, tol=1e-12), ElasticNetCV(cv=4, tol=1e-12)])
def test_folds_are_made_of_facts_and_not_of_joined_rows(model):
    joined, rows, target, facts = multiplied("numbers")
    found = clone(model).fit(joined.select(FEATURES), target="y")
    X = np.column_stack(list(rows.values()))
    part = facts // (120 // 4)
    folds = [(np.flatnonzero(part != k), np.flatnonzero(part == k)) for k in range(4)]
    expected = clone(model).set_params(cv=folds).fit(X, target)
    assert found.alpha_ == pytest.approx(expected.alpha_, rel=1e-9)
    np.testing.assert_allclose(found.mse_path_, expected.mse_path_, rtol=1e-7)
    np.testing.assert_allclose(found.coef_, expected.coef_, rtol=1e-7, atol=1e-9)


def test_searches_and_paths_of_logistic_regression_have_folds_of_facts():
    joined, rows, target, facts = multiplied("labels")
    X, folds = np.column_stack(list(rows.values())), HashKFold(4)
    part = folds.folds_of(0, 120)[facts]
    parts = [(np.flatnonzero(part != k), np.flatnonzero(part == k)) for k in range(4)]
    grid = {"C": [0.01, 1.0]}
    found = GridSearchCV(LogisticRegression(), grid, cv=folds).fit(
        joined.select(FEATURES), target="y"
    )
    expected = GridSearchCV(LogisticRegression(), grid, cv=parts).fit(X, target)
    np.testing.assert_allclose(
        found.cv_results_["mean_test_score"], expected.cv_results_["mean_test_score"], rtol=1e-12
    )
    path = LogisticRegressionCV(Cs=[0.1, 1.0], cv=folds).fit(joined.select(FEATURES), target="y")
    other = LogisticRegressionCV(Cs=[0.1, 1.0], cv=parts).fit(X, target)
    np.testing.assert_allclose(path.coef_, other.coef_, rtol=1e-5)
