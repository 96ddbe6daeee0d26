"""Quantiles and least absolute deviations over passes: the vertex of memory, proved."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import stylobate
from stylobate.data import read_table
from stylobate.data.streams import Batch, Stream
from stylobate.engines import windows
from stylobate.exceptions import UnsupportedDataError
from stylobate.linear_model import LADRegressor, QuantileRegressor
from stylobate.optimize.robust import check_loss, quantile_passes
from stylobate.sources import MemorySource
from stylobate.statistics.sketches.table_sample import SampleRows

RNG = np.random.default_rng(5)
N = 1500
X = RNG.normal(size=(N, 4)) * [1.0, 10.0, 0.1, 1.0] + [3.0, 0.0, -1.0, 100.0]
Y = X @ [1.0, 0.2, -3.0, 0.0] + RNG.standard_t(2, N) * (1.0 + np.abs(X[:, 0]))
WEIGHTS = RNG.integers(0, 3, N).astype(float)


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Windows and samples so small that few rows need every pass."""
    monkeypatch.setattr(windows, "MOST_ROWS", 64)
    monkeypatch.setattr(windows, "UNIT_ROWS", 64)
    monkeypatch.setattr(quantile_passes, "SAMPLE_ROWS", 8)
    monkeypatch.setattr(check_loss, "LEAST_ROWS", 40)


def stream_of(x, y, weights=None):
    spans = [slice(a, a + 101) for a in range(0, len(y), 101)]
    parts = [Batch(x[s], y[s], None if weights is None else weights[s]) for s in spans]
    return Stream(lambda: iter(parts), "rows")


@pytest.mark.parametrize("tau", [0.03, 0.5, 0.8])
@pytest.mark.parametrize("alpha", [0.0, 0.05])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("intercept", [True, False])
def test_the_vertex_of_memory(tau, alpha, weighted, intercept):
    weights = WEIGHTS if weighted else None
    model = QuantileRegressor(quantile=tau, alpha=alpha, fit_intercept=intercept)
    assert model._tags().tier == "one pass per iteration"
    memory = QuantileRegressor(**model.get_params()).fit(X, Y, weights)
    stream = stream_of(X, Y, weights)
    found = model.fit(stream)
    np.testing.assert_allclose(found.coef_, memory.coef_, rtol=1e-9, atol=1e-10)
    assert found.intercept_ == pytest.approx(memory.intercept_, rel=1e-9, abs=1e-9)
    assert found.certificate_.proved
    assert found.certificate_.relative_gap < 1e-11
    assert found.certificate_.primal == pytest.approx(memory.certificate_.primal, rel=1e-12)
    residual = Y - X @ found.coef_ - found.intercept_
    w = np.ones(N) if weights is None else weights
    loss = np.maximum(tau * residual, (tau - 1) * residual) @ w / w.sum()
    value = loss + alpha * np.abs(found.coef_).sum()
    assert found.certificate_.primal == pytest.approx(value, rel=1e-12)
    assert stream.passes <= 20


def test_least_absolute_deviations_with_their_likelihood():
    memory = LADRegressor().fit(X, Y, WEIGHTS)
    found = LADRegressor().fit(stream_of(X, Y, WEIGHTS))
    np.testing.assert_allclose(found.coef_, memory.coef_, rtol=1e-9, atol=1e-10)
    for name in ("scale_", "log_likelihood_", "aic_", "bic_"):
        assert getattr(found, name) == pytest.approx(getattr(memory, name), rel=1e-10), name
    assert found.rank_ == memory.rank_ == 5


