"""ONNX graphs of networks and of models made of them, as onnxruntime computes them."""

from __future__ import annotations

import warnings

import numpy as np
import pandas
import pytest
from network_zoo import ALL, example

from stylobate.exceptions import FormulaError, InvalidParameterError, NotFittedError
from stylobate.formula import to_onnx
from stylobate.impute import KNNImputer
from stylobate.neural_network import (
    Autoencoder,
    BernoulliRBM,
    Conv2d,
    ConvNetClassifier,
    Dense,
    Flatten,
    MLPClassifier,
    MLPRegressor,
    Network,
)
from stylobate.neural_network.layers.layer import Layer
from stylobate.pipeline import make_pipeline
from stylobate.preprocessing import StandardScaler, TableEncoder

runtime = pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")
SINGLE_ONLY = {"convolution", "dilation", "mean", "mean within", "local response", "branches"}
DRAW = np.random.default_rng(0)
X = DRAW.normal(size=(40, 4))


def answers(model, **inputs):
    session = runtime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return session.run(None, inputs)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_every_layer(name, dtype):
    network, x = example(name, dtype)
    if dtype == "float64" and name in SINGLE_ONLY:
        with pytest.raises(FormulaError, match=r"layer 1 .* use dtype='float32'"):
            network.to_onnx()
        graph, close = network.to_onnx(dtype="float32"), 1e-5
        x = x.astype(np.float32)
    else:
        graph, close = network.to_onnx(), 1e-5 if dtype == "float32" else 1e-10
    for rows in (x, x[:1], np.concatenate([x, x])):  # batches of any size
        found, wanted = answers(graph, x=rows)[0], network.predict(rows)
        assert found.shape == wanted.shape
        assert np.abs(found - wanted).max() <= close * max(np.abs(wanted).max(), 1.0)


