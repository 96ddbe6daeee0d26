"""What an estimator holds after refits, failures and changed parameters; shapes and dtypes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn import linear_model as theirs

from stylobate import linear_model as ours
from stylobate.exceptions import InvalidDataError, InvalidParameterError, NotFittedError
from stylobate.linear_model import LinearRegression, Ridge, RidgeCV

RNG = np.random.default_rng(3)
X = RNG.normal(size=(80, 3))
Y = X @ RNG.normal(size=(3, 2)) + RNG.normal(size=(80, 2))
y = Y[:, 0]


def test_a_failed_refit_leaves_no_half_fitted_model():
    model = LinearRegression().fit(X, y)
    with pytest.raises(InvalidDataError, match="NaN"):
        model.fit(np.full((5, 4), np.nan), np.ones(5))
    with pytest.raises(NotFittedError):
        model.predict(X)
    model.partial_fit(X, y)  # starts afresh
    assert model.coef_ == pytest.approx(LinearRegression().fit(X, y).coef_)


@pytest.mark.parametrize(("first", "then"), [("auto", "qr"), ("qr", "auto"), ("svd", "cholesky")])
def test_another_solver_cannot_go_on_from_this_statistic(first, then):
    model = LinearRegression(solver=first).fit(X, y).set_params(solver=then)
    with pytest.raises(InvalidDataError, match="from the first rows on"):
        model.partial_fit(X, y)


def test_what_a_refit_does_not_learn_is_gone():
    model = RidgeCV(store_cv_results=True).fit(X, y)
    assert hasattr(model, "cv_results_")
    assert not hasattr(model.set_params(store_cv_results=False).fit(X, y), "cv_results_")


def test_parameters_changed_after_the_fit_do_not_change_the_fit():
    model = LinearRegression().fit(X, Y)
    before = model.summary(target=1).to_dict()
    assert model.set_params(fit_intercept=False).summary(target=1).to_dict() == before


@pytest.mark.parametrize("target", [1, -1, "y", 0.5])
def test_a_target_there_is_not(target):
    with pytest.raises(InvalidParameterError, match="target must be the number of a target"):
        LinearRegression().fit(X, y).summary(X, y, target=target, covariance="HC0")


def test_scores_of_other_targets_are_refused():
    with pytest.raises(InvalidDataError, match="2 target"):
        LinearRegression().fit(X, y).score(X, Y)
    with pytest.raises(InvalidDataError, match="1 target"):
        LinearRegression().fit(X, Y).score(X, y)


@pytest.mark.parametrize("name", ["LinearRegression", "Ridge", "RidgeCV"])
def test_shapes_for_a_target_of_one_column(name):
    mine, reference = getattr(ours, name)().fit(X, Y[:, :1]), getattr(theirs, name)()
    reference.fit(X, Y[:, :1])
    for model in (mine, reference):
        assert np.shape(model.coef_) == np.shape(reference.coef_)
        assert np.shape(model.intercept_) == np.shape(reference.intercept_)
        assert model.predict(X).shape == reference.predict(X).shape


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_predictions_have_the_precision_of_x(kind):
    assert Ridge().fit(X, y).predict(X.astype(kind)).dtype == kind


def test_extra_columns_are_named_before_their_values_are_looked_at():
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = LinearRegression().fit(frame, y)
    with pytest.raises(InvalidDataError, match=r"unseen at fit time:\n- species"):
        model.predict(frame.assign(species="Adelie"))
