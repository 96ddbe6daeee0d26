"""Gap-safe screening of the lasso on rows: nothing needed is dropped, and gaps are bounds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.linear_model import ElasticNet as Peer

from stylobate.data import read_table
from stylobate.optimize import elastic_net as en
from stylobate.statistics import Moments

Data = tuple[np.ndarray, np.ndarray, np.ndarray]


def nasty(seed: int) -> Data:
    """Few rows, many columns: duplicates, constants, large means, weights, scales 1e-4 … 1e4."""
    rng = np.random.default_rng(seed)
    n, p = int(rng.integers(3, 25)), int(rng.integers(2, 60))
    x = rng.normal(size=(n, p))
    kind = rng.integers(0, 7, size=p)
    x[:, kind == 0] = x[:, [0]]
    x[:, kind == 1] = 3.0
    x[:, kind == 2] += 1e4
    if rng.random() < 0.5:
        x *= 10.0 ** rng.uniform(-4, 4, size=p)
    y = x[:, rng.integers(p)] / (1.0 + np.abs(x).max()) + rng.normal(size=n)
    return x, y, rng.uniform(0.1, 3.0, size=n)


def objective(x: np.ndarray, y: np.ndarray, omega: np.ndarray, w: np.ndarray, l1: float, l2: float):
    """½Σω(r − r̄)² + l1‖w‖₁ + ½l2‖w‖², in the order of plain NumPy."""
    r = y - x @ w
    r -= np.average(r, weights=omega)
    return 0.5 * omega @ r**2 + l1 * np.abs(w).sum() + 0.5 * l2 * w @ w


@given(
    seed=st.integers(0, 2**32 - 1),
    share=st.floats(0.003, 0.95),
    l1_ratio=st.sampled_from([1.0, 0.9, 0.3]),
    positive=st.booleans(),
    layout=st.sampled_from(["C", "F", "csc"]),
)
def test_screened_answers_are_those_without(
    seed: int, share: float, l1_ratio: float, positive: bool, layout: str
) -> None:
    x, y, omega = nasty(seed)
    held = sparse.csc_array(x) if layout == "csc" else np.array(x, order=layout)
    table = read_table(held, y, omega, owner="test")
    problem = en.ElasticNetProblem(
        np.array([]), l1_ratio, table=table, positive=positive, tol=1e-12
    )
    largest = problem.largest_alpha()
    if largest < 1e-9:
        return
    alphas = largest * np.array([share, 0.5 * share])
    options = {"l1_ratio": l1_ratio, "positive": positive, "tol": 1e-12, "max_iter": 20_000}
    rows = en.solve(en.ElasticNetProblem(alphas, table=table, **options), "coordinate_descent")
    dense = read_table(x, y, omega, owner="test")
    gram = en.solve(en.ElasticNetProblem(alphas, moments=Moments.of(dense), **options), "gram")
    at_zero = objective(x, y, omega, np.zeros(x.shape[1]), 0.0, 0.0)
    for step, alpha in enumerate(alphas):
        l1, l2 = (omega.sum() * alpha * part for part in (l1_ratio, 1.0 - l1_ratio))
        ours, other = (objective(x, y, omega, s.coef[0, step], l1, l2) for s in (rows, gram))
        # the gap claimed is a bound that another answer cannot undercut
        assert ours - other <= rows.gap[0, step] * omega.sum() + 1e-9 * at_zero
        assert ours - other <= 1e-7 * at_zero
        assert rows.screened is not None
        assert 0 <= rows.screened[0, step] <= np.count_nonzero(rows.coef[0, step] == 0.0)


@pytest.mark.parametrize("l1_ratio", [1.0, 0.5])
@pytest.mark.parametrize("order", ["C", "F"])
def test_all_but_the_equicorrelated_columns_are_screened(l1_ratio: float, order: str) -> None:
    rng = np.random.default_rng(4)
    x = np.array(rng.normal(size=(80, 700)) + rng.uniform(-2, 2, size=700), order=order)
    y = x[:, :5] @ rng.normal(size=5) + 0.5 * rng.normal(size=80)
    table = read_table(x, y, owner="test")
    alpha = 0.2 * en.ElasticNetProblem(np.array([]), l1_ratio, table=table).largest_alpha()
    problem = en.ElasticNetProblem(np.array([alpha]), l1_ratio, table=table, tol=1e-13)
    solution = en.solve(problem, "coordinate_descent")
    peer = Peer(alpha=alpha, l1_ratio=l1_ratio, tol=1e-14, max_iter=100_000).fit(x, y)
    np.testing.assert_allclose(solution.coef[0, 0], peer.coef_, atol=1e-7)
    assert solution.screened is not None
    assert solution.screened[0, 0] == 700 - np.count_nonzero(peer.coef_)


def test_measures_are_plain_sums() -> None:
    rng = np.random.default_rng(1)
    x, y, omega = rng.normal(size=(50, 33)) + 5.0, rng.normal(size=(50, 2)), rng.uniform(size=50)
    for held in (x, np.asfortranarray(x), x.astype(np.float32), x[::2].repeat(2, axis=0)):
        measures = en.Measures.of(read_table(held, y, omega, owner="test"), intercept=True)
        whole = held.astype(np.float64)
        centred = whole - np.average(whole, 0, omega)
        target = y - np.average(y, 0, omega)
        np.testing.assert_allclose(measures.sums, omega @ whole, rtol=1e-12)
        np.testing.assert_allclose(measures.squares, omega @ whole**2, rtol=1e-12)
        np.testing.assert_allclose(
            measures.about_mean(), target.T @ (omega[:, None] * centred), atol=1e-11
        )
        np.testing.assert_allclose(measures.lengths()[:33], np.sqrt(omega @ centred**2), rtol=1e-12)
    x[3, 7] = np.nan
    table = read_table(x, y, omega, owner="test", check_finite="deferred")
    assert not en.Measures.of(table, intercept=True).is_finite
