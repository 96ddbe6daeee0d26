"""Networks of layers against finite differences, NumPy, torch, and themselves."""

import numpy as np
import pytest

from stylobate.exceptions import ConvergenceWarning, InvalidDataError, InvalidParameterError
from stylobate.losses import Huber
from stylobate.neural_network import (
    Activation,
    AvgPool2d,
    BatchNorm,
    Conv2d,
    Dense,
    Dropout,
    Flatten,
    GlobalAvgPool2d,
    MaxPool2d,
    Network,
)
from stylobate.neural_network.layers.layer import Course
from stylobate.optimize import LBFGS, SGD, AdaGrad, Adam, GradientDescent, RMSProp
from stylobate.parallel import threads

CURVES = ["identity", "sigmoid", "tanh", "relu", "leaky_relu", "selu", "mish", "softmax"]
IMAGES = {
    "plain": [Conv2d(3, 3)],
    "strided": [Conv2d(4, (3, 2), stride=(2, 1), padding=(1, 0))],
    "dilated": [Conv2d(2, 2, dilation=(2, 3), padding=2)],
    "groups": [Conv2d(4, 3, groups=2, padding=1, initialization="glorot")],
    "depthwise": [Conv2d(6, 3, groups=2, stride=2)],
    "max": [Conv2d(2, 3), MaxPool2d(2)],
    "max padded": [Conv2d(2, 2), MaxPool2d(3, stride=2, padding=1)],
    "mean": [Conv2d(2, 2), AvgPool2d((2, 3), stride=1)],
    "mean padded": [Conv2d(2, 2), AvgPool2d(3, stride=2, padding=1)],
    "global": [Conv2d(5, 3), Activation("mish"), GlobalAvgPool2d()],
    "normal": [Conv2d(3, 2), BatchNorm(), Activation("tanh")],
}


def images(n=5, dtype=np.float64):
    return np.random.default_rng(0).standard_normal((n, 2, 7, 6)).astype(dtype)


@pytest.mark.parametrize("kind", CURVES)
@pytest.mark.parametrize("seed", [None, 3])
def test_gradients_of_dense_layers(kind, seed):
    x = np.random.default_rng(1).standard_normal((9, 4))
    layers = [Dense(5, "he", 0.1), Activation(kind), Dropout(0.3), BatchNorm(), Dense(3)]
    network = Network([*layers, Activation("softmax")], 4, random_state=2)
    check = network.gradient_check(x, np.arange(9) % 3, "cross_entropy", seed=seed)
    assert check.error < 1e-8, str(check)
    assert "agrees" in str(check)


@pytest.mark.parametrize("name", IMAGES)
def test_gradients_of_image_layers(name):
    network = Network([*IMAGES[name], Flatten(), Dense(2)], (2, 7, 6), random_state=1)
    y = np.random.default_rng(2).standard_normal((5, 2))
    check = network.gradient_check(images(), y)
    assert check.error < 1e-8, str(check)


@pytest.mark.parametrize("loss", ["squared", "cross_entropy", Huber(0.5)])
def test_gradients_of_losses(loss):
    x = np.random.default_rng(1).standard_normal((8, 3))
    layers = [Dense(4), Activation("tanh"), Dense(1), Activation("sigmoid")]
    assert Network(layers, 3).gradient_check(x, np.arange(8) % 2, loss).error < 1e-8


def test_a_wrong_gradient_is_named(monkeypatch):
    right = Conv2d.backward_finished

    def wrong(self, *given, **asked):
        dx, found = right(self, *given, **asked)
        found["W"][1, 0, 2, 1] += 1.0
        return dx, found

    monkeypatch.setattr(Conv2d, "backward_finished", wrong)
    network = Network([Conv2d(3, 3), Flatten(), Dense(2)], (2, 7, 6))
    check = network.gradient_check(images(), np.zeros((5, 2)))
    assert not check.right
    assert "worst in 1 Conv2d W[1, 0, 2, 1]" in str(check)


