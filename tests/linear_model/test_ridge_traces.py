"""Krylov methods tell the objective of every step, which falls to the certified one."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.linalg import aslinearoperator, lsqr

from stylobate.linear_model import LinearRegression, Ridge
from stylobate.optimize.least_squares.bidiagonal import bidiagonalise
from stylobate.optimize.trace import Trace

rng = np.random.default_rng(0)
DENSE = rng.normal(size=(120, 15)) * np.logspace(0, 2, 15) + 3.0
SPARSE = sparse.random_array((120, 40), density=0.2, rng=rng, format="csr")


@pytest.mark.parametrize("solver", ["sparse_cg", "lsqr"])
@pytest.mark.parametrize("targets", [1, 3])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("x", [DENSE, SPARSE], ids=["dense", "sparse"])
def test_the_objective_falls_to_the_certified_one(x, weighted, targets, solver):
    y = np.squeeze(x[:, :3].sum(axis=1)[:, None] + rng.normal(size=(120, targets)))
    weights = rng.uniform(0.5, 2.0, 120) if weighted else None
    model = Ridge(0.7, solver=solver, tol=1e-10).fit(x, y, sample_weight=weights)
    objective = np.array(model.trace_.objective)
    assert np.diff(objective).max() <= 1e-9 * objective[0]
    assert objective[-1] == pytest.approx(model.certificate_.primal, rel=1e-8)
    residual = (y - model.predict(x)).reshape(120, -1)
    shares = np.ones((120, 1)) if weights is None else weights[:, None]
    by_hand = (shares * residual**2).sum() + 0.7 * (model.coef_**2).sum()
    assert objective[-1] == pytest.approx(by_hand, rel=1e-8)


@pytest.mark.parametrize("x", [DENSE, SPARSE], ids=["dense", "sparse"])
def test_lsqr_is_that_of_scipy(x):
    """The same recurrences: the steps, the answer and the condition number of SciPy's `lsqr`."""
    y = x[:, :3].sum(axis=1) + rng.normal(size=120)
    operator, trace = aslinearoperator(x), Trace()
    for tol in (1e-2, 1e-6, 1e-12):
        theirs = lsqr(operator, y, atol=tol, btol=tol, iter_lim=400)
        ours = bidiagonalise(operator, y, tol=tol, limit=400, trace=trace)
        assert abs(ours.iterations - theirs[2]) <= 1
        np.testing.assert_allclose(ours.x, theirs[0], rtol=10 * tol, atol=10 * tol)
        assert ours.condition == pytest.approx(theirs[6], rel=0.1)
        assert ours.objective == pytest.approx(theirs[3] ** 2, rel=1e-6)
    residual = y - x @ ours.x
    assert ours.objective == pytest.approx(residual @ residual, rel=1e-9)
    assert trace.gradient_norm[-1] == pytest.approx(np.linalg.norm(x.T @ residual), abs=1e-6)


def test_nothing_to_find():
    found = bidiagonalise(aslinearoperator(DENSE), np.zeros(120), tol=0.1, limit=9, trace=Trace())
    assert found.converged
    assert not found.x.any()


def test_stopped_early_is_told():
    with pytest.warns(UserWarning, match="lsqr"):
        model = LinearRegression(solver="lsqr", max_iter=2).fit(DENSE, DENSE.sum(axis=1))
    assert len(model.trace_) == model.n_iter_ == 2
