"""ℓ1 and elastic-net logistic regression against NumPy, SciPy and scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import logsumexp, softmax, xlogy

from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.logistic import LogisticSolution, logistic_path, solve_elastic_net
from stylobate.parallel import threads

Array = NDArray[np.float64]


def margins(x: Any, coef: Array, intercept: Array) -> Array:
    """All classes' margins; of two classes the first has 0."""
    z = np.asarray(x @ coef.T) + intercept
    return np.column_stack([np.zeros(len(z)), z]) if len(coef) == 1 else z


def objective(
    x: Any, codes: Any, weights: Any, coef: Array, intercept: Array, l1: float, l2: float
) -> float:
    z = margins(x, coef, intercept)
    loss = logsumexp(z, axis=1) - z[np.arange(len(z)), codes]
    weights = np.ones(len(z)) if weights is None else weights
    return float(weights @ loss + l1 * np.abs(coef).sum() + l2 / 2 * (coef**2).sum())


def dual_bound(
    x: Any, codes: Any, weights: Any, coef: Array, intercept: Array, l1: float, l2: float
) -> tuple[float, float]:
    """The dual at the answer's residuals, scaled to be feasible, and the worst KKT violation."""
    p = softmax(margins(x, coef, intercept), axis=1)
    weights = np.ones(len(p)) if weights is None else weights
    hit = np.eye(p.shape[1])[codes]
    residual = weights[:, None] * (p - hit)
    g = np.asarray(x.T @ residual).T[-len(coef) :]
    at_zero = np.maximum(np.abs(g) - l1, 0.0)
    used = np.abs(g + l2 * coef + l1 * np.sign(coef))
    kkt = float(np.where(coef == 0, at_zero, used).max())
    best = -np.inf
    for scale in (1.0, min(1.0, l1 / max(np.abs(g).max(), 1e-300))):
        excess = np.maximum(scale * np.abs(g) - l1, 0.0)
        if l2 == 0.0 and excess.max() > 1e-9 * l1:
            continue
        penalty = 0.0 if l2 == 0.0 else float((excess**2).sum() / (2 * l2))
        q = (1 - scale) * hit + scale * p
        best = max(best, float(-(weights[:, None] * xlogy(q, q)).sum()) - penalty)
    return best, kkt


def problem(
    n: int, p: int, k: int, seed: int = 0, scale: float = 1.0
) -> tuple[Array, NDArray[np.int64]]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, p))
    z = x[:, : min(p, 3)] @ rng.normal(size=(min(p, 3), k)) * scale
    codes = (z + rng.gumbel(size=(n, k))).argmax(axis=1)
    codes[:k] = np.arange(k)
    return x, codes.astype(np.int64)


def solve(x: Any, codes: Any, k: int, weights: Any = None, **more: Any) -> LogisticSolution:
    options = {"l1": 1.0, "l2": 0.0, "fit_intercept": True, "tol": 1e-10, "max_iter": 100} | more
    return solve_elastic_net(x, codes, k, weights, **options)


