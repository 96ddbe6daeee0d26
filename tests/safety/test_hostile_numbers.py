"""Finite numbers of any size: an answer in numbers or a sentence, by every estimator."""

from __future__ import annotations

import numpy as np
import pytest
from hostile_numbers import cases, outcome, tables
from sklearn.naive_bayes import ComplementNB as TheirComplementNB

from stylobate.dummy import DummyRegressor
from stylobate.exceptions import NumericalError
from stylobate.feature_selection import VarianceThreshold
from stylobate.isotonic import IsotonicRegression
from stylobate.linear_model import LinearRegression, PoissonRegressor
from stylobate.naive_bayes import ComplementNB
from stylobate.neighbors import NearestCentroid
from stylobate.preprocessing import FunctionTransformer
from stylobate.tree import DecisionTreeClassifier, DecisionTreeRegressor

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(60, 3)), RNG.normal(size=60)
HUGE = np.finfo(np.float64).max


@pytest.mark.parametrize("estimator", tables(), ids=lambda each: type(each).__name__)
def test_no_silent_infinity_and_no_raw_error(estimator, in_sample):
    who, wrong = type(estimator).__name__, []
    for name, case in cases(estimator):
        if in_sample(f"{who}-{name}", 8):
            kind, said = outcome(estimator, case)
            if kind in ("silent", "raw"):
                wrong.append(f"{name}: {kind}: {said}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("model", [DummyRegressor(), DecisionTreeRegressor()])
def test_weights_and_targets_too_large_to_be_added(model):
    with pytest.raises(NumericalError, match="sample_weight holds values up to"):
        model.fit(X, Y, sample_weight=np.full(60, HUGE))
    with pytest.raises(NumericalError, match="y holds values up to"):
        model.fit(X, np.where(Y > 0, 1.7e308, -1.7e308))


def test_weights_of_classes_too_large_to_be_added():
    with pytest.raises(NumericalError, match="multiply all weights by a constant"):
        DecisionTreeClassifier().fit(X, Y > 0, sample_weight=np.full(60, HUGE))


def test_answers_beyond_double_precision_name_the_row():
    rows = np.vstack([X[:2], np.full((1, 3), 1e307)])
    for method, model in [
        ("predict", LinearRegression().fit(X * 1e-3, Y + X @ [5.0, 5.0, 5.0])),
        ("predict", PoissonRegressor(alpha=0).fit(X, np.exp(X[:, 0]))),
        ("predict_proba", NearestCentroid().fit(X, Y > 0)),
    ]:
        assert np.isfinite(getattr(model, method)(rows[:2])).all()
        with pytest.raises(NumericalError, match=r"the answer for row 2 is (inf|nan)"):
            getattr(model, method)(rows)


def test_missing_answers_that_are_asked_for_pass():
    outside = IsotonicRegression(out_of_bounds="nan").fit(np.arange(5.0), np.arange(5.0))
    assert np.isnan(outside.predict([7.0])).all()
    with np.errstate(divide="ignore"):
        assert FunctionTransformer(np.log).fit_transform(np.array([[0.0]]))[0, 0] == -np.inf


def test_a_class_beside_a_huge_one_keeps_its_counts():
    counts = RNG.poisson(3.0, (60, 3)).astype(float) + 1.0
    weights = np.append(1e30, np.ones(59))
    ours = ComplementNB().fit(counts, np.arange(60) % 3, sample_weight=weights)
    # of classes 1 and 2 no counts are near 1e30: a fit without the huge row knows class 0's others
    small = TheirComplementNB().fit(counts[1:], np.arange(1, 60) % 3)
    np.testing.assert_allclose(ours.feature_log_prob_[0], small.feature_log_prob_[0], rtol=1e-12)


def test_a_variance_that_overflows_is_large():
    wide = X * [1e200, 1.0, 0.0]
    assert VarianceThreshold().fit(wide).get_support().tolist() == [True, True, False]
    assert VarianceThreshold(2.0).fit(wide[:, :1]).get_support().tolist() == [True]