TARGETS = {
    "two": DRAW.integers(2, size=40),
    "texts": np.array(list("abc"))[DRAW.integers(3, size=40)],
    "truths": DRAW.random(40) < 0.5,
    "several": DRAW.integers(2, size=(40, 3)),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("activation", ["identity", "logistic", "tanh", "relu"])
def test_classifiers(target, activation):
    model = MLPClassifier((7, 5), activation, max_iter=20, random_state=0).fit(X, TARGETS[target])
    labels, chances = answers(model.to_onnx(), X=X)
    np.testing.assert_array_equal(labels, model.predict(X))
    np.testing.assert_allclose(chances, model.predict_proba(X), rtol=0, atol=1e-10)


@pytest.mark.filterwarnings("ignore")
def test_named_columns_and_single_precision():
    frame = pandas.DataFrame(X.astype(np.float32), columns=["a", "v1", "c", "d"])
    model = MLPClassifier((3,), max_iter=5, random_state=0).fit(frame, TARGETS["texts"])
    given = {name: frame[[name]].to_numpy(np.float64) for name in frame}
    labels, chances = answers(model.to_onnx(), **given)
    np.testing.assert_array_equal(labels, model.predict(frame))
    np.testing.assert_allclose(chances, model.predict_proba(frame), rtol=0, atol=1e-6)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("loss", ["squared_error", "poisson"])
@pytest.mark.parametrize("columns", [0, slice(0, 2)])
def test_regressors(loss, columns):
    y = np.abs(X[:, columns])
    model = MLPRegressor(loss, hidden_layer_sizes=(6,), max_iter=20, random_state=0).fit(X, y)
    (found,) = answers(to_onnx(model), X=X)
    np.testing.assert_allclose(found, model.predict(X), rtol=1e-11, atol=1e-11)


IMAGES = DRAW.normal(3.0, 2.0, size=(40, 2, 4, 6))


@pytest.mark.parametrize("target", ["two", "texts", "truths"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_classifiers_of_images(target, dtype):
    images, y = IMAGES.astype(dtype), TARGETS[target]
    model = ConvNetClassifier(max_iter=2, random_state=0).fit(images, y)
    rows = images.reshape(40, -1).astype(np.float64)
    labels, chances = answers(model.to_onnx(), X=rows)
    wanted = model.predict_proba(images)
    np.testing.assert_allclose(chances, wanted, rtol=0, atol=1e-5)  # convolutions are single
    clear = np.ptp(np.sort(wanted, axis=1)[:, -2:], axis=1) > 1e-4
    assert clear.sum() > 30
    np.testing.assert_array_equal(labels[clear], model.predict(images)[clear])


def test_images_without_convolutions_keep_double_precision_and_pipelines():
    rows = IMAGES[:, 0].reshape(40, -1)
    net = ConvNetClassifier([Flatten(), Dense(5)], (4, 6), max_iter=2, random_state=0)
    model = make_pipeline(StandardScaler(), net).fit(rows, TARGETS["texts"])
    labels, chances = answers(model.to_onnx(), X=rows)
    np.testing.assert_allclose(chances, model.predict_proba(rows), rtol=0, atol=1e-12)
    np.testing.assert_array_equal(labels, model.predict(rows))


@pytest.mark.filterwarnings("ignore")
def test_transformers(tmp_path):
    model = Autoencoder(2, max_iter=5, random_state=0).fit(1e3 * X + 1e4)
    (codes,) = answers(model.to_onnx(tmp_path / "code.onnx"), X=1e3 * X + 1e4)
    np.testing.assert_allclose(codes, model.transform(1e3 * X + 1e4), rtol=0, atol=1e-10)
    assert (tmp_path / "code.onnx").stat().st_size > 0
    machine = BernoulliRBM(3, random_state=0).fit(X > 0)
    (chances,) = answers(machine.to_onnx(), X=(X > 0).astype(float))
    np.testing.assert_allclose(chances, machine.transform(X > 0), rtol=0, atol=1e-12)


@pytest.mark.filterwarnings("ignore")
def test_pipelines_that_end_with_a_network():
    y = TARGETS["texts"]
    model = make_pipeline(StandardScaler(), MLPClassifier((5,), max_iter=20, random_state=0))
    model.fit(100.0 * X + 7.0, y)
    labels, chances = answers(model.to_onnx(), X=100.0 * X + 7.0)
    np.testing.assert_array_equal(labels, model.predict(100.0 * X + 7.0))
    np.testing.assert_allclose(chances, model.predict_proba(100.0 * X + 7.0), rtol=0, atol=1e-10)
    frame = pandas.DataFrame(
        {"a": X[:, 0], "kind": np.array(list("xyz"))[DRAW.integers(3, size=40)]}
    )
    mixed = make_pipeline(TableEncoder(), MLPRegressor(hidden_layer_sizes=(4,), max_iter=20))
    mixed.fit(frame, X[:, 1])
    given = {"a": frame[["a"]].to_numpy(), "kind": frame[["kind"]].to_numpy(dtype=object)}
    (found,) = answers(mixed.to_onnx(), **given)
    np.testing.assert_allclose(found, mixed.predict(frame), rtol=0, atol=1e-10)
    assert not hasattr(make_pipeline(KNNImputer(), MLPRegressor()), "to_onnx")
    assert not hasattr(make_pipeline(MLPRegressor()), "to_sql")


def test_refusals():
    with pytest.raises(NotFittedError):
        MLPClassifier().to_onnx()
    with pytest.raises(InvalidParameterError, match="float32 or float64"):
        Network([Dense(1)], 2).to_onnx(dtype="int8")

    class Own(Layer):
        pass

    with pytest.raises(FormulaError, match="class Own"):
        Network([Conv2d(1, 1), Own()], (1, 2, 2), dtype="float32").to_onnx()
    assert not hasattr(MLPClassifier(), "to_sql")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert hasattr(MLPClassifier(), "to_onnx")