def test_dense_layers_are_matrix_products():
    x = np.random.default_rng(0).standard_normal((300, 7))
    network = Network([Dense(53), Activation("relu"), Dense(2)], 7, random_state=4)
    w = network.weights()
    hidden = np.maximum(x @ w["1 Dense W"] + w["1 Dense b"], 0)
    expected = hidden @ w["3 Dense W"] + w["3 Dense b"]
    np.testing.assert_allclose(network.predict(x), expected, rtol=1e-12, atol=1e-13)


def test_dropout_keeps_the_mean():
    x = np.ones((400, 50))
    kept, _ = Dropout(0.4).forward(x, (50,), {}, Course(True, np.random.default_rng(0)))
    assert set(np.unique(kept)) == {0.0, 1 / 0.6}
    assert kept.mean() == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize("name", IMAGES)
def test_torch_agrees(name):
    torch = pytest.importorskip("torch")
    nn, channels, mirror = torch.nn, 2, []
    network = Network([*IMAGES[name], Flatten(), Dense(2)], (2, 7, 6), random_state=1)
    for place in network._places:
        layer = place.layer
        if isinstance(layer, Conv2d):
            mirror.append(nn.Conv2d(channels, layer.filters, layer.kernel_size, layer.stride,
                                    layer.padding, layer.dilation, layer.groups))  # fmt: skip
        elif isinstance(layer, BatchNorm):
            mirror.append(nn.BatchNorm2d(channels))
        elif isinstance(layer, MaxPool2d | AvgPool2d):
            given = layer.kernel_size, layer.stride, layer.padding
            mirror.append(getattr(nn, type(layer).__name__)(*given))
        elif isinstance(layer, GlobalAvgPool2d):
            mirror.append(nn.AdaptiveAvgPool2d(1))
        elif isinstance(layer, Activation):
            mirror.append({"mish": nn.Mish, "tanh": nn.Tanh}[layer.kind]())
        elif isinstance(layer, Dense):
            mirror.append(nn.Linear(place.shape[0], layer.units))
        else:
            mirror.append(nn.Flatten())
        channels = place.output[0]
    theirs = nn.Sequential(*mirror).double()
    for ours, parameter in zip(network.weights().values(), theirs.parameters(), strict=True):
        value = ours.T if ours.ndim == 2 else ours
        parameter.data = torch.tensor(np.array(value))
    y = np.random.default_rng(2).standard_normal((5, 2))
    loss = 0.5 * ((theirs(torch.tensor(images())) - torch.tensor(y)) ** 2).sum() / 5
    loss.backward()
    value, gradient = network.gradient(images(), y, seed=0)
    assert value == pytest.approx(loss.item(), rel=1e-12)
    flat = [p.grad.numpy().T if p.ndim == 2 else p.grad.numpy() for p in theirs.parameters()]
    expected = np.concatenate([g.reshape(-1) for g in flat])
    np.testing.assert_allclose(gradient, expected, rtol=1e-10, atol=1e-11)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_same_bits_for_any_number_of_threads(dtype):
    layers = [Conv2d(8, 3, padding=1), BatchNorm(), Activation("relu"), MaxPool2d(2),
              Dropout(0.2), Flatten(), Dense(70), Activation("selu"), Dense(3),
              Activation("softmax")]  # fmt: skip
    network = Network(layers, (2, 7, 6), dtype=dtype)
    found = []
    for count in (1, 2, 7):
        with threads(count):
            _, gradient = network.gradient(images(130), np.arange(130) % 3, "cross_entropy", seed=1)
            found.append((gradient, network.predict(images(130))))
    assert found[0][0].dtype == dtype
    for other in found[1:]:
        assert all((a == b).all() for a, b in zip(found[0], other, strict=True))


def test_float32_is_near_float64():
    layers = [Conv2d(4, 3), Activation("mish"), Flatten(), Dense(2)]
    double = Network(layers, (2, 7, 6))
    single = double.with_parameters(double.parameters.astype(np.float32))
    y = np.ones((5, 2))
    _, a = double.gradient(images(), y)
    _, b = single.gradient(images(), y)
    assert b.dtype == np.float32
    np.testing.assert_allclose(a, b, rtol=1e-3, atol=1e-4)


