"""scikit-learn's metadata routing through pipelines, unions and column transformers."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn
import sklearn.base
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.model_selection import GridSearchCV

from stylobate.compose import ColumnTransformer
from stylobate.ensemble import StackingRegressor, VotingRegressor
from stylobate.linear_model import Ridge
from stylobate.model_selection import GridSearchCV as OurGridSearchCV
from stylobate.model_selection import GroupKFold, cross_val_predict, cross_val_score
from stylobate.pipeline import FeatureUnion, Pipeline
from stylobate.preprocessing import FunctionTransformer, StandardScaler


class Shifted(sklearn.base.TransformerMixin, sklearn.base.BaseEstimator):
    """A transformer that takes metadata when fitted and when it transforms."""

    def fit(self, X, y=None, sample_weight=None):
        self.mean_ = np.average(X, axis=0, weights=sample_weight)
        return self

    def transform(self, X, times=1.0):
        return (np.asarray(X) - self.mean_) * times

    def inverse_transform(self, X, times=1.0):
        return X / times + self.mean_


@pytest.fixture
def data():
    draw = np.random.default_rng(0)
    X = draw.normal(size=(40, 3))
    return X, X @ [1.0, 2.0, 3.0] + draw.normal(size=40), draw.uniform(size=40)


@pytest.fixture(autouse=True)
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def test_each_step_gets_what_it_asks_for(data):
    X, y, w = data
    model = Pipeline(
        [
            ("scale", StandardScaler().set_fit_request(sample_weight=True)),
            ("ridge", Ridge().set_fit_request(sample_weight=False)),
        ]
    ).fit(X, y, sample_weight=w)
    scaler = StandardScaler().fit(X, sample_weight=w)
    assert_allclose(model["scale"].mean_, scaler.mean_)
    assert_allclose(model["ridge"].coef_, Ridge().fit(scaler.transform(X), y).coef_)


def test_what_nobody_spoke_of_is_refused(data):
    X, y, w = data
    with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
        Pipeline([("ridge", Ridge())]).fit(X, y, sample_weight=w)
    with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
        FeatureUnion([("shift", Shifted())]).fit(X, y, sample_weight=w)
    with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
        ColumnTransformer([("shift", Shifted(), [0])]).fit(X, y, sample_weight=w)


def test_transforms_get_theirs(data):
    X, y, w = data
    shift = Shifted().set_fit_request(sample_weight=True).set_transform_request(times=True)
    shift.set_inverse_transform_request(times=True)
    chain = Pipeline([("shift", shift)]).fit(X, y, sample_weight=w)
    expected = (X - np.average(X, axis=0, weights=w)) * 3.0
    made = chain.transform(X, times=3.0)
    assert_allclose(made, expected)
    assert_allclose(chain.inverse_transform(made, times=3.0), X)
    union = FeatureUnion([("shift", shift)]).fit(X, y, sample_weight=w)
    assert_allclose(union.transform(X, times=3.0), expected)
    columns = ColumnTransformer([("shift", shift, [0, 1])], remainder="passthrough")
    made = columns.fit(X, y, sample_weight=w).transform(X, times=3.0)
    assert_allclose(made, np.column_stack([expected[:, :2], X[:, 2]]))
    assert isinstance(columns.named_transformers_["remainder"], FunctionTransformer)


def test_searches_route_through_pipelines(data):
    X, y, w = data
    ridge = Ridge().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
    scaler = StandardScaler().set_fit_request(sample_weight=False)
    model = Pipeline([("scale", scaler), ("ridge", ridge)])
    search = GridSearchCV(model, {"ridge__alpha": [0.1, 10.0]}, cv=3).fit(X, y, sample_weight=w)
    best = search.best_params_["ridge__alpha"]
    expected = Ridge(alpha=best).fit(StandardScaler().fit_transform(X), y, sample_weight=w)
    assert_allclose(search.best_estimator_["ridge"].coef_, expected.coef_)


def test_without_routing_names_say_it(data):
    X, y, w = data
    with sklearn.config_context(enable_metadata_routing=False):
        model = Pipeline([("shift", Shifted()), ("ridge", Ridge())])
        model.fit(X, y, shift__sample_weight=w)
        assert_allclose(model["shift"].mean_, np.average(X, axis=0, weights=w))
        for part in (model[:1], FeatureUnion([("s", Shifted())]).fit(X)):
            with pytest.raises(ValueError, match="enable_metadata_routing=True"):
                part.transform(X, times=2.0)
        assert_array_equal(model[:1].transform(X), model["shift"].transform(X))


def test_members_of_votes_and_stacks_get_what_they_ask_for(data):
    X, y, w = data
    asks = Ridge().set_fit_request(sample_weight=True)
    asks_not = Ridge(alpha=3.0).set_fit_request(sample_weight=False)
    for ensemble in (VotingRegressor, StackingRegressor):
        model = ensemble([("a", asks), ("b", asks_not)]).fit(X, y, sample_weight=w)
        assert_allclose(model.estimators_[0].coef_, Ridge().fit(X, y, sample_weight=w).coef_)
        assert_allclose(model.estimators_[1].coef_, Ridge(alpha=3.0).fit(X, y).coef_)
        with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
            ensemble([("a", Ridge())]).fit(X, y, sample_weight=w)


def test_validation_hands_out_what_is_asked_for(data):
    X, y, w = data
    groups = np.arange(40) % 4
    ridge = Ridge().set_fit_request(sample_weight="fit_weight")
    ridge.set_score_request(sample_weight="judge_weight")
    splitter = GroupKFold(4).set_split_request(groups=True)
    params = {"fit_weight": w, "judge_weight": w**2, "groups": groups}
    found = cross_val_score(ridge, X, y, cv=splitter, params=params)
    expected = []
    for train, test in GroupKFold(4).split(X, y, groups):
        model = Ridge().fit(X[train], y[train], sample_weight=w[train])
        expected.append(model.score(X[test], y[test], sample_weight=w[test] ** 2))
    assert_allclose(found, expected)
    search = OurGridSearchCV(ridge, {"alpha": [0.1, 1.0]}, cv=splitter).fit(X, y, **params)
    assert_allclose(search.cv_results_["mean_test_score"][1], np.mean(expected))
    best = search.best_estimator_
    assert_allclose(search.score(X, y, judge_weight=w), best.score(X, y, sample_weight=w))
    shown = cross_val_predict(ridge, X, y, cv=splitter, params={"fit_weight": w, "groups": groups})
    assert shown.shape == y.shape


def test_validation_refuses_what_nobody_spoke_of(data):
    X, y, w = data
    for validate in (cross_val_score, cross_val_predict):
        with pytest.raises(UnsetMetadataPassedError, match=r"Ridge\.fit"):
            validate(Ridge(), X, y, cv=3, params={"sample_weight": w})
        with pytest.raises(ValueError, match="metadata routing is not enabled"):
            validate(Ridge(), X, y, cv=3, groups=np.arange(40))
