"""Grouped, repeated, exhaustive and time-series splitters: scikit-learn's folds, and their laws."""

from __future__ import annotations

import pickle
import warnings
from copy import deepcopy

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import model_selection as theirs

from stylobate import model_selection
from stylobate import splits as ours
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.splits.value_numbers import at_most_two, numbered

SEEDS = [0, 1, 42]


def pairs(splitter, *args, **kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [(a.tolist(), b.tolist()) for a, b in splitter.split(*args, **kwargs)]


def same(name, parameters, *args, **kwargs):
    mine = getattr(ours, name)(**parameters)
    other = getattr(theirs, name)(**parameters)
    found = pairs(mine, *args, **kwargs)
    assert found == pairs(other, *args, **kwargs)
    assert mine.get_n_splits(*args, **kwargs) == other.get_n_splits(*args, **kwargs) == len(found)
    assert repr(mine).split() == repr(other).split()  # theirs breaks long lines


@pytest.mark.parametrize("name", ["RepeatedKFold", "RepeatedStratifiedKFold"])
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("n_splits", "n_repeats"), [(2, 1), (3, 4), (7, 2)])
def test_repeated(name, seed, n_splits, n_repeats):
    y = np.random.default_rng(seed).integers(0, 3, size=41)
    parameters = {"n_splits": n_splits, "n_repeats": n_repeats, "random_state": seed}
    same(name, parameters, np.zeros((41, 1)), y)


@pytest.mark.parametrize("seed", [None, *SEEDS])
@pytest.mark.parametrize("n_splits", [2, 3, 8])
@pytest.mark.parametrize("n_classes", [2, 3, 11])
def test_stratified_groups(seed, n_splits, n_classes):
    rng = np.random.default_rng(n_classes)
    y = rng.integers(0, n_classes, size=300)
    groups = rng.choice([f"g{k}" for k in range(40)], size=300)
    parameters = {"n_splits": n_splits}
    if seed is not None:
        parameters |= {"shuffle": True, "random_state": seed}
    same("StratifiedGroupKFold", parameters, np.zeros((300, 1)), y, groups)


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9)), min_size=8, max_size=60),
    st.integers(2, 5),
    st.one_of(st.none(), st.integers(0, 2**31)),
)
def test_stratified_groups_of_anything(rows, n_splits, seed):
    y, groups = np.array(rows).T
    x = np.zeros((len(y), 1))
    parameters = {"n_splits": n_splits}
    if seed is not None:
        parameters |= {"shuffle": True, "random_state": seed}
    if len(np.unique(groups)) < n_splits or np.bincount(y).max() < n_splits:
        with pytest.raises(InvalidParameterError):
            pairs(ours.StratifiedGroupKFold(**parameters), x, y, groups)
        return
    same("StratifiedGroupKFold", parameters, x, y, groups)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("sizes", [{}, {"test_size": 0.4}, {"test_size": 3}, {"train_size": 0.5}])
def test_random_groups(seed, sizes):
    groups = np.random.default_rng(seed).integers(0, 12, size=80)
    parameters = {"n_splits": 4, "random_state": seed, **sizes}
    same("GroupShuffleSplit", parameters, np.zeros((80, 1)), groups=groups)


def test_left_out_rows_and_groups():
    groups = np.array(["b", "a", "b", "c", "d", "a", "d"])
    x = np.zeros((7, 1))
    same("LeaveOneGroupOut", {}, x, groups=groups)
    for count in (1, 2, 3):
        same("LeavePGroupsOut", {"n_groups": count}, x, groups=groups)
        same("LeavePOut", {"p": count}, x)
    same("LeavePOut", {"p": 6}, x)


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"n_splits": 3},
        {"n_splits": 3, "gap": 2},
        {"n_splits": 2, "test_size": 5},
        {"n_splits": 4, "max_train_size": 3},
        {"n_splits": 3, "max_train_size": 4, "test_size": 3, "gap": 1},
    ],
)
@pytest.mark.parametrize("n", [13, 20, 23])
def test_time_series(parameters, n):
    same("TimeSeriesSplit", parameters, np.zeros((n, 1)))