def test_lenet_has_its_61706_parameters():
    layers = [Conv2d(6, 5, padding=2), Activation("tanh"), AvgPool2d(2), Conv2d(16, 5),
              Activation("tanh"), AvgPool2d(2), Flatten(), Dense(120), Activation("tanh"),
              Dense(84), Activation("tanh"), Dense(10), Activation("softmax")]  # fmt: skip
    network = Network(layers, (1, 28, 28), dtype="float32")
    assert network.n_parameters == 61_706
    line = next(line for line in network.summary().splitlines() if line.startswith("8 Dense"))
    assert line.split() == ["8", "Dense", "(120,)", "48,120"]
    outputs = network.predict(np.zeros((3, 1, 28, 28)))
    np.testing.assert_allclose(outputs.sum(axis=1), 1.0, rtol=1e-6)


METHODS = [SGD(0.1, batch=20, momentum=0.9), AdaGrad(0.1, batch=20), RMSProp(0.01, batch=20),
           Adam(0.03, batch=20), LBFGS(), GradientDescent()]  # fmt: skip


@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
def test_methods_learn(method):
    x = np.random.default_rng(0).standard_normal((100, 2))
    y = (x[:, 0] * x[:, 1] > 0).astype(int)
    layers = [Dense(16), Activation("tanh"), Dense(2), Activation("softmax")]
    network = Network(layers, 2)
    before = network.loss(x, y, "cross_entropy")
    training = network.train(x, y, "cross_entropy", method=method, epochs=40)
    assert training.network.loss(x, y, "cross_entropy") < 0.8 * before
    assert network.loss(x, y, "cross_entropy") == before  # a value


def test_adam_steps_are_those_of_numpy():
    x = np.random.default_rng(0).standard_normal((30, 3))
    y = x @ [[1.0], [2.0], [3.0]]
    network = Network([Dense(1)], 3)
    trained = network.train(x, y, method=Adam(0.1, batch=30), epochs=3, weight_decay=0.5).network
    theta, first, second = network.parameters.copy(), np.zeros(4), np.zeros(4)
    best, least = theta, np.inf
    for t in range(1, 4):
        away = x @ theta[:3, None] + theta[3] - y
        loss = 0.5 * (away**2).mean() + 0.25 * (theta[:3] ** 2).sum()
        g = np.append((x * away).mean(axis=0) + 0.5 * theta[:3], away.mean())
        first, second = 0.9 * first + 0.1 * g, 0.999 * second + 0.001 * g * g
        theta = theta - 0.1 * (first / (1 - 0.9**t)) / (np.sqrt(second / (1 - 0.999**t)) + 1e-8)
        if loss < least:
            best, least = theta, loss
    np.testing.assert_allclose(trained.parameters, best, rtol=1e-10)


def test_running_moments_serve_predictions():
    x = np.random.default_rng(0).standard_normal((200, 3)) * 4 + 7
    network = Network([BatchNorm(momentum=0.5), Dense(1)], 3)
    trained = network.train(x, x[:, :1], method=Adam(0.01, batch=50), epochs=5).network
    np.testing.assert_allclose(trained.state[:3], x.mean(axis=0), atol=0.6)
    np.testing.assert_allclose(trained.state[3:], x.var(axis=0), rtol=0.3)
    assert (network.state == [0, 0, 0, 1, 1, 1]).all()


def test_an_exploding_loss_stops_and_keeps_the_best():
    x = np.random.default_rng(0).standard_normal((50, 3)) * 1e3
    network = Network([Dense(4), Dense(1)], 3)
    with (
        pytest.warns(ConvergenceWarning, match="left the range of numbers"),
        np.errstate(all="ignore"),
    ):
        training = network.train(x, x[:, 0], method=SGD(10.0, batch=10), epochs=30)
    assert np.isfinite(training.network.parameters).all()


def test_ctrl_c_keeps_the_best(monkeypatch):
    x, right, calls = np.random.default_rng(0).standard_normal((40, 3)), Dense.forward, []

    def interrupted(self, *given):
        calls.append(1)
        if len(calls) > 10:
            raise KeyboardInterrupt
        return right(self, *given)

    monkeypatch.setattr(Dense, "forward", interrupted)
    network = Network([Dense(1)], 3)
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        training = network.train(x, x[:, 0], method=Adam(0.01, batch=10), epochs=9)
    assert len(training.losses) == training.best_epoch == 2
    assert (training.network.parameters != network.parameters).any()


