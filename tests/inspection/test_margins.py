"""Distances to the plane of a linear classifier, against projections written out."""

import numpy as np
import pytest
import sklearn.linear_model as theirs
from scipy.sparse import csr_array

from stylobate.discriminant_analysis import LinearDiscriminantAnalysis
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inspection import margin, signed_distances
from stylobate.linear_model import LogisticRegression, Perceptron
from stylobate.svm import SVC, LinearSVC

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3)) + np.repeat([[0, 0, 0], [3, 3, 3]], 30, axis=0)
Y = np.repeat(["no", "yes"], 30)


@pytest.mark.parametrize(
    "model",
    [
        LogisticRegression(),
        Perceptron(),
        LinearSVC(),
        LinearDiscriminantAnalysis(),
        SVC(kernel="linear"),
        theirs.LogisticRegression(),
    ],
    ids=lambda each: type(each).__module__.partition(".")[0] + type(each).__name__,
)
def test_distance_is_that_to_the_projection(model):
    model.fit(X, Y)
    w, b = np.ravel(model.coef_), float(np.ravel(model.intercept_)[0])
    foot = X - ((X @ w + b) / (w @ w))[:, None] * w  # nearest point of the plane
    np.testing.assert_allclose(foot @ w + b, 0.0, atol=1e-8 * np.abs(w).max())
    found = signed_distances(model, X)
    np.testing.assert_allclose(np.abs(found), np.linalg.norm(X - foot, axis=1), atol=1e-9)
    np.testing.assert_array_equal(found > 0, model.predict(X) == "yes")
    told = margin(model, X, Y)
    assert told.margin == pytest.approx((found * np.where(Y == "yes", 1, -1)).min())
    np.testing.assert_array_equal(told.wrong, np.flatnonzero(model.predict(X) != Y))


def test_the_machine_has_the_widest_margin():
    keep = np.abs(X.sum(axis=1) - 4.5) > 1.0
    rows, labels = X[keep], np.where(X[keep].sum(axis=1) > 4.5, 1, 0)
    machine = SVC(kernel="linear", C=np.inf).fit(rows, labels)
    widest = margin(machine, rows, labels)
    assert 2 * widest.margin == pytest.approx(machine.kkt_report().problems[0].margin_width)
    assert set(widest.closest) == set(machine.support_)
    for other in (LogisticRegression(C=1e3), LinearSVC()):
        assert margin(other.fit(rows, labels), rows, labels).margin <= widest.margin * (1 + 1e-9)
    thin = SVC(kernel="linear", C=np.inf).fit(csr_array(rows), labels)
    np.testing.assert_allclose(
        signed_distances(thin, csr_array(rows)), signed_distances(machine, rows), atol=1e-6
    )
    assert "on their side" in str(widest)


def test_refusals():
    three = np.arange(60) % 3
    with pytest.raises(InvalidParameterError, match="has no plane"):
        signed_distances(SVC().fit(X, Y), X)
    with pytest.raises(InvalidParameterError, match="the margin is of two"):
        margin(LogisticRegression().fit(X, three), X, three)
    with pytest.raises(InvalidDataError, match="the model knows"):
        margin(LogisticRegression().fit(X, Y), X, three)
    assert signed_distances(LogisticRegression().fit(X, three), X).shape == (60, 3)
    with pytest.raises(InvalidParameterError, match="decision_function_shape='ovo'"):
        signed_distances(SVC(kernel="linear").fit(X, np.arange(60) % 4), X)
