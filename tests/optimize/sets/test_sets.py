"""Laws of convex sets: nearest points, membership, support."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from stylobate.exceptions import InvalidDataError
from stylobate.optimize import (
    AffineSet,
    BoxSet,
    HalfSpace,
    L1Ball,
    L2Ball,
    LInfBall,
    PSDCone,
    Simplex,
)

SETS = [
    L1Ball(1.3),
    L1Ball(0.0),
    L2Ball(0.8),
    LInfBall(0.5),
    Simplex(1.0),
    Simplex(2.5),
    BoxSet([-1.0, 0.0, -np.inf, 1.0], [1.0, np.inf, 0.0, 1.0]),
    HalfSpace([1.0, -2.0, 0.0, 0.5], 0.7),
    AffineSet([[1.0, 1.0, 0.0, 0.0], [0.0, 1.0, -1.0, 2.0]], [1.0, -1.0]),
    PSDCone(),
]
VECTORS = arrays(np.float64, 4, elements=st.floats(-20, 20))
each_set = pytest.mark.parametrize("a_set", SETS, ids=lambda s: type(s).__name__)


@each_set
@given(v=VECTORS, w=VECTORS)
def test_projection(a_set, v, w):
    p, q = a_set.project(v), a_set.project(w)
    assert a_set.contains(p)
    np.testing.assert_allclose(a_set.project(p), p, atol=1e-9)
    assert np.linalg.norm(p - q) <= np.linalg.norm(v - w) * (1 + 1e-9) + 1e-9  # nonexpansive
    assert (v - p) @ (q - p) <= 1e-7 * (1 + np.abs(v).max() * np.abs(q).max())  # the obtuse angle


@each_set
@given(v=VECTORS, g=VECTORS)
def test_support_is_above_all_points_and_tight(a_set, v, g):
    best = a_set.support(g)
    inside = a_set.project(v)
    assert g @ inside <= best + 1e-7 * (1 + np.abs(g).max() * np.abs(inside).max())
    if a_set.bounded:
        far = a_set.project(1e6 * g / max(np.abs(g).max(), 1.0))
        assert best - g @ far <= 1e-5 * (1 + abs(best))


@given(arrays(np.float64, (3, 3), elements=st.floats(-5, 5)))
def test_psd_cone_keeps_shape_and_clips_eigenvalues(root):
    matrix = root + root.T
    near = PSDCone().project(matrix)
    values = np.linalg.eigvalsh(matrix)
    assert near.shape == (3, 3)
    np.testing.assert_allclose(np.linalg.eigvalsh(near), np.maximum(values, 0), atol=1e-9)
    np.testing.assert_array_equal(PSDCone().project(matrix.ravel()), near.ravel())


def test_simplex_projection_against_brute_force():
    v = np.array([0.3, -0.2, 0.9])
    steps = np.linspace(0, 1, 201)
    grid = np.array([[a, b, 1 - a - b] for a in steps for b in steps if a + b <= 1])
    nearest = grid[np.argmin(((grid - v) ** 2).sum(axis=1))]
    np.testing.assert_allclose(Simplex().project(v), nearest, atol=0.01)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: HalfSpace([0.0, 0.0]), "not all 0"),
        (lambda: AffineSet([[1.0], [1.0]], [0.0, 1.0]), "empty"),
        (lambda: AffineSet([[1.0]], [0.0, 1.0]), "rows and b"),
        (lambda: PSDCone().project(np.ones(3)), "square matrix"),
    ],
)
def test_refusals(make, words):
    with pytest.raises(InvalidDataError, match=words):
        make()
