"""Quantile fits tell the objective on their way, which falls to the one that is certified."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from stylobate.linear_model import LADRegressor, QuantileRegressor

rng = np.random.default_rng(0)
FEW, MANY = rng.normal(size=(80, 3)), rng.normal(size=(30_000, 3))


def target(x):
    return x.sum(axis=1) + rng.standard_t(3, len(x))


def falls(trace, certificate):
    objective = np.array(trace.objective)
    assert len(trace) == len(trace.gradient_norm) == len(trace.step) == len(trace.seconds)
    assert np.diff(objective).max(initial=0.0) <= 1e-12 * objective[0]
    assert np.diff(trace.seconds).min(initial=0.0) >= 0.0
    assert objective[-1] == pytest.approx(certificate.primal, rel=1e-10)
    assert trace.gradient_norm[-1] < 1e-9


@pytest.mark.parametrize("alpha", [0.0, 0.05])
@pytest.mark.parametrize("x", [FEW, MANY, sparse.csr_array(FEW)], ids=["few", "many", "sparse"])
def test_the_objective_falls_to_the_certified_one(x, alpha):
    y = target(x.toarray() if sparse.issparse(x) else x)
    model = QuantileRegressor(quantile=0.3, alpha=alpha).fit(x, y)
    falls(model.trace_, model.certificate_)
    residual = y - model.predict(x)
    loss = np.maximum(0.3 * residual, -0.7 * residual).mean()
    by_hand = loss + alpha * np.abs(model.coef_).sum()
    assert model.trace_.objective[-1] == pytest.approx(by_hand, rel=1e-10)


def test_weights_and_absolute_loss():
    y, weights = target(MANY), rng.uniform(0.5, 2.0, len(MANY))
    model = LADRegressor().fit(MANY, y, sample_weight=weights)
    falls(model.trace_, model.certificate_)
    by_hand = np.average(np.abs(y - model.predict(MANY)), weights=weights)
    assert model.trace_.objective[-1] == pytest.approx(by_hand, rel=1e-10)
    assert len(model.trace_) > 2  # Newton's steps after the sample, then vertices


def test_several_quantiles_follow_one_another():
    y = target(FEW)
    several = QuantileRegressor(quantile=[0.5, 0.1, 0.9], alpha=0.0).fit(FEW, y)
    trace = several.trace_
    assert trace.objective[-1] == pytest.approx(several.certificate_.primal, rel=1e-10)
    assert np.diff(trace.objective[:3]).max() <= 0.0


def test_highs_tells_nothing_and_streams_do():
    y = target(MANY)
    assert QuantileRegressor(alpha=0.0, solver="highs").fit(FEW, target(FEW)).trace_ is None
    batches = [(MANY[i : i + 1000], y[i : i + 1000]) for i in range(0, len(MANY), 1000)]
    model = QuantileRegressor(quantile=0.37, alpha=0.01).fit(lambda: iter(batches))
    falls(model.trace_, model.certificate_)


def test_the_gradient_is_that_of_the_loss():
    """In one column without intercept the slope is a sum one can write down."""
    x, y = MANY[:, :1], target(MANY[:, :1])
    model = QuantileRegressor(quantile=0.5, alpha=0.0, fit_intercept=False).fit(x, y)
    first = model.trace_.objective[0]
    grid = np.linspace(model.coef_[0] - 0.5, model.coef_[0] + 0.5, 2001)
    losses = np.array([0.5 * np.abs(y - w * x[:, 0]).mean() for w in grid])
    assert first <= losses.max()
    assert model.trace_.objective[-1] <= losses.min() + 1e-12
