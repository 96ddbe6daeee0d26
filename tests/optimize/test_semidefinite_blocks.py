"""Semidefinite programs of several blocks with inequalities: closed forms, other forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.optimize import semidefinite_program


def unit(n, i, j):
    """E with tr(E X) = X_ij."""
    matrix = np.zeros((n, n))
    matrix[i, j] += 0.5
    matrix[j, i] += 0.5
    return matrix


def cycle(n):
    adjacency = np.zeros((n, n))
    for i in range(n):
        adjacency[i, (i + 1) % n] = adjacency[(i + 1) % n, i] = 1.0
    return adjacency


def petersen():
    adjacency = np.zeros((10, 10))
    for i in range(5):
        for a, b in ((i, (i + 1) % 5), (i, i + 5), (5 + i, 5 + (i + 2) % 5)):
            adjacency[a, b] = adjacency[b, a] = 1.0
    return adjacency


def symmetric(rng, n):
    found = rng.normal(size=(n, n))
    return found + found.T


@pytest.mark.parametrize("n", [3, 5, 7, 9])
def test_max_cut_of_odd_cycles(n):
    """Goemans and Williamson's bound of an odd cycle is n cos²(π/2n)."""
    laplacian = np.diag(cycle(n).sum(axis=1)) - cycle(n)
    found = semidefinite_program(-laplacian / 4, [unit(n, i, i) for i in range(n)], np.ones(n))
    assert -found.value == pytest.approx(n * np.cos(np.pi / (2 * n)) ** 2, rel=1e-8)
    assert found.residuals.worst < 1e-7


@pytest.mark.parametrize(
    ("graph", "theta"),
    [
        (cycle(5), np.sqrt(5)),
        (cycle(7), 7 * np.cos(np.pi / 7) / (1 + np.cos(np.pi / 7))),
        (petersen(), 4.0),
    ],
)
def test_lovasz_theta(graph, theta):
    """max tr(JX) with trace 1 and X_ij = 0 on edges; the weak form with X ≥ 0 is not larger."""
    n = len(graph)
    edges = [unit(n, i, j) for i, j in np.argwhere(np.triu(graph))]
    right = [1.0, *np.zeros(len(edges))]
    found = semidefinite_program(-np.ones((n, n)), [np.eye(n), *edges], right)
    assert -found.value == pytest.approx(theta, rel=1e-7)
    signs = [-unit(n, i, j) for i, j in np.argwhere(np.triu(1 - graph, 1))]
    schrijver = semidefinite_program(
        -np.ones((n, n)), [np.eye(n), *edges], right, G=signs, h=np.zeros(len(signs))
    )
    assert -schrijver.value <= theta + 1e-7
    assert schrijver.x.min() > -1e-7
    assert (schrijver.duals["G"] >= 0).all()


def nearest_by_projections(matrix, steps=5000):
    """Higham's alternating projections with Dykstra's correction."""
    x, correction = matrix.copy(), np.zeros_like(matrix)
    for _ in range(steps):
        shifted = x - correction
        values, vectors = np.linalg.eigh(shifted)
        positive = (vectors * np.maximum(values, 0)) @ vectors.T
        correction = positive - shifted
        x = positive.copy()
        np.fill_diagonal(x, 1.0)
    return x


def test_nearest_correlation_matrix():
    """Higham (2002), section 4, and alternating projections."""
    given = 2 * np.eye(4) - np.eye(4, k=1) - np.eye(4, k=-1)
    ones = [unit(4, i, i) for i in range(4)]
    found = semidefinite_program(-given, ones, np.ones(4), ridge=1.0, tol=1e-12)
    want = [[1, -0.8084, 0.1916, 0.1068], [-0.8084, 1, -0.6562, 0.1916]]
    np.testing.assert_allclose(found.x[:2], want, atol=5e-5)
    np.testing.assert_allclose(found.x, nearest_by_projections(given), atol=1e-6)
    distance = 2 * found.value + np.sum(given**2)
    assert np.sqrt(distance) == pytest.approx(2.13, abs=5e-3)
    assert found.dual_value <= found.value + 1e-10
    assert found.dual_value == pytest.approx(found.value, rel=1e-7)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_sum_of_the_smallest_eigenvalues(k):
    """min tr(CX), tr X = k, X + Y = I: two blocks, and any number of equations across them."""
    cost = symmetric(np.random.default_rng(k), 5)
    sums = [[unit(5, i, j), unit(5, i, j)] for i in range(5) for j in range(i, 5)]
    right = [1.0 if i == j else 0.0 for i in range(5) for j in range(i, 5)]
    found = semidefinite_program(
        [cost, np.zeros((5, 5))], [[np.eye(5), None], *sums], [float(k), *right]
    )
    assert found.value == pytest.approx(np.linalg.eigvalsh(cost)[:k].sum(), rel=1e-7)
    np.testing.assert_allclose(found.x[0] + found.x[1], np.eye(5), atol=1e-7)
    assert found.to_dict()["x"][0] == found.x[0].tolist()


