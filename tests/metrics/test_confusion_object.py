"""Confusion matrices as values: counts of scikit-learn, batches that merge, tables that read."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as theirs

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics import ConfusionMatrix


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(30)
    y = rng.choice(["cat", "dog", "eel"], size=200, p=[0.5, 0.3, 0.2])
    return y, np.where(rng.random(200) < 0.7, y, rng.choice(["cat", "dog", "eel"], size=200))


@pytest.mark.parametrize("weighted", [False, True])
def test_counts_and_scores_are_those_of_scikit_learn(rows, weighted):
    y, p = rows
    w = np.random.default_rng(0).uniform(size=200) if weighted else None
    matrix = ConfusionMatrix.from_predictions(pd.Series(y), list(p), sample_weight=w)
    assert matrix.labels == ("cat", "dog", "eel")
    np.testing.assert_allclose(
        np.asarray(matrix), theirs.confusion_matrix(y, p, sample_weight=w), rtol=1e-12
    )
    for by in ("true", "pred", "all"):
        np.testing.assert_allclose(
            matrix.normalized(by),
            theirs.confusion_matrix(y, p, sample_weight=w, normalize=by),
            rtol=1e-12,
        )
    expected = theirs.precision_recall_fscore_support(y, p, sample_weight=w)
    mine = (matrix.precision, matrix.recall, matrix.f1, matrix.support)
    for a, b in zip(mine, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)
    np.testing.assert_allclose(
        matrix.fbeta(2.0), theirs.fbeta_score(y, p, beta=2, average=None, sample_weight=w)
    )
    assert matrix.accuracy == pytest.approx(theirs.accuracy_score(y, p, sample_weight=w))


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=40), st.data()
)
@settings(max_examples=50)
def test_batches_merge_to_the_whole(pairs, data):
    y, p = np.array(pairs).T
    cut = data.draw(st.integers(1, len(y) - 1))
    batches = [(y[:cut], p[:cut]), (y[cut:], p[cut:])]
    whole = ConfusionMatrix.from_batches(batches)
    assert whole == ConfusionMatrix.from_predictions(y, p)
    one, other = (ConfusionMatrix.from_predictions(*batch) for batch in batches)
    assert one + other == other + one == whole


def test_labels_order_and_missing_classes(rows):
    y, p = rows
    matrix = ConfusionMatrix.from_predictions(y, p, labels=["dog", "cat"])
    np.testing.assert_array_equal(matrix, theirs.confusion_matrix(y, p, labels=["dog", "cat"]))
    assert matrix["cat", "dog"] == ((y == "cat") & (p == "dog")).sum()
    with pytest.raises(KeyError, match="no pair"):
        _ = matrix["cat", "cow"]
    with pytest.raises(KeyError, match="no pair"):
        _ = matrix[0]
    assert (ConfusionMatrix([[1]], ["a"]) + ConfusionMatrix([[2]], [3])).labels == ("a", 3)
    with pytest.raises(TypeError):
        _ = matrix + 1


def test_two_classes_unpack():
    tn, fp, fn, tp = ConfusionMatrix.from_predictions([0, 1, 0, 1], [1, 1, 1, 0]).ravel()
    assert (tn, fp, fn, tp) == (0, 2, 1, 1)


def test_undefined_scores_are_missing():
    matrix = ConfusionMatrix([[3, 0, 0], [1, 0, 0], [0, 0, 0]], ["a", "b", "c"])
    np.testing.assert_array_equal(np.isnan(matrix.precision), [False, True, True])
    np.testing.assert_array_equal(np.isnan(matrix.recall), [False, False, True])
    assert np.isnan(matrix.f1[2])
    assert matrix.f1[1] == 0
    assert "-" in matrix.report()
    assert np.isnan(ConfusionMatrix([[0]]).accuracy)
    np.testing.assert_array_equal(matrix.normalized("pred")[:, 2], 0)


def test_prints_as_a_table():
    assert str(ConfusionMatrix([[50, 3], [2, 45]], ["no", "yes"])) == (
        "           predicted\n            no   yes\ntrue no     50     3\n     yes     2    45"
    )
    wide = ConfusionMatrix(np.eye(30, dtype=int))
    assert "10 more classes" in str(wide)
    assert "a label tha…" in str(ConfusionMatrix([[0.5]], ["a label that is long"]))


def test_values_do_not_change():
    matrix = ConfusionMatrix([[1, 2], [3, 4]])
    with pytest.raises(ValueError, match="read-only"):
        matrix.counts[0, 0] = 9
    np.asarray(matrix)[0, 0] = 9
    assert matrix[0, 0] == 1
    for again in (pickle.loads(pickle.dumps(matrix)), copy.deepcopy(matrix)):
        assert again == matrix
        assert hash(again) == hash(matrix)
    assert matrix != ConfusionMatrix([[1, 2], [3, 5]])
    assert np.asarray(matrix, dtype=float).dtype == np.float64


def test_bad_input_is_refused_in_words():
    for counts in ([[1, 2]], [1, 2], np.empty((0, 0))):
        with pytest.raises(InvalidDataError, match="expected \\(k, k\\)"):
            ConfusionMatrix(counts)
    for counts in ([[-1]], [[np.nan]], [["a"]]):
        with pytest.raises(InvalidDataError, match="finite numbers of at least 0"):
            ConfusionMatrix(counts)
    with pytest.raises(InvalidDataError, match=r"3 labels .* for 2 classes"):
        ConfusionMatrix([[1, 2], [3, 4]], ["a", "b", "c"])
    with pytest.raises(InvalidDataError, match="1 of them distinct"):
        ConfusionMatrix([[1, 2], [3, 4]], ["a", "a"])
    with pytest.raises(InvalidDataError, match="no batch"):
        ConfusionMatrix.from_batches([])
    with pytest.raises(InvalidDataError, match="inconsistent"):
        ConfusionMatrix.from_predictions([0, 1], [0])
    with pytest.raises(InvalidParameterError, match="by must be one of"):
        ConfusionMatrix([[1]]).normalized("rows")
    with pytest.raises(InvalidParameterError, match="beta must be"):
        ConfusionMatrix([[1]]).fbeta(-1)


def test_rows_may_be_the_predicted_classes():
    """Books differ: true classes down as here, or predicted ones (and 1 before 0)."""
    from sklearn.metrics import confusion_matrix as theirs

    from stylobate.metrics import confusion_matrix

    y, guess = [1, 1, 1, 0, 0, 1], [1, 0, 1, 0, 1, 1]
    for normalize in (None, "true", "pred", "all"):
        np.testing.assert_array_equal(
            confusion_matrix(y, guess, labels=[1, 0], rows="pred", normalize=normalize),
            theirs(y, guess, labels=[1, 0], normalize=normalize).T,
        )
    matrix = ConfusionMatrix.from_predictions(y, guess)
    drawn = matrix.plot(rows="pred")
    assert (drawn.get_ylabel(), drawn.get_xlabel()) == ("predicted class", "true class")
    texts = [int(text.get_text()) for text in drawn.texts]
    assert texts == matrix.counts.T.ravel().tolist()
    assert matrix.table() == str(matrix)
    assert "predicted 0" in matrix.table(rows="pred")
    for wrong in (lambda: confusion_matrix(y, guess, rows="both"), lambda: matrix.table("both")):
        with pytest.raises(InvalidParameterError, match="rows"):
            wrong()
