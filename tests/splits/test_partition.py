"""Training, validation and test parts: sizes, strata and groups, on anything."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn import model_selection as theirs

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.model_selection import train_test_split, train_validation_test_split
from stylobate.splits.apportionment import apportion, apportion_table

margins = st.lists(st.integers(1, 40), min_size=1, max_size=8)


@given(margins, st.lists(st.integers(1, 9), min_size=1, max_size=5))
def test_tables_of_whole_numbers(rows, weights):
    rows = np.array(rows)
    columns = apportion(int(rows.sum()), np.array(weights) / sum(weights))
    table = apportion_table(rows, columns)
    np.testing.assert_array_equal(table.sum(axis=1), rows)
    np.testing.assert_array_equal(table.sum(axis=0), columns)
    exact = np.outer(rows, columns) / rows.sum()
    assert np.abs(table - exact).max() < 1


def shares(draw_from):
    return st.lists(st.integers(1, 8), min_size=3, max_size=3).map(
        lambda parts: tuple(part / sum(parts) for part in parts)
    )


@given(st.lists(st.integers(0, 3), min_size=12, max_size=80), shares(None), st.integers(0, 99))
def test_strata_keep_their_shares(labels, sizes, seed):
    y = np.array(labels)
    counts = np.bincount(y)
    assume(counts[counts > 0].min() >= 3)
    rows = np.arange(len(y))
    parts = train_validation_test_split(rows, sizes=sizes, stratify=y, random_state=seed)
    again = train_validation_test_split(rows, sizes=sizes, stratify=y, random_state=seed)
    assert all(np.array_equal(a, b) for a, b in zip(parts, again, strict=True))
    assert sorted(np.concatenate(parts)) == rows.tolist()
    for part in parts:
        expected = counts * len(part) / len(y)
        assert np.abs(np.bincount(y[part], minlength=len(counts)) - expected).max() < 1


@given(
    st.lists(st.integers(0, 20), min_size=12, max_size=80),
    st.one_of(st.none(), st.integers(0, 1)),
    st.integers(0, 99),
)
def test_groups_stay_whole(groups, classes, seed):
    groups = np.array(groups)
    assume(len(np.unique(groups)) >= 3)
    y = None if classes is None else np.arange(len(groups)) % 2
    rows = np.arange(len(groups))
    options = {"groups": groups, "stratify": y, "random_state": seed}
    parts = train_validation_test_split(rows, **options)
    assert sorted(np.concatenate(parts)) == rows.tolist()
    assert all(len(part) for part in parts)
    assert sum(len(np.unique(groups[part])) for part in parts) == len(np.unique(groups))
    train, test = train_test_split(rows, **options)
    assert sorted([*train, *test]) == rows.tolist()
    assert not set(groups[train]) & set(groups[test])


@pytest.mark.parametrize("stratified", [False, True])
def test_many_groups_meet_sizes_and_strata(stratified):
    rng = np.random.default_rng(0)
    groups = rng.integers(0, 400, size=5000)
    y = (rng.random(400) < 0.3)[groups].astype(int)  # a class for each group: the hard case
    parts = train_validation_test_split(
        np.arange(5000), groups=groups, stratify=y if stratified else None, random_state=1
    )
    for part, share in zip(parts, (0.6, 0.2, 0.2), strict=True):
        assert abs(len(part) / 5000 - share) < 0.01
        if stratified:
            assert abs(y[part].mean() - y.mean()) < 0.01


def test_sizes_and_containers():
    frame = pd.DataFrame({"a": range(10)})
    parts = train_validation_test_split(frame, list(range(10)), sizes=(5, 3, 1), random_state=0)
    assert [len(part) for part in parts] == [5, 3, 1, 5, 3, 1]
    assert isinstance(parts[0], pd.DataFrame)
    assert parts[0]["a"].tolist() == parts[3]
    assert not set(parts[3]) & set(parts[4])
    assert [len(p) for p in train_validation_test_split(range(5), shuffle=False)] == [3, 1, 1]


@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize("stratified", [False, True])
def test_two_parts_without_groups_are_scikit_learns(seed, stratified):
    rows, y = np.arange(50), np.arange(50) % 3
    options = {"random_state": seed, "test_size": 0.3, "stratify": y if stratified else None}
    for a, b in zip(
        train_test_split(rows, **options), theirs.train_test_split(rows, **options), strict=True
    ):
        np.testing.assert_array_equal(a, b)


ROWS = list(range(6))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"sizes": (0.5, 0.5)}, "three shares"),
        ({"sizes": (0.5, 0.5, 0.5)}, "add up to 1.5"),
        ({"sizes": (0.5, 0.5, 0)}, "three shares"),
        ({"sizes": (3, 0.5, 1)}, "three shares"),
        ({"sizes": "all"}, "three shares"),
        ({"sizes": (4, 2, 1)}, "4 \\+ 2 \\+ 1 rows"),
        ({"sizes": (0.9, 0.05, 0.05)}, "each part needs at least one"),
        ({"stratify": [0, 0, 0, 0, 1, 1]}, "class in stratify, 1, has only 2"),
        ({"stratify": [0, 0, 1]}, "inconsistent numbers"),
        ({"groups": [0, 0, 0, 1, 1, 1]}, "2 group.* over 3 parts"),
        ({"groups": [0, 1, 2]}, "one group for each row"),
        ({"groups": [0, 0, 1, 1, 2, 2], "shuffle": False}, "at random only"),
        ({"stratify": ROWS, "shuffle": False}, "shuffle=False"),
    ],
)
def test_refused(options, words):
    with pytest.raises((InvalidDataError, InvalidParameterError), match=words):
        train_validation_test_split(ROWS, **options)


def test_refused_arrays():
    with pytest.raises(InvalidParameterError, match="at least one array"):
        train_validation_test_split()
    with pytest.raises(InvalidDataError, match="inconsistent numbers"):
        train_validation_test_split([1, 2, 3], [1, 2])
    with pytest.raises(InvalidDataError, match="1 group"):
        train_test_split(ROWS, groups=[1] * 6)