def by_scipy(
    x: Any, codes: Any, k: int, weights: Any, l1: float, l2: float, fit_intercept: bool
) -> float:
    """The smallest objective, with w = u − v, u, v ≥ 0."""
    rows, p = (1 if k == 2 else k), x.shape[1]
    size = rows * p

    def value(t: Array) -> tuple[float, Array]:
        u, v, b = t[:size].reshape(rows, p), t[size : 2 * size].reshape(rows, p), t[2 * size :]
        z = margins(x, u - v, b if fit_intercept else np.zeros(rows))
        s = np.ones(len(z)) if weights is None else weights
        residual = s[:, None] * (softmax(z, axis=1) - np.eye(z.shape[1])[codes])
        g = (x.T @ residual).T[-rows:] + l2 * (u - v)
        f = float(s @ (logsumexp(z, axis=1) - z[np.arange(len(z)), codes]))
        f += l1 * float(u.sum() + v.sum()) + l2 / 2 * float(((u - v) ** 2).sum())
        tail = residual.sum(axis=0)[-rows:] if fit_intercept else np.zeros(rows)
        return f, np.concatenate([(g + l1).ravel(), (l1 - g).ravel(), tail])

    bounds = [(0, None)] * (2 * size) + [(None, None)] * rows
    options = {"maxiter": 20_000, "maxfun": 40_000, "ftol": 1e-15, "gtol": 1e-10}
    start = np.zeros(2 * size + rows)
    best = minimize(value, start, jac=True, bounds=bounds, method="L-BFGS-B", options=options)
    return float(best.fun)


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize(("l1", "l2"), [(3.0, 0.0), (0.3, 0.0), (2.0, 1.5), (0.0, 1.0)])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_gap_and_kkt_hold_in_numpy(k: int, l1: float, l2: float, fit_intercept: bool) -> None:
    x, codes = problem(60, 6, k, seed=k)
    weights = np.random.default_rng(1).uniform(0.0, 2.0, 60)
    answer = solve(x, codes, k, weights, l1=l1, l2=l2, fit_intercept=fit_intercept)
    where = (x, codes, weights, answer.coef, answer.intercept, l1, l2)
    dual, kkt = dual_bound(*where)
    proof = answer.certificate
    assert answer.converged
    assert proof.optimal
    assert proof.primal == pytest.approx(objective(*where), rel=1e-12)
    best = by_scipy(x, codes, k, weights, l1, l2, fit_intercept)
    assert proof.primal - proof.gap <= best * (1 + 1e-12)
    assert proof.primal <= best * (1 + 1e-9)
    assert objective(*where) - dual <= 1e-8 * proof.primal
    assert kkt <= 1e-4
    if not fit_intercept:
        assert (answer.intercept == 0).all()


@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("ratio", [1.0, 0.4])
def test_same_as_saga(k: int, ratio: float) -> None:
    from sklearn.linear_model import LogisticRegression

    x, codes = problem(80, 8, k, seed=3)
    weights = np.random.default_rng(2).uniform(0.5, 2.0, 80)
    c = 0.5
    theirs = LogisticRegression(
        C=c, l1_ratio=ratio, solver="saga", tol=1e-9, max_iter=5_000, random_state=0
    ).fit(x, codes, weights)
    l1, l2 = ratio / c, (1 - ratio) / c
    ours = solve(x, codes, k, weights, l1=l1, l2=l2)
    assert np.allclose(
        softmax(margins(x, ours.coef, ours.intercept), axis=1), theirs.predict_proba(x), atol=1e-5
    )
    best = objective(x, codes, weights, theirs.coef_, theirs.intercept_, l1, l2)
    assert ours.certificate.primal <= best * (1 + 1e-10)
    if k == 2 or l2 > 0:  # else classes can share a coefficient in several ways
        assert np.allclose(ours.coef, theirs.coef_, atol=1e-4)
        assert np.allclose(ours.intercept, theirs.intercept_, atol=1e-4)


def test_same_as_liblinear_without_an_intercept() -> None:
    from sklearn.linear_model import LogisticRegression

    x, codes = problem(250, 12, 2, seed=4)
    theirs = LogisticRegression(
        C=0.3, l1_ratio=1.0, solver="liblinear", tol=1e-10, max_iter=10_000, fit_intercept=False
    ).fit(x, codes)
    ours = solve(x, codes, 2, l1=1 / 0.3, fit_intercept=False)
    assert np.allclose(ours.coef, theirs.coef_, atol=1e-6)


