"""What layers do, as diagnoses tell it, against NumPy and on networks that are ill on purpose."""

import numpy as np
import pytest

from stylobate.exceptions import InvalidParameterError, NotFittedError
from stylobate.neural_network import (
    Activation,
    BatchNorm,
    Conv2d,
    Dense,
    Flatten,
    MLPClassifier,
    MLPRegressor,
    Network,
    Residual,
    as_network,
    diagnose_layers,
)
from stylobate.optimize import Adam

X = np.random.default_rng(0).standard_normal((80, 4))
CODES = (X[:, 0] * X[:, 1] > 0).astype(int)
ENDS = [Dense(2), Activation("softmax")]


def tower(curve, depth, **options):
    layers = [part for _ in range(depth) for part in (Dense(16, **options), Activation(curve))]
    return Network([*layers, *ENDS], 4)


def test_signs_are_those_of_numpy():
    network = Network([Dense(6, bias=0.3), Activation("relu"), Dense(2)], 4, random_state=2)
    y = np.column_stack([X[:, 0], X[:, 1] ** 2])
    w, b, v, c = network.weights().values()
    before = X @ w + b
    hidden = np.maximum(before, 0)
    away = hidden @ v + c - y
    back = (away @ v.T) * (before > 0)
    first, second, third = network.diagnose(X, y).layers
    assert (first.name, second.name, third.kind) == ("1 Dense", "2 Activation", "Dense")
    assert second.mean == pytest.approx(hidden.mean(), rel=1e-12)
    assert second.spread == pytest.approx(hidden.std(), rel=1e-12)
    assert second.dead == (before <= 0).all(axis=0).mean()
    assert third.gradient == pytest.approx(np.sqrt((away**2).mean()), rel=1e-12)
    assert first.gradient == pytest.approx(np.sqrt((back**2).mean()), rel=1e-12)
    slope = np.linalg.norm(X.T @ back / len(X)) / np.linalg.norm(w)
    assert first.weight_gradient == pytest.approx(slope, rel=1e-12)
    assert second.weight_gradient is None
    assert network.diagnose(X, y).loss == pytest.approx(network.loss(X, y), rel=1e-12)


@pytest.mark.parametrize("curve", ["tanh", "sigmoid"])
def test_saturation_is_seen(curve):
    diagnosis = tower(curve, 1).diagnose(X * 100, CODES, "cross_entropy")
    assert "2 Activation" in diagnosis.findings()[0]
    assert "saturated" in diagnosis.findings()[0]
    values = tower(curve, 1).weights()
    hidden = X * 100 @ values["1 Dense W"] + values["1 Dense b"]
    scaled = np.tanh(hidden if curve == "tanh" else hidden / 2)
    share = (np.abs(scaled) > (0.99 if curve == "tanh" else 0.98)).mean()
    assert diagnosis.layers[1].saturated == pytest.approx(share)
    assert not tower(curve, 1).diagnose(X, CODES, "cross_entropy").findings()


def test_dead_units_are_seen():
    network = tower("relu", 2, bias=-20.0)
    assert (
        "100 % of its units are dead" in network.diagnose(X, CODES, "cross_entropy").findings()[0]
    )
    alive = tower("relu", 2, initialization="he", bias=0.1)
    assert not alive.diagnose(X, CODES, "cross_entropy").findings()


def test_gradients_that_vanish_or_explode_are_seen():
    deep = tower("sigmoid", 8).diagnose(X, CODES, "cross_entropy")
    assert any("Gradients vanish" in words for words in deep.findings())
    wide = Network([Dense(300, "he") for _ in range(9)] + ENDS, 4)
    blown = wide.with_parameters(wide.parameters * 3).diagnose(X, CODES, "cross_entropy")
    assert any("Gradients explode" in words for words in blown.findings())
    layers = [Residual([Dense(16), Activation("sigmoid"), Dense(16)]) for _ in range(8)]
    healed = Network([Dense(16), *layers, *ENDS], 4).diagnose(X, CODES, "cross_entropy")
    assert not any("vanish" in words for words in healed.findings())
    assert "2 Residual / 1 Dense" in str(healed)


def test_training_is_watched_where_asked():
    network = tower("tanh", 1)
    options = {"loss": "cross_entropy", "epochs": 4, "method": Adam(0.05, batch=20)}
    watched = network.train(X, CODES, diagnose=True, **options)
    plain = network.train(X, CODES, **options)
    assert len(watched.trace) == 4
    assert not plain.trace
    assert watched.losses == plain.losses  # looking changes nothing
    last = watched.network.diagnose(X, CODES, "cross_entropy").layers[0].spread
    assert watched.trace[-1].layers[0].spread == pytest.approx(last, rel=0.3)


