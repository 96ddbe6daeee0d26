"""Intervals of rows that depend on each other: against formulas, statsmodels and simulation."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.stats import t as student

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics import confidence_interval, difference_interval, improvement

REPLICATIONS = 300


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    groups = rng.integers(12, size=150)
    y = rng.normal(size=150) + rng.normal(size=12)[groups]
    return y, np.zeros(150), groups, rng.uniform(0.5, 2.0, size=150)


@pytest.mark.parametrize("weighted", [False, True])
def test_groups_are_clusters_of_statsmodels(rows, weighted):
    """The mean absolute error by groups is an intercept with clustered standard errors."""
    y, p, groups, weights = rows
    w = weights if weighted else None
    got = confidence_interval("mean_absolute_error", y, p, groups=groups, sample_weight=w)
    fit = sm.WLS(np.abs(y), np.ones(150), weights=1.0 if w is None else w).fit(
        cov_type="cluster", cov_kwds={"groups": groups, "df_correction": True}
    )
    want = fit.bse[0] * student.ppf(0.975, 11)
    assert got.estimate == pytest.approx(fit.params[0])
    assert got.high - got.estimate == pytest.approx(want, rel=1e-10)
    assert got.method == "t, by groups"


def test_groups_of_one_row_are_rows(rows):
    y, p, _, _ = rows
    alone = confidence_interval("neg_mean_squared_error", y, p)
    grouped = confidence_interval("neg_mean_squared_error", y, p, groups=np.arange(150))
    blocked = confidence_interval("neg_mean_squared_error", y, p, block_length=1, method="normal")
    assert tuple(grouped) == pytest.approx(tuple(alone), rel=1e-12)
    normal = confidence_interval("neg_mean_squared_error", y, p, method="normal")
    assert blocked.width == pytest.approx(normal.width, rel=1e-12)


def test_blocks_written_out(rows):
    y, p, _, _ = rows
    got = confidence_interval("mean_squared_error", y, p, block_length=7)
    away = (y**2 - np.mean(y**2)) / 150
    sums = [away[np.arange(j, j + 7) % 150].sum() for j in range(150)]
    error = np.sqrt(np.sum(np.square(sums)) / 7 / (1 - 7 / 150))
    assert got.high - got.estimate == pytest.approx(error * student.ppf(0.975, 150 / 7 - 1))


@pytest.mark.parametrize("metric", ["r2", "accuracy", "roc_auc", "f1"])
def test_the_bootstrap_by_groups_agrees(metric):
    rng = np.random.default_rng(3)
    groups = np.repeat(np.arange(80), 5)
    shared = rng.normal(size=80)[groups]
    y = shared + rng.normal(size=400)
    p = shared * 0.7 + 0.5 * rng.normal(size=400)
    if metric != "r2":
        y = (y > 0).astype(int)
    if metric in ("accuracy", "f1"):
        p = (p > 0).astype(int)
    quick = confidence_interval(metric, y, p, groups=groups)
    drawn = confidence_interval(metric, y, p, groups=groups, method="bca", random_state=0)
    assert drawn.method == "bootstrap, bca, by groups"
    assert quick.estimate == pytest.approx(drawn.estimate)
    assert quick.width == pytest.approx(drawn.width, rel=0.15)
    assert quick.low == pytest.approx(drawn.low, abs=0.2 * quick.width)


def clustered(rng):
    groups = np.repeat(np.arange(25), 8)
    return rng.normal(size=200) + rng.normal(size=25)[groups], {"groups": groups}, 2.0


def autocorrelated(rng, n=400):
    noise = rng.normal(size=n + 50)
    y = np.zeros(n + 50)
    for k in range(1, n + 50):
        y[k] = 0.6 * y[k - 1] + noise[k]
    return y[50:], {"block_length": 16}, 1.0 / (1 - 0.36)


@pytest.mark.parametrize("made", [clustered, autocorrelated])
def test_coverage(made):
    """Held as often as promised, where intervals that take rows for independent are not."""
    held, naive, drawn = 0, 0, 0
    for seed in range(REPLICATIONS):
        y, how, variance = made(np.random.default_rng(seed))
        truth = np.sqrt(2 * variance / np.pi)
        p = np.zeros(len(y))
        held += truth in confidence_interval("mean_absolute_error", y, p, **how)
        naive += truth in confidence_interval("mean_absolute_error", y, p)
        if seed < 100:
            drawn += truth in confidence_interval(
                "mean_absolute_error", y, p, **how, method="percentile", n_resamples=200,
                random_state=seed,
            )  # fmt: skip
    assert held / REPLICATIONS > 0.91
    assert naive / REPLICATIONS < held / REPLICATIONS - 0.04
    assert drawn / 100 > 0.82


def test_paired_differences_by_groups(rows):
    """Student's interval of the rows' differences, clustered; all doors say the same."""
    y, _, groups, _ = rows
    rng = np.random.default_rng(1)
    old, new = rng.normal(size=150), 0.5 * rng.normal(size=150)
    got = difference_interval("mean_squared_error", y, old, new, groups=groups)
    change = (y - new) ** 2 - (y - old) ** 2
    sums = np.array([(change - change.mean())[groups == g].sum() / 150 for g in range(12)])
    error = np.sqrt(12 / 11 * np.sum(sums**2))
    assert got.high - got.low == pytest.approx(2 * error * student.ppf(0.975, 11))
    told = improvement(y, old, new, "mean_squared_error", groups=groups)
    assert tuple(told.interval) == pytest.approx(tuple(got))
    blocks = difference_interval("mean_squared_error", y, old, new, block_length=10, method="bca")
    assert "by blocks" in blocks.method


@pytest.mark.parametrize(
    ("how", "error", "words"),
    [
        ({"groups": [1, 2]}, InvalidDataError, "one entry for each"),
        ({"groups": np.zeros(150)}, InvalidDataError, "all rows are of the group"),
        ({"block_length": 76}, InvalidParameterError, "half of the 150 rows"),
        ({"block_length": 2.5}, InvalidParameterError, "whole number"),
        ({"groups": np.arange(150), "block_length": 2}, InvalidParameterError, "groups or block"),
        ({"block_length": 5, "method": "wilson"}, InvalidParameterError, "independent"),
        ({"block_length": 5, "method": "bca", "stratify": True}, InvalidParameterError, "stratify"),
    ],
)
def test_refusals(rows, how, error, words):
    with pytest.raises(error, match=words):
        confidence_interval("mean_squared_error", rows[0], rows[1], **how)
