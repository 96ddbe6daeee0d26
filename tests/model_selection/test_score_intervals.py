"""Intervals of cross-validated scores: formulas, and how often they hold the true score."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy.stats import t as student

from stylobate.datasets import load_diabetes
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.linear_model import LinearRegression, Ridge
from stylobate.model_selection import KFold, LeaveOneOut, RepeatedKFold, cross_validate


def test_the_formula_of_nadeau_and_bengio():
    x, y = load_diabetes(return_X_y=True)
    found = cross_validate(LinearRegression(), x, y, cv=10, scoring=["r2", "neg_max_error"])
    sizes = [(len(test), 442 - len(test)) for _, test in KFold(10).split(x)]
    ratio = np.mean([a / b for a, b in sizes])
    intervals = found.intervals(0.9)
    assert list(intervals) == ["test_r2", "test_neg_max_error"]
    for name, interval in intervals.items():
        scores = found[name]
        half = student.ppf(0.95, 9) * np.sqrt((0.1 + ratio) * scores.var(ddof=1))
        want = (scores.mean(), scores.mean() - half, scores.mean() + half)
        assert (interval.estimate, *interval) == pytest.approx(want)
    assert type(dict(found)) is dict
    again = pickle.loads(pickle.dumps(found))
    assert again.intervals(0.9) == intervals


def test_paired_differences():
    x, y = load_diabetes(return_X_y=True)
    folds = KFold(5, shuffle=True, random_state=0)
    one, two = (cross_validate(m, x, y, cv=folds) for m in (LinearRegression(), Ridge()))
    got = one.difference_intervals(two)["test_score"]
    gap = one["test_score"] - two["test_score"]
    assert got.estimate == pytest.approx(gap.mean())
    assert got.width < one.intervals()["test_score"].width
    other = cross_validate(Ridge(), x, y, cv=KFold(5, shuffle=True, random_state=1))
    with pytest.raises(InvalidDataError, match="other splits"):
        one.difference_intervals(other)
    with pytest.raises(InvalidParameterError, match="confidence"):
        one.intervals(95)


def test_leaving_out_each_row():
    x, y = load_diabetes(return_X_y=True)
    found = cross_validate(
        LinearRegression(), x, y, cv=LeaveOneOut(), scoring="neg_mean_squared_error"
    )
    got = found.intervals()["test_score"]
    error = np.sqrt((1 / 442 + 1 / 441) * found["test_score"].var(ddof=1))
    assert got.width == pytest.approx(2 * student.ppf(0.975, 441) * error)


def test_rows_read_in_batches():
    x, y = load_diabetes(return_X_y=True, as_frame=True)
    frame = x.assign(y=y)
    batches = [frame[k : k + 100] for k in range(0, 442, 100)]
    found, other = (cross_validate(m, batches, target="y") for m in (LinearRegression(), Ridge()))
    assert found["test_score"].mean() in found.intervals()["test_score"]
    assert found.difference_intervals(other)["test_score"].estimate > 0


def test_coverage():
    """20 splits of five repeats: Student's plain interval holds the truth far too rarely."""
    held = plain = paired = 0
    replications = 300
    cases = []
    for seed in range(replications):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=(80, 4))
        y = x @ [1.0, 0.5, 0.0, 0.0] + rng.normal(size=80)
        folds = RepeatedKFold(n_splits=4, n_repeats=5, random_state=seed)
        one, two = (
            cross_validate(m, x, y, cv=folds, scoring="neg_mean_squared_error")
            for m in (LinearRegression(), Ridge(alpha=8.0))
        )
        cases.append((one, two))
    truth = np.mean([one["test_score"].mean() for one, _ in cases])  # unbiased, for 60 rows
    gap = np.mean([(one["test_score"] - two["test_score"]).mean() for one, two in cases])
    for one, two in cases:
        held += truth in one.intervals()["test_score"]
        scores = one["test_score"]
        half = student.ppf(0.975, 19) * scores.std(ddof=1) / np.sqrt(20)
        plain += abs(scores.mean() - truth) <= half
        paired += gap in one.difference_intervals(two)["test_score"]
    assert held / replications > 0.93
    assert paired / replications > 0.93
    assert plain / replications < 0.75
