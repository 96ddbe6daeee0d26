"""Small things that hard use found broken, each beside what it should be."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from stylobate.decision import ClassDensities, expected_prediction_error
from stylobate.discriminant_analysis import LinearDiscriminantAnalysis
from stylobate.ensemble import RandomForestClassifier
from stylobate.linear_model import ElasticNetCV, LassoCV
from stylobate.metrics import check_metric, log_loss
from stylobate.tree import DecisionTreeClassifier

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("kind", [LassoCV, ElasticNetCV])
def test_unit_weights_choose_the_same_penalty(kind):
    for _ in range(10):
        x, y = RNG.normal(size=(12, 4)), RNG.normal(size=12)
        plain = kind(cv=3).fit(x, y)
        weighted = kind(cv=3).fit(x, y, sample_weight=np.ones(12))
        assert weighted.alpha_ == pytest.approx(plain.alpha_, rel=1e-12)
        np.testing.assert_allclose(weighted.coef_, plain.coef_, atol=1e-9)


@pytest.mark.parametrize(
    ("model", "room"),
    [
        (DecisionTreeClassifier(max_depth=5, random_state=0), 0.05),
        (RandomForestClassifier(20, max_depth=5, random_state=0), 0.05),
    ],
    ids=["tree", "forest"],
)
def test_a_column_of_hundreds_of_names_does_not_ruin_a_tree(model, room):
    x, names = RNG.normal(size=2000), RNG.integers(0, 800, 2000).astype(str)
    y = (x + RNG.normal(size=2000) > 0).astype(int)
    frame, kept = pd.DataFrame({"x": x, "name": names}), slice(1000)
    with_names = model.fit(frame[kept], y[kept]).predict_proba(frame[1000:])
    alone = model.fit(frame[["x"]][kept], y[kept]).predict_proba(frame[["x"]][1000:])
    assert log_loss(y[1000:], with_names) <= log_loss(y[1000:], alone) + room


def test_names_of_metrics_are_checked_against_the_axioms():
    points = RNG.normal(size=(30, 3))
    assert check_metric("euclidean", points).holds
    assert "triangle" in check_metric("cosine", points).broken


def test_the_expected_error_of_a_fitted_model():
    laws = {0: stats.norm(0.0, 1.0), 1: stats.norm(2.0, 1.0)}
    law = ClassDensities(laws, priors={0: 0.5, 1: 0.5})
    y = np.repeat([0, 1], 2000)
    x = RNG.normal(size=4000) + 2.0 * y
    model = LinearDiscriminantAnalysis().fit(x[:, None], y)
    for rule in (model, model.predict):
        found = expected_prediction_error(rule, law)
        assert float(found) == pytest.approx(stats.norm.cdf(-1.0), abs=2e-3)
