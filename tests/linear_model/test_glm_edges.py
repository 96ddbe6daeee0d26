"""Generalised linear regressors on nasty data: refusals, proofs, batches, samples, warm starts."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import minimize

from stylobate.exceptions import (
    ConvergenceWarning,
    InferenceWarning,
    InvalidDataError,
    NumericalError,
)
from stylobate.linear_model import GammaRegressor, PoissonRegressor, TweedieRegressor


def counts(n=300, p=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, rng.poisson(np.exp(0.5 + X @ rng.normal(size=p) * 0.3)).astype(float)


def half_deviance(theta, X, y, alpha):
    z = X @ theta[:-1] + theta[-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        saturated = np.where(y > 0, y * np.log(y) - y, 0.0)
    return np.mean(np.exp(z) - y * z + saturated) + alpha / 2 * theta[:-1] @ theta[:-1]


@pytest.mark.parametrize("alpha", [0.0, 0.01, 1.0, 1e6])
def test_certificate_is_true(alpha):
    """Primal as computed by hand; dual below the best that another solver finds."""
    X, y = counts()
    model = PoissonRegressor(alpha=alpha).fit(X, y)
    theta = np.append(model.coef_, model.intercept_)
    proof = model.certificate_
    assert proof.primal == pytest.approx(half_deviance(theta, X, y, alpha), rel=1e-10)
    best = minimize(half_deviance, theta, args=(X, y, alpha), options={"gtol": 1e-12})
    assert proof.dual <= best.fun + 1e-12
    assert proof.proved
    assert proof.relative_gap < 1e-8
    assert model.solver_ == "newton-cholesky"


@settings(max_examples=40)
@example(seed=3225, n=3, p=1, alpha=0.0, kind=PoissonRegressor)  # a perfect fit
@example(seed=0, n=4, p=4, alpha=0.0, kind=TweedieRegressor)  # perfect in the limit
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(3, 40),
    p=st.integers(1, 6),
    alpha=st.sampled_from([0.0, 1e-4, 1.0]),
    kind=st.sampled_from([PoissonRegressor, GammaRegressor, TweedieRegressor]),
)
def test_random_problems_meet_their_promise(seed, n, p, alpha, kind):
    """The gap bounds what scipy gains from the answer, or a warning said so."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * 10.0 ** rng.uniform(-4, 4, p)
    y = rng.poisson(2.0, n).astype(float) + (kind is GammaRegressor)
    y[0] += 1.0
    options = {"power": 1.5} if kind is TweedieRegressor else {}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = kind(alpha=alpha, **options).fit(X, y)
    proof = model.certificate_
    assert np.isfinite(model.coef_).all()
    # of a perfect fit the loss of the targets, from which it is counted, leaves rounding
    assert caught or proof.gap <= max(model.tol * proof.primal, 1e-14 * max(1.0, y.sum()))
    assert proof.primal >= 0.0
    family = model._family

    def objective(theta):
        mu = family.mean(X @ theta[:-1] + theta[-1])
        return 0.5 * family.deviance(y, mu).mean() + alpha / 2 * theta[:-1] @ theta[:-1]

    theta = np.append(model.coef_, model.intercept_)
    scale = np.append(np.abs(X).max(axis=0), 1.0)
    better = minimize(lambda v: objective(v / scale), theta * scale, method="Nelder-Mead",
                      options={"maxfev": 200})  # fmt: skip
    rounding = 1e-15 * np.abs(y).mean()  # of the terms of a deviance that is nearly zero
    assert better.fun >= proof.dual - 1e-9 * max(proof.primal, 1e-6) - 10 * rounding


@pytest.mark.parametrize(
    ("model", "value", "words"),
    [
        (PoissonRegressor(), -1.0, "at least 0"),
        (GammaRegressor(), 0.0, "above 0"),
        (GammaRegressor(), -2.0, "above 0"),
        (TweedieRegressor(power=1.5), -0.5, "at least 0"),
        (TweedieRegressor(power=3), 0.0, "above 0"),
    ],
    ids=str,
)
def test_impossible_targets_are_refused(model, value, words):
    X, y = counts(20)
    y = y + 1.0
    y[7] = value
    with pytest.raises(InvalidDataError, match=f"{words}.*row 7"):
        model.fit(X, y)


def test_all_zero_counts_have_no_intercept():
    X, y = counts(20)
    with pytest.raises(InvalidDataError, match="mean of 0"):
        PoissonRegressor().fit(X, np.zeros_like(y))


def test_batches_equal_memory():
    X, y = counts()
    w = np.random.default_rng(1).uniform(0, 2, len(y))
    whole = PoissonRegressor(alpha=0.1).fit(X, y, w)
    cuts = [slice(0, 90), slice(90, 91), slice(91, 300)]
    parts = PoissonRegressor(alpha=0.1).fit_batches([(X[c], y[c], w[c]) for c in cuts])
    np.testing.assert_allclose(parts.coef_, whole.coef_, rtol=1e-9)
    assert parts.certificate_.primal == pytest.approx(whole.certificate_.primal)
    with pytest.raises(InvalidDataError, match="read only once"):
        PoissonRegressor().fit_batches((X[c], y[c]) for c in cuts)
    assert not hasattr(whole, "partial_fit")


def test_gamma_batches_keep_the_statistical_view():
    X, y = counts()
    y = y + 0.5
    whole = GammaRegressor(alpha=0.0).fit(X, y).summary()
    cuts = [slice(0, 120), slice(120, 300)]
    parts = GammaRegressor(alpha=0.0).fit_batches([(X[c], y[c]) for c in cuts]).summary()
    np.testing.assert_allclose(
        parts.coefficients.std_error, whole.coefficients.std_error, rtol=1e-8
    )
    assert parts.log_likelihood == pytest.approx(whole.log_likelihood)