@pytest.mark.parametrize("k", [2, 3])
def test_every_layout_gives_the_answer(k: int) -> None:
    x, codes = problem(90, 7, k, seed=5)
    x[np.random.default_rng(0).random(x.shape) < 0.6] = 0.0
    x = x.astype(np.float32).astype(np.float64)
    wide = np.repeat(x, 2, axis=1)
    forms: list[Any] = [
        x, np.asfortranarray(x), wide[:, ::2], x[::-1][::-1], x.astype(np.float32),
        sparse.csr_array(x), sparse.csc_array(x), sparse.csc_array(x.astype(np.float32)),
        sparse.csr_array(x[:, ::-1])[:, ::-1],
    ]  # fmt: skip
    first = solve(x, codes, k, l1=0.8)
    assert first.coef.any()
    for form in forms:
        other = solve(form, codes, k, l1=0.8)
        assert np.allclose(other.coef, first.coef, atol=1e-7)
        assert np.allclose(other.intercept, first.intercept, atol=1e-7)
    long = sparse.csc_array(x)
    long.indices, long.indptr = long.indices.astype(np.int64), long.indptr.astype(np.int64)
    assert np.allclose(solve(long, codes, k, l1=0.8).coef, first.coef, atol=1e-7)


def test_very_sparse_rows() -> None:
    rng = np.random.default_rng(6)
    x = sparse.random_array((400, 300), density=0.02, rng=rng, format="csr")
    for k in (2, 3):
        codes = (np.asarray(x.sum(axis=1)).ravel() + rng.normal(size=400) > 0).astype(np.int64)
        codes[:3] = np.arange(3) % k
        answer = solve(x, codes, k, l1=0.3)
        same = solve(x.toarray(), codes, k, l1=0.3)
        dual, _ = dual_bound(x, codes, None, answer.coef, answer.intercept, 0.3, 0.0)
        assert answer.certificate.primal - dual <= 1e-8 * answer.certificate.primal
        assert answer.certificate.primal == pytest.approx(same.certificate.primal, rel=1e-9)


def test_nothing_is_used_beyond_the_largest_penalty() -> None:
    for k in (2, 3):
        x, codes = problem(100, 20, k, seed=7)
        shares = np.bincount(codes, minlength=k) / 100
        residual = np.eye(k)[codes] - shares
        largest = np.abs(x.T @ residual).max()
        above = solve(x, codes, k, l1=largest * 1.0001)
        assert not above.coef.any()
        assert above.iterations == 0
        assert above.converged
        p = softmax(margins(x[:1], above.coef, above.intercept), axis=1)
        assert np.allclose(p, shares)
        assert solve(x, codes, k, l1=largest * 0.99).coef.any()


def test_rows_of_no_weight_are_no_rows() -> None:
    x, codes = problem(80, 5, 3, seed=8)
    weights = np.where(np.arange(80) % 4 == 0, 0.0, 1.5)
    kept = weights > 0
    whole, part = solve(x, codes, 3, weights), solve(x[kept], codes[kept], 3, weights[kept])
    assert np.allclose(whole.coef, part.coef, atol=1e-7)
    twice = solve(np.vstack([x, x]), np.tile(codes, 2), 3)
    assert np.allclose(twice.coef, solve(x, codes, 3, np.full(80, 2.0)).coef, atol=1e-7)


def test_constant_duplicated_and_unscaled_columns() -> None:
    x, codes = problem(150, 4, 2, seed=9)
    scales = np.array([1e-8, 1.0, 1e8, 1e3])
    bad = np.column_stack([x * scales, np.full(150, 7.0), np.zeros(150), x[:, 1], x[:, 1] * 1.0])
    answer = solve(bad, codes, 2, l1=1.0)
    dual, _ = dual_bound(bad, codes, None, answer.coef, answer.intercept, 1.0, 0.0)
    assert answer.converged
    assert answer.certificate.primal - dual <= 1e-8 * dual
    assert (answer.coef[0, 4:6] == 0).all()
    assert np.isfinite(answer.coef).all()
    alone = solve(bad[:, :4], codes, 2, l1=1.0)
    assert alone.certificate.primal == pytest.approx(answer.certificate.primal, rel=1e-9)
    far = bad[:, :4] + 1e3 * scales  # an intercept takes up any shift of the columns
    assert solve(far, codes, 2, l1=1.0).certificate.primal == pytest.approx(
        alone.certificate.primal, rel=1e-8
    )


