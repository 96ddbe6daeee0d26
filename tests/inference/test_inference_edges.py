"""Designs without the usual blessings: a defined answer and a sentence, never a silent NaN."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from stylobate.exceptions import InvalidDataError, NumericalError
from stylobate.inference import (
    LinearFit,
    confidence_interval,
    fit_from_factor,
    influence,
    prediction,
    summarize,
)
from stylobate.linear_model import LinearRegression

pytestmark = pytest.mark.filterwarnings("error")


def text_of(summary):
    return " ".join(summary.notes)


def test_rank_deficiency_names_the_coefficients_and_spares_the_others(fit_rows, design):
    X, y, w = design(0, 40, 3, True)
    doubled = np.column_stack([X, X[:, 1] - 2 * X[:, 2]])
    fit, full = fit_rows(doubled, y, w), fit_rows(X, y, w)
    assert fit.rank == 4
    assert fit.estimable.tolist() == [True, True, False, False, False]
    assert fit.condition == math.inf
    for kind in ("classical", "HC1", "HC3", "cluster"):
        groups = np.arange(40) % 7 if kind == "cluster" else None
        ours = summarize(fit, rows=(doubled, y, w), covariance=kind, groups=groups)
        theirs = summarize(full, rows=(X, y, w), covariance=kind, groups=groups)
        assert "coefficients of x1, x2, x3" in text_of(ours)
        c, d = ours.coefficients, theirs.coefficients
        np.testing.assert_allclose(c.std_error[:2], d.std_error[:2], rtol=1e-8)
        np.testing.assert_allclose(c.p[:2], d.p[:2], rtol=1e-7)
        assert np.isnan(c.std_error[2:]).all()
        for name in ("f", "f_p", "r2", "aic", "bic", "sigma2", "adjusted_r2", "log_likelihood"):
            assert getattr(ours, name) == pytest.approx(getattr(theirs, name), rel=1e-7), name
        assert (ours.df_model, ours.df_residual) == (theirs.df_model, theirs.df_residual)


def test_the_pseudo_inverse_is_moore_penrose(fit_rows, design):
    X, y, _ = design(1, 30, 3, False)
    X = np.column_stack([X, 1000 * X[:, 0] + X[:, 1]])
    fit = fit_rows(X, y)
    exog = np.column_stack([np.ones(30), X])
    np.testing.assert_allclose(fit.coef, np.linalg.lstsq(exog, y, rcond=1e-10)[0], rtol=1e-7)
    inverse = np.linalg.pinv(exog, rcond=1e-10)
    np.testing.assert_allclose(fit.unscaled_covariance, inverse @ inverse.T, atol=1e-9)
    assert np.abs(exog @ fit.undetermined_directions()).max() < 1e-9
    derived = replace(fit, null_space=None).undetermined_directions()
    assert np.abs(exog @ derived / np.abs(derived).max()).max() < 1e-7 * np.abs(exog).max()


@pytest.mark.parametrize("deficient", [False, True])
def test_a_fit_without_root_or_null_space_says_the_same(deficient, fit_rows, design):
    X, y, w = design(11, 50, 3, True)
    if deficient:
        X = np.column_stack([X, X[:, 0] + X[:, 1]])
    fit = fit_rows(X, y, w)
    bare = replace(fit, covariance_root=None, null_space=None)
    np.testing.assert_allclose(bare.root @ bare.root.T, fit.unscaled_covariance, atol=1e-12)
    for kind in ("HC0", "HC3", "cluster"):
        groups = np.arange(50) % 9 if kind == "cluster" else None
        options = {"rows": (X, y, w), "covariance": kind, "groups": groups}
        ours, theirs = summarize(bare, **options), summarize(fit, **options)
        np.testing.assert_allclose(ours.coefficients.p, theirs.coefficients.p, rtol=1e-8)
    new = np.vstack([X[:3], np.eye(X.shape[1])])
    ours, theirs = prediction(bare, new), prediction(fit, new)
    assert ours.determined.tolist() == theirs.determined.tolist()
    np.testing.assert_allclose(ours.std_error, theirs.std_error, rtol=1e-8)
    leverages = [influence(f, X, y, w).leverage for f in (bare, fit)]
    np.testing.assert_allclose(*leverages, rtol=1e-8)


def test_prediction_of_a_rank_deficient_fit_knows_its_space(fit_rows, design):
    X, y, _ = design(2, 30, 2, False)
    twice = np.column_stack([X, X.sum(axis=1)])
    fit, full = fit_rows(twice, y), fit_rows(X, y)
    new = np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 4.0], [0.0, 0.0, 0.0]])
    ours = prediction(fit, new)
    assert ours.determined.tolist() == [True, False, True]
    assert "1 row(s), the first being row 1" in ours.notes[0]
    theirs = prediction(full, new[:, :2])
    np.testing.assert_allclose(ours.lower[[0, 2]], theirs.lower[[0, 2]], rtol=1e-8)
    assert np.isfinite(ours.mean).all()
    assert np.isnan(ours.upper[1])


def test_as_many_rows_as_coefficients(fit_rows, design):
    X, y, _ = design(3, 4, 3, False)
    summary = summarize(fit_rows(X, y), rows=(X, y, None), covariance="HC0")
    assert summary.df_residual == 0
    assert "no residual degrees of freedom" in text_of(summary)
    assert summary.r2 == pytest.approx(1.0)
    assert np.isnan(summary.coefficients.p).all()
    assert np.isnan(confidence_interval(fit_rows(X, y))).all()
    with pytest.raises(InvalidDataError, match="no residual degrees of freedom"):
        prediction(fit_rows(X, y), X)
    str(summary)


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("intercept", [True, False])
def test_fewer_rows_than_coefficients(n, intercept, fit_rows, design):
    X, y, _ = design(4, n, 5, False)
    summary = summarize(fit_rows(X, y, intercept=intercept))
    assert summary.df_residual == 0
    assert "linearly dependent" in text_of(summary)
    assert summary.sigma2_ml == pytest.approx(0.0, abs=1e-20)
    str(summary)


def test_exact_fit(fit_rows):
    x = np.arange(8.0)
    fit = replace(fit_rows(x[:, None], 2 * x + 1), rss=0.0)
    summary = summarize(fit)
    assert "fit is exact" in text_of(summary)
    assert summary.coefficients.std_error.tolist() == [0.0, 0.0]
    assert (summary.r2, summary.f, summary.f_p) == (1.0, math.inf, 0.0)
    assert (summary.log_likelihood, summary.aic, summary.bic) == (math.inf, -math.inf, -math.inf)
    rounded = summarize(replace(fit, rss=1e-28))
    assert "perfect up to rounding" in text_of(rounded)
    effect = influence(fit, x[:, None], 2 * x + 1)
    assert np.isnan(effect.cooks_distance).all()
    assert "nothing can be studentised" in effect.notes[0]


def test_constant_target(fit_rows, design):
    X, _, _ = design(5, 20, 2, False)
    summary = summarize(fit_rows(X, np.full(20, 7.3)))
    assert math.isnan(summary.r2)
    assert summary.deviance == 0.0
    assert "R² is not defined" in text_of(summary)
    assert summary.coefficients.estimate[0] == pytest.approx(7.3)
    other = summarize(replace(fit_rows(X, np.full(20, 7.3)), rss=1.0))
    assert math.isnan(other.r2)


def test_intercept_only_and_no_intercept(fit_rows, design):
    X, y, _ = design(6, 20, 2, False)
    alone = summarize(fit_rows(np.empty((20, 0)), y))
    assert alone.coefficients.std_error[0] == pytest.approx(y.std(ddof=1) / math.sqrt(20))
    assert "no estimable slope" in text_of(alone)
    assert alone.r2 == pytest.approx(0.0, abs=1e-12)
    assert "predicting zero" in text_of(summarize(fit_rows(X, y, intercept=False)))


def test_penalised_fit_shows_no_standard_errors(fit_rows, design):
    X, y, _ = design(7, 20, 2, False)
    fit = replace(fit_rows(X, y), penalised=True)
    summary = summarize(fit)
    assert "after penalisation are not valid" in text_of(summary)
    for column in (summary.coefficients.std_error, summary.coefficients.p, summary.covariance):
        assert np.isnan(column).all()
    assert np.isfinite([summary.r2, summary.sigma2_ml, summary.log_likelihood]).all()
    assert np.isnan([summary.aic, summary.f, summary.adjusted_r2]).all()
    with pytest.raises(InvalidDataError, match="penalised"):
        prediction(fit, X)
    with pytest.raises(InvalidDataError, match="penalised"):
        influence(fit, X, y)


def test_a_row_of_leverage_one(fit_rows, design):
    X, y, _ = design(8, 25, 2, False)
    X[:, 1] = 0.0
    X[3, 1] = 1.0  # only row 3 knows this coefficient
    fit = fit_rows(X, y)
    effect = influence(fit, X, y)
    assert effect.leverage[3] == pytest.approx(1.0)
    assert "row(s) 3:" in effect.notes[0]
    others = np.arange(25) != 3
    assert np.isnan(effect.press_residuals[3])
    assert np.isfinite(effect.cooks_distance[others]).all()
    assert np.isfinite(effect.press)
    for kind in ("HC2", "HC3"):
        summary = summarize(fit, rows=(X, y, None), covariance=kind)
        assert "leverage 1" in text_of(summary)
        assert np.isfinite(summary.coefficients.std_error).all()


def test_constant_zero_and_huge_columns(fit_rows, design):
    X, y, _ = design(9, 30, 2, False)
    X = np.column_stack([X[:, 0] * 1e120, np.zeros(30), X[:, 1] * 1e-120, np.full(30, 5.0)])
    fit = fit_rows(X, y)
    assert fit.rank == 3
    assert fit.not_estimable_names == ("(Intercept)", "x1", "x3")
    summary = summarize(fit)
    plain = summarize(fit_rows(X[:, [0, 2]] * [1e-120, 1e120], y))
    np.testing.assert_allclose(summary.coefficients.t[[1, 3]], plain.coefficients.t[1:], rtol=1e-9)
    str(summary)


@pytest.mark.parametrize(("column", "name"), [(1, "x1 has a length"), (2, "y has a length")])
@pytest.mark.parametrize("scale", [1e300, 1e-200, np.nan])
def test_scales_out_of_range_are_refused(column, name, scale, fit_rows, design):
    X, y, _ = design(9, 30, 2, False)
    rows = np.column_stack([X, y])
    rows[:, column] *= scale
    with pytest.raises(NumericalError, match=name):
        fit_rows(rows[:, :2], rows[:, 2])


def test_one_residual_degree_of_freedom(fit_rows, design):
    X, y, _ = design(10, 4, 2, False)
    effect = influence(fit_rows(X, y), X, y)
    assert "One residual degree of freedom" in effect.notes[0]
    assert np.isnan(effect.dffits).all()
    assert np.isfinite(effect.cooks_distance).all()


def test_ill_conditioning_is_said(fit_rows):
    x = np.arange(30.0)
    fit = fit_rows(np.column_stack([x, x + 1e-9 * np.sin(x)]), x)
    assert "trustworthy digits" in text_of(summarize(fit))


def test_shapes_and_signs_of_a_fit_are_checked():
    fit = fit_from_factor(np.eye(3), n_rows=3)
    values = {name: getattr(fit, name) for name in fit.__dataclass_fields__}
    with pytest.raises(InvalidDataError, match=r"coef has shape \(3,\), but 2 names"):
        LinearFit(**{**values, "coef": np.zeros(3)})
    with pytest.raises(InvalidDataError, match="rss must be >= 0, got -1"):
        LinearFit(**{**values, "rss": -1.0})
    with pytest.raises(NumericalError, match="unscaled_covariance is not finite"):
        LinearFit(**{**values, "unscaled_covariance": np.full((2, 2), np.inf)})
    assert LinearFit(**{**values, "tss": 1.0, "rss": -1e-17}).rss == 0.0


@pytest.mark.parametrize("value", [0.0, 0.1, 1e5 / 3])
def test_a_constant_target_has_no_share_explained(value):
    x = np.random.default_rng(0).standard_normal((50, 3))
    told = LinearRegression().fit(x, np.full(50, value)).summary()
    assert np.isnan([told.r2, told.adjusted_r2]).all()
    assert "nan" not in str(told)
