"""What coordinate descent tells of its epochs: the objective falls to the one that is certified."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from stylobate.linear_model import ElasticNet, Lasso

rng = np.random.default_rng(0)
TALL, WIDE = rng.normal(size=(200, 30)), rng.normal(size=(60, 500))
SPARSE = sparse.random_array((60, 500), density=0.05, rng=rng, format="csr")


def objective(model, x, y, share):
    """Mean of halved squares, and the penalty: the formula of the documentation."""
    residual = y - model.predict(x)
    size = share * np.abs(model.coef_).sum() + (1 - share) / 2 * (model.coef_**2).sum()
    return residual @ residual / (2 * len(y)) + model.alpha * size


@pytest.mark.parametrize("x", [TALL, WIDE, SPARSE], ids=["gram", "rows", "sparse"])
@pytest.mark.parametrize(("kind", "share"), [(Lasso, 1.0), (ElasticNet, 0.5)])
def test_the_objective_falls_to_the_certified_one(kind, share, x):
    y = x[:, :5].sum(axis=1) + rng.normal(size=x.shape[0])
    model = kind(0.02).fit(x, y)
    trace = model.trace_
    assert len(trace) > model.n_iter_ or len(trace) >= 2
    assert np.diff(trace.objective).max() < 1e-12  # no epoch makes it worse
    assert np.diff(trace.seconds).min() >= 0.0
    assert trace.objective[-1] == pytest.approx(objective(model, x, y, share), rel=1e-10)
    assert trace.objective[-1] == pytest.approx(model.certificate_.primal, rel=1e-12)
    assert trace.gradient_norm[-1] == pytest.approx(model.certificate_.kkt, abs=1e-12)


def test_the_epochs_of_a_fit_stopped_early_are_all_told():
    y = TALL[:, :5].sum(axis=1)
    with pytest.warns(UserWarning, match="gap"):
        model = Lasso(1e-3, max_iter=2, tol=1e-12).fit(TALL, y)
    assert len(model.trace_) >= 2
