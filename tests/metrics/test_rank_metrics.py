"""Metrics of scores against scikit-learn: ties, extreme scores, weights with zeros, every label."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as theirs

from stylobate import metrics as ours
from stylobate.exceptions import InvalidDataError, InvalidParameterError, UndefinedMetricWarning
from stylobate.metrics.curves.ranked_counts import ranked_counts
from stylobate.parallel import set_threads


def same(name, *args, rtol=1e-11, **kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mine = getattr(ours, name)(*args, **kwargs)
        other = getattr(theirs, name)(*args, **kwargs)
    np.testing.assert_allclose(mine, other, rtol=rtol, atol=1e-13, err_msg=f"{name} {kwargs}")


def scores_of_kind(kind, rng, n):
    return {
        "normal": lambda: rng.normal(size=n),
        "ties": lambda: rng.integers(-4, 5, size=n) / 3.0,
        "equal": lambda: np.full(n, -2.5),
        "zeros": lambda: np.where(rng.random(n) < 0.5, 0.0, -0.0),
        "probabilities": lambda: 1.0 / (1.0 + np.exp(-8.0 * rng.normal(size=n))),
        "logarithmic": lambda: np.exp(rng.normal(size=n) * 40.0),
        "extreme": lambda: rng.choice([1.7e308, -1.7e308, 5e-324, -5e-324, 0.0, 1.0], size=n),
        "crowded": lambda: np.where(
            rng.random(n) < 0.02, rng.normal(size=n) * 1e300, 1.0 + rng.random(n) * 1e-12
        ),
        "single": lambda: rng.normal(size=n).astype(np.float32),
        "sorted": lambda: np.arange(n, dtype=float),
    }[kind]()


KINDS = [
    "normal", "ties", "equal", "zeros", "probabilities", "logarithmic", "extreme", "crowded",
    "single", "sorted",
]  # fmt: skip


@pytest.mark.parametrize("n", [40, 3_000, 150_000])
@pytest.mark.parametrize("kind", KINDS)
def test_areas_and_counts_of_any_scores(kind, n):
    rng = np.random.default_rng(n)
    score = scores_of_kind(kind, rng, n)
    y = (rng.random(n) < 0.3).astype(int)
    y[:2] = 0, 1
    weights = rng.random(n)
    weights[::5] = 0.0
    for w in (None, weights):
        same("roc_auc_score", y, score, sample_weight=w)
        same("average_precision_score", y, score, sample_weight=w)
        same("roc_auc_score", y, score, sample_weight=w, max_fpr=0.2)
        mine = ours.confusion_matrix_at_thresholds(y, score, sample_weight=w)
        with np.errstate(all="ignore"):  # theirs adds the scores up
            other = theirs.confusion_matrix_at_thresholds(y, score, sample_weight=w)
        np.testing.assert_array_equal(mine.thresholds, other[-1])
        for a, b in zip(mine[:4], other[:4], strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-8)


@given(st.lists(st.tuples(st.booleans(), st.floats(-1e3, 1e3)), min_size=1, max_size=60))
def test_area_is_the_share_of_pairs(rows):
    y = np.array([a for a, _ in rows])
    s = np.array([b for _, b in rows])
    up, down = s[y], s[~y]
    if len(up) and len(down):
        pairs = (up[:, None] > down).mean() + 0.5 * (up[:, None] == down).mean()
        assert ours.roc_auc_score(y, s) == pytest.approx(pairs, rel=1e-12)
    thresholds, true, false = ranked_counts(y, s)
    np.testing.assert_array_equal(thresholds, np.unique(s)[::-1])
    np.testing.assert_array_equal(true, [(up >= t).sum() for t in thresholds])
    np.testing.assert_array_equal(false, [(down >= t).sum() for t in thresholds])


def test_the_same_bits_for_any_number_of_threads():
    rng = np.random.default_rng(0)
    y, s, w = rng.random(300_000) < 0.4, rng.normal(size=300_000), rng.random(300_000)
    found = []
    for threads in (1, 2, 5):
        before = set_threads(threads)
        try:
            curve = ranked_counts(y, s, w)
            found.append(
                (
                    ours.roc_auc_score(y, s, sample_weight=w),
                    ours.average_precision_score(y, s, sample_weight=w),
                    *(part.tobytes() for part in curve),
                    ours.confusion_matrix(y, s > 0.3, sample_weight=w).tobytes(),
                )
            )
        finally:
            set_threads(before)
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("weighted", [False, True])
def test_rankings_of_labels(weighted):
    rng = np.random.default_rng(5)
    y = (rng.random((40, 6)) < 0.4).astype(int)
    y[0], y[1] = 0, 1
    w = rng.random(40) if weighted else None
    for s in (rng.normal(size=(40, 6)), rng.integers(0, 3, size=(40, 6)).astype(float)):
        for name in (
            "coverage_error",
            "label_ranking_average_precision_score",
            "label_ranking_loss",
        ):
            same(name, y, s, sample_weight=w)
        for k in (None, 1, 3, 10):
            for ignore_ties in (False, True):
                options = {"k": k, "ignore_ties": ignore_ties, "sample_weight": w}
                if ignore_ties and len(np.unique(s)) < 10:
                    continue  # which of the ties comes first is nobody's promise
                same("dcg_score", rng.random((40, 6)), s, log_base=3, **options)
                same("ndcg_score", y, s, **options)


@pytest.mark.parametrize("weighted", [False, True])
def test_top_k_and_hinge(weighted):
    rng = np.random.default_rng(6)
    y = rng.integers(0, 4, size=50)
    w = rng.random(50) if weighted else None
    for s in (rng.normal(size=(50, 4)), rng.integers(0, 3, size=(50, 4)) / 2.0):
        for k in (1, 2, 3, 4):
            same("top_k_accuracy_score", y, s, k=k, sample_weight=w)
            same("top_k_accuracy_score", y, s, k=k, normalize=False, sample_weight=w)
        same("top_k_accuracy_score", y[:2] % 2, s[:2], k=1, labels=[0, 1, 2, 3])
        same("hinge_loss", y, s, sample_weight=w)
        same("hinge_loss", y % 2, s[:, :3], labels=[0, 1, 2], sample_weight=w)
        same("hinge_loss", y % 2, s[:, 0], sample_weight=w)
        same("hinge_loss", np.where(y > 1, "p", "n"), s[:, 0], sample_weight=w)
        same("top_k_accuracy_score", y % 2, s[:, 0], k=1, sample_weight=w)


@pytest.mark.parametrize("weighted", [False, True])
def test_shares_of_what_probabilities_explain(weighted):
    rng = np.random.default_rng(7)
    y, p = rng.integers(0, 3, size=60), rng.dirichlet(np.ones(3), size=60)
    w = rng.random(60) if weighted else None
    for name in ("d2_log_loss_score", "d2_brier_score"):
        same(name, y, p, sample_weight=w)
        same(name, (y > 0).astype(int), p[:, 0], sample_weight=w)
        same(name, y[y < 2], p[y < 2], labels=[0, 1, 2])
        with pytest.warns(UndefinedMetricWarning, match="less than two"):
            assert np.isnan(getattr(ours, name)([1], [0.5]))
    same("d2_brier_score", np.where(y > 0, "b", "a"), p[:, 0], pos_label="b", sample_weight=w)


def test_auc_of_points():
    for x, y in (([0, 1, 3], [1.0, 2.0, 0.5]), ([3, 1, 1, 0], [1.0, 2.0, 0.5, 7.0])):
        same("auc", x, y)


def test_metric_at_thresholds():
    y, s = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
    for metric in (theirs.accuracy_score, theirs.precision_recall_fscore_support):
        params = {"average": "binary"} if metric is not theirs.accuracy_score else None
        if params:
            params["zero_division"] = 0
            metric = theirs.f1_score
        mine = ours.metric_at_thresholds(y, s, metric, metric_params=params)
        other = theirs.metric_at_thresholds(y, s, metric, metric_params=params)
        for a, b in zip(mine, other, strict=True):
            np.testing.assert_allclose(a, b)


def test_the_notes_worked_numbers():
    a = np.array([1000, 900, 800, 700, 300, 100, 1, -10, -200, -500])
    y = np.array([1, -1, 1, 1, -1, -1, -1, 1, -1, -1])
    for threshold, precision, recall, f1, matrix in (
        (700, 2 / 3, 1 / 2, 4 / 7, [[5, 1], [2, 2]]),
        (-200, 1 / 2, 1.0, 2 / 3, [[2, 4], [0, 4]]),
    ):
        predicted = np.where(a > threshold, 1, -1)
        assert ours.precision_score(y, predicted) == pytest.approx(precision)
        assert ours.recall_score(y, predicted) == pytest.approx(recall)
        assert ours.f1_score(y, predicted) == pytest.approx(f1)
        assert ours.confusion_matrix(y, predicted).tolist() == matrix
    seven = [0.45, -0.1, 2, 0.3, -0.5, 0.7, 0]
    assert ours.roc_auc_score([1, -1, 1, 1, -1, -1, 1], seven) == 0.75
    rare = np.repeat([0, 1, 0], [950_000, 100, 50_000])  # from the lowest score on
    assert ours.roc_auc_score(rare, np.arange(len(rare))) == pytest.approx(0.95, abs=1e-4)
    assert ours.average_precision_score(rare, np.arange(len(rare))) == pytest.approx(
        0.001, abs=1e-4
    )


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: ours.roc_auc_score([0, 1], [0.1, np.nan]), "NaN"),
        (lambda: ours.roc_auc_score([0, 1], [0.1, np.inf]), "infinity"),
        (lambda: ours.average_precision_score([0, 1], [0.1, -np.inf]), "infinity"),
        (lambda: ours.roc_auc_score([], []), "expected"),
        (lambda: ours.roc_auc_score([0, 1, 1], [0.1, 0.2]), "inconsistent numbers"),
        (lambda: ours.roc_auc_score([0, 1], [0.1, 0.2], sample_weight=[1, -1]), "negative"),
        (lambda: ours.confusion_matrix_at_thresholds([0, 1, 2], [1, 2, 3]), "multiclass format"),
        (lambda: ours.confusion_matrix_at_thresholds(["a", "b"], [1, 2]), "pos_label"),
        (lambda: ours.auc([0, 1, 0.5], [1, 1, 1]), "neither increasing nor decreasing"),
        (lambda: ours.auc([0], [1]), "At least 2 points"),
        (lambda: ours.auc([0, 1], [1, 2, 3]), "inconsistent numbers"),
        (lambda: ours.dcg_score([[1, 2]], [[1, 2]], k=0), "k must be"),
        (lambda: ours.dcg_score([1, 2, 3], [1, 2, 3]), "formats are supported"),
        (lambda: ours.ndcg_score([[-1.0, 2.5]], [[1, 2]]), "negative y_true"),
        (lambda: ours.ndcg_score([[1.0], [0.0]], [[1], [2]]), "more than 1 document"),
        (lambda: ours.coverage_error([[1, 0]], [[1, 0, 2]]), "different shape"),
        (lambda: ours.coverage_error([0, 1, 2], [[1], [2], [3]]), "multiclass format"),
        (lambda: ours.label_ranking_loss([[1, 0]], [[1, np.nan]]), "NaN"),
        (lambda: ours.top_k_accuracy_score([0, 1, 2], [[1, 2]] * 3), "not equal to the number"),
        (lambda: ours.top_k_accuracy_score([0, 3], np.eye(2), labels=[0, 3]), "1d array"),
        (lambda: ours.top_k_accuracy_score([0, 3, 1], np.eye(3), labels=[0, 1, 2]), "not in"),
        (lambda: ours.top_k_accuracy_score([0, 1, 2], np.eye(3), labels=[0, 2, 1]), "ordered"),
        (lambda: ours.top_k_accuracy_score([0, 1], [0.1, 0.2], k=0), "k must be"),
        (lambda: ours.hinge_loss([0, 1, 2], [1, 2, 3]), "n_samples, n_classes"),
        (lambda: ours.d2_log_loss_score([0, 1], [0.5, 1.5]), "greater than 1"),
        (lambda: ours.d2_brier_score(["a", "b"], [0.5, 0.5]), "pos_label"),
    ],
)
def test_refusals(call, words):
    with pytest.raises((InvalidDataError, InvalidParameterError), match=words):
        call()