def test_inequalities():
    """tr X ≤ 1: the smallest eigenvalue, or 0; the multiplier is how much the bound is worth."""
    rng = np.random.default_rng(0)
    for shift in (-3.0, 10.0):
        cost = symmetric(rng, 4) + shift * np.eye(4)
        lowest = np.linalg.eigvalsh(cost)[0]
        found = semidefinite_program(cost, G=[np.eye(4)], h=[1.0])
        assert found.value == pytest.approx(min(lowest, 0.0), abs=1e-7)
        assert found.duals["G"][0] == pytest.approx(max(-lowest, 0.0), abs=1e-6)


def test_a_diagonal_block_is_a_linear_program():
    rng = np.random.default_rng(1)
    price, rows, most = rng.uniform(1, 2, 6), rng.uniform(0, 1, (3, 6)), np.ones(3)
    want = linprog(-price, A_ub=rows, b_ub=most)
    found = semidefinite_program(
        [-price, np.eye(2)], [[None, np.eye(2)]], [3.0], G=[[r, None] for r in rows], h=most
    )
    assert found.value == pytest.approx(want.fun + 3.0, rel=1e-7)
    np.testing.assert_allclose(found.x[0], want.x, atol=1e-6)
    np.testing.assert_allclose(found.duals["G"], -want.ineqlin.marginals, atol=1e-6)


def test_blocks_are_one_large_matrix():
    """The same program with the blocks on the diagonal of one matrix."""
    rng = np.random.default_rng(2)
    costs = [symmetric(rng, 2), symmetric(rng, 3)]
    rows = [[symmetric(rng, 2), symmetric(rng, 3)] for _ in range(2)]
    rows.append([np.eye(2), np.eye(3)])
    start = [np.eye(2) / 5, np.eye(3) / 5]
    right = [sum(np.sum(a * x) for a, x in zip(row, start, strict=True)) for row in rows]

    def whole(parts):
        out = np.zeros((5, 5))
        out[:2, :2], out[2:, 2:] = parts
        return out

    apart = semidefinite_program(costs, rows, right)
    joint = semidefinite_program(whole(costs), [whole(row) for row in rows], right)
    assert apart.value == pytest.approx(joint.value, rel=1e-7)
    assert apart.duals["A"] == pytest.approx(joint.duals["A"], abs=1e-5)


def test_the_bound_holds_however_rough_the_solver():
    """Multipliers are moved to where they prove something: never above the true value."""
    rng = np.random.default_rng(3)
    for tol in (1e-2, 1e-4, 1e-8):
        for _ in range(10):
            cost = symmetric(rng, 6)
            found = semidefinite_program(cost, [np.eye(6)], [1.0], tol=tol)
            exact = np.linalg.eigvalsh(cost)[0]
            assert found.dual_value <= exact + 1e-14 * abs(exact)
            assert found.dual_value >= exact - 10 * tol * (1 + abs(exact))


def test_no_answer():
    none = semidefinite_program([np.eye(2), np.ones(1)], G=[[np.eye(2), None]], h=[-1.0])
    assert none.status == "infeasible"
    assert none.ray["G"][0] > 0
    free = semidefinite_program([-np.eye(2), np.ones(1)], [[None, np.ones(1)]], [1.0])
    assert free.status == "unbounded"
    assert np.trace(free.ray["x"][0]) > 0


def test_refusals():
    two = [np.eye(2), np.eye(3)]
    with pytest.raises(InvalidDataError, match=r"A\[0\] must be a list of 2 blocks"):
        semidefinite_program(two, [np.eye(2)], [1.0])
    with pytest.raises(InvalidDataError, match=r"A\[0\]\[1\] has shape"):
        semidefinite_program(two, [[np.eye(2), np.eye(2)]], [1.0])
    with pytest.raises(InvalidDataError, match=r"h has shape"):
        semidefinite_program(np.eye(2), G=[np.eye(2)], h=[1.0, 2.0])
    with pytest.raises(InvalidDataError, match=r"G\[0\] must be symmetric"):
        semidefinite_program(np.eye(2), G=[[[0.0, 1.0], [0.0, 0.0]]], h=[1.0])
    with pytest.raises(InvalidParameterError, match="ridge"):
        semidefinite_program(np.eye(2), ridge=-1.0)
