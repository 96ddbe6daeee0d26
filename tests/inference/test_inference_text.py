"""What the summary looks like: narrow, aligned, escaped, complete."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import statsmodels.api as sm

from stylobate.inference import summarize

STACKLOSS = """\
Linear regression of STACKLOSS
21 rows, 17 residual degrees of freedom
classical standard errors, t(17)

             estimate  std error      t       p        95% interval  signal
---------------------------------------------------------------------------
(Intercept)  -39.92       11.9    -3.36   0.004  -65.02    -14.82    clear
AIRFLOW        0.7156      0.135   5.31  <0.001    0.4311    1.000   strong
WATERTEMP      1.295       0.368   3.52   0.003    0.5188    2.072   clear
ACIDCONC      -0.1521      0.156  -0.97   0.344   -0.4819    0.1776  none
signal against zero: strong p<0.001, clear p<0.01, some p<0.05, weak p<0.1

R²                0.9136      adjusted R²          0.8983
F(3, 17)         59.90        p of F              <0.001
residual std      3.243       condition number  1812
log-likelihood  -52.29        deviance           178.8
AIC             112.6         BIC                116.8"""


def test_stackloss_looks_like_this(fit_rows):
    data = sm.datasets.stackloss.load_pandas()
    fit = fit_rows(data.exog, data.endog, names=data.exog.columns, target="STACKLOSS")
    assert str(summarize(fit)) == STACKLOSS
    assert repr(summarize(fit)) == STACKLOSS


@pytest.mark.parametrize("seed", range(8))
def test_never_wider_than_a_terminal(seed, fit_rows, design):
    X, y, w = design(seed, 60, 5, True, scale=9.0)
    y = y * 10.0 ** (seed * 30 - 120)
    names = ["x" * 90, "naïve\n\x1b[31m", "", "é" * 30, "e"]
    fit = fit_rows(X, y, w, names=names, target="t" * 200)
    for kind in ("classical", "HC3"):
        lines = str(summarize(fit, rows=(X, y, w), covariance=kind)).split("\n")
        assert max(map(len, lines)) <= 82
        assert not any("\x1b" in line for line in lines)


def test_long_tables_are_cut_and_say_so(fit_rows, design):
    X, y, _ = design(0, 200, 100, False)
    text = str(summarize(fit_rows(X, y)))
    assert "… 41 more coefficients in .coefficients" in text
    assert len(text.splitlines()) < 80


def test_html_is_escaped_and_complete(fit_rows, design):
    X, y, _ = design(1, 30, 2, False)
    y += 100 * X[:, 0]
    fit = fit_rows(X, y, names=["<script>alert(1)</script>", "a&b"], target="<y>")
    html = summarize(fit)._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "a&amp;b" in html
    assert "&lt;y&gt;" in html
    assert html.count("<tr") == 1 + 3 + 5
    assert "&lt;0.001" in html


def test_notes_reach_text_and_html(fit_rows):
    x = np.arange(10.0)
    X = np.column_stack([x, 2 * x])
    summary = summarize(fit_rows(X, np.sin(x), names=["<a>", "b"]))
    assert "1. The columns are linearly dependent (rank 2 of 3)" in str(summary)
    assert "coefficients of &lt;a&gt;, b" in summary._repr_html_()


def test_import_loads_nothing_heavy():
    code = (
        "import sys, stylobate.inference; "
        "print([m for m in ('scipy', 'pandas', 'polars', 'sklearn') if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
