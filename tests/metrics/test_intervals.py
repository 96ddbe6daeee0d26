"""Confidence intervals: formulas against independent ones, and what other input gives."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as theirs
from statsmodels.stats.proportion import proportion_confint

from stylobate import metrics as ours
from stylobate.exceptions import InferenceWarning, InvalidDataError, InvalidParameterError
from stylobate.metrics import Interval, confidence_interval, proportion_interval
from stylobate.metrics.intervals.bootstrap import ends
from stylobate.metrics.intervals.delong import delong
from stylobate.metrics.intervals.metric import resolve
from stylobate.metrics.intervals.ranks import precision_influence, roc_influence
from stylobate.metrics.intervals.resampled_ranks import ResampledRanks
from stylobate.metrics.intervals.resampling import ResampledRows
from stylobate.metrics.intervals.rows import Rows
from stylobate.parallel import threads


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 150)
    scores = np.round(y + rng.normal(size=150), 1)
    return y, scores, (scores > 0.5).astype(int), rng.uniform(0.2, 2.0, size=150)


@given(st.integers(1, 200), st.floats(0, 1), st.floats(0.5, 0.999))
@settings(max_examples=50)
def test_shares_are_those_of_statsmodels(n, share, confidence):
    hits = round(share * n)
    for method, name in (("wilson", "wilson"), ("clopper-pearson", "beta")):
        mine = proportion_interval(hits, n, confidence=confidence, method=method)
        other = proportion_confint(hits, n, alpha=1 - confidence, method=name)
        np.testing.assert_allclose(tuple(mine), np.nan_to_num(other), rtol=1e-9, atol=1e-12)


def test_metrics_that_are_shares(rows):
    y, _, p, _ = rows
    tn, fp, fn, tp = theirs.confusion_matrix(y, p).ravel()
    cases = {
        "accuracy": (tp + tn, len(y)),
        "precision": (tp, tp + fp),
        "recall": (tp, tp + fn),
    }
    for name, (hits, count) in cases.items():
        for method in ("wilson", "clopper-pearson"):
            found = confidence_interval(name, y, p, method=method)
            assert tuple(found) == pytest.approx(
                tuple(proportion_interval(hits, count, method=method))
            )
            assert found.method == method
        assert confidence_interval(name, y, p).method == "wilson"
    jaccard = proportion_interval(tp, tp + fp + fn)
    f1 = confidence_interval("f1", y, p)
    assert tuple(f1) == pytest.approx([2 * j / (1 + j) for j in jaccard])
    assert f1.estimate == pytest.approx(theirs.f1_score(y, p))


def brute_force_delong(y, s):
    """Variance of a two-sample U-statistic, pair by pair."""
    up, down = s[y == 1], s[y == 0]
    pairs = (up[:, None] > down) + 0.5 * (up[:, None] == down)
    return pairs.mean(), (
        pairs.mean(axis=1).var(ddof=1) / len(up) + pairs.mean(axis=0).var(ddof=1) / len(down)
    )


def test_delong_is_the_variance_of_a_u_statistic(rows):
    y, s, _, w = rows
    area, variance = brute_force_delong(y, s)
    mine = delong(y == 1, s)
    assert mine.estimate == pytest.approx(area)
    assert mine.std_error() ** 2 == pytest.approx(variance, rel=1e-12)
    half = scipy.stats.norm.ppf(0.95) * variance**0.5
    found = confidence_interval("roc_auc", y, s, confidence=0.9)
    assert tuple(found) == pytest.approx((area - half, area + half))
    assert found.method == "delong"
    # the difference of two areas: the variance of the differences of placements
    s2 = s + np.random.default_rng(0).normal(size=len(y))
    both = delong(y == 1, s2).minus(mine)
    cov = np.cov(*(delong(y == 1, each).parts[0] for each in (s, s2)))[0, 1] / (y == 1).sum()
    cov += np.cov(*(delong(y == 1, each).parts[1] for each in (s, s2)))[0, 1] / (y == 0).sum()
    expected = variance + brute_force_delong(y, s2)[1] - 2 * cov
    assert both.std_error() ** 2 == pytest.approx(expected)
    weighted = delong(y == 1, s, w)
    assert weighted.estimate == pytest.approx(theirs.roc_auc_score(y, s, sample_weight=w))


@pytest.mark.parametrize(
    ("influence", "score"),
    [
        (precision_influence, theirs.average_precision_score),
        (roc_influence, theirs.roc_auc_score),
    ],
)
def test_influence_of_ranks_is_the_slope_in_the_weights(influence, score, rows):
    y, s, _, w = rows
    w = w / w.mean()
    value, added = influence(y == 1, s, w)
    assert value == pytest.approx(score(y, s, sample_weight=w))
    total = w.sum()
    for row in range(0, len(y), 7):
        step = 1e-5 * total
        moved = [w + sign * step / total * (total * (np.arange(len(y)) == row) - w)
                 for sign in (1, -1)]  # fmt: skip
        moved = [np.maximum(each, 0) for each in moved]
        up, down = (score(y, s, sample_weight=each) for each in moved)
        assert added[row] == pytest.approx((up - down) / (2 * step / total), rel=1e-4, abs=1e-5)


def test_means_of_losses_have_students_interval(rows):
    y = rows[0]
    rng = np.random.default_rng(6)
    t, p = rng.gamma(2.0, size=150), rng.gamma(2.0, size=150)
    losses = {
        "mean_squared_error": (t - p) ** 2,
        "mean_absolute_error": abs(t - p),
        "mean_absolute_percentage_error": abs(t - p) / t,
        "mean_squared_log_error": (np.log1p(t) - np.log1p(p)) ** 2,
        "mean_poisson_deviance": 2 * (t * np.log(t / p) - t + p),
        "mean_gamma_deviance": 2 * (np.log(p / t) + t / p - 1),
    }
    for name, loss in losses.items():
        expected = scipy.stats.t.interval(0.95, 149, loss.mean(), scipy.stats.sem(loss))
        found = confidence_interval(name, t, p)
        assert tuple(found) == pytest.approx((max(expected[0], 0.0), expected[1]))
        assert found.method == "t"
    q = np.clip(rng.uniform(size=150), 0.01, 0.99)
    for name, loss in {
        "neg_log_loss": np.where(y == 1, np.log(q), np.log(1 - q)),
        "neg_brier_score": -((y - q) ** 2),
    }.items():
        expected = scipy.stats.t.interval(0.95, 149, loss.mean(), scipy.stats.sem(loss))
        assert tuple(confidence_interval(name, y, q)) == pytest.approx(expected)
    pinball = confidence_interval("mean_pinball_loss", t, p, alpha=0.8)
    assert pinball.estimate == pytest.approx(theirs.mean_pinball_loss(t, p, alpha=0.8))
    huber = confidence_interval("mean_huber_loss", t, p)
    assert huber.method == "t"
    assert huber.estimate == pytest.approx(ours.mean_huber_loss(t, p))
    both = confidence_interval("mean_squared_error", np.c_[t, p], np.c_[p, p + 1], method="normal")
    loss = np.c_[(t - p) ** 2, np.ones(150)].mean(axis=1)
    half = scipy.stats.norm.ppf(0.975) * scipy.stats.sem(loss)
    assert tuple(both) == pytest.approx((loss.mean() - half, loss.mean() + half))


SMOOTH = ["root_mean_squared_error", "r2_score", "explained_variance_score", "d2_tweedie_score",
          "d2_absolute_error_score", "root_mean_squared_log_error"]  # fmt: skip


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("weighted", [False, True])
def test_delta_method_agrees_with_the_jackknife(name, weighted):
    """Leaving rows out one by one gives the same standard error, with no derivative in sight."""
    rng = np.random.default_rng(7)
    t = rng.gamma(2.0, size=(400, 2))
    p = t + 0.4 * rng.uniform(size=(400, 2))
    w = rng.uniform(0.5, 1.5, size=400) if weighted else None
    if name == "d2_tweedie_score":
        t, p = t[:, 0], p[:, 0]
    metric = getattr(ours, name)
    kept = [np.arange(400) != k for k in range(400)]
    values = [metric(t[k], p[k], sample_weight=None if w is None else w[k]) for k in kept]
    jackknife = np.sqrt(399 / 400 * np.sum((np.array(values) - np.mean(values)) ** 2))
    found = confidence_interval(name, t, p, method="normal", sample_weight=w)
    assert found.width / 2 / scipy.stats.norm.ppf(0.975) == pytest.approx(jackknife, rel=0.05)
    assert confidence_interval(name, t, p, sample_weight=w).method == "delta"


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("balanced_accuracy_score", {}),
        ("f1_score", {"average": "macro"}),
        ("precision_score", {"average": "weighted"}),
        ("fbeta_score", {"beta": 2.0, "average": "micro"}),
        ("recall_score", {"average": "macro"}),
    ],
)
def test_label_metrics_agree_with_the_jackknife(name, options, weighted):
    rng = np.random.default_rng(8)
    y = rng.choice(["a", "b", "c"], size=400, p=[0.5, 0.3, 0.2])
    p = np.where(rng.random(400) < 0.7, y, rng.choice(["a", "b", "c"], size=400))
    w = rng.uniform(0.5, 1.5, size=400) if weighted else None
    metric = getattr(ours, name)
    kept = [np.arange(400) != k for k in range(400)]
    values = [
        metric(y[k], p[k], sample_weight=None if w is None else w[k], **options) for k in kept
    ]
    jackknife = np.sqrt(399 / 400 * np.sum((np.array(values) - np.mean(values)) ** 2))
    found = confidence_interval(name, y, p, method="normal", sample_weight=w, **options)
    assert found.width / 2 / scipy.stats.norm.ppf(0.975) == pytest.approx(jackknife, rel=0.01)


def test_bca_ends_are_those_of_scipy():
    rng = np.random.default_rng(9)
    x = rng.gamma(1.0, size=40)

    def spread(sample, axis=-1):
        return np.std(sample, axis=axis)

    for method, name in (("bca", "BCa"), ("percentile", "percentile"), ("basic", "basic")):
        other = scipy.stats.bootstrap((x,), spread, method=name, n_resamples=2000, rng=rng)
        left_out = np.array([spread(np.delete(x, k)) for k in range(40)])
        mine = ends(other.bootstrap_distribution, spread(x), 0.95, method, left_out, np.ones(40))
        np.testing.assert_allclose(mine, other.confidence_interval, rtol=1e-10)


@pytest.mark.parametrize(("method", "stratify"), [("bca", False), ("percentile", True)])
def test_every_bootstrap_agrees_with_the_plain_one(method, stratify, rows):
    """Cells and ranks are short cuts: a function they do not know takes the long way."""
    y, s, p, w = rows
    options = {"method": method, "stratify": stratify, "n_resamples": 500}
    for name, predicted, weights in (
        ("f1", p, None), ("f1", p, w), ("roc_auc", s, None), ("average_precision", s, w),
    ):  # fmt: skip
        known = ours.get_scorer(name)._score_func

        def plain(a, b, sample_weight, known=known):
            return known(a, b, sample_weight=sample_weight)

        weights = np.ones(len(y)) if weights is None else weights
        quick = confidence_interval(
            name, y, predicted, sample_weight=None if weights is not w else w,
            random_state=1, **options,
        )  # fmt: skip
        slow = confidence_interval(
            plain, y, predicted, sample_weight=weights, random_state=2, **options
        )
        assert quick.estimate == pytest.approx(slow.estimate)
        assert tuple(quick) == pytest.approx(tuple(slow), abs=0.2 * slow.width)


@pytest.mark.parametrize("name", ["roc_auc_score", "average_precision_score"])
@pytest.mark.parametrize("stratify", [False, True])
def test_resampled_areas_have_the_spread_they_should(name, stratify):
    """Many distinct scores: the compiled pass, against a plain loop over drawn rows."""
    rng = np.random.default_rng(17)
    y = rng.integers(0, 2, 600)
    noise = rng.normal(size=600)
    models = 0.5 * y + noise, y + noise + 0.3 * rng.normal(size=600)
    metric, strata = resolve(name, {}), y if stratify else None
    for weights in (None, rng.integers(0, 3, 600).astype(float)):
        rows = Rows(y, models, weights)
        quick = ResampledRanks(metric, rows, strata)
        slow = ResampledRows(metric, rows, strata)
        drawn, expected = quick.resampled(2000, rng), slow.resampled(200, rng)
        error = expected.std(axis=0) / np.sqrt(200)
        assert (abs(drawn.mean(axis=0) - expected.mean(axis=0)) < 5 * error).all()
        np.testing.assert_allclose(drawn.std(axis=0), expected.std(axis=0), rtol=0.25)
        links = (np.corrcoef(each.T)[0, 1] for each in (drawn, expected))
        assert next(links) == pytest.approx(next(links), abs=0.15)
        left, count = quick.left_out()
        kept, ones = slow.left_out()
        assert count.sum() == ones.sum() == 600
        # to first order: the very first rows matter more to a precision than that
        np.testing.assert_allclose(left.std(axis=0), kept.std(axis=0), rtol=0.15)
        again = quick.resampled(50, np.random.default_rng(1))
        with threads(1):
            one = quick.resampled(50, np.random.default_rng(1))
        assert (again == one).all()


def test_the_same_seed_gives_the_same_interval(rows):
    y, s, p, _ = rows
    for name, predicted in (("f1", p), ("roc_auc", s), ("median_absolute_error", s)):
        a, b = (
            confidence_interval(name, y, predicted, method="bca", n_resamples=100, random_state=3)
            for _ in range(2)
        )
        assert a == b
    generators = [np.random.default_rng(1), np.random.default_rng(1), np.random.RandomState(1)]
    found = [
        confidence_interval("f1", y, p, method="bca", n_resamples=50, random_state=g)
        for g in generators
    ]
    assert found[0] == found[1]
    assert np.isfinite(found[2].low)


def test_metrics_by_name_scorer_and_function(rows):
    y, s, p, _ = rows
    found = {
        confidence_interval(each, y, p, average="macro")
        for each in ("f1", "f1_score", ours.f1_score, theirs.f1_score, ours.get_scorer("f1"))
    }
    assert len(found) == 1
    loss = confidence_interval("mean_squared_error", s, p)
    scorer = confidence_interval("neg_mean_squared_error", s, p)
    assert (scorer.low, scorer.high) == (-loss.high, -loss.low)
    own = confidence_interval(lambda a, b: np.corrcoef(a, b)[0, 1], s, p, n_resamples=200)
    assert own.method == "bootstrap, bca"
    assert own.low < own.estimate < own.high
    assert confidence_interval("accuracy", pd.Series(y), list(p)).method == "wilson"


@pytest.mark.parametrize("name", sorted(set(ours.get_scorer_names())))
def test_every_scorer_has_an_interval(name):
    """Whatever the library measures: finite ends on both sides of the estimate."""
    rng = np.random.default_rng(10)
    n = 80
    y, k = rng.integers(0, 2, n), rng.integers(0, 3, n)
    if "roc_auc_ov" in name:
        p = rng.dirichlet(np.ones(3), n) + 0.2 * np.eye(3)[k]
        args = k, p / p.sum(axis=1, keepdims=True)
    elif name.startswith("top_k"):
        args = k, rng.dirichlet(np.ones(3), n)
    elif name.endswith("_samples"):
        hot = rng.integers(0, 2, (n, 4))
        hot[:, 0] = 1
        args = hot, np.where(rng.random((n, 4)) < 0.8, hot, 1 - hot)
    elif name in ("roc_auc", "average_precision", "neg_brier_score", "neg_log_loss") or (
        "log_loss" in name or "brier" in name
    ):
        args = y, np.clip(0.3 * y + rng.uniform(0.1, 0.6, n), 0, 1)
    elif any(word in name for word in ("error", "deviance", "r2", "explained", "d2", "pinball",
                                       "huber", "quantile", "coefficient")):  # fmt: skip
        t = rng.gamma(2.0, size=n)
        args = t, t + rng.uniform(0.1, 1.0, n)
    else:
        args = y, np.where(rng.random(n) < 0.8, y, 1 - y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InferenceWarning)
        found = confidence_interval(name, *args, n_resamples=60, random_state=0)
    assert np.isfinite([found.low, found.high]).all()
    assert found.low <= found.estimate <= found.high
    assert found.low < found.high


def test_rows_with_few_labels_are_counted_once():
    """Many rows of labels take no longer than their distinct pairs."""
    rng = np.random.default_rng(11)
    y = rng.integers(0, 3, 200_000)
    p = np.where(rng.random(len(y)) < 0.8, y, (y + 1) % 3)
    by_delta = confidence_interval("f1_macro", y, p)
    by_resampling = confidence_interval("f1_macro", y, p, method="bca", random_state=0)
    assert tuple(by_delta) == pytest.approx(tuple(by_resampling), abs=0.1 * by_delta.width)


def test_perfect_predictions():
    y = np.array([0] * 20 + [1] * 30)
    assert tuple(confidence_interval("accuracy", y, y)) == pytest.approx(
        proportion_confint(50, 50, method="wilson")
    )
    area = confidence_interval("roc_auc", y, y + 0.0)
    assert area.high == 1
    assert area.low == pytest.approx(0.025 ** (1 / 20))
    assert "separate pairs" in area.method
    assert confidence_interval("roc_auc", y, 1.0 - y).low == 0
    with pytest.warns(InferenceWarning, match="no width"):
        assert confidence_interval("f1_macro", y, y).low == 1
    with pytest.warns(InferenceWarning, match="no width"):
        confidence_interval("roc_auc", y, y + 0.0, method="bca", n_resamples=20)


def test_interval_is_a_value():
    interval = Interval(0.8, 0.7, 0.9, "wilson", 0.9)
    assert interval.width == pytest.approx(0.2)
    assert 0.7 in interval
    assert 0.95 not in interval
    assert str(interval) == "0.8 (90 % interval 0.7 to 0.9, wilson)"
    assert repr(interval) == (
        "Interval(estimate=0.8, low=0.7, high=0.9, method='wilson', confidence=0.9)"
    )


def test_bad_input_is_refused_in_words(rows):
    y, s, p, _ = rows
    refused = [
        (InvalidDataError, "y_true has 150 rows and y_pred 149", ("f1", y, p[1:]), {}),
        (InvalidDataError, "y_pred is empty", ("f1", y, []), {}),
        (InvalidDataError, "y_true is empty", ("f1", [], []), {}),
        (InvalidDataError, "contains NaN", ("roc_auc", [0, 1, 1], [0.1, np.nan, 0.2]), {}),
        (InvalidDataError, "Only one class is present", ("roc_auc", [1, 1], [0.1, 0.2]), {}),
        (InvalidDataError, "weights are negative", ("f1", [0, 1], [0, 1]),
         {"sample_weight": [-1, 1]}),
        (InvalidDataError, "less than two samples", ("r2_score", [1.0], [1.0]), {}),
        (InvalidDataError, "cannot be seen from 1 row", ("mean_squared_error", [1.0], [2.0]), {}),
        (InvalidParameterError, "confidence must be", ("f1", y, p), {"confidence": 95}),
        (InvalidParameterError, "method must be one of", ("f1", y, p), {"method": "magic"}),
        (InvalidParameterError, "n_resamples must be", ("f1", y, p), {"n_resamples": 0}),
        (InvalidParameterError, "close: accuracy", ("acuracy", y, p), {}),
        (InvalidParameterError, "metric must be the name", (3, y, p), {}),
        (InvalidParameterError, "'wilson' is for shares", ("roc_auc", y, s),
         {"method": "wilson"}),
        (InvalidParameterError, "'delong' is for the area", ("f1_macro", y, p),
         {"method": "delong"}),
        (InvalidParameterError, "needs to know what each row adds", ("neg_max_error", s, p),
         {"method": "t"}),
        (InvalidParameterError, "gives 2 numbers", ("f1_score", y, p), {"average": None}),
    ]  # fmt: skip
    for kind, match, args, options in refused:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with pytest.raises(kind, match=match):
                confidence_interval(*args, **options)


def test_resamples_without_a_class():
    y, s = np.array([0] * 30 + [1]), np.linspace(0, 1, 31)
    with pytest.raises(InvalidDataError, match=r"undefined for .* pass stratify=True"):
        confidence_interval("roc_auc", y, s[::-1], method="bca", n_resamples=200, random_state=0)
    found = confidence_interval(
        "roc_auc", y, np.sin(9 * s), method="percentile", n_resamples=200, stratify=True,
        random_state=0,
    )  # fmt: skip
    assert 0 <= found.low < found.high <= 1
