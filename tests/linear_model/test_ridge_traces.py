"""Conjugate gradients tell the objective of every step, which falls to the certified one."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from stylobate.linear_model import Ridge

rng = np.random.default_rng(0)
DENSE = rng.normal(size=(120, 15)) * np.logspace(0, 2, 15) + 3.0
SPARSE = sparse.random_array((120, 40), density=0.2, rng=rng, format="csr")


@pytest.mark.parametrize("targets", [1, 3])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("x", [DENSE, SPARSE], ids=["dense", "sparse"])
def test_the_objective_falls_to_the_certified_one(x, weighted, targets):
    y = np.squeeze(x[:, :3].sum(axis=1)[:, None] + rng.normal(size=(120, targets)))
    weights = rng.uniform(0.5, 2.0, 120) if weighted else None
    model = Ridge(0.7, solver="sparse_cg", tol=1e-10).fit(x, y, sample_weight=weights)
    objective = np.array(model.trace_.objective)
    assert np.diff(objective).max() <= 1e-9 * objective[0]
    assert objective[-1] == pytest.approx(model.certificate_.primal, rel=1e-8)
    residual = (y - model.predict(x)).reshape(120, -1)
    shares = np.ones((120, 1)) if weights is None else weights[:, None]
    by_hand = (shares * residual**2).sum() + 0.7 * (model.coef_**2).sum()
    assert objective[-1] == pytest.approx(by_hand, rel=1e-8)
