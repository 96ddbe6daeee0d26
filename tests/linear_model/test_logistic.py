"""Logistic regression: bad input, separable classes, extremes, warm starts, batches."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from stylobate.exceptions import (
    ConvergenceWarning,
    InvalidDataError,
    InvalidParameterError,
    NumericalError,
)
from stylobate.linear_model import LogisticRegression
from stylobate.parallel import threads


def rows(n: int = 200, p: int = 4, n_classes: int = 2, seed: int = 0):
    generator = np.random.default_rng(seed)
    x = generator.standard_normal((n, p))
    scores = x @ generator.standard_normal((p, n_classes)) + generator.gumbel(size=(n, n_classes))
    return x, scores.argmax(axis=1)


# --- extremes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3])
def test_probabilities_at_extreme_margins(n_classes):
    x, y = rows(n_classes=n_classes)
    model = LogisticRegression().fit(x, y)
    far = 1e4 / np.abs(model.coef_).max() * np.eye(4)
    z = model.decision_function(far)
    if n_classes == 2:
        z = np.column_stack([np.zeros(4), z])
    logs = model.predict_log_proba(far)
    assert np.isfinite(logs).all()
    assert (logs <= 0).all()
    np.testing.assert_allclose(model.predict_proba(far).sum(axis=1), 1.0)
    np.testing.assert_allclose(
        logs - logs.max(axis=1, keepdims=True),
        z - z.max(axis=1, keepdims=True),
        rtol=1e-12,
        atol=1e-8,
    )


def test_the_log_of_a_vanishing_probability_is_exact():
    model = LogisticRegression().fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
    model.coef_, model.intercept_ = np.ones((1, 1)), np.zeros(1)
    assert model.predict_log_proba([[1e4]]).tolist() == [[-1e4, -0.0]]
    assert model.predict_log_proba([[-1e4]]).tolist() == [[-0.0, -1e4]]
    assert model.predict_proba([[1e4]]).tolist() == [[0.0, 1.0]]


# --- separable classes ----------------------------------------------------------------------------


@pytest.mark.parametrize("solver", ["auto", "lbfgs", "newton-cg", "newton-cholesky"])
def test_complete_separation_is_said_in_words(solver):
    x, _ = rows(60, 3)
    y = (x @ [1.0, -2.0, 0.0] > 0.1).astype(int)
    x = x[np.abs(x @ [1.0, -2.0, 0.0] - 0.1) > 0.05]
    y = (x @ [1.0, -2.0, 0.0] > 0.1).astype(int)
    model = LogisticRegression(C=np.inf, solver=solver, max_iter=1000)
    with pytest.warns(ConvergenceWarning, match="completely separated.*Set C"):
        model.fit(x, y)
    found = model.separation_
    assert found.kind == "complete"
    assert found.rows.all()
    margins = (x @ found.coef[0] + found.intercept[0]) * np.where(y == 1, 1, -1)
    assert margins.min() > 0
    assert np.isfinite(model.coef_).all()
    assert model.score(x, y) == 1.0


@pytest.mark.parametrize("solver", ["auto", "lbfgs", "newton-cg"])
def test_quasi_separation_names_rows_and_columns(solver):
    generator = np.random.default_rng(1)
    noise, y = generator.standard_normal((80, 2)), np.arange(80) % 2
    rare = np.where((y == 1) & (np.arange(80) < 20), 1.0, 0.0)  # only ever seen with class 1
    x = np.column_stack([noise, rare])
    model = LogisticRegression(C=np.inf, solver=solver, max_iter=1000)
    with pytest.warns(ConvergenceWarning, match="quasi-completely separated by .*x2"):
        model.fit(x, y)
    found = model.separation_
    assert found.kind == "quasi"
    assert found.columns.tolist() == [2]
    assert found.rows.tolist() == (rare == 1).tolist()
    assert (x @ found.coef[0] + found.intercept[0])[~found.rows] == pytest.approx(0.0, abs=1e-6)


def test_separation_of_one_class_among_three():
    generator = np.random.default_rng(2)
    x, y = generator.standard_normal((90, 2)), np.arange(90) % 3
    x[y == 2, 0] += 20.0  # the third class lies apart, the first two overlap
    with pytest.warns(ConvergenceWarning, match="quasi-completely"):
        model = LogisticRegression(C=np.inf, max_iter=500).fit(x, y)
    found = model.separation_
    z = x @ found.coef.T + found.intercept
    own = z[np.arange(90), y]
    assert (own[:, np.newaxis] - z >= -1e-6).all()


def test_no_separation_no_words():
    x, y = rows(500, 3)
    model = LogisticRegression(C=np.inf).fit(x, y)
    assert model.separation_ is None
    assert model.certificate_.optimal


def test_nearly_separable_classes_are_not_called_separable():
    x = np.linspace(-1, 1, 400)[:, np.newaxis]
    y = (x[:, 0] > 0).astype(int)
    y[[199, 200]] = y[[200, 199]]  # one pair the wrong way round
    model = LogisticRegression(C=np.inf, max_iter=200).fit(x, y)
    assert model.separation_ is None
    assert model.certificate_.optimal


def test_a_penalty_keeps_separable_classes_finite():
    x = np.array([[-1.0], [-0.5], [0.5], [1.0]])
    model = LogisticRegression(tol=1e-10).fit(x, [0, 0, 1, 1])
    assert model.separation_ is None
    assert model.certificate_.optimal


@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(2, 3))
def test_separation_agrees_with_a_linear_program(seed, p, n_classes):
    from scipy.optimize import linprog

    from stylobate.optimize.logistic.separation import find_separation

    generator = np.random.default_rng(seed)
    n = int(generator.integers(4, 12))
    x = generator.integers(-2, 3, (n, p)).astype(float)
    y = np.concatenate([np.arange(n_classes), generator.integers(0, n_classes, n - n_classes)])
    found = find_separation(x, y, n_classes, fit_intercept=True)
    # is there β with every margin ≥ 0 and their sum positive?
    sides = []
    for xi, yi in zip(np.column_stack([x, np.ones(n)]), y, strict=True):
        for k in range(n_classes):
            if k != yi:
                side = np.zeros((n_classes, p + 1))
                side[yi], side[k] = xi, -xi
                sides.append(side.ravel())
    sides = np.array(sides)
    best = linprog(-sides.sum(axis=0), A_ub=-sides, b_ub=np.zeros(len(sides)), bounds=(-1, 1))
    assert (found is not None) == (-best.fun > 1e-6)


# --- what is refused ------------------------------------------------------------------------------


def test_one_class_is_refused():
    with pytest.raises(InvalidDataError, match="only one class"):
        LogisticRegression().fit([[1.0], [2.0]], [1, 1])
    with pytest.raises(InvalidDataError, match="one class"):
        LogisticRegression().fit([[1.0], [2.0]], [0, 1], sample_weight=[1.0, 0.0])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"solver": "lbfgs", "l1_ratio": 1.0}, "supports only 'l2'"),
        ({"solver": "liblinear", "l1_ratio": 0.5}, "supports only 'l2'"),
        ({"solver": "lbfgs", "dual": True}, "dual=True"),
        ({"solver": "liblinear", "C": np.inf}, "C=np.inf"),
        ({"C": 0.0}, "C must be"),
        ({"l1_ratio": 1.5}, "l1_ratio must be"),
        ({"solver": "simplex"}, "solver must be one of"),
    ],
)
def test_parameters_that_do_not_go_together(options, words):
    with pytest.raises(InvalidParameterError, match=words):
        LogisticRegression(**options).fit([[0.0], [1.0]], [0, 1])


def test_liblinear_takes_two_classes_only():
    x, y = rows(n_classes=3)
    with pytest.raises(InvalidDataError, match="multiclass"):
        LogisticRegression(solver="liblinear").fit(x, y)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_missing_and_infinite_values_are_named(n_classes, bad):
    x, y = rows(n_classes=n_classes)
    x[17, 2] = bad
    with pytest.raises(InvalidDataError, match="LogisticRegression"):
        LogisticRegression().fit(x, y)


def test_columns_too_large_to_be_squared():
    x, y = rows()
    x[:, 1] *= 1e200
    for solver in ("auto", "lbfgs"):
        with pytest.raises(NumericalError, match="column 1"):
            LogisticRegression(solver=solver).fit(x, y)


# --- shapes and states ----------------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3])
def test_constant_and_repeated_columns(n_classes):
    x, y = rows(n_classes=n_classes)
    wider = np.column_stack([x, np.full(len(x), 7.0), x[:, 0]])
    model = LogisticRegression(C=np.inf).fit(wider, y)
    plain = LogisticRegression(C=np.inf).fit(x, y)
    np.testing.assert_allclose(model.predict_proba(wider), plain.predict_proba(x), atol=1e-6)


@pytest.mark.parametrize("solver", ["auto", "lbfgs", "newton-cg", "newton-cholesky"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_warm_start_goes_on_from_the_last_answer(solver, n_classes):
    x, y = rows(n_classes=n_classes)
    model = LogisticRegression(solver=solver, warm_start=True, tol=1e-8).fit(x, y)
    first, before = int(model.n_iter_[0]), model.coef_.copy()
    model.fit(x, y)
    assert int(model.n_iter_[0]) < max(first, 2)
    np.testing.assert_allclose(model.coef_, before, atol=1e-5)
    model.fit(x[:, :2], y)  # another shape: start afresh
    assert model.coef_.shape[1] == 2


def test_too_few_iterations_say_the_gap():
    x, y = rows(300, 20)
    with pytest.warns(ConvergenceWarning, match="relative gap of .* Raise max_iter"):
        LogisticRegression(max_iter=1, solver="lbfgs").fit(x, y)


def test_strides_do_not_matter():
    x, y = rows(n_classes=3)
    wide = np.zeros((400, 8))
    wide[::2, ::2] = x
    for solver in ("lbfgs", "auto"):
        model = LogisticRegression(solver=solver)
        expected = model.fit(x, y).coef_
        for view in (np.asfortranarray(x), wide[::2, ::2], x[::-1][::-1]):
            np.testing.assert_allclose(model.fit(view, y).coef_, expected, rtol=1e-9)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_same_bits_for_any_number_of_threads(form, n_classes):
    x, y = rows(5000, 6, n_classes)
    answers = []
    for count in (1, 2, 3):
        with threads(count):
            answers.append(LogisticRegression(solver="lbfgs").fit(form(x), y).coef_)
    np.testing.assert_array_equal(answers[0], answers[1])
    np.testing.assert_array_equal(answers[0], answers[2])


# --- batches --------------------------------------------------------------------------------------


@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_batches_give_what_all_rows_give(class_weight):
    x, y = rows(300)
    labels, weights = np.array(["no", "yes"])[y], np.linspace(0.0, 2.0, 300)
    parts = [slice(0, 10), slice(10, 200), slice(200, 300)]
    model = LogisticRegression(class_weight=class_weight, tol=1e-8)
    whole = model.fit(x, labels, weights).coef_
    model.fit_batches([(x[s], labels[s], weights[s]) for s in parts])
    np.testing.assert_allclose(model.coef_, whole, rtol=1e-9)
    assert model.classes_.tolist() == ["no", "yes"]
    assert model.certificate_.optimal


def test_batches_find_complete_separation():
    x, _ = rows(90, 3)
    y = (x @ [1.0, -2.0, 0.0] > 0.1).astype(int)
    model = LogisticRegression(C=np.inf)
    with pytest.warns(ConvergenceWarning, match="completely separated.*Set C"):
        model.fit_batches([(x[:20], y[:20]), (x[20:], y[20:])])
    found = model.separation_
    assert found.kind == "complete"
    assert found.rows.shape == (90,)
    margins = (x @ found.coef[0] + found.intercept[0]) * np.where(y == 1, 1, -1)
    assert margins.min() > 0


def test_batches_say_that_coefficients_keep_growing():
    x, y = rows(300)
    x[:, 2] = x[:, 2] > 1.0
    y[x[:, 2] > 0.0] = 1  # tells some rows apart, nothing of the others
    model = LogisticRegression(C=np.inf)
    with pytest.warns(ConvergenceWarning, match="coefficients still grow.*in memory"):
        model.fit_batches([(x[:100], y[:100]), (x[100:], y[100:])])
    assert model.separation_ is None
    assert not model.certificate_.proved
    assert np.isfinite(model.coef_).all()


@pytest.mark.filterwarnings("error")
def test_batches_that_only_look_separable():
    x, _ = rows(400, 1)
    y = (x[:, 0] > 0.0).astype(int)
    y[x[:, 0] == np.sort(x[x > 0.0])[1]] = 0  # one row on the wrong side: a finite, steep answer
    model = LogisticRegression(C=np.inf)
    whole = model.fit(x, y).coef_
    model.fit_batches([(x[:100], y[:100]), (x[100:], y[100:])])
    assert model.separation_ is None
    np.testing.assert_allclose(model.coef_, whole, rtol=1e-6)


def test_batches_that_cannot_be_read_again_are_refused():
    x, y = rows()
    with pytest.raises(InvalidDataError, match="only once"):
        LogisticRegression().fit_batches(iter([(x, y)]))
    with pytest.raises(InvalidDataError, match="at least 2 classes"):
        LogisticRegression().fit_batches([(x, np.zeros(len(x), dtype=int))])
    assert not hasattr(LogisticRegression(solver="lbfgs"), "fit_batches")


def test_many_rows_start_from_a_sample():
    x, y = rows(60_000, 5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = LogisticRegression().fit(x, y)
    assert model.n_iter_[0] <= 3
    assert model.certificate_.optimal


# --- sparse columns far from zero -----------------------------------------------------------------


@pytest.mark.parametrize("far", [1e3, 1e6, 1e8])
@pytest.mark.parametrize("l1_ratio", [1.0, 0.5])
def test_full_sparse_columns_far_from_zero(far, l1_ratio):
    x, y = rows(400)
    x[np.abs(x) < 0.3] = 0.0  # the others keep their zeros
    x[:, 1] = np.random.default_rng(3).standard_normal(400)
    near = LogisticRegression(C=0.2, l1_ratio=l1_ratio, tol=1e-6).fit(x, y)
    x[:, 1] += far
    model = LogisticRegression(C=0.2, l1_ratio=l1_ratio, tol=1e-6).fit(sparse.csr_array(x), y)
    assert model.certificate_.optimal
    np.testing.assert_allclose(model.coef_, near.coef_, atol=2e-4)
    expected = near.intercept_ - far * model.coef_[:, 1]
    np.testing.assert_allclose(model.intercept_, expected, rtol=1e-6, atol=1e-3)
