"""scikit-learn's tools accept our estimators, routing and pickles included; it is never loaded."""

from __future__ import annotations

import io
import pickle
import subprocess
import sys
import warnings

import joblib
import numpy as np
import pytest
import sklearn
import sklearn.base
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.dummy import DummyRegressor
from sklearn.exceptions import NotFittedError as TheirNotFittedError
from sklearn.linear_model import LinearRegression
from sklearn.metrics import accuracy_score, r2_score
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags
from small_estimators import SmallCentroids, SmallRidge, SmallScaler

from stylobate.base import BaseEstimator, Tags, is_classifier, is_regressor
from stylobate.exceptions import InvalidDataError, InvalidParameterError, NotFittedError

RNG = np.random.default_rng(0)
X = RNG.standard_normal((40, 3))
y = X @ [1.0, -2.0, 0.5] + 0.1 * RNG.standard_normal(40)
W = RNG.integers(0, 4, 40).astype(float)
LABELS = np.where(X[:, 0] > 0, "up", "down")


def test_grid_search_in_a_pipeline():
    pipeline = make_pipeline(SmallScaler(), SmallRidge())
    search = GridSearchCV(pipeline, {"smallridge__alpha": [1e-3, 1.0, 1e3]}, cv=4).fit(X, y)
    assert search.best_params_ == {"smallridge__alpha": 1e-3}
    theirs = cross_val_score(LinearRegression(), X, y, cv=4)
    np.testing.assert_allclose(cross_val_score(SmallRidge(alpha=0.0), X, y, cv=4), theirs)
    assert cross_val_predict(SmallCentroids(), X, LABELS, cv=3).shape == (40,)


def test_scores_are_scikit_learns():
    model = SmallRidge().fit(X[:20], y[:20])
    predicted = model.predict(X)
    assert model.score(X, y) == pytest.approx(r2_score(y, predicted), rel=1e-13)
    expected = r2_score(y, predicted, sample_weight=W)
    assert model.score(X, y, sample_weight=W) == pytest.approx(expected, rel=1e-13)
    both = np.column_stack([y, np.exp(y)])
    model.fit(X, both)
    expected = r2_score(both, model.predict(X), sample_weight=W)
    assert model.score(X, both, W) == pytest.approx(expected, rel=1e-13)
    labelled = SmallCentroids().fit(X, LABELS)
    expected = accuracy_score(LABELS, labelled.predict(X), sample_weight=W)
    assert labelled.score(X, LABELS, W) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("truth", [np.full(4, 2.0), np.array([1.0, 2.0, 3.0, 4.0])])
def test_scores_of_constant_targets(truth):
    model = SmallRidge(alpha=1e12).fit(np.arange(4.0)[:, None], truth)
    ours = model.score(np.arange(4.0)[:, None], truth)
    expected = r2_score(truth, model.predict(np.arange(4.0)[:, None]))
    assert ours == pytest.approx(expected, abs=1e-12)


def test_scoring_checks_lengths_and_weights():
    model = SmallRidge().fit(X, y)
    with pytest.raises(InvalidDataError):
        model.score(X, y[:-1])
    with pytest.raises(InvalidDataError):
        model.score(X, y, -W)
    with pytest.raises(InvalidDataError):
        SmallCentroids().fit(X, LABELS).score(X, LABELS[:-1])


def test_tags_are_translated():
    tags = get_tags(SmallRidge())
    assert tags.estimator_type == "regressor"
    assert tags.target_tags.required
    assert tags.target_tags.multi_output
    assert tags.input_tags.sparse
    assert tags.regressor_tags.poor_score is False
    assert tags.classifier_tags is tags.transformer_tags is None
    assert get_tags(SmallScaler()).transformer_tags.preserves_dtype == ["float64", "float32"]
    assert get_tags(SmallCentroids()).classifier_tags.multi_class
    assert SmallRidge()._tags() == Tags(
        estimator_type="regressor",
        requires_y=True,
        sparse=True,
        multi_output=True,
        tier="one pass",
    )


def test_kinds_of_estimators():
    for estimator in (SmallRidge(), LinearRegression(), make_pipeline(SmallRidge())):
        assert is_regressor(estimator)
        assert sklearn.base.is_regressor(estimator)
        assert not is_classifier(estimator)
    assert is_classifier(SmallCentroids())
    assert not is_regressor(SmallScaler())
    assert is_regressor(DummyRegressor())


def test_not_fitted_is_also_scikit_learns():
    with pytest.raises(TheirNotFittedError) as caught:
        SmallRidge().predict(X)
    assert isinstance(caught.value, NotFittedError)


