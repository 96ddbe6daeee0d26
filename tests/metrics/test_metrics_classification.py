"""Classification metrics: scikit-learn's answers, ties, weights with zeros, missing classes."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as theirs
from sklearn.exceptions import UndefinedMetricWarning as TheirUndefined

from stylobate import metrics as ours
from stylobate.exceptions import InvalidDataError, InvalidParameterError, UndefinedMetricWarning

AVERAGED = ["precision_score", "recall_score", "f1_score"]


def same(name, *args, **kwargs):
    mine = getattr(ours, name)(*args, **kwargs)
    other = getattr(theirs, name)(*args, **kwargs)
    np.testing.assert_allclose(mine, other, rtol=1e-12, atol=1e-14)
    assert np.shape(mine) == np.shape(other)


@pytest.fixture(scope="module")
def labels():
    rng = np.random.default_rng(2)
    y = rng.choice(["b", "a", "c", "d"], size=80, p=[0.4, 0.3, 0.2, 0.1])
    p = np.where(rng.random(80) < 0.6, y, rng.choice(["a", "b", "c", "d"], size=80))
    weights = rng.uniform(size=80)
    weights[::7] = 0.0
    return y, p, weights


@pytest.mark.parametrize("weighted", [False, True])
def test_accuracy(labels, weighted):
    y, p, w = labels
    w = w if weighted else None
    for normalize in (True, False):
        same("accuracy_score", y, p, normalize=normalize, sample_weight=w)
    for adjusted in (True, False):
        same("balanced_accuracy_score", y, p, adjusted=adjusted, sample_weight=w)
    hot = np.random.default_rng(0).integers(0, 2, size=(80, 2))
    same("accuracy_score", hot, hot ^ (np.arange(80) % 3 == 0)[:, None], sample_weight=w)
    same("accuracy_score", pd.Series(y), list(p))
    same("accuracy_score", y.astype(object), p)
    same("accuracy_score", [1, 0, 2], [1.0, 0.0, 1.0])


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("average", ["micro", "macro", "weighted", None])
@pytest.mark.parametrize("name", AVERAGED)
def test_averages(name, average, weighted, labels):
    y, p, w = labels
    w = w if weighted else None
    same(name, y, p, average=average, sample_weight=w)
    same(name, y, p, average=average, labels=["c", "a"], sample_weight=w)
    hot = np.random.default_rng(1).integers(0, 2, size=(80, 3))
    other = np.random.default_rng(2).integers(0, 2, size=(80, 3))
    same(name, hot, other, average=average, sample_weight=w)
    same(name, hot, other, average="samples", sample_weight=w, zero_division=1.0)


@pytest.mark.parametrize("zero_division", [0.0, 1.0, np.nan])
@pytest.mark.parametrize("name", AVERAGED)
def test_nothing_predicted(name, zero_division):
    y, p = [0, 0, 1, 2], [0, 0, 0, 1]
    for average in ("macro", "weighted", None):
        same(name, y, p, average=average, zero_division=zero_division)
        same(name, y, p, average=average, zero_division=zero_division, labels=[0, 1, 2, 5])
    same(name, [0, 0], [0, 0], zero_division=zero_division)
    same(name, ["x", "y"], ["x", "x"], pos_label="y", zero_division=zero_division)


def test_undefined_is_told():
    with pytest.warns(UndefinedMetricWarning, match="no predicted samples") as caught:
        assert ours.precision_score([1, 0], [0, 0]) == 0.0
    assert issubclass(caught[0].category, TheirUndefined)
    assert caught[0].filename == __file__
    with pytest.warns(UndefinedMetricWarning, match="no true samples"):
        ours.recall_score([0, 0], [1, 0])
    with pytest.warns(UserWarning, match="classes not in y_true"):
        assert ours.balanced_accuracy_score([0, 0], [0, 1]) == 0.5


def test_support_and_fbeta(labels):
    y, p, w = labels
    for mine, other in zip(
        ours.precision_recall_fscore_support(y, p, beta=2.0, sample_weight=w),
        theirs.precision_recall_fscore_support(y, p, beta=2.0, sample_weight=w),
        strict=True,
    ):
        np.testing.assert_allclose(mine, other)
    for beta in (0.0, 0.5, 3.0, np.inf):
        same("fbeta_score", y, p, beta=beta, average="macro")


@given(st.integers(0, 2**32 - 1), st.integers(2, 60), st.booleans())
def test_ranking_of_anything(seed, n, weighted):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, size=n)
    score = rng.integers(0, 5, size=n) / 4.0  # ties
    w = None
    if weighted:
        w = rng.integers(0, 3, size=n).astype(float)
        w[0] = 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ready = len(np.unique(y)) == 2 and (w is None or (w @ y) * (w @ (1 - y)) > 0)
        if ready:
            same("roc_auc_score", y, score, sample_weight=w)
            same("roc_auc_score", y, score, sample_weight=w, max_fpr=0.3)
        if y.any() and (w is None or w @ y > 0):
            same("average_precision_score", y, score, sample_weight=w)


def test_roc_of_text_and_of_equal_scores():
    assert ours.roc_auc_score(["n", "p", "n", "p"], [0.1, 0.9, 0.2, 0.15]) == 0.75
    assert ours.roc_auc_score([0, 1, 1], [3.0, 3.0, 3.0]) == 0.5
    with pytest.warns(UndefinedMetricWarning, match="Only one class"):
        assert np.isnan(ours.roc_auc_score([1, 1], [0.1, 0.2]))
    with pytest.warns(UndefinedMetricWarning, match="No positive class"):
        assert ours.average_precision_score([0, 0], [0.1, 0.2]) == 0.0


def test_roc_is_the_share_of_pairs_ordered_rightly():
    rng = np.random.default_rng(0)
    y, s = rng.integers(0, 2, size=40), rng.normal(size=40).round(1)
    pairs = [(a > b) + 0.5 * (a == b) for a in s[y == 1] for b in s[y == 0]]
    assert ours.roc_auc_score(y, s) == pytest.approx(np.mean(pairs), rel=1e-14)


@pytest.mark.parametrize("average", ["macro", "weighted", "micro", None])
def test_ranking_of_several_classes(average, labels):
    y, _, w = labels
    p = np.random.default_rng(4).dirichlet(np.ones(4), size=80)
    same("roc_auc_score", y, p, average=average, multi_class="ovr")
    same("roc_auc_score", y, p, average=average, multi_class="ovr", sample_weight=w)
    if average in ("macro", "weighted"):
        same("roc_auc_score", y, p, average=average, multi_class="ovo")
    same("average_precision_score", y, p, average=average)
    hot = (p > 0.25).astype(int)
    score = np.random.default_rng(5).normal(size=hot.shape)
    same("roc_auc_score", hot, score, average=average, sample_weight=w)
    same("average_precision_score", hot, score, average=average, sample_weight=w)


def test_probabilities(labels):
    y, _, w = labels
    p = np.random.default_rng(4).dirichlet(np.ones(4), size=80)
    for normalize in (True, False):
        same("log_loss", y, p, normalize=normalize, sample_weight=w)
    single = p.astype(np.float32)
    assert ours.log_loss(y, single) == pytest.approx(theirs.log_loss(y, single), rel=1e-6)
    same("log_loss", y[:3], p[:3] * 0 + np.eye(4)[[0, 1, 2]], labels=["a", "b", "c", "d"])
    two, q = (y > "b").astype(int), p[:, 0]
    same("log_loss", two, q, sample_weight=w)
    same("log_loss", two, np.round(q))  # certain and wrong
    same("log_loss", np.where(two, "yes", "no"), np.column_stack([1 - q, q]))
    same("brier_score_loss", two, q, sample_weight=w)
    same("brier_score_loss", 2 * two - 1, q)
    same("brier_score_loss", np.where(two, "yes", "no"), q, pos_label="yes")
    same("brier_score_loss", y, p, sample_weight=w)
    same("brier_score_loss", two, q, scale_by_half=False)
    with pytest.warns(UserWarning, match="sum to one"):
        ours.log_loss(y, p * 0.5)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: ours.accuracy_score([1, 2], [1]), "inconsistent numbers"),
        (lambda: ours.accuracy_score([], []), "minimum of 1 sample"),
        (lambda: ours.accuracy_score([0.5, 1.5], [0, 1]), "mix of continuous and binary"),
        (lambda: ours.accuracy_score([0.5, 1.5], [0.5, 1.5]), "continuous is not supported"),
        (lambda: ours.accuracy_score(["a", "b"], [0, 1]), "Mix of label input types"),
        (lambda: ours.f1_score([0, 1, 2], [0, 1, 1]), "average='binary'"),
        (lambda: ours.f1_score(["a", "b"], ["a", "b"]), "pos_label=1 is not a valid label"),
        (lambda: ours.f1_score([0, 1], [0, 1], average="mean"), "average has to be one of"),
        (lambda: ours.f1_score([0, 1], [0, 1], average="samples"), "several labels each"),
        (lambda: ours.f1_score([0, 1], [0, 1], zero_division=3), "zero_division must be"),
        (lambda: ours.fbeta_score([0, 1], [0, 1], beta=-1), "beta must be"),
        (lambda: ours.log_loss([0, 0], [0.5, 0.5]), "only one label"),
        (lambda: ours.log_loss([0, 1], [0.5, 1.5]), "greater than 1"),
        (lambda: ours.log_loss([0, 1], [0.5, -0.5]), "lower than 0"),
        (lambda: ours.log_loss([0, 1, 2], [0.5, 0.5, 0.5]), "different number of classes"),
        (lambda: ours.log_loss([0, 3], [[1, 0], [0, 1]], labels=[0, 1]), "not among the labels"),
        (lambda: ours.brier_score_loss(["a", "b"], [0.5, 0.5]), "pos_label is not specified"),
        (lambda: ours.brier_score_loss([0, 1, 2], [0.5, 0.5, 0.1]), "Only binary"),
        (lambda: ours.roc_auc_score([0, 1], [0.5, np.nan]), "NaN"),
        (lambda: ours.roc_auc_score([0, 1, 2], np.eye(3)), "multi_class must be in"),
        (lambda: ours.roc_auc_score([0, 1, 2], 2 * np.eye(3), multi_class="ovr"), "sum up to 1"),
        (lambda: ours.roc_auc_score([0, 1], [0.1, 0.2], max_fpr=2), "max_fpr"),
        (lambda: ours.roc_auc_score([0.5, 1.2], [0.1, 0.2]), "continuous format"),
        (lambda: ours.average_precision_score([2, 3], [0.1, 0.2]), "pos_label=1"),
    ],
)
def test_refusals(call, words):
    with pytest.raises((InvalidDataError, InvalidParameterError), match=words):
        call()
