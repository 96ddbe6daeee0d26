"""Jacobians, hidden planes, filters and loss surfaces against what they stand for."""

from __future__ import annotations

from functools import reduce

import numpy as np
import pytest
from network_zoo import ALL, example
from scipy.signal import correlate2d

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.neural_network import (
    Activation,
    Conv2d,
    Dense,
    MLPClassifier,
    MLPRegressor,
    Network,
    as_network,
    filter_images,
    hidden_plane,
    image_filter,
    jacobian,
    layer_jacobians,
    layer_outputs,
    loss_surface,
    split_network,
)
from stylobate.plot import plot_filters, plot_images, plot_loss_surface, plot_reconstructions

DRAW = np.random.default_rng(0)
CORNERS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])


@pytest.fixture(scope="module")
def xor():
    x = CORNERS.repeat(15, axis=0) + DRAW.normal(0.0, 0.1, (60, 2))
    y = CORNERS.sum(axis=1).repeat(15) % 2
    model = MLPClassifier((2,), "tanh", solver="lbfgs", random_state=4, max_iter=1000).fit(x, y)
    assert model.score(x, y) == 1.0
    return model, x, y


@pytest.mark.parametrize("name", sorted(set(ALL) - {"embedding"}))
def test_jacobians_are_differences_and_multiply(name):
    network, x = example(name)
    parts = layer_jacobians(network, x[0])
    whole = jacobian(network, x[0])
    product = reduce(lambda done, part: part @ done, parts.values())
    np.testing.assert_allclose(product, whole, rtol=1e-9, atol=1e-11)
    way = DRAW.normal(size=x[0].shape)
    ahead, behind = (network.predict((x[0] + h * way)[None]).ravel() for h in (1e-6, -1e-6))
    np.testing.assert_allclose(whole @ way.ravel(), (ahead - behind) / 2e-6, rtol=1e-5, atol=1e-6)


def test_known_jacobians():
    network = Network([Dense(3), Activation("sigmoid"), Activation("softmax")], 2)
    x = DRAW.normal(size=2)
    parts, outputs = layer_jacobians(network, x), layer_outputs(network, x[None])
    s, p = outputs["2 Activation"][0], outputs["3 Activation"][0]
    np.testing.assert_array_equal(parts["1 Dense"], network.weights()["1 Dense W"].T)
    np.testing.assert_allclose(parts["2 Activation"], np.diag(s * (1 - s)), atol=1e-15)
    np.testing.assert_allclose(parts["3 Activation"], np.diag(p) - np.outer(p, p), atol=1e-15)
    np.testing.assert_array_equal(outputs["3 Activation"], network.predict(x[None]))


@pytest.mark.parametrize("name", [name for name in ALL if len(ALL[name]) > 1])
def test_parts_of_a_network_are_it_together(name):
    network, x = example(name)
    for at in range(1, len(network.layers)):
        first, rest = split_network(network, at)
        np.testing.assert_array_equal(rest.predict(first.predict(x)), network.predict(x))
    with pytest.raises(InvalidParameterError, match="at must be in"):
        split_network(network, 0)


@pytest.mark.filterwarnings("ignore")
def test_perceptrons_are_networks():
    x = DRAW.normal(size=(30, 3))
    several = MLPClassifier((4, 3), "logistic", max_iter=5).fit(x, DRAW.integers(3, size=30))
    np.testing.assert_allclose(as_network(several).predict(x), several.predict_proba(x), atol=1e-14)
    line = MLPRegressor(hidden_layer_sizes=(4,), max_iter=5).fit(x, x[:, 0])
    np.testing.assert_allclose(as_network(line).predict(x)[:, 0], line.predict(x), atol=1e-14)
    with pytest.raises(InvalidParameterError, match="got a list"):
        as_network([])


def test_the_separator_is_straight_behind_the_hidden_layer(xor):
    model, x, y = xor
    view = hidden_plane(model, x, y, resolution=60)
    hidden = np.tanh(x @ model.coefs_[0] + model.intercepts_[0])
    np.testing.assert_allclose(view.hidden.points, hidden, atol=1e-14)
    across, up = np.meshgrid(view.hidden.across, view.hidden.up)
    score = across * model.coefs_[1][0, 0] + up * model.coefs_[1][1, 0] + model.intercepts_[1][0]
    np.testing.assert_array_equal(view.hidden.decided, score > 0)
    grid = np.stack(np.meshgrid(view.inputs.across, view.inputs.up), axis=-1).reshape(-1, 2)
    np.testing.assert_array_equal(view.inputs.decided.ravel(), model.predict(grid))
    left, right = view.plot()
    assert left.get_xlabel() == "input 1"
    assert right.get_xlabel() == "hidden unit 1"
    with pytest.raises(InvalidParameterError, match="two units"):
        hidden_plane(Network([Dense(3), Dense(1)], 2), x, y)
    with pytest.raises(InvalidParameterError, match="no hidden layer"):
        hidden_plane(Network([Dense(1)], 2), x, y)