def test_images_have_channels_as_units():
    images = np.random.default_rng(1).standard_normal((6, 1, 5, 5))
    layers = [Conv2d(3, 3), BatchNorm(), Activation("relu"), Flatten(), Dense(1)]
    network = Network(layers, (1, 5, 5))
    theta = network.parameters.copy()
    theta[33:36] = [-50.0, 0.0, 0.0]  # the shift of the first channel
    signs = network.with_parameters(theta).diagnose(images, np.ones(6)).layers
    assert signs[2].dead == pytest.approx(1 / 3)


@pytest.mark.parametrize("activation", ["relu", "tanh", "logistic", "identity"])
def test_perceptrons_are_networks(activation):
    options = {"activation": activation, "solver": "lbfgs", "random_state": 0, "max_iter": 30,
               "tol": 1e3}  # fmt: skip
    labels = np.array(["b", "a", "c"])[np.digitize(X[:, 0], [-0.5, 0.5])]
    three = MLPClassifier((5, 4), **options).fit(X, labels)
    np.testing.assert_allclose(as_network(three).predict(X), three.predict_proba(X), rtol=1e-10)
    two = MLPClassifier((5,), **options).fit(X, CODES)
    np.testing.assert_allclose(as_network(two).predict(X)[:, 0], two.predict_proba(X)[:, 1])
    line = MLPRegressor(hidden_layer_sizes=(5,), **options).fit(X, X[:, 0])
    np.testing.assert_allclose(as_network(line).predict(X)[:, 0], line.predict(X), rtol=1e-10)
    assert diagnose_layers(three, X, labels).loss == pytest.approx(
        -np.log(
            three.predict_proba(X)[np.arange(80), np.searchsorted(three.classes_, labels)]
        ).mean()
    )
    assert diagnose_layers(line, X, X[:, 0]).loss == pytest.approx(
        0.5 * ((line.predict(X) - X[:, 0]) ** 2).mean()
    )


def test_perceptrons_without_a_network_are_refused():
    with pytest.raises(NotFittedError):
        as_network(MLPRegressor())
    several = MLPClassifier((3,), max_iter=2, solver="lbfgs", tol=1e3).fit(
        X, (X[:, :2] > 0).astype(int)
    )
    with pytest.raises(InvalidParameterError, match="several"):
        diagnose_layers(several, X, (X[:, :2] > 0).astype(int))


def test_pictures_show_what_they_are_given():
    network = Network([Dense(8), Activation("tanh"), Residual([Dense(8)]), Residual([Dense(8)]),
                       *ENDS], 4)  # fmt: skip
    drawn = network.diagram()
    words = [box.words for box in drawn.boxes]
    assert words[1] == ("Dense 8", "tanh", "8; 40 weights")
    assert words[3] == ("add", "8; 144 weights")  # both of the equal blocks
    assert [frame[2] for frame in drawn.frames] == ["× 2"]
    assert len(network.plot().texts) == len(words) + 1
    training = network.train(X, CODES, "cross_entropy", epochs=3, validation=0.2, diagnose=True)
    ax = training.plot()
    np.testing.assert_array_equal(ax.get_lines()[0].get_ydata(), training.losses)
    np.testing.assert_array_equal(ax.figure.axes[1].get_lines()[0].get_ydata(), training.scores)
    ax = training.trace[-1].plot()
    spreads = [signs.spread for signs in training.trace[-1].layers]
    np.testing.assert_allclose(ax.get_lines()[0].get_ydata(), spreads)


def test_findings_of_curves():
    from stylobate.neural_network.diagnosis import training_findings

    falling, flat = [1.0, 0.8, 0.6, 0.5, 0.4], [1.0] * 6
    assert "more epochs" in training_findings(falling, [], [])[0]
    assert "hardly fell" in training_findings(flat, [], [])[0]
    over = training_findings([1.0, 0.7, 0.5, 0.49, 0.488], [0.5, 0.9, 0.8, 0.7, 0.6], [])
    assert over == [words for words in over if "overfits" in words or "more epochs" in words]
    assert any("epoch 2 of 5" in words for words in over)
    assert not training_findings([1.0, 0.5, 0.4, 0.4, 0.4], [0.9] * 5, [])
