"""Any smooth loss with any penalty: closed forms, brute force, subgradients by hand, others."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize

from stylobate.base import clone
from stylobate.exceptions import ConvergenceWarning, InvalidDataError, InvalidParameterError
from stylobate.linear_model import (
    ElasticNet,
    Lasso,
    LogisticRegression,
    PenalizedRegression,
    PoissonRegressor,
)
from stylobate.losses import Gamma, HalfSquared, Huber, Logistic, Poisson, Tweedie
from stylobate.penalties import L1, L2, MCP, SCAD
from stylobate.penalties import ElasticNet as ElasticNetPenalty

RNG = np.random.default_rng(3)
N, P = 120, 200
X = RNG.normal(size=(N, P)) + RNG.uniform(-1, 1, P)
TRUTH = np.zeros(P)
TRUTH[:5] = [1.0, -1.0, 0.7, 0.5, -0.4]
Z = (X - X.mean(axis=0)) @ TRUTH
WEIGHTS = RNG.uniform(0.2, 2.0, N)
TARGETS = {
    HalfSquared(): Z + RNG.normal(size=N),
    Huber(0.6): Z + RNG.standard_t(2, size=N),
    Huber(0.6, 2.0): Z + RNG.standard_t(2, size=N),
    Logistic(): (Z + RNG.logistic(size=N) > 0).astype(float),
    Poisson(): RNG.poisson(np.exp(0.5 * Z)).astype(float),
    Gamma(): np.exp(0.5 * Z) * RNG.gamma(3.0, 1 / 3.0, N),
    Tweedie(1.5): RNG.poisson(np.exp(0.5 * Z)) * RNG.gamma(2.0, 0.5, N),
}
PENALTIES = [L1(0.07), ElasticNetPenalty(0.06, 0.05), MCP(0.1, 3.0), SCAD(0.1, 3.7)]


def slopes(loss, y, z):
    """dℓ/dz, written out."""
    name = type(loss).__name__
    if name == "Huber":
        return np.clip(2 * loss.steepness * (z - y), -loss.slope, loss.slope)
    power = {"Poisson": 1.0, "Gamma": 2.0, "Tweedie": 1.5}.get(name)
    if power is not None:
        return np.exp((2 - power) * z) - y * np.exp((1 - power) * z)
    return z - y if name == "HalfSquared" else 1 / (1 + np.exp(-z)) - y


def derivative(penalty, w):
    """g′ at w ≠ 0, and the largest |slope| that 0 stands, written out."""
    a, name = np.abs(w), type(penalty).__name__
    if name == "L1":
        return penalty.strength * np.sign(w), penalty.strength
    if name == "ElasticNet":
        return penalty.l1 * np.sign(w) + penalty.l2 * w, penalty.l1
    lam, gamma = penalty.strength, penalty.concavity
    if name == "MCP":
        return np.sign(w) * np.maximum(lam - a / gamma, 0.0), lam
    middle = np.maximum(gamma * lam - a, 0.0) / (gamma - 1)
    return np.sign(w) * np.where(a <= lam, lam, middle), lam


def violation(loss, penalty, x, y, weights, w, b, *, intercept=True, positive=False):
    """The largest distance of 0 from the subdifferential, by formulas of this file."""
    shares = weights / weights.sum()
    u = shares * slopes(loss, y, x @ w + b)
    g = x.T @ u
    slope, kink = derivative(penalty, w)
    at_zero = np.maximum((-g if positive else np.abs(g)) - kink, 0.0)
    off = np.where(w != 0, np.abs(g + slope), at_zero)
    return max(off.max(), abs(u.sum()) if intercept else 0.0)


@pytest.mark.parametrize("loss", TARGETS, ids=str)
@pytest.mark.parametrize("penalty", PENALTIES, ids=str)
@pytest.mark.parametrize("intercept", [True, False])
def test_stationary(loss, penalty, intercept):
    y = TARGETS[loss]
    model = PenalizedRegression(loss, penalty=penalty, fit_intercept=intercept, tol=1e-9)
    model.fit(X, y, sample_weight=WEIGHTS)
    b = model.intercept_
    assert 0 < np.count_nonzero(model.coef_) < P
    assert violation(loss, penalty, X, y, WEIGHTS, model.coef_, b, intercept=intercept) < 1e-8
    assert model.certificate_.kkt <= 1e-9
    assert model.certificate_.proved == penalty.convex
    if penalty.convex:
        assert model.certificate_.relative_gap < 1e-6


@pytest.mark.parametrize("penalty", PENALTIES, ids=str)
def test_non_negative_coefficients(penalty):
    loss, y = Poisson(), TARGETS[Poisson()]
    model = PenalizedRegression(loss, penalty=penalty, positive=True, tol=1e-9).fit(X, y)
    ones = np.ones(N)
    found = violation(loss, penalty, X, y, ones, model.coef_, model.intercept_, positive=True)
    assert (model.coef_ >= 0).all()
    assert (model.coef_ > 0).any()
    assert found < 1e-8
    y = TARGETS[HalfSquared()]
    ours = PenalizedRegression(penalty="l1", alpha=0.1, positive=True, tol=1e-9).fit(X, y)
    theirs = Lasso(alpha=0.1, positive=True, tol=1e-12).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)


def firm(z, lam, gamma):
    """The minimiser of ½(w − z)² + MCP, γ > 1."""
    shrunk = np.sign(z) * np.maximum(np.abs(z) - lam, 0.0) / (1 - 1 / gamma)
    return np.where(np.abs(z) <= gamma * lam, shrunk, z)


def scad(z, lam, a):
    """The minimiser of ½(w − z)² + SCAD, a > 2."""
    soft = np.sign(z) * np.maximum(np.abs(z) - lam, 0.0)
    middle = ((a - 1) * z - np.sign(z) * a * lam) / (a - 2)
    return np.where(np.abs(z) <= 2 * lam, soft, np.where(np.abs(z) <= a * lam, middle, z))


@pytest.mark.parametrize(("penalty", "closed"), [(MCP(0.4, 2.5), firm), (SCAD(0.4, 3.7), scad)])
def test_orthonormal_columns_have_closed_forms(penalty, closed):
    n, p = 64, 12
    q = np.linalg.qr(RNG.normal(size=(n, p)))[0] * np.sqrt(n)
    z = np.linspace(-2.0, 2.0, p)
    model = PenalizedRegression(penalty=penalty, fit_intercept=False, tol=1e-12).fit(q, q @ z)
    expected = closed(z, penalty.strength, penalty.concavity)
    np.testing.assert_allclose(model.coef_, expected, atol=1e-10)


def stationary_points(x, y, penalty):
    """All stationary points: every piece of the penalty for every coefficient, solved, checked."""
    n, p = x.shape
    gram, c = x.T @ x / n, x.T @ y / n
    lam, gamma = penalty.strength, penalty.concavity
    if isinstance(penalty, MCP):  # low, high, slope at |w| = low, bend
        pieces = [(0.0, gamma * lam, lam, -1 / gamma), (gamma * lam, np.inf, 0.0, 0.0)]
    else:
        pieces = [
            (0.0, lam, lam, 0.0),
            (lam, gamma * lam, gamma * lam / (gamma - 1), -1 / (gamma - 1)),
            (gamma * lam, np.inf, 0.0, 0.0),
        ]
    choices = [None, *((sign, piece) for sign in (-1.0, 1.0) for piece in pieces)]
    for chosen in product(choices, repeat=p):
        used = [j for j in range(p) if chosen[j] is not None]
        w = np.zeros(p)
        if used:
            parts = [chosen[j] for j in used]
            matrix = gram[np.ix_(used, used)] + np.diag([piece[3] for _, piece in parts])
            w[used] = np.linalg.solve(matrix, c[used] - [s * piece[2] for s, piece in parts])
            size = [s * w[j] for j, (s, _) in zip(used, parts, strict=True)]
            inside = (low <= a <= high for a, (_, (low, high, *_)) in zip(size, parts, strict=True))
            if not all(inside):
                continue
        if all(abs((gram @ w - c)[j]) <= lam for j in range(p) if j not in used):
            yield w


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("penalty", [MCP(0.3, 3.0), SCAD(0.3, 3.7), MCP(0.3, 1.1)], ids=str)
def test_against_all_stationary_points(penalty, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(40, 4)) @ (np.eye(4) + 0.4)
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    y = x @ [1.0, -0.5, 0.0, 0.3] + 0.5 * rng.normal(size=40)
    y -= y.mean()
    points = np.array(list(stationary_points(x, y, penalty)))
    model = PenalizedRegression(penalty=penalty, fit_intercept=False, tol=1e-12).fit(x, y)
    assert np.abs(points - model.coef_).max(axis=1).min() < 1e-8
    values = [
        0.5 * np.mean((y - x @ w) ** 2) + penalty.value(w).sum() for w in [*points, model.coef_]
    ]
    bend = 1 / penalty.concavity if isinstance(penalty, MCP) else 1 / (penalty.concavity - 1)
    if np.linalg.eigvalsh(x.T @ x / 40)[0] > bend:  # the objective is convex: one minimum
        assert values[-1] <= min(values) + 1e-12


def test_large_coefficients_are_left_alone():
    """The support's least squares, once all of it is beyond the penalty's slope."""
    y = X @ (3.0 * TRUTH) + 0.1 * RNG.normal(size=N)
    for penalty in (MCP(0.2, 3.0), SCAD(0.2, 3.7)):
        model = PenalizedRegression(penalty=penalty).fit(X, y)
        np.testing.assert_array_equal(np.flatnonzero(model.coef_), np.arange(5))
        design = np.column_stack([X[:, :5], np.ones(N)])
        exact = np.linalg.lstsq(design, y, rcond=None)[0]
        np.testing.assert_allclose(model.coef_[:5], exact[:5], atol=1e-6)
        assert np.abs(Lasso(alpha=0.2).fit(X, y).coef_[:5] - exact[:5]).max() > 0.1


def test_convex_pairs_are_other_estimators():
    y = TARGETS[HalfSquared()]
    ours = PenalizedRegression(penalty="l1", alpha=0.1, tol=1e-11).fit(X, y, WEIGHTS)
    lasso = Lasso(alpha=0.1, tol=1e-12).fit(X, y, WEIGHTS)
    np.testing.assert_allclose(ours.coef_, lasso.coef_, atol=1e-7)
    np.testing.assert_allclose(ours.intercept_, lasso.intercept_, atol=1e-7)
    ours = PenalizedRegression(penalty="elasticnet", alpha=0.1, tol=1e-11).fit(X, y)
    exact = ElasticNet(alpha=0.1, l1_ratio=0.5, tol=1e-12).fit(X, y)
    np.testing.assert_allclose(ours.coef_, exact.coef_, atol=1e-6)  # a gap of 1e-12 leaves √ of it
    few, counts = X[:, :10], TARGETS[Poisson()]
    ours = PenalizedRegression("poisson", penalty="l2", alpha=0.3, tol=1e-10).fit(few, counts)
    exact = PoissonRegressor(alpha=0.3, tol=1e-8).fit(few, counts)
    np.testing.assert_allclose(ours.coef_, exact.coef_, atol=1e-7)
    np.testing.assert_allclose(ours.predict(few), exact.predict(few), rtol=1e-6)
    assert ours.score(few, counts) == pytest.approx(exact.score(few, counts), rel=1e-6)
    labels = TARGETS[Logistic()]
    ours = PenalizedRegression("log_loss", penalty=L1(0.05), tol=1e-11).fit(X, labels)
    exact = LogisticRegression(C=1 / (0.05 * N), l1_ratio=1.0, tol=1e-10).fit(X, labels)
    np.testing.assert_allclose(ours.coef_, exact.coef_[0], atol=1e-5)
    np.testing.assert_allclose(ours.predict(X), exact.predict_proba(X)[:, 1], atol=1e-5)


@pytest.mark.parametrize("loss", [Huber(0.6), Gamma(), Tweedie(1.5)], ids=str)
def test_smooth_problems_against_scipy(loss):
    few, y = X[:, :4], TARGETS[loss]

    def objective(theta):
        return np.mean(loss.value(y, few @ theta[:4] + theta[4])) + 0.05 * theta[:4] @ theta[:4]

    found = minimize(objective, np.zeros(5), method="BFGS", options={"gtol": 1e-9})
    ours = PenalizedRegression(loss, penalty=L2(0.1), tol=1e-10).fit(few, y)
    np.testing.assert_allclose(np.append(ours.coef_, ours.intercept_), found.x, atol=1e-5)
    least = -np.mean(loss.conjugate(y, 0.0))
    assert ours.certificate_.primal == pytest.approx(found.fun - least, rel=1e-8)
    assert ours.certificate_.dual <= found.fun - least + 1e-12


@pytest.mark.parametrize("penalty", PENALTIES, ids=str)
def test_containers_and_weights(penalty):
    loss, y = Poisson(), TARGETS[Poisson()]
    holes = np.where(np.random.default_rng(1).random(X.shape) < 0.5, 0.0, X)
    whole = np.random.default_rng(2).integers(0, 3, N)
    model = PenalizedRegression(loss, penalty=penalty, tol=1e-9)
    dense = clone(model).fit(holes, y, sample_weight=whole.astype(float))
    repeated = clone(model).fit(np.repeat(holes, whole, axis=0), np.repeat(y, whole))
    others = [
        clone(model).fit(x, y, sample_weight=whole.astype(float))
        for x in (sparse.csr_array(holes), sparse.csc_array(holes), np.asfortranarray(holes))
    ]
    for each in (repeated, *others):
        w, b = each.coef_, each.intercept_
        assert violation(loss, penalty, holes, y, whole, w, b) < 1e-8
        if penalty.convex:  # else there are several stationary points
            np.testing.assert_allclose(w, dense.coef_, atol=1e-7)
    single = clone(model).set_params(tol=1e-4).fit(holes.astype(np.float32), y)
    assert single.predict(holes.astype(np.float32)).dtype == np.float32


def test_large_means_cost_nothing():
    y = TARGETS[HalfSquared()]
    near = PenalizedRegression(penalty="mcp", alpha=0.2).fit(X, y)
    far = PenalizedRegression(penalty="mcp", alpha=0.2).fit(X + 1e6, y)
    np.testing.assert_allclose(far.coef_, near.coef_, atol=1e-6)


@pytest.mark.parametrize("penalty", ["l1", "mcp", "scad"])
def test_path_and_warm_start(penalty):
    y = TARGETS[HalfSquared()]
    model = PenalizedRegression(penalty=penalty, tol=1e-9)
    alphas, coefs, intercepts = model.path(X, y, alphas=12, eps=0.1)
    assert coefs.shape == (P, 12)
    assert not hasattr(model, "coef_")
    steepest = np.abs(X.T @ (y - y.mean())).max() / N
    assert alphas[0] == pytest.approx(steepest, rel=1e-9)
    assert not coefs[:, 0].any()
    assert coefs[:, -1].any()
    kind = {"l1": L1(), "mcp": MCP(), "scad": SCAD()}[penalty]
    for a, w, b in zip(alphas[1:], coefs.T[1:], intercepts[1:], strict=True):
        assert violation(HalfSquared(), kind.scaled(a), X, y, np.ones(N), w, b) < 1e-8
    again = PenalizedRegression(penalty=penalty, alpha=alphas[5], warm_start=True, tol=1e-9)
    again.fit(X, y)
    before = again.coef_.copy()
    again.fit(X, y)
    np.testing.assert_allclose(again.coef_, before, atol=1e-9)
    assert again.n_iter_ == 1
    given = model.path(X, y, alphas=[0.1, 0.5])[0]
    np.testing.assert_array_equal(given, [0.5, 0.1])


def test_score_of_squares_is_r2():
    y = TARGETS[HalfSquared()]
    model = PenalizedRegression(alpha=0.1).fit(X, y)
    rest = y - model.predict(X)
    assert model.score(X, y) == pytest.approx(1 - rest @ rest / (N * y.var()), rel=1e-12)


def test_refusals():
    with pytest.raises(InvalidDataError, match=r"Gamma loss takes targets in \(0, inf\)"):
        PenalizedRegression("gamma").fit(X, np.zeros(N))
    with pytest.raises(InvalidParameterError, match="penalty must be"):
        PenalizedRegression(penalty="l0").fit(X, np.zeros(N))
    with pytest.raises(InvalidParameterError, match="give the alphas"):
        PenalizedRegression(penalty="l2").path(X, Z)
    with pytest.raises(InvalidParameterError, match="at least 0"):
        PenalizedRegression().path(X, Z, alphas=[-1.0])
    with pytest.warns(ConvergenceWarning, match="Raise max_iter"):
        PenalizedRegression("poisson", alpha=0.01, max_iter=1).fit(X, TARGETS[Poisson()])


def test_constant_target_and_constant_column():
    x = np.column_stack([np.ones(20), np.arange(20.0)])
    for name in ("l1", "mcp", "scad"):
        model = PenalizedRegression(penalty=name, alpha=0.1).fit(x, np.full(20, 3.0))
        np.testing.assert_array_equal(model.coef_, 0.0)
        assert model.intercept_ == pytest.approx(3.0)
        assert PenalizedRegression(penalty=name, alpha=0.1).fit(x, x[:, 1]).coef_[0] == 0.0


@pytest.mark.parametrize("penalty", [MCP(0.3, 3.0), SCAD(0.3, 3.7)], ids=str)
def test_against_plain_coordinate_descent(penalty):
    """Cyclic sweeps, every coordinate to its closed minimum; the objective is convex."""
    rng = np.random.default_rng(11)
    x = rng.normal(size=(300, 8))
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    y = x @ [1.5, -0.8, 0.5, 0.3, 0.0, 0.0, 0.0, 0.1] + rng.normal(size=300)
    y -= y.mean()
    closed = firm if isinstance(penalty, MCP) else scad
    assert np.linalg.eigvalsh(x.T @ x / 300)[0] > 1 / (penalty.concavity - 1)
    w = np.zeros(8)
    for _ in range(500):
        for j in range(8):
            rest = y - x @ w + x[:, j] * w[j]
            w[j] = closed(x[:, j] @ rest / 300, penalty.strength, penalty.concavity)
    model = PenalizedRegression(penalty=penalty, fit_intercept=False, tol=1e-12).fit(x, y)
    np.testing.assert_allclose(model.coef_, w, atol=1e-10)
