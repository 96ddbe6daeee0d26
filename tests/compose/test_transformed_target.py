"""Regressions of a transformed target, against scikit-learn and by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import TransformedTargetRegressor as Theirs
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.preprocessing import QuantileTransformer, StandardScaler

from stylobate import clone
from stylobate.compose import TransformedTargetRegressor
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.linear_model import LinearRegression, Ridge
from stylobate.model_selection import GridSearchCV

random = np.random.default_rng(0)
X = random.normal(size=(50, 3))
y = np.exp(X @ [1.0, 0.5, -0.2] + 0.1 * random.normal(size=50))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"func": np.log, "inverse_func": np.exp},
        {"transformer": StandardScaler()},
        {"transformer": QuantileTransformer(n_quantiles=20, output_distribution="normal")},
        {"regressor": TheirRidge(), "func": np.sqrt, "inverse_func": np.square},
    ],
)
@pytest.mark.parametrize("target", [y, y[:, None], np.c_[y, y[::-1]]], ids=["1-d", "1", "2"])
def test_against_scikit_learn(options, target):
    ours = TransformedTargetRegressor(**options).fit(X, target)
    other = Theirs(**options).fit(X, target)
    expected = other.predict(X)
    assert ours.predict(X).shape == expected.shape
    np.testing.assert_allclose(ours.predict(X), expected, rtol=1e-8)
    assert ours.score(X, target) == pytest.approx(other.score(X, target), rel=1e-8)
    assert ours.n_features_in_ == 3


def test_parts_and_parameters():
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = TransformedTargetRegressor(Ridge(), func=np.log, inverse_func=np.exp).fit(frame, y)
    assert list(model.feature_names_in_) == ["a", "b", "c"]
    by_hand = Ridge().fit(X, np.log(y))
    np.testing.assert_array_equal(model.regressor_.coef_, by_hand.coef_)
    assert isinstance(TransformedTargetRegressor().fit(X, y).regressor_, LinearRegression)
    assert not hasattr(clone(model), "regressor_")
    found = GridSearchCV(model, {"regressor__alpha": [0.1, 100.0]}, cv=3).fit(frame, y)
    assert found.best_params_ == {"regressor__alpha": 0.1}
    weights = random.uniform(size=50)
    model.fit(frame, y, sample_weight=weights)
    expected = Ridge().fit(X, np.log(y), sample_weight=weights).coef_
    np.testing.assert_allclose(model.regressor_.coef_, expected)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"func": np.log}, "'inverse_func' must also be provided"),
        ({"inverse_func": np.log}, "'func' must also be provided"),
        ({"transformer": StandardScaler(), "func": np.log}, "cannot both be set"),
        ({"regressor": 3}, "regressor must be"),
    ],
)
def test_bad_parameters_are_refused(options, text):
    with pytest.raises(InvalidParameterError, match=text):
        TransformedTargetRegressor(**options).fit(X, y)


def test_bad_targets_are_refused():
    model = TransformedTargetRegressor(func=np.log, inverse_func=np.exp, check_inverse=False)
    with np.errstate(all="ignore"), pytest.raises(InvalidDataError, match=r"row 4 turns from \[-1"):
        model.fit(X, np.where(np.arange(50) == 4, -1.0, y))
    with pytest.raises(ValueError, match="requires y to be passed"):
        model.fit(X, None)
    with pytest.raises(InvalidDataError, match="NaN"):
        model.fit(X, np.where(y > 1, np.nan, y))
    with pytest.raises(ValueError, match=r"^regressor .*inconsistent numbers of samples"):
        model.fit(X[:10], y)


def test_a_wrong_inverse_is_noticed():
    model = TransformedTargetRegressor(func=np.log, inverse_func=np.sqrt)
    with pytest.warns(StylobateWarning, match="not strictly inverse"), np.errstate(all="ignore"):
        model.fit(X, y)
    model.set_params(check_inverse=False).fit(X, y)
