"""Duals that may go wrong: no margin, no room, indefinite kernels, limits, Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from typing import Any

import numpy as np
import pytest
from dual_problems import (
    FORMS,
    KERNEL,
    METHODS,
    X,
    Y,
    classification,
    nu_classification,
    one_class,
    regression,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.kernels import RBF, Linear
from stylobate.svm import SVC
from stylobate.svm.duals.dual import DualProblem, solve_dual


def test_hard_margins() -> None:
    x = np.array([[-2.0, 0.0], [-1.0, 0.0], [1.0, 0.0], [3.0, 1.0]])
    y = np.array([-1.0, -1.0, 1.0, 1.0])
    problem = classification(y, np.inf)
    problem = DualProblem(
        problem.rows,
        y,
        np.where(y > 0, 0.0, -np.inf),
        np.where(y > 0, np.inf, 0.0),
        problem.group,
        problem.totals,
    )
    found = solve_dual(Linear(), x, problem, tol=1e-9)
    assert found.converged
    np.testing.assert_allclose(found.beta @ x, [1.0, 0.0], atol=1e-8)
    assert found.gap == pytest.approx(0.0, abs=1e-6)
    mixed = np.array([[0.0, 0.0], [1.0, 0.0], [0.4, 0.0], [3.0, 1.0]])
    for method in METHODS:
        apart = solve_dual(Linear(), mixed, problem, method=method)
        assert not apart.converged
        assert "cannot be separated" in apart.reason


@pytest.mark.parametrize("n", [300, 1200])
def test_the_gap_of_a_hard_margin_is_that_of_the_margin_scaled_to_1(n: int) -> None:
    x = np.random.default_rng(0).normal(size=(n, 2))
    x = x[np.abs(x.sum(axis=1)) > 0.2]
    sign = np.where(x.sum(axis=1) > 0, 1.0, -1.0)
    model = SVC(kernel="linear", C=np.inf).fit(x, sign)
    w = np.ravel(model.coef_)
    least = (sign * model.decision_function(x)).min()
    proof = model.certificate_
    assert proof.primal == pytest.approx(0.5 * (w @ w) / least**2, rel=1e-9)
    assert proof.dual == pytest.approx(np.abs(model.dual_coef_).sum() - 0.5 * (w @ w), rel=1e-9)
    assert 0.0 <= proof.relative_gap < 1e-6


def test_totals_that_cannot_be_reached() -> None:
    with pytest.raises(InvalidDataError, match="sum to 200 in group 0"):
        solve_dual(KERNEL, X, one_class(np.ones(160), 1.25))
    few = np.where(np.arange(160) < 3, 1.0, -1.0)
    with pytest.raises(InvalidDataError, match="in group 1"):
        solve_dual(KERNEL, X, nu_classification(few, 0.5))
    with pytest.raises(InvalidParameterError, match="method must be one of"):
        solve_dual(KERNEL, X, FORMS["classification"], method="magic")  # type: ignore[arg-type]
    with pytest.raises(InvalidDataError, match="square"):
        solve_dual("precomputed", X, FORMS["classification"])


@pytest.mark.parametrize("method", METHODS)
def test_degenerate_kernels(method: Any) -> None:
    n = 60
    y = np.where(np.arange(n) % 3 == 0, 1.0, -1.0)
    problem = classification(y)
    apart = solve_dual("precomputed", np.eye(n), problem, tol=1e-8, method=method)
    assert apart.converged
    # κ = 1 for all pairs: w = 0, so the smaller class is bound and so is its weight of the other
    alike = solve_dual("precomputed", np.ones((n, n)), problem, tol=1e-8, method=method)
    assert alike.converged
    assert alike.objective == pytest.approx(2.0 * (y > 0).sum())
    assert alike.gap == pytest.approx(0.0, abs=1e-7)
    twice = np.vstack([X, X])
    same = classification(np.concatenate([Y, -Y]))  # every point has both labels
    mixed = solve_dual(KERNEL, twice, same, tol=1e-6, method=method)
    assert mixed.converged
    assert mixed.objective == pytest.approx(len(same.rows), rel=1e-6)


def test_bounds_that_leave_no_choice() -> None:
    problem = FORMS["classification"]
    fixed = np.where(np.arange(160) < 2, [[0.5], [-0.5]], 0.0)[0] * 0.0
    stuck = DualProblem(problem.rows, problem.target, fixed, fixed, problem.group, problem.totals)
    found = solve_dual(KERNEL, X, stuck)
    assert found.converged
    assert found.gap == pytest.approx(0.0, abs=1e-12)
    assert (found.beta == 0.0).all()


@pytest.mark.parametrize("method", METHODS)
def test_an_indefinite_kernel_is_said(method: Any) -> None:
    matrix = np.tanh(2.0 * X @ X.T - 1.0)
    found = solve_dual("precomputed", matrix, FORMS["classification"], method=method)
    assert "not positive semidefinite" in found.reason
    assert np.isfinite(found.beta).all()


def test_limits_of_iterations() -> None:
    for method in METHODS:
        found = solve_dual(KERNEL, X, FORMS["classification"], max_iter=5, method=method)
        assert not found.converged
        assert "violation" in found.reason


def test_large_c_is_polished_by_newton_steps() -> None:
    x = np.random.default_rng(3).normal(size=(150, 2))
    y = np.where(x[:, 0] * x[:, 1] > 0, 1.0, -1.0)
    found = solve_dual(RBF(gamma=0.05), x, classification(y, 1e6), tol=1e-5)
    assert found.converged
    assert found.gap <= 1e-3 * found.objective


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 12), st.integers(0, 10_000), st.sampled_from([0.01, 1.0, 100.0]))
def test_small_tables_of_any_kind(n: int, seed: int, c: float) -> None:
    generator = np.random.default_rng(seed)
    x = generator.integers(-2, 3, size=(n, 2)).astype(float)
    y = generator.choice([-1.0, 1.0], n)
    for problem in (classification(y, c), regression(x[:, 0] - y, c, 0.1)):
        values = [
            solve_dual(KERNEL, x, problem, tol=1e-7, method=method).objective for method in METHODS
        ]
        np.testing.assert_allclose(values, values[0], rtol=1e-6, atol=1e-8)


def test_ctrl_c_stops_a_long_search(slowness) -> None:
    script = """
        import os, signal, sys, threading, time
        import numpy as np
        from stylobate.kernels import RBF
        from stylobate.svm.duals.dual import DualProblem, solve_dual

        x = np.random.default_rng(0).normal(size=(1200, 3))
        y = np.where(np.random.default_rng(1).random(1200) > 0.5, 1.0, -1.0)
        sent = []
        def interrupt():
            time.sleep(0.3)
            sent.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=interrupt).start()
        try:
            ends = 1e9 * y
            problem = DualProblem(
                np.arange(1200), y, np.minimum(0, ends), np.maximum(0, ends),
                np.zeros(1200, dtype=np.uint8), np.zeros(1),
            )
            solve_dual(RBF(gamma=0.001), x, problem, tol=1e-13, method=sys.argv[1])
            print("done")
        except KeyboardInterrupt:
            print(time.perf_counter() - sent[0])
    """
    for method in ("smo",):
        ran = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(script), method],
            capture_output=True,
            text=True,
            timeout=60,
            env=os.environ,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        assert ran.stdout, ran.stderr
        assert float(ran.stdout) < 2.0 * slowness()


@pytest.mark.parametrize("n", [40, 2100])
def test_negative_curvature_that_no_pair_meets_is_seen(n: int) -> None:
    # K = I − 1.5 vvᵀ/‖v‖²: every pair has a positive curvature, the direction v has not
    v = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    matrix = np.eye(n) - 1.5 * np.outer(v, v) / n
    y = v * np.where(np.arange(n) % 4 < 2, 1.0, -1.0)
    diagonal = np.diagonal(matrix)
    assert (diagonal[:, None] + diagonal - 2 * matrix)[~np.eye(n, dtype=bool)].min() > 0.0
    with pytest.warns(UserWarning, match="not positive semidefinite"):
        proof = SVC(kernel="precomputed").fit(matrix, y).certificate_
    assert not proof.optimal
    assert "Not certified" in proof.verdict
