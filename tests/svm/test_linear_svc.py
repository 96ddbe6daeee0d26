"""LinearSVC against scikit-learn's LIBLINEAR, a conic solver, formulas and itself."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.svm import LinearSVC as Peer

import stylobate
from stylobate.exceptions import ConvergenceWarning, InvalidDataError, InvalidParameterError
from stylobate.optimize.conic.quadratic import quadratic_program
from stylobate.svm import LinearSVC, l1_min_c

RANDOM = np.random.default_rng(7)
X = RANDOM.standard_normal((150, 6))
Y = np.where(X @ RANDOM.standard_normal(6) + 0.7 * RANDOM.standard_normal(150) > 0, "b", "a")
WEIGHTS = RANDOM.uniform(0.0, 2.0, 150) * (RANDOM.uniform(size=150) > 0.1)
THREE = np.digitize(X[:, 0] + 0.5 * RANDOM.standard_normal(150), [-0.5, 0.5])
LOSSES = ("squared_hinge", "hinge")


def objective(
    x: Any, signs: Any, w: Any, b: float, loss: str, c: Any = 1.0, s: float = 1.0
) -> float:
    short = np.maximum(0.0, 1.0 - signs * (x @ w + b))
    losses = short if loss == "hinge" else short**2
    return 0.5 * float(w @ w) + 0.5 * (b / s) ** 2 + float((c * losses).sum())


def tight(**options: Any) -> Peer:
    return Peer(tol=1e-12, max_iter=100_000, random_state=0, **options)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("C", [1e-3, 1.0, 30.0])
def test_objective_is_no_larger_than_liblinear_s(loss: str, C: float) -> None:
    signs = np.where(Y == "b", 1.0, -1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = tight(loss=loss, C=C, intercept_scaling=2.0).fit(X, Y, WEIGHTS)
    ours = LinearSVC(loss=loss, C=C, intercept_scaling=2.0).fit(X, Y, WEIGHTS)
    values = [
        objective(X, signs, m.coef_[0], float(m.intercept_[0]), loss, C * WEIGHTS, 2.0)
        for m in (ours, peer)
    ]
    assert values[0] <= values[1] * (1 + 1e-9)
    assert ours.certificate_.primal == pytest.approx(values[0], rel=1e-12)
    assert ours.certificate_.dual <= min(values) * (1 + 1e-12)
    assert ours.certificate_.relative_gap <= 1e-8
    if loss == "squared_hinge":  # LIBLINEAR's hinge stalls far from the optimum
        np.testing.assert_allclose(ours.coef_, peer.coef_, atol=1e-6)
        np.testing.assert_allclose(ours.intercept_, peer.intercept_, atol=1e-6)


@pytest.mark.parametrize("loss", LOSSES)
def test_many_classes_with_class_weights(loss: str) -> None:
    factors = {0: 2.0, 1: 0.5, 2: 3.0}
    ours = LinearSVC(loss=loss, class_weight=factors, C=0.5).fit(X, THREE, WEIGHTS)
    assert ours.coef_.shape == (3, 6)
    assert ours.intercept_.shape == (3,)
    total = 0.0
    for k in range(3):  # only the class itself has its factor, as in LIBLINEAR
        signs = np.where(k == THREE, 1.0, -1.0)
        c = 0.5 * WEIGHTS * np.where(k == THREE, factors[k], 1.0)
        total += objective(X, signs, ours.coef_[k], ours.intercept_[k], loss, c)
    assert ours.certificate_.primal == pytest.approx(total, rel=1e-10)
    assert ours.certificate_.relative_gap <= 1e-8
    if loss == "squared_hinge":
        peer = tight(class_weight=factors, C=0.5).fit(X, THREE, WEIGHTS)
        np.testing.assert_allclose(ours.coef_, peer.coef_, atol=1e-6)
    balanced = LinearSVC(class_weight="balanced").fit(X, THREE)
    peer = tight(class_weight="balanced").fit(X, THREE)
    np.testing.assert_allclose(balanced.coef_, peer.coef_, atol=1e-6)


@pytest.mark.parametrize("loss", LOSSES)
def test_solvers_agree(loss: str) -> None:
    by = {
        name: LinearSVC(loss=loss, solver=name, random_state=0).fit(X, Y)
        for name in ("newton", "dual", "pegasos")
    }
    best = by["newton"].certificate_
    for name, within in (("newton", 1e-9), ("dual", 1e-6), ("pegasos", 0.002)):
        proof = by[name].certificate_
        assert best.dual * (1 - 1e-12) <= proof.primal <= best.primal * (1 + within)
        assert proof.dual <= best.primal * (1 + 1e-12)
    assert by["dual"].certificate_.relative_gap <= 1e-6


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("solver", ["newton", "dual"])
def test_sparse_and_single_precision(loss: str, solver: str) -> None:
    model = LinearSVC(loss=loss, solver=solver, random_state=0, tol=1e-7)
    dense = model.fit(X, Y, WEIGHTS).coef_.copy()
    for kind in (sp.csr_array(X), sp.csc_matrix(X), np.asfortranarray(X)):
        np.testing.assert_allclose(model.fit(kind, Y, WEIGHTS).coef_, dense, atol=1e-4)
    np.testing.assert_allclose(model.fit(X.astype("f4"), Y, WEIGHTS).coef_, dense, atol=1e-4)


def test_clarabel_agrees() -> None:
    """(w, b, ξ) with ξᵢ ≥ 1 − yᵢ(xᵢw + b), ξᵢ ≥ 0, by a program's solver."""
    signs, n = np.where(Y == "b", 1.0, -1.0), len(Y)
    constraint = np.hstack([-signs[:, None] * X, -signs[:, None], -np.eye(n)])
    bounds = np.array([(-np.inf, np.inf)] * 7 + [(0.0, np.inf)] * n)
    for loss, linear, square in (("hinge", 3.0, 0.0), ("squared_hinge", 0.0, 6.0)):
        found = quadratic_program(
            np.diag(np.append(np.ones(7), np.full(n, square))),
            np.append(np.zeros(7), np.full(n, linear)),
            constraint,
            -np.ones(n),
            bounds=bounds,
        )
        ours = LinearSVC(loss=loss, C=3.0).fit(X, Y)
        assert ours.certificate_.primal == pytest.approx(found.value, rel=1e-7)
        assert found.x is not None
        np.testing.assert_allclose(ours.coef_[0], found.x[:6], atol=1e-4)


