"""Networks and models made of them as ONNX graphs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import FormulaError, InvalidParameterError

if TYPE_CHECKING:
    from stylobate.neural_network.autoencoders.autoencoder import Autoencoder
    from stylobate.neural_network.classifier import MLPClassifier
    from stylobate.neural_network.images.conv_net import ConvNetClassifier
    from stylobate.neural_network.network import Network
    from stylobate.neural_network.perceptron import MultilayerPerceptron
    from stylobate.neural_network.rbm import BernoulliRBM

_OPSETS = (("", 18), ("ai.onnx.ml", 3))
_DOUBLE, _FLOAT = 11, 1  # onnx.TensorProto
_CURVES = {"logistic": "sigmoid", "exp": "exp"}  # scikit-learn's names


def _writer(inputs: Any = ()) -> Any:
    try:
        import onnx  # noqa: F401
    except ImportError:
        raise FormulaError("to_onnx needs the package onnx; install it.") from None
    from stylobate.formula.onnx_graph import OnnxWriter

    return OnnxWriter(inputs, named=False)


def _layers(graph: Any, dtype: Any) -> Any:
    from stylobate.neural_network.exchange.onnx_layers import LayerWriter

    return LayerWriter(graph, dtype)


def _finished(graph: Any, taken: list[Any], outputs: list[Any]) -> Any:
    import onnx
    from onnx import helper

    whole = helper.make_graph(graph.nodes, "model", taken, outputs, graph.constants)
    opset = [helper.make_opsetid(domain, version) for domain, version in _OPSETS]
    made = {"opset_imports": opset, "producer_name": "stylobate", "ir_version": 8}
    model = helper.make_model(whole, **made)
    onnx.checker.check_model(model)
    return model


def _output(graph: Any, value: str, name: str, kind: int, shape: list[Any]) -> Any:
    """Call a value by its public name."""
    from onnx import helper

    graph.node("Identity", value)
    graph.nodes[-1].output[0] = name
    return helper.make_tensor_value_info(name, kind, shape)


def network_to_onnx(network: Network, path: Any = None, dtype: Any = None) -> Any:
    """As `Network.to_onnx`."""
    from onnx import helper

    from stylobate.neural_network.passes import stages_of

    graph = _writer()
    kind = np.dtype(network.parameters.dtype if dtype is None else dtype)
    if kind not in (np.dtype("float32"), np.dtype("float64")):
        raise InvalidParameterError(f"to_onnx: dtype must be float32 or float64, got {dtype!r}.")
    stages = stages_of(network._places, network.parameters, network.state)
    found = _layers(graph, kind).chain(stages, "x")
    number = _FLOAT if kind == np.float32 else _DOUBLE
    taken = helper.make_tensor_value_info("x", number, ["n", *network.input_shape])
    given = _output(graph, found, "y", number, ["n", *network.output_shape])
    model = _finished(graph, [taken], [given])
    if path is not None:
        import onnx

        onnx.save(model, str(Path(path)))
    return model


def _rows(model: Any, dtype: Any, before: Any) -> tuple[Any, list[Any], str]:
    """A writer, the inputs of a table of columns, and the name of its rows in one precision.

    `before`: the pipeline the model is the last step of, and what its columns are by then.
    """
    from onnx import helper

    from stylobate.formula.export import inputs_of

    model._check_fitted()
    inputs = inputs_of(model if before is None else before[0])
    graph = _writer(inputs)
    if before is not None:
        from stylobate.formula.onnx_model import writer_and_inputs

        named = getattr(before[0], "feature_names_in_", None) is not None
        graph, taken = writer_and_inputs(before[1], inputs, named=named)
        rows = graph.several(before[1])
    elif getattr(model, "feature_names_in_", None) is None:
        rows = "X"
        taken = [helper.make_tensor_value_info("X", _DOUBLE, ["n", len(inputs)])]
    else:
        names = [column.name for column in inputs]  # type: ignore[attr-defined]
        taken = [helper.make_tensor_value_info(name, _DOUBLE, ["n", 1]) for name in names]
        rows = graph.node("Concat", *names, axis=1)
    if np.dtype(dtype) == np.float32:
        rows = graph.node("Cast", rows, to=_FLOAT)
    return graph, taken, rows


def _doubles(graph: Any, value: str, dtype: Any) -> str:
    return graph.node("Cast", value, to=_DOUBLE) if np.dtype(dtype) == np.float32 else value


def _dense_outputs(model: MultilayerPerceptron, graph: Any, rows: str) -> str:
    """What the perceptron's last layer answers, in double precision."""
    layers = _layers(graph, model.coefs_[0].dtype)
    hidden = _CURVES.get(model.activation, model.activation)
    x, last = rows, len(model.coefs_) - 1
    for place, (weights, bias) in enumerate(zip(model.coefs_, model.intercepts_, strict=True)):
        x = layers.affine(x, weights, bias)
        if place < last:
            x = layers.curve(hidden, x, (len(bias),))
    curve = _CURVES.get(model.out_activation_, model.out_activation_)
    x = graph.node("Exp", x) if curve == "exp" else layers.curve(curve, x, (model.n_outputs_,))
    return _doubles(graph, x, model.coefs_[0].dtype)


