"""Curves: scikit-learn's arrays on random and adversarial input, and what they know besides."""

from __future__ import annotations

import copy
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as theirs
from sklearn.calibration import calibration_curve as their_calibration

from stylobate import metrics as ours
from stylobate.exceptions import InvalidDataError, InvalidParameterError, UndefinedMetricWarning

NAMES = ["roc_curve", "precision_recall_curve", "det_curve"]
# the table of the notes, section 7.7.1
SCORES = [-500, -200, -10, 1, 100, 300, 700, 800, 900, 1000]
LABELS = [-1, -1, 1, -1, -1, -1, 1, 1, -1, 1]


def same(name, *args, **kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mine, other = getattr(ours, name)(*args, **kwargs), getattr(theirs, name)(*args, **kwargs)
    assert len(mine) == len(other)
    for a, b in zip(mine, other, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-14)
        assert a.dtype == np.float64
    return mine


@st.composite
def ranked(draw):
    n = draw(st.integers(2, 40))
    y = np.array(draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    y[:2] = [0, 1]
    kind = draw(st.sampled_from(["ties", "equal", "apart", "huge"]))
    scores = {
        "ties": st.integers(-2, 2),
        "equal": st.just(0.5),
        "apart": st.floats(-1, 1, width=32),
        "huge": st.sampled_from([-1e308, -1e-308, 0.0, -0.0, 1e308]),
    }[kind]
    s = np.array(draw(st.lists(scores, min_size=n, max_size=n)), dtype=float)
    weights = np.array(
        draw(st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=n, max_size=n))
    )
    weights[:2] = [1.0, 2.0]
    return y, s, draw(st.sampled_from([None, weights])), draw(st.booleans())


@pytest.mark.parametrize("name", NAMES)
@given(ranked())
@settings(max_examples=50)
def test_curves_are_those_of_scikit_learn(name, case):
    y, s, weights, drop = case
    same(name, y, s, sample_weight=weights, drop_intermediate=drop)


@pytest.mark.parametrize("name", NAMES)
def test_labels_containers_and_defaults(name):
    rng = np.random.default_rng(0)
    y, s = rng.integers(0, 2, 60), rng.normal(size=60)
    same(name, y, s)
    same(name, list(2 * y - 1), pd.Series(s))
    same(name, np.where(y == 1, "yes", "no"), s, pos_label="yes")
    same(name, np.where(y == 1, "yes", "no").astype(object), s, pos_label="no")
    if name != "det_curve":  # scikit-learn counts the labels there, not who is positive
        same(name, rng.integers(0, 3, 60), s, pos_label=2)
    same(name, y, s.astype(np.float32))
    same(name, y == 1, rng.integers(0, 5, 60))


def test_areas_are_the_scores():
    rng = np.random.default_rng(1)
    y, s, w = rng.integers(0, 2, 300), rng.integers(0, 40, 300), rng.uniform(size=300)
    for weights in (None, w):
        for drop in (True, False):
            curve = ours.roc_curve(y, s, sample_weight=weights, drop_intermediate=drop)
            assert curve.auc == pytest.approx(theirs.roc_auc_score(y, s, sample_weight=weights))
        curve = ours.precision_recall_curve(y, s, sample_weight=weights, drop_intermediate=True)
        expected = theirs.average_precision_score(y, s, sample_weight=weights)
        assert curve.average_precision == pytest.approx(expected)
    assert curve.prevalence == pytest.approx(w[y == 1].sum() / w.sum())
    precision, recall, _ = theirs.precision_recall_curve(y, s)
    assert ours.precision_recall_curve(y, s).auc == pytest.approx(theirs.auc(recall, precision))


def test_one_class():
    with pytest.warns(UndefinedMetricWarning, match="No negative samples in y_true"):
        curve = ours.roc_curve([1, 1], [0.1, 0.2])
    assert np.isnan(curve.fpr).all()
    assert np.isnan(curve.auc)
    with pytest.warns(UndefinedMetricWarning, match="No positive samples in y_true"):
        ours.roc_curve([0, 0], [0.1, 0.2])
    with pytest.warns(UndefinedMetricWarning, match="No positive class found"):
        curve = ours.precision_recall_curve([0, 0], [0.1, 0.2])
    assert curve.recall.tolist() == [1, 1, 0]
    assert curve.average_precision == 0
    with pytest.raises(InvalidDataError, match="Only one class is present"):
        ours.det_curve([1, 1], [0.1, 0.2])
    with pytest.raises(InvalidDataError, match="no positive row"):
        ours.gain_curve([0, 0], [0.1, 0.2])


@pytest.mark.parametrize("name", [*NAMES, "gain_curve"])
def test_bad_input_is_refused_in_words(name):
    curve = getattr(ours, name)
    with pytest.raises(InvalidDataError, match=f"{name}: y_score contains NaN at row 1"):
        curve([0, 1], [0.1, np.nan])
    with pytest.raises(InvalidDataError, match="y_score contains infinity"):
        curve([0, 1], [0.1, np.inf])
    with pytest.raises(InvalidDataError, match=r"inconsistent numbers of samples: \[2, 3\]"):
        curve([0, 1], [0.1, 0.2, 0.3])
    with pytest.raises(InvalidDataError, match="shape"):
        curve([], [])
    with pytest.raises(InvalidDataError, match="1d array"):
        curve([0, 1], [[0.1, 0.9], [0.2, 0.8]])
    with pytest.raises(InvalidDataError, match="multiclass format is not supported"):
        curve([0, 1, 2], [0.1, 0.2, 0.3])
    with pytest.raises(InvalidDataError, match="continuous format is not supported"):
        curve([0.5, 1.5, 2], [0.1, 0.2, 0.3])
    with pytest.raises(InvalidDataError, match="pos_label is not specified"):
        curve(["no", "yes"], [0.1, 0.2])
    with pytest.raises(InvalidDataError, match="pos_label='maybe' is not a valid label"):
        curve(["no", "yes"], [0.1, 0.2], pos_label="maybe")
    with pytest.raises(InvalidDataError, match="weights are negative"):
        curve([0, 1], [0.1, 0.2], sample_weight=[-1, 1])
    with pytest.raises(InvalidDataError, match="zero everywhere"):
        curve([0, 1], [0.1, 0.2], sample_weight=[0, 0])


@given(ranked(), st.floats(-3, 3), st.booleans())
@settings(max_examples=50)
def test_at_counts_what_a_threshold_predicts(case, threshold, strict):
    y, s, weights, _ = case
    curve = ours.roc_curve(y, s, sample_weight=weights)
    predicted = (s > threshold if strict else s >= threshold).astype(int)
    expected = theirs.confusion_matrix(y, predicted, labels=[0, 1], sample_weight=weights)
    np.testing.assert_allclose(curve.at(threshold, strict=strict), expected, atol=1e-12)


def test_at_infinity_and_nan():
    curve = ours.roc_curve(LABELS, SCORES)
    assert curve.at(np.inf).ravel().tolist() == [6, 0, 4, 0]
    assert curve.at(-np.inf).ravel().tolist() == [0, 6, 0, 4]
    assert curve.at(0).labels == (-1, 1)
    with pytest.raises(InvalidDataError, match="threshold is NaN"):
        curve.at(np.nan)


def test_best_thresholds_are_those_of_a_search():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 200)
    s = np.round(y + rng.normal(size=200), 1)
    roc, pr = ours.roc_curve(y, s), ours.precision_recall_curve(y, s)
    youden = {t: np.mean(s[y == 1] >= t) - np.mean(s[y == 0] >= t) for t in np.unique(s)}
    assert youden[roc.best_threshold] == pytest.approx(max(youden.values()))
    f2 = {t: theirs.fbeta_score(y, s >= t, beta=2) for t in np.unique(s)}
    assert f2[pr.best_threshold(2)] == pytest.approx(max(f2.values()))


