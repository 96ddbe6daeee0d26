"""Bayes' rule: boundaries and errors in closed form, refusals, plug-in rules."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from stylobate.decision import (
    BayesRule,
    ClassDensities,
    CostMatrix,
    PlugInRule,
    expected_prediction_error,
)
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.linear_model import LogisticRegression, Ridge
from stylobate.plot import plot_decision_regions_1d


@pytest.mark.parametrize("delta", [0.5, 1.0, 3.0])
def test_bayes_error_of_two_normal_classes(delta):
    rule = BayesRule([stats.norm(0), stats.norm(delta)])
    assert rule.risk == pytest.approx(stats.norm.cdf(-delta / 2), rel=1e-12)
    assert rule.error == pytest.approx(float(rule.risk))
    assert rule.boundaries.tolist() == pytest.approx([delta / 2])


def test_unequal_spreads_have_two_boundaries():
    (m, s), (n, t), p = (0.0, 1.0), (2.5, 1.3), 0.8
    rule = BayesRule({"a": stats.norm(m, s), "b": stats.norm(n, t)}, [p, 1 - p])
    roots = np.roots(
        [
            1 / (2 * t**2) - 1 / (2 * s**2),
            m / s**2 - n / t**2,
            n**2 / (2 * t**2) - m**2 / (2 * s**2) + np.log(p * t / ((1 - p) * s)),
        ]
    )
    np.testing.assert_allclose(rule.boundaries, np.sort(roots), rtol=1e-10)
    assert [region.decision for region in rule.regions] == ["b", "a", "b"]
    inside = np.diff(stats.norm(n, t).cdf(np.sort(roots)))[0]
    outside = 1 - np.diff(stats.norm(m, s).cdf(np.sort(roots)))[0]
    assert rule.risk == pytest.approx(p * outside + (1 - p) * inside, rel=1e-10)


def test_costs_move_the_boundary():
    cost = CostMatrix.binary(false_negative=9, false_positive=1)
    rule = BayesRule([stats.norm(0), stats.norm(2)], cost=cost)
    # posterior odds e^(2x - 2) against (1 - t)/t with the threshold t of the costs
    assert rule.boundaries.tolist() == pytest.approx([1 + np.log(1 / 9) / 2])
    assert rule.predict_proba(rule.boundaries)[0, 1] == pytest.approx(cost.threshold)
    plain = BayesRule([stats.norm(0), stats.norm(2)])
    assert rule.risk < expected_prediction_error(plain, rule.distribution, cost)


def test_refusing_is_chows_rule():
    """Refuse where the best class has a probability of less than 1 - cost."""
    rule = BayesRule({"a": stats.norm(0), "b": stats.norm(2)}, refusal=0.2)
    edge = np.log(4) / 2
    np.testing.assert_allclose(rule.boundaries, [1 - edge, 1 + edge])
    assert rule.predict([1.0, -1.0, 3.0]).tolist() == ["refuse", "a", "b"]
    rate = np.diff(stats.norm.cdf([1 - edge, 1 + edge]))[0]
    assert rule.refusal_rate == pytest.approx(rate)
    assert rule.error == pytest.approx(stats.norm.sf(1 + edge))
    assert rule.risk == pytest.approx(rule.error + 0.2 * rule.refusal_rate)
    assert BayesRule(rule.distribution, refusal=0.6).refusal_rate == 0


def test_three_classes_and_heavy_tails():
    rule = BayesRule([stats.norm(-3), stats.norm(0, 0.5), stats.norm(3)])
    draws, y = rule.distribution.sample(200_000, random_state=1)
    assert rule.risk == pytest.approx(np.mean(rule.predict(draws) != y), abs=0.003)
    assert BayesRule([stats.cauchy(0), stats.cauchy(3)]).boundaries.tolist() == pytest.approx([1.5])
    overlap = BayesRule([stats.uniform(0, 2), stats.uniform(1, 4)])
    assert overlap.risk == pytest.approx(0.5 * 0.25)
    rates = BayesRule([stats.expon(), stats.gamma(3)])
    assert rates.boundaries.tolist() == pytest.approx([np.sqrt(2)])


def test_no_class_is_possible_there():
    rule = BayesRule([stats.uniform(0, 1), stats.uniform(1, 1)], [0.3, 0.7])
    np.testing.assert_allclose(rule.predict_proba([5.0, 0.5]), [[0.3, 0.7], [1, 0]])


def test_plug_in_rules():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 300)
    x = rng.normal(size=(300, 2)) + 2 * np.column_stack([y == 1, y == 2])
    names = np.array(["x", "y", "z"])[y]
    model = LogisticRegression().fit(x, names)
    assert (PlugInRule(model).predict(x) == model.predict(x)).mean() == 1
    cost = CostMatrix([[0, 1, 1], [1, 0, 1], [50, 50, 0]], ["x", "y", "z"])
    careful = PlugInRule(model, cost)
    expected = (model.predict_proba(x) @ cost.costs).argmin(axis=1)
    assert careful.predict(x).tolist() == cost.decisions[expected].tolist()
    assert (careful.predict(x) == "z").sum() > (model.predict(x) == "z").sum()
    assert "refuse" in PlugInRule(model, refusal=0.1).predict(x).tolist()
    # against the truth: the plug-in rule is nearly as good as Bayes' rule
    normal = stats.multivariate_normal
    truth = ClassDensities(
        [normal([0, 0]), normal([2, 0]), normal([0, 2])], classes=["x", "y", "z"]
    )
    drawn, labels = truth.sample(20_000, random_state=0)
    ideal = np.mean(BayesRule(truth).predict(drawn) != labels)
    assert ideal <= np.mean(PlugInRule(model).predict(drawn) != labels) < ideal + 0.02


def test_pictures():
    rule = BayesRule({"a": stats.norm(0), "b": stats.norm(2)}, refusal=0.2)
    ax = rule.plot()
    assert [line.get_xdata()[0] for line in ax.lines[2:]] == pytest.approx(rule.boundaries)
    assert [text.get_text() for text in ax.texts] == ["refuse"]
    np.testing.assert_allclose(
        ax.lines[0].get_ydata(), 0.5 * stats.norm.pdf(ax.lines[0].get_xdata())
    )
    with pytest.raises(InvalidParameterError, match="must be less than"):
        plot_decision_regions_1d(rule, 3, 1)


PLANE = [stats.multivariate_normal([0, 0]), stats.multivariate_normal([1, 1])]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: BayesRule(PLANE).boundaries, "one coordinate only"),
        (lambda: BayesRule(PLANE).plot(), "one coordinate only|draws those of one"),
        (lambda: BayesRule(ClassDensities(PLANE), [0.5, 0.5]), "do not give them again"),
        (lambda: BayesRule(PLANE, cost=np.eye(3)), "there are 2 classes"),
        (lambda: BayesRule(PLANE, refusal="no"), "refusal must be"),
        (lambda: PlugInRule(Ridge()), "no predict_proba"),
    ],
)
def test_refused(make, words):
    with pytest.raises((InvalidDataError, InvalidParameterError), match=words):
        make()