@pytest.mark.parametrize(
    "name",
    ["KFold", "StratifiedKFold", "GroupKFold", "ShuffleSplit", "StratifiedShuffleSplit",
     "LeaveOneOut"],
)  # fmt: skip
def test_representations_of_the_others(name):
    assert repr(getattr(ours, name)()).split() == repr(getattr(theirs, name)()).split()


@pytest.mark.parametrize("kind", [list, pd.Series, pl.Series, np.array])
def test_containers_of_groups(kind):
    groups = ["a", "b", "a", "c", "c", "b"]
    y = [0, 1, 0, 1, 0, 1]
    for splitter in (ours.LeaveOneGroupOut(), ours.StratifiedGroupKFold(2), ours.GroupKFold(2)):
        with_kind = pairs(splitter, np.zeros((6, 1)), kind(y), kind(groups))
        assert with_kind == pairs(splitter, np.zeros((6, 1)), y, groups)


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=40))
def test_numbers_of_integers(values):
    check_numbers(np.array(values, dtype=np.int64))


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=40), st.sampled_from("bhilqfd"))
def test_numbers_of_few_values(values, code):
    check_numbers(np.array(values, dtype=code))


@given(st.lists(st.integers(2**64 - 50, 2**64 - 1), min_size=1, max_size=40))
def test_numbers_of_large_unsigned(values):
    check_numbers(np.array(values, dtype=np.uint64))


@given(st.lists(st.text(max_size=9), min_size=1, max_size=40))
def test_numbers_of_text(values):
    check_numbers(np.array(values))


@given(st.lists(st.floats(), min_size=1, max_size=20))
def test_numbers_of_any_float(values):
    check_numbers(np.array(values))


def check_numbers(values):
    classes, numbers = numbered(values)
    expected, places = np.unique(values, return_inverse=True)
    assert classes.dtype == values.dtype
    np.testing.assert_array_equal(classes, expected)
    np.testing.assert_array_equal(numbers, places)
    if not (values.dtype.kind == "f" and np.isnan(values).any()):
        assert at_most_two(values) == (len(expected) <= 2)


def test_groups_given_in_vain_are_told():
    x, groups = np.zeros((6, 1)), [0, 0, 1, 1, 2, 2]
    for splitter in (ours.KFold(2), ours.TimeSeriesSplit(2), ours.RepeatedKFold(n_splits=2),
                     ours.ShuffleSplit(2), ours.LeavePOut(2)):  # fmt: skip
        with pytest.warns(StylobateWarning, match="groups parameter is ignored"):
            list(splitter.split(x, None, groups))


@pytest.mark.parametrize(
    "splitter",
    [
        ours.RepeatedKFold(n_splits=2, n_repeats=2, random_state=3),
        ours.StratifiedGroupKFold(2, shuffle=True, random_state=3),
        ours.GroupShuffleSplit(3, random_state=3),
        ours.TimeSeriesSplit(2),
    ],
)
def test_same_seed_same_splits_also_of_copies(splitter):
    rng = np.random.default_rng(0)
    args = np.zeros((30, 1)), rng.integers(0, 2, 30), rng.integers(0, 9, 30)
    first = pairs(splitter, *args)
    assert first == pairs(splitter, *args) == pairs(deepcopy(splitter), *args)
    assert first == pairs(pickle.loads(pickle.dumps(splitter)), *args)


def test_scikit_learn_takes_them():
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(0)
    x, y, groups = rng.normal(size=(60, 3)), rng.integers(0, 2, 60), rng.integers(0, 12, 60)
    for name, parameters in (
        ("StratifiedGroupKFold", {"n_splits": 3}),
        ("LeaveOneGroupOut", {}),
        ("GroupShuffleSplit", {"random_state": 2}),
    ):
        scores = [
            theirs.cross_val_score(
                LogisticRegression(), x, y, groups=groups, cv=getattr(package, name)(**parameters)
            )
            for package in (ours, theirs)
        ]
        np.testing.assert_array_equal(*scores)


