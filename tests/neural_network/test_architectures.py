"""Networks of the literature: published counts, and torch's outputs layer by layer."""

import os

import numpy as np
import pytest

from stylobate import neural_network
from stylobate.neural_network import BatchNorm, Conv2d, Residual
from stylobate.neural_network.architectures import alexnet, inception_resnet_v2, lenet5, vgg16
from stylobate.neural_network.inception import inception_a, inception_c, inception_stem
from stylobate.neural_network.layout import walk
from stylobate.neural_network.network import Network
from stylobate.neural_network.passes import forward

COUNTS = {"lenet5": 61_706, "alexnet": 60_965_224, "vgg16": 138_357_544}


def test_they_are_found_from_the_package():
    found = neural_network.__getattr__("architectures")  # before any import of the module
    assert found.lenet5().n_parameters == 61_706
    assert "architectures" in dir(neural_network)


@pytest.mark.parametrize("build", [lenet5, alexnet, vgg16])
def test_parameters_are_as_many_as_published(build):
    network = build()
    assert network.n_parameters == COUNTS[build.__name__]
    assert network._parameters is None  # counted, not drawn


def test_alexnet_without_groups():
    assert alexnet(grouped=False).n_parameters == 62_378_344


def test_inception_resnet_has_the_layers_of_its_published_weights():
    network = inception_resnet_v2()
    assert network.n_parameters + len(network.state) == 55_873_736
    kinds = [type(place.layer) for place in walk(network._places)]
    assert kinds.count(BatchNorm) == 204
    assert kinds.count(Conv2d) == 244
    shapes = [place.output for place in network._places]
    for wanted in ((320, 35, 35), (1088, 17, 17), (2080, 8, 8), (1536, 8, 8), (1000,)):
        assert wanted in shapes
    assert network._parameters is None


def layer_by_layer(network, x, tolerance=2e-5):
    """Outputs of ours and of torch behind every layer at the top."""
    torch = pytest.importorskip("torch")
    from torch_mirror import Mirror

    mirror, theirs, ours = Mirror(torch, network), torch.tensor(x), x.reshape(len(x), -1)
    mirror.training = False
    for place, stage in zip(network._places, network._bound(), strict=True):
        with torch.no_grad():
            theirs = mirror.layer(place, theirs)
        ours = forward([stage], ours, None)[0]
        wanted = theirs.numpy().reshape(len(x), -1)
        size = np.abs(wanted).max()
        assert np.abs(ours - wanted).max() <= tolerance * size, place.name
        ours = np.ascontiguousarray(wanted)  # errors of one layer are not those of the next


def test_lenet_is_torchs_layer_by_layer():
    x = np.random.default_rng(0).random((3, 1, 32, 32)).astype(np.float32)
    layer_by_layer(lenet5(), x)


def plain(layers):
    """Without dropout, which predictions pass over."""
    return [layer for layer in layers if type(layer).__name__ != "Dropout"]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("build", [alexnet, vgg16])
def test_large_networks_are_torchs_layer_by_layer(build):
    """On the real size of images; five outputs and narrow dense layers keep it in memory."""
    whole = build(5)
    convolutions = [layer for layer in plain(whole.layers) if not hasattr(layer, "units")]
    network = Network(convolutions[:-1], whole.input_shape, dtype="float32")
    x = np.random.default_rng(0).random((1, *whole.input_shape)).astype(np.float32)
    layer_by_layer(network, x)


@pytest.mark.sampled(4)
def test_a_short_inception_resnet_is_torchs():
    """All parts in their order, with one residual block of each kind, on the least size."""
    whole = inception_resnet_v2(5).layers
    blocks = [k for k, layer in enumerate(whole) if isinstance(layer, Residual)]
    assert len(blocks) == 40
    left_out = {*blocks[1:10], *blocks[11:30], *blocks[31:39]}
    left_out |= {k + 1 for k in left_out}  # with the activation behind each
    layers = [layer for k, layer in enumerate(whole) if k not in left_out]
    network = Network(layers, (3, 75, 75), dtype="float32")
    random = np.random.default_rng(0)
    state = np.where(network.state == 0, random.normal(0, 0.1, len(network.state)), 1.5)
    network = network.with_parameters(network.parameters, state)
    x = random.random((1, 3, 75, 75)).astype(np.float32)
    layer_by_layer(network, x)
    chances = network.predict(x)
    assert chances.shape == (1, 5)
    np.testing.assert_allclose(chances.sum(), 1.0, rtol=1e-6)


@pytest.mark.skipif(
    "STYLOBATE_LARGE_NETWORKS" not in os.environ,
    reason="takes a minute and 1 GB; STYLOBATE_LARGE_NETWORKS=1 runs it",
)
def test_the_whole_inception_resnet_is_torchs_on_images_of_its_size():
    whole = inception_resnet_v2()
    network = Network(whole.layers, whole.input_shape, random_state=0, dtype="float32")
    random = np.random.default_rng(0)
    state = np.where(network.state == 0, random.normal(0, 0.1, len(network.state)), 1.5)
    network = network.with_parameters(network.parameters, state)
    x = random.random((1, 3, 299, 299)).astype(np.float32)
    layer_by_layer(network, x)
    assert network.predict(x).shape == (1, 1000)


@pytest.mark.parametrize(
    ("layers", "shape"),
    [
        (inception_stem()[:9], (3, 43, 41)),
        (inception_a(0.17), (320, 6, 5)),
        (inception_c(0.2), (2080, 4, 3)),
    ],
    ids=["stem", "35", "8"],
)
def test_inception_blocks_are_torchs(layers, shape):
    network = Network(layers, shape)
    layer_by_layer(network, np.random.default_rng(0).random((2, *shape)), 1e-12)
