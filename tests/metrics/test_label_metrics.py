"""Metrics of labels against scikit-learn: containers, weights with zeros, missing classes."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn import metrics as theirs
from sklearn.exceptions import UndefinedMetricWarning as TheirUndefined

from stylobate import metrics as ours
from stylobate.exceptions import InvalidDataError, InvalidParameterError, UndefinedMetricWarning

PLAIN = ["accuracy_score", "zero_one_loss", "hamming_loss", "matthews_corrcoef"]
AVERAGED = ["precision_score", "recall_score", "f1_score", "jaccard_score"]
KINDS = {
    "int64": lambda y: y,
    "int32": lambda y: y.astype(np.int32),
    "int8": lambda y: y.astype(np.int8),
    "uint16": lambda y: y.astype(np.uint16),
    "float64": lambda y: y.astype(float),
    "float32": lambda y: y.astype(np.float32),
    "wide": lambda y: y * 1_000_000_007 - 5,
    "negative": lambda y: -y,
    "text": lambda y: np.array(["b", "a", "cc", "d", "è"])[y],
    "bytes": lambda y: np.array([b"b", b"a", b"cc", b"d", b"e"])[y],
    "objects": lambda y: np.array(["b", "a", "cc", "d", "è"], dtype=object)[y],
    "list": lambda y: y.tolist(),
    "pandas": lambda y: pd.Series(np.array(["b", "a", "cc", "d", "e"])[y], index=y),
    "categories": lambda y: pd.Series(y).astype("category"),
    "polars": lambda y: pl.Series(np.array(["b", "a", "cc", "d", "e"])[y]),
    "strided": lambda y: np.repeat(y, 3)[::3],
    "column": lambda y: y[:, None],
    "swapped": lambda y: y.astype(">i4"),
}


def same(name, *args, **kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mine = getattr(ours, name)(*args, **kwargs)
        other = getattr(theirs, name)(*args, **kwargs)
    np.testing.assert_allclose(mine, other, rtol=1e-12, atol=1e-13, err_msg=f"{name} {kwargs}")
    assert np.shape(mine) == np.shape(other)
    if isinstance(other, np.ndarray):
        assert mine.dtype == other.dtype


@pytest.fixture(scope="module")
def labels():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 4, size=90)
    p = np.where(rng.random(90) < 0.6, y, rng.integers(0, 5, size=90))
    weights = rng.uniform(size=90)
    weights[::7] = 0.0
    return y, p, weights


@pytest.mark.parametrize("kind", KINDS)
def test_every_container_of_labels(kind, labels):
    y, p, _ = labels
    a, b = KINDS[kind](y), KINDS[kind](p)
    if kind in ("bytes", "polars", "column"):  # theirs does not read them, or warns
        assert ours.accuracy_score(a, b) == theirs.accuracy_score(y, p)
        return
    same("confusion_matrix", a, b)
    same("f1_score", a, b, average=None)
    for name in PLAIN:
        same(name, a, b)


@pytest.mark.parametrize("weighted", [False, True])
def test_confusion(labels, weighted):
    y, p, w = labels
    w = w if weighted else None
    for normalize in (None, "true", "pred", "all"):
        same("confusion_matrix", y, p, normalize=normalize, sample_weight=w)
    for chosen in ([3, 1], [4, 0, 9], [0, 1, 2, 3, 4, 5]):
        same("confusion_matrix", y, p, labels=chosen, sample_weight=w)
        same("multilabel_confusion_matrix", y, p, labels=chosen, sample_weight=w)
        same("cohen_kappa_score", y, p, labels=chosen, sample_weight=w)
    same("multilabel_confusion_matrix", y, p, sample_weight=w)
    for weights in (None, "linear", "quadratic"):
        same("cohen_kappa_score", y, p, weights=weights, sample_weight=w)
    same("matthews_corrcoef", y, p, sample_weight=w)
    same("confusion_matrix", y, p, sample_weight=np.arange(90))
    with pytest.warns(UserWarning, match="single label"):
        assert ours.confusion_matrix([1, 1], [1, 1]).tolist() == [[2]]


@pytest.mark.parametrize("as_sparse", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_indicators(labels, weighted, as_sparse):
    w = labels[2] if weighted else None
    rng = np.random.default_rng(3)
    a, b = (rng.random((2, 90, 4)) < 0.4).astype(int)
    if as_sparse:
        a, b = sparse.csr_matrix(a), sparse.csr_matrix(b)
    for name in ("accuracy_score", "zero_one_loss", "hamming_loss"):
        same(name, a, b, sample_weight=w)
    same("accuracy_score", a, b, normalize=False, sample_weight=w)
    for samplewise in (False, True):
        same("multilabel_confusion_matrix", a, b, samplewise=samplewise, sample_weight=w)
        same("multilabel_confusion_matrix", a, b, samplewise=samplewise, labels=[2, 0])
    for name in AVERAGED:
        for average in ("micro", "macro", "weighted", "samples", None):
            same(name, a, b, average=average, sample_weight=w, zero_division=0)
            same(name, a, b, average=average, labels=[3, 1], zero_division=0)
    same_report(a, b, sample_weight=None if w is None else np.round(4 * w) / 4, zero_division=0)


@pytest.mark.parametrize("average", ["micro", "macro", "weighted", None])
def test_jaccard(average, labels):
    y, p, w = labels
    same("jaccard_score", y, p, average=average, sample_weight=w)
    same("jaccard_score", y, p, average=average, labels=[3, 9], zero_division=1)
    same("jaccard_score", y > 1, p > 1)


def same_report(y, p, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text = ours.classification_report(y, p, **options)
        assert text == theirs.classification_report(y, p, **options)
        mine = ours.classification_report(y, p, output_dict=True, **options)
        other = theirs.classification_report(y, p, output_dict=True, **options)
    assert list(mine) == list(other)
    for name, row in other.items():
        assert mine[name] == pytest.approx(row, rel=1e-12, nan_ok=True), name


def test_report_is_the_same_text(labels):
    y, p, w = labels
    same_report(y, p)
    same_report(y, p, digits=4, target_names=["first", "second", "a very long name", "4", "5"])
    same_report(y, p, labels=[1, 3])
    same_report(y, p, labels=[4, 3, 2, 1, 0])
    same_report(y, p, labels=[0, 1, 2, 3, 4, 7], zero_division=np.nan)
    same_report(KINDS["text"](y), KINDS["text"](p), sample_weight=np.round(4 * w) / 4)
    same_report([0, 0], [0, 0])


def test_likelihood_ratios():
    y, p = [0, 1, 0, 1, 0, 1], [1, 1, 0, 0, 0, 1]
    same("class_likelihood_ratios", y, p)
    same("class_likelihood_ratios", y, p, sample_weight=[1, 2, 3, 4, 5, 0.5])
    same("class_likelihood_ratios", y, p, labels=[1, 0])
    same("class_likelihood_ratios", [0, 1], [0, 1], replace_undefined_by=1.0)
    same("class_likelihood_ratios", [0, 1], [0, 1], replace_undefined_by={"LR+": 2.0, "LR-": 0.5})
    with pytest.warns(UndefinedMetricWarning, match="no false positives") as caught:
        assert np.isnan(ours.class_likelihood_ratios([0, 1], [0, 1])[0])
    assert issubclass(caught[0].category, TheirUndefined)
    with pytest.warns(UndefinedMetricWarning, match="positive class"):
        ours.class_likelihood_ratios([0, 0], [0, 1])


def test_rates_of_a_class_against_the_rest(labels):
    y, p, w = labels
    tn, fp, fn, _ = theirs.multilabel_confusion_matrix(y, p, sample_weight=w).reshape(-1, 4).T
    options = {"average": None, "sample_weight": w}
    np.testing.assert_allclose(ours.specificity_score(y, p, **options), tn / (tn + fp))
    np.testing.assert_allclose(ours.false_positive_rate(y, p, **options), fp / (tn + fp))
    np.testing.assert_allclose(ours.negative_predictive_value(y, p, **options), tn / (tn + fn))
    assert ours.specificity_score([0, 0, 1], [0, 1, 1]) == 0.5
    assert ours.specificity_score(["n", "n", "y"], ["n", "y", "y"], pos_label="y") == 0.5
    with pytest.warns(UndefinedMetricWarning, match="no negative samples"):
        assert ours.specificity_score([1, 1], [1, 1]) == 0.0


@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 40),
    st.integers(1, 6),
    st.sampled_from(["int64", "text", "wide", "float64"]),
    st.booleans(),
)
def test_anything_is_counted_as_by_scikit_learn(seed, n, k, kind, weighted):
    rng = np.random.default_rng(seed)
    y, p = rng.integers(0, min(k, 5), size=(2, n))
    w = None
    if weighted:
        w = rng.integers(0, 3, size=n).astype(float)
        w[0] = 1.0
    a, b = KINDS[kind](y), KINDS[kind](p)
    for name in PLAIN:
        same(name, a, b, sample_weight=w)
    same("confusion_matrix", a, b, sample_weight=w)
    for name in AVERAGED:
        for average in ("micro", "macro", "weighted", None):
            same(name, a, b, average=average, sample_weight=w)
    same_report(a, b, sample_weight=w)


def test_many_classes_and_long_columns():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3000, size=200_000)  # more classes than a table is made for
    p = np.where(rng.random(200_000) < 0.5, y, rng.integers(0, 3000, size=200_000))
    for name in PLAIN:
        same(name, y, p)
    same("f1_score", y, p, average="macro")
    rare = np.zeros(200_000, dtype=np.int64)
    rare[137] = 900  # outside of what a sample of the rows tells
    assert ours.confusion_matrix(rare, np.zeros_like(rare)).tolist() == [[199_999, 0], [1, 0]]
    same("confusion_matrix", y % 10, p % 10)
    same("confusion_matrix", y % 10, p % 10, sample_weight=rng.random(200_000))
    words = np.array([f"class {k}" for k in range(300)])
    same("confusion_matrix", words[y % 300], words[p % 300])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: ours.confusion_matrix([1, 2], [1]), "inconsistent numbers"),
        (lambda: ours.confusion_matrix([], []), "y_true is empty"),
        (lambda: ours.confusion_matrix([0, 1], [0, 1], normalize="rows"), "normalize must be"),
        (lambda: ours.confusion_matrix([0, 1], [0, 1], labels=[]), "at least one label"),
        (lambda: ours.confusion_matrix([0, 1], [0, 1], labels=[7]), "must be in y_true"),
        (lambda: ours.confusion_matrix([[0, 1]], [[0, 1]]), "use multilabel_confusion_matrix"),
        (lambda: ours.confusion_matrix([0.5, 1], [0, 1]), "mix of continuous and binary"),
        (lambda: ours.confusion_matrix([np.nan, 1], [0, 1]), "NaN"),
        (lambda: ours.confusion_matrix(["a", 1], [0, 1]), "Mix of label input types"),
        (lambda: ours.confusion_matrix([None, "a"], ["b", "a"]), "y_true holds NoneType, str"),
        (lambda: ours.accuracy_score([0, 1], [0, 1], sample_weight=[1, -1]), "negative"),
        (lambda: ours.accuracy_score([0, 1], [0, 1], sample_weight=[1]), "sample_weight"),
        (lambda: ours.cohen_kappa_score([0, 1], [0, 1], weights="cubic"), "weights must be"),
        (lambda: ours.matthews_corrcoef([[0, 1]], [[0, 1]]), "multilabel-indicator"),
        (lambda: ours.class_likelihood_ratios([0, 1, 2], [0, 1, 2]), "only supports binary"),
        (lambda: ours.class_likelihood_ratios([0, 0], [0, 0]), "two classes are needed"),
        (lambda: ours.class_likelihood_ratios([0], [1], replace_undefined_by=3), "must be nan"),
        (lambda: ours.f1_score([[0, 1]], [[0, 1]], average=None, labels=[5]), "All labels must"),
        (lambda: ours.f1_score([[0, 1]], [[0, 1, 1]], average=None), "label columns"),
        (
            lambda: ours.multilabel_confusion_matrix([0, 1], [0, 1], samplewise=True),
            "not available outside",
        ),
        (
            lambda: ours.classification_report([0, 1], [0, 1], target_names=["a"]),
            "does not match size of target_names",
        ),
    ],
)
def test_refusals(call, words):
    with pytest.raises((InvalidDataError, InvalidParameterError), match=words):
        call()


def test_kappa_without_a_value():
    with pytest.warns(UndefinedMetricWarning, match="ill-defined"):
        assert np.isnan(ours.cohen_kappa_score([1, 1], [1, 1]))
    with pytest.warns(UndefinedMetricWarning):
        assert ours.cohen_kappa_score([1, 1], [1, 1], replace_undefined_by=0.0) == 0.0
