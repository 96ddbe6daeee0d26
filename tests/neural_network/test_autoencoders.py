"""Autoencoders: linear ones against PCA, gradients against differences, noise, bad input."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.linalg import subspace_angles

from stylobate.decomposition import PCA
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.neural_network import Autoencoder, Network
from stylobate.neural_network.autoencoders.certificate import AutoencoderCertificate, LinearCode
from stylobate.neural_network.autoencoders.mirrored import mirrored_layers
from stylobate.neural_network.autoencoders.training import Reconstruction, WeightSharing, noisy

DRAW = np.random.default_rng(0)
ROWS = DRAW.normal(size=(120, 6)) @ DRAW.normal(size=(6, 6)) + 10.0


@pytest.fixture(scope="module")
def pca():
    return PCA(2).fit(ROWS)


@pytest.mark.parametrize("hidden", [(), (4,), (5, 3)])
def test_the_closed_form_is_pca(pca, hidden):
    model = Autoencoder(2, hidden_layer_sizes=hidden, activation="identity").fit(ROWS)
    assert model.solver_ == "svd"
    back = pca.inverse_transform(pca.transform(ROWS))
    np.testing.assert_allclose(model.reconstruct(ROWS), back, rtol=0, atol=1e-12)
    np.testing.assert_allclose(
        np.abs(model.transform(ROWS)), np.abs(pca.transform(ROWS)), atol=1e-11
    )
    certificate = model.certificate_
    optimum = pca.reconstruction_error_ * (len(ROWS) - 1)
    assert certificate.proved
    assert certificate.optimum == pytest.approx(optimum, rel=1e-11)
    assert certificate.error == pytest.approx(optimum, rel=1e-11)
    assert certificate.angles.max() < 1e-12


@pytest.mark.parametrize("tied", [False, True])
def test_trained_linear_ones_reach_the_principal_space(pca, tied):
    model = Autoencoder(
        2, hidden_layer_sizes=(), tied_weights=tied, solver="lbfgs", tol=1e-9, max_iter=1000,
        random_state=0,
    ).fit(ROWS)  # fmt: skip
    certificate = model.certificate_
    assert abs(certificate.excess) < 1e-12 * certificate.total
    directions = model.decoder_.weights()["1 Dense W"].T
    angles = subspace_angles(directions, pca.components_.T)
    assert angles.max() < 1e-7
    np.testing.assert_allclose(certificate.angles, angles, atol=1e-10)
    if tied:
        encoder, decoder = model.encoder_.weights(), model.decoder_.weights()
        np.testing.assert_array_equal(encoder["1 Dense W"], decoder["1 Dense W"].T)


@pytest.mark.parametrize("solver", ["adam", "sgd"])
@pytest.mark.parametrize("tied", [False, True])
def test_the_excess_bounds_the_angles(pca, solver, tied):
    model = Autoencoder(
        2, hidden_layer_sizes=(), tied_weights=tied, solver=solver, learning_rate_init=0.01,
        random_state=1,
    ).fit(ROWS)  # fmt: skip
    certificate = model.certificate_
    assert certificate.excess > 1e-9 * certificate.total
    sines = np.sin(certificate.angles) ** 2
    assert 0.0 < sines.sum() <= certificate.excess / certificate.gap
    assert certificate.angles.max() <= certificate.angle_bound
    assert "train longer" in certificate.verdict


def test_any_linear_map_is_above_the_optimum():
    """Eckart and Young, on maps drawn at random."""
    centred = ROWS - ROWS.mean(axis=0)
    best = LinearCode.of(centred)
    np.testing.assert_allclose(best.squares, np.linalg.svd(centred)[1] ** 2, rtol=1e-10)
    for _ in range(20):
        there, back = DRAW.normal(size=(6, 2)), np.linalg.qr(DRAW.normal(size=(6, 2)))[0].T
        there = back.T if DRAW.random() < 0.5 else there
        error = float(((centred - centred @ there @ back) ** 2).sum())
        assert AutoencoderCertificate.of(best, 2, error, back).excess >= 0.0


def test_rows_taken_some_at_a_time_give_the_same_directions():
    tall = np.random.default_rng(1).normal(size=(9000, 3)) * [3.0, 2.0, 1.0] + 100.0
    best = LinearCode.of(tall, tall.mean(axis=0))
    _, values, directions = np.linalg.svd(tall - tall.mean(axis=0), full_matrices=False)
    np.testing.assert_allclose(best.squares, values**2, rtol=1e-12)
    np.testing.assert_allclose(np.abs(best.directions), np.abs(directions), atol=1e-12)
    wide = ROWS[:4]
    np.testing.assert_allclose(
        LinearCode.of(wide).squares, np.linalg.svd(wide, compute_uv=False) ** 2, rtol=1e-9
    )


def test_equal_variances_leave_the_space_open():
    x = np.vstack([np.eye(4), -np.eye(4)])
    certificate = Autoencoder(2, hidden_layer_sizes=()).fit(x).certificate_
    assert certificate.gap == 0.0
    assert "several spaces" in certificate.verdict


@pytest.mark.parametrize("curve", ["tanh", "relu", "mish", "selu", "sigmoid", "leaky_relu"])
@pytest.mark.parametrize("tied", [False, True])
def test_gradients_are_those_of_the_penalised_error(curve, tied):
    x = DRAW.normal(size=(7, 4))
    network = Network(mirrored_layers(4, [3], 2, curve, "identity", "identity"), 4)
    sharing = WeightSharing(network) if tied else None
    task = Reconstruction(network, x, lambda rows, draw: rows, sharing, 0.3)
    theta = DRAW.normal(size=network.n_parameters)
    theta = sharing.copied(theta) if tied else theta
    value, gradient = task.at(theta, slice(None), DRAW)
    penalty = sum(
        (w**2).sum() for n, w in network.with_parameters(theta).weights().items() if n[-1] == "W"
    )
    rebuilt = network.with_parameters(theta).predict(x)
    assert value == pytest.approx(0.5 * ((x - rebuilt) ** 2).sum() / 7 + 0.15 * penalty, rel=1e-12)
    for _ in range(5):
        way = DRAW.normal(size=len(theta))
        way = sharing.projected(way) if tied else way
        ahead, behind = (task.at(theta + h * way, slice(None), DRAW)[0] for h in (1e-6, -1e-6))
        assert gradient @ way == pytest.approx((ahead - behind) / 2e-6, rel=1e-5, abs=1e-6)


def test_bends_are_better_where_rows_bend():
    angle = np.linspace(0.0, 5.0, 150)
    x = np.column_stack([np.cos(angle), np.sin(angle)]) * 1000.0
    model = Autoencoder(1, hidden_layer_sizes=(16,), solver="lbfgs", max_iter=300, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(x)
    assert model.score(x) > 0.99
    assert model.certificate_.excess < 0.0
    assert not model.certificate_.proved
    np.testing.assert_allclose(
        model.reconstruction_errors(x), ((x - model.reconstruct(x)) ** 2).sum(axis=1)
    )
    np.testing.assert_allclose(model.inverse_transform(model.transform(x)), model.reconstruct(x))


def test_units_do_not_matter():
    small = Autoencoder(2, max_iter=4, random_state=0, tol=0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        one = small.fit(ROWS).score(ROWS)
        other = small.fit(ROWS * 1024.0 + 4096.0).score(ROWS * 1024.0 + 4096.0)
    assert one == pytest.approx(other, rel=1e-9)


@pytest.mark.parametrize("kind", ["gaussian", "masking", "salt_and_pepper"])
def test_noise_is_what_it_says(kind):
    x = DRAW.normal(size=(400, 50))
    spoiled = noisy(x, kind, 0.2, np.random.default_rng(3))
    if kind == "gaussian":
        assert np.std(spoiled - x) == pytest.approx(0.2, rel=0.03)
        return
    hit = spoiled != x
    assert hit.mean() == pytest.approx(0.2, abs=0.01)
    ends = {0.0} if kind == "masking" else {x.min(), x.max()}
    assert set(np.unique(spoiled[hit])) == ends


def test_it_learns_to_take_noise_away():
    draw = np.random.default_rng(0)
    x = draw.normal(size=(400, 2)) @ draw.normal(size=(2, 12))
    model = Autoencoder(
        2, hidden_layer_sizes=(), noise="gaussian", noise_level=0.5, solver="adam",
        learning_rate_init=0.01, max_iter=40, random_state=0,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(x)
    spoiled = x + 0.5 * model.scale_ * draw.standard_normal(x.shape)
    assert np.mean((model.reconstruct(spoiled) - x) ** 2) < 0.4 * np.mean((spoiled - x) ** 2)


def test_same_seed_same_weights_and_single_precision():
    def fitted(x):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Autoencoder(2, max_iter=3, random_state=5, noise="masking").fit(x)

    first, second, single = fitted(ROWS), fitted(ROWS), fitted(ROWS.astype(np.float32))
    np.testing.assert_array_equal(first.encoder_.parameters, second.encoder_.parameters)
    assert single.transform(ROWS.astype(np.float32)).dtype == np.float32
    np.testing.assert_allclose(first.loss_curve_, single.loss_curve_, rtol=1e-4)


def test_refusals():
    with pytest.raises(InvalidParameterError, match="narrower than the bottleneck"):
        Autoencoder(3, hidden_layer_sizes=(2,)).fit(ROWS)
    with pytest.raises(InvalidParameterError, match="needs identity activations"):
        Autoencoder(2, solver="svd").fit(ROWS)
    with pytest.raises(InvalidParameterError, match="drawn anew"):
        Autoencoder(2, solver="lbfgs", noise="masking").fit(ROWS)
    with pytest.raises(InvalidParameterError, match="share of entries"):
        Autoencoder(2, noise="masking", noise_level=1.0).fit(ROWS)
    with pytest.raises(InvalidDataError, match=r"columns in \[0, 1\]"):
        Autoencoder(2, output_activation="sigmoid").fit(ROWS)
    model = Autoencoder(2, hidden_layer_sizes=()).fit(ROWS)
    with pytest.raises(InvalidDataError, match="codes have 2"):
        model.inverse_transform(np.zeros((1, 3)))