@pytest.mark.parametrize("k", [2, 3])
def test_many_more_columns_than_rows(k: int) -> None:
    x, codes = problem(40, 1500, k, seed=10)
    for l1, l2 in ((0.5, 0.0), (4.0, 0.0), (0.2, 0.3)):
        answer = solve(x, codes, k, l1=l1, l2=l2)
        dual, _ = dual_bound(x, codes, None, answer.coef, answer.intercept, l1, l2)
        assert answer.converged
        assert answer.certificate.primal - dual <= 1e-8 * answer.certificate.primal


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_sets_too_large_for_a_hessian(form: Any) -> None:
    """Almost no ℓ1: thousands of coefficients, and columns are used one by one."""
    for k, p in ((2, 3600), (3, 1500)):
        x, codes = problem(30, p, k, seed=11)
        answer = solve(form(x), codes, k, l1=1e-4, l2=1.0, tol=1e-7)
        dual, kkt = dual_bound(x, codes, None, answer.coef, answer.intercept, 1e-4, 1.0)
        assert (answer.coef != 0).sum() > 3000
        assert answer.converged
        assert answer.certificate.primal - dual <= 1e-6 * dual
        assert kkt < 1e-3


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize(
    "form", [np.asarray, np.asfortranarray, lambda x: x.astype(np.float32)], ids=["C", "F", "32"]
)
def test_hessians_that_are_kept_and_extended(form: Any, fit_intercept: bool) -> None:
    """Many rows, few strong columns, many weak and correlated ones, unequal classes."""
    rng = np.random.default_rng(41)
    x = rng.normal(size=(6000, 150)) + rng.normal(size=(6000, 1))
    z = 2.0 * (x[:, :4] - x[:, 4:8]).sum(axis=1) + 0.1 * x @ rng.normal(size=150) - 3.0
    codes = (rng.random(6000) < 1.0 / (1.0 + np.exp(-z))).astype(np.int64)
    weights = rng.uniform(0.5, 2.0, 6000)
    x = form(x)
    for l1 in (30.0, 4.0):
        answer = solve(x, codes, 2, weights, l1=l1, fit_intercept=fit_intercept, tol=1e-9)
        x64 = x.astype(np.float64)
        _, kkt = dual_bound(x64, codes, weights, answer.coef, answer.intercept, l1, 0.0)
        assert answer.converged
        assert kkt < 1e-3
        best = objective(x64, codes, weights, answer.coef, answer.intercept, l1, 0.0)
        assert answer.certificate.primal == pytest.approx(best, rel=1e-11)
        assert answer.intercept.any() == fit_intercept


def test_separable_classes_have_an_answer() -> None:
    x = np.linspace(-1, 1, 30)[:, None]
    codes = (x[:, 0] > 0).astype(np.int64)
    answer = solve(x, codes, 2, l1=1e-4)
    assert answer.converged
    assert np.isfinite(answer.coef).all()
    assert answer.coef[0, 0] > 10


def test_one_row_and_a_class_without_rows() -> None:
    one = solve(np.array([[1.0, 2.0]]), np.array([1]), 2, tol=1e-6)
    assert not one.coef.any()
    assert np.isfinite(one.intercept).all()
    x, codes = problem(60, 3, 2, seed=12)
    three = solve(x, codes, 3, tol=1e-6)  # the third class never occurs
    p = softmax(margins(x, three.coef, three.intercept), axis=1)
    assert p[:, 2].max() < 1e-6
    assert np.isfinite(three.coef).all()


def test_starting_at_the_answer_takes_no_step() -> None:
    for k in (2, 3):
        x, codes = problem(100, 6, k, seed=13)
        answer = solve(x, codes, k)
        again = solve(x, codes, k, tol=1e-9, start=(answer.coef, answer.intercept))
        assert again.iterations == 0
        assert (again.coef == answer.coef).all()


