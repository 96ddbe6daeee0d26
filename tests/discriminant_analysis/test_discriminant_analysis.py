"""Discriminant analysis against scikit-learn, SciPy's densities, and data without an answer."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import sklearn.discriminant_analysis as theirs
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal
from sklearn.covariance import OAS
from sklearn.model_selection import cross_val_score as their_scores

from stylobate.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    SingularCovarianceError,
)
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateError
from stylobate.model_selection import cross_val_score
from stylobate.parallel import one_blas_thread

RNG = np.random.default_rng(4)
N, P = 300, 6
CODES = RNG.integers(0, 4, N)
X = RNG.normal(size=(N, P)) @ RNG.normal(size=(P, P)) + 2 * RNG.normal(size=(4, P))[CODES] + 50.0
PRIORS = {4: [0.1, 0.2, 0.3, 0.4], 2: [0.3, 0.7]}
LINEAR = [
    {},
    {"solver": "lsqr"},
    {"solver": "eigen"},
    {"solver": "lsqr", "shrinkage": 0.3},
    {"solver": "lsqr", "shrinkage": "auto"},
    {"solver": "eigen", "shrinkage": "auto"},
    {"solver": "eigen", "shrinkage": 0.2},
    {"priors": True},
    {"priors": True, "solver": "lsqr"},
    {"priors": True, "solver": "eigen", "shrinkage": "auto"},
    {"priors": True, "store_covariance": True},
    {"store_covariance": True},
    {"solver": "eigen", "covariance_estimator": OAS()},
    {"solver": "lsqr", "covariance_estimator": OAS(), "priors": True},
    {"n_components": 1},
]
QUADRATIC = [
    {},
    {"reg_param": 0.2, "store_covariance": True},
    {"priors": True},
    {"solver": "eigen"},
    {"solver": "eigen", "shrinkage": "auto", "store_covariance": True},
    {"solver": "eigen", "shrinkage": 0.3},
    {"solver": "eigen", "covariance_estimator": OAS()},
]


def filled(options, n_classes):
    return options | ({"priors": PRIORS[n_classes]} if "priors" in options else {})


def check_decisions(mine, other):
    np.testing.assert_allclose(
        mine.decision_function(X), other.decision_function(X), rtol=1e-7, atol=1e-8
    )
    np.testing.assert_allclose(mine.predict_proba(X), other.predict_proba(X), atol=1e-10)
    np.testing.assert_array_equal(mine.predict(X), other.predict(X))


@pytest.mark.parametrize("options", LINEAR)
@pytest.mark.parametrize("n_classes", [2, 4])
def test_linear_as_scikit_learn(options, n_classes):
    y, options = CODES % n_classes, filled(options, n_classes)
    mine = LinearDiscriminantAnalysis(**options).fit(X, y)
    other = theirs.LinearDiscriminantAnalysis(**options).fit(X, y)
    check_decisions(mine, other)
    names = ["coef_", "intercept_", "means_", "priors_", "xbar_", "covariance_"]
    for name in [*names, "explained_variance_ratio_"]:
        assert hasattr(mine, name) == hasattr(other, name), name
        if hasattr(mine, name):
            size = np.abs(getattr(other, name)).max()
            np.testing.assert_allclose(
                getattr(mine, name), getattr(other, name), atol=1e-10 * size, err_msg=name
            )
    if options.get("solver") == "lsqr":
        with pytest.raises(InvalidParameterError, match="transform not implemented"):
            mine.transform(X)
        return
    assert mine.scalings_.shape == other.scalings_.shape
    found, expected = mine.transform(X), other.transform(X)
    signs = np.sign((found * expected).sum(axis=0))
    np.testing.assert_allclose(found * signs, expected, rtol=1e-8, atol=1e-8)
    assert mine.get_feature_names_out().tolist() == other.get_feature_names_out().tolist()


@pytest.mark.parametrize("options", QUADRATIC)
@pytest.mark.parametrize("n_classes", [2, 4])
def test_quadratic_as_scikit_learn(options, n_classes):
    y, options = CODES % n_classes, filled(options, n_classes)
    mine = QuadraticDiscriminantAnalysis(**options).fit(X, y)
    other = theirs.QuadraticDiscriminantAnalysis(**options).fit(X, y)
    check_decisions(mine, other)
    np.testing.assert_allclose(mine.predict_log_proba(X), other.predict_log_proba(X), atol=1e-8)
    np.testing.assert_allclose(mine.scalings_, other.scalings_, rtol=1e-9)
    np.testing.assert_allclose(np.abs(mine.rotations_), np.abs(other.rotations_), atol=1e-9)
    assert hasattr(mine, "covariance_") == hasattr(other, "covariance_")
    if hasattr(mine, "covariance_"):
        np.testing.assert_allclose(mine.covariance_, other.covariance_, rtol=1e-9, atol=1e-10)


def test_posteriors_by_hand():
    quadratic = QuadraticDiscriminantAnalysis(store_covariance=True).fit(X, CODES)
    linear = LinearDiscriminantAnalysis(store_covariance=True).fit(X, CODES)
    for model, covariances in (
        (quadratic, quadratic.covariance_),
        (linear, [linear.covariance_] * 4),
    ):
        joint = np.column_stack(
            [
                p * multivariate_normal(m, c).pdf(X[:50])
                for p, m, c in zip(model.priors_, model.means_, covariances, strict=True)
            ]
        )
        np.testing.assert_allclose(
            model.predict_proba(X[:50]), joint / joint.sum(axis=1, keepdims=True), atol=1e-10
        )


def test_coefficients_are_weights_of_a_softmax():
    """β = Σ⁻¹μ and γ = −½μᵀΣ⁻¹μ + log π, up to what all classes share."""
    model = LinearDiscriminantAnalysis(solver="lsqr").fit(X, CODES)
    beta = np.linalg.solve(model.covariance_, model.means_.T).T
    gamma = -0.5 * (beta * model.means_).sum(axis=1) + np.log(model.priors_)
    np.testing.assert_allclose(model.coef_, beta, rtol=1e-8)
    np.testing.assert_allclose(model.intercept_, gamma, rtol=1e-8)


def test_diagonal_covariance_is_gaussian_naive_bayes():
    from stylobate.naive_bayes import GaussianNB

    diagonal = QuadraticDiscriminantAnalysis(covariance_type="diag").fit(X, CODES)
    naive = GaussianNB(var_smoothing=0.0).fit(X, CODES)
    np.testing.assert_allclose(diagonal.predict_proba(X), naive.predict_proba(X), atol=1e-12)
    shrunk = QuadraticDiscriminantAnalysis(
        covariance_type="diag", solver="eigen", shrinkage="auto", store_covariance=True
    ).fit(X, CODES)
    assert not (shrunk.covariance_[0] - np.diag(np.diag(shrunk.covariance_[0]))).any()


def test_oas_is_the_estimator_of_that_name():
    mine = QuadraticDiscriminantAnalysis(solver="eigen", shrinkage="oas").fit(X, CODES)
    other = theirs.QuadraticDiscriminantAnalysis(solver="eigen", covariance_estimator=OAS())
    check_decisions(mine, other.fit(X, CODES))
    linear = LinearDiscriminantAnalysis(solver="lsqr", shrinkage="oas").fit(X, CODES)
    same = theirs.LinearDiscriminantAnalysis(solver="lsqr", covariance_estimator=OAS())
    check_decisions(linear, same.fit(X, CODES))


MODELS = [
    LinearDiscriminantAnalysis(),
    LinearDiscriminantAnalysis(solver="eigen", shrinkage=0.1),
    LinearDiscriminantAnalysis(solver="lsqr", shrinkage="oas"),
    QuadraticDiscriminantAnalysis(),
    QuadraticDiscriminantAnalysis(covariance_type="diag"),
]


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_batches_and_more_rows_are_the_whole(model):
    labels = np.array(["d", "a", "c", "b"])[CODES]
    whole = type(model)(**model.get_params()).fit(X, labels)
    cuts = [slice(0, 100), slice(100, 103), slice(103, N)]
    batched = type(model)(**model.get_params()).fit_batches([(X[c], labels[c]) for c in cuts])
    grown = type(model)(**model.get_params())
    for cut in cuts:
        grown.partial_fit(X[cut], labels[cut], classes=["a", "b", "c", "d"])
    for other in (batched, grown):
        np.testing.assert_array_equal(other.classes_, whole.classes_)
        np.testing.assert_allclose(
            other.decision_function(X), whole.decision_function(X), rtol=1e-8, atol=1e-8
        )


def test_what_needs_the_rows_has_no_batches():
    model = LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto")
    assert not hasattr(model, "fit_batches")
    assert not hasattr(model, "partial_fit")


@pytest.mark.parametrize("model", MODELS[:4], ids=str)
def test_folds_come_from_their_moments(model, caplog):
    with caplog.at_level("INFO", logger="stylobate.model_selection"):
        found = cross_val_score(model, X, CODES, cv=4)
    assert "4 of them from statistics of the folds, 0 on the rows" in caplog.text
    if model.shrinkage != "oas":
        ours_only = ("covariance_type", "missing")
        options = {k: v for k, v in model.get_params().items() if k not in ours_only}
        other = getattr(theirs, type(model).__name__)(**options)
        np.testing.assert_allclose(found, their_scores(other, X, CODES, cv=4))


def test_hundreds_of_columns():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, 900)
    wide = rng.normal(size=(900, 200)) + 0.6 * codes[:, None]
    for kind in (LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis):
        model = kind().fit(wide, codes)
        logs = model.predict_log_proba(wide)
        assert np.isfinite(logs).all()
        assert logs.min() < -50
        with one_blas_thread():
            expected = getattr(theirs, kind.__name__)().fit(wide, codes).predict_proba(wide)
        np.testing.assert_allclose(model.predict_proba(wide), expected, atol=1e-9)


def test_more_columns_than_rows():
    rng = np.random.default_rng(0)
    codes = np.arange(40) % 2
    for columns in (60, 700):  # both methods
        wide = rng.normal(size=(40, columns)) + codes[:, None]
        mine = LinearDiscriminantAnalysis().fit(wide, codes)
        other = theirs.LinearDiscriminantAnalysis().fit(wide, codes)
        np.testing.assert_allclose(mine.coef_, other.coef_, rtol=1e-6, atol=1e-8)
    assert not hasattr(mine, "statistic_")


def test_nearly_dependent_columns_are_read_again():
    rng = np.random.default_rng(0)
    codes = np.arange(400) % 2
    base = rng.normal(size=(400, 3)) + codes[:, None]
    close = np.column_stack([base, base[:, 0] + 3e-4 * rng.normal(size=400)])
    mine = LinearDiscriminantAnalysis().fit(close, codes)
    other = theirs.LinearDiscriminantAnalysis().fit(close, codes)
    np.testing.assert_allclose(mine.coef_, other.coef_, rtol=1e-10)
    assert mine.condition_ > 1e6
    assert 5 < mine.digits_ < 11


def test_far_columns_keep_their_digits():
    shift = 1e7
    exact = np.round(X, 4)
    near = QuadraticDiscriminantAnalysis().fit(exact, CODES).decision_function(exact)
    far = QuadraticDiscriminantAnalysis().fit(exact + shift, CODES)
    np.testing.assert_allclose(far.decision_function(exact + shift), near, rtol=1e-4, atol=1e-4)


# --- data without an answer -----------------------------------------------------------------------


def test_singular_covariances_are_named():
    twice = np.column_stack([X, X[:, 0]])
    with pytest.raises(SingularCovarianceError, match=r"class 0 is not full rank.*reg_param"):
        QuadraticDiscriminantAnalysis().fit(twice, CODES)
    with pytest.raises(SingularCovarianceError, match=r"is singular.*shrinkage"):
        LinearDiscriminantAnalysis(solver="eigen").fit(np.column_stack([X, np.ones(N)]), CODES)
    with pytest.raises(np.linalg.LinAlgError, match="more than the number of features"):
        QuadraticDiscriminantAnalysis().fit(X[:12], np.arange(12) % 3)
    fine = QuadraticDiscriminantAnalysis(solver="eigen", shrinkage="auto", tol=0.0)
    assert np.isfinite(fine.fit(twice, CODES).predict_proba(twice)).all()
    assert LinearDiscriminantAnalysis().fit(twice, CODES).scalings_.shape[0] == P + 1


def test_a_class_with_one_row():
    y = np.where(np.arange(N) == 3, "rare", "common")
    with pytest.raises(InvalidDataError, match="only 1 sample in class 'rare'"):
        QuadraticDiscriminantAnalysis().fit(X, y)
    assert np.isfinite(LinearDiscriminantAnalysis().fit(X, y).predict_proba(X)).all()


def test_all_points_equal():
    same = np.full((10, 2), 3.0)
    y = np.arange(10) % 2
    with pytest.raises(StylobateError, match="no column varies within the classes"):
        LinearDiscriminantAnalysis().fit(same, y)
    with pytest.raises(SingularCovarianceError, match="not full rank"):
        QuadraticDiscriminantAnalysis().fit(same, y)


def test_one_class_and_too_few_rows():
    for kind in (LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis):
        with pytest.raises(InvalidDataError, match="at least 2 classes"):
            kind().fit(X, np.zeros(N))
    with pytest.raises(InvalidDataError, match="must be more than the number of classes"):
        LinearDiscriminantAnalysis().fit(X[:3], [0, 1, 2])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"shrinkage": 0.5}, "shrinkage not supported with 'svd'"),
        ({"covariance_estimator": OAS()}, "not supported with solver='svd'"),
        ({"solver": "eigen", "shrinkage": 0.5, "covariance_estimator": OAS()}, "Only one of"),
        ({"priors": [0.5, 0.5]}, "4 classes"),
        ({"priors": [-0.5, 0.5, 0.5, 0.5]}, "non-negative"),
    ],
)
@pytest.mark.parametrize("kind", [LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis])
def test_impossible_parameters(kind, options, words):
    with pytest.raises(InvalidParameterError, match=words):
        kind(**options).fit(X, CODES)


def test_priors_are_made_to_sum_to_one():
    with pytest.warns(UserWarning, match="do not sum to 1"):
        model = LinearDiscriminantAnalysis(priors=[1, 1, 1, 2]).fit(X, CODES)
    np.testing.assert_allclose(model.priors_, [0.2, 0.2, 0.2, 0.4])
    with pytest.raises(InvalidParameterError, match="n_components cannot be larger"):
        LinearDiscriminantAnalysis(n_components=4).fit(X, CODES)


def test_frames_come_back_as_frames():
    frame = pd.DataFrame(X, columns=list("abcdef"))
    model = LinearDiscriminantAnalysis().fit(frame, CODES)
    out = model.transform(frame)
    assert list(out.columns) == [f"lineardiscriminantanalysis{j}" for j in range(3)]


@given(
    st.lists(
        st.tuples(st.floats(-1e3, 1e3), st.sampled_from([0.0, 1.0, 5.0]), st.integers(0, 2)),
        min_size=2,
        max_size=30,
    ),
    st.sampled_from(
        [
            LinearDiscriminantAnalysis(),
            LinearDiscriminantAnalysis(solver="lsqr"),
            LinearDiscriminantAnalysis(solver="eigen", shrinkage="auto"),
            QuadraticDiscriminantAnalysis(),
            QuadraticDiscriminantAnalysis(solver="eigen", shrinkage=0.5),
            QuadraticDiscriminantAnalysis(covariance_type="diag", reg_param=0.5),
        ]
    ),
)
@settings(max_examples=100)
def test_any_rows_are_refused_in_words_or_give_probabilities(rows, model):
    table = np.array([row[:2] for row in rows])
    try:
        shares = model.fit(table, [row[2] for row in rows]).predict_proba(table)
    except StylobateError:
        return
    assert np.isfinite(shares).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1.0, rtol=1e-12)