def test_selection_exports_every_splitter():
    for name in ours.__all__:
        if name not in ("GivenSplits", "Split", "splits_of", "type_of_target"):
            assert getattr(model_selection, name) is getattr(ours, name)
            assert name in model_selection.__all__
    assert {n for n in dir(theirs) if n.endswith(("Fold", "Split", "Out"))} - {
        "BaseShuffleSplit"
    } <= set(model_selection.__all__)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: ours.RepeatedKFold(n_splits=1), "n_splits must be an integer of at least 2"),
        (lambda: ours.RepeatedKFold(n_repeats=0), "n_repeats must be an integer of at least 1"),
        (lambda: ours.LeavePOut(0), "p must be an integer"),
        (lambda: ours.LeavePGroupsOut(1.5), "n_groups must be an integer"),
        (lambda: ours.TimeSeriesSplit(3, gap=-1), "gap must be"),
        (lambda: ours.TimeSeriesSplit(3, test_size=0), "test_size must be"),
        (lambda: ours.TimeSeriesSplit(3, max_train_size=0.5), "max_train_size must be"),
        (lambda: ours.StratifiedGroupKFold(3, random_state=1), "shuffle=True"),
        (lambda: ours.GroupShuffleSplit(test_size=-1), "share of the rows"),
    ],
)
def test_refused_parameters(make, words):
    with pytest.raises(InvalidParameterError, match=words):
        make()


NAMES = ["a", "a", "b", "c", "c"]


@pytest.mark.parametrize(
    ("split", "words"),
    [
        (lambda x: ours.LeavePOut(5).split(x), "strictly less than the number of rows, 5"),
        (lambda x: ours.LeavePOut(2).get_n_splits(), "X is needed"),
        (lambda x: ours.LeaveOneGroupOut().split(x, groups=["a"] * 5), "at least 2 groups"),
        (lambda x: ours.LeaveOneGroupOut().get_n_splits(x), "should not be None"),
        (lambda x: ours.LeavePGroupsOut(3).split(x, groups=NAMES), "3 of 3 group"),
        (lambda x: ours.GroupShuffleSplit().split(x, groups=["a"] * 5), "only one group, 'a'"),
        (lambda x: ours.GroupShuffleSplit().split(x, groups=NAMES[:4]), "one group for each row"),
        (lambda x: ours.GroupKFold(2).split(x, groups=[1, 1, np.nan, 2, 2]), "NaN .*row 2"),
        (lambda x: ours.GroupKFold(2).split(x, groups=[1, 1, None, 2, 2]), "None .*row 2"),
        (lambda x: ours.GroupKFold(2).split(x, groups=np.array([1, "a", 2, 2, 1], dtype=object)),
         "cannot be sorted"),
        (lambda x: ours.StratifiedGroupKFold(4).split(x, [0] * 5, NAMES), "4 parts of 3 groups"),
        (lambda x: ours.StratifiedGroupKFold(3).split(x, [0, 0, 1, 1, 1], ["a"] * 5),
         "3 parts of 1 groups"),
        (lambda x: ours.StratifiedGroupKFold(2).split(x, [.5, 1, 2, 3, 4], NAMES), "'continuous'"),
        (lambda x: ours.StratifiedGroupKFold(4).split(x, [0, 0, 1, 1, 2], NAMES), "at most 2"),
        (lambda x: ours.TimeSeriesSplit(5).split(x), "at most 4"),
        (lambda x: ours.TimeSeriesSplit(3, test_size=2).split(x), "need 7 rows; .* at most 2"),
        (lambda x: ours.TimeSeriesSplit(2, test_size=3).split(x), "lower test_size or gap"),
        (lambda x: ours.TimeSeriesSplit(2, gap=4).split(x), "gap=4"),
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore:The least populated class")
def test_refused_data(split, words):
    with pytest.raises((InvalidDataError, InvalidParameterError), match=words):
        list(split(np.zeros((5, 1))))
