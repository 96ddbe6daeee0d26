"""What fits on joins read: no rows are collected, and further subsets of features read none."""

from __future__ import annotations

import numpy as np
import polars
import pytest

import stylobate
from stylobate.base import clone
from stylobate.base.estimator import BaseEstimator
from stylobate.cluster import KMeans
from stylobate.decomposition import PCA
from stylobate.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from stylobate.engines import windows
from stylobate.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from stylobate.feature_selection import SelectKBest, SequentialFeatureSelector, f_regression
from stylobate.joins import base_table
from stylobate.joins.prepared import Prepared
from stylobate.linear_model import (
    ElasticNetCV,
    Lasso,
    LassoCV,
    LinearRegression,
    LogisticRegression,
    PoissonRegressor,
    Ridge,
)
from stylobate.linear_model.least_squares import solution
from stylobate.naive_bayes import GaussianNB, NaiveBayes

ROWS = 300
WHOLE = -(-ROWS // 16)  # batches of all rows
FEATURES = ["facts.a", "facts.b", "other.c", "other.d", "third.e"]


def tables(n=ROWS, seed=0):
    rng = np.random.default_rng(seed)
    facts = {"k": rng.integers(0, 30, n), "a": rng.normal(size=n), "b": rng.normal(size=n)}
    other = {"k": np.arange(30), "c": rng.normal(size=30), "d": rng.normal(size=30)}
    other["j"] = rng.integers(0, 5, 30)
    third = {"j": np.arange(5), "e": rng.normal(size=5)}
    facts["y"] = facts["a"] + other["c"][facts["k"]] + rng.normal(0.0, 0.5, n)
    facts["label"] = (facts["y"] > 0.0).astype(np.int64)
    facts["count"] = rng.poisson(np.exp(0.3 * facts["a"]))
    return facts, other, third


def joined(facts, other, third, *, many=False):
    found = stylobate.join(facts, name="facts")
    found = found.with_(other, on="k", how="inner", many=many, name="other")
    return found.with_(third, on="j", name="third").select(FEATURES)


def rows(facts, other, third):
    at = facts["k"]
    return polars.DataFrame(
        {
            "facts.a": facts["a"],
            "facts.b": facts["b"],
            "other.c": other["c"][at],
            "other.d": other["d"][at],
            "third.e": third["e"][other["j"][at]],
        }
    )


PASSING = [
    (LinearRegression(), "y"),
    (Ridge(), "y"),
    (Lasso(0.01), "y"),
    (LassoCV(cv=3), "y"),
    (ElasticNetCV(cv=3), "y"),
    (PCA(2), None),
    (LinearDiscriminantAnalysis(), "label"),
    (QuadraticDiscriminantAnalysis(), "label"),
    (GaussianNB(), "label"),
    (NaiveBayes(), "label"),
    (LogisticRegression(), "label"),
    (PoissonRegressor(), "count"),
    (KMeans(3, n_init=1, random_state=0), None),
    (HistGradientBoostingRegressor(max_iter=4), "y"),
    (HistGradientBoostingClassifier(max_iter=4), "label"),
    (SelectKBest(f_regression, k=2), "y"),
    (SequentialFeatureSelector(LinearRegression(), n_features_to_select=2), "y"),
    (SequentialFeatureSelector(Ridge(), n_features_to_select=2, floating=True), "y"),
]


@pytest.mark.parametrize(
    ("model", "target"), PASSING, ids=[type(model).__name__ for model, _ in PASSING]
)
def test_nothing_is_collected(model, target, monkeypatch):
    """The door by which models ask for all rows at once is never taken."""

    def refused(*_):
        raise AssertionError("the rows of the join were collected")

    monkeypatch.setattr(BaseEstimator, "_fit_stream", refused)
    roles = {} if target is None else {"target": f"facts.{target}"}
    found = clone(model).fit(joined(*tables()), **roles)
    assert found.join_plan_.joined_rows == ROWS


def count_batches(monkeypatch):
    """Batches of 16 facts each, as they are read."""
    monkeypatch.setattr(base_table, "MOST_ROWS", 16)
    monkeypatch.setattr(windows, "MOST_ROWS", 16)
    monkeypatch.setattr(windows, "UNIT_ROWS", 16)
    read = []
    plain = Prepared.fact_batches

    def counted(self, names):
        for batch in plain(self, names):
            read.append(batch.first)
            yield batch

    monkeypatch.setattr(Prepared, "fact_batches", counted)
    return read


@pytest.mark.parametrize("many", [False, True])
def test_further_subsets_of_features_read_no_further_row(many, monkeypatch):
    monkeypatch.setattr(solution, "TINY_WORK", 0)  # few numbers are read again, as it costs nothing
    facts, other, third = tables()
    if many:
        other = {name: np.concatenate([cells, cells]) for name, cells in other.items()}
    read = count_batches(monkeypatch)
    rows_of = joined(facts, other, third, many=many)
    Ridge().fit(rows_of, target="facts.y")
    assert len(read) >= WHOLE
    for features in (FEATURES[:2], FEATURES[2:], FEATURES[::2]):
        before = len(read)
        found = Ridge().fit(rows_of, target="facts.y", features=features)
        assert set(read[before:]) <= {0, 16}  # the first rows, which show what the columns are
        fresh = joined(facts, other, third, many=many)
        expected = Ridge().fit(fresh, target="facts.y", features=features)
        np.testing.assert_allclose(found.coef_, expected.coef_, rtol=1e-10)


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize(
    "model",
    [LinearDiscriminantAnalysis(), QuadraticDiscriminantAnalysis(), GaussianNB()],
    ids=lambda model: type(model).__name__,
)
def test_classes_of_further_subsets_read_no_further_row(model, many, monkeypatch):
    facts, other, third = tables()
    if many:
        other = {name: np.concatenate([cells, cells]) for name, cells in other.items()}
    read = count_batches(monkeypatch)
    rows_of = joined(facts, other, third, many=many)
    clone(model).fit(rows_of, target="facts.label")
    assert len(read) >= WHOLE
    for features in (FEATURES[:2], FEATURES[2:], FEATURES[::2]):
        before = len(read)
        found = clone(model).fit(rows_of, target="facts.label", features=features)
        assert set(read[before:]) <= {0, 16}
        fresh = joined(facts, other, third, many=many)
        expected = clone(model).fit(fresh, target="facts.label", features=features)
        shown = np.random.default_rng(1).normal(size=(20, len(features)))
        shown = polars.DataFrame(shown, schema=features)
        np.testing.assert_allclose(
            found.predict_proba(shown), expected.predict_proba(shown), rtol=1e-9, atol=1e-12
        )


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize(
    "model",
    [
        LassoCV(cv=3),
        ElasticNetCV(cv=3),
        SequentialFeatureSelector(Ridge(), n_features_to_select=1, cv=3),
    ],
    ids=lambda model: type(model).__name__,
)
def test_folds_of_further_subsets_read_no_further_row(model, many, monkeypatch):
    facts, other, third = tables()
    if many:
        other = {name: np.concatenate([cells, cells]) for name, cells in other.items()}
    read = count_batches(monkeypatch)
    rows_of = joined(facts, other, third, many=many)
    first = clone(model).fit(rows_of, target="facts.y")
    assert "rows" not in first.join_plan_.reason.partition("learns")[2]
    clone(model).fit(rows_of, target="facts.y", features=FEATURES)
    before = len(read)
    found = clone(model).fit(rows_of, target="facts.y", features=FEATURES[:3])
    assert set(read[before:]) <= {0, 16}
    fresh = joined(facts, other, third, many=many)
    expected = clone(model).fit(fresh, target="facts.y", features=FEATURES[:3])
    if hasattr(found, "support_"):
        np.testing.assert_array_equal(found.support_, expected.support_)
    else:
        np.testing.assert_allclose(found.mse_path_, expected.mse_path_, rtol=1e-9)


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("estimator", [LinearRegression(), Ridge(0.5)])
def test_selection_over_the_columns_of_all_tables_is_that_of_the_rows(
    direction, estimator, monkeypatch
):
    made = tables()
    model = SequentialFeatureSelector(estimator, n_features_to_select=2, direction=direction, cv=4)
    read = count_batches(monkeypatch)
    found = clone(model).fit(joined(*made), target="facts.y")
    assert len(read) <= WHOLE + 2  # one pass, after a look at the first rows
    expected = clone(model).fit(rows(*made), made[0]["y"])
    np.testing.assert_array_equal(found.support_, expected.support_)
    assert found.solver_ == expected.solver_ == "moments"
    for ours, theirs in zip(found.history_.steps, expected.history_.steps, strict=True):
        assert ours.name == theirs.name
        assert ours.score == pytest.approx(theirs.score, rel=1e-10)
    assert found.get_feature_names_out().tolist() == ["facts.a", "other.c"]


def test_selection_goes_by_facts_where_keys_multiply_rows():
    facts, other, third = tables()
    other = {name: np.concatenate([cells, cells]) for name, cells in other.items()}
    model = SequentialFeatureSelector(LinearRegression(), n_features_to_select=2, cv=4)
    found = model.fit(joined(facts, other, third, many=True), target="facts.y")
    assert found.join_plan_.joined_rows == 2 * ROWS
    assert found.get_feature_names_out().tolist() == ["facts.a", "other.c"]


def test_selection_collects_rows_where_moments_do_not_tell():
    facts, other, third = tables()
    facts["b"] = facts["a"] + 1e-9 * facts["b"]
    model = SequentialFeatureSelector(LinearRegression(), n_features_to_select=3, cv=4)
    found = model.fit(joined(facts, other, third), target="facts.y")
    assert found.solver_ == "moments and fits"
    assert found.n_features_to_select_ == 3
