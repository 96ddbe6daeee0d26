"""Adversaries against closed forms, and what training against them does."""

import numpy as np
import pytest

from stylobate.exceptions import InvalidParameterError
from stylobate.metrics import proportion_interval
from stylobate.neural_network import (
    Activation,
    AdversarialTraining,
    Dense,
    Network,
    fast_gradient_sign,
    projected_gradient,
    robustness_curve,
)
from stylobate.optimize import Adam


@pytest.fixture(scope="module")
def linear():
    """A logistic model whose adversaries are known: x − ε·sign(w) for class 1."""
    w = np.random.default_rng(0).standard_normal(6)
    network = Network([Dense(1), Activation("sigmoid")], 6)
    return w, network.with_parameters(np.append(w, 0.3))


@pytest.fixture(scope="module")
def rows(linear):
    draw = np.random.default_rng(1)
    x = draw.standard_normal((200, 6))
    return x, (x @ linear[0] + 0.3 + draw.logistic(size=200) > 0).astype(int)


def test_signs_of_a_linear_model_have_a_closed_form(linear, rows):
    (w, model), (x, y) = linear, rows
    wanted = x - 0.2 * np.where(y == 1, 1.0, -1.0)[:, np.newaxis] * np.sign(w)
    np.testing.assert_allclose(fast_gradient_sign(model, x, y, 0.2), wanted, rtol=1e-14)
    iterated = projected_gradient(model, x, y, 0.2, steps=7, random_state=0)
    np.testing.assert_allclose(iterated, wanted, atol=1e-12)


def test_accuracy_of_a_linear_model_falls_as_margins_say(linear, rows):
    (w, model), (x, y) = linear, rows
    margins = np.where(y == 1, 1.0, -1.0) * (x @ w + 0.3)
    epsilons = [0.0, 0.05, 0.2, 0.7]
    curve = robustness_curve(model, x, y, epsilons, confidence=0.9)
    wanted = [np.mean(margins > epsilon * np.abs(w).sum()) for epsilon in epsilons]
    np.testing.assert_allclose(curve.accuracies, wanted)
    for k, share in enumerate(wanted):
        interval = proportion_interval(round(share * 200), 200, confidence=0.9)
        assert (curve.lower[k], curve.upper[k]) == (interval.low, interval.high)
    assert "ε = 0.05" in str(curve)
    assert len(curve.plot().lines[0].get_xdata()) == 4


def test_signs_follow_their_formula_in_deep_networks():
    draw = np.random.default_rng(2)
    model = Network([Dense(9), Activation("tanh"), Dense(3), Activation("softmax")], 5)
    x, y = draw.standard_normal((8, 5)), draw.integers(0, 3, 8)
    slopes = np.zeros_like(x)
    for k in range(5):  # central differences of every row's own loss
        step = np.eye(5)[k] * 1e-6
        slopes[:, k] = [
            model.loss((row + step)[None], label[None], "cross_entropy")
            - model.loss((row - step)[None], label[None], "cross_entropy")
            for row, label in zip(x, y, strict=True)
        ]
    np.testing.assert_allclose(fast_gradient_sign(model, x, y, 0.1), x + 0.1 * np.sign(slopes))


def test_iterated_adversaries_stay_within_their_bounds_and_are_stronger():
    draw = np.random.default_rng(3)
    model = Network([Dense(30, "he"), Activation("relu"), Dense(3), Activation("softmax")], 5)
    x, y = draw.random((300, 5)), draw.integers(0, 3, 300)
    fast = fast_gradient_sign(model, x, y, 0.3, bounds=(0.0, 1.0))
    slow = projected_gradient(model, x, y, 0.3, steps=20, bounds=(0.0, 1.0))
    for found in (fast, slow):
        assert np.abs(found - x).max() <= 0.3 + 1e-12
        assert found.min() >= 0.0
        assert found.max() <= 1.0
    losses = [model.loss(found, y, "cross_entropy") for found in (x, fast, slow)]
    assert losses[0] < losses[1] < losses[2]


def test_adversarial_training_keeps_more_accuracy_under_attack():
    """Two columns say the class faintly and one firmly; ε is more than the faint ones carry."""
    draw = np.random.default_rng(4)
    y = draw.integers(0, 2, 600)
    side = np.where(y == 1, 1.0, -1.0)[:, np.newaxis]
    x = np.hstack([side + 0.8 * draw.standard_normal((600, 1)),
                   0.2 * side + 0.02 * draw.standard_normal((600, 8))])  # fmt: skip
    network = Network([Dense(1), Activation("sigmoid")], 9)
    found = []
    for augment in (None, AdversarialTraining(0.3, share=1.0), AdversarialTraining(0.3, steps=3)):
        trained = network.train(x, y, "cross_entropy", method=Adam(0.02, batch=50), epochs=40,
                                augment=augment, progress=False)  # fmt: skip
        found.append(robustness_curve(trained.network, x, y, [0.0, 0.3]).accuracies)
    plain, full, half = found
    assert plain[0] > 0.99
    assert plain[1] < 0.3
    assert full[1] > 0.7
    assert half[1] > plain[1] + 0.1


def test_refusals(linear):
    model, x, y = linear[1], np.zeros((1, 6)), np.array([1])
    with pytest.raises(InvalidParameterError, match="epsilon must be"):
        fast_gradient_sign(model, x, y, -1.0)
    with pytest.raises(InvalidParameterError, match="steps must be"):
        projected_gradient(model, x, y, 0.1, steps=0)
    with pytest.raises(InvalidParameterError, match="the smaller first"):
        projected_gradient(model, x, y, 0.1, bounds=(1.0, 0.0))
    with pytest.raises(InvalidParameterError, match="must be a Network or a fitted"):
        projected_gradient(object(), x, y, 0.1)
    with pytest.raises(InvalidParameterError, match="share must be"):
        AdversarialTraining(0.1, share=2.0)