def test_path_meets_single_fits() -> None:
    x, codes = problem(100, 15, 3, seed=14)
    l1 = [20.0, 5.0, 1.0, 0.2]
    path = list(
        logistic_path(
            sparse.csr_array(x), codes, 3, None, l1=l1, l2=[0.1] * 4, fit_intercept=True,
            tol=1e-10, max_iter=100,
        )
    )  # fmt: skip
    for penalty, answer in zip(l1, path, strict=True):
        alone = solve(x, codes, 3, l1=penalty, l2=0.1)
        assert np.allclose(answer.coef, alone.coef, atol=1e-5)


def test_stops_when_told_and_says_so() -> None:
    x, codes = problem(200, 20, 2, seed=15)
    short = solve(x, codes, 2, max_iter=1)
    assert not short.converged
    assert short.iterations == 1
    dual, _ = dual_bound(x, codes, None, short.coef, short.intercept, 1.0, 0.0)
    best = solve(x, codes, 2).certificate.primal
    assert short.certificate.dual <= best <= short.certificate.primal
    assert dual <= best
    full = solve(x, codes, 2)
    assert (np.diff(full.trace.objective) <= 1e-14 * full.trace.objective[0]).all()
    assert len(full.trace) == full.iterations + 1


def test_same_bits_for_any_number_of_threads() -> None:
    x, codes = problem(3000, 80, 2, seed=16)
    with threads(1):
        one = solve(x, codes, 2, l1=3.0)
    with threads(4):
        four = solve(x, codes, 2, l1=3.0)
    assert (one.coef == four.coef).all()
    assert one.certificate == four.certificate


def test_penalties_must_be_there() -> None:
    x, codes = problem(20, 2, 2)
    for l1, l2 in ((0.0, 0.0), (-1.0, 2.0), (np.inf, 0.0), (np.nan, 1.0)):
        with pytest.raises(InvalidParameterError, match="l1 and l2"):
            solve(x, codes, 2, l1=l1, l2=l2)


@given(
    seed=st.integers(0, 10_000),
    n=st.integers(2, 40),
    p=st.integers(1, 12),
    k=st.integers(2, 4),
    l1=st.floats(1e-3, 10.0),
    l2=st.sampled_from([0.0, 0.01, 3.0]),
    spread=st.sampled_from([0.0, 3.0]),
)
def test_the_gap_is_a_bound(
    seed: int, n: int, p: int, k: int, l1: float, l2: float, spread: float
) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, p)) * 10.0 ** rng.uniform(-spread, spread, p) + rng.normal(size=p)
    x[:, rng.integers(0, p)] = x[:, 0]
    codes = rng.integers(0, k, n)
    codes[: min(n, k)] = np.arange(min(n, k))
    weights = rng.uniform(0.1, 2.0, n)
    # columns of scales far apart need hundreds of steps, which is not what is asked here
    answer = solve(x, codes, k, weights, l1=l1, l2=l2, tol=1e-7, max_iter=2000)
    where = (x, codes, weights, answer.coef, answer.intercept, l1, l2)
    assert answer.certificate.primal == pytest.approx(objective(*where), rel=1e-9)
    if n >= k:  # else a class has no rows, and its intercept no finite optimum
        assert answer.converged
        # the best dual point may have been met before the last step: judge by a tighter answer
        tight = solve(x, codes, k, weights, l1=l1, l2=l2, tol=1e-13)
        there = (x, codes, weights, tight.coef, tight.intercept, l1, l2)
        best, bound = objective(*there), dual_bound(*there)[0]
        assert best - bound <= 2e-5 * best + 1e-9
        assert answer.certificate.dual <= best * (1 + 1e-9)
        assert objective(*where) <= best * (1 + 2e-7) + 1e-12
