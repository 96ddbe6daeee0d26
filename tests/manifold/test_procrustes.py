"""Procrustes analysis against SciPy, and configurations whose transform is known."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import orthogonal_procrustes
from scipy.spatial import procrustes as peer
from scipy.stats import ortho_group, special_ortho_group

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.manifold import align_embeddings, procrustes, procrustes_test

rng = np.random.default_rng(2)
A = rng.normal(size=(25, 3))
B = rng.normal(size=(25, 3)) + A


def test_scipys_disparity_and_rotation():
    assert procrustes(A, B).disparity == pytest.approx(peer(A, B)[2], rel=1e-12)
    found = procrustes(A, B, scale=False, translation=False)
    rotation, _ = orthogonal_procrustes(A, B)
    np.testing.assert_allclose(found.rotation, rotation, atol=1e-12)
    assert found.scale == 1.0
    squares = ((A @ rotation - B) ** 2).sum()
    assert found.disparity == pytest.approx(squares / (B**2).sum())


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 5), st.integers(0, 10_000), st.booleans())
def test_a_known_transform_is_found(p, seed, mirrored):
    draws = np.random.default_rng(seed)
    points = draws.normal(size=(p + 4, p))
    group = ortho_group if mirrored else special_ortho_group
    rotation = group.rvs(p, random_state=seed)
    scale, shift = draws.uniform(0.2, 4.0), draws.normal(size=p)
    found = procrustes(points, scale * points @ rotation + shift)
    np.testing.assert_allclose(found.rotation, rotation, atol=1e-7)
    np.testing.assert_allclose(found.translation, shift, atol=1e-7)
    assert found.scale == pytest.approx(scale)
    assert found.disparity < 1e-12
    new = draws.normal(size=(3, p))
    np.testing.assert_allclose(found.inverse_transform(found.transform(new)), new, atol=1e-7)


def test_without_reflection_no_rotation_is_better():
    mirrored = A * [1.0, 1.0, -1.0] + 0.1 * B
    found = procrustes(A, mirrored, reflection=False, scale=False)
    assert np.linalg.det(found.rotation) == pytest.approx(1.0)
    centred = A - A.mean(axis=0), mirrored - mirrored.mean(axis=0)
    best = ((centred[0] @ found.rotation - centred[1]) ** 2).sum()
    for rotation in special_ortho_group.rvs(3, size=300, random_state=0):
        assert ((centred[0] @ rotation - centred[1]) ** 2).sum() >= best


def test_weights_are_repetitions():
    counts = rng.integers(0, 4, len(A))
    weighted = procrustes(A, B, weights=counts)
    repeated = procrustes(np.repeat(A, counts, axis=0), np.repeat(B, counts, axis=0))
    np.testing.assert_allclose(weighted.rotation, repeated.rotation, atol=1e-10)
    np.testing.assert_allclose(weighted.translation, repeated.translation, atol=1e-10)
    assert weighted.disparity == pytest.approx(repeated.disparity)


def test_permutation_test():
    found = procrustes_test(A, B, n_permutations=199, random_state=0)
    assert found.p_value == pytest.approx(1 / 200)
    assert found.correlation == pytest.approx(np.sqrt(1 - found.disparity))
    order = np.random.RandomState(0).permutation(25)
    assert found.permuted[0] == pytest.approx(peer(A, B[order])[2])
    values = [
        procrustes_test(A, rng.normal(size=A.shape), n_permutations=19, random_state=i).p_value
        for i in range(60)
    ]
    assert 0.35 < np.mean(values) < 0.65  # uniform where nothing belongs together


@pytest.mark.parametrize("to", ["previous", "first", "mean"])
def test_alignment_of_embeddings(to):
    turned = [A @ ortho_group.rvs(3, random_state=i) + i for i in range(4)]
    aligned = align_embeddings(turned, to=to)
    for each in aligned[1:]:
        np.testing.assert_allclose(each, aligned[0], atol=1e-8)
    noisy = [each + 0.05 * rng.normal(size=A.shape) for each in turned]
    spread = np.std(align_embeddings(noisy, to=to), axis=0).mean()
    assert spread < 0.15


def test_what_cannot_be_done_is_said():
    with pytest.raises(InvalidDataError, match="shape"):
        procrustes(A, B[:, :2])
    with pytest.raises(InvalidDataError, match="all points of A are equal"):
        procrustes(np.ones((3, 2)), [[0, 0], [1, 1], [2, 0]])
    with pytest.raises(InvalidDataError, match="weights"):
        procrustes(A, B, weights=-np.ones(25))
    with pytest.raises(InvalidDataError, match="columns"):
        procrustes(A, B).transform([[1.0]])
    with pytest.raises(InvalidParameterError, match="n_permutations"):
        procrustes_test(A, B, n_permutations=0)
    with pytest.raises(InvalidParameterError, match="previous"):
        align_embeddings([A], to="last")
    with pytest.raises(InvalidDataError, match="no embedding"):
        align_embeddings([])
    with pytest.raises(InvalidDataError):
        procrustes([[np.nan, 1.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 1.0]])
