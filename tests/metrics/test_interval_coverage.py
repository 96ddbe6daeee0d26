"""Intervals hold the true value as often as they say: simulated, against truths that are known."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.stats
from scipy.integrate import quad

from stylobate.exceptions import InferenceWarning
from stylobate.metrics import confidence_interval, difference_interval

REPLICATIONS = 400
SHIFT = 1.2
NORMAL = scipy.stats.norm


def labels(rng, n=80):
    y = (rng.random(n) < 0.4).astype(int)
    return y, np.where(rng.random(n) < np.where(y == 1, 0.7, 0.2), 1, 0)


def scores(rng, n=100):
    y = (rng.random(n) < 0.4).astype(int)
    return y, SHIFT * y + rng.normal(size=n)


def numbers(rng, n=80):
    y = 2.0 * rng.normal(size=n)
    return y, y + rng.normal(size=n)


def true_average_precision():
    def precision(t):
        found, false = 0.4 * NORMAL.sf(t - SHIFT), 0.6 * NORMAL.sf(t)
        return found / (found + false)

    return quad(lambda t: precision(t) * NORMAL.pdf(t - SHIFT), -8, 9)[0]


TP, FP, FN, TN = 0.4 * 0.7, 0.6 * 0.2, 0.4 * 0.3, 0.6 * 0.8
F1, F1_NEGATIVE = 2 * TP / (2 * TP + FP + FN), 2 * TN / (2 * TN + FP + FN)
CASES = {
    "accuracy": (labels, TP + TN),
    "precision": (labels, TP / (TP + FP)),
    "recall": (labels, 0.7),
    "f1": (labels, F1),
    "f1_macro": (labels, (F1 + F1_NEGATIVE) / 2),
    "balanced_accuracy": (labels, 0.75),
    "roc_auc": (scores, NORMAL.cdf(SHIFT / np.sqrt(2))),
    "average_precision": (scores, true_average_precision()),
    "neg_mean_squared_error": (numbers, -1.0),
    "neg_mean_absolute_error": (numbers, -np.sqrt(2 / np.pi)),
    "neg_root_mean_squared_error": (numbers, -1.0),
    "r2": (numbers, 0.75),
}


def median_error(y_true, y_pred):
    return np.median(abs(y_true - y_pred))


def test_coverage_of_the_bootstrap():
    rng = np.random.default_rng(16)
    hits = sum(
        NORMAL.ppf(0.75) in confidence_interval(
            median_error, *numbers(rng), n_resamples=200, random_state=rng
        )
        for _ in range(150)
    )  # fmt: skip
    low, high = scipy.stats.binom.interval(0.999, 150, 0.95)
    assert low <= hits <= high


@pytest.mark.parametrize("name", CASES)
def test_coverage(name):
    draw, truth = CASES[name]
    rng = np.random.default_rng(12)
    hits = 0
    for _ in range(REPLICATIONS):
        hits += truth in confidence_interval(name, *draw(rng))
    low, high = scipy.stats.binom.interval(0.999, REPLICATIONS, 0.95)
    assert low <= hits <= high


def test_clopper_pearson_covers_at_least_as_often():
    rng = np.random.default_rng(13)
    hits = sum(
        0.7 in confidence_interval("recall", *labels(rng, 40), method="clopper-pearson")
        for _ in range(REPLICATIONS)
    )
    assert hits >= scipy.stats.binom.ppf(0.001, REPLICATIONS, 0.95)


def test_coverage_of_paired_shares():
    """Hits of two models that share most of their rows."""
    rng = np.random.default_rng(14)
    hits = 0
    for _ in range(REPLICATIONS):
        y = rng.integers(0, 2, 60)
        u = rng.random(60)  # old is right below 0.7, new below 0.6 and above 0.75: 0.85 in all
        old = np.where(u < 0.7, y, 1 - y)
        new = np.where((u < 0.6) | (u > 0.75), y, 1 - y)
        hits += 0.15 in difference_interval("accuracy", y, old, new)
    low, high = scipy.stats.binom.interval(0.999, REPLICATIONS, 0.95)
    assert low <= hits <= high


def test_coverage_of_paired_areas_and_losses():
    rng = np.random.default_rng(15)
    truth = NORMAL.cdf(1.5 / np.sqrt(2)) - NORMAL.cdf(1.0 / np.sqrt(2))
    areas = losses = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InferenceWarning)
        for _ in range(REPLICATIONS):
            y = rng.integers(0, 2, 100)
            noise = rng.normal(size=100)
            mixed = 0.8 * noise + 0.6 * rng.normal(size=100)
            areas += truth in difference_interval("roc_auc", y, y + noise, 1.5 * y + mixed)
            t = rng.normal(size=100)
            old, new = t + noise, t + 0.5 * mixed
            losses += -0.75 in difference_interval("mean_squared_error", t, old, new)
    low, high = scipy.stats.binom.interval(0.999, REPLICATIONS, 0.95)
    assert low <= areas <= high
    assert low <= losses <= high
