"""Folds of fewer rows keep rare classes, and the others in their shares."""

from __future__ import annotations

import numpy as np

from stylobate.study.results import SplitPlan
from stylobate.study.table.division import Division
from stylobate.study.table.thinning import thinned

N = 60_000


def division():
    order = np.random.default_rng(1).permutation(N)
    folds = [
        (order[: N // 2], np.sort(order[N // 2 :])),
        (order[N // 2 :], np.sort(order[: N // 2])),
    ]
    plan = SplitPlan("in time", N, 0, 2, 0, "halves.", "why.", "")
    return Division(np.arange(N), np.arange(0), folds, None, plan)


def test_a_rare_class_is_in_every_part():
    y = np.zeros(N)
    y[:: N // 120] = 1  # two in a thousand
    made = thinned(division(), y, 30, 5.0, 0)
    for (train, test), (whole, tested) in zip(made.folds, division().folds, strict=True):
        assert y[train].sum() >= 30
        assert y[test].sum() >= 30
        assert len(train) < 0.15 * len(whole)
        assert set(train) <= set(whole)
        assert set(test) <= set(tested)
    assert made.plan.fold_rows == 3333


def test_shares_of_common_classes_stay():
    y = (np.arange(N) % 3 == 0).astype(float)
    made = thinned(division(), y, 30, 10.0, 0)
    for train, test in made.folds:
        assert abs(y[train].mean() - 1 / 3) < 0.01
        assert abs(y[test].mean() - 1 / 3) < 0.01


def test_small_folds_stay():
    whole = division()
    assert thinned(whole, None, 2, 1000.0, 0) is whole
