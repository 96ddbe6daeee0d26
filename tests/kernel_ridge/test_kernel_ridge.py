"""Kernel ridge against scikit-learn, closed forms, and what its certificate claims."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.kernel_ridge import KernelRidge as Reference

from stylobate import _core, set_threads
from stylobate.exceptions import (
    ConvergenceWarning,
    InvalidDataError,
    InvalidParameterError,
    StylobateWarning,
)
from stylobate.kernel_ridge import KernelRidge
from stylobate.kernels import RBF, Linear
from stylobate.optimize.blocked_cholesky import upper_factor

KERNELS = [
    {"kernel": "linear"},
    {"kernel": "rbf"},
    {"kernel": "poly", "degree": 2, "coef0": 0.5},
    {"kernel": "polynomial", "gamma": 0.2},
    {"kernel": "laplacian", "gamma": 0.3},
    {"kernel": "cosine"},
    {"kernel": "sigmoid", "gamma": 0.01},
    {"kernel": lambda x, y, power: np.dot(x, y) ** power, "kernel_params": {"power": 2}},
]


@pytest.mark.parametrize("solver", ["cholesky", "cg"])
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: str(k["kernel"])[:10])
def test_the_answers_of_scikit_learn(rows, targets, weights, kernel, solver):
    new = rows[:20] + 0.1
    for y, w in ((targets[:, 0], None), (targets, weights)):
        want = Reference(alpha=0.4, **kernel).fit(rows, y, w)
        model = KernelRidge(alpha=0.4, solver=solver, tol=1e-11, **kernel).fit(rows, y, w)
        assert model.dual_coef_.shape == want.dual_coef_.shape
        assert_allclose(model.predict(new), want.predict(new), atol=1e-8)
        assert_allclose(model.dual_coef_, want.dual_coef_, atol=1e-6)


@pytest.mark.filterwarnings("ignore:KernelRidge. the kernel is not pos")  # additive_chi2
@pytest.mark.parametrize("kernel", ["chi2", "additive_chi2"])
def test_kernels_of_counts(rows, targets, kernel):
    counts = np.abs(rows)
    model = KernelRidge(kernel=kernel, alpha=1.0).fit(counts, targets)
    gram = KernelRidge(kernel="precomputed").fit(model._request.matrix(counts), targets)
    assert_allclose(model.dual_coef_, gram.dual_coef_, atol=1e-10)


@pytest.mark.parametrize("solver", ["cholesky", "cg"])
def test_a_penalty_for_each_target(rows, targets, solver):
    alpha = [0.1, 3.0]
    model = KernelRidge(alpha, kernel="rbf", solver=solver, tol=1e-11).fit(rows, targets)
    want = Reference(alpha, kernel="rbf").fit(rows, targets)
    assert_allclose(model.dual_coef_, want.dual_coef_, atol=1e-8)
    with pytest.raises(InvalidParameterError, match="do not correspond"):
        KernelRidge([0.1, 1.0, 2.0]).fit(rows, targets)


@pytest.mark.parametrize("container", [sparse.csr_array, sparse.csc_matrix])
@pytest.mark.parametrize("solver", ["cholesky", "cg"])
def test_sparse_rows_give_the_answers_of_dense_ones(rows, targets, container, solver):
    thin = np.where(rows > 0.5, rows, 0.0)
    one = KernelRidge(kernel="rbf", solver=solver).fit(thin, targets)
    other = KernelRidge(kernel="rbf", solver=solver).fit(container(thin), targets)
    assert_allclose(other.predict(container(thin)), one.predict(thin), atol=1e-6)


def test_kernels_as_values_and_given_matrices(rows, targets, weights):
    kernel = RBF(gamma=0.2) + 0.5 * Linear()
    gram = kernel(rows)
    before = gram.copy()
    for solver in ("cholesky", "cg"):
        value = KernelRidge(0.1, kernel=kernel, solver=solver, tol=1e-12)
        given = KernelRidge(0.1, kernel="precomputed", solver=solver, tol=1e-12)
        value.fit(rows, targets, weights)
        given.fit(gram, targets, weights)
        assert_allclose(value.dual_coef_, given.dual_coef_, atol=1e-8)
        assert_allclose(given.predict(gram[:5]), value.predict(rows[:5]), atol=1e-8)
        assert value.certificate_.proved
        assert not given.certificate_.proved
        assert "if the kernel is positive" in given.certificate_.verdict
    assert (gram == before).all()


def test_the_certificate_is_what_the_data_say(rows, targets, weights):
    """Gap, residual and bounds from their definitions, at an answer that is far from the best."""
    alpha, w = 0.3, weights[:, None]
    gram, best = RBF(gamma=0.5)(rows), Reference(alpha, kernel="rbf", gamma=0.5)
    best.fit(rows, targets, weights)
    model = KernelRidge(alpha, kernel="rbf", gamma=0.5, solver="cg", max_iter=2, tol=1e-9)
    with pytest.warns(ConvergenceWarning, match="Raise max_iter"):
        model.fit(rows, targets, weights)

    def objective(a):
        return float((w * (targets - gram @ a) ** 2).sum() + alpha * (a * (gram @ a)).sum())

    proof = model.certificate_
    assert_allclose(proof.primal, objective(model.dual_coef_), rtol=1e-9)
    assert proof.dual <= objective(best.dual_coef_) <= proof.primal
    assert objective(model.dual_coef_) - objective(best.dual_coef_) <= proof.gap
    new = np.random.default_rng(3).normal(size=(500, 4))
    assert np.abs(model.predict(new) - best.predict(new)).max() <= proof.prediction_error
    positive = weights > 0
    apart = (model.dual_coef_ - best.dual_coef_)[positive] / np.sqrt(w[positive])
    assert np.linalg.norm(apart, axis=0).max() <= proof.coefficient_error
    assert proof.to_dict()["verdict"].startswith("Not optimal")


def test_singular_systems_get_the_shortest_solution(rows, targets):
    twice = np.vstack([rows[:20], rows[:20]])
    y = np.concatenate([targets[:20, 0], targets[:20, 0] + 1.0])
    with pytest.warns(StylobateWarning, match="Singular matrix in solving dual problem"):
        model = KernelRidge(0.0, kernel="rbf", gamma=5.0).fit(twice, y)
    want = np.linalg.pinv(RBF(gamma=5.0)(twice), rcond=1e-12) @ y
    assert_allclose(model.dual_coef_, want, atol=1e-6)
    assert_allclose(model.predict(rows[:20]), targets[:20, 0] + 0.5, atol=1e-6)


def test_indefinite_kernels_are_solved_too(rows, targets):
    gram = rows @ rows.T - 2.0 * np.eye(len(rows))
    with pytest.warns(StylobateWarning, match="not positive semidefinite"):
        model = KernelRidge(1.0, kernel="precomputed").fit(gram, targets)
    assert_allclose(gram @ model.dual_coef_ + model.dual_coef_, targets, atol=1e-8)


@pytest.mark.parametrize("solver", ["cholesky", "cg"])
def test_the_same_bits_with_any_number_of_threads(solver):
    x = np.random.default_rng(5).normal(size=(300, 3))
    answers = []
    for count in (1, 2, 7):
        set_threads(count)
        try:
            model = KernelRidge(0.1, kernel="rbf", solver=solver).fit(x, x[:, 0])
            answers.append(model.dual_coef_.tobytes())
        finally:
            set_threads(None)
    assert len(set(answers)) == 1


def test_auto_says_why(rows, targets, monkeypatch):
    assert KernelRidge(kernel="rbf").fit(rows, targets).solver_ == "cholesky"
    from stylobate.kernel_ridge import kernel_ridge

    monkeypatch.setattr(kernel_ridge, "EXACT_ROWS", 50)
    many = KernelRidge(kernel="rbf").fit(rows, targets)
    assert many.solver_ == "cg"
    assert "too large" in many.solver_reason_
    assert len(many.residuals_) == many.n_iter_ + 1
    function = KernelRidge(kernel=lambda x, y: float(x @ y)).fit(rows[:60], targets[:60])
    assert function.solver_ == "cholesky"


def test_refusals(rows, targets):
    with pytest.raises(InvalidDataError, match="Precomputed"):
        KernelRidge(kernel="precomputed").fit(rows, targets)
    with pytest.raises(InvalidDataError, match="zero everywhere"):
        KernelRidge().fit(rows, targets, np.zeros(len(rows)))
    with pytest.raises(InvalidParameterError, match="alpha"):
        KernelRidge(alpha=-1.0).fit(rows, targets)
    with pytest.raises(InvalidParameterError, match="kernel_params"):
        KernelRidge(kernel=RBF(), kernel_params={"gamma": 1}).fit(rows, targets)


def test_one_row_constant_columns_and_single_precision(rows, targets):
    assert_allclose(KernelRidge(1.0, kernel="rbf").fit([[2.0]], [3.0]).predict([[2.0]]), [1.5])
    flat = np.ones((10, 2))
    for solver in ("cholesky", "cg"):
        model = KernelRidge(1.0, kernel="rbf", solver=solver).fit(flat, np.arange(10.0))
        assert_allclose(model.predict(flat), np.full(10, 45.0 / 11.0), rtol=1e-5)
        zeros = KernelRidge(1.0, solver=solver).fit(rows, np.zeros(len(rows)))
        assert (zeros.dual_coef_ == 0.0).all()
    single = KernelRidge(kernel="rbf").fit(rows.astype(np.float32), targets)
    double = KernelRidge(kernel="rbf").fit(rows, targets)
    assert_allclose(single.predict(rows[:5]), double.predict(rows[:5]), atol=1e-4)


@settings(max_examples=25, deadline=None)
@given(
    st.integers(1, 30),
    st.integers(1, 4),
    st.floats(1e-6, 1e6),
    st.sampled_from(["linear", "rbf", "poly"]),
    st.integers(0, 2**31),
)
def test_any_table_solves_its_equations(n, p, alpha, kernel, seed):
    draw = np.random.default_rng(seed)
    x = draw.integers(-2, 3, size=(n, p)) * 0.5  # with duplicates
    y = draw.normal(size=n)
    for solver in ("cholesky", "cg"):
        model = KernelRidge(alpha, kernel=kernel, solver=solver).fit(x, y)
        left = y - model.predict(x) - alpha * model.dual_coef_
        assert np.linalg.norm(left) <= 2e-6 * np.linalg.norm(y)
        assert model.certificate_.relative_residual <= 2e-6


def test_the_matrix_of_a_kernel_is_written_whole_and_symmetric():
    """Panels, chunks and what is past the caches, at sizes that fill none of them evenly."""
    draw = np.random.default_rng(9)
    for n in (1, 5, 97, 401, 1503):
        x = draw.normal(size=(n, 3))
        squares = ((x[:, None, :] - x[None, :, :]) ** 2).sum(axis=2) if n < 500 else None
        found = RBF(gamma=0.3)(x)
        assert (found == found.T).all()
        if squares is not None:
            assert_allclose(found, np.exp(-0.3 * squares), rtol=1e-13)
        else:
            pairs = _core.Pairs.dense(x, x, "squared", 2.0, None)
            whole = np.empty((n, n))
            pairs.write(whole, "exponential", -0.3, 0.0, 1.0, False)
            assert_allclose(found, whole, rtol=1e-13)


def test_given_matrices_that_are_no_kernels_are_told():
    from scipy.sparse import csr_array

    rng = np.random.default_rng(0)
    x = rng.normal(size=(30, 2))
    gram, y = x @ x.T, x[:, 0]
    gram[3, 5] += 1.0
    for matrix in (gram, csr_array(gram)):
        with pytest.raises(InvalidDataError, match=r"not symmetric: entry \((3, 5|5, 3)\)"):
            KernelRidge(kernel="precomputed").fit(matrix, y)
    indefinite = np.tanh(2.0 * x @ x.T - 1.0)
    least = np.linalg.eigvalsh(indefinite).min() + 0.1
    with pytest.warns(StylobateWarning, match=f"not positive semidefinite.*eigenvalue {least:.3g}"):
        model = KernelRidge(alpha=0.1, kernel="precomputed").fit(indefinite, y)
    np.testing.assert_allclose(
        model.dual_coef_, np.linalg.solve(indefinite + 0.1 * np.eye(30), y), rtol=1e-8
    )
    assert not model.certificate_.optimal


@pytest.mark.parametrize("n", [500, 700, 1100])
def test_many_rows_are_solved_exactly(n):
    """Beyond 512 rows the factor is made by blocks."""
    rng = np.random.default_rng(n)
    x, y = rng.normal(size=(n, 8)), rng.normal(size=(n, 2))
    model = KernelRidge(alpha=[0.5, 2.0], kernel="rbf", gamma=0.1).fit(x, y)
    squares = (x**2).sum(axis=1)
    kernel = np.exp(-0.1 * (squares[:, None] + squares - 2.0 * x @ x.T))
    for t, alpha in enumerate((0.5, 2.0)):
        expected = np.linalg.solve(kernel + alpha * np.eye(n), y[:, t])
        np.testing.assert_allclose(model.dual_coef_[:, t], expected, atol=1e-10)
    assert model.certificate_.relative_residual < 1e-12


def test_a_factor_that_does_not_solve_is_told(rows, targets, monkeypatch):
    """Whatever spoils a factor, the residual on the rows shows it."""

    def spoiled(a, shift=0.0, *, overwrite=False):
        factor = upper_factor(a, shift, overwrite=overwrite)
        factor[0] *= 1.01
        return factor

    monkeypatch.setattr("stylobate.kernel_ridge.cholesky.upper_factor", spoiled)
    with pytest.warns(StylobateWarning, match="leaves residuals of more than 1e-06"):
        model = KernelRidge(kernel="rbf").fit(rows, targets)
    assert model.certificate_.relative_residual > 1e-6