def regressor_graph(model: MultilayerPerceptron, before: Any = None) -> Any:
    """Of `predict`."""
    graph, taken, rows = _rows(model, model.coefs_[0].dtype, before)
    found, shape = _dense_outputs(model, graph, rows), ["n", int(model.n_outputs_)]
    if model.n_outputs_ == 1:
        flat = graph.constant(np.array([-1], dtype=np.int64))
        found, shape = graph.node("Reshape", found, flat), ["n"]
    return _finished(graph, taken, [_output(graph, found, "prediction", _DOUBLE, shape)])


def classifier_graph(model: MLPClassifier, before: Any = None) -> Any:
    """Of `predict` and `predict_proba`."""
    from stylobate.formula.onnx_graph import labels_of

    graph, taken, rows = _rows(model, model.coefs_[0].dtype, before)
    outputs = _dense_outputs(model, graph, rows)
    labels, kind = labels_of(model.classes_.tolist()), model._labels.kind
    width = len(labels)
    if width == 1:  # the only label, whatever the output
        labels = np.repeat(labels, 2)
    if kind == "multiclass":
        codes = graph.node("ArgMax", outputs, axis=1, keepdims=0)
    else:
        half = graph.constant(np.full((1, 1), 0.5))
        codes = graph.node("Cast", graph.node("Greater", outputs, half), to=7)  # int64
    if kind == "multilabel":
        said = _output(graph, codes, "prediction", 7, ["n", width])
    else:
        said = _label_output(graph, codes, labels)
    if kind == "binary":
        one = graph.constant(np.ones((1, 1)))
        outputs = graph.node("Concat", graph.node("Sub", one, outputs), outputs, axis=1)
    chance = _output(graph, outputs, "probabilities", _DOUBLE, ["n", max(width, 2)])
    return _finished(graph, taken, [said, chance])


def _label_output(graph: Any, codes: str, labels: Any) -> Any:
    """The output of labels, one for each row."""
    codes = graph.node("Reshape", codes, graph.constant(np.array([-1], dtype=np.int64)))
    label = graph.node("Gather", graph.constant(labels), codes, axis=0)
    number = {"U": 8, "i": 7, "f": _DOUBLE}[labels.dtype.kind]
    return _output(graph, label, "prediction", number, ["n"])


def conv_net_graph(model: ConvNetClassifier, before: Any = None) -> Any:
    """Of `predict` and `predict_proba`, from rows of pixels."""
    from stylobate.formula.onnx_graph import labels_of
    from stylobate.neural_network.exchange.onnx_layers import written_dtype
    from stylobate.neural_network.passes import stages_of

    graph, taken, rows = _rows(model, np.float64, before)
    network, by_channel = model.network_, (-1, 1, 1)
    shape = graph.constant(np.array([-1, *model.image_shape_], dtype=np.int64))
    centred = graph.node(
        "Sub", graph.node("Reshape", rows, shape),
        graph.constant(model._scale.mean.reshape(by_channel)),
    )  # fmt: skip
    x = graph.node("Div", centred, graph.constant(model._scale.spread.reshape(by_channel)))
    dtype = written_dtype(network._places, network.parameters.dtype)
    if dtype == np.float32:
        x = graph.node("Cast", x, to=_FLOAT)
    stages = stages_of(network._places, network.parameters, network.state)
    outputs = _doubles(graph, _layers(graph, dtype).chain(stages, x), dtype)
    axis = graph.constant(np.array([1], dtype=np.int64))
    chances = graph.node("Div", outputs, graph.node("ReduceSum", outputs, axis, keepdims=1))
    codes = graph.node("ArgMax", chances, axis=1, keepdims=0)
    said = _label_output(graph, codes, labels_of(model.classes_.tolist()))
    width = len(model.classes_)
    chance = _output(graph, chances, "probabilities", _DOUBLE, ["n", width])
    return _finished(graph, taken, [said, chance])


def autoencoder_graph(model: Autoencoder, before: Any = None) -> Any:
    """Of `transform`."""
    from stylobate.neural_network.passes import stages_of

    network, dtype = model.encoder_, model.encoder_.parameters.dtype
    graph, taken, rows = _rows(model, dtype, before)
    layers = _layers(graph, dtype)
    centred = graph.node("Sub", rows, layers.numbers(model.mean_))
    scales = layers.numbers(np.full_like(model.mean_, model.scale_))
    scaled = graph.node("Div", centred, scales)
    stages = stages_of(network._places, network.parameters, network.state)
    codes = _doubles(graph, layers.chain(stages, scaled), dtype)
    shape = ["n", *network.output_shape]
    return _finished(graph, taken, [_output(graph, codes, "columns", _DOUBLE, shape)])


def rbm_graph(model: BernoulliRBM, before: Any = None) -> Any:
    """Of `transform`."""
    dtype, units = model.components_.dtype, len(model.intercept_hidden_)
    graph, taken, rows = _rows(model, dtype, before)
    layers = _layers(graph, dtype)
    given = layers.affine(rows, model.components_.T, model.intercept_hidden_)
    found = _doubles(graph, layers.curve("sigmoid", given, (units,)), dtype)
    return _finished(graph, taken, [_output(graph, found, "columns", _DOUBLE, ["n", units])])
