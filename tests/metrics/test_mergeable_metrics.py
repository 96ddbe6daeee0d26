"""Counts of classes and sums of errors: statistics that merge, and the scores that follow."""

from __future__ import annotations

from functools import reduce

import numpy as np
import pytest

from stylobate import metrics as ours
from stylobate.data import read_table
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics import ClassCounts, ErrorSums
from stylobate.metrics.scoring.names import OF_LABELS
from stylobate.testing import check_merge_laws


def of_tables(statistic):
    """The statistic of tables that hold the truth in y and the prediction in X."""

    class OfTables:
        __name__ = statistic.__name__
        subtractable = statistic.subtractable
        from_arrays = statistic.from_arrays

        def of(self, table):
            return statistic.of(table.y[:, 0], table.x[:, 0], table.weights)

    return OfTables()


def tables(rng, make, *, weighted):
    parts = []
    for n in (20, 7, 31):
        y, p = make(n)
        w = rng.integers(1, 4, size=n) / 2.0 if weighted else None
        parts.append(read_table(p[:, None].astype(float), y.astype(float), w, owner="test"))
    return parts


@pytest.mark.parametrize("weighted", [False, True])
def test_laws_of_class_counts(weighted):
    rng = np.random.default_rng(0)
    parts = tables(rng, lambda n: rng.integers(0, n % 8 + 2, size=(2, n)), weighted=weighted)
    check_merge_laws(of_tables(ClassCounts), parts)


@pytest.mark.parametrize("weighted", [False, True])
def test_laws_of_error_sums(weighted):
    rng = np.random.default_rng(1)
    parts = tables(rng, lambda n: rng.normal(1e3, 2.0, size=(2, n)), weighted=weighted)
    check_merge_laws(of_tables(ErrorSums), parts)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", sorted(set(OF_LABELS) - {"fbeta_score"}))
def test_every_metric_of_batches_is_that_of_all_rows(name, weighted):
    rng = np.random.default_rng(2)
    two = "likelihood" in name
    y, p = rng.choice(["n", "y"] if two else ["cat", "dog", "eel"], size=(2, 60))
    w = rng.integers(0, 4, size=60) / 4.0 if weighted else None
    batches = [slice(0, 11), slice(11, 12), slice(12, 60)]
    counts = reduce(
        lambda a, b: a.merge(b),
        (ClassCounts.of(y[b], p[b], None if w is None else w[b]) for b in batches),
    )
    averaged = name in (
        "f1_score", "precision_score", "recall_score", "jaccard_score", "specificity_score",
        "false_positive_rate", "negative_predictive_value",
    )  # fmt: skip
    options = {"average": "macro"} if averaged else {}
    function = ours.__dict__.get(name) or getattr(ours, name, None)
    if function is None:  # half of class_likelihood_ratios
        function = lambda *a, **k: ours.class_likelihood_ratios(*a, **k)[  # noqa: E731
            name.startswith("negative")
        ]
    want, got = function(y, p, sample_weight=w, **options), counts.score(name, **options)
    if isinstance(want, str):
        assert got == want
    else:
        for a, b in zip(np.atleast_1d(got), np.atleast_1d(want), strict=True):
            if b is not None:
                np.testing.assert_allclose(a, b, rtol=1e-12)


def test_scores_by_the_names_of_scorers():
    counts = ClassCounts.of([0, 1, 2, 2], [0, 2, 2, 2])
    assert counts.n_rows == 4
    assert counts.score("accuracy") == 0.75
    assert counts.score("recall_macro") == pytest.approx(2 / 3)
    assert counts.score("f1_score", average="micro") == 0.75
    assert counts.score("jaccard_weighted") == pytest.approx((1 + 2 * 2 / 3) / 4)
    with pytest.raises(InvalidParameterError, match="does not follow from counts"):
        counts.score("roc_auc")


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("outputs", [1, 3])
def test_errors_of_batches_are_those_of_all_rows(weighted, outputs):
    rng = np.random.default_rng(3)
    y = rng.normal(size=(50, outputs)) + 1e4
    p = y + rng.normal(size=(50, outputs))
    w = rng.random(50) if weighted else None
    parts = [slice(0, 1), slice(1, 30), slice(30, 50)]
    sums = reduce(
        lambda a, b: a.merge(b),
        (ErrorSums.of(y[b], p[b], None if w is None else w[b]) for b in parts),
    )
    for name in (
        "mean_squared_error", "root_mean_squared_error", "mean_absolute_error", "r2_score",
        "explained_variance_score",
    ):  # fmt: skip
        for multioutput in ("raw_values", "uniform_average"):
            want = getattr(ours, name)(y, p, sample_weight=w, multioutput=multioutput)
            got = sums.score(name, multioutput=multioutput)
            np.testing.assert_allclose(got, want, rtol=1e-9)
    assert sums.score("neg_mean_squared_error") == -sums.score("mean_squared_error")
    assert sums.score("r2") == sums.score("r2_score")


def test_mistakes_are_told():
    counts, sums = ClassCounts.of([0, 1], [0, 1]), ErrorSums.of([0.0, 1.0], [0.0, 1.0])
    with pytest.raises(InvalidDataError, match="subtract only what was merged"):
        counts.subtract(ClassCounts.of([1], [0]))
    with pytest.raises(InvalidDataError, match="subtract only what was merged"):
        sums.subtract(ErrorSums.of([0.0] * 3, [1.0] * 3))
    with pytest.raises(InvalidDataError, match="same targets"):
        sums.merge(ErrorSums.of(np.eye(2), np.eye(2)))
    with pytest.raises(InvalidDataError, match="count each column"):
        ClassCounts.of([[0, 1], [1, 1]], [[0, 1], [1, 1]])
    with pytest.raises(InvalidParameterError, match="does not follow from sums"):
        sums.score("median_absolute_error")
    with pytest.raises(InvalidDataError, match="no rows"):
        ErrorSums.of([], []).score("r2")


def test_huber():
    r = np.array([0.5, -3.0, 10.0])
    want = np.where(np.abs(r) <= 2, r**2 / 2, 2 * (np.abs(r) - 1)).mean()
    assert ours.mean_huber_loss(r, np.zeros(3), delta=2.0) == pytest.approx(want)
    raw = ours.mean_huber_loss(np.eye(2), np.zeros((2, 2)), multioutput="raw_values")
    assert raw.tolist() == [0.25, 0.25]
    with pytest.raises(InvalidParameterError, match="delta must be"):
        ours.mean_huber_loss(r, r, delta=0.0)
