"""Moments of classes: against two passes in long double, and the laws of merging."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from stylobate import threads
from stylobate.data import read_table
from stylobate.exceptions import InvalidDataError
from stylobate.statistics import (
    ClassSums,
    DiagonalClassMoments,
    FullClassMoments,
    PooledClassMoments,
)
from stylobate.statistics.groups.category_counts import CategoryCounts
from stylobate.testing import check_merge_laws

FORMS = (DiagonalClassMoments, PooledClassMoments, FullClassMoments)
K = 4


def labelled(X, codes, weights=None, classes=None):
    table = read_table(X, np.asarray(codes, dtype=float), weights, owner="test")
    return replace(table, classes=np.arange(K) if classes is None else classes)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(5)
    codes = rng.integers(0, K, 500)
    X = rng.normal(size=(500, 6)) @ rng.normal(size=(6, 6)) + 1e3 * codes[:, None]
    return X, codes, rng.integers(0, 4, 500).astype(float)


def reference(X, codes, weights):
    """Means and scatters of the classes by two passes in extended precision."""
    X = np.asarray(X, dtype=np.longdouble)
    w = np.ones(len(X), dtype=np.longdouble) if weights is None else np.longdouble(weights)
    n, mean, scatter = [], [], []
    for c in range(K):
        own = codes == c
        n.append(w[own].sum())
        mean.append(w[own] @ X[own] / n[-1])
        d = X[own] - mean[-1]
        scatter.append((d * w[own, None]).T @ d)
    return (np.array(each, dtype=float) for each in (n, mean, scatter))


def expected(form, scatter):
    if form is DiagonalClassMoments:
        return np.diagonal(scatter, axis1=1, axis2=2)
    return scatter.sum(axis=0) if form is PooledClassMoments else scatter


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", [np.float64, np.float32, "columns", "csr"])
def test_agree_with_long_double(form, weighted, kind, data):
    X, codes, weights = data
    given_x = X.astype(np.float32).astype(float) if kind is np.float32 else X
    shown = {"columns": np.asfortranarray, "csr": sparse.csr_array}.get(
        kind, lambda x: x.astype(kind)
    )(given_x)
    w = weights if weighted else None
    found = form.of(labelled(shown, codes, w))
    n, mean, scatter = reference(given_x, codes, w)
    np.testing.assert_allclose(found.weight, n, rtol=1e-14)
    np.testing.assert_allclose(found.mean, mean, rtol=1e-13)
    np.testing.assert_allclose(
        found.scatter, expected(form, scatter), rtol=1e-11, atol=1e-11 * np.abs(scatter).max()
    )
    rows = np.bincount(codes[weights > 0] if weighted else codes, minlength=K)
    np.testing.assert_array_equal(found.n_rows, rows)


@pytest.mark.parametrize("form", [*FORMS, ClassSums])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", ["dense", "csr"])
def test_laws(form, weighted, kind, data):
    X, codes, weights = data
    cuts = [slice(0, 100), slice(100, 101), slice(101, 380), slice(380, 500)]
    tables = [
        labelled(
            X[cut] if kind == "dense" else sparse.csr_array(X[cut]),
            codes[cut],
            weights[cut] + 0.5 if weighted else None,
        )
        for cut in cuts
    ]
    check_merge_laws(form, tables)


def test_laws_of_category_counts():
    rng = np.random.default_rng(0)
    X, codes = rng.integers(0, 5, (60, 3)), rng.integers(0, K, 60)
    X[[0, 30]] = 4  # both parts know all categories
    check_merge_laws(CategoryCounts, [labelled(X[:30], codes[:30]), labelled(X[30:], codes[30:])])


@pytest.mark.parametrize("form", FORMS)
def test_classes_that_others_lack_are_added(form, data):
    X, codes, _ = data
    few = codes < 2
    left = form.of(labelled(X[few], codes[few], classes=np.array(["a", "b"])))
    right = form.of(labelled(X[~few], codes[~few] - 2, classes=np.array(["c", "d"])))
    whole = form.of(labelled(X, codes, classes=np.array(["a", "b", "c", "d"])))
    for merged in (left.merge(right), right.merge(left)):
        assert merged.classes.tolist() == ["a", "b", "c", "d"]
        np.testing.assert_allclose(merged.mean, whole.mean, rtol=1e-14)
        np.testing.assert_allclose(merged.scatter, whole.scatter, rtol=1e-10, atol=1e-9)
    back = whole.subtract(right).present()
    assert back.classes.tolist() == ["a", "b"]
    np.testing.assert_allclose(back.mean, left.mean, rtol=1e-13)
    np.testing.assert_allclose(back.scatter, left.scatter, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("form", FORMS)
def test_far_classes_keep_their_digits(form):
    """Classes a billion apart: the spread within is exact, for it is centred before squaring."""
    rng = np.random.default_rng(1)
    codes = rng.integers(0, K, 9000)
    offset = np.array([-1e9, 0.0, 1e9, 3e9])
    X = np.round(rng.normal(size=(9000, 2)), 3)
    X[:3] += 1e4  # the first rows are far from the mean of theirs
    found = form.of(labelled(X + offset[codes, None], codes))
    _, _, scatter = reference(X + offset[codes, None], codes, None)
    np.testing.assert_allclose(
        found.scatter, expected(form, scatter), rtol=1e-8, atol=1e-13 * np.abs(scatter).max()
    )


def test_constant_columns_have_no_scatter():
    X = np.full((5000, 2), 0.1)
    codes = np.arange(5000) % K
    assert not DiagonalClassMoments.of(labelled(X, codes)).scatter.any()
    assert not PooledClassMoments.of(labelled(X, codes)).scatter.any()


def test_wide_tables_take_the_other_road():
    rng = np.random.default_rng(2)
    X, codes = rng.normal(size=(20, 700)), np.arange(20) % K
    found = PooledClassMoments.of(labelled(X, codes))
    _, _, scatter = reference(X, codes, None)
    np.testing.assert_allclose(found.scatter, scatter.sum(axis=0), atol=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_same_bits_for_any_number_of_threads(form, data):
    X, codes, weights = (np.concatenate([each] * 30) for each in data)
    table = labelled(X, codes, weights)
    with threads(1):
        one = form.of(table)
    with threads(3):
        three = form.of(table)
    assert (one.mean == three.mean).all()
    assert (one.scatter == three.scatter).all()


@given(
    st.lists(
        st.tuples(st.integers(0, K - 1), st.floats(-1e6, 1e6), st.integers(0, 3)),
        min_size=1,
        max_size=40,
    ),
    st.integers(0, 40),
)
@settings(max_examples=60)
def test_any_rows_merge_to_the_whole(rows, cut):
    codes, values, weights = (np.array(each, dtype=float) for each in zip(*rows, strict=True))
    if not weights.any():
        return
    X = np.column_stack([values, values[::-1]])
    for form in FORMS:
        whole = form.of(labelled(X, codes, weights))
        parts = [
            form.of(replace(labelled(X, codes, weights).take(part), classes=np.arange(K)))
            for part in (slice(0, cut), slice(cut, None))
        ]
        merged = parts[0].merge(parts[1])
        size = np.abs(values).max() ** 2 * weights.sum()
        np.testing.assert_allclose(merged.weight, whole.weight)
        np.testing.assert_allclose(merged.mean, whole.mean, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(merged.scatter, whole.scatter, rtol=1e-9, atol=1e-12 * size)
        back = merged.subtract(parts[1])
        np.testing.assert_allclose(back.scatter, parts[0].scatter, atol=1e-9 * (size + 1e-12))


def test_what_is_no_class_is_refused():
    table = read_table([[1.0], [2.0]], [0.0, 0.5], owner="test")
    with pytest.raises(InvalidDataError, match="numbers of classes must be 0, 1, 2"):
        DiagonalClassMoments.of(table)
    with pytest.raises(InvalidDataError, match="got no y"):
        FullClassMoments.of(read_table([[1.0]], owner="test"))
    few = DiagonalClassMoments.of(read_table([[1.0]], [0], owner="test"))
    more = DiagonalClassMoments.of(read_table([[1.0], [2.0]], [0, 0], owner="test"))
    with pytest.raises(InvalidDataError, match="cannot take 2 rows of class 0 from 1"):
        few.subtract(more)
    other = DiagonalClassMoments.of(read_table([[1.0, 2.0]], [0], owner="test"))
    with pytest.raises(InvalidDataError, match="must describe the same columns"):
        few.merge(other)
