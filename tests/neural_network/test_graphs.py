"""Branches, residual blocks and the newer layers against torch, NumPy and finite differences."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from torch_mirror import Mirror

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.losses import Absolute, Huber
from stylobate.neural_network import (
    Activation,
    AvgPool2d,
    BatchNorm,
    Conv2d,
    Dense,
    Dropout,
    Embedding,
    Flatten,
    GlobalAvgPool2d,
    GlobalMaxPool2d,
    LayerNorm,
    LocalResponseNorm,
    MaxPool2d,
    MinPool2d,
    Network,
    Parallel,
    PReLU,
    Residual,
)
from stylobate.neural_network.layers.layer import Course
from stylobate.parallel import threads

SHAPE = (4, 6, 7)
RELU, SHIFTED = Activation("relu"), BatchNorm(scale=False)
BLOCKS = {
    "inception": Parallel([[Conv2d(3, 1)], [Conv2d(2, 1), Conv2d(4, 3, padding="same")],
                           [MaxPool2d(3, 1, 1), Conv2d(2, 1)], []]),
    "sum": Parallel([[Conv2d(4, 3, padding=1)], Conv2d(4, 1), []], join="add"),
    "residual": Residual([Conv2d(4, 3, padding=1), Activation("mish"), Conv2d(4, 3, padding=1)]),
    "shortcut": Residual([Conv2d(6, 3, 2, 1)], [Conv2d(6, 1, 2)], scale=0.17),
    "nested": Residual([Parallel([[Conv2d(3, (1, 3), padding=(0, 1), bias=None), SHIFTED],
                                  Residual([Conv2d(4, 1, bias=False)])]), Conv2d(4, 1)], (), 0.5),
    "layer norm": LayerNorm(),
    "response": LocalResponseNorm(3, alpha=0.5, k=2.0),
    "prelu": PReLU(), "prelu shared": PReLU(shared=True),
    "min": MinPool2d(2), "min padded": MinPool2d(3, 2, 1),
    "mean inside": AvgPool2d(3, 1, 1, count_include_pad=False),
    "global max": GlobalMaxPool2d(), "global mean": GlobalAvgPool2d(),
    "no scale": BatchNorm(scale=False),
}  # fmt: skip


def images(n=4, dtype=np.float64):
    return np.random.default_rng(0).standard_normal((n, *SHAPE)).astype(dtype)


def headed(block, *between):
    first = Conv2d(4, 3, 2, 1)
    return Network([first, block, *between, Flatten(), Dense(3), Activation("softmax")], SHAPE)


@pytest.mark.parametrize("name", BLOCKS)
def test_gradients_are_those_of_differences(name):
    flat = isinstance(BLOCKS[name], GlobalMaxPool2d | GlobalAvgPool2d)
    between = [] if flat else [AvgPool2d(2, 2, "same")]  # fewer weights to try
    network = headed(BLOCKS[name], *between)
    check = network.gradient_check(images(3), [0, 1, 2], "cross_entropy")
    assert check.error < 1e-8, str(check)


@pytest.mark.parametrize("name", BLOCKS)
@pytest.mark.parametrize("training", [True, False])
def test_torch_has_the_same_outputs_and_gradients(name, training):
    torch = pytest.importorskip("torch")
    network, y = headed(BLOCKS[name]), np.array([0, 1, 2, 0])
    theirs, x = Mirror(torch, network), torch.tensor(images(), requires_grad=True)
    loss = torch.nn.functional.cross_entropy(theirs(x, 1, training), torch.tensor(y))
    loss.backward()
    value, gradient = network.gradient(images(), y, "cross_entropy", seed=0 if training else None)
    assert value == pytest.approx(loss.item(), rel=1e-12)
    np.testing.assert_allclose(gradient, theirs.theta.grad.numpy(), rtol=1e-10, atol=1e-11)
    if not training:
        value, slopes = network.input_gradient(images(), y, "cross_entropy")
        assert value == pytest.approx(loss.item(), rel=1e-12)
        np.testing.assert_allclose(slopes, x.grad.numpy(), rtol=1e-10, atol=1e-11)


@st.composite
def dense_layers(draw, depth=2):
    curves = ["sigmoid", "tanh", "relu", "leaky_relu", "selu", "mish", "identity", "softmax"]
    plain = st.one_of(
        st.integers(3, 6).map(Dense), st.sampled_from(curves).map(Activation),
        st.just(BatchNorm()), st.just(LayerNorm()), st.just(PReLU()),
        st.integers(3, 5).map(lambda units: Dense(units, "he_uniform", None)),
    )  # fmt: skip
    layers = draw(st.lists(plain, min_size=1, max_size=3))
    if depth and draw(st.booleans()):
        inner = draw(st.lists(dense_layers(depth - 1), min_size=1, max_size=3))
        layers.append(Parallel(inner))
    if depth and draw(st.booleans()):
        inner = draw(dense_layers(depth - 1))
        layers.append(Parallel([[*inner, Dense(3)], [Dense(3)]], join="add"))
    return layers


@given(dense_layers(), st.sampled_from(["squared", "absolute", "huber", "cross_entropy"]))
@settings(max_examples=20, deadline=None)
def test_any_tree_of_dense_layers_has_the_gradients_of_torch(layers, kind):
    torch = pytest.importorskip("torch")
    ends = [Activation("softmax")] if kind == "cross_entropy" else []
    network = Network([*layers, Dense(3), *ends], 4, random_state=1)
    draw = np.random.default_rng(5)
    # weights of no special values; fewer than three units would be normalised to a constant,
    # whose rounding the next normalisation would blow up
    network = network.with_parameters(
        network.parameters + draw.normal(0, 0.3, network.n_parameters)
    )
    x, f = draw.standard_normal((6, 4)), torch.nn.functional
    y = np.arange(6) % 3 if ends else draw.standard_normal((6, 3))
    theirs = Mirror(torch, network)
    outputs, target = theirs(torch.tensor(x), len(ends)), torch.tensor(y)
    if kind == "cross_entropy":
        loss, ours = f.cross_entropy(outputs, target), "cross_entropy"
    elif kind == "squared":
        loss, ours = 0.5 * f.mse_loss(outputs, target, reduction="sum") / 6, "squared"
    elif kind == "absolute":
        loss, ours = f.l1_loss(outputs, target, reduction="sum") / 6, Absolute()
    else:
        loss, ours = f.huber_loss(outputs, target, reduction="sum", delta=0.7) / 6, Huber(0.7)
    loss.backward()
    value, gradient = network.gradient(x, y, ours, seed=0)
    assert value == pytest.approx(loss.item(), rel=1e-10)
    expected = theirs.theta.grad.numpy()
    size = max(1.0, float(np.abs(expected).max()))
    np.testing.assert_allclose(gradient, expected, rtol=1e-9, atol=1e-10 * size)


@pytest.mark.parametrize(
    ("size", "stride", "dilation"), [(2, 1, 1), (3, 2, 1), (4, 3, 1), (2, 1, 3)]
)
def test_same_padding_is_zeros_below_and_right(size, stride, dilation):
    layer = Conv2d(2, size, stride, "same", dilation)
    weights = layer.start(SHAPE, np.random.default_rng(0))
    got, _ = layer.forward(images().reshape(4, -1), SHAPE, weights, Course())
    out = layer.output_shape(SHAPE)
    assert out[1:] == (-(-6 // stride), -(-7 // stride))
    total = [max((k - 1) * stride + dilation * (size - 1) + 1 - n, 0)
             for k, n in zip(out[1:], SHAPE[1:], strict=True)]  # fmt: skip
    around = [(0, 0), (0, 0), *((t // 2, t - t // 2) for t in total)]
    padded = np.pad(images(), around)
    plain = Conv2d(2, size, stride, 0, dilation)
    shape = padded.shape[1:]
    want, _ = plain.forward(padded.reshape(4, -1), shape, weights, Course())
    np.testing.assert_allclose(got, want, rtol=1e-13)
    network = Network([layer, Flatten(), Dense(1)], SHAPE)
    assert network.gradient_check(images(), np.ones(4)).error < 1e-8
    slopes = network.input_gradient(images(), np.ones(4))[1]
    assert slopes.shape == images().shape


@pytest.mark.parametrize("kind", [MaxPool2d, MinPool2d, AvgPool2d])
def test_same_pooling_ignores_what_it_pads(kind):
    x = images()
    options = {"count_include_pad": False} if kind is AvgPool2d else {}
    layer = kind(2, 2, "same", **options)
    got = Network([layer], SHAPE).predict(x)
    assert got.shape == (4, 4, 3, 4)
    pick = {MaxPool2d: np.max, MinPool2d: np.min, AvgPool2d: np.mean}[kind]
    want = [
        pick(x[:, :, i : i + 2, j : j + 2], axis=(2, 3)) for i in (0, 2, 4) for j in (0, 2, 4, 6)
    ]
    np.testing.assert_allclose(got.reshape(4, 4, 12), np.stack(want, axis=2), rtol=1e-14)


def test_embeddings_are_rows_of_tables():
    x = np.column_stack([np.linspace(-1, 1, 6), [0, 1, 2, 2, 1, 0], np.ones(6), [1, 0, 1, 0, 1, 1]])
    network = Network([Embedding({3: 2, 1: 3}, size=2), Dense(1, bias=None)], 4)
    w = network.weights()
    codes = x.astype(int)
    tables = w["1 Embedding W1"][codes[:, 1]], w["1 Embedding W3"][codes[:, 3]]
    want = np.column_stack([x[:, 0], x[:, 2], *tables]) @ w["2 Dense W"]
    np.testing.assert_allclose(network.predict(x), want, rtol=1e-13)
    assert network.gradient_check(x, np.arange(6.0)).error < 1e-8
    assert (network.input_gradient(x, np.arange(6.0))[1][:, [1, 3]] == 0).all()
    for wrong in (3.0, 0.5, -1.0):
        x[2, 1] = wrong
        with pytest.raises(InvalidDataError, match=r"column 1 must hold whole codes 0 … 2"):
            network.predict(x)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_same_bits_for_any_number_of_threads(dtype):
    layers = [Conv2d(4, 3, padding=1), *BLOCKS.values()]
    layers = [b for b in layers if not isinstance(b, GlobalMaxPool2d | GlobalAvgPool2d | MinPool2d)]
    layers.remove(BLOCKS["shortcut"])
    layers.remove(BLOCKS["nested"])
    layers.insert(2, Conv2d(4, 1))
    network = Network([*layers, Dropout(0.2), Flatten(), Dense(3), Activation("softmax")], SHAPE,
                      dtype=dtype)  # fmt: skip
    found, y = [], np.arange(40) % 3
    for count in (1, 2, 7):
        with threads(count):
            found.append((network.gradient(images(40), y, "cross_entropy", seed=1)[1],
                          network.input_gradient(images(40), y, "cross_entropy")[1]))  # fmt: skip
    assert {a.dtype.name for pair in found for a in pair} == {dtype}
    for other in found[1:]:
        assert all((a == b).all() for a, b in zip(found[0], other, strict=True))


def test_weights_and_counts_of_nested_layers():
    network = headed(BLOCKS["nested"])
    names = list(network.weights())
    assert names[2:6] == [
        "2 Residual / 1 Parallel / 1.1 Conv2d W", "2 Residual / 1 Parallel / 1.2 BatchNorm shift",
        "2 Residual / 1 Parallel / 2.1 Residual / 1 Conv2d W", "2 Residual / 2 Conv2d W",
    ]  # fmt: skip
    assert sum(w.size for w in network.weights().values()) == network.n_parameters
    assert "2 Residual / 1 Parallel (concatenate)" in network.summary()


def test_counting_draws_nothing():
    big = Network([Flatten(), Dense(4096), Dense(4096)], (512, 7, 7))
    assert big.n_parameters == 25088 * 4096 + 4096 + 4096 * 4096 + 4096
    assert big._parameters is None


@pytest.mark.parametrize(
    ("name", "variance"),
    [("glorot", 2 / 700), ("glorot_normal", 2 / 700), ("he", 2 / 400), ("he_uniform", 2 / 400),
     ("lecun", 1 / 400)],
)  # fmt: skip
def test_first_weights_have_the_variance_of_their_name(name, variance):
    w = Network([Dense(300, name, 0.1)], 400).weights()
    assert w["1 Dense W"].var() == pytest.approx(variance, rel=0.02)
    assert (w["1 Dense b"] == 0.1).all()
    uniform = name in ("glorot", "he_uniform")
    assert (np.abs(w["1 Dense W"]).max() <= np.sqrt(3 * variance)) == uniform


@pytest.mark.parametrize(
    ("layers", "match"),
    [
        ([Residual([Conv2d(5)])], r"layer 1 Residual: .*\(5, 4, 5\).*shortcut, \(4, 6, 7\)"),
        ([Residual([Conv2d(5, 1), Dense(3)])], r"layer 1 Residual / 2 Dense: Dense takes vectors"),
        ([RELU, Parallel([[Conv2d(2)], []])], r"layer 2 Parallel: .*one height and width"),
        ([Parallel([[Conv2d(2, 1)], []], "add")], r"layer 1 Parallel: .*one shape"),
        ([Parallel([[RELU], [RELU, "x"]])], "layer 1 Parallel / 2.2 is not a layer"),
        ([Residual([RELU], [MaxPool2d(9)])], r"1 Residual / shortcut 1 MaxPool2d: .*larger"),
        ([Embedding({4: 2})], "layer 1 Embedding: .*column 4"),
    ],
)
def test_layers_that_do_not_fit_are_named_by_their_path(layers, match):
    with pytest.raises(InvalidParameterError, match=match):
        Network(layers, SHAPE)


@pytest.mark.parametrize(
    "make",
    [lambda: Parallel([]), lambda: Parallel([[RELU]], "mean"), lambda: Residual([]),
     lambda: Residual([RELU], scale=np.nan), lambda: Conv2d(2, padding="full"),
     lambda: Dense(2, bias="yes"), lambda: Embedding({}), lambda: Embedding({0: 0}),
     lambda: LocalResponseNorm(4), lambda: LayerNorm(0.0), lambda: PReLU(2.0)],
)  # fmt: skip
def test_impossible_layers_are_refused(make):
    with pytest.raises(InvalidParameterError):
        make()
