"""The dual of support vector machines against interior points, LIBSVM, and its own laws."""

from __future__ import annotations

import resource
from typing import Any, cast

import numpy as np
import pytest
import sklearn.svm
from dual_problems import (
    FORMS,
    KERNEL,
    METHODS,
    TARGET,
    X,
    Y,
    clarabel_value,
    classification,
    every_form,
    plain_gap,
    regression,
)
from scipy import sparse

from stylobate import _core
from stylobate.kernels import RBF, Kernel, Laplacian, Linear, Polynomial
from stylobate.parallel import threads
from stylobate.svm.duals.dual import solve_dual
from stylobate.svm.duals.duality import feasible_start, optimality
from stylobate.svm.duals.pair_solver import descend_pairs


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("method", METHODS)
def test_every_form_reaches_the_interior_points_optimum(form: str, method: Any) -> None:
    matrix, problem = KERNEL(X), FORMS[form]
    found = solve_dual(KERNEL, X, problem, tol=1e-7, method=method)
    assert found.converged
    assert found.violation <= 1e-7
    dual, gap = plain_gap(matrix, problem, found)
    assert found.objective == pytest.approx(dual, abs=1e-9 * max(1.0, abs(dual)))
    assert found.gap == pytest.approx(gap, abs=1e-8 * max(1.0, abs(dual)))
    assert dual == pytest.approx(clarabel_value(matrix, problem), rel=1e-6, abs=1e-6)
    assert (found.beta >= problem.lower).all()
    assert (found.beta <= problem.upper).all()
    sums = np.bincount(problem.group, weights=found.beta, minlength=len(problem.totals))
    np.testing.assert_allclose(sums, problem.totals, atol=1e-10)
    by_row = np.bincount(problem.rows, weights=found.beta, minlength=len(X))
    np.testing.assert_allclose(found.scores, matrix @ by_row, atol=2e-5)


@pytest.mark.parametrize("form", ["classification", "regression", "nu_classification"])
@pytest.mark.parametrize("single", [False, True])
def test_pairs_that_shrink_end_at_the_optimum_of_all_variables(form: str, single: bool) -> None:
    n = 1200  # more variables than shrinking begins with, most of them at their bounds
    generator = np.random.default_rng(5)
    rows = generator.standard_normal((n, 4))
    target = np.sin(rows[:, 0]) + 0.1 * generator.standard_normal(n)
    problem = every_form(np.where(target > 0, 1.0, -1.0), target)[form]
    matrix = RBF(gamma=0.3)(rows)
    matrix = (matrix.astype(np.float32) if single else matrix).copy()
    beta = feasible_start(problem)
    residual = problem.target - (matrix @ problem.by_row(beta, n))[problem.rows]
    went = descend_pairs(matrix, np.ones(n), problem, beta, residual, 1e-4, -1)
    assert went.end == 0
    exact = problem.target - (matrix.astype(float) @ problem.by_row(beta, n))[problem.rows]
    np.testing.assert_allclose(residual, exact, atol=1e-9)
    found = optimality(problem, beta, exact)
    assert found.violation == pytest.approx(went.violation, abs=1e-9)
    assert found.violation <= 1e-4
    assert found.gap <= 1e-4 * max(abs(found.objective), 1.0)
    again = np.where(np.arange(problem.size) % 2, beta, 0.0)  # limits hold inside of a part too
    start = feasible_start(problem, again)
    left = problem.target - (matrix.astype(float) @ problem.by_row(start, n))[problem.rows]
    assert descend_pairs(matrix, np.ones(n), problem, start, left, 1e-12, 77).iterations == 77


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_products_of_sparse_rows_through_lists_of_columns(index: Any) -> None:
    table = sparse.random_array((333, 50), density=0.07, rng=3, format="csr")
    table = sparse.vstack([table, sparse.csr_array((1, 50))]).tocsr()  # a row without entries
    offsets, places = table.indptr.astype(index), table.indices.astype(index)
    found = []
    for count in (1, 7):
        out = np.full((334, 334), np.nan, dtype=np.float32)
        with threads(count):
            _core.sparse_gram(table.data, places, offsets, 50, out)
        found.append(out)
    np.testing.assert_allclose(found[0], (table @ table.T).toarray(), rtol=1e-7, atol=1e-12)
    assert np.array_equal(found[0], found[1])


