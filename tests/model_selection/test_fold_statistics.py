"""Fits and scores from statistics of the folds equal refits, and give way to them near trouble."""

from __future__ import annotations

import logging

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn import model_selection as theirs

from stylobate import config_context
from stylobate.linear_model import ConstrainedRidge, LinearRegression, Ridge, RidgeCV
from stylobate.metrics import make_scorer, mean_squared_error, r2_score
from stylobate.model_selection import (
    KFold,
    LeaveOneOut,
    ShuffleSplit,
    cross_val_predict,
    cross_val_score,
    cross_validate,
    learning_curve,
    validation_curve,
)

SUMS = ["r2", "neg_mean_squared_error", "neg_root_mean_squared_error", "explained_variance"]
MODELS = [
    LinearRegression(),
    LinearRegression(fit_intercept=False),
    LinearRegression(positive=True),
    Ridge(alpha=3.0),
    Ridge(alpha=1e-3, fit_intercept=False, solver="cholesky"),
    Ridge(alpha=2.0, positive=True),
    ConstrainedRidge(radius=0.5),
]


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(120, 5)) * [1.0, 10.0, 0.1, 1.0, 1.0] + [0.0, 50.0, 0.0, -3.0, 1.0]
    w = rng.normal(size=(5, 2))
    y = x @ w / 5 + rng.normal(size=(120, 2)) + 7.0
    weights = rng.uniform(size=120)
    weights[::6] = 0.0
    return x, y, weights


@pytest.fixture
def counts(caplog):
    """How many fits came from statistics and how many from rows, as the log tells."""
    caplog.set_level(logging.INFO, "stylobate.model_selection")

    def read():
        found = [record.args[-2:] for record in caplog.records if len(record.args) == 5]
        caplog.clear()
        return found

    return read


def refitted(function, *args, **kwargs):
    with config_context(cross_validation="refit"):
        return function(*args, **kwargs)


def agree(found, right, rtol=1e-9):
    assert found.keys() == right.keys()
    for key, value in right.items():
        assert len(found[key]) == len(value)
        if not key.endswith("_time"):
            np.testing.assert_allclose(found[key], value, rtol=rtol, atol=1e-12, err_msg=key)


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_as_refits(model, weighted, several, rows, counts):
    x, y, w = rows
    y = y if several else y[:, 0]
    options = {"scoring": SUMS, "return_train_score": True}
    options |= {"params": {"sample_weight": w}} if weighted else {}
    for cv in (
        5,
        KFold(4, shuffle=True, random_state=0),
        ShuffleSplit(6, test_size=0.3, random_state=0),
        [(np.arange(60), np.arange(50, 90)), (np.arange(30, 100), np.array([3, 3, 3, 4, 5]))],
    ):
        agree(
            cross_validate(model, x, y, cv=cv, **options),
            refitted(cross_validate, model, x, y, cv=cv, **options),
        )
        (from_statistics, on_rows), *more = counts()
        assert on_rows == 0
        assert from_statistics > 0
        assert not more  # a refit reports nothing: it was asked for


