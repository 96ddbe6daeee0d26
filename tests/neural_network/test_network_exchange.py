"""Networks to files and back, and weights exchanged with torch."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest
from network_zoo import ALL, example

import stylobate
from stylobate.exceptions import InvalidDataError, ModelFileError
from stylobate.neural_network import (
    Activation,
    Autoencoder,
    BatchNorm,
    BernoulliRBM,
    Conv2d,
    Dense,
    Flatten,
    LayerNorm,
    MaxPool2d,
    MLPClassifier,
    Network,
    Parallel,
    PReLU,
    Residual,
)

DRAW = np.random.default_rng(0)


# --- model files ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_every_network_comes_back(name, dtype, tmp_path):
    network, x = example(name, dtype)
    again = stylobate.load(network.save(tmp_path / "network"))
    assert again.layers == network.layers
    assert again.parameters.dtype == network.parameters.dtype
    np.testing.assert_array_equal(again.state, network.state)
    np.testing.assert_array_equal(again.predict(x), network.predict(x))


@pytest.mark.filterwarnings("ignore")
def test_training_goes_on_from_a_file(tmp_path):
    x, y = DRAW.normal(size=(60, 3)), DRAW.integers(3, size=60)
    model = MLPClassifier((5,), max_iter=4, random_state=0).fit(x, y)
    again = stylobate.load(model.save(tmp_path / "model"))
    for each in (model, again):
        each.partial_fit(x, y)
    np.testing.assert_array_equal(again.predict_proba(x), model.predict_proba(x))


@pytest.mark.filterwarnings("ignore")
def test_transformers_come_back(tmp_path):
    x = DRAW.normal(size=(30, 4))
    for model in (Autoencoder(2, max_iter=3, random_state=0).fit(x), BernoulliRBM(3).fit(x > 0)):
        again = stylobate.load(model.save(tmp_path / "model"))
        np.testing.assert_array_equal(again.transform(x), model.transform(x))
    again = stylobate.load(Autoencoder(2, hidden_layer_sizes=()).fit(x).save(tmp_path / "model"))
    assert again.certificate_.proved


def changed(network, old, new):
    """The file of a network with a text of its document replaced."""
    content = io.BytesIO()
    source = io.BytesIO()
    with stylobate_file(network, source) as archive, zipfile.ZipFile(content, "w") as into:
        for entry in archive.namelist():
            data = archive.read(entry)
            if entry.endswith(".json"):
                assert old.encode() in data
                data = data.replace(old.encode(), new.encode(), 1)
            into.writestr(entry, data)
    return content.getvalue()


def stylobate_file(network, source):
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        source.write(network.save(Path(folder) / "m").read_bytes())
    return zipfile.ZipFile(source)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"units": 3', '"units": 4', "parameters"),
        ('"units": 3', '"units": 0', "whole number"),
        ('"units": 3', '"units": 1000000000000', "numbers"),
        ('"units": 3', '"units": "three"', "none of its values"),
        ('"kind": "tanh"', '"kind": "eval"', "kind must be one of"),
        ("neural_network.Dense", "neural_network.MLPClassifier", "MLPClassifier"),
        ("neural_network.Dense", "neural_network.train", "no estimator or value"),
    ],
)
def test_files_that_contradict_themselves_are_refused(old, new, words):
    network = Network([Dense(3), Activation("tanh"), BatchNorm(), Dense(2)], 2)
    with pytest.raises(ModelFileError, match=words):
        stylobate.load(changed(network, old, new))


def test_moments_below_zero_and_numbers_that_are_none_are_refused(tmp_path):
    network = Network([Dense(2), BatchNorm()], 2)
    wrong = network.with_parameters(network.parameters, [0.0, 0.0, 1.0, -1.0])
    with pytest.raises(ModelFileError, match="variances below zero"):
        stylobate.load(wrong.save(tmp_path / "a"))
    numbers = network.parameters.copy()
    numbers[0] = np.nan
    with pytest.raises(ModelFileError, match="finite"):
        stylobate.load(network.with_parameters(numbers).save(tmp_path / "b"))


def test_images_that_would_fill_the_memory_are_refused(tmp_path):
    network = Network([Conv2d(1, 1, padding=20000)], (1, 2, 2))
    with pytest.raises(ModelFileError, match="more than"):
        stylobate.load(network.save(tmp_path / "a"))


def test_numbers_beyond_the_machines_are_refused(tmp_path):
    network = Network([Conv2d(1, 1, dilation=2**40)], (1, 2, 2))  # no matter for a window of one
    with pytest.raises(ModelFileError, match="no layer takes"):
        stylobate.load(network.save(tmp_path / "a"))


# --- arrays --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_arrays_there_and_back(name, tmp_path):
    network, x = example(name)
    fresh = Network(network.layers, network.input_shape, random_state=99)
    again = fresh.load_state_dict(network.state_dict())
    np.testing.assert_array_equal(again.predict(x), network.predict(x))
    assert len(network.state_dict()) == 0 or fresh.parameters is not again.parameters
    filed = fresh.load_weights(network.save_weights(tmp_path / "w.safetensors"))
    np.testing.assert_array_equal(filed.parameters, network.parameters)
    np.testing.assert_array_equal(filed.state, network.state)


def test_layout_is_torchs_by_hand():
    """What torch's documentation says: y = x Aᵀ + b, with A of shape (outputs, inputs)."""
    network = Network([Dense(2), BatchNorm()], 3).with_parameters(np.arange(12.0), [1, 2, 3, 4])
    arrays = network.state_dict()
    np.testing.assert_array_equal(arrays["0.weight"], [[0, 2, 4], [1, 3, 5]])
    np.testing.assert_array_equal(arrays["0.bias"], [6, 7])
    np.testing.assert_array_equal(arrays["1.running_mean"], [1, 2])
    np.testing.assert_array_equal(arrays["1.running_var"], [3, 4])
    assert arrays["1.num_batches_tracked"].dtype == np.int64


