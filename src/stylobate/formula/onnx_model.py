"""A formula as a whole ONNX model: its inputs, its graph, its outputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper

from stylobate.exceptions import FormulaError
from stylobate.formula.evaluation_order import columns_of
from stylobate.formula.expressions import Answer, Expression
from stylobate.formula.onnx_graph import OnnxWriter, labels_of

_OPSETS = (("", 18), ("ai.onnx.ml", 3))


def graph_of(found: Any, inputs: Sequence[Expression], *, named: bool) -> Any:
    """The ONNX model of an answer, or of the columns of a transformer."""
    writer, taken = writer_and_inputs(_roots(found), inputs, named=named)
    outputs = _outputs(writer, found)
    graph = helper.make_graph(writer.nodes, "model", taken, outputs, writer.constants)
    opsets = [helper.make_opsetid(domain, version) for domain, version in _OPSETS]
    model = helper.make_model(graph, opset_imports=opsets, producer_name="stylobate", ir_version=8)
    onnx.checker.check_model(model)
    return model


def writer_and_inputs(
    roots: Sequence[Expression], inputs: Sequence[Expression], *, named: bool
) -> tuple[OnnxWriter, list[Any]]:
    """A writer for some expressions, and the inputs a graph of them takes."""
    read = columns_of(list(roots))
    if not read:
        raise FormulaError(
            "to_onnx: the model says the same of every row and reads no column, so that a graph "
            "could not know how many rows there are."
        )
    texts = {column.name for column in read if column.kind == "text"}
    if texts & {column.name for column in read if column.kind != "text"}:
        raise FormulaError("to_onnx: a column is read both as text and as numbers.")
    named = named or bool(texts)
    writer = OnnxWriter(inputs, named=named)
    types = {True: TensorProto.STRING, False: TensorProto.DOUBLE}
    names = dict.fromkeys(column.name for column in read)
    taken = [helper.make_tensor_value_info(name, types[name in texts], ["n", 1]) for name in names]
    if not named:
        taken = [helper.make_tensor_value_info("X", TensorProto.DOUBLE, ["n", len(inputs)])]
    return writer, taken


def _roots(found: Any) -> list[Expression]:
    if isinstance(found, Answer):
        return [*found.predictions, *found.probabilities]
    return list(found)


def _outputs(writer: OnnxWriter, found: Any) -> list[Any]:
    if not isinstance(found, Answer):
        table = writer.node("Identity", writer.several(found))
        writer.nodes[-1].output[0] = "columns"
        assert table
        return [helper.make_tensor_value_info("columns", TensorProto.DOUBLE, ["n", len(found)])]
    outputs = []
    if len(found.predictions) == 1:
        flat = writer.constant(np.array([-1], dtype=np.int64))
        writer.node("Reshape", writer.value(found.predictions[0]), flat)
        shape: list[Any] = ["n"]
    else:
        writer.node("Identity", writer.several(found.predictions))
        shape = ["n", len(found.predictions)]
    writer.nodes[-1].output[0] = "prediction"
    outputs.append(helper.make_tensor_value_info("prediction", _type(found), shape))
    if found.probabilities:
        writer.node("Identity", writer.several(found.probabilities))
        writer.nodes[-1].output[0] = "probabilities"
        width = len(found.probabilities)
        info = helper.make_tensor_value_info("probabilities", TensorProto.DOUBLE, ["n", width])
        outputs.append(info)
    return outputs


def _type(found: Answer) -> int:
    if not found.classes:
        return int(TensorProto.DOUBLE)
    kind = labels_of(found.classes).dtype.kind
    return int({"U": TensorProto.STRING, "i": TensorProto.INT64, "f": TensorProto.DOUBLE}[kind])