@pytest.mark.sampled(2)
@pytest.mark.parametrize("model", MODELS[:4], ids=str)
@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_learning_curves_as_refits(model, shuffle, weighted, rows, counts):
    x, y, w = rows
    for cv in (5, KFold(3, shuffle=True, random_state=1), ShuffleSplit(3, random_state=2)):
        for scoring in ("neg_mean_squared_error", "neg_median_absolute_error"):
            options = {
                "cv": cv, "train_sizes": [15, 30, 31, 76], "shuffle": shuffle, "random_state": 1,
                "scoring": scoring, "params": {"sample_weight": w} if weighted else None,
            }  # fmt: skip
            found = learning_curve(model, x, y[:, 0], **options)
            assert counts()[0][1] == 0
            right = refitted(learning_curve, model, x, y[:, 0], **options)
            for a, b in zip(found, right, strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("model", [*MODELS[:2], *MODELS[3:5]], ids=str)
def test_leaving_out_each_row_as_refits(model, several, weighted, rows):
    x, y, w = rows
    y = y if several else y[:, 0]
    params = {"sample_weight": w} if weighted else None
    names = ["neg_mean_squared_error", "neg_root_mean_squared_error", "neg_mean_absolute_error"]
    names += ["neg_median_absolute_error", "explained_variance"]
    names += [] if several else ["neg_max_error"]
    x, y, n = x[::2], y[::2], 60
    params = None if params is None else {"sample_weight": w[::2]}
    right = refitted(cross_validate, model, x, y, cv=LeaveOneOut(), scoring=names, params=params)
    for cv in (LeaveOneOut(), theirs.LeaveOneOut(), KFold(n)):
        agree(cross_validate(model, x, y, cv=cv, scoring=names, params=params), right)
    agree(
        {"p": cross_val_predict(model, x, y, cv=LeaveOneOut(), params=params)},
        {"p": refitted(cross_val_predict, model, x, y, cv=LeaveOneOut(), params=params)},
    )


def test_leaving_out_by_the_generic_call_of_scikit_learn(rows):
    x, y, _ = rows
    options = {"cv": theirs.LeaveOneOut(), "scoring": "neg_mean_squared_error"}
    found = cross_val_score(Ridge(), x, y[:, 0], **options)
    from sklearn.linear_model import Ridge as TheirRidge

    right = theirs.cross_val_score(TheirRidge(), x, y[:, 0], **options)
    np.testing.assert_allclose(found, right, rtol=1e-9)
    assert found.dtype == right.dtype
    assert found.shape == right.shape


def test_penalties_of_their_own_for_each_target(rows):
    x, y, _ = rows
    model = Ridge(alpha=[0.5, 40.0])
    for cv in (5, LeaveOneOut()):
        found = cross_val_score(model, x, y, cv=cv, scoring="neg_mean_squared_error")
        right = refitted(cross_val_score, model, x, y, cv=cv, scoring="neg_mean_squared_error")
        np.testing.assert_allclose(found, right, rtol=1e-9)


def test_sparse_rows(rows, counts):
    x, y, _ = rows
    x = np.where(np.abs(x) > 1, x, 0.0)
    for wrapped in (sparse.csr_array(x), sparse.csc_matrix(x)):
        for cv in (4, KFold(4, shuffle=True, random_state=3), LeaveOneOut()):
            options = {"cv": cv, "scoring": "neg_mean_squared_error"}
            found = cross_val_score(Ridge(), wrapped, y[:, 0], **options)
            right = refitted(cross_val_score, Ridge(), x, y[:, 0], **options)
            np.testing.assert_allclose(found, right, rtol=1e-9)
    assert all(on_rows == 0 for _, on_rows in counts())


def test_own_scorers_and_kept_estimators(rows):
    x, y, _ = rows
    weighing = make_scorer(r2_score, multioutput="variance_weighted")
    loss = make_scorer(mean_squared_error, greater_is_better=False, multioutput=[0.1, 0.9])
    options = {
        "scoring": {"a": weighing, "b": loss, "c": lambda m, a, b: m.coef_.sum()},
        "return_estimator": True, "cv": 3,
    }  # fmt: skip
    found = cross_validate(Ridge(), x, y, **options)
    right = refitted(cross_validate, Ridge(), x, y, **options)
    for a, b in zip(found.pop("estimator"), right.pop("estimator"), strict=True):
        np.testing.assert_allclose(a.coef_, b.coef_, rtol=1e-9)
        assert a.n_features_in_ == b.n_features_in_ == 5
        np.testing.assert_allclose(a.predict(x), b.predict(x), rtol=1e-9)
    agree(found, right)
    single = cross_val_score(Ridge(), x, y, scoring=weighing)
    np.testing.assert_allclose(single, refitted(cross_val_score, Ridge(), x, y, scoring=weighing))


def test_validation_curves_share_the_pass(rows, counts):
    x, y, _ = rows
    options = {"param_name": "alpha", "param_range": np.logspace(-3, 4, 6), "cv": 4}
    found = validation_curve(Ridge(), x, y[:, 0], **options)
    assert counts() == [(24, 0)]
    for a, b in zip(found, refitted(validation_curve, Ridge(), x, y[:, 0], **options), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9)


@pytest.mark.parametrize(
    "trouble",
    ["nearly dependent", "dependent", "constant", "perfect", "constant target", "few rows"],
)
def test_trouble_goes_back_to_the_rows(trouble, rows):
    x, y, _ = rows
    x, y = x.copy(), y[:, 0].copy()
    cv: object = 5
    if trouble == "nearly dependent":
        x[:, 4] = x[:, 3] + 1e-6 * x[:, 0]
    elif trouble == "dependent":
        x[:, 4] = 2 * x[:, 3]
    elif trouble == "constant":
        x[:, 4] = 3.0
    elif trouble == "perfect":
        y = x @ np.arange(1.0, 6.0) + 1e-7 * y
    elif trouble == "constant target":
        y = np.where(np.arange(120) < 24, 0.1, y)
    else:
        cv = [(np.arange(k, k + 5), np.arange(50, 90)) for k in range(4)]
    for model in (LinearRegression(), Ridge(alpha=1e-10), Ridge()):
        for scoring in ("r2", "neg_mean_squared_error"):
            options = {"cv": cv, "scoring": scoring, "return_train_score": True}
            found = cross_validate(model, x, y, **options)
            right = refitted(cross_validate, model, x, y, **options)
            agree(found, right, rtol=1e-8)
    x, y = x[::2], y[::2]
    options = {"cv": LeaveOneOut(), "scoring": "neg_mean_squared_error"}
    found = cross_val_score(Ridge(), x, y, **options)
    right = refitted(cross_val_score, Ridge(), x, y, **options)
    np.testing.assert_allclose(found, right, rtol=1e-7, atol=1e-18)


def test_a_row_of_leverage_one(rows):
    x, y, _ = rows
    x, y = x.copy(), y[:, 0]
    x[:, 4] = 0.0
    x[17, 4] = 1.0  # without row 17 the last column is constant
    for model in (LinearRegression(), Ridge(alpha=1e-9)):
        options = {"cv": LeaveOneOut(), "scoring": "neg_mean_squared_error"}
        found = cross_val_score(model, x, y, **options)
        np.testing.assert_allclose(
            found, refitted(cross_val_score, model, x, y, **options), rtol=1e-7
        )


def test_more_columns_than_rows():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(20, 40)), rng.normal(size=20)
    for cv in (4, LeaveOneOut()):
        options = {"cv": cv, "scoring": "neg_mean_squared_error"}
        found = cross_val_score(Ridge(), x, y, **options)
        np.testing.assert_allclose(found, refitted(cross_val_score, Ridge(), x, y, **options))