def test_other_names():
    network = Network([Dense(2), Activation("tanh"), Dense(1)], 3)
    names = {"0": "fc1", "2": "head.out"}
    arrays = network.state_dict(names)
    assert set(arrays) == {"fc1.weight", "fc1.bias", "head.out.weight", "head.out.bias"}
    again = Network(network.layers, 3, random_state=4).load_state_dict(arrays, names)
    np.testing.assert_array_equal(again.parameters, network.parameters)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda a: a.pop("0.bias"), r"missing are 0\.bias"),
        (lambda a: a.update(x=np.ones(1)), "unknown are x"),
        (lambda a: a.update({"0.bias": np.ones(5)}), r"'0\.bias' must have shape \(2,\)"),
        (lambda a: a.update({"0.bias": np.array([1.0, np.nan])}), "finite"),
        (lambda a: a.update({"0.bias": np.array(["a", "b"])}), "finite numbers"),
        (lambda a: a.update({"1.weight": np.full(2, 2.0)}), "2 ones"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(change, words):
    network = Network([Dense(2), BatchNorm(scale=False)], 3)
    arrays = network.state_dict()
    change(arrays)
    with pytest.raises(InvalidDataError, match=words):
        network.load_state_dict(arrays)


def test_files_of_weights_that_are_none_are_refused(tmp_path):
    network, place = Network([Dense(2)], 3), tmp_path / "w"
    for content in (b"", b"\x00" * 7, b"\xff" * 64, (4).to_bytes(8, "little") + b"{{{{"):
        place.write_bytes(content)
        with pytest.raises(ModelFileError):
            network.load_weights(place)
    with pytest.raises(ModelFileError, match="no file"):
        network.load_weights(tmp_path / "nowhere")


def test_the_package_safetensors_reads_and_writes_the_same(tmp_path):
    package = pytest.importorskip("safetensors.numpy")
    network = Network([Dense(2), BatchNorm()], 3)
    arrays = package.load_file(network.save_weights(tmp_path / "w"))
    for name, array in network.state_dict().items():
        np.testing.assert_array_equal(arrays[name], array)
    package.save_file(arrays, tmp_path / "v")
    again = Network(network.layers, 3, random_state=9).load_weights(tmp_path / "v")
    np.testing.assert_array_equal(again.parameters, network.parameters)


# --- torch ---------------------------------------------------------------------------------------


def test_torch_computes_the_same_from_our_arrays():
    torch = pytest.importorskip("torch")
    nn = torch.nn

    class Block(nn.Module):
        def __init__(self, layers, scale):
            super().__init__()
            self.layers, self.shortcut, self.scale = nn.Sequential(*layers), nn.Sequential(), scale

        def forward(self, x):
            return self.shortcut(x) + self.scale * self.layers(x)

    class Branches(nn.Module):
        def __init__(self, *branches):
            super().__init__()
            self.branches = nn.ModuleList([nn.Sequential(*branch) for branch in branches])

        def forward(self, x):
            return torch.cat([branch(x) for branch in self.branches], 1)

    ours = Network(
        [
            Conv2d(6, 3, padding=1, groups=2), BatchNorm(), PReLU(), Parallel([[Conv2d(2, 1)], []]),
            Residual([Conv2d(8, 3, padding=1), BatchNorm(scale=False)], scale=0.3), LayerNorm(),
            MaxPool2d(2), Flatten(), Dense(5), LayerNorm(), Activation("tanh"), Dense(3),
        ],
        (2, 4, 4),
    )  # fmt: skip
    theirs = nn.Sequential(
        nn.Conv2d(2, 6, 3, padding=1, groups=2), nn.BatchNorm2d(6), nn.PReLU(6),
        Branches([nn.Conv2d(6, 2, 1)], []),
        Block([nn.Conv2d(8, 8, 3, padding=1), nn.BatchNorm2d(8)], 0.3), nn.GroupNorm(1, 8),
        nn.MaxPool2d(2), nn.Flatten(), nn.Linear(32, 5), nn.LayerNorm(5), nn.Tanh(),
        nn.Linear(5, 3),
    ).double()  # fmt: skip
    ours = ours.with_parameters(
        ours.parameters + DRAW.normal(0.0, 0.1, ours.n_parameters),
        np.abs(DRAW.normal(1.0, 0.3, ours.state.shape)),
    )
    arrays = ours.state_dict()
    theirs.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
    x = DRAW.normal(size=(5, 2, 4, 4))
    found = theirs.eval()(torch.from_numpy(x)).detach().numpy()
    np.testing.assert_allclose(found, ours.predict(x), rtol=0, atol=1e-12)


def test_torchs_weights_come_in():
    torch = pytest.importorskip("torch")
    nn = torch.nn
    theirs = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.ReLU(), nn.Linear(6, 2)).double()
    theirs.train()(torch.randn(20, 4, dtype=torch.float64))  # moves the running moments
    fresh = Network([Dense(6), BatchNorm(), Activation("relu"), Dense(2)], 4)
    ours = fresh.load_state_dict(theirs.state_dict())
    x = DRAW.normal(size=(5, 4))
    found = theirs.eval()(torch.from_numpy(x)).detach().numpy()
    np.testing.assert_allclose(found, ours.predict(x), rtol=0, atol=1e-13)
    for name, tensor in theirs.state_dict().items():
        if not name.endswith("tracked"):
            np.testing.assert_array_equal(ours.state_dict()[name], tensor.numpy())