def test_equal_error_rate_lies_between_the_rates():
    assert ours.det_curve([0, 0, 1, 1], [1, 2, 3, 4]).equal_error_rate == 0
    assert ours.det_curve([1, 1, 0, 0], [1, 2, 3, 4]).equal_error_rate == 1
    assert ours.det_curve([0, 1], [1, 1]).equal_error_rate == 0.5
    rng = np.random.default_rng(3)  # two normals a distance d apart: Φ(−d/2)
    y = np.repeat([0, 1], 200_000)
    rate = ours.det_curve(y, rng.normal(size=400_000) + 2 * y).equal_error_rate
    assert rate == pytest.approx(0.15866, abs=0.003)


def test_gain_and_lift():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 100)
    s = y + rng.normal(size=100)
    contacted, found, thresholds = curve = ours.gain_curve(y, s)
    best = np.sort(s)[::-1]
    assert thresholds[0] == np.inf
    assert (thresholds[1:] == best).all()
    order = np.argsort(-s)
    np.testing.assert_allclose(found[1:], np.cumsum(y[order]) / y.sum())
    np.testing.assert_allclose(contacted, np.arange(101) / 100)
    assert curve.found_at(0.3) == pytest.approx(y[order][:30].sum() / y.sum())
    np.testing.assert_allclose(curve.lift[1:], found[1:] / contacted[1:])
    # the area is that of the ROC curve, pressed between chance and perfection
    share = y.mean()
    assert curve.auc == pytest.approx(share / 2 + (1 - share) * ours.roc_auc_score(y, s))
    with pytest.raises(InvalidParameterError, match=r"share must be in \[0, 1\]"):
        curve.found_at(1.5)


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
@given(st.data())
@settings(max_examples=30)
def test_calibration_is_that_of_scikit_learn(strategy, data):
    n = data.draw(st.integers(2, 40))
    p = np.array(data.draw(st.lists(st.floats(0, 1), min_size=n, max_size=n)))
    y = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    n_bins = data.draw(st.integers(1, 8))
    mine = ours.calibration_curve(y, p, n_bins=n_bins, strategy=strategy)
    other = their_calibration(y, p, n_bins=n_bins, strategy=strategy)
    for a, b in zip(mine, other, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-300)
    assert mine.weight.sum() == n
    gap = abs(mine.prob_true - mine.prob_pred)
    assert mine.expected_calibration_error == pytest.approx((gap * mine.weight).sum() / n)
    assert mine.max_calibration_error == gap.max()


