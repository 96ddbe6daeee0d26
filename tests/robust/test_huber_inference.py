"""Standard errors of Huber's regression: R's printed ones, statsmodels', and coverage."""

import gzip
import json
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm

from stylobate import model
from stylobate.linear_model import HuberRegressor


@pytest.fixture(scope="module")
def stackloss():
    root = Path(__file__).resolve().parents[2]
    folder = Path(os.environ.get("STYLOBATE_DATA", root.parent / "shared" / "data")) / "reference"
    if not folder.is_dir():
        pytest.skip(f"reference data not found at {folder}; set STYLOBATE_DATA")
    with gzip.open(folder / "statsmodels" / "results.json.gz") as file:
        printed = json.load(file)["robust/results_rlm"]["Huber"]
    d = pd.read_csv(folder / "statsmodels" / "data" / "stackloss.csv")
    return d.iloc[:, 1:].to_numpy(float), d.iloc[:, 0].to_numpy(float), printed


def at_scale(scale):
    return HuberRegressor(epsilon=1.345, scale=scale, alpha=0.0, tol=1e-13, max_iter=1000)


def test_errors_that_r_printed(stackloss):
    """rlm(stack.loss ~ ., psi = psi.huber): R's scale is the median's, given here."""
    x, y, printed = stackloss
    fit = at_scale(printed["scale"]).fit(x, y)
    order = [1, 2, 3, 0]
    found = fit.summary(x, y)
    np.testing.assert_allclose(found.coefficients.estimate[order], printed["params"], atol=2e-5)
    near = 1.0 - found.n_far / 21  # R divides the variance of ψ′ by n − 1, Huber by n
    ours, rs = (1.0 + 4 * (1.0 - near) / (n * near) for n in (21, 20))
    errors = found.coefficients.std_error[order] * rs / ours
    np.testing.assert_allclose(errors, printed["bse"], rtol=2e-5)
    for kind in ("H1", "H2", "H3"):
        matrix = fit.summary(x, y, covariance=kind).covariance[np.ix_(order, order)]
        np.testing.assert_allclose(matrix, printed[kind.lower()], atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("kind", ["H1", "H2", "H3"])
def test_the_errors_are_those_of_statsmodels(kind):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 3))
    y = x @ [1.0, -1.0, 0.0] + rng.standard_t(3, 200)
    peer = sm.RLM(y, sm.add_constant(x), M=sm.robust.norms.HuberT(1.345))
    peer = peer.fit(cov=kind, tol=1e-13, maxiter=500)
    fit = at_scale(float(peer.scale)).fit(x, y)
    found = fit.summary(x, y, covariance=kind).coefficients
    np.testing.assert_allclose(found.estimate, peer.params, atol=1e-7)
    np.testing.assert_allclose(found.std_error, peer.bse, rtol=1e-7)
    np.testing.assert_allclose(found.p, peer.pvalues, atol=1e-7)


def test_intervals_cover_where_variances_differ():
    rng = np.random.default_rng(1)
    inside, n = 0, 200
    for _ in range(n):
        x = rng.normal(size=(120, 1))
        y = x[:, 0] + rng.standard_t(3, 120) * np.exp(0.5 * x[:, 0])
        c = HuberRegressor(alpha=0.0).fit(x, y).summary(x, y, covariance="robust").coefficients
        inside += bool(c.ci_low[1] <= 1.0 <= c.ci_high[1])
    assert 0.90 <= inside / n <= 0.98


def test_weights_formulas_and_refusals():
    rng = np.random.default_rng(2)
    x, w = rng.normal(size=(60, 2)), rng.integers(1, 4, 60)
    y = x[:, 0] + rng.standard_t(3, 60)
    fit = HuberRegressor(alpha=0.0, scale=1.0, tol=1e-12).fit(x, y, w)
    found = fit.summary(x, y, w, covariance="robust")
    rows = np.repeat(np.arange(60), w)
    again = HuberRegressor(alpha=0.0, scale=1.0, tol=1e-12).fit(x[rows], y[rows])
    groups = again.summary(x[rows], y[rows], covariance="robust")
    np.testing.assert_allclose(found.coefficients.estimate, groups.coefficients.estimate, atol=1e-6)
    assert (found.coefficients.std_error > groups.coefficients.std_error).all()  # rows are not new
    with pytest.raises(ValueError, match="with weights ask for covariance='robust'"):
        fit.summary(x, y, w)
    with pytest.raises(ValueError, match="must be one of 'H1', 'H2', 'H3', 'robust'"):
        fit.summary(x, y, covariance="HC3")
    said = model("y ~ a + b", {"y": y, "a": x[:, 0], "b": x[:, 1]}, estimator=HuberRegressor())
    assert said.summary().coefficients.names == ("intercept", "a", "b")
    assert "The penalty alpha shrinks" in str(said.summary())
    assert said.summary().to_dict()["n_far"] == int(said.estimator_.outliers_.sum())
