"""Logistic regression against scikit-learn at a tight tolerance: every solver, penalty, weights."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression as Theirs

from stylobate.linear_model import LogisticRegression

ROWS, COLUMNS = 240, 5


def problem(n_classes: int, seed: int = 0):
    generator = np.random.default_rng(seed)
    x = generator.standard_normal((ROWS, COLUMNS)) + generator.uniform(-2, 2, COLUMNS)
    weights = generator.standard_normal((COLUMNS, n_classes))
    scores = (x - x.mean(axis=0)) @ weights + generator.gumbel(size=(ROWS, n_classes))
    return x, scores.argmax(axis=1)


def theirs(x, y, *, sample_weight=None, **options):
    options = {"tol": 1e-12, "max_iter": 20_000} | options
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # 1e-12 is more than some of their solvers reach
        model = Theirs(**options).fit(x, y, sample_weight=sample_weight)
    model.intercept_ = np.atleast_1d(model.intercept_)  # theirs is a number with "liblinear"
    return model


def agree(ours, reference, tolerance=1e-5):
    assert ours.coef_.shape == reference.coef_.shape
    assert ours.intercept_.shape == reference.intercept_.shape
    np.testing.assert_allclose(ours.coef_, reference.coef_, rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(
        ours.intercept_, reference.intercept_, rtol=tolerance, atol=tolerance
    )


@pytest.mark.parametrize("solver", ["auto", "lbfgs", "newton-cg", "newton-cholesky"])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("C", [0.1, 1.0, 1e3, np.inf])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_smooth_solvers(solver, n_classes, C, fit_intercept):
    x, y = problem(n_classes)
    ours = LogisticRegression(C=C, solver=solver, fit_intercept=fit_intercept, tol=1e-10).fit(x, y)
    agree(ours, theirs(x, y, C=C, solver="newton-cholesky", fit_intercept=fit_intercept))
    assert ours.certificate_.relative_gap <= 1e-12
    assert ours.certificate_.proved


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csc_array, sparse.coo_array])
@pytest.mark.parametrize("solver", ["auto", "lbfgs", "newton-cg", "newton-cholesky"])
def test_sparse_rows(n_classes, form, solver):
    x, y = problem(n_classes)
    x[np.abs(x) < 1.0] = 0.0
    ours = LogisticRegression(tol=1e-10, solver=solver).fit(form(x), y)
    agree(ours, theirs(x, y))
    np.testing.assert_allclose(ours.predict_proba(form(x)), ours.predict_proba(x), rtol=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("class_weight", [None, "balanced", {0: 0.5, 1: 3.0}])
@pytest.mark.parametrize("solver", ["auto", "lbfgs"])
def test_weights(n_classes, class_weight, solver):
    x, y = problem(n_classes)
    weights = np.random.default_rng(1).uniform(0.1, 3.0, ROWS)
    weights[::7] = 0.0
    ours = LogisticRegression(class_weight=class_weight, tol=1e-10, solver=solver)
    ours.fit(x, y, sample_weight=weights)
    agree(ours, theirs(x, y, sample_weight=weights, class_weight=class_weight))
    kept = weights > 0
    without = LogisticRegression(class_weight=class_weight, tol=1e-10, solver=solver)
    agree(ours, without.fit(x[kept], y[kept], sample_weight=weights[kept]), 1e-7)


@pytest.mark.parametrize("dual", [False, True])
@pytest.mark.parametrize("scaling", [1.0, 10.0])
def test_liblinear_penalises_the_intercept(dual, scaling):
    x, y = problem(2)
    options = {"solver": "liblinear", "dual": dual, "intercept_scaling": scaling}
    ours = LogisticRegression(tol=1e-10, **options).fit(x, y)
    agree(ours, theirs(x, y, tol=1e-10, **options), 1e-4)
    without = LogisticRegression(tol=1e-10, fit_intercept=False, **options).fit(x, y)
    agree(without, theirs(x, y, fit_intercept=False, tol=1e-10, **options), 1e-4)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_predictions_and_precision(n_classes, kind):
    x, y = problem(n_classes)
    x = x.astype(kind)
    labels = np.array(["ash", "birch", "cedar"])[y]
    ours, reference = LogisticRegression(tol=1e-10).fit(x, labels), theirs(x, labels)
    tolerance = 1e-3 if kind is np.float32 else 1e-6
    assert ours.classes_.tolist() == reference.classes_.tolist()
    for answer in ("decision_function", "predict_proba", "predict_log_proba"):
        np.testing.assert_allclose(
            getattr(ours, answer)(x), getattr(reference, answer)(x), rtol=tolerance, atol=tolerance
        )
    assert (ours.predict(x) == reference.predict(x)).all()
    assert ours.score(x, labels) == pytest.approx(reference.score(x, labels))
    assert ours.coef_.dtype == kind


@pytest.mark.parametrize(
    ("options", "same"),
    [
        ({"penalty": "l2"}, {}),
        ({"penalty": None}, {"C": np.inf}),
    ],
)
def test_the_deprecated_penalty_is_followed(options, same):
    x, y = problem(2)
    with pytest.warns(FutureWarning, match="penalty"):
        ours = LogisticRegression(tol=1e-10, **options).fit(x, y)
    agree(ours, LogisticRegression(tol=1e-10, **same).fit(x, y), 1e-8)


def test_wide_rows():
    generator = np.random.default_rng(3)
    x, y = generator.standard_normal((40, 300)), np.arange(40) % 3
    for labels in (y, y % 2):
        ours = LogisticRegression(tol=1e-10).fit(x, labels)
        agree(ours, theirs(x, labels))
        assert ours.certificate_.relative_gap <= 1e-12
        assert "space of the rows" in ours.solver_reason_


def test_unscaled_columns():
    x, y = problem(3)
    scales = 10.0 ** np.array([-8.0, -4.0, 0.0, 4.0, 8.0])
    ours = LogisticRegression(C=np.inf, tol=1e-10).fit(x * scales, y)
    plain = LogisticRegression(C=np.inf, tol=1e-10).fit(x, y)
    np.testing.assert_allclose(ours.coef_ * scales, plain.coef_, rtol=1e-5, atol=1e-7)
    for solver in ("lbfgs", "newton-cg"):
        other = LogisticRegression(C=np.inf, tol=1e-8, solver=solver, max_iter=1000)
        np.testing.assert_allclose(
            other.fit(x * scales, y).coef_ * scales, plain.coef_, rtol=1e-3, atol=1e-4
        )