@pytest.mark.parametrize(
    ("layers", "shape", "match"),
    [
        ([Dense(4), Conv2d(2)], 3, r"layer 2 Conv2d: Conv2d takes images .* shape \(4,\)"),
        ([Conv2d(2), Dense(3)], (1, 8, 8), r"layer 2 Dense: .*put Flatten\(\) before it"),
        ([Conv2d(2, 9)], (1, 8, 8), "layer 1 Conv2d: .*larger than its input"),
        ([Conv2d(4, groups=2)], (3, 8, 8), "groups=2 must divide"),
        ([MaxPool2d(2)], 4, "layer 1 MaxPool2d: .*takes images"),
        ([Activation("softmax")], (1, 2, 2), "layer 1 Activation: .*Flatten"),
        (["Dense"], 3, "layer 1 is not a layer"),
        ([], 3, "needs layers"),
        ([Dense(2)], 0, "input_shape"),
    ],
)
def test_layers_that_do_not_fit_are_named(layers, shape, match):
    with pytest.raises(InvalidParameterError, match=match):
        Network(layers, shape)


@pytest.mark.parametrize(
    "make",
    [lambda: Dense(0), lambda: Dense(2, "none"), lambda: Activation("step"), lambda: Dropout(1.0),
     lambda: Conv2d(2, (3, 3, 3)), lambda: Conv2d(2, stride=0), lambda: MaxPool2d(2, padding=2),
     lambda: BatchNorm(epsilon=0.0), lambda: Network([Dense(1)], 1, dtype="int64")],
)  # fmt: skip
def test_impossible_layers_are_refused(make):
    with pytest.raises(InvalidParameterError):
        make()


def test_data_that_do_not_fit_are_refused():
    network = Network([Dense(3), Activation("softmax")], 4)
    x = np.zeros((5, 4))
    for bad in (np.zeros((5, 3)), np.zeros((0, 4)), np.full((5, 4), np.nan), 3.0):
        with pytest.raises(InvalidDataError, match="x "):
            network.predict(bad)
    for y in ([0, 1, 2, 3, 0], [0, 1], [-1, 0, 0, 0, 0], [0.5] * 5):
        with pytest.raises(InvalidDataError, match="y"):
            network.loss(x, y, "cross_entropy")
    with pytest.raises(InvalidDataError, match=r"class numbers 0 … 2 .*, got 3 at row 1\."):
        network.loss(x, [0, 3, 0, 0, 7], "cross_entropy")
    with pytest.raises(InvalidDataError, match=r"infinity at row 2 \(1 of 5 rows"):
        network.predict(np.where(np.arange(5)[:, None] == 2, np.inf, x))
    with pytest.raises(InvalidDataError, match=r"batch 1: x must have shape .* got \(0, 4\)"):
        network.train([(x, [0] * 5), (x[:0], [])], loss="cross_entropy")
    with pytest.raises(InvalidParameterError, match=r"after must be a Training .* got int"):
        network.train(x, [0] * 5, "cross_entropy", after=3)
    with pytest.raises(InvalidDataError, match="shape"):
        network.loss(x, np.zeros((5, 2)))
    with pytest.raises(InvalidParameterError, match="needs probabilities"):
        Network([Dense(3)], 4).loss(x, [0] * 5, "cross_entropy")
    with pytest.raises(InvalidParameterError, match="need batches"):
        Network([Dropout(), Dense(1)], 4).train(x, np.zeros(5), method=LBFGS())
    with pytest.raises(InvalidParameterError, match="average"):
        network.train(x, [0] * 5, "cross_entropy", method=SGD(average=True))
    with pytest.raises(InvalidDataError, match="no variance"):
        Network([BatchNorm()], 4).gradient(x[:1], x[:1], seed=0)
    with pytest.raises(InvalidDataError, match="parameters"):
        network.with_parameters(np.zeros(3))
    with pytest.raises(ValueError, match="read-only"):
        network.parameters[0] = 1.0
