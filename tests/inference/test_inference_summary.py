"""The summary against statsmodels, on real and on random data."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inference import coefficient_covariance, summarize

ROBUST = ["HC0", "HC1", "HC2", "HC3"]


def assert_equal(ours, theirs, rtol=1e-9):
    c = ours.coefficients
    interval = np.asarray(theirs.conf_int(1 - ours.level))
    pairs = {
        "coef": (c.estimate, theirs.params),
        "std_error": (c.std_error, theirs.bse),
        "t": (c.t, theirs.tvalues),
        "p": (c.p, theirs.pvalues),
        "ci_low": (c.ci_low, interval[:, 0]),
        "ci_high": (c.ci_high, interval[:, 1]),
        "covariance": (ours.covariance, theirs.cov_params()),
        "n": (ours.n, theirs.nobs),
        "df_model": (ours.df_model, theirs.df_model),
        "df_residual": (ours.df_residual, theirs.df_resid),
        "sigma2": (ours.sigma2, theirs.scale),
        "sigma2_ml": (ours.sigma2_ml, theirs.ssr / theirs.nobs),
        "r2": (ours.r2, theirs.rsquared),
        "adjusted_r2": (ours.adjusted_r2, theirs.rsquared_adj),
        "f": (ours.f, theirs.fvalue),
        "f_p": (ours.f_p, theirs.f_pvalue),
        "log_likelihood": (ours.log_likelihood, theirs.llf),
        "deviance": (ours.deviance, theirs.ssr),
        "aic": (ours.aic, theirs.aic),
        "bic": (ours.bic, theirs.bic),
    }
    for name, (mine, other) in pairs.items():
        other = np.asarray(other, dtype=float)
        # entries of a covariance or interval that cancel are known to the size of the others
        floor = rtol * np.abs(other).max() if name in ("covariance", "ci_low", "ci_high") else 0
        floor = 1e-13 if name in ("r2", "adjusted_r2", "f") else floor  # differences of ones
        np.testing.assert_allclose(mine, other, rtol=rtol, atol=floor, err_msg=name)


@pytest.mark.parametrize("name", ["longley", "stackloss", "engel", "ccard"])
def test_bundled_data(name, fit_rows, reference):
    data = getattr(sm.datasets, name).load_pandas()
    X, y = data.exog.to_numpy(float), data.endog.to_numpy(float)
    fit, theirs = fit_rows(X, y), reference(X, y)
    assert_equal(summarize(fit), theirs.fit())
    assert summarize(fit).condition == pytest.approx(theirs.fit().condition_number, rel=1e-9)
    for kind in ROBUST:
        ours = summarize(fit, rows=(X, y, None), covariance=kind)
        # statsmodels' robust longley has an F 6e-9 off the exact one (see test_inference_exact)
        rtol = 5e-8 if name == "longley" else 1e-9
        assert_equal(ours, theirs.fit(cov_type=kind, use_t=True), rtol)


def test_longley_reaches_the_certified_digits(fit_rows):
    """NIST StRD Longley: certified to eleven digits and more."""
    data = sm.datasets.longley.load_pandas()
    c = summarize(fit_rows(data.exog, data.endog)).coefficients
    coef = [-3482258.63459582, 15.0618722713733, -0.358191792925910e-01, -2.02022980381683]
    errors = [890420.383607373, 84.9149257747669, 0.334910077722432e-01, 0.488399681651699]
    np.testing.assert_allclose(c.estimate[:4], coef, rtol=1e-10)
    np.testing.assert_allclose(c.std_error[:4], errors, rtol=1e-10)


FILES = {
    "mtcars.csv": ("mpg", ["wt", "hp", "qsec"]),
    "diabetes.csv": ("target", None),
    "tips.csv": ("tip", ["total_bill", "size"]),
}


@pytest.mark.parametrize("file", FILES)
def test_shared_data(file, data_folder, fit_rows, reference):
    frame = pd.read_csv(data_folder / "basic" / file)
    target, columns = FILES[file]
    columns = columns or [c for c in frame.select_dtypes("number") if c != target]
    X, y = frame[columns].to_numpy(float), frame[target].to_numpy(float)
    weights = np.random.default_rng(0).uniform(0.5, 2.0, len(y))
    for w in (None, weights):
        fit, theirs = fit_rows(X, y, w, names=columns), reference(X, y, w)
        assert_equal(summarize(fit, level=0.9), theirs.fit())
        ours = summarize(fit, rows=(X, y, w), covariance="HC3")
        assert_equal(ours, theirs.fit(cov_type="HC3", use_t=True))


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(12, 60),
    p=st.integers(1, 6),
    weighted=st.booleans(),
    intercept=st.booleans(),
    kind=st.sampled_from(["classical", *ROBUST]),
    normal=st.booleans(),
)
def test_random_designs(fit_rows, design, reference, seed, n, p, weighted, intercept, kind, normal):
    X, y, w = design(seed, n, p, weighted)
    fit = fit_rows(X, y, w, intercept=intercept)
    law = "normal" if normal else "t"
    ours = summarize(fit, rows=(X, y, w), covariance=kind, distribution=law)
    cov_type = "nonrobust" if kind == "classical" else kind
    theirs = reference(X, y, w, intercept=intercept).fit(cov_type=cov_type, use_t=not normal)
    assert_equal(ours, theirs)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_groups", [2, 5, 40])
def test_one_way_clusters(weighted, n_groups, fit_rows, design, reference):
    X, y, w = design(3, 200, 3, weighted)
    groups = np.random.default_rng(1).integers(0, n_groups, 200)
    fit = fit_rows(X, y, w)
    theirs = reference(X, y, w).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
    labels = np.array([f"group {g}" for g in groups])
    ours = summarize(fit, rows=(X, y, w), covariance="cluster", groups=labels)
    assert ours.df_inference == n_groups - 1
    np.testing.assert_allclose(ours.covariance, theirs.cov_params(), rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(ours.coefficients.p, theirs.pvalues, rtol=1e-9)
    if n_groups > 3:  # with fewer groups than slopes the Wald matrix is singular
        assert_equal(ours, theirs)
    else:
        assert "has rank" in " ".join(ours.notes)


def test_two_way_clusters(fit_rows, design, reference):
    X, y, _ = design(4, 300, 3, False)
    rng = np.random.default_rng(2)
    groups = np.column_stack([rng.integers(0, 12, 300), rng.integers(0, 9, 300)])
    theirs = reference(X, y).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
    rows, fit = (X, y, None), fit_rows(X, y)
    assert_equal(summarize(fit, rows=rows, covariance="cluster", groups=groups), theirs)
    pair = (groups[:, 0], groups[:, 1].astype(str))
    ours = coefficient_covariance(fit, rows=rows, covariance="cluster", groups=pair)
    np.testing.assert_allclose(ours.matrix, theirs.cov_params(), rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("kind", [*ROBUST, "cluster"])
def test_chunks_sparse_and_float32_rows_change_nothing(kind, fit_rows, design, monkeypatch):
    X, y, w = design(5, 1000, 3, True)
    X = np.where(X > 0, X, 0.0).astype(np.float32)
    groups = np.random.default_rng(0).integers(0, 30, 1000) if kind == "cluster" else None
    fit = fit_rows(X, y, w)
    whole = coefficient_covariance(fit, rows=(X, y, w), covariance=kind, groups=groups).matrix
    monkeypatch.setattr("stylobate.inference.rows._CHUNK_VALUES", 1)  # 256 rows at a time
    for form in (X, np.asfortranarray(X), scipy.sparse.csr_array(X), scipy.sparse.csc_matrix(X)):
        part = coefficient_covariance(fit, rows=(form, y, w), covariance=kind, groups=groups)
        np.testing.assert_allclose(part.matrix, whole, rtol=1e-11)


def test_clusters_of_one_row_are_hc1(fit_rows, design, monkeypatch):
    monkeypatch.setattr("stylobate.inference.rows._CHUNK_VALUES", 1)  # groups end where chunks do
    X, y, w = design(6, 700, 2, True)
    fit, rows = fit_rows(X, y, w), (X, y, w)
    alone = coefficient_covariance(fit, rows=rows, covariance="cluster", groups=np.arange(700))
    hc1 = coefficient_covariance(fit, rows=rows, covariance="HC1")
    np.testing.assert_allclose(alone.matrix, hc1.matrix, rtol=1e-11)


def test_zero_weight_rows_do_not_count(fit_rows, design):
    X, y, w = design(7, 80, 3, True)
    w[::4] = 0.0
    kept = w > 0
    groups = np.random.default_rng(0).integers(0, 8, 80)
    groups[::4] = 99  # a group of zero weight only
    few = fit_rows(X[kept], y[kept], w[kept])
    for kind in ["classical", *ROBUST, "cluster"]:
        labels = groups if kind == "cluster" else None
        sub = groups[kept] if kind == "cluster" else None
        ours = summarize(fit_rows(X, y, w), rows=(X, y, w), covariance=kind, groups=labels)
        theirs = summarize(few, rows=(X[kept], y[kept], w[kept]), covariance=kind, groups=sub)
        assert ours.n == theirs.n == 60
        np.testing.assert_allclose(ours.covariance, theirs.covariance, rtol=1e-9)
        assert ours.log_likelihood == pytest.approx(theirs.log_likelihood, rel=1e-12)
        assert ours.f_p == pytest.approx(theirs.f_p, rel=1e-9)


def test_data_comes_out_as_plain_values_and_frames(fit_rows, design):
    X, y, _ = design(8, 30, 2, False)
    summary = summarize(fit_rows(X, y, names=["a", "b"]))
    plain = json.loads(json.dumps(summary.to_dict()))
    assert plain["coefficients"]["name"] == ["(Intercept)", "a", "b"]
    pandas, polars = summary.coefficients.to_pandas(), summary.coefficients.to_polars()
    assert pandas.loc["a", "std_error"] == summary.coefficients["a"]["std_error"]
    assert polars["p"].to_list() == summary.coefficients.p.tolist()
    with pytest.raises(InvalidDataError, match=r"no coefficient named 'c'; the names are"):
        summary.coefficients["c"]


def test_refusals_say_what_would_be_right(fit_rows, design):
    X, y, _ = design(9, 30, 2, False)
    fit = fit_rows(X, y)
    with pytest.raises(InvalidParameterError, match=r"summary\(X, y, sample_weight"):
        summarize(fit, covariance="HC3")
    with pytest.raises(InvalidParameterError, match="covariance must be one of 'classical'"):
        summarize(fit, covariance="hc3")
    with pytest.raises(InvalidParameterError, match="needs groups"):
        summarize(fit, rows=(X, y, None), covariance="cluster")
    with pytest.raises(InvalidParameterError, match="'cluster' only"):
        summarize(fit, rows=(X, y, None), covariance="HC0", groups=np.arange(30))
    with pytest.raises(InvalidDataError, match="at least two groups"):
        summarize(fit, rows=(X, y, None), covariance="cluster", groups=np.zeros(30))
    with pytest.raises(InvalidDataError, match="label of row 0 is missing"):
        summarize(fit, rows=(X, y, None), covariance="cluster", groups=np.full(30, np.nan))
    with pytest.raises(InvalidDataError, match="one type, none missing"):
        summarize(fit, rows=(X, y, None), covariance="cluster", groups=["a", None] * 15)
    with pytest.raises(InvalidDataError, match="one label per row"):
        summarize(fit, rows=(X, y, None), covariance="cluster", groups=np.arange(29))
    with pytest.raises(InvalidDataError, match="residual sum of squares"):
        summarize(fit, rows=(X, y[::-1], None), covariance="HC0")
    with pytest.raises(InvalidDataError, match="29 rows of positive weight"):
        summarize(fit, rows=(X[1:], y[1:], None), covariance="HC0")
    with pytest.raises(InvalidDataError, match="3 columns but the fit has 2 features"):
        summarize(fit, rows=(np.ones((30, 3)), y, None), covariance="HC0")
    with pytest.raises(InvalidDataError, match="Row 4 holds a missing"):
        summarize(fit, rows=(X, np.where(np.arange(30) == 4, np.nan, y), None), covariance="HC0")