@pytest.mark.parametrize("kind", [PoissonRegressor, GammaRegressor])
def test_long_tables_start_from_a_sample(kind):
    """The start is not the answer: few passes, the same optimum."""
    X, y = counts(40_000, 3)
    y = y + (kind is GammaRegressor)
    model = kind(alpha=0.0).fit(X, y)
    strict = kind(alpha=0.0, tol=1e-10).fit(X[::-1], y[::-1])
    np.testing.assert_allclose(model.coef_, strict.coef_, atol=1e-6)
    assert model.n_iter_ <= 4
    assert model.certificate_.relative_gap < 1e-8


def test_a_sample_that_misleads_does_no_harm():
    """Rows the sample misses hold values that make its fit overflow."""
    X, y = counts(40_000, 2)
    X[1::16, 0] += 2000.0
    model = PoissonRegressor(alpha=0.0, max_iter=300).fit(X, y)
    assert model.certificate_.relative_gap <= model.tol


def test_bad_cells_in_rows_outside_the_sample_are_found():
    X, y = counts(40_000, 2)
    X[12_345, 1] = np.nan
    with pytest.raises(InvalidDataError, match="NaN"):
        PoissonRegressor().fit(X, y)


def test_units_and_offsets_of_columns_do_not_matter():
    X, y = counts()
    units, shift = np.array([1e-8, 1e8, 1.0, 1e3]), np.array([0.0, 1e9, 5.0, 1e5])
    plain = PoissonRegressor(alpha=0.0).fit(X, y)
    scaled = PoissonRegressor(alpha=0.0).fit(X * units + shift, y)
    np.testing.assert_allclose(scaled.coef_ * units, plain.coef_, rtol=1e-5)
    z = scaled.summary().coefficients.t[1:] / plain.summary().coefficients.t[1:]
    np.testing.assert_allclose(z, 1.0, rtol=1e-5)


def test_dependent_and_constant_columns():
    X, y = counts()
    plain = PoissonRegressor(alpha=0.0).fit(X, y)
    wide = np.column_stack([X, X[:, 0], np.full(len(X), 7.0)])
    model = PoissonRegressor(alpha=0.0).fit(wide, y)
    np.testing.assert_allclose(model.predict(wide), plain.predict(X), rtol=1e-6)
    np.testing.assert_allclose(model.coef_[[0, 4]], plain.coef_[0] / 2, rtol=1e-6)
    assert abs(model.coef_[5]) < 1e-8
    errors = model.summary().coefficients.std_error
    np.testing.assert_array_equal(np.isnan(errors), [True, True, False, False, False, True, True])


def test_more_columns_than_rows():
    X, y = counts(15, 60)
    model = PoissonRegressor(alpha=0.1).fit(X, y)
    assert model.certificate_.optimal
    free = PoissonRegressor(alpha=0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        free.fit(X, y)
    assert np.isfinite(free.coef_).all()
    assert free.certificate_.primal < 1e-3  # every row can be fitted


def test_very_many_columns_take_gradients_only():
    rng = np.random.default_rng(0)
    X = sparse.random_array((300, 3000), density=0.01, rng=rng, format="csr")
    y = rng.poisson(1.0, 300).astype(float)
    model = PoissonRegressor(alpha=0.1, max_iter=500).fit(X, y)
    assert (model.solver_, model.certificate_.proved) == ("lbfgs", True)
    assert model.certificate_.relative_gap <= model.tol
    newton = PoissonRegressor(alpha=0.1, solver="newton-cholesky").fit(X[:, :150], y)
    lbfgs = PoissonRegressor(alpha=0.1, solver="lbfgs", max_iter=500).fit(X[:, :150], y)
    np.testing.assert_allclose(lbfgs.coef_, newton.coef_, atol=1e-3)
    with pytest.raises(NumericalError, match="information"):
        model.summary()


def test_a_penalised_summary_warns():
    X, y = counts()
    with pytest.warns(InferenceWarning, match="penalised"):
        found = PoissonRegressor(alpha=1.0).fit(X, y).summary()
    assert np.isnan(found.coefficients.p).all()


def test_stopping_early_says_so():
    X, y = counts()
    with pytest.warns(ConvergenceWarning, match="relative gap"):
        PoissonRegressor(max_iter=1, alpha=0.0, tol=1e-8).fit(X, y)


def test_warm_start_goes_on_from_the_answer():
    X, y = counts()
    model = PoissonRegressor(alpha=0.1, warm_start=True).fit(X, y)
    first = model.coef_.copy()
    again = model.fit(X, y)
    assert again.n_iter_ == 1
    np.testing.assert_allclose(again.coef_, first, atol=1e-9)
    assert model.fit(X[:, :2], y).coef_.shape == (2,)


def test_fitted_models_pickle_with_their_statistics():
    X, y = counts()
    model = PoissonRegressor(alpha=0.0).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert str(again.summary()) == str(model.summary())


def test_single_precision_rows():
    X, y = counts()
    narrow = PoissonRegressor(alpha=0.1).fit(X.astype(np.float32), y)
    wide = PoissonRegressor(alpha=0.1).fit(X, y)
    np.testing.assert_allclose(narrow.coef_, wide.coef_, rtol=1e-4, atol=1e-6)
    assert narrow.predict(X.astype(np.float32)).dtype == np.float32
