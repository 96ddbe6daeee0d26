"""Layers as ONNX nodes, each a function of the writer, the place and the name of the input."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from stylobate.exceptions import FormulaError
from stylobate.formula.onnx_graph import OnnxWriter
from stylobate.neural_network.layers.activation import Activation, Dropout, PReLU
from stylobate.neural_network.layers.branches import Parallel, Residual
from stylobate.neural_network.layers.convolution import Conv2d
from stylobate.neural_network.layers.dense import Dense, Flatten
from stylobate.neural_network.layers.embedding import Embedding
from stylobate.neural_network.layers.layer import Layer, Shape
from stylobate.neural_network.layers.normalization import BatchNorm, LayerNorm, LocalResponseNorm
from stylobate.neural_network.layers.pooling import (
    AvgPool2d,
    GlobalAvgPool2d,
    GlobalMaxPool2d,
    MaxPool2d,
    MinPool2d,
)
from stylobate.neural_network.layers.window import Window
from stylobate.neural_network.layout import Place, walk
from stylobate.neural_network.passes import Stage

_SELU_SCALE, _SELU_ALPHA = 1.0507009873554805, 1.6732632423543772
# layers for which onnxruntime has kernels of single precision alone
_SINGLE_ONLY = (Conv2d, AvgPool2d, LocalResponseNorm)


def written_dtype(places: Sequence[Place], dtype: Any) -> Any:
    """The precision a network can be written in: its own, or single where there is no other."""
    single = any(isinstance(place.layer, _SINGLE_ONLY) for place in walk(places))
    return np.dtype(np.float32 if single else dtype)


class LayerWriter:
    """Writes layers in one precision into the graph of an `OnnxWriter`."""

    def __init__(self, graph: OnnxWriter, dtype: Any) -> None:
        self.graph, self.dtype = graph, np.dtype(dtype)

    def chain(self, stages: Sequence[Stage], x: str) -> str:
        """The name of what comes out behind layers."""
        for stage in stages:
            x = self._layer(stage, x)
        return x

    def _layer(self, stage: Stage, x: str) -> str:
        layer = stage.place.layer
        if self.dtype == np.float64 and isinstance(layer, _SINGLE_ONLY):
            raise FormulaError(
                f"to_onnx: onnxruntime has no {type(layer).__name__} in double precision (layer "
                f"{stage.place.name}); use dtype='float32'."
            )
        write = next((_WRITERS[kind] for kind in type(layer).__mro__ if kind in _WRITERS), None)
        if write is None:
            raise FormulaError(
                f"to_onnx: layers of the class {type(layer).__name__} (layer {stage.place.name}) "
                "cannot be written as ONNX."
            )
        return write(self, layer, stage, x)

    def numbers(self, values: Any) -> str:
        """A constant in the precision of the graph."""
        return self.graph.constant(np.asarray(values, dtype=self.dtype))

    def number(self, value: float, shape: Shape) -> str:
        """One number, with as many axes as a batch of this shape."""
        return self.numbers(np.full((1,) * (1 + len(shape)), value))

    def by_channel(self, values: Any, shape: Shape) -> str:
        """Numbers of channels or features, to be spread over a batch."""
        return self.numbers(np.asarray(values).reshape(-1, *(1,) * (len(shape) - 1)))

    def whole(self, values: Any) -> str:
        """Whole numbers."""
        return self.graph.constant(np.asarray(values, dtype=np.int64))

    # --- layers -----------------------------------------------------------------------------------

    def dense(self, layer: Dense, stage: Stage, x: str) -> str:
        return self.affine(x, stage.weights["W"], stage.weights.get("b"))

    def affine(self, x: str, weights: Any, bias: Any = None) -> str:
        """X W + b."""
        more = [] if bias is None else [self.numbers(bias)]
        return self.graph.node("Gemm", x, self.numbers(weights), *more)

    def activation(self, layer: Activation, stage: Stage, x: str) -> str:
        return self.curve(layer.kind, x, stage.place.shape, layer.slope)

    def curve(self, kind: str, x: str, shape: Shape, slope: float = 0.01) -> str:
        """A function of every entry, from operations that there are in both precisions."""
        node = self.graph.node
        if kind in ("sigmoid", "tanh", "relu"):
            return node(kind.capitalize(), x)
        if kind == "softmax":
            return node("Softmax", x, axis=1)
        if kind == "leaky_relu":
            return node("Max", x, node("Mul", x, self.number(slope, shape)))
        if kind == "mish":
            small = node("Exp", node("Neg", node("Abs", x)))
            log = node("Log", node("Add", small, self.number(1.0, shape)))
            return node("Mul", x, node("Tanh", node("Add", node("Relu", x), log)))
        if kind == "selu":
            zero = self.number(0.0, shape)
            below = node("Sub", node("Exp", node("Min", x, zero)), self.number(1.0, shape))
            bent = node("Mul", below, self.number(_SELU_SCALE * _SELU_ALPHA, shape))
            return node("Add", bent, node("Mul", node("Relu", x), self.number(_SELU_SCALE, shape)))
        return x

    def prelu(self, layer: PReLU, stage: Stage, x: str) -> str:
        node, shape = self.graph.node, stage.place.shape
        below = node("Min", x, self.number(0.0, shape))
        slopes = np.broadcast_to(stage.weights["a"], shape[:1])
        return node("Add", node("Relu", x), node("Mul", below, self.by_channel(slopes, shape)))

    def nothing(self, layer: Dropout, stage: Stage, x: str) -> str:
        return x

    def flatten(self, layer: Flatten, stage: Stage, x: str) -> str:
        return self.graph.node("Flatten", x, axis=1)

    def embedding(self, layer: Embedding, stage: Stage, x: str) -> str:
        node = self.graph.node
        parts = [node("Gather", x, self.whole(layer.plain_columns(stage.place.shape)), axis=1)]
        for column, _ in layer._pairs():
            codes = node("Cast", node("Gather", x, self.whole(column), axis=1), to=7)  # int64
            parts.append(node("Gather", self.numbers(stage.weights[f"W{column}"]), codes, axis=0))
        return node("Concat", *parts, axis=1)

    def convolution(self, layer: Conv2d, stage: Stage, x: str) -> str:
        more = [] if layer.bias is None else [self.numbers(stage.weights["b"])]
        return self.graph.node(
            "Conv", x, self.numbers(stage.weights["W"]), *more, group=int(layer.groups),
            **_geometry(layer._window(stage.place.shape), dilated=True),
        )  # fmt: skip

    def largest(self, layer: MaxPool2d, stage: Stage, x: str) -> str:
        return self.graph.node("MaxPool", x, **_geometry(layer._window(stage.place.shape)))

    def smallest(self, layer: MinPool2d, stage: Stage, x: str) -> str:
        pool = _geometry(layer._window(stage.place.shape))
        return self.graph.node("Neg", self.graph.node("MaxPool", self.graph.node("Neg", x), **pool))

    def mean(self, layer: AvgPool2d, stage: Stage, x: str) -> str:
        pool = _geometry(layer._window(stage.place.shape))
        counted = int(layer.count_include_pad)
        return self.graph.node("AveragePool", x, count_include_pad=counted, **pool)

    def global_mean(self, layer: GlobalAvgPool2d, stage: Stage, x: str) -> str:
        return self.graph.node("ReduceMean", x, self.whole([2, 3]), keepdims=0)

    def global_largest(self, layer: GlobalMaxPool2d, stage: Stage, x: str) -> str:
        return self.graph.node("ReduceMax", x, self.whole([2, 3]), keepdims=0)

    def batch_norm(self, layer: BatchNorm, stage: Stage, x: str) -> str:
        shift = stage.weights["shift"]
        scale = stage.weights.get("scale", np.ones_like(shift))
        means, variances = stage.state["mean"], stage.state["variance"]
        constants = [self.numbers(values) for values in (scale, shift, means, variances)]
        return self.graph.node("BatchNormalization", x, *constants, epsilon=float(layer.epsilon))

    def layer_norm(self, layer: LayerNorm, stage: Stage, x: str) -> str:
        node, shape = self.graph.node, stage.place.shape
        axes = self.whole(np.arange(1, 1 + len(shape)))
        away = node("Sub", x, node("ReduceMean", x, axes, keepdims=1))
        variance = node("ReduceMean", node("Mul", away, away), axes, keepdims=1)
        spread = node("Sqrt", node("Add", variance, self.number(layer.epsilon, shape)))
        scaled = node(
            "Mul", node("Div", away, spread), self.by_channel(stage.weights["scale"], shape)
        )
        return node("Add", scaled, self.by_channel(stage.weights["shift"], shape))

    def local_response(self, layer: LocalResponseNorm, stage: Stage, x: str) -> str:
        return self.graph.node(
            "LRN", x, size=int(layer.size), alpha=float(layer.alpha), beta=float(layer.beta),
            bias=float(layer.k),
        )  # fmt: skip

    def parallel(self, layer: Parallel, stage: Stage, x: str) -> str:
        outputs = [self.chain(branch, x) for branch in stage.branches]
        if layer.join == "concatenate":
            return self.graph.node("Concat", *outputs, axis=1)
        total = outputs[0]
        for other in outputs[1:]:
            total = self.graph.node("Add", total, other)
        return total

    def residual(self, layer: Residual, stage: Stage, x: str) -> str:
        added, kept = (self.chain(branch, x) for branch in stage.branches)
        if layer.scale != 1.0:  # as many numbers as channels: runtimes join single ones with others
            factors = np.full(stage.place.output[0], layer.scale)
            added = self.graph.node("Mul", added, self.by_channel(factors, stage.place.output))
        return self.graph.node("Add", kept, added)


def _geometry(window: Window, *, dilated: bool = False) -> dict[str, Any]:
    (top, left), (below, right) = window.padding, window.extra
    found: dict[str, Any] = {
        "kernel_shape": list(window.size),
        "strides": list(window.stride),
        "pads": [top, left, top + below, left + right],
    }
    return found | ({"dilations": list(window.dilation)} if dilated else {})


_WRITERS: dict[type[Layer], Callable[..., str]] = {
    Activation: LayerWriter.activation,
    AvgPool2d: LayerWriter.mean,
    BatchNorm: LayerWriter.batch_norm,
    Conv2d: LayerWriter.convolution,
    Dense: LayerWriter.dense,
    Dropout: LayerWriter.nothing,
    Embedding: LayerWriter.embedding,
    Flatten: LayerWriter.flatten,
    GlobalAvgPool2d: LayerWriter.global_mean,
    GlobalMaxPool2d: LayerWriter.global_largest,
    LayerNorm: LayerWriter.layer_norm,
    LocalResponseNorm: LayerWriter.local_response,
    MaxPool2d: LayerWriter.largest,
    MinPool2d: LayerWriter.smallest,
    PReLU: LayerWriter.prelu,
    Parallel: LayerWriter.parallel,
    Residual: LayerWriter.residual,
}
