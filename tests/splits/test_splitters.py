"""Splitters: the folds of scikit-learn for the same seeds, and refusals in words."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import model_selection as theirs

from stylobate import splits as ours
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning

SEEDS = [0, 1, 42]


def pairs(splitter, *args, **kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [(a.tolist(), b.tolist()) for a, b in splitter.split(*args, **kwargs)]


def same(name, parameters, *args, **kwargs):
    mine = getattr(ours, name)(**parameters)
    other = getattr(theirs, name)(**parameters)
    assert pairs(mine, *args, **kwargs) == pairs(other, *args, **kwargs)
    counted = mine.get_n_splits(*args, **kwargs)
    assert counted == other.get_n_splits(*args, **kwargs) == len(pairs(mine, *args, **kwargs))


@pytest.mark.parametrize("name", ["KFold", "StratifiedKFold"])
@pytest.mark.parametrize("seed", [None, *SEEDS])
@pytest.mark.parametrize("n_splits", [2, 3, 7])
def test_folds(name, seed, n_splits):
    y = np.random.default_rng(3).choice(["c", "a", "b"], size=53, p=[0.2, 0.5, 0.3])
    parameters = {"n_splits": n_splits}
    if seed is not None:
        parameters |= {"shuffle": True, "random_state": seed}
    same(name, parameters, np.zeros((53, 2)), y)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "sizes",
    [
        {},
        {"test_size": 0.3},
        {"test_size": 11},
        {"train_size": 0.45},
        {"train_size": 20, "test_size": 7},
        {"train_size": 0.5, "test_size": 9},
    ],
)
@pytest.mark.parametrize("name", ["ShuffleSplit", "StratifiedShuffleSplit"])
def test_random_splits(name, sizes, seed):
    y = np.random.default_rng(seed).integers(0, 4, size=61)
    same(name, {"n_splits": 4, "random_state": seed, **sizes}, np.zeros((61, 1)), y)


@pytest.mark.parametrize("seed", [None, *SEEDS])
def test_groups(seed):
    groups = np.random.default_rng(5).choice(list("abcdefgh"), size=70)
    parameters = {"n_splits": 3}
    if seed is not None:
        parameters |= {"shuffle": True, "random_state": seed}
    same("GroupKFold", parameters, np.zeros((70, 1)), groups=groups)


@pytest.mark.parametrize("seed", range(5))
def test_groups_of_equal_sizes(seed):
    groups = np.random.default_rng(seed).permutation(np.repeat(np.arange(30), 3))
    same("GroupKFold", {"n_splits": 4}, np.zeros((90, 1)), groups=groups)


def test_leave_one_out_and_predefined():
    same("LeaveOneOut", {}, np.zeros((6, 1)))
    same("PredefinedSplit", {"test_fold": [0, 3, -1, 3, 0, 1]})


@given(
    st.lists(st.integers(0, 4), min_size=6, max_size=60),
    st.integers(2, 5),
    st.one_of(st.none(), st.integers(0, 2**31)),
)
def test_stratified_folds_of_anything(labels, n_splits, seed):
    x, y = np.zeros((len(labels), 1)), np.array(labels)
    if np.bincount(y).max() < n_splits or n_splits > len(y):
        with pytest.raises(InvalidParameterError):
            pairs(ours.StratifiedKFold(n_splits), x, y)
        return
    parameters = {"n_splits": n_splits}
    if seed is not None:
        parameters |= {"shuffle": True, "random_state": seed}
    same("StratifiedKFold", parameters, x, y)


def test_stratified_splits_of_several_columns():
    y = np.random.default_rng(0).integers(0, 2, size=(40, 2))
    same("StratifiedShuffleSplit", {"random_state": 1, "test_size": 0.5}, np.zeros((40, 1)), y)


def test_a_small_class_is_told():
    with pytest.warns(StylobateWarning, match="only 2 members"):
        list(ours.StratifiedKFold(3).split(np.zeros((8, 1)), [0, 0, 0, 0, 0, 0, 1, 1]))


@pytest.mark.parametrize(
    ("cv", "y", "classifier"),
    [
        (3, [0, 1, 1, 0, 1, 0], True),
        (3, [0, 1, 1, 0, 1, 0], False),
        (None, [0.5, 1.5, 2.5, 3.5, 4.5], True),
        (2, ["a", "b", "a", "b"], True),
        ([([0, 1], [2]), ([1, 2], [0])], None, False),
    ],
)
def test_check_cv(cv, y, classifier):
    mine = ours.check_cv(cv, y, classifier=classifier)
    other = theirs.check_cv(cv, y, classifier=classifier)
    x = np.zeros((len(y) if y is not None else 3, 1))
    assert [(list(a), list(b)) for a, b in mine.split(x, y)] == [
        (list(a), list(b)) for a, b in other.split(x, y)
    ]


def test_an_iterator_of_splits_can_be_gone_over_again():
    splitter = ours.check_cv(iter([([0], [1]), ([1], [0])]))
    assert pairs(splitter, None) == pairs(splitter, None) == [([0], [1]), ([1], [0])]


@pytest.mark.parametrize(
    "y",
    [
        [0, 1, 0],
        [0.0, 1.0],
        ["a", "b", "c"],
        np.array(["a", "b"], dtype=object),
        [1, 2, 3],
        [0.1, 0.2],
        [1],
        [[0, 1], [1, 0]],
        [[1, 2], [3, 1]],
        [[0.5, 1.0], [1.0, 2.0]],
        [[1], [2], [3]],
        [True, False],
        pd.Series(["x", "y"]),
    ],
)
def test_type_of_target(y):
    from sklearn.utils.multiclass import type_of_target

    assert ours.type_of_target(y) == type_of_target(y)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: ours.KFold(1), "n_splits must be an integer of at least 2"),
        (lambda: ours.KFold(2.5), "n_splits must be an integer"),
        (lambda: ours.StratifiedKFold(3, random_state=0), "shuffle=True"),
        (lambda: ours.ShuffleSplit(0), "at least 1"),
        (lambda: ours.ShuffleSplit(test_size=1.5), "share of the rows"),
        (lambda: ours.ShuffleSplit(test_size=0.6, train_size=0.6), "add up to"),
        (lambda: ours.PredefinedSplit([[0]]), "one number per row"),
        (lambda: ours.check_cv("five"), "number of folds"),
    ],
)
def test_refused_parameters(make, words):
    with pytest.raises(InvalidParameterError, match=words):
        make()


@pytest.mark.parametrize(
    ("split", "words"),
    [
        (lambda x: ours.KFold(9).split(x), "cannot make 9 parts of 5 rows"),
        (lambda x: ours.StratifiedKFold(3).split(x, [0, 1, 2, 3, 4]), "members in each class"),
        (lambda x: ours.StratifiedKFold(2).split(x, [0.5, 1, 2, 3, 4]), "'continuous'"),
        (lambda x: ours.StratifiedKFold(2).split(x), "y is needed"),
        (lambda x: ours.StratifiedKFold(2).split(x, [0, 1]), "inconsistent numbers"),
        (lambda x: ours.GroupKFold(2).split(x), "should not be None"),
        (lambda x: ours.GroupKFold(2).split(x, groups=[1] * 5), "2 parts of 1 groups"),
        (lambda x: ours.GroupKFold(2).split(x, groups=[1, 2]), "one group for each row"),
        (lambda x: ours.LeaveOneOut().split(x[:1]), "leave one out of 1"),
        (lambda x: ours.ShuffleSplit(test_size=5).split(x), "less than the number of rows"),
        (lambda x: ours.ShuffleSplit(test_size=3, train_size=4).split(x), "more than the 5 rows"),
        (lambda x: ours.StratifiedShuffleSplit().split(x, [0, 0, 1, 1, 2]), "only 1 member"),
        (lambda x: ours.StratifiedShuffleSplit().split(x, [0, 0, 1, 1, 1]), "number of classes"),
        (lambda x: ours.GivenSplits([(1, 2, 3)]).split(x), "must be a pair"),
    ],
)
def test_refused_data(split, words):
    with pytest.raises((InvalidDataError, InvalidParameterError), match=words):
        list(split(np.zeros((5, 1))))


def test_scikit_learn_takes_our_splitters():
    from sklearn.linear_model import Ridge

    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(40, 3)), rng.normal(size=40)
    mine = theirs.cross_val_score(Ridge(), x, y, cv=ours.KFold(4, shuffle=True, random_state=3))
    other = theirs.cross_val_score(Ridge(), x, y, cv=theirs.KFold(4, shuffle=True, random_state=3))
    np.testing.assert_array_equal(mine, other)
