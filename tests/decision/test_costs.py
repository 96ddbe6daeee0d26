"""Cost matrices, decisions of least expected cost, and thresholds: against brute force."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as theirs

from stylobate.decision import (
    CostMatrix,
    best_decision,
    choose_threshold,
    expected_cost,
    mean_cost,
)
from stylobate.exceptions import InvalidDataError, InvalidParameterError

costs = st.floats(-5, 5).map(lambda c: round(c, 2))


def test_prints_and_labels():
    frame = pd.DataFrame([[0, 1.5], [20, 0]], index=["well", "ill"], columns=["well", "ill"])
    cost = CostMatrix(frame)
    assert str(cost).splitlines()[1:] == ["      well  ill", "well     0  1.5", "ill     20    0"]
    assert cost == CostMatrix([[0, 1.5], [20, 0]], ["well", "ill"])
    assert cost != CostMatrix.zero_one(["well", "ill"])
    more = cost.with_refusal(0.5)
    assert more.decisions.tolist() == ["well", "ill", "refuse"]
    assert more.costs[:, 2].tolist() == [0.5, 0.5]
    np.testing.assert_array_equal(np.asarray(cost), [[0, 1.5], [20, 0]])


@given(st.tuples(costs, costs, costs, costs), st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_threshold_decides_as_the_least_expected_cost(values, chances):
    cost = CostMatrix(np.reshape(values, (2, 2)))
    kept, alarm, missed, hit = values
    if alarm < kept and missed < hit:  # wrong decisions are cheaper for both classes
        with pytest.raises(InvalidDataError, match="right decisions cost more"):
            _ = cost.threshold
        return
    p = np.array(chances)
    expected = expected_cost(p, cost)
    np.testing.assert_allclose(
        expected, np.column_stack([kept * (1 - p) + missed * p, alarm * (1 - p) + hit * p])
    )
    clear = np.abs(expected[:, 0] - expected[:, 1]) > 1e-9
    by_threshold = (p >= cost.threshold).astype(int)
    np.testing.assert_array_equal(best_decision(p, cost)[clear], by_threshold[clear])


def test_several_classes_by_brute_force():
    rng = np.random.default_rng(0)
    cost = CostMatrix(rng.uniform(0, 5, (3, 4)), ["a", "b", "c"], ["a", "b", "c", "ask"])
    p = rng.dirichlet(np.ones(3), size=50)
    for row, decision in zip(p, best_decision(p, cost), strict=True):
        risks = {d: sum(row * cost.costs[:, j]) for j, d in enumerate(cost.decisions.tolist())}
        assert risks[decision] == min(risks.values())


def test_mean_cost_of_unit_costs_is_the_error_rate():
    rng = np.random.default_rng(1)
    y, z, w = rng.integers(0, 3, 80), rng.integers(0, 3, 80), rng.random(80)
    found = mean_cost(y, z, CostMatrix.zero_one([0, 1, 2]), sample_weight=w)
    assert found == pytest.approx(1 - theirs.accuracy_score(y, z, sample_weight=w))
    matrix = rng.uniform(0, 3, (3, 3))
    table = theirs.confusion_matrix(y, z, sample_weight=w)
    assert mean_cost(y, z, matrix, sample_weight=w) == pytest.approx(
        (table * matrix).sum() / w.sum()
    )


METRICS = {
    "accuracy": theirs.accuracy_score,
    "balanced_accuracy": theirs.balanced_accuracy_score,
    "f1": theirs.f1_score,
    "jaccard": theirs.jaccard_score,
    "matthews_corrcoef": theirs.matthews_corrcoef,
    "recall": theirs.recall_score,
}


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("weighted", [False, True])
def test_every_threshold_against_scikit_learn(metric, weighted):
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 60)
    score = np.round(rng.normal(size=60) + y, 1)  # with ties
    w = rng.integers(0, 3, 60).astype(float) if weighted else None
    curve = choose_threshold(y, score, metric=metric, sample_weight=w)
    for threshold, value in zip(curve.thresholds, curve.values, strict=True):
        called = (score >= threshold).astype(int)
        assert METRICS[metric](y, called, sample_weight=w) == pytest.approx(value)
    assert curve.value == curve.values.max() == curve.at(curve.threshold)
    between = curve.thresholds[3] - 1e-9
    assert curve.at(between) == curve.values[3]  # nobody scores between


@given(
    st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=2, max_size=30),
    st.tuples(costs, costs, costs, costs),
    st.booleans(),
)
def test_cheapest_threshold_by_brute_force(rows, values, flipped):
    y = np.array([r[0] for r in rows], dtype=int)
    score = np.array([r[1] for r in rows], dtype=float)
    cost = CostMatrix(np.reshape(values, (2, 2)))
    if len(np.unique(y)) < 2:
        with pytest.raises(InvalidDataError, match="two classes"):
            choose_threshold(y, score, cost)
        return
    positive = 0 if flipped else 1
    curve = choose_threshold(y, score, cost, pos_label=positive)
    called = [np.where(score >= t, positive, 1 - positive) for t in [np.inf, *np.unique(score)]]
    least = min(mean_cost(y, each, cost) for each in called)
    assert curve.value == pytest.approx(least, abs=1e-12)
    chosen = np.where(score >= curve.threshold, positive, 1 - positive)
    assert mean_cost(y, chosen, cost) == pytest.approx(least, abs=1e-12)


def test_costs_go_by_their_labels():
    y, score = np.array(["well", "ill", "well", "ill"]), np.array([0.1, 0.4, 0.5, 0.9])
    sorted_ = CostMatrix([[0, 20], [1, 0]], ["ill", "well"])
    as_told = CostMatrix([[0, 1], [20, 0]], ["well", "ill"])
    for pos_label in ("ill", "well"):
        a, b = (choose_threshold(y, score, c, pos_label=pos_label) for c in (sorted_, as_told))
        np.testing.assert_array_equal(a.values, b.values)
    assert choose_threshold(y, score, as_told, pos_label="ill").threshold == 0.4
    with pytest.raises(InvalidDataError, match="decides between the two classes"):
        choose_threshold(y, score, as_told.with_refusal(0.1))


def test_a_metric_of_ones_own():
    curve = choose_threshold([0, 1, 1], [1.0, 2.0, 3.0], metric=lambda tp, fp, fn, tn: tp - fp)
    assert (curve.threshold, curve.value) == (2.0, 2.0)
    assert "best <lambda> 2" in repr(curve)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: CostMatrix([[0, 1]]), "shape \\(1, 2\\)"),
        (lambda: CostMatrix([0, 1]), "shape \\(2,\\)"),
        (lambda: CostMatrix([[0, 1, 2], [1, 0, 2]]), "not square"),
        (lambda: CostMatrix([[0, np.nan], [1, 0]]), "costs\\[0, 1\\] is nan"),
        (lambda: CostMatrix([["a", 1], [1, 0]]), "matrix of numbers"),
        (lambda: CostMatrix([[0, 1], [1, 0]], ["a", "a"]), "2 different labels"),
        (lambda: CostMatrix.zero_one([0, 1, 2]).threshold, "two classes"),
        (lambda: best_decision([0.5, 1.5], [[0, 1], [1, 0]]), "in row 1 is -0.5"),
        (lambda: best_decision([[0.5, 0.6]], [[0, 1], [1, 0]]), "sum to 1.1"),
        (lambda: best_decision([[0.5, -0.5, 1.0]], np.zeros((3, 3))), "class 1 in row 0 is -0.5"),
        (lambda: best_decision([np.nan], [[0, 1], [1, 0]]), "is nan"),
        (lambda: best_decision([[0.5, 0.5]], np.zeros((3, 3))), "2 classes and costs of 3"),
        (lambda: best_decision([[1.0]], [[0, 1], [1, 0]]), "at least two classes"),
        (lambda: mean_cost([0, 2], [0, 1], CostMatrix.zero_one([0, 1])), "y_true holds 2"),
        (lambda: mean_cost([0], [0, 1], CostMatrix.zero_one([0, 1])), "1 entries and y_pred 2"),
        (lambda: choose_threshold([0, 1], [0.1, np.nan], [[0, 1], [1, 0]]), "score\\[1\\] is nan"),
        (
            lambda: choose_threshold([0, 0], [0.1, 0.2], [[0, 1], [1, 0]]),
            "two classes, and holds 1",
        ),
        (lambda: choose_threshold([0, 1], [[0.1], [0.2]], [[0, 1], [1, 0]]), "predict_proba"),
        (lambda: choose_threshold([0, 1], [0.1, 0.2]), "either cost or metric"),
        (
            lambda: choose_threshold([0, 1], [0.1, 0.2], metric="loveliness"),
            "metric must be one of",
        ),
        (lambda: choose_threshold([0, 1], [0.1, 0.2], np.eye(3)), "there are 2 classes"),
        (lambda: choose_threshold([0, 1], [0.1, 0.2], np.eye(2), pos_label=7), "pos_label=7"),
        (
            lambda: choose_threshold([0, 1], [0.1, 0.2], np.eye(2), sample_weight=[1, -1]),
            "negative",
        ),
    ],
)
def test_refused(make, words):
    with pytest.raises((InvalidDataError, InvalidParameterError), match=words):
        make()