@pytest.mark.parametrize("kind", ["dependent", "sparse", "ties", "constant", "perfect", "zero"])
def test_awkward_rows(kind):
    x, y, options = X, Y, {}
    if kind == "dependent":
        x = np.column_stack([X, X[:, 0] + 2 * X[:, 1], np.ones(N)])
    elif kind == "sparse":
        x = sparse.csr_array(np.where(RNG.random(X.shape) < 0.6, 0.0, X))
    elif kind == "ties":
        x, y = np.round(X[:, :1]), np.round(Y)
    elif kind == "constant":
        y = np.full(N, 3.0)
    elif kind == "perfect":
        y = X @ [1.0, 2.0, 3.0, 4.0]
    else:
        x, options = np.zeros((N, 2)), {"fit_intercept": False}
    model = QuantileRegressor(quantile=0.3, alpha=0.0, **options)
    memory = QuantileRegressor(**model.get_params()).fit(x, y)
    found = model.fit(stream_of(x, y))
    proof = found.certificate_
    assert proof.primal == pytest.approx(memory.certificate_.primal, rel=1e-10, abs=1e-9)
    assert proof.relative_gap <= 1e-8
    if kind != "ties":  # of which several vertices may be best
        np.testing.assert_allclose(found.predict(x), memory.predict(x), rtol=1e-7, atol=1e-6)


def test_rows_on_the_line_are_held_up_to_the_limit():
    y = np.zeros(N)
    with (
        stylobate.config_context(collect_limit=100_000),
        pytest.raises(UnsupportedDataError, match="meets so many rows"),
    ):
        QuantileRegressor(alpha=0.0).fit(stream_of(X, y))


def test_what_needs_all_rows_says_so():
    assert QuantileRegressor(solver="highs")._tags().tier == "all rows"
    assert QuantileRegressor(quantile=[0.1, 0.9])._tags().tier == "one pass per iteration"
    assert LADRegressor()._tags().tier == "one pass per iteration"


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
@pytest.mark.parametrize("alpha", [0.0, 0.02])
def test_several_quantiles_by_passes(alpha, weights):
    model = QuantileRegressor(quantile=[0.9, 0.1, 0.5], alpha=alpha)
    memory = QuantileRegressor(quantile=[0.9, 0.1, 0.5], alpha=alpha).fit(X, Y, weights)
    found = model.fit(stream_of(X, Y, weights))
    assert "in batches" in found.solver_reason_  # they do not cross
    np.testing.assert_allclose(found.coef_, memory.coef_, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found.intercept_, memory.intercept_, rtol=1e-9, atol=1e-9)
    ours, theirs = found.certificate_, memory.certificate_
    assert ours.primal == pytest.approx(theirs.primal, rel=1e-11)
    assert ours.proved
    assert ours.relative_gap <= 1e-9
    assert found.trace_.objective[-1] == ours.primal


def test_lines_that_cross_are_solved_together():
    y = np.abs(X[:, 0]) * RNG.standard_normal(N)  # no spread in the middle
    taus = [0.45, 0.5, 0.55]
    memory = QuantileRegressor(quantile=taus, alpha=0.0).fit(X, y)
    alone = [QuantileRegressor(quantile=tau, alpha=0.0).fit(X, y).predict(X) for tau in taus]
    assert min(np.diff(alone, axis=0).min(axis=0)) < 0.0
    found = QuantileRegressor(quantile=taus, alpha=0.0).fit(stream_of(X, y))
    np.testing.assert_array_equal(found.coef_, memory.coef_)
    assert "in batches" not in found.solver_reason_


def test_a_sample_does_not_depend_on_the_windows(monkeypatch):
    source = MemorySource(read_table(X, Y, WEIGHTS, owner="test"))
    many = source.compute(SampleRows(50))
    monkeypatch.setattr(windows, "MOST_ROWS", 10_000)
    monkeypatch.setattr(windows, "UNIT_ROWS", 10_000)
    one = source.compute(SampleRows(50))
    assert len(one.numbers) == 50
    np.testing.assert_array_equal(many.numbers, one.numbers)
    np.testing.assert_array_equal(many.table.x, X[one.numbers])
    np.testing.assert_array_equal(many.table.weights, WEIGHTS[one.numbers])
    picked = np.concatenate([source.compute(SampleRows(50, seed)).numbers for seed in range(40)])
    assert abs(picked.mean() / N - 0.5) < 0.03  # six standard errors
