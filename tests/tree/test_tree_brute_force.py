"""Splits of small data against trying every split, every direction and every set of categories."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stylobate.tree.growing import Growth, grow_classes, grow_numbers

CLASSES = ("gini", "entropy", "misclassification")
NUMBERS = ("squared_error", "absolute_error", "poisson")


def weighted_median(y, w):
    order = np.argsort(y)
    y, w = y[order], w[order]
    below = np.cumsum(w)
    half = 0.5 * below[-1]
    k = int(np.searchsorted(below, half))
    return 0.5 * (y[k] + y[k + 1]) if below[k] == half else y[k]


def loss(y, w, criterion):
    """Weight times impurity of one output."""
    if len(y) == 0:
        return 0.0
    total = w.sum()
    if criterion in ("gini", "entropy", "misclassification"):
        p = np.array([w[y == c].sum() for c in np.unique(y)]) / total
        if criterion == "gini":
            return total * (1.0 - (p**2).sum())
        if criterion == "entropy":
            return -total * (p * np.log2(p)).sum()
        return total * (1.0 - p.max())
    if criterion == "absolute_error":
        return (w * np.abs(y - weighted_median(y, w))).sum()
    mean = np.average(y, weights=w)
    if criterion == "squared_error":
        return (w * (y - mean) ** 2).sum()
    if mean <= 0.0:
        return np.inf
    return (w * np.where(y > 0, y * np.log(np.where(y > 0, y, 1.0) / mean), 0.0)).sum()


def masks_of(column, categorical):
    """All ways a column can send rows left."""
    missing = np.isnan(column)
    values = np.unique(column[~missing])
    if categorical:
        subsets = chain.from_iterable(combinations(values, r) for r in range(1, len(values) + 1))
        masks = [np.isin(column, each) for each in subsets]
    else:
        masks = [column <= value for value in values]
    for mask in masks:
        yield mask & ~missing
        if missing.any():
            yield mask | missing


def best_decrease(x, y, w, criterion, categorical=(), min_leaf=1, min_weight=0.0):
    """The most any split of the rows lowers weight times impurity."""
    whole, best = loss(y, w, criterion), -np.inf
    for j in range(x.shape[1]):
        for mask in masks_of(x[:, j], j in categorical):
            if min(mask.sum(), (~mask).sum()) < min_leaf:
                continue
            if min(w[mask].sum(), w[~mask].sum()) < min_weight:
                continue
            sides = loss(y[mask], w[mask], criterion) + loss(y[~mask], w[~mask], criterion)
            best = max(best, whole - sides)
    return best


def decrease_of(tree, node=0):
    """What the split of a node lowers weight times impurity by."""
    held = tree.weighted_n_node_samples * tree.impurity
    return held[node] - held[tree.children_left[node]] - held[tree.children_right[node]]


@given(st.integers(0, 10_000), st.sampled_from(CLASSES + NUMBERS), st.integers(1, 3))
def test_every_split_is_the_best_of_all(seed, criterion, min_leaf):
    rng = np.random.default_rng(seed)
    n, n_classes = int(rng.integers(6, 14)), int(rng.integers(2, 4))
    x = rng.integers(0, 5, size=(n, 3)).astype(float)
    x[rng.random(x.shape) < 0.2] = np.nan
    w = rng.uniform(0.2, 3.0, size=n) if seed % 2 else np.ones(n)
    growth = Growth(criterion, min_samples_leaf=min_leaf, max_depth=1)
    numeric = criterion in NUMBERS
    y = rng.integers(0, 6 if numeric else n_classes, size=n).astype(float)
    y[:2] = [0, 1]
    # the last column holds categories: the best set is found for two classes and for numbers,
    # unless leaves must be large
    exact = min_leaf == 1 and (
        criterion in ("squared_error", "poisson")
        or (not numeric and n_classes == 2 and criterion != "misclassification")
    )
    if criterion == "poisson":
        y += 1.0  # a side without events is no candidate
    categories = np.array([0, 0, 5], dtype=np.int32) if exact else None
    options = {"growth": growth, "seeds": [0], "weights": w, "categories": categories}
    if numeric:
        (tree,) = grow_numbers(x, y[:, None], **options)
    else:
        (tree,) = grow_classes(x, y.astype(np.int64)[:, None], [n_classes], **options)
    best = best_decrease(x, y, w, criterion, categorical=(2,) if exact else (), min_leaf=min_leaf)
    if tree.node_count == 1:
        assert best == -np.inf or not np.isfinite(best)
    else:
        assert decrease_of(tree) == pytest.approx(best, abs=1e-9)
        mask = tree.apply(x) == 1
        assert mask.sum() == tree.n_node_samples[1]  # prediction sends rows where growth did


@given(st.integers(0, 10_000))
def test_medians_are_exact(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 40))
    x, y = rng.normal(size=(n, 1)), rng.integers(0, 8, size=(n, 2)).astype(float)
    w = rng.integers(1, 4, size=n).astype(float)
    (tree,) = grow_numbers(x, y, growth=Growth("absolute_error"), seeds=[0], weights=w)
    leaf = tree.apply(x)
    for node in np.unique(leaf):
        inside = leaf == node
        for k in range(2):
            repeated = np.repeat(y[inside, k], w[inside].astype(int))
            assert tree.value[node, k, 0] == np.median(repeated)
