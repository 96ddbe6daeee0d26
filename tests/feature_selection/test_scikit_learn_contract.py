"""What scripts written for scikit-learn's selectors rely on."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.base
import sklearn.feature_selection as theirs
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.ensemble import HistGradientBoostingClassifier as GapsAllowed

from stylobate.ensemble import RandomForestClassifier
from stylobate.feature_selection import (
    RFE,
    RFECV,
    GenericUnivariateSelect,
    SelectFromModel,
    SelectKBest,
    SelectorMixin,
    chi2,
    mutual_info_classif,
)
from stylobate.impute import SimpleImputer
from stylobate.linear_model import ElasticNetCV, LogisticRegression
from stylobate.pipeline import make_pipeline


class EverySecond(SelectorMixin, sklearn.base.BaseEstimator):
    def fit(self, X, y=None):
        self.n_features_in_ = np.shape(X)[1]
        return self

    def _get_support_mask(self):
        return np.arange(self.n_features_in_) % 2 == 0


@pytest.fixture
def table():
    draw = np.random.default_rng(0)
    X = draw.normal(size=(60, 5))
    return X, (X[:, 1] + X[:, 3] > 0).astype(int)


def test_a_selector_with_another_librarys_base():
    X = np.arange(10).reshape(2, 5)
    with pytest.raises(ValueError, match="not fitted"):
        EverySecond().transform(X)
    model = EverySecond().fit(X)
    assert_array_equal(model.transform(X), X[:, ::2])
    assert_array_equal(model.inverse_transform(X[:, ::2])[:, 1], 0)
    assert model.get_feature_names_out().tolist() == ["x0", "x2", "x4"]
    with pytest.raises(ValueError, match="X has 3 features"):
        model.transform(X[:, :3])


def test_whole_numbers_stay_whole():
    X = np.arange(20).reshape(4, 5) % 7
    chosen = SelectKBest(chi2, k=2).fit_transform(X, [0, 1, 0, 1])
    assert chosen.dtype == X.dtype


def test_chi2_of_rows_with_several_labels():
    draw = np.random.default_rng(0)
    X, Y = draw.integers(9, size=(30, 4)), draw.integers(2, size=(30, 3))
    for ours, expected in zip(chi2(X, Y), theirs.chi2(X, Y), strict=True):
        assert_allclose(ours, expected)
    with pytest.raises(ValueError, match="a column for each label"):
        chi2(X, Y + 1)


def test_scores_without_a_target(table):
    def score(X, y=None):
        return np.arange(X.shape[1])

    model = GenericUnivariateSelect(score, mode="k_best", param=2).fit(table[0])
    assert model.get_support(indices=True).tolist() == [3, 4]


def test_what_the_model_takes_is_handed_on(table):
    X, y = table
    model = SelectFromModel(
        GapsAllowed(max_iter=3), importance_getter=lambda m: np.arange(5.0), threshold="median"
    ).fit(X, y)
    gaps = X.copy()
    gaps[0], gaps[1] = np.nan, np.inf
    assert model.transform(gaps).shape == (60, 3)
    plain = SelectFromModel(LogisticRegression()).fit(X, y)
    with pytest.raises(ValueError, match="NaN"):
        plain.transform(gaps)


@pytest.mark.parametrize("kind", [RFE, RFECV])
def test_gaps_that_the_pipeline_fills(kind, table):
    X, y = table
    X[0, 0] = np.nan
    model = make_pipeline(SimpleImputer(), LogisticRegression())
    found = kind(model, importance_getter="named_steps.logisticregression.coef_").fit(X, y)
    assert found.support_[[1, 3]].all()
    with pytest.raises(ValueError, match="NaN"):
        kind(LogisticRegression()).fit(X, y)


def test_the_threshold_looks_at_the_fitted_model(table):
    X, y = table
    model = SelectFromModel(ElasticNetCV(l1_ratio=[1.0])).fit(X, y)
    assert model.threshold_ == 1e-5


def test_numbers_of_features_are_checked_whenever_they_change(table):
    forest = RandomForestClassifier(n_estimators=2, random_state=0).fit(*table)
    with pytest.raises(ValueError, match="max_features"):
        SelectFromModel(forest, prefit=True, max_features=2.5).transform(table[0])


def test_columns_that_are_not_there(table):
    with pytest.raises(IndexError, match="discrete_features"):
        mutual_info_classif(*table, discrete_features=[1, 9])
