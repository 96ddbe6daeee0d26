"""Sums of mixtures against plain NumPy in extended precision, and their laws."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.data import read_table
from stylobate.exceptions import InvalidDataError
from stylobate.statistics import MixtureAt, MixtureSums
from stylobate.testing import check_merge_laws


def mixture(rng, k, p, *, diagonal):
    factors = rng.uniform(0.5, 2.0, (k, p))
    if not diagonal:
        factors = np.tril(rng.normal(size=(k, p, p)) * 0.3) + factors[:, :, None] * np.eye(p)
    return MixtureAt(rng.normal(size=k), rng.normal(size=(k, p)) * 2.0, factors)


def long_sums(x, weights, at):
    """Likelihood, entropy and sums about the means, in extended precision."""
    x = x.astype(np.longdouble)
    w = np.ones(len(x), dtype=np.longdouble) if weights is None else weights
    deviations = x[:, None, :] - at.means
    if at.diagonal:
        turned = deviations * at.factors
    else:
        turned = np.einsum("cij,ncj->nci", at.factors.astype(np.longdouble), deviations)
    scores = at.bias - 0.5 * (turned**2).sum(axis=2)
    top = scores.max(axis=1, keepdims=True)
    norm = top[:, 0] + np.log(np.exp(scores - top).sum(axis=1))
    r = np.exp(scores - norm[:, None])
    entropy = -(w[:, None] * r * (scores - norm[:, None])).sum()
    r = r * w[:, None]
    first = np.einsum("nc,ncj->cj", r, deviations)
    shape = "nc,ncj,ncj->cj" if at.diagonal else "nc,nci,ncj->cij"
    second = np.einsum(shape, r, deviations, deviations)
    return float(w @ norm), float(entropy), r.sum(axis=0), first, second


@pytest.mark.parametrize("diagonal", [False, True])
@pytest.mark.parametrize(("n", "p", "k"), [(1, 1, 1), (300, 1, 2), (1000, 9, 3), (257, 20, 5)])
@pytest.mark.parametrize("kind", ["rows", "columns", "float32", "weights"])
def test_sums_of_every_layout(n, p, k, diagonal, kind):
    rng = np.random.default_rng(n + p)
    x = rng.normal(size=(n, p)) * 2.0
    x = {"columns": np.asfortranarray, "float32": np.float32}.get(kind, np.asarray)(x)
    weights = rng.integers(0, 3, n) + 0.5 if kind == "weights" else None
    at = mixture(rng, k, p, diagonal=diagonal)
    found = at.of(read_table(x, None, weights, owner="test"))
    expected = long_sums(x, weights, at)
    numbers = (found.log_likelihood, found.entropy, found.weight, found.first, found.second)
    for ours, theirs in zip(numbers, expected, strict=True):
        theirs = np.asarray(theirs, dtype=np.float64)
        np.testing.assert_allclose(ours, theirs, rtol=1e-11, atol=1e-11 * n)
    # about other points the moments are the same
    moved = at.about(at.means + 0.5).of(read_table(x, None, weights, owner="test"))
    np.testing.assert_allclose(moved.means(), found.means(), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(moved.scatter(), found.scatter(), rtol=1e-9, atol=1e-9 * n)


@pytest.mark.parametrize("diagonal", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_laws_of_merging(diagonal, weighted):
    rng = np.random.default_rng(2)
    x = rng.normal(size=(3000, 4)) * 2.0
    w = rng.integers(0, 3, 3000).astype(float) if weighted else None
    if weighted:
        w[[0, 1, 1500]] = 1.0
    recipe = mixture(rng, 3, 4, diagonal=diagonal)

    class Sums(MixtureSums):
        of = recipe.of

    parts = [slice(0, 1), slice(1, 1500), slice(1500, 3000)]
    tables = [read_table(x[a], None, None if w is None else w[a], owner="test") for a in parts]
    check_merge_laws(Sums, tables)


def test_given_memberships():
    rng = np.random.default_rng(0)
    x, r = rng.normal(size=(700, 3)) + 5.0, rng.uniform(size=(700, 2))
    w = rng.uniform(size=700)
    table = read_table(x, None, w, owner="test")
    for diagonal in (False, True):
        sums = MixtureSums.of_memberships(table, r, np.full((2, 3), 5.0), diagonal=diagonal)
        for c in range(2):
            own = r[:, c] * w
            mean = np.average(x, axis=0, weights=own)
            np.testing.assert_allclose(sums.means()[c], mean, rtol=1e-12)
            scatter = (own[:, None] * (x - mean)).T @ (x - mean)
            expected = np.diag(scatter) if diagonal else scatter
            np.testing.assert_allclose(sums.scatter()[c], expected, rtol=1e-10, atol=1e-10)


def test_memberships_that_underflow_and_components_without_weight():
    x = np.array([[0.0], [1e3]])
    at = MixtureAt(np.array([0.0, 0.0, -np.inf]), np.array([[0.0], [1e3], [5.0]]), np.ones((3, 1)))
    sums = at.of(read_table(x, owner="test"))
    assert sums.weight.tolist() == [1.0, 1.0, 0.0]
    assert sums.entropy == 0.0
    assert sums.means().ravel().tolist() == [0.0, 1e3, 5.0]  # without rows: where it was


def test_what_is_not_finite_is_noticed():
    at = MixtureAt(np.zeros(1), np.zeros((1, 2)), np.ones((1, 2, 2)))
    for bad in (np.nan, np.inf, 1e300):
        table = read_table([[bad, 1.0]], owner="test", check_finite="deferred")
        assert not at.of(table).is_finite()
    table = read_table([[1.0, 1.0]], owner="test")
    elsewhere = at.about(np.ones((1, 2))).of(table)
    with pytest.raises(InvalidDataError, match="same points"):
        at.of(table).merge(elsewhere)