def test_filters_slide_as_scipys_do():
    images = DRAW.normal(size=(3, 7, 8))
    names = [
        "vertical_edge",
        "horizontal_edge",
        "corner",
        "laplacian",
        "sharpen",
        "mean",
        "gaussian",
    ]
    found = filter_images(images, names)
    for k, name in enumerate(names):
        for i in range(3):
            wanted = correlate2d(images[i], image_filter(name), mode="valid")
            np.testing.assert_allclose(found[i, k], wanted, atol=1e-12)
    same = filter_images(images, "laplacian", padding="same")
    np.testing.assert_allclose(
        same[0, 0], correlate2d(images[0], image_filter("laplacian"), mode="same"), atol=1e-12
    )


def test_detectors_of_edges_and_corners():
    """max(0, −a + b − c + d − 1) and max(0, −a + b − c − d), on all images of 2 × 2 bits."""
    bits = ((np.arange(16)[:, None] >> np.arange(4)) & 1).astype(float)
    a, b, c, d = bits.T
    images = bits.reshape(16, 2, 2)
    edge = filter_images(images, "dark_bright_edge", bias=-1.0, activation="relu").ravel()
    corner = filter_images(images, "dark_corner", activation="relu").ravel()
    np.testing.assert_array_equal(edge, np.maximum(0, -a + b - c + d - 1))
    np.testing.assert_array_equal(corner, np.maximum(0, -a + b - c - d))
    np.testing.assert_array_equal(bits[edge > 0], [[0, 1, 0, 1]])
    np.testing.assert_array_equal(bits[corner > 0], [[0, 1, 0, 0]])
    with pytest.raises(InvalidParameterError, match="one of dark_bright_edge"):
        image_filter("emboss")
    with pytest.raises(InvalidDataError, match="images must have shape"):
        filter_images(np.zeros(4), "mean")
    with pytest.raises(InvalidParameterError, match="one size"):
        filter_images(images, ["mean", "dark_corner"])


def test_surfaces_of_a_quadratic_loss_are_parabolas():
    x, y = DRAW.normal(size=(20, 3)), DRAW.normal(size=20)
    network = Network([Dense(1, bias=None)], 3)
    surface = loss_surface(network, x, y, n_steps=5, reach=2.0, random_state=1)
    theta = network.parameters
    for i, up in enumerate(surface.steps):
        for j, across in enumerate(surface.steps):
            w = theta + across * surface.directions[0] + up * surface.directions[1]
            assert surface.losses[i, j] == pytest.approx(0.5 * np.mean((x @ w - y) ** 2))
    assert surface.losses[2, 2] == pytest.approx(network.loss(x, y))


def test_directions_are_as_long_as_filters():
    network = Network([Conv2d(3, 2), Activation("tanh"), Conv2d(2, 2, bias=None)], (2, 4, 4))
    x = DRAW.normal(size=(2, 2, 4, 4))
    surface = loss_surface(network, x, np.zeros((2, 2, 2, 2)), n_steps=2)
    direction = network.with_parameters(surface.directions[0]).weights()
    for name, weights in network.weights().items():
        if name.endswith("W"):
            lengths = [
                np.linalg.norm(a.reshape(len(a), -1), axis=1) for a in (direction[name], weights)
            ]
            np.testing.assert_allclose(lengths[0], lengths[1])
        else:
            assert not direction[name].any()
    with pytest.raises(InvalidParameterError, match="directions must have shape"):
        loss_surface(network, x, np.zeros((2, 2, 2, 2)), directions=np.zeros((2, 3)))


def test_pictures_show_their_numbers():
    images = DRAW.random((5, 4, 3))
    panels = plot_images(images, titles="abcde", n_columns=3)
    assert panels.shape == (2, 3)
    np.testing.assert_array_equal(panels[1, 0].images[0].get_array(), images[3])
    assert panels[1, 0].get_title() == "d"
    weights = DRAW.normal(size=(2, 3, 4, 4))
    drawn = plot_filters(weights)[0, 1].images[0]
    np.testing.assert_allclose(drawn.get_array(), weights[1].mean(axis=0))
    assert drawn.get_clim()[0] == -drawn.get_clim()[1]
    rows = DRAW.random((3, 12))
    panels = plot_reconstructions(rows, rows / 2, image_shape=(4, 3))
    np.testing.assert_array_equal(panels[1, 2].images[0].get_array().ravel(), rows[2] / 2)
    lines = plot_reconstructions(rows, rows / 2)
    np.testing.assert_array_equal(lines[0, 1].lines[0].get_ydata(), rows[1])
    network = Network([Dense(2), Dense(1)], 1)
    surface = loss_surface(network, [[1.0], [2.0]], [1.0, 0.0], n_steps=4)
    assert plot_loss_surface(surface).get_xlim() == (-1.0, 1.0)


def test_pictures_refuse_what_they_cannot_draw():
    with pytest.raises(InvalidDataError, match="images must be"):
        plot_images(np.zeros((2, 2)))
    with pytest.raises(InvalidParameterError, match="titles for"):
        plot_images(np.zeros((2, 2, 2)), titles=["a"])
    with pytest.raises(InvalidDataError, match="rows of one shape"):
        plot_reconstructions(np.zeros((2, 2)), np.zeros((2, 3)))
    with pytest.raises(InvalidParameterError, match="do not have 4 entries"):
        plot_reconstructions(np.zeros((2, 4)), np.zeros((2, 4)), image_shape=(3, 3))
