"""Convolutions and poolings of the core against torch, on geometries that take every way."""

import numpy as np
import pytest

import stylobate
from stylobate import _core
from stylobate.neural_network import (
    Activation,
    AvgPool2d,
    Conv2d,
    Dense,
    Flatten,
    MaxPool2d,
    Network,
)
from stylobate.neural_network.passes import stages_of
from stylobate.neural_network.training_loss import TrainingLoss, loss_and_slopes

# channels, height, width, filters, groups, size, stride, padding, dilation
GEOMETRIES = {
    "few filters": (1, 28, 28, 6, 1, (5, 5), (1, 1), (2, 2), (1, 1)),
    "many filters": (6, 14, 14, 16, 1, (5, 5), (1, 1), (0, 0), (1, 1)),
    "one by one": (7, 9, 5, 33, 1, (1, 1), (1, 1), (0, 0), (1, 1)),
    "stride beyond the window": (3, 11, 10, 5, 1, (2, 1), (3, 4), (0, 0), (1, 1)),
    "stride and dilation": (4, 17, 15, 8, 2, (3, 2), (2, 3), (2, 1), (3, 2)),
    "padding beyond the window": (2, 5, 4, 3, 1, (2, 2), (1, 1), (3, 3), (1, 1)),
    "depth-wise": (6, 8, 9, 12, 6, (3, 3), (2, 1), (1, 1), (1, 1)),
    "bands of rows": (40, 96, 95, 26, 1, (3, 3), (1, 1), (1, 1), (1, 1)),
    "bands of rows, stride": (48, 120, 121, 5, 1, (5, 5), (2, 2), (1, 1), (1, 1)),
    "one row": (1, 1, 19, 16, 1, (3, 3), (1, 1), (1, 1), (1, 1)),
}


def passes(geometry, x, w, b, dy, finish="none"):
    channels, height, width, filters, groups, *window = geometry
    numbers = [channels, height, width, *(n for pair in window for n in pair)]
    asked = (x.reshape(len(x), -1), numbers, filters, groups, w.reshape(-1))
    y, which = map(np.asarray, _core.convolve(*asked, b, finish))
    back = _core.convolve_back(*asked, dy.reshape(len(x), -1), True, finish, y, which)
    alone = _core.convolve_back(*asked, dy.reshape(len(x), -1), False, finish, y, which)
    assert alone[0].shape[0] == 0
    np.testing.assert_array_equal(back[1], alone[1])
    return [y, *(np.asarray(part) for part in back)]