def test_calibration_weights_are_repetitions():
    y, p, w = np.array([0, 1, 1, 0]), np.array([0.1, 0.15, 0.8, 0.7]), np.array([1, 2, 3, 0])
    weighted = ours.calibration_curve(y, p, sample_weight=w)
    repeated = ours.calibration_curve(np.repeat(y, w), np.repeat(p, w))
    for a, b in zip(weighted, repeated, strict=True):
        np.testing.assert_allclose(a, b)
    assert weighted.expected_calibration_error == pytest.approx(repeated.expected_calibration_error)


def test_calibration_refuses():
    with pytest.raises(InvalidDataError, match=r"outside \[0, 1\]: from 0.1 to 1.2"):
        ours.calibration_curve([0, 1], [0.1, 1.2])
    with pytest.raises(InvalidDataError, match="contains NaN"):
        ours.calibration_curve([0, 1], [0.1, np.nan])
    with pytest.raises(InvalidDataError, match="Only binary classification is supported"):
        ours.calibration_curve([0, 1, 2], [0.1, 0.2, 0.3], pos_label=1)
    with pytest.raises(InvalidDataError, match="inconsistent"):
        ours.calibration_curve([0, 1, 1], [0.1, 0.2])
    with pytest.raises(InvalidParameterError, match="strategy must be one of"):
        ours.calibration_curve([0, 1], [0.1, 0.2], strategy="even")
    with pytest.raises(InvalidParameterError, match="n_bins must be at least 1"):
        ours.calibration_curve([0, 1], [0.1, 0.2], n_bins=0)


def test_curves_are_tuples_that_copy_and_print():
    curve = ours.roc_curve(LABELS, SCORES)
    assert isinstance(curve, tuple)
    assert len(curve) == 3
    assert curve[0] is curve.fpr
    assert "fpr" in dir(curve)
    assert repr(curve) == "RocCurve: area 0.75, 7 points, 4 positive and 6 negative rows"
    for again in (pickle.loads(pickle.dumps(curve)), copy.deepcopy(curve)):
        assert type(again) is ours.RocCurve
        assert again.auc == curve.auc
        assert again == curve
        assert hash(again) == hash(curve)
        assert again.at(700) == curve.at(700)
    assert curve != ours.roc_curve(LABELS, SCORES, drop_intermediate=False)
    assert "weight" in repr(ours.roc_curve([0, 1], [1, 2], sample_weight=[0.5, 1]))
    with pytest.raises(AttributeError, match="RocCurve has no attribute 'fnr'"):
        _ = curve.fnr


def test_notes_imbalance_example():
    """950,000 negatives, 100 positives above them, 50,000 negatives above those."""
    scores = np.repeat([0, 1, 2], [950_000, 100, 50_000])
    labels = np.repeat([-1, 1, -1], [950_000, 100, 50_000])
    assert ours.roc_curve(labels, scores).auc == pytest.approx(0.95)
    precision = ours.precision_recall_curve(labels, scores).average_precision
    assert precision == pytest.approx(100 / 50_100)  # the notes draw a triangle: half of it
    area = ours.precision_recall_curve(labels, scores).auc
    assert area == pytest.approx(0.5 * 100 / 50_100)
    assert round(area, 3) == 0.001


def test_slopes_of_the_roc_curve_are_likelihood_ratios():
    """Scores of finitely many values: the share among positives over that among negatives."""
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 400)
    score = random.binomial(4, 0.35 + 0.3 * y).astype(float)
    curve = ours.roc_curve(y, score, drop_intermediate=False)
    ratios = [
        np.mean(score[y == 1] == value) / np.mean(score[y == 0] == value)
        for value in np.unique(score)[::-1]
    ]
    np.testing.assert_allclose(curve.slopes, ratios, rtol=1e-12)
    np.testing.assert_allclose(curve.likelihood_ratio(np.unique(score)[::-1]), ratios, rtol=1e-12)
    assert curve.likelihood_ratio(99.0) == curve.slopes[0]
    assert curve.likelihood_ratio(-99.0) == curve.slopes[-1]


def test_slopes_of_two_normal_densities():
    """Of N(1, 1) against N(0, 1) the ratio at s is exp(s - ½)."""
    from scipy.stats import norm

    grid = np.linspace(-3.0, 4.0, 200)
    masses = np.concatenate([np.diff(norm(c).cdf(grid)) for c in (0, 1)])
    middle = 0.5 * (grid[1:] + grid[:-1])
    labels = np.repeat([0, 1], len(middle))
    curve = ours.roc_curve(
        labels, np.tile(middle, 2), sample_weight=masses, drop_intermediate=False
    )
    at = np.array([-1.0, 0.0, 0.5, 2.0])
    scale = masses[labels == 0].sum() / masses[labels == 1].sum()
    np.testing.assert_allclose(curve.likelihood_ratio(at), np.exp(at - 0.5) * scale, rtol=0.04)