def test_single_rows_have_no_r2(rows):
    x, y, _ = rows
    with pytest.warns(UserWarning, match="less than two samples"):
        found = cross_val_score(Ridge(), x, y[:, 0], cv=LeaveOneOut(), scoring="r2")
    assert np.isnan(found).all()


def test_estimators_that_need_rows_are_refitted(rows, counts):
    x, y, _ = rows
    for model in (Ridge(solver="svd"), Ridge(solver="lsqr"), RidgeCV()):
        cross_val_score(model, x, y[:, 0], cv=3)
    assert counts() == []


class Halved(Ridge):
    """A subclass with a score of its own."""

    def score(self, X, y, sample_weight=None):
        return 0.5 * super().score(X, y)


def test_a_score_of_ones_own_is_respected(rows):
    x, y, _ = rows
    whole, half = (cross_val_score(m, x, y[:, 0], cv=3) for m in (Ridge(), Halved()))
    np.testing.assert_allclose(half, whole / 2, rtol=1e-12)


@settings(max_examples=25)
@given(
    st.integers(0, 2**31),
    st.integers(12, 60),
    st.integers(1, 4),
    st.sampled_from([0.0, 1e-3, 1.0, 100.0]),
    st.booleans(),
    st.sampled_from([1e-3, 1.0, 1e4]),
)
def test_anything(seed, n, p, alpha, intercept, noise):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, p)) * 10.0 ** rng.integers(-4, 5, size=p) + rng.normal(size=p)
    y = x @ rng.normal(size=p) + noise * rng.normal(size=n)
    model = Ridge(alpha, fit_intercept=intercept)
    cv = KFold(int(rng.integers(2, 5)), shuffle=True, random_state=seed)
    options = {"cv": cv, "scoring": SUMS, "return_train_score": True}
    agree(
        cross_validate(model, x, y, **options),
        refitted(cross_validate, model, x, y, **options),
        rtol=1e-7,
    )
    options = {"cv": LeaveOneOut(), "scoring": "neg_mean_squared_error"}
    found = cross_val_score(model, x, y, **options)
    right = refitted(cross_val_score, model, x, y, **options)
    np.testing.assert_allclose(found, right, rtol=1e-6, atol=1e-13 * float(y @ y))