def test_machines_of_libsvm() -> None:
    model = sklearn.svm.SVC(gamma=0.3, tol=1e-10).fit(X, Y)
    found = solve_dual(KERNEL, X, FORMS["classification"], tol=1e-10)
    np.testing.assert_allclose(found.offsets, model.intercept_, atol=1e-6)
    np.testing.assert_allclose(found.beta[model.support_], model.dual_coef_[0], atol=1e-5)  # floats
    assert np.array_equal(np.flatnonzero(found.beta), np.sort(model.support_))
    novelty = sklearn.svm.OneClassSVM(gamma=0.3, nu=0.3, tol=1e-10).fit(X)
    found = solve_dual(KERNEL, X, FORMS["one_class"], tol=1e-10)
    np.testing.assert_allclose(-found.offsets, novelty.offset_, atol=1e-6)
    curve = sklearn.svm.SVR(gamma=0.3, tol=1e-10).fit(X, TARGET)
    found = solve_dual(KERNEL, X, FORMS["regression"], tol=1e-10)
    np.testing.assert_allclose(found.scores + found.offsets, curve.predict(X), atol=1e-5)


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(degree=3, gamma=0.3, coef0=1.0), KERNEL])
def test_kernels_and_containers_agree(kernel: Kernel) -> None:
    problem = FORMS["classification"]
    wanted = solve_dual("precomputed", kernel(X), problem, tol=1e-8)
    for points in (X, sparse.csr_array(X), np.asfortranarray(X)):
        for method in METHODS:
            found = solve_dual(kernel, points, problem, tol=1e-6, method=method)
            assert found.converged
            assert found.objective == pytest.approx(wanted.objective, rel=1e-6)


def test_a_kernel_without_tiles() -> None:
    def likeness(x: Any, y: Any) -> float:
        return float(np.exp(-np.abs(x - y).sum()))

    few = X[:50]
    problem = regression(TARGET[:50])
    wanted = solve_dual(Laplacian(gamma=1.0), few, problem, tol=1e-7)
    for memory, method in ((200.0, "smo"), (0.01, "smo"), (200.0, "block")):
        found = solve_dual(
            likeness, few, problem, tol=1e-7, cache_size=memory, method=cast(Any, method)
        )
        assert found.objective == pytest.approx(wanted.objective, rel=1e-8)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("form", ["classification", "regression", "nu_classification"])
def test_any_memory_gives_the_same_answer(method: Any, form: str) -> None:
    wanted = solve_dual(KERNEL, X, FORMS[form], tol=1e-5)
    for memory in (0.01, 0.1) if method == "smo" else (1e-6, 0.01, 0.1):
        found = solve_dual(KERNEL, X, FORMS[form], tol=1e-5, method=method, cache_size=memory)
        assert found.converged
        assert found.objective == pytest.approx(wanted.objective, rel=1e-5)


@pytest.mark.parametrize("method", ["block", "newton"])
def test_same_bits_for_any_number_of_threads(method: Any) -> None:
    x = np.random.default_rng(1).normal(size=(1500, 6))
    y = np.where(np.sin(x[:, 0]) + x[:, 1] > 0.3, 1.0, -1.0)
    found = []
    for count in (1, 2, 7):
        with threads(count):
            found.append(solve_dual(RBF(gamma=0.2), x, classification(y), method=method))
    for other in found[1:]:
        assert np.array_equal(found[0].beta, other.beta)
        assert np.array_equal(found[0].scores, other.scores)
        assert found[0].gap == other.gap


def test_default_tolerance_gives_a_small_true_gap() -> None:
    x = np.random.default_rng(2).normal(size=(3500, 10))
    y = np.where((x[:, :2] ** 2).sum(axis=1) > 1.5, 1.0, -1.0)
    problem = classification(y)
    kernel = RBF(gamma=0.1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = solve_dual(kernel, x, problem, cache_size=30.0)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1e3
    assert grown < 90.0
    dual, gap = plain_gap(kernel(x), problem, found)
    assert found.gap == pytest.approx(gap, abs=1e-9 * dual)
    assert gap <= 1e-6 * dual


def test_a_start_saves_work() -> None:
    problem = FORMS["classification"]
    cold = solve_dual(KERNEL, X, problem, tol=1e-6)
    warm = solve_dual(KERNEL, X, problem, tol=1e-6, start=cold.beta)
    assert warm.n_iter < cold.n_iter / 5
    assert warm.objective == pytest.approx(cold.objective, rel=1e-9)