def test_a_failed_fit_does_not_count():
    model = SmallRidge(solver="solve", alpha=0.0)
    with pytest.raises(ValueError, match="dependent"):
        model.fit(np.column_stack([X, np.zeros(40)]), y)
    assert model.n_features_in_ == 4
    with pytest.raises(NotFittedError):
        model.predict(X)


def test_columns_are_compared_before_values():
    import pandas as pd

    model = SmallRidge().fit(pd.DataFrame(X, columns=list("abc")), y)
    wrong = pd.DataFrame(np.full((2, 3), np.nan), columns=list("abd"))
    with pytest.raises(InvalidDataError, match="unseen at fit time:\n- d\n"):
        model.predict(wrong)
    with pytest.warns(UserWarning, match="X does not have valid feature names, but SmallRidge"):
        model.predict(X)
    with pytest.warns(UserWarning, match="X has feature names, but SmallRidge was fitted without"):
        SmallRidge().fit(X, y).predict(pd.DataFrame(X, columns=list("abc")))
    with pytest.raises(InvalidDataError, match="NaN"):
        model.predict(wrong.set_axis(list("abc"), axis=1))


def test_routing_of_weights():
    with sklearn.config_context(enable_metadata_routing=True):
        weighted = SmallRidge().set_fit_request(sample_weight=True)
        weighted.set_score_request(sample_weight=False)
        search = GridSearchCV(weighted, {"alpha": [0.5]}, cv=3).fit(X, y, sample_weight=W)
        expected = SmallRidge(alpha=0.5).fit(X, y, W)
        np.testing.assert_allclose(search.best_estimator_.coef_, expected.coef_, rtol=1e-12)
        renamed = make_pipeline(SmallRidge().set_fit_request(sample_weight="mass"))
        np.testing.assert_allclose(
            renamed.fit(X, y, mass=W)[-1].coef_, SmallRidge().fit(X, y, W).coef_, rtol=1e-12
        )
        undecided = make_pipeline(SmallRidge())
        with pytest.raises(ValueError, match="sample_weight"):
            undecided.fit(X, y, sample_weight=W)


def test_routing_refuses_what_is_not_there():
    assert not hasattr(SmallRidge(), "set_predict_request")
    assert not hasattr(SmallRidge(), "set_partial_fit_request")
    with pytest.raises(InvalidParameterError, match="takes no metadata 'groups'"):
        SmallRidge().set_fit_request(groups=True)
    with pytest.raises(InvalidParameterError, match="True, False, None or another name"):
        SmallRidge().set_fit_request(sample_weight=3)


@given(arrays(np.float64, (6, 2), elements=st.floats(-1e3, 1e3)))
def test_pickles_round_trip(data):
    model = SmallScaler().fit(data)
    again = pickle.loads(pickle.dumps(model))
    assert vars(again).keys() == vars(model).keys()
    np.testing.assert_array_equal(again.transform(data), model.transform(data))


def test_joblib_stores_estimators():
    file = io.BytesIO()
    joblib.dump(SmallRidge().fit(X, y), file)
    file.seek(0)
    np.testing.assert_array_equal(joblib.load(file).coef_, SmallRidge().fit(X, y).coef_)


def test_another_version_is_said_in_words():
    model = SmallRidge().fit(X, y)
    state = model.__getstate__() | {"_stylobate_version": "0.0.1"}
    with pytest.warns(UserWarning, match=r"SmallRidge was stored by stylobate 0\.0\.1"):
        SmallRidge().__setstate__(state)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        twin = SmallRidge.__new__(SmallRidge)
        twin.__setstate__(model.__getstate__())
    assert "_stylobate_version" not in vars(twin)


def test_base_loads_neither_scikit_learn_nor_scipy():
    code = (
        "import sys, stylobate.base, stylobate.config\n"
        "from stylobate.base import BaseEstimator, RegressorMixin, clone\n"
        "class A(RegressorMixin, BaseEstimator):\n"
        "    def __init__(self, alpha: float = 1.0):\n"
        "        self.alpha = alpha\n"
        "a = clone(A(2.0)); a._check_parameters(); repr(a); a._repr_html_(); a._tags()\n"
        "heavy = {'sklearn', 'scipy', 'narwhals', 'pandas', 'polars', 'pyarrow'} & {*sys.modules}\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_base_does_not_inherit_from_scikit_learn():
    assert not any(kind.__module__.startswith("sklearn") for kind in BaseEstimator.__mro__)