@pytest.mark.parametrize("name", GEOMETRIES)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_convolutions_are_torchs(name, dtype):
    torch = pytest.importorskip("torch")
    geometry = GEOMETRIES[name]
    channels, height, width, filters, groups, size, stride, padding, dilation = geometry
    draw = np.random.default_rng(0)
    x = draw.standard_normal((3, channels, height, width)).astype(dtype)
    w = draw.standard_normal((filters, channels // groups, *size)).astype(dtype)
    b = draw.standard_normal(filters).astype(dtype)
    leaves = [torch.tensor(a.astype(np.float64), requires_grad=True) for a in (x, w, b)]
    y = torch.nn.functional.conv2d(*leaves, stride, padding, dilation, groups)
    dy = draw.standard_normal(y.shape).astype(dtype)
    wanted = [y.detach(), *torch.autograd.grad(y, leaves, torch.tensor(dy.astype(np.float64)))]
    for ours, theirs in zip(passes(geometry, x, w, b, dy), wanted, strict=True):
        theirs = theirs.numpy().reshape(ours.shape)
        tolerance = (1e-13 if dtype == np.float64 else 3e-6) * np.abs(theirs).max()
        assert np.abs(ours - theirs).max() <= 10 * tolerance


@pytest.mark.parametrize("finish", ["rectified", "halved"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(
    "name", ["few filters", "many filters", "padding beyond the window", "depth-wise", "odd sides"]
)
def test_what_follows_a_convolution_is_torchs(name, dtype, finish):
    """ReLU and the largest of 2 × 2 places within the pass; sides that are odd, and wide ones."""
    torch = pytest.importorskip("torch")
    odd = (2, 9, 73, 5, 1, (3, 3), (1, 1), (1, 1), (1, 1))
    geometry = GEOMETRIES.get(name, odd)
    channels, height, width, filters, groups, size, stride, padding, dilation = geometry
    draw = np.random.default_rng(4)
    x = draw.standard_normal((3, channels, height, width)).astype(dtype)
    w = draw.standard_normal((filters, channels // groups, *size)).astype(dtype)
    b = draw.standard_normal(filters).astype(dtype)
    leaves = [torch.tensor(a.astype(np.float64), requires_grad=True) for a in (x, w, b)]
    y = torch.nn.functional.conv2d(*leaves, stride, padding, dilation, groups).relu()
    if finish == "halved":
        y = torch.nn.functional.max_pool2d(y, 2)
    dy = draw.standard_normal(y.shape).astype(dtype)
    wanted = [y.detach(), *torch.autograd.grad(y, leaves, torch.tensor(dy.astype(np.float64)))]
    for ours, theirs in zip(passes(geometry, x, w, b, dy, finish), wanted, strict=True):
        theirs = theirs.numpy().reshape(ours.shape)
        tolerance = (1e-13 if dtype == np.float64 else 3e-6) * np.abs(theirs).max()
        assert np.abs(ours - theirs).max() <= 10 * tolerance


@pytest.mark.parametrize("pool", [MaxPool2d(2), MaxPool2d(3, stride=2), AvgPool2d(2)])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_layers_in_one_pass_give_the_bits_of_layers_one_by_one(pool, dtype):
    relu = Activation("relu")
    layers = [Conv2d(6, 5, padding=2), relu, pool, Conv2d(7, 3), relu, Flatten(), Dense(3)]
    network = Network(layers, (2, 13, 18), dtype=dtype)
    draw = np.random.default_rng(5)
    x = draw.standard_normal((70, 2 * 13 * 18)).astype(dtype)
    y, loss = draw.standard_normal((70, 3)), TrainingLoss.of("squared", network._places)
    found = []
    for watch in (None, lambda *seen: None):  # who looks on sees every layer
        for threads in (1, 2, 7):
            gradient = np.zeros_like(network.parameters)
            stages = stages_of(network._places, network.parameters, network.state, gradient)
            with stylobate.threads(threads):
                value, by_input = loss_and_slopes(
                    stages, x, y, loss, None, by_input=True, watch=watch
                )
            found.append((value, by_input, gradient))
    for other in found[1:]:
        for one, two in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(one, two)


def test_bits_do_not_depend_on_threads():
    geometry = GEOMETRIES["bands of rows"]
    draw = np.random.default_rng(1)
    x = draw.standard_normal((19, 40, 96, 95)).astype(np.float32)[:, :, :40]
    geometry = (40, 40, 95, *geometry[3:])
    w, b = draw.standard_normal((26, 40, 3, 3)), draw.standard_normal(26)
    dy = draw.standard_normal((19, 26, 40, 95)).astype(np.float32)
    found = []
    for threads in (1, 2, 7):
        with stylobate.threads(threads):
            found.append(passes(geometry, x.copy(), w.astype(np.float32), b.astype(np.float32), dy))
    for other in found[1:]:
        for one, two in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(
    ("shape", "size", "stride", "padding"),
    [
        ((2, 8, 6), (2, 2), (2, 2), (0, 0)),
        ((2, 9, 7), (2, 2), (2, 2), (0, 0)),
        ((3, 20, 41), (3, 3), (2, 2), (1, 1)),
        ((1, 12, 37), (3, 2), (1, 3), (1, 0)),
    ],
)
def test_largest_entries_are_torchs(shape, size, stride, padding, dtype):
    """With many equal entries, of which the first counts, and entries that are −∞."""
    torch = pytest.importorskip("torch")
    draw = np.random.default_rng(2)
    x = draw.integers(0, 3, (4, *shape)).astype(dtype)
    x[0] = -np.inf
    leaf = torch.tensor(x, requires_grad=True)
    y = torch.nn.functional.max_pool2d(leaf, size, stride, padding)
    dy = draw.standard_normal(y.shape).astype(dtype)
    wanted = torch.autograd.grad(y, leaf, torch.tensor(dy))[0].numpy()
    numbers = [*shape, *size, *stride, *padding, 1, 1]
    ours = np.asarray(_core.pool(x.reshape(4, -1), True, numbers))
    np.testing.assert_array_equal(ours, y.detach().numpy().reshape(4, -1))
    back = np.asarray(_core.pool_back(x.reshape(4, -1), True, numbers, dy.reshape(4, -1)))
    np.testing.assert_allclose(back, wanted.reshape(4, -1), rtol=1e-6)


@pytest.mark.parametrize("size", [2, 3])
def test_nan_is_the_largest(size):
    x = np.zeros((1, 36))
    x[0, 7] = np.nan
    numbers = [1, 6, 6, size, size, size, size, 0, 0, 1, 1]
    y = np.asarray(_core.pool(x, True, numbers))
    assert np.isnan(y[0, 0])
    assert np.isnan(y).sum() == 1
    back = np.asarray(_core.pool_back(x, True, numbers, np.ones_like(y)))
    assert back[0, 7] == 1.0
    assert back.sum() == y.size


@pytest.mark.parametrize("rows", [1, 12, 13, 96, 97])
@pytest.mark.parametrize("order", ["C", "F"])
def test_products_with_large_matrices(rows, order):
    draw = np.random.default_rng(3)
    a, bias = draw.standard_normal((rows, 1030)), draw.standard_normal(1111)
    b = np.asarray(draw.standard_normal((1030, 1111)), order=order)
    ours = np.asarray(_core.matrix_multiply(a, b, bias))
    np.testing.assert_allclose(ours, a @ b + bias, atol=1e-11)
