"""Networks small enough to work out by hand: back-propagation, gates, spirals, filters."""

from math import exp, log, tanh

import numpy as np
import pytest

from stylobate.neural_network import Activation, Conv2d, Dense, Flatten, Network
from stylobate.neural_network.passes import forward, stages_of
from stylobate.neural_network.training_loss import TrainingLoss, loss_and_slopes
from stylobate.optimize import LBFGS, Adam


def sigmoid(z):
    return 1.0 / (1.0 + exp(-z))


def test_back_propagation_number_by_number():
    # two inputs, two hidden tanh units, one sigmoid; cross-entropy. w[i][j]: to unit i from j
    x1, x2, y = 0.5, -1.0, 1
    w2, b2 = [[0.1, 0.4], [-0.3, 0.2]], [0.05, -0.1]
    w3, b3 = [0.7, -0.6], 0.2
    z2 = [w2[i][0] * x1 + w2[i][1] * x2 + b2[i] for i in (0, 1)]
    assert z2 == pytest.approx([-0.3, -0.45])
    a2 = [tanh(z) for z in z2]
    z3 = w3[0] * a2[0] + w3[1] * a2[1] + b3
    a3 = sigmoid(z3)
    loss = -(y * log(a3) + (1 - y) * log(1 - a3))
    d3 = a3 - y  # by z3: the sigmoid's slope cancels
    d2 = [d3 * w3[i] * (1 - a2[i] ** 2) for i in (0, 1)]
    by_hand = {
        "1 Dense W": [[d2[0] * x1, d2[1] * x1], [d2[0] * x2, d2[1] * x2]],
        "1 Dense b": d2, "3 Dense W": [[d3 * a2[0]], [d3 * a2[1]]], "3 Dense b": [d3],
    }  # fmt: skip
    layers = [Dense(2), Activation("tanh"), Dense(1), Activation("sigmoid")]
    network = Network(layers, 2)
    # our weights are inputs × outputs: the transposed ones
    theta = [w2[0][0], w2[1][0], w2[0][1], w2[1][1], *b2, *w3, b3]
    network = network.with_parameters(theta)
    seen = {}
    forward(network._bound(), np.array([[x1, x2]]), None,
            lambda place, way, values: seen.update({place.name: values[0].tolist()}))  # fmt: skip
    assert seen["1 Dense"] == pytest.approx(z2, abs=1e-15)
    assert seen["2 Activation"] == pytest.approx(a2, abs=1e-15)
    assert seen["3 Dense"] == pytest.approx([z3], abs=1e-15)
    assert seen["4 Activation"] == pytest.approx([a3], abs=1e-15)
    value, gradient = network.gradient([[x1, x2]], [y], "cross_entropy")
    assert value == pytest.approx(loss, abs=1e-15)
    for name, array in network.with_parameters(gradient).weights().items():
        np.testing.assert_allclose(array, by_hand[name], atol=1e-15)
    back = {}
    stages = stages_of(network._places, network.parameters, network.state, gradient.copy())
    loss_and_slopes(stages, np.array([[x1, x2]]), np.array([y]),
                    TrainingLoss.of("cross_entropy", network._places), None,
                    watch=lambda place, way, values: back.update({place.name: values[0].tolist()})
                    if way == "backward" else None)  # fmt: skip
    assert back["3 Dense"] == pytest.approx([d3], abs=1e-15)
    assert back["2 Activation"] == pytest.approx([d3 * w3[0], d3 * w3[1]], abs=1e-15)
    assert back["1 Dense"] == pytest.approx(d2, abs=1e-15)
    slopes = network.input_gradient([[x1, x2]], [y], "cross_entropy")[1]
    by_x = [d2[0] * w2[0][j] + d2[1] * w2[1][j] for j in (0, 1)]
    np.testing.assert_allclose(slopes[0], by_x, atol=1e-15)


