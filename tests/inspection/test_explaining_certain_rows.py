"""Rows that a model is certain of have no finite odds, and are explained by probabilities."""

from __future__ import annotations

import numpy as np

from stylobate.decision import CostSensitiveClassifier
from stylobate.inspection import explain_row
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