def test_rows_of_zero_weight_are_no_rows() -> None:
    kept = WEIGHTS > 0
    for loss in LOSSES:
        every = LinearSVC(loss=loss).fit(X, Y, WEIGHTS)
        some = LinearSVC(loss=loss).fit(X[kept], Y[kept], WEIGHTS[kept])
        np.testing.assert_allclose(every.coef_, some.coef_, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("C", [0.02, 0.5])
def test_l1_penalty(C: float) -> None:
    ours = LinearSVC(penalty="l1", C=C).fit(X, Y)
    peer = Peer(penalty="l1", C=C, tol=1e-10, max_iter=100_000, random_state=0).fit(X, Y)
    np.testing.assert_allclose(ours.coef_, peer.coef_, atol=1e-5)
    np.testing.assert_allclose(ours.intercept_, peer.intercept_, atol=1e-5)
    assert ours.certificate_.relative_gap <= 1e-6
    sparse = LinearSVC(penalty="l1", C=C).fit(sp.csr_array(X), Y)
    np.testing.assert_allclose(sparse.coef_, ours.coef_, atol=1e-6)


def test_l1_min_c_is_where_coefficients_appear() -> None:
    for y in (Y, THREE):
        least = l1_min_c(X, y)
        assert not LinearSVC(penalty="l1", C=0.99 * least).fit(X, y).coef_.any()
        above = LinearSVC(penalty="l1", C=1.05 * least).fit(X, y)
        assert above.coef_.any() or above.intercept_.any()
    with pytest.raises(InvalidDataError, match="Ill-posed l1_min_c"):
        l1_min_c([[0.0], [0.0]], [0, 1], fit_intercept=True)


def test_crammer_singer() -> None:
    ours = LinearSVC(multi_class="crammer_singer", random_state=0, C=0.1).fit(X, THREE)
    peer = Peer(
        multi_class="crammer_singer", tol=1e-9, max_iter=100_000, random_state=0, C=0.1
    ).fit(X, THREE)
    np.testing.assert_allclose(ours.coef_, peer.coef_, atol=2e-3)
    scores = X @ ours.coef_.T + ours.intercept_
    own = scores[np.arange(150), THREE]
    worst = (scores + (np.arange(3) != THREE[:, None]) - own[:, None]).max(axis=1)
    value = 0.5 * (ours.coef_**2).sum() + 0.5 * (ours.intercept_**2).sum() + 0.1 * worst.sum()
    assert ours.certificate_.primal == pytest.approx(value, rel=1e-10)
    assert ours.certificate_.relative_gap <= 1e-6
    two = LinearSVC(multi_class="crammer_singer", random_state=0).fit(X, Y)
    assert two.coef_.shape == (1, 6)
    assert two.intercept_.shape == (1,)
    one = LinearSVC(loss="hinge", random_state=0).fit(X, Y)
    assert (two.predict(X) == one.predict(X)).mean() > 0.98


def long_table() -> tuple[Any, Any]:
    random = np.random.default_rng(3)
    x = random.standard_normal((24_000, 5))
    return x, np.where(x[:, 0] + random.standard_normal(24_000) > 0, 1, 0)


@pytest.mark.parametrize("loss", LOSSES)
def test_long_tables_same_bits_for_any_threads(loss: str) -> None:
    x, y = long_table()
    found = []
    for count in (1, 2, 7):
        with stylobate.threads(count):
            found.append(LinearSVC(loss=loss, tol=1e-6).fit(x, y))
    signs = np.where(y == 1, 1.0, -1.0)
    value = objective(x, signs, found[0].coef_[0], float(found[0].intercept_[0]), loss)
    assert found[0].certificate_.primal == pytest.approx(value, rel=1e-10)
    assert found[0].certificate_.relative_gap <= 1e-8
    for other in found[1:]:
        np.testing.assert_array_equal(found[0].coef_, other.coef_)


def test_dual_has_the_same_bits_for_any_threads() -> None:
    found = []
    for count in (1, 2, 7):
        with stylobate.threads(count):
            found.append(LinearSVC(solver="dual", random_state=1).fit(X, THREE).coef_)
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


def test_streams_give_the_answer_of_memory() -> None:
    batches = [(X[at : at + 40], THREE[at : at + 40]) for at in range(0, 150, 40)]
    stream = LinearSVC().fit(lambda: iter(batches))
    memory = LinearSVC().fit(X, THREE)
    np.testing.assert_allclose(stream.coef_, memory.coef_, rtol=1e-10, atol=1e-12)
    assert stream.certificate_.optimal


def test_odd_rows() -> None:
    constant = np.column_stack([X, np.ones(150), np.zeros(150)])
    for loss in LOSSES:
        model = LinearSVC(loss=loss).fit(constant, Y)
        assert model.certificate_.relative_gap <= 1e-8
        assert model.coef_[0, -1] == 0.0
        twice = LinearSVC(loss=loss, C=0.5).fit(np.vstack([X, X]), np.append(Y, Y))
        np.testing.assert_allclose(twice.coef_, LinearSVC(loss=loss).fit(X, Y).coef_, atol=1e-6)
        wide = LinearSVC(loss=loss, C=10.0).fit(X[:5], ["a", "b", "a", "b", "a"])
        assert wide.score(X[:5], ["a", "b", "a", "b", "a"]) == 1.0
        assert wide.certificate_.relative_gap <= 1e-8
        plain = LinearSVC(loss=loss, fit_intercept=False).fit(X, Y)
        assert plain.intercept_ == 0.0


def test_hard_margin_in_the_limit() -> None:
    x = np.array([[0.0, 0.0], [0.0, 1.0], [3.0, 0.0], [3.0, 2.0]])
    model = LinearSVC(loss="hinge", C=1e6, intercept_scaling=100.0).fit(x, [0, 0, 1, 1])
    np.testing.assert_allclose(model.coef_, [[2 / 3, 0.0]], atol=1e-3)
    np.testing.assert_allclose(model.intercept_, [-1.0], atol=1e-3)


@pytest.mark.parametrize(
    "options",
    [
        {"penalty": "l1", "loss": "hinge"},
        {"penalty": "l2", "loss": "hinge", "dual": False},
        {"penalty": "l1", "loss": "squared_hinge", "dual": True},
        {"penalty": "l1", "solver": "dual"},
        {"multi_class": "crammer_singer", "solver": "newton"},
        {"C": -1.0},
        {"intercept_scaling": 0.0},
    ],
)
def test_refusals(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameterError, match="LinearSVC"):
        LinearSVC(**options).fit(X, Y)


def test_too_few_steps_warn() -> None:
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        model = LinearSVC(max_iter=2, C=100.0).fit(X, Y)
    assert model.n_iter_ == 2
    assert not model.certificate_.optimal
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        LinearSVC(loss="hinge", solver="dual", max_iter=2, random_state=0).fit(X, Y)