def test_a_saturated_gate_learns_by_cross_entropy_only():
    # NOT of x = −1 with w = 5, b = 0: the sigmoid is flat, though the answer is far off
    network = Network([Dense(1), Activation("sigmoid")], 1).with_parameters([5.0, 0.0])
    a = sigmoid(-5.0)
    slope = a * (1 - a)
    assert slope == pytest.approx(0.006648, abs=1e-6)
    _, squared = network.gradient([[-1.0]], [1], "squared")  # half the squared error
    np.testing.assert_allclose(squared, [-(a - 1) * slope, (a - 1) * slope], rtol=1e-12)
    _, entropy = network.gradient([[-1.0]], [1], "cross_entropy")
    np.testing.assert_allclose(entropy, [1 - a, a - 1], rtol=1e-12)
    assert abs(entropy[1]) > 100 * abs(squared[1])


def test_filters_find_edges_and_corners():
    patches = np.array(
        [[[[0, 1], [0, 1]]], [[[0, 1], [0, 0]]], [[[1, 1], [1, 1]]], [[[1, 0], [1, 0]]]]
    )
    layers = [Conv2d(1, 2), Activation("relu")]
    edges = Network(layers, (1, 2, 2)).with_parameters([-1, 1, -1, 1, -1.0])
    corners = Network(layers, (1, 2, 2)).with_parameters([-1, 1, -1, -1, 0.0])
    assert edges.predict(patches).ravel().tolist() == [1, 0, 0, 0]
    assert corners.predict(patches).ravel().tolist() == [0, 1, 0, 0]


def test_xor_is_learnt():
    x, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    layers = [Dense(4), Activation("tanh"), Dense(1), Activation("sigmoid")]
    network = Network(layers, 2, random_state=1)
    trained = network.train(x, y, "cross_entropy", method=LBFGS(), epochs=200).network
    assert ((trained.predict(x)[:, 0] > 0.5).astype(int) == y).all()
    straight = Network([Dense(1), Activation("sigmoid")], 2)
    line = straight.train(x, y, "cross_entropy", method=LBFGS(), epochs=200).network
    np.testing.assert_allclose(line.predict(x), 0.5, atol=1e-4)  # no line separates them


def test_spirals_are_told_apart():
    draw = np.random.default_rng(0)
    angle, arm = draw.uniform(0.3, 2.5 * np.pi, 240), np.arange(240) % 2
    turned = angle + np.pi * arm
    x = np.column_stack([np.cos(turned), np.sin(turned)]) * angle[:, None] / 5
    layers = [Dense(24), Activation("tanh"), Dense(24), Activation("tanh"), Dense(2),
              Activation("softmax")]  # fmt: skip
    training = Network(layers, 2).train(x, arm, "cross_entropy", method=Adam(0.02, batch=40),
                                        epochs=300)  # fmt: skip
    assert (training.network.predict(x).argmax(axis=1) == arm).mean() > 0.98


def test_dropout_width_and_depth_experiments_in_a_line():
    from stylobate.neural_network import Dropout

    draw = np.random.default_rng(1)
    x = draw.standard_normal((60, 8))
    y = (x[:, 0] + draw.standard_normal(60) > 0).astype(int)
    held = draw.standard_normal((200, 8))
    target = (held[:, 0] > 0).astype(int)
    ends = [Dense(2), Activation("softmax")]
    options = {"method": Adam(0.01, batch=20), "epochs": 40, "validation": (held, target)}
    found = {
        rate: Network([Dense(64), Activation("relu"), Dropout(rate), *ends], 8).train(
            x, y, "cross_entropy", **options
        )
        for rate in (0.0, 0.6)
    }
    assert found[0.0].losses[-1] < 0.5 * found[0.6].losses[-1]  # learns the noise by heart
    assert found[0.6].scores[-1] > found[0.0].scores[-1]


def test_flat_and_shaped_images_agree():
    images = np.random.default_rng(0).standard_normal((3, 1, 4, 4))
    dense = Network([Flatten(), Dense(2)], (1, 4, 4), random_state=3)
    whole = Network([Conv2d(2, 4), Flatten()], (1, 4, 4))
    w, b = dense.weights().values()
    same = whole.with_parameters(np.concatenate([w.T.ravel(), b]))
    np.testing.assert_allclose(same.predict(images), dense.predict(images), rtol=1e-12)
