"""Influence against statsmodels and against refits that leave the row out."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.outliers_influence import OLSInfluence

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inference import influence


def assert_equal(ours, theirs, rtol=1e-8):
    pairs = {
        "leverage": theirs.hat_matrix_diag,
        "internally_studentized": theirs.resid_studentized_internal,
        "externally_studentized": theirs.resid_studentized_external,
        "cooks_distance": theirs.cooks_distance[0],
        "dffits": theirs.dffits[0],
        "dfbetas": theirs.dfbetas,
        "covratio": theirs.cov_ratio,
    }
    for name, value in pairs.items():
        size = np.abs(value).max()
        np.testing.assert_allclose(getattr(ours, name), value, rtol, rtol * size, err_msg=name)
    assert ours.press == pytest.approx(theirs.ess_press, rel=rtol)


# longley: statsmodels' own determinants are 1e-7 off the exact ones (see test_inference_exact)
@pytest.mark.parametrize(("name", "rtol"), [("stackloss", 1e-9), ("longley", 1e-6)])
def test_bundled_data(name, rtol, fit_rows, reference):
    data = getattr(sm.datasets, name).load_pandas()
    X, y = data.exog.to_numpy(float), data.endog.to_numpy(float)
    ours = influence(fit_rows(X, y), X, y)
    theirs = OLSInfluence(reference(X, y).fit())
    assert_equal(ours, theirs, rtol)
    np.testing.assert_allclose(ours.residuals, theirs.resid, rtol=1e-5)
    np.testing.assert_allclose(ours.press_residuals, theirs.resid_press, rtol=1e-5)


def test_weighted_rows_are_ordinary_ones_in_the_metric_of_the_weights(fit_rows, design):
    X, y, w = design(0, 30, 3, True)
    root = np.sqrt(w)
    exog = np.column_stack([np.ones(30), X]) * root[:, None]
    theirs = OLSInfluence(sm.OLS(y * root, exog, hasconst=False).fit())
    ours = influence(fit_rows(X, y, w), X, y, w)
    assert_equal(ours, theirs)
    np.testing.assert_allclose(ours.residuals * root, theirs.resid, rtol=1e-8)


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(9, 20),
    p=st.integers(1, 4),
    weighted=st.booleans(),
    intercept=st.booleans(),
)
def test_leaving_each_row_out_by_hand(fit_rows, design, seed, n, p, weighted, intercept):
    X, y, w = design(seed, n, p, weighted)
    fit = fit_rows(X, y, w, intercept=intercept)
    ours = influence(fit, X, y, w)
    exog = np.column_stack([np.ones((n, int(intercept))), X])
    deviations = np.sqrt(np.diag(fit.unscaled_covariance))
    for i in range(n):
        rest = np.arange(n) != i
        without = fit_rows(X[rest], y[rest], None if w is None else w[rest], intercept=intercept)
        s = np.sqrt(without.sigma2)
        own = 1.0 if w is None else w[i]
        change = exog @ (fit.coef - without.coef)
        root = np.ones(n) if w is None else np.sqrt(w)
        expected = {
            "press_residuals": y[i] - exog[i] @ without.coef,
            "cooks_distance": np.sum((root * change) ** 2) / fit.sigma2 / fit.rank,
            "dffits": np.sqrt(own) * change[i] / (s * np.sqrt(ours.leverage[i])),
            "covratio": np.linalg.det(without.unscaled_covariance * without.sigma2)
            / np.linalg.det(fit.unscaled_covariance * fit.sigma2),
        }
        for name, value in expected.items():
            assert getattr(ours, name)[i] == pytest.approx(value, rel=1e-6, abs=1e-9), name
        dfbetas = (fit.coef - without.coef) / (s * deviations)
        np.testing.assert_allclose(ours.dfbetas[i], dfbetas, rtol=1e-6, atol=1e-9)


def test_hat_matrix_maps_y_to_fitted_values(fit_rows, design):
    X, y, w = design(1, 40, 3, True)
    ours = influence(fit_rows(X, y, w), X, y, w)
    hat = ours.hat_matrix()
    np.testing.assert_allclose(hat @ y, y - ours.residuals, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(np.diag(hat), ours.leverage, rtol=1e-9)
    assert ours.leverage.sum() == pytest.approx(4)
    with pytest.raises(InvalidDataError, match=r"hat matrix of 40 rows takes .* larger max_bytes"):
        ours.hat_matrix(max_bytes=1000)


def test_sparse_rows_and_zero_weights(fit_rows, design):
    X, y, w = design(2, 600, 2, True)
    X[X < 0] = 0.0
    w[10] = 0.0
    kept = w > 0
    ours = influence(fit_rows(X, y, w), scipy.sparse.csr_array(X), y, w)
    theirs = influence(fit_rows(X[kept], y[kept], w[kept]), X[kept], y[kept], w[kept])
    for name in ("leverage", "cooks_distance", "externally_studentized", "dfbetas", "covratio"):
        mine, other = getattr(ours, name)[kept], getattr(theirs, name)
        np.testing.assert_allclose(mine, other, rtol=1e-8, atol=1e-12, err_msg=name)
    assert (ours.leverage[10], ours.cooks_distance[10], ours.covratio[10]) == (0.0, 0.0, 1.0)
    assert ours.press == pytest.approx(theirs.press)


def test_worst_finds_a_planted_outlier(fit_rows, design):
    X, y, _ = design(3, 50, 2, False)
    X[17] *= 3
    y[17] += 500
    effect = influence(fit_rows(X, y), X, y)
    worst = effect.worst(3)
    assert worst.rows[0] == 17
    assert worst.to_dict()["row"][0] == 17
    assert worst.columns["cooks_distance"][0] == effect.cooks_distance.max()
    lines = str(worst).splitlines()
    assert lines[4].startswith("17 ")
    assert max(map(len, lines)) <= 80
    with pytest.raises(InvalidParameterError, match="by must be one of cooks_distance"):
        effect.worst(by="cook")
