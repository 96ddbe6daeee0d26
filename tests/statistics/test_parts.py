"""Statistics of parts: atoms of divisions, stacks of moments, and what they are merged from."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from stylobate.data import read_table
from stylobate.exceptions import InvalidDataError, NumericalError
from stylobate.sources import MemorySource
from stylobate.statistics import Moments, TriangularFactor
from stylobate.statistics.atoms import atoms_of
from stylobate.statistics.moments.stack import MomentsStack
from stylobate.statistics.parts import PartStatistics


def table_of(seed, n=60, p=3, t=1, weights=False, wrap=np.asarray):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, p)) + 5.0
    y = rng.normal(size=(n, t))
    w = rng.choice([0.0, 1.0, 2.5], size=n) if weights else None
    return read_table(wrap(x), y, w, owner="test")


def agree(a, b):
    assert a.n_rows == b.n_rows
    assert a.n_targets == b.n_targets
    assert a.weight == pytest.approx(b.weight)
    assert a.log_weight == pytest.approx(b.log_weight)
    np.testing.assert_allclose(a.mean, b.mean, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(a.scatter, b.scatter, rtol=1e-10, atol=1e-11)


def members(rows, n):
    return set(np.arange(n)[rows].tolist())


@given(st.integers(0, 2**31), st.integers(2, 40), st.integers(1, 4), st.booleans())
def test_atoms_make_up_the_parts(seed, n, count, runs):
    rng = np.random.default_rng(seed)
    divisions = []
    for _ in range(count):
        owner = rng.integers(0, 3, size=n)
        owner = np.sort(owner) if runs else owner
        parts = [np.flatnonzero(owner == k) for k in range(2) if (owner == k).any()]
        if not parts:
            parts = [np.arange(n)]
        if rng.random() < 0.3:  # masks, and numbers from the end
            parts[0] = np.isin(np.arange(n), parts[0])
        elif rng.random() < 0.3:
            parts[0] = rng.permutation(parts[0]) - n
        divisions.append(parts)
    atoms = atoms_of(divisions, n)
    sets = [members(rows, n) for rows in atoms.rows]
    assert sum(map(len, sets)) == n
    assert set().union(*sets) == set(range(n))
    for parts, owner in zip(divisions, atoms.owners, strict=True):
        for k, part in enumerate(parts):
            found = set().union(*(sets[a] for a in np.flatnonzero(owner == k)))
            assert found == members(part, n)


def test_rows_that_cannot_be_cut_into_atoms():
    twice = np.array([1, 1, 2])
    assert atoms_of([[twice]], 5) is None
    assert atoms_of([[np.array([0, 1]), np.array([1, 2])]], 5) is None
    assert atoms_of([[np.array([0, 1]), np.array([], dtype=int)]], 5) is None
    rng = np.random.default_rng(0)
    many = [np.array_split(rng.permutation(2000), 2) for _ in range(12)]
    assert atoms_of(many, 2000) is None
    for wrong in (np.array([3, 5]), np.array([-6, 0])):
        with pytest.raises(IndexError):
            atoms_of([[wrong]], 5)


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("wrap", [np.asarray, np.float32, sparse.csr_array, sparse.csc_array])
def test_stacks_are_the_moments_of_each_part(weights, wrap):
    table = table_of(1, weights=weights, wrap=wrap)
    rng = np.random.default_rng(2)
    runs = [slice(0, 10), slice(30, 60), slice(5, 6)]
    mixed = [*runs, rng.permutation(60)[:20], np.array([7])]
    for parts in (runs, mixed):
        stack = MomentsStack.of_parts(table, parts)
        assert len(stack) == len(parts)
        for found, part in zip(stack, parts, strict=True):
            agree(found, Moments.of(table.take(part)))


@given(st.integers(0, 2**31), st.integers(1, 30), st.booleans())
def test_unions_are_merged_moments(seed, count, weights):
    rng = np.random.default_rng(seed)
    table = table_of(seed, n=60, weights=weights)
    cuts = np.linspace(0, 60, count + 1).astype(int)
    stack = MomentsStack.of_parts(table, [slice(a, b) for a, b in pairwise(cuts)])
    unions = [np.sort(rng.permutation(count)[: rng.integers(1, count + 1)]) for _ in range(40)]
    for found, chosen in zip(stack.unions(unions), unions, strict=True):
        rows = np.concatenate([np.arange(cuts[k], cuts[k + 1]) for k in chosen])
        agree(found, Moments.of(table.take(rows)))


def test_stacked_and_taken_apart_again():
    table = table_of(3, t=2)
    parts = [Moments.of(table.take(slice(k, k + 20))) for k in (0, 20, 40)]
    stack = MomentsStack.stacked(parts)
    for a, b in zip(stack, parts, strict=True):
        agree(a, b)
    for k, part in enumerate(parts):
        agree(stack.about_zero()[k], part.about_zero())
        np.testing.assert_array_equal(stack.xx[k], part.xx)
        np.testing.assert_array_equal(stack.xy[k], part.xy)
        np.testing.assert_array_equal(stack.yy[k], np.diag(part.yy))


@pytest.mark.parametrize("recipe", [Moments, TriangularFactor])
@pytest.mark.parametrize("shuffled", [False, True])
def test_growing_parts(recipe, shuffled):
    table = table_of(4)
    order = np.random.default_rng(0).permutation(60) if shuffled else np.arange(60)
    divisions = [np.split(order, [10, 25, 40]), np.split(order[::-1], [5, 30])]
    known = PartStatistics.of(MemorySource(table), recipe, divisions, 60)
    grown, last = known.growing()
    for d, parts in enumerate(divisions):
        for k in range(len(parts) - 1):
            rows = np.concatenate(parts[: k + 1])
            right = recipe.of(table.take(rows))
            np.testing.assert_allclose(
                grown[d][k].column_lengths(), right.column_lengths(), rtol=1e-11
            )
            assert grown[d][k].n_rows == len(rows)
        assert last[d].n_rows == len(parts[-1])
    assert known.whole.n_rows == 60


def test_bad_rows_are_named_whatever_part_they_are_in():
    table = table_of(5)
    table.x[33, 1] = np.nan
    with pytest.raises(InvalidDataError, match="NaN"):
        MemorySource(table).compute_parts(Moments, [slice(0, 20), slice(20, 60)])
    table.x[33, 1] = 1e200
    with pytest.raises(NumericalError, match="column 1"):
        MemorySource(table).compute_parts(Moments, [slice(0, 20), np.arange(20, 60)])
    table.x[:, 1] = 7.0  # a constant column is doubtful, and let through
    found = MemorySource(table).compute_parts(Moments, [slice(0, 20), slice(20, 60)])
    assert [part.scatter[1, 1] for part in found] == [0.0, 0.0]
