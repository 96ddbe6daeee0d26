"""Rows that a model is certain of have no finite odds, and are explained by probabilities."""

from __future__ import annotations

import numpy as np

from stylobate.decision import CostSensitiveClassifier
from stylobate.inspection import explain_row
from stylobate.naive_bayes import GaussianNB
from stylobate.tree import DecisionTreeClassifier


def test_odds_that_are_infinite_only_between_rows():
    """Both rows of the background are in mixed leaves; rows between them and the one explained
    fall into a pure one."""
    X = np.array([[0, 0]] * 4 + [[1, 1]] * 4 + [[0, 1]] * 4 + [[1, 0]] * 4, dtype=float)
    y = np.array([0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 0, 1])
    model = CostSensitiveClassifier(DecisionTreeClassifier(), cost=[[0, 1], [5, 0]]).fit(X, y)
    why = explain_row(model, X[4], background=X[:4])
    assert why.scale == "probability"
    assert np.isfinite(why.contributions).all()
    np.testing.assert_allclose(why.contributions.sum(), model.predict_proba(X[4:5])[0, 1] - 0.25)
    assert "inf" not in str(why)


def test_odds_too_large_to_be_numbers_are_told():
    """Naive Bayes of far classes: log-odds of thousands, whose exponential overflows."""
    draw = np.random.default_rng(0)
    X = np.concatenate([draw.normal(0, 1, (40, 2)), draw.normal(500, 1, (40, 2))])
    y = np.repeat(["near", "far"], 40)
    model = GaussianNB().fit(X, y)
    for k in (0, 79):
        said = str(explain_row(model, X[k], background=X))
        assert f"Predicted: {y[k]}" in said
        assert "log-odds" in said
        assert "inf" not in said.replace("(Exact", "")
